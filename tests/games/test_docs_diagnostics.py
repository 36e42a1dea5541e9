"""docs/diagnostics.md has a section for every code, and its examples yield what it shows.

`test_docs.py` tries the examples as it does in every document; here each is held against the code
of its section, and the few that are no change of the rules are made.
"""

import re
from itertools import pairwise
from pathlib import Path

import pytest

import rulewright
from rulewright.checks.claims import failing
from rulewright.checks.sampling import waiting
from rulewright.checks.tried import try_claims
from rulewright.games.files import games
from rulewright.games.files.catalog import EVALUATOR
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.language.diagnostics import CODES, Diagnostic, TextError
from rulewright.matches.protocols import sgf
from tests.shared.broken import broken
from tests.shared.documents import FILES, Block, blocks, check, named, patched
from tests.shared.places import DOCS

TEXT = (DOCS / "diagnostics.md").read_text("utf-8")
INTRODUCTION, *SECTIONS = re.split(r"^## ", TEXT, flags=re.MULTILINE)
RULES = next(block.text for block in blocks(INTRODUCTION) if block.language == "rules")
BY_CODE = {section.partition("\n")[0]: section for section in SECTIONS}
NAME = "row.rules"
BYTES = {
    "too-many": RULES.replace(
        "  put mark at cell\n", "".join(f"  put mark at spot{i}\n" for i in range(60))
    ).encode(),
    "not-text": b"\x7fELF\x02\x01\x00\x00" * 30,
    "not-utf8": RULES.replace("game row\n", "game row\n# Drei gewinnt, für zwei\n").encode(
        "latin-1"
    ),
}
"""The examples that the document describes in words."""


def said(code: str, change: str, folder: Path) -> tuple[Diagnostic, ...]:
    """What is said of the example of a section."""
    texts = [b.text for b in blocks(BY_CODE[code]) if b.language in FILES[1:]]
    if texts:
        return _said_of_files(texts, folder)
    for record in (b.text for b in blocks(BY_CODE[code]) if b.language == "sgf"):
        with pytest.raises(TextError) as caught:
            sgf.read(record.encode(), "game.sgf")
        return caught.value.diagnostics
    if code == "file-name":
        text = next(b.text for b in blocks(BY_CODE[code]) if b.language == "text")
        where = FileContext(rulewright.loads(RULES), folder)
        return check_file(EVALUATOR, "mine.eval", text.encode(), where).diagnostics
    if code in BYTES:
        return check_file(games.RULES, NAME, BYTES[code]).diagnostics[-1:]
    if code == "compiler-fault":
        with broken(
            "compiler.lower.effects", "EffectWriter._put", at="compiler/lower/effects.py:1"
        ):
            return (*try_claims("rules", rulewright.check(RULES, NAME))[0],)
    report = rulewright.check(patched(RULES, change), NAME)
    if code == "slow-form":
        return (*try_claims("rules", report)[0],)
    if code in ("claim-fails", "claim-untested", "slow", "too-slow", "cannot-begin"):
        assert report.game is not None
        looked = failing if "claim" in code else waiting
        return tuple(looked(report.game))
    return report.diagnostics


def _said_of_files(texts: list[str], folder: Path) -> tuple[Diagnostic, ...]:
    """What is said of the last of some files that stand beside each other."""
    for text in texts:
        (folder / named(text)[1]).write_text(text, "utf-8")
    names = {"game": rulewright.loads(RULES), "folder": folder}
    return tuple(check(texts[-1], names)[0])


def example(section: str) -> tuple[str, str]:
    """The change that a section shows, and what is said of it."""
    kinds = ("diff", "messages", "text", *FILES[1:])
    found = [b for b in blocks(section) if b.language in kinds]
    for change, shown in pairwise([Block("diff", "", 0), *found]):
        told = change.language not in ("messages", "text") and shown.language in (
            "messages",
            "text",
        )
        if told:
            return change.text, found[-1].text
    raise AssertionError("a section shows an example and its message")


def test_every_code_has_its_section_in_order() -> None:
    assert list(BY_CODE) == list(CODES)


@pytest.mark.parametrize("code", CODES)
def test_the_example_yields_the_message(code: str, tmp_path: Path) -> None:
    change, shown = example(BY_CODE[code])
    diagnostics = said(code, change, tmp_path)
    assert {d.code for d in diagnostics} == {code}
    assert "".join(f"{d.render()}\n" for d in diagnostics) == shown


@pytest.mark.parametrize("code", CODES)
def test_a_section_says_whether_it_is_a_warning_and_what_to_do(code: str) -> None:
    section = BY_CODE[code]
    assert ("A warning." in section) == (CODES[code].severity == "warning")
    assert "**What to do.** " in section
