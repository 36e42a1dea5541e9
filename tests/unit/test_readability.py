"""Pages can be read: short sentences, and none of the forms at which readers have stumbled."""

from __future__ import annotations

import re
from pathlib import Path
from statistics import mean

import pytest

from rulewright.ground.translation import entries
from tests.shared.documents import FENCE
from tests.shared.places import DOCS, ROOT, RULESETS

PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
LEARNING = [p for p in PAGES if p.name.startswith(("tutorial", "concept", "cookbook", "changing"))]
MOST, MOST_LEARNING, LONGEST = 16, 12, 35
"""Words of a sentence: on average in any page, on average where people learn, and at most."""

CODE = re.compile(r"`[^`]*`(?:,? `[^`]*`)*")
"""Code, and a list of names, which nobody reads as words of a sentence."""
FORMS = (
    r"is what (its|their) \w+ told",
    r"deeper and deeper;",
    r"is there for whoever",
    r"where nothing else limits",
    r", one [\w ]+ counted in\b",
    r"\b(is|are|was|were) told\b(?! apart)",
    r"^Who\b[^?]*$",
    r"\b(for|to|by) who\b",
    r"\b(another|the other|such an?) one\b(?! of)",
    r"\bthe one (that|which|who|for|below|above|before|under)\b",
    r"\baslant\b",
    r"\bno own one\b",
    r"^What [^?*`]* (is|are|was|were|has|stands|goes|lies|comes) [^?]*[.;:]$",
)
"""What readers had to read twice: pronouns and participles in the place of nouns."""
TEXTS = sorted(p for p in RULESETS.glob("*/*") if p.suffix in {".rules", ".eval", ".look"})
RIDDLES = (*FORMS[:-1], r"^Whom?\b[^?]*$", r"\bfor who\b", r"\bto who(m it)?\b")
"""What readers of bundled comments had to read twice, besides."""
BEHIND = (
    r"^(what (is|has|this|lies)|who |how often$|how many pieces it\b|(and|but|nor|it|its) |"
    r"where (a|the|five) |over |not out )"
)
"""How no comment behind a line begins: its reader sees no noun that these words could stand for."""
SPOKEN = re.compile(r'^(?:tell|refuse|learn|puzzle)\b.*"([^"]*)"$', re.MULTILINE)
"""Sentences that looks say to players."""
UNCLEAR = (
    r"\bis nothing that\b", r"\bwho would\b", r"\bwho is stuck\b", r"\bfor who\b",
    r"\bof them can go\b", r"\binner one\b", r"\b(is|are) told\b", r"^what .* (is|are|has) ",
)  # fmt: skip
"""Forms at which readers of messages had to stop."""


def sentences(text: str) -> list[str]:
    """Return the sentences of a page, without its code, tables and headings."""
    prose = re.sub(r"^\|.*$|^#.*$|^    .*$", "", FENCE.sub("", text), flags=re.MULTILINE)
    prose = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", CODE.sub("code", prose))
    parts = re.split(r"\n\s*\n|^\s*[-*] |^\d+\. ", prose, flags=re.MULTILINE)
    found = [s for part in parts for s in re.split(r"(?<=[.!?:;])\s+", " ".join(part.split()))]
    return [sentence for sentence in found if len(sentence.split()) > 1]


def lengths(page: Path) -> list[int]:
    """Return how many words each sentence of a page has."""
    return [len(sentence.split()) for sentence in sentences(page.read_text("utf-8"))] or [0]


def stumbles(text: str) -> list[str]:
    """Return the forms of a text at which readers stumble."""
    return [match[0] for s in sentences(text) for form in FORMS for match in re.finditer(form, s)]


def riddles(text: str) -> list[str]:
    """Return the sentences in the comment lines of a text at which its readers stumble."""
    comments = re.sub(r"^[^#].*$|^# ?", "", text, flags=re.MULTILINE)
    return [s for s in sentences(comments) if any(re.search(form, s) for form in RIDDLES)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_sentences_are_short(page: Path) -> None:
    assert mean(lengths(page)) <= MOST
    assert [s for s in sentences(page.read_text("utf-8")) if len(s.split()) > LONGEST] == []


@pytest.mark.parametrize("page", LEARNING, ids=lambda page: page.name)
def test_pages_for_learners_are_plain(page: Path) -> None:
    assert mean(lengths(page)) <= MOST_LEARNING


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_nobody_stumbles(page: Path) -> None:
    assert stumbles(page.read_text("utf-8")) == []


def test_comments_of_bundled_texts_are_no_riddles() -> None:
    assert riddles("# A stone is put.  Who cannot move loses.\n#     Who is nearer?\n") == [
        "Who cannot move loses."
    ]
    texts = {path.name: riddles(path.read_text("utf-8")) for path in TEXTS}
    assert {name: forms for name, forms in texts.items() if forms} == {}


def test_looks_speak_plainly() -> None:
    texts = [t for p in TEXTS if p.suffix == ".look" for t in SPOKEN.findall(p.read_text("utf-8"))]
    assert len(texts) > 500
    forms = (*RIDDLES, r"\bof the other's\b", r"^What (is|hangs|stands) ", r"\bany way\b")
    spoken = [s for text in texts for s in sentences(text)]
    assert [s for s in spoken if any(re.search(form, s) for form in forms)] == []


def test_fragments_of_notes_are_lists() -> None:
    texts = {p.name: p.read_text("utf-8") for p in (ROOT / "changelog.d").glob("+*.md")}
    assert [n for n, t in texts.items() if not re.fullmatch(r"(- .+\n(  .+\n)*)+", t)] == []


def test_comments_behind_lines_have_a_subject() -> None:
    lines = [(p.name, line) for p in TEXTS for line in p.read_text("utf-8").splitlines()]
    behind = [
        (name, line.rpartition("# ")[2]) for name, line in lines if re.search(r"\S +# ", line)
    ]
    assert len(behind) > 300
    assert [(name, text) for name, text in behind if re.match(BEHIND, text)] == []


def test_messages_have_no_unclear_forms() -> None:
    """The catalogues of other languages hold the messages, each with its places as numbers."""
    texts = {text for text, _ in entries("de")}
    assert len(texts) > 1500
    assert sorted(t for t in texts if any(re.search(form, t) for form in UNCLEAR)) == []


def test_what_is_measured_is_prose() -> None:
    text = "# A heading\n\nOne two. Four `a b c d` five!\n\n```text\nsix seven\n```\n| a b |\n"
    assert sentences(text) == ["One two.", "Four code five!"]
    assert stumbles("An archive is what its author told.") == ["is what its author told"]
