"""Why a line does not parse, in the user's words.

In: the tokens of a line, the one that does not fit, and what the grammar would take instead.
Out: code, place, message and hint of one diagnostic.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from attrs import frozen

from rulewright.language.build import Lexeme
from rulewright.language.diagnostics import did_you_mean, nearest
from rulewright.language.source import Span

ITEM_WORDS = frozenset(
    "format game players option board label pieces links state let setup action move first turn"
    " write win lose draw score claim".split()
)
EFFECT_WORDS = frozenset(
    "choose write need let put clear move link unlink if else again swap".split()
)
BLOCK_WORDS = {"item": ITEM_WORDS, "effect": EFFECT_WORDS, "path": frozenset({"line"})}

_NAMES = {
    "NAME": "a name", "CALL": "a call", "NUMBER": "a number", "STRING": "a text",
    "NEWLINE": "the end of the line", "$END": "the end of the text", "ASSIGN": "`:=`",
    "EQUAL": "`=`", "STAR": "`*`", "PLUS": "`+`", "QUERY": "`?`", "SLASH": "`/`",
    "COMMA": "`,`", "COLON": "`:`", "LPAR": "`(`", "RPAR": "`)`", "LSQB": "`[`", "RSQB": "`]`",
    "LBRACE": "`{`", "RBRACE": "`}`", "DOTS": "`..`", "BAR": "`|`", "MINUS": "`-`",
    "UNEQUAL": "`<>`", "LESS": "`<`", "MORE": "`>`", "LESS_EQUAL": "`<=`", "MORE_EQUAL": "`>=`",
}  # fmt: skip
_VALUE = frozenset({"NAME", "CALL", "LPAR", "LSQB", "RAY"})
_VALUE_STARTS = _VALUE | {"NUMBER", "STRING", "MINUS", "NOT", "COUNT", "ANY", "NO"}
_OPERATORS = frozenset(
    "PLUS MINUS STAR SLASH MOD DIV DOTS EQUAL UNEQUAL LESS LESS_EQUAL MORE MORE_EQUAL IN MEETS"
    " AND OR IF FOR".split()
)
_OTHER_WORDS = {
    "capture": "clear", "remove": "clear", "delete": "clear", "kill": "clear", "place": "put",
    "add": "put", "set": "put", "require": "need", "assert": "need", "when": "need", "check": "need",
    "select": "choose", "pick": "choose", "elif": "else if", "elseif": "else if", "var": "let",
    "define": "let", "def": "let", "const": "let", "size": "option", "goal": "win", "rule": "move",
}  # fmt: skip
_BINDERS = frozenset({"some", "every", "those", "sum"})
_SIGN_HINTS = {
    "&": "write `and`", "!": "write `not`, or `<>` for unequal", "'": 'texts stand in `"`',
    ";": "one statement a line, without a sign at its end", "^": "write the product out",
    "%": "write `mod`", "~": "write `not`",
}  # fmt: skip


@frozen
class Complaint:
    """A diagnostic before it knows its file."""

    code: str
    span: Span
    message: str
    hint: str = ""


def span_of(token: Lexeme) -> Span:
    """The place of *token*; for a line break, the place where it begins."""
    assert token.start_pos is not None and token.end_pos is not None
    if token.type == "NEWLINE":
        return Span(token.start_pos, token.start_pos + 1)
    return Span(token.start_pos, token.end_pos)


def _shown(token: Lexeme) -> str:
    return token.value[:-1] if token.type == "CALL" else token.value


def explain(
    line: Sequence[Lexeme], index: int, accepts: Collection[str], block: str
) -> Complaint:
    """Say why `line[index]` does not fit in a line of *block*."""
    token = line[index]
    if token.type == "BAD":
        return Complaint("bad-character", span_of(token), "")  # the caller sees the character
    if index == 0:
        return _unknown_start(token, block)
    if _names_no_statement(line, accepts, block):
        return _unknown_start(line[0], block)
    if token.type in ("NEWLINE", "$END"):
        return _unfinished(line, index, accepts)
    return _unexpected(line, index, accepts)


def _names_no_statement(line: Sequence[Lexeme], accepts: Collection[str], block: str) -> bool:
    """A line of a block may begin with any name, `hand := 3`: so a misspelt word shows only here."""
    first = line[0].type in ("NAME", "CALL")
    return block == "effect" and first and "ASSIGN" in accepts and line[1].type != "EQUAL"


def _unknown_start(token: Lexeme, block: str) -> Complaint:
    word, span = _shown(token), span_of(token)
    home = next((b for b, words in BLOCK_WORDS.items() if word in words), None)
    if word in ITEM_WORDS | EFFECT_WORDS | {"line"} and home and word not in BLOCK_WORDS[block]:
        where = {
            "item": "at the margin",
            "effect": "in the block of a move",
            "path": "in the block of `board graph`",
        }[home]
        return Complaint("misplaced", span, f"`{word}` belongs {where}, not here")
    if not word[:1].isalpha():
        return Complaint("unknown-statement", span, f"no statement begins with `{word}`")
    other = _OTHER_WORDS.get(word.casefold(), "")
    known = BLOCK_WORDS[block]
    hint = did_you_mean(word, known) or (f"did you mean `{other}`?" if other else "")
    return Complaint("unknown-statement", span, f"no statement begins with `{word}` here", hint)


def guess_statement(line: Sequence[Lexeme], block: str) -> str:
    """The statement a faulty line was probably meant to be, or an empty text."""
    word = _shown(line[0])
    return word if word in BLOCK_WORDS[block] else nearest(word, BLOCK_WORDS[block])


def _unfinished(line: Sequence[Lexeme], index: int, accepts: Collection[str]) -> Complaint:
    last = line[index - 1]
    span = span_of(last)
    after = f"after `{_shown(last)}`"
    return Complaint("unfinished", span, f"the line ends {after}; {expected(accepts)}")


def _unexpected(line: Sequence[Lexeme], index: int, accepts: Collection[str]) -> Complaint:
    token, before = line[index], line[index - 1]
    word, span = _shown(token), span_of(token)
    wanted = expected(accepts)
    if token.type.isalpha() and word.isalpha() and "NAME" in accepts and token.type != "NAME":
        message = f"`{word}` is a word of the language, so it cannot be a name"
        return Complaint("reserved-word", span, message, "choose another name")
    words = [a.lower() for a in accepts if a.isalpha() and a not in _NAMES]
    hint = did_you_mean(word, words) if token.type in ("NAME", "CALL") else ""
    if token.type == "EQUAL" and before.type == "EQUAL":
        hint = "equality is one `=`"
    elif token.type == "EQUAL" and "ASSIGN" in accepts:
        hint = "a state is set with `:=`"
    elif before.type in ("NAME", "RSQB", "RPAR") and token.type in ("LSQB", "NOT"):
        hint = "sets side by side intersect; join truths with `and`, parts of a ray with a comma"
    elif token.type == "NAME" and before.type == "NUMBER":
        hint = "a name begins with a letter; a product is written with `*`"
    elif any(t.value in _BINDERS for t in line[:index]):
        hint = "a variable stands in brackets: `some(x in X : condition)`"
    message = f"`{word}` does not fit after `{_shown(before)}`; {wanted}"
    return Complaint("syntax", span, message, hint)


def expected(accepts: Collection[str]) -> str:
    """`expected ...`, in a few words."""
    left, phrases = set(accepts), []
    if left >= _VALUE:
        phrases.append("a value")
        left -= _VALUE_STARTS
    if left - _OPERATORS:
        left -= _OPERATORS
    words = sorted(_NAMES.get(a, f"`{a.lower()}`") for a in left)
    phrases += words
    if len(phrases) > 6:
        phrases = [*phrases[:6], "..."]
    head, last = phrases[:-1], phrases[-1] if phrases else "something else"
    return "expected " + (f"{', '.join(head)} or {last}" if head else last)


def bad_character(character: str, span: Span) -> Complaint:
    """A foreign character, or the quote of a text that never ends."""
    if character == '"':
        hint = 'a text begins and ends with `"` on one line'
        return Complaint("unclosed", span, "this text is never closed", hint)
    shown = f"`{character}`" if character.isprintable() else f"the character {ord(character):#x}"
    hint = _SIGN_HINTS.get(character, "")
    return Complaint("bad-character", span, f"{shown} has no meaning here", hint)
