"""Complaints as values: what is wrong, where, and what to do.

A diagnostic is never raised while a text is read; stages hand it to a `Report` and go on.  Tests
and docs name the code, wording may change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from attrs import evolve, field

from rulewright.errors import RulewrightError
from rulewright.ground import limits
from rulewright.ground.printable import amount, plural
from rulewright.ground.records import Record, fields_as_json, record
from rulewright.ground.translation import translate


@record
class Code(Record):
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
    "two-choosers": _error("A move is made by chance, or by the player to move."),
    "who-decides": _error("A turn offers what chance decides beside something else."),
    "reveals": _error("A decision would tell what its player does not see."),
    "unused-move": _error("A move that no turn mentions can never be played."),
    "unused-name": _warning("A definition, state, option, action or kind that nothing uses."),
    "same-as-base": _warning("A statement that the rules built upon have already."),
    "value-behind": _warning("A value without a name is not the first, which is used."),
    "same-value": _warning("The value of a move asks nothing that the move chooses."),
    "file-name": _warning("A file is not called like the evaluator or personality in it."),
    "defined-twice": _error("One name stands for two things."),
    "one-sided": _error("A `let ... for` is given for some of the players only."),
    "which-players": _error("Options leave open who plays, or a player is asked for who does not."),
    "which-enemy": _error("`for enemy` stands where there is not exactly one enemy."),
    "cycle": _error("A definition needs itself."),
    "bad-option": _error("An option needs a default and a range."),
    # names and types
    "unknown-name": _error("Nothing has this name."),
    "unknown-word": _error("This place takes one of a few words, and this is another word."),
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
    "not-stacked": _error("No pieces are piled up on this board."),
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
    "one-way-groups": _warning("Steps of `groups` do not lead back; neighbours count either way."),
    # evaluators and personalities
    "other-game": _error("An evaluator or a personality is for another game than this one."),
    "other-file": _error("The file that is built upon has mistakes of its own."),
    "unit": _error("A number has another unit than the factor or setting that it is for."),
    "table-size": _error("A table has other rows or columns than the board."),
    # patterns
    "bad-link": _error("These two places are no link's length apart, or the game has no links."),
    "bad-picture": _error("The picture of a pattern, or the outline of a piece, cannot be read."),
    "never-fires": _error("The conditions of a pattern contradict each other."),
    "open-pick": _warning(
        "Every `pick` has a condition; where no condition holds, any decision is made."
    ),
    "replaced-picks": _warning("A `pick` of one's own replaces all that the extended text has."),
    "same-pattern": _warning("A pattern proposes only moves that another pattern proposes too."),
    # looks
    "bad-colour": _error("The value of a colour is not written like a colour."),
    "low-contrast": _warning("Pieces can hardly be seen on the board in one of the themes."),
    "colour-alone": _warning("Two sides differ only in their colours."),
    "no-drawing": _warning(
        "Other pieces of the game have a drawing, and this kind has no drawing."
    ),
    # claims
    "claim-fails": _error("What the file claims is not so."),
    "claim-untested": _warning("Testing what the file claims takes more work than a check may."),
    # play
    "cannot-begin": _error("A fault of the rules is met in the first position."),
    "too-slow": _error("Listing or playing the decisions of a position takes far too long."),
    "slow": _warning("Listing or playing the decisions of a position takes a noticeable time."),
    "slow-form": _warning("Kernels do this part slowly, and it can be written in a faster way."),
    "compiler-fault": _warning("A fault of this program: it failed at a line that is not wrong."),
    # recorded games
    "bad-record": _error("A text is no record of a game in its format, or of no known game."),
    "illegal-move": _error("A recorded game plays a move that is not legal there."),
}
"""The codes of all diagnostics, whose meaning never changes; `docs/diagnostics.md` has examples."""


@record
class Place(Record):
    """The place of a diagnostic: file, line and column from 1, and the text of the line."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    excerpt: str = field(default="", repr=False)


@record
class Diagnostic(Record):
    """One complaint about one place."""

    code: str = field()
    message: str
    place: Place
    hint: str = ""

    @code.validator
    def _registered(self, _: object, code: str) -> None:
        if code not in CODES:
            raise KeyError(f"the code {code} is not in the registry")

    @property
    def severity(self) -> str:
        """`error`, or `warning` for what a game can be played with."""
        return CODES[self.code].severity

    def __str__(self) -> str:
        where = f"{self.place.file}:{self.place.line}:{self.place.column}"
        kind = "" if self.severity == "error" else f"{translate('warning')}: "
        return f"{where}: {kind}{translate(self.message)} [{self.code}]"

    def render(self) -> str:
        """The complaint, the line it is about with carets below, and the hint."""
        lines = [str(self)]
        if self.place.excerpt.strip():
            lines += [f"    {shown}" for shown in self._picture()]
        if self.hint:
            lines.append(f"{translate('hint')}: {translate(self.hint)}")
        return "\n".join(lines)

    def _picture(self) -> tuple[str, str]:
        """The line, or the part of a very long one that matters, and the carets below it."""
        place = self.place
        text, margin = _plain(place.excerpt), place.column - 1
        width = len(text) - margin
        if place.end_line == place.line:
            width = min(width, place.end_column - place.column)
        if len(text) > _SHOWN:
            cut = max(0, margin - _BEFORE)
            before, after = "..." * (cut > 0), "..." * (cut + _SHOWN < len(text))
            text = before + text[cut : cut + _SHOWN] + after
            margin += len(before) - cut
            width = min(width, len(text) - len(after) - margin)
        return text, " " * margin + "^" * max(1, width)

    def as_data(self) -> dict[str, object]:
        """The complaint as plain data, with the names of `check --format json`."""
        place = fields_as_json(self.place, "file line column end_line end_column")
        return place | fields_as_json(self, "code severity message hint")


class TextError(RulewrightError):
    """A text cannot be used; `diagnostics` holds every mistake found in it, not only the first."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(d.render() for d in self.diagnostics))

    def __str__(self) -> str:
        return str(self.args[0])


def errors(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics of severity `error`, with which a text cannot be used."""
    return [d for d in diagnostics if d.severity == "error"]


def numbers(diagnostics: Sequence[Diagnostic]) -> str:
    """How many there are of each severity, in words; `fine` where there are none."""
    wrong = len(errors(diagnostics))
    counts = ((wrong, "error"), (len(diagnostics) - wrong, "warning"))
    words = [translate(amount(number, noun)) for number, noun in counts if number]
    return ", ".join(words) or translate("fine")


Report = Callable[[Diagnostic], None]
_SHOWN, _BEFORE = 100, 60
"""Characters of a long line that are shown, and how many of them stand before the mistake."""
_LONGEST = 40
"""Letters of a word for which a similar one is looked for."""
_OFFERED = 12
"""Words that a hint lists at the most."""


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else " " if c == "\t" else "?" for c in text)


class Collector:
    """Collects diagnostics, one for each code and place; it is the `Report` that stages call."""

    def __init__(self) -> None:
        self._by_place: dict[tuple[str, int, int], Diagnostic] = {}

    def __call__(self, diagnostic: Diagnostic) -> None:
        """Keep *diagnostic*, unless one with its code is kept for the same line and column."""
        place = diagnostic.place
        self._by_place.setdefault((diagnostic.code, place.line, place.column), diagnostic)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The diagnostics in the order of the text, at most `limits.REPORTED` of them.

        Errors go before warnings where not all fit; a last diagnostic counts the errors left out.
        """
        ordered = sorted(self._by_place.values(), key=_order)
        if len(ordered) <= limits.REPORTED:
            return tuple(ordered)
        mistakes = errors(ordered)
        most = limits.REPORTED - (len(mistakes) > limits.REPORTED)
        reported, hidden = mistakes[:most], mistakes[most:]
        warnings = [d for d in ordered if d.severity == "warning"][
            : limits.REPORTED - len(reported)
        ]
        rest = [_hidden(hidden)] if hidden else []
        return (*sorted([*reported, *warnings], key=_order), *rest)

    @property
    def hopeless(self) -> bool:
        """Whether `limits.DIAGNOSED` is reached, so that reading should stop."""
        return len(self._by_place) >= limits.DIAGNOSED

    @property
    def failed(self) -> bool:
        """Whether a diagnostic is an error."""
        return bool(errors(self._by_place.values()))


def _order(diagnostic: Diagnostic) -> tuple[int, int, str]:
    return diagnostic.place.line, diagnostic.place.column, diagnostic.code


def _hidden(diagnostics: list[Diagnostic]) -> Diagnostic:
    are = plural(len(diagnostics), "is", "are")
    message = f"{amount(len(diagnostics), 'more mistake')} from here on {are} not shown"
    return Diagnostic("too-many", message, diagnostics[0].place, "correct the mistakes above first")


def with_file_name(diagnostics: Iterable[Diagnostic], file: str) -> list[Diagnostic]:
    """Return the diagnostics with *file* as the name of their file."""
    return [evolve(d, place=evolve(d.place, file=file)) for d in diagnostics]


def nearest(word: str, vocabulary: Iterable[str]) -> str:
    """The word of *vocabulary* that is spelled most like *word*; empty where none is close."""
    if len(word) > _LONGEST:
        return ""
    return _nearest(word, frozenset(vocabulary))


@lru_cache(maxsize=256)
def _nearest(word: str, vocabulary: frozenset[str]) -> str:
    from difflib import get_close_matches  # nobody needs it who makes no mistake

    choices = sorted(vocabulary)
    same = [k for k in choices if k.casefold() == word.casefold()]
    close = same or get_close_matches(word, choices, n=1, cutoff=0.65)
    return close[0] if close else ""


def did_you_mean(word: str, vocabulary: Iterable[str]) -> str:
    """The hint "did you mean ...?" with the nearest word; empty where none is close."""
    close = nearest(word, vocabulary)
    return f"did you mean `{close}`?" if close else ""


def _likeness(word: str, other: str) -> float:
    from difflib import SequenceMatcher  # nobody needs it who makes no mistake

    return SequenceMatcher(None, word.casefold(), other.casefold()).ratio()


def offer(word: str, vocabulary: Iterable[str]) -> str:
    """The hint "did you mean ...?", or else a list of words; of many those most like *word*."""
    names = list(vocabulary)
    if len(names) > _OFFERED and len(word) <= _LONGEST:
        names.sort(key=lambda name: -_likeness(word, name))
    first, more = names[:_OFFERED], " ..." * (len(names) > _OFFERED)
    listed = ", ".join(f"`{name}`" for name in first)
    return did_you_mean(word, names) or f"there is {listed or 'none'}{more}"
