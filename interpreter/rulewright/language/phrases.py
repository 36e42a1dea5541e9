"""Messages on why a line does not parse, in the user's words.

In: the tokens of a line, the one that does not fit, and what the grammar would take instead.
Out: code, place, message and hint of one diagnostic.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise

from attrs import evolve

from rulewright.ground.records import Record, record
from rulewright.language import elsewhere, syntax
from rulewright.language.diagnostics import did_you_mean, nearest
from rulewright.language.grammar import Grammar
from rulewright.language.node_rows import Lexeme
from rulewright.language.source import Span

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
_SIGNS = """
    PLUS MINUS STAR SLASH MOD DIV DOTS EQUAL UNEQUAL LESS LESS_EQUAL MORE MORE_EQUAL IN MEETS
    AND OR IF FOR
"""
_OPERATORS = frozenset(_SIGNS.split())
_BETWEEN = "NOT ANY NO COUNT RAY ELSE TO AT BY FROM ALONG WHEN WHERE"
_BINDERS = frozenset({"some", "every", "those", "sum"})
_SIGN_HINTS = {
    "&": "write `and`", "!": "write `not`, or `<>` for unequal", "'": 'texts stand in `"`',
    ";": "one statement a line, without a sign at its end", "^": "write the product out",
    "%": "write `mod`", ".": "a range is written `1..4`",
    "~": "write `not`", "\u201c": 'texts stand in plain `"`',
    "\u201d": 'texts stand in plain `"`', "\u2264": "write `<=`", "\u2265": "write `>=`",
    "\u2260": "write `<>`", "\u2212": "write `-`", "\u2013": "write `-`", "\u00d7": "write `*`",
    "\u00a0": "this character only looks like a blank",
}  # fmt: skip
_CLAIMED = ("draws", "ends", "turns", "decisions", "wins")
_JOINING = _OPERATORS | set(_BETWEEN.split())
_MOST_SHOWN = 40
_FORM = frozenset({"syntax", "unknown-statement", "unfinished", "reserved-word"})
"""Complaints about the form of a line, which may be that of another language."""
_LETTERS = "names are written with the letters a to z, digits and `_`"


@record
class LineComplaint(Record):
    """A diagnostic before it knows its file."""

    code: str
    span: Span
    message: str
    hint: str = ""


@record
class Language(Record):
    """One of the languages: its grammar and how its lines stand in blocks.

    `homes` says where each block stands, `inner` which block stands below a statement; those that
    `need` theirs cannot be without it.  A bracket that is open where a line begins with one of its
    words, but for the `unsure` ones, was never closed.
    """

    name: str
    head: str
    grammar: Callable[[], Grammar]
    homes: Mapping[str, tuple[str, str]]
    inner: Mapping[type[syntax.Node], str]
    need: tuple[type[syntax.Node], ...]
    unsure: frozenset[str]
    signs: Mapping[str, str] = {}
    percent: bool = False
    rules: Language | None = None
    """The language of the rules that evaluators and personalities stand on."""

    @property
    def blocks(self) -> Mapping[str, frozenset[str]]:
        """The words with which the lines of each block begin."""
        return self.grammar().words

    @property
    def all(self) -> frozenset[str]:
        """Every word that begins a statement."""
        return frozenset().union(*self.blocks.values())

    @property
    def begins(self) -> frozenset[str]:
        """The words that surely begin a line."""
        return self.all - self.unsure


def span_of(token: Lexeme) -> Span:
    """The place of *token*; for a line break, the place where it begins."""
    assert token.start_pos is not None
    assert token.end_pos is not None
    if token.type == "NEWLINE":
        return Span(token.start_pos, token.start_pos + 1)
    return Span(token.start_pos, token.end_pos)


def _shown(token: Lexeme) -> str:
    return token.value[:-1] if token.type == "CALL" else token.value[:_MOST_SHOWN]


def explain(
    line: Sequence[Lexeme],
    index: int,
    accepts: Collection[str],
    block: str,
    language: Language,
) -> LineComplaint:
    """Say why `line[index]` does not fit in a line of *block*."""
    if (
        block == "effect" and index == 1 and line[0].type == "NAME"
    ):  # only rules that build on others have two names there
        accepts = {*accepts} - {"NAME", "CALL"}
    complaint = _explained(line, index, accepts, block, language)
    if complaint.code not in _FORM:
        return complaint
    hint = elsewhere.of_line(line, language.name, block)
    return evolve(complaint, hint=hint) if hint else complaint


def _explained(
    line: Sequence[Lexeme], index: int, accepts: Collection[str], block: str, language: Language
) -> LineComplaint:
    token = line[index]
    if token.type == "BAD":
        return LineComplaint("bad-character", span_of(token), "")  # the caller sees the character
    if block == "table_row":
        message = f"`{_shown(token)}` is no number, and a row of a table has nothing else"
        return LineComplaint("syntax", span_of(token), message)
    if index == 0 and block == "hole":
        message = f"`{_shown(token)}` cannot begin a value"
        return LineComplaint("syntax", span_of(token), message)
    if index == 0:
        return _unknown_start(token, block, language)
    if _names_no_statement(line, accepts, block):
        return _unknown_start(line[0], block, language)
    if token.type in ("NEWLINE", "$END"):
        return _unfinished(line, index, accepts)
    return _unexpected(line, index, accepts)


def _names_no_statement(line: Sequence[Lexeme], accepts: Collection[str], block: str) -> bool:
    """A line of a block may begin with any name, `hand := 3`: a misspelt word shows only here."""
    first = line[0].type in ("NAME", "CALL")
    if block == "item":  # of a personality, `FACTOR = 3`
        return first and accepts == {"EQUAL"} and line[1].type != "ASSIGN"
    acts = block in ("effect", "scan_effect")
    return acts and first and "ASSIGN" in accepts and line[1].type != "EQUAL"


def _unknown_start(token: Lexeme, block: str, language: Language) -> LineComplaint:
    word, span = _shown(token), span_of(token)
    words = language.blocks[block]
    home = next((b for b, inside in language.blocks.items() if word in inside), None)
    if home and word not in words:
        where, hint = language.homes[home]
        return LineComplaint("misplaced", span, f"`{word}` belongs {where}, not here", hint)
    if not word[:1].isalpha():
        return LineComplaint("unknown-statement", span, f"no statement begins with `{word}`")
    other = elsewhere.of_word(word, language.name)
    hint = f"did you mean `{other}`?" if other.partition(" ")[0] in words else ""
    hint = hint or did_you_mean(word, words)
    rules = language.rules
    if not hint and rules is not None and word in rules.blocks["item"] | rules.blocks["effect"]:
        hint = f"`{word}` is a statement of rules, and this is {language.name}"
    return LineComplaint("unknown-statement", span, f"no statement begins with `{word}` here", hint)


def guess_statement(line: Sequence[Lexeme], language: Language, block: str) -> str:
    """The statement a faulty line (of *block*) was probably meant to be, or an empty text."""
    word = _shown(line[0])
    close = nearest(word, language.blocks.get(block, ())) if language.rules else ""
    if close:
        return close
    if word in language.all:
        return word
    other = elsewhere.of_word(word, language.name).partition(" ")[0]
    return other or nearest(word, language.all)


def _unfinished(line: Sequence[Lexeme], index: int, accepts: Collection[str]) -> LineComplaint:
    last = line[index - 1]
    span = span_of(last)
    after = f"after `{_shown(last)}`"
    return LineComplaint("unfinished", span, f"the line ends {after}; {expected_words(accepts)}")


def _unexpected(line: Sequence[Lexeme], index: int, accepts: Collection[str]) -> LineComplaint:
    token, before = line[index], line[index - 1]
    word, span = _shown(token), span_of(token)
    expectation = expected_words(accepts)
    if line[0].type == "CLAIM" and "NAME" in accepts and "LPAR" not in accepts:
        message = f"`{word}` cannot be claimed here"
        return LineComplaint("unknown-word", span, message, did_you_mean(word, _CLAIMED))
    if _is_reserved(token, accepts):
        message = f"`{word}` is a word of the language, so it cannot be a name"
        return LineComplaint("reserved-word", span, message, "choose another name")
    words = [a.lower() for a in accepts if a.isalpha() and a not in _NAMES]
    hint = did_you_mean(word, words) if token.type in ("NAME", "CALL") else ""
    hint = hint or _hint(line, index, accepts)
    message = f"`{word}` does not fit after `{_shown(before)}`; {expectation}"
    return LineComplaint("syntax", span, message, hint)


def _is_reserved(token: Lexeme, accepts: Collection[str]) -> bool:
    """Whether a word of the language stands where a name should."""
    word = token.type.isalpha() and token.type == token.value.upper()
    only_a_name = "NAME" in accepts and "LPAR" not in accepts
    return word and "NAME" in accepts and (only_a_name or token.type not in _JOINING)


def _hint(line: Sequence[Lexeme], index: int, accepts: Collection[str]) -> str:
    """The hint on what to write instead, for the most frequent mistakes; else an empty text."""
    token, before = line[index], line[index - 1]
    if token.type == "EQUAL" and before.type == "EQUAL":
        return "equality is one `=`"
    if token.type == "EQUAL" and "ASSIGN" in accepts:
        return "a state is set with `:=`"
    if token.type == "ASSIGN":
        return "a name is given its value with `=`; only a state is set with `:=`, in a block"
    if token.type == "NOT" and before.type in ("NAME", "RPAR"):
        behind = line[index + 1].type if index + 1 < len(line) else ""
        return f"write `not {_shown(before)} in ...`" if behind == "IN" else "write `and not`"
    in_brackets = any(a.type == "IN" and b.type == "LPAR" for a, b in pairwise(line[:index]))
    if (token.type == "LBRACE" and before.type == "IN") or (token.type == "COMMA" and in_brackets):
        return "a list stands in square brackets: `k in [queen, rook]`"
    if token.type == "LSQB" and before.type in ("NAME", "RSQB", "RPAR", "STAR", "PLUS", "QUERY"):
        return "the parts of a ray are joined by a comma: `/[over: enemy], [b: empty]/`"
    closed = ("STAR", "PLUS", "QUERY", "RSQB", "RPAR", "RBRACE")
    if token.type == "NAME" and before.type in closed and {"COMMA", "BAR"} & set(accepts):
        return "the parts of a ray are joined by a comma: `/[enemy+], own/`"
    if token.type == "NAME" and before.type == "NUMBER":
        return "a name begins with a letter; a product is written with `*`"
    if token.type == "FOR" and before.value in ("win", "lose", "draw"):
        return (
            "an end names no player: `win` is for the player who has just decided, "
            "`lose` for the other player"
        )
    if token.type == "FOR" or (index > 2 and line[index - 2].type == "FOR"):
        return f"put what one player sees in brackets: `{_bracketed(line, index)}`"
    if any(t.value in _BINDERS for t in line[:index]) and token.type == "COLON":
        return "a variable stands in brackets: `some(x in X : condition)`"
    return ""


def _bracketed(line: Sequence[Lexeme], index: int) -> str:
    """The words around `X for P` at a place, with brackets around `X for P`."""
    at = index if line[index].type == "FOR" else index - 2
    last = min(at + 2, len(line) - 1)
    phrase = " ".join(t.value.strip() for t in line[at - 1 : last])
    before = line[at - 2].value if line[at - 2].type in ("ANY", "NO", "NOT", "COUNT") else ""
    behind = line[last].value if index == last and line[last].type == "NAME" else ""
    return " ".join(part for part in (before, f"({phrase})", behind) if part)


def expected_words(accepts: Collection[str]) -> str:
    """`expected ...`, in a few words."""
    terminals, phrases = set(accepts), []
    if terminals >= _VALUE:
        phrases.append("a value")
        terminals -= _VALUE_STARTS
    if terminals - _OPERATORS and not terminals & _OPERATORS <= {"IN", "FOR"}:
        terminals -= _OPERATORS
    words = sorted(_NAMES.get(a, f"`{a.lower()}`") for a in terminals)
    phrases += words
    if len(phrases) > 6:
        phrases = [*phrases[:6], "..."]
    head, last = phrases[:-1], phrases[-1] if phrases else "something else"
    return "expected " + (f"{', '.join(head)} or {last}" if head else last)


def bad_character(character: str, span: Span, language: Language) -> LineComplaint:
    """A foreign character, or the quote of a text that never ends."""
    if character == '"':
        hint = 'a text begins and ends with `"` on one line'
        return LineComplaint("unclosed", span, "this text is never closed", hint)
    shown = f"`{character}`" if character.isprintable() else f"the character {ord(character):#x}"
    hint = language.signs.get(character) or _SIGN_HINTS.get(character, "")
    hint = hint or (_LETTERS if character.isalpha() else "")
    return LineComplaint("bad-character", span, f"{shown} has no meaning here", hint)
