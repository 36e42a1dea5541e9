"""The one layout of rules files: what it looks like, and that it changes nothing else."""

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.language import languages, parse, reprint
from rulewright.language.diagnostics import Collector, TextError
from rulewright.language.languages import Tree, parse_as
from rulewright.language.parse import kind_of
from rulewright.language.reprint import formatted
from rulewright.language.source import Source
from tests.shared.places import RULESETS
from tests.shared.sample import chosen

KINDS = (".rules", ".eval", ".personality")
FOLDER = RULESETS
BUNDLED = sorted(
    path for name in chosen() for path in (FOLDER / name).iterdir() if path.suffix in KINDS
)
TEXTS = [path.read_text("utf-8") for path in BUNDLED]
# The same alphabet as the grammar, said a second time: texts, comments, calls, signs, words.
LEXEME = re.compile(r'"[^"\n]*"|\d+\.\d+|\d+%|#[^\n]*|[A-Za-z_]\w*\(|\.\.|:=|<>|<=|>=|\w+|[^\s\w]')
OPENS, CLOSES = ("(", "[", "{"), (")", "]", "}")
COMMENTS = ("# a note", "#", '# "x # y', "#tight  and wide", "# é", "# claim no draws")
KEYS = parse.RULES.all | languages.EVALUATOR.all

HEAD = """format 1
game g

players a b

board square 3 by 3
"""


def read(text: str) -> Tree:
    collector = Collector()
    rules = parse_as(kind_of(text), Source("t", text), collector)
    assert collector.diagnostics == ()
    return rules


def comments(text: str) -> list[str]:
    found = (m[0] for m in LEXEME.finditer(text))
    return [lexeme.rstrip() for lexeme in found if lexeme.startswith("#")]


def assert_guarantees(text: str) -> str:
    result = formatted(text)
    assert read(result) == read(text)
    assert formatted(result) == result
    assert comments(result) == comments(text)
    assert "\n\n\n" not in result
    assert not re.search(r"[ \r]\n|^\n|\n\n\Z", result)
    return result


# --- mangling: the same statements, badly laid out ---


def mangled(text: str, random: Random, *, notes: bool) -> str:
    """*text* with other blanks; with *notes* also with comments and with breaks in brackets."""
    widths = [0, *sorted(random.sample(range(1, 30), 12))]
    end = random.choice(["\n", "\r\n"])
    lines = []
    for line in text.splitlines():
        level = (len(line) - len(line.lstrip())) // 2
        code = stretched(line.strip(), random, notes, end)
        if notes:
            lines += noise(random)
        lines.append((" " * widths[level] if code else "") + code + " " * random.choice([0, 0, 3]))
    return end.join(lines) + end * random.choice([0, 1, 3])


def noise(random: Random) -> list[str]:
    indent = " " * random.randrange(12)
    return random.choice([[], [], [], [""], ["", "  "], [indent + random.choice(COMMENTS)]])


def stretched(code: str, random: Random, notes: bool, end: str) -> str:
    """One line with other blanks between its lexemes."""
    result, stop, depth = "", 0, 0
    for match in LEXEME.finditer(code):
        lexeme, had = match[0], match.start() > stop
        if notes and depth and lexeme not in KEYS and random.random() < 0.2:
            result += random.choice(["", "  " + random.choice(COMMENTS)])
            result += end + " " * random.randrange(9)
        elif result:
            result += blanks(result, lexeme, had, random)
        result, stop = result + lexeme, match.end()
        depth += lexeme.endswith(OPENS) and lexeme[0] != "#"
        depth -= lexeme in CLOSES
    if notes and "#" not in result and random.random() < 0.2:
        result += " " * random.randrange(9) + random.choice(COMMENTS)
    return result


def blanks(before: str, lexeme: str, had: bool, random: Random) -> str:
    """Blanks may be added anywhere, and taken away where the lexemes stay apart."""
    if lexeme[0] == "#":
        return " " * random.choice([0, 2, 5])
    word = before[-1].isalnum() or before[-1] == "_"
    apart = word != (lexeme[0].isalnum() or lexeme[0] == "_") and not (word and lexeme[0] == "(")
    return " " * random.choice([int(had and not apart), 1, 3])


def without_columns(text: str) -> str:
    return re.sub(r" +#", " #", text)


@settings(deadline=None)
@given(st.sampled_from(TEXTS), st.randoms(use_true_random=False))
def test_other_blanks_are_all_put_right(text: str, random: Random) -> None:
    result = assert_guarantees(mangled(text, random, notes=False))
    assert without_columns(result) == without_columns(text)


@settings(deadline=None)
@given(st.sampled_from(TEXTS), st.randoms(use_true_random=False))
def test_comments_and_line_breaks_are_kept(text: str, random: Random) -> None:
    assert_guarantees(mangled(text, random, notes=True))


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.name)
def test_bundled_files_are_in_the_layout(path: Path) -> None:
    text = path.read_text("utf-8")
    assert assert_guarantees(text) == text


# --- golden lines ---

STATEMENTS = {
    "let  c=( 1,2 )": None,  # no such expression
    "let c = f( a ,b )+g( )": "let c = f(a, b) + g()",
    "let c = own(a)": "let c = own(a)",
    "let c = own   ( a or b )": "let c = own (a or b)",
    "let c = not(a)and(b)": "let c = not (a) and (b)",
    "let c = [ 1 ,- 1 ]": "let c = [1, -1]",
    "let c = - ( a )- -b*-c": "let c = -(a) - -b * -c",
    "let c = a in 1 .. n - 1": "let c = a in 1..n - 1",
    "let c = - 3 .. - 1": "let c = -3..-1",
    "let c = a/b/c": "let c = a / b / c",
    "let c = from-to": "let c = from - to",
    "let c = some(x in S:x<>1 )": "let c = some(x in S : x <> 1)",
    "let c = ray from from along along/own * , enemy/": (
        "let c = ray from from along along /own*, enemy/"
    ),
    "let c = ray from a along d/ [ enemy + ] ,own /": "let c = ray from a along d /[enemy+], own/",
    "let c = ray from a / b along d /own/": None,
    "let c = ray from (a/b) along d/own/": "let c = ray from (a / b) along d /own/",
    "let c = ray from a along d/(own|empty) { n-1/2 },[ b:not own ]/": (
        "let c = ray from a along d /(own | empty){n - 1 / 2}, [b: not own]/"
    ),
    "let c = count (ray from a along d/own ? /)*2": "let c = count (ray from a along d /own?/) * 2",
    "let c = ray from a along d/own{ count (ray from b along e/x * /)+- 1 }+/": None,
    "let c = ray from a along d/own{ count (ray from b along e/x * /)+- 1 },y/": (
        "let c = ray from a along d /own{count (ray from b along e /x*/) + -1}, y/"
    ),
    "first   turn a ? ( b +or c ) ? *else d *": "first turn a? (b+ or c)?* else d*",
    "label s in X:\"{ x(s)+1 }\"": 'label s in X : "{ x(s)+1 }"',
    'pieces man"m",king  "K"': 'pieces man "m", king "K"',
    "state s each=- 1 in - 1 .. 1 within turn": "state s each = -1 in -1..1 within turn",
    "claim perft by turns 7,49": "claim perft by turns 7, 49",
    "lose when four for enemy": "lose when four for enemy",
}  # fmt: skip


@pytest.mark.parametrize(("given_line", "line"), STATEMENTS.items())
def test_a_statement(given_line: str, line: str | None) -> None:
    if line is None:
        with pytest.raises(TextError):
            formatted(HEAD + given_line)
    else:
        assert assert_guarantees(HEAD + given_line) == HEAD + line + "\n"


def case(text: str, expected: str) -> None:
    assert assert_guarantees(HEAD + text) == HEAD + expected


EVALUATOR = """format 1
evaluator e for g

"""


def test_lines_of_evaluators() -> None:
    cases = {
        'factor f=- 5 points in - 9 .. 9 for search"x"\n': (
            'factor f = -5 points in -9..9 for search "x"\n'
        ),
        'factor f = 50 % in 0%..100% "x"\n': None,
        "table t\n 1 -20 3\n 4  5 6 # c\n": "table t\n    1 -20   3\n    4   5   6  # c\n",
        "value v of move a or b for mover=x,- y\n": "value v of move a or b for mover = x, -y\n",
        "scan f( s,d )\n on own or outside\n  v:=v+1\n  stop\n give - v\n": (
            "scan f(s, d)\n  on own or outside\n    v := v + 1\n    stop\n  give -v\n"
        ),
        "path p\n step near from a to b into own when c costs- 1\n": (
            "path p\n  step near from a to b into own when c costs -1\n"
        ),
    }
    for given_text, expected in cases.items():
        if expected is None:
            with pytest.raises(TextError):
                formatted(EVALUATOR + given_text)
        else:
            assert assert_guarantees(EVALUATOR + given_text) == EVALUATOR + expected


def test_blocks_have_two_blanks_a_level() -> None:
    case(
        "move m\n       need a\n       if b\n           again\n       else\n        x := 1\n",
        "move m\n  need a\n  if b\n    again\n  else\n    x := 1\n",
    )


def test_blank_lines() -> None:
    case("\n\n\nmove m\n\n  need a\n\n\n  need b\n   \n\n", "\nmove m\n  need a\n\n  need b\n")
    assert formatted("\n  \n\n" + HEAD) == HEAD


def test_comments_stand_like_what_follows_them() -> None:
    case(
        "move m\n# first\n     # second\n    need a\n # third\n    need b\n      # own\n\n"
        "  # at turn\n# margin\nturn m\n  # end\n",
        "move m\n  # first\n  # second\n  need a\n  # third\n  need b\n  # own\n\n# at turn\n"
        "# margin\nturn m\n# end\n",
    )


def test_a_comment_below_a_block_stays_in_the_block_it_is_indented_like() -> None:
    text = "move m\n  if a\n    again\n    # inner\n  # outer\n# margin\n"
    case(text, text)
    case(text.replace("  ", "     "), text)


def test_comments_beside_lines_align_in_runs() -> None:
    case(
        "option a = 1 in 1..2 # one\noption bb = 1 in 1..2# two\n\noption c = 1 in 1..2 # three\n",
        "option a = 1 in 1..2   # one\noption bb = 1 in 1..2  # two\n\n"
        "option c = 1 in 1..2  # three\n",
    )


def test_comments_aligned_by_hand_stay() -> None:
    text = "option a = 1 in 1..2      # one\noption bb = 1 in 1..2     # two\n"
    case(text, text)
    case(
        "option a = 1 in 1..2      # one\noption long_name = 1 in 1..2 # two\n",
        "option a = 1 in 1..2          # one\noption long_name = 1 in 1..2  # two\n",
    )


def test_line_breaks_in_brackets_stay() -> None:
    case(
        "move m\n   need some(x in S : # why\n x in own\n\n\n  # more\n            and f(\n x))\n"
        "   again\n",
        "move m\n  need some(x in S :  # why\n      x in own\n\n      # more\n"
        "      and f(\n      x))\n  again\n",
    )


def test_line_ends_and_blanks_at_the_end() -> None:
    text = HEAD + "# a\nmove m  # b\n  need a\n"
    messy = text.replace("\n", "  \r\n").rstrip()
    assert formatted(messy) == text


def test_only_comments() -> None:
    assert formatted("\n   # a\n\n\n # b") == "# a\n\n# b\n"


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "bad-head"), ("\n", "bad-head"), (HEAD + "\tlet a = 1", "tab"),
     (HEAD + "let a = (1", "unclosed"), (HEAD + "mvoe m", "unknown-statement"),
     (HEAD + "setup\n", "missing-block"), (HEAD + "  let a = 1", "stray-block"),
     (HEAD + "let a = 1 ; 2", "bad-character")],
)  # fmt: skip
def test_what_does_not_parse_is_not_formatted(text: str, code: str) -> None:
    with pytest.raises(TextError) as caught:
        formatted(text)
    assert code in [d.code for d in caught.value.diagnostics]


@pytest.mark.parametrize("type_", ["LPAR", "NAME"])
def test_a_fault_of_the_formatter_changes_no_text(
    type_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = HEAD + "let c = own (a or b)\n"
    assert formatted(text) == text
    monkeypatch.setattr(reprint, "_TIGHT_BEFORE", {type_})
    with pytest.raises(AssertionError, match="report it"):
        formatted(text)
