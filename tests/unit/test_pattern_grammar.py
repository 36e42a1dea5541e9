"""The grammar file of patterns says what the reader of patterns accepts."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.lark import from_lark
from lark import Lark
from lark.exceptions import LarkError

from rulewright.language.diagnostics import Collector
from rulewright.language.parse_patterns import BEGINS, CONDITIONS, WORDS, parse_patterns
from rulewright.language.source import Source
from tests.shared.effort import tries

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "grammar" / "patterns.lark").read_text("utf-8")
GRAMMAR = Lark(TEXT, parser="lalr", start="item")
KEYWORDS = re.findall(r"^[A-Z]+: /([a-z]+)\(\?!", TEXT, re.MULTILINE)
BEGINNINGS = sorted({*BEGINS, *CONDITIONS, *WORDS})
ARGUMENTS = st.one_of(
    st.integers(-12, 12).map(str),
    st.sampled_from(["wedge", "2a", "a-b", "f4", "+3", "007"]),
    st.sampled_from(sorted(KEYWORDS)),
    st.sampled_from([",", "| @ o + |", "|x|", "| |", "|@o|", "1.5", "-2a", ";", "|", "for"]),
)
LINES = st.lists(ARGUMENTS, max_size=6).map(" ".join)


def _in_grammar(line: str) -> bool:
    try:
        GRAMMAR.parse(line)
    except LarkError:
        return False
    return True


def _is_read(line: str) -> bool:
    found = Collector()
    tree = parse_patterns(Source("a.patterns", line), found)
    return len(tree.items) == 1 and not found.diagnostics


def test_every_line_of_the_bundled_patterns_is_in_the_grammar() -> None:
    files = sorted((ROOT / "patterns").rglob("*.patterns"))
    lines = [line for file in files for line in file.read_text("utf-8").split("\n")]
    said = [line for line in lines if line.partition("#")[0].strip() or "|" in line]
    assert len(said) > 100
    assert [line for line in said if not _in_grammar(line)] == []


def test_both_know_the_same_words() -> None:
    inside = {"for", "ends", "of", "in", "as", "next"}
    assert set(KEYWORDS) == {*BEGINNINGS, *inside}


# Drawing from the expressions of terminals is slow, and the grammar leaves out much of it.
@settings(max_examples=tries(40), suppress_health_check=[*HealthCheck])
@given(from_lark(GRAMMAR, start="item"))
def test_what_the_grammar_generates_is_read(line: str) -> None:
    assume(_in_grammar(line))  # two words that were put side by side may be one
    assume("\n" not in line)
    assert _is_read(line)


@given(st.sampled_from(BEGINNINGS), LINES, st.sampled_from([str.title, str.upper, str.lower]))
def test_a_line_is_read_if_and_only_if_it_is_in_the_grammar(
    word: str, rest: str, case: type[str]
) -> None:
    line = f"  {case(word)} {rest}"
    assert _is_read(line) == _in_grammar(line)


def test_lines_of_up_to_two_words_are_read_if_and_only_if_they_are_in_the_grammar() -> None:
    words = ("1", "+3", "wedge", "2a", "own", "for", ",", "|x|", "| |", "-2a", "1.5", ";", "²")
    rests = [rest for count in (0, 1, 2) for rest in product(words, repeat=count)]
    lines = [" ".join([begin, *rest]) for begin in (*BEGINNINGS, "ends", "2") for rest in rests]
    lines += [f"around ends of {' '.join(rest)}" for rest in rests]
    lines += [f"around ends of a in {' '.join(rest)}" for rest in rests]
    heads = ("a", "as", "as as", "a in", "a in b", "a in as", "a in in", "a as", "as in as", "a b")
    ends = ("", "as", "as next", "next", "as next 1", "in as next", "as in", "as as next")
    lines += [f"around ends of {head} {end}" for head in heads for end in ends]
    assert [line for line in lines if _is_read(line) != _in_grammar(line)] == []


@given(LINES)
def test_a_line_without_its_word_is_read_if_and_only_if_it_is_in_the_grammar(line: str) -> None:
    assume(line.strip())
    assert _is_read(line) == _in_grammar(line)
