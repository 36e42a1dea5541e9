"""The registry of diagnostic codes: what each complaint means, for people and for tools.

A code never changes its meaning.  `docs/diagnostics.md` shows each with an example.
"""

from __future__ import annotations

from attrs import frozen


@frozen
class Code:
    """A kind of complaint."""

    severity: str
    meaning: str


def _error(meaning: str) -> Code:
    return Code("error", meaning)


def _warning(meaning: str) -> Code:
    return Code("warning", meaning)


CODES: dict[str, Code] = {
    # the file as a whole
    "too-large": _error("The file, or a table it asks for, is larger than the declared limit."),
    "too-many": _error("More mistakes than are shown at once."),
    "not-text": _error("The file holds binary data."),
    "not-utf8": _error("The file is text in another encoding than UTF-8."),
    "tab": _error("Tabs are not allowed: their width is a matter of taste, blanks are not."),
    "bad-character": _error("A character that no text of the language has."),
    "bad-head": _error("A file begins with `format 1` and `game NAME`."),
    "unknown-format": _error("The file is written in a format this version does not know."),
    # form
    "unknown-statement": _error("No statement begins with this word."),
    "misplaced": _error("This statement belongs somewhere else."),
    "syntax": _error("The statement does not go on like this."),
    "unfinished": _error("The line ends before the statement does."),
    "unclosed": _error("A bracket or a text is opened and never closed."),
    "stray-block": _error("These lines are indented but belong to no statement above them."),
    "missing-block": _error("The statement needs indented lines below it."),
    "bad-indent": _error("The indentation matches no line above."),
    "reserved-word": _error("A word of the language or a built-in cannot be a name."),
    "too-deep": _error("Brackets, conditions or blocks are nested deeper than the limit."),
    # statements
    "missing-statement": _error("Every game needs this statement."),
    "repeated-statement": _error("This statement may stand only once."),
    "choose-after-effect": _error("All choices of a move come before its first effect."),
    "unused-move": _error("A move that no turn mentions can never be played."),
    "unused-name": _warning("A definition, state, option, action or kind that nothing uses."),
    "defined-twice": _error("One name stands for two things."),
    "one-sided": _error("A `let ... for` is given for one player only."),
    "cycle": _error("A definition needs itself."),
    "bad-option": _error("An option needs a default and a range."),
    # names and types
    "unknown-name": _error("Nothing has this name."),
    "unknown-word": _error("This place takes one of a few words, and this is none of them."),
    "wrong-type": _error("A value of another type is needed here."),
    "wrong-arguments": _error("A function is used with too few, too many or no arguments."),
    "same-for-both": _error("`for` stands behind something that both players see alike."),
    "not-constant": _error("This must be known before the game begins."),
    "notation": _error("The notation of a move names what the move does not choose."),
    "letters": _error("The letters of the pieces do not tell them apart."),
    # values
    "out-of-range": _error("A value lies outside its range."),
    "bad-board": _error("The board cannot be made."),
    "empty-board": _error("The board has no sites."),
    "off-board": _error("This site or region is not on the board."),
    "no-direction": _error("This board has no such direction or region."),
    "turn-course": _error("A turn that can never end, or never be played."),
    "arithmetic": _error("A constant calculation fails, such as a division by zero."),
    # what is legal but seldom meant
    "always-empty": _warning("These sets have no site in common, so this is always empty."),
    "empty-in": _warning("`A in B` is false for an empty A, and this A can be empty."),
    "unreachable": _warning("This can never happen: what stands before it always comes first."),
    "unbracketed-or": _warning("An `or` without brackets beside moves that follow each other."),
    "same-twice": _warning("A set stands twice side by side, which changes nothing."),
    # evaluators and personalities
    "other-game": _error("An evaluator or a personality is for another game than this one."),
    "other-file": _error("The file that is built upon has mistakes of its own."),
    "unit": _error("A number has another unit than the factor or setting that it is for."),
    "table-size": _error("A table has other rows or columns than the board."),
    # patterns
    "bad-link": _error("These two places are no link's length apart, or the game has no links."),
    "bad-picture": _error("The picture of a pattern cannot be read."),
    "never-fires": _error("The conditions of a pattern contradict each other."),
    "same-pattern": _warning("A pattern proposes nothing that another one does not propose."),
    # claims
    "claim-fails": _error("What the file claims is not so."),
    "claim-untested": _warning("Testing what the file claims takes more work than a check may."),
    # play
    "too-slow": _error("Listing or playing the decisions of a position takes far too long."),
    "slow": _warning("Listing or playing the decisions of a position takes a noticeable time."),
    # recorded games
    "bad-record": _error("A text is no record of a game in its format, or of no known game."),
    "illegal-move": _error("A recorded game plays a move that is not legal there."),
}
