"""The table of words: every word is in it, its examples can be read, the page is made of it."""

from __future__ import annotations

import re

import pytest

from rulewright.app.service import words
from rulewright.app.service.words import Word
from rulewright.checks import cases
from rulewright.ground import disk
from rulewright.ground.records import field_types
from rulewright.language import syntax
from rulewright.language.diagnostics import Collector
from rulewright.language.languages import LANGUAGES
from rulewright.language.parse_patterns import WORDS, parse_patterns
from rulewright.language.resolve.claims import _WORDS as CLAIMED
from rulewright.language.resolve.evaluator_expressions import OWN_WORDS
from rulewright.language.resolve.scope import BUILT_IN
from rulewright.language.source import Source, blanked
from rulewright.model.personality import KINDS, SETTINGS
from tests.shared.places import DOCS

ENTRIES = [word for found in words.table().values() for word in found.values()]


def known(language: str) -> set[str]:
    """Every word that a language has."""
    if language == "patterns":
        return {*WORDS}
    if language == "cases":
        return {"format", "cases", "case", "set", "moves", "saw"}
    found = set(LANGUAGES[language].grammar().keywords.values())
    found = {w for w in found if accepted(language, w)}
    more = {
        "rules": BUILT_IN - {"none"},
        "evaluator": BUILT_IN - {"none", "nobody"} | OWN_WORDS,
        "personality": {*KINDS, *SETTINGS},
        "look": BUILT_IN - {"none", "nobody"},
    }
    return found | more[language]


def accepted(language: str, word: str) -> bool:
    """Whether a grammar uses a word; the terminals are shared by all of them."""
    text = (disk.root("grammar") / f"{language}.lark").read_text("utf-8")
    if language != "personality":
        text += (disk.root("grammar") / "expressions.lark").read_text("utf-8")
    return re.search(rf"\b{word.upper()}\b", text) is not None


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_word_of_a_language_has_an_entry(language: str) -> None:
    assert {w for w in known(language) if words.entry(language, w) is None} == set()


def test_every_field_that_is_a_name_says_its_role() -> None:
    """Otherwise editors do not find it, and a name that is used there counts as unused."""
    modules = (
        syntax.expressions, syntax.statements, syntax.players, syntax.patterns, syntax.looks,
    )  # fmt: skip
    kinds = [kind for module in modules for kind in vars(module).values() if is_node(kind)]
    named = [(k, f) for k in kinds for f, type_ in field_types(k).items() if NAMED.search(type_)]
    missing = [f"{k.__name__}.{f}" for k, f in named if f not in syntax.roles(k)]
    assert len(named) > 80
    assert missing == []


NAMED = re.compile(r"^(?:Quantity \| )?(?:Name\b|tuple\[Name\b)")


def is_node(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, syntax.Node)


def test_every_entry_is_a_word_of_its_language() -> None:
    every = {w for language in words.LANGUAGES for w in known(language)}
    every |= {w for found in CLAIMED.values() for w in found}
    places = ("property", "shape", "word", "limit", "claimed")
    strange = [e for e in ENTRIES if e.word not in every and e.place not in places]
    assert strange == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: f"{e.language}-{e.place}-{e.word}")
def test_examples_can_be_read_where_the_word_stands(entry: Word) -> None:
    read(entry)


def read(entry: Word) -> None:
    if entry.language == "patterns":
        line = 'untested proposals "why"' if entry.place == "property" else entry.example
        if entry.place != "property":
            report = Collector()
            parse_patterns(Source("x", line), report)
            assert report.diagnostics == ()
    elif entry.language == "cases":
        inner = entry.example if entry.place == "line" else ""
        head = "" if entry.word in ("format", "cases") else entry.example
        head = "case ends" if inner else head
        cases.parse(f"format 1\ncases for four\n{head}\n  {inner}\n")
    else:
        language = "rules" if entry.language == "expressions" else entry.language
        place = entry.read or (entry.place if entry.begins else "hole")
        language = "evaluator" if entry.place == "value" and place == "hole" else language
        grammar = LANGUAGES[language].grammar()
        tokens = list(grammar.tokens(blanked(f"{entry.example}\n", percent=True)))
        grammar.parse(tokens, place)
    form = entry.form.lower().replace("[", " ").replace("]", " ")
    assert re.search(rf"\b{re.escape(entry.word)}\b", f"{form} {entry.example.lower()}")


@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.begins], ids=lambda e: f"{e.word}")
def test_snippets_have_stops_in_order_and_no_options(entry: Word) -> None:
    stops = [int(n) for n in re.findall(r"\$\{(\d+):", entry.snippet())]
    assert sorted(set(stops)) == list(range(1, len(set(stops)) + 1))
    assert "[" not in entry.snippet()


def test_the_page_of_words_is_made_of_the_table() -> None:
    assert (DOCS / "words.md").read_text("utf-8") == words.page()
