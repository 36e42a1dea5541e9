"""Examples of the documents open on a board: which of them, with which texts, by which link."""

from __future__ import annotations

import base64
import json
import zlib

import pytest
from docs.extensions.links import Opened, examples, link
from hypothesis import given
from hypothesis import strategies as st

import rulewright
from rulewright.games.files.games import bundled_games
from tests.shared.documents import DOCUMENTS, Block, blocks

RULES = "format 1\ngame mine\n"
EVALUATOR = "format 1\nevaluator sum for mine\n"
LOOK = "format 1\nlook chess for chess\n"


def opened(*shown: tuple[str, str]) -> list[Opened | None]:
    return examples(shown)


def test_a_change_opens_the_changed_text_and_a_mistake_nothing() -> None:
    first, second, third, wrong, said = opened(
        ("rules", RULES), ("diff", "+# new\n game mine\n"), ("evaluator", EVALUATOR),
        ("diff", "-format 1\n"), ("messages", "mine.rules:1: ...\n"),
    )  # fmt: skip
    assert first == Opened({"mine.rules": RULES}, "mine.rules")
    changed = "format 1\n# new\ngame mine\n"
    assert second == Opened({"mine.rules": changed}, "mine.rules")
    assert third == Opened({"mine.rules": changed, "sum.eval": EVALUATOR}, "mine.rules")
    assert wrong is None
    assert said is None


def test_a_file_for_a_bundled_game_opens_that_game() -> None:
    assert opened(("rules", RULES), ("look", LOOK), ("sh", "ls\n"))[1:] == [
        Opened({"chess.look": LOOK}, "chess"),
        None,
    ]


PAGES = {path.name: list(blocks(path.read_text("utf-8"))) for path in DOCUMENTS}


def language(block: Block) -> str:
    """The language as Sphinx has it: the first word."""
    return block.language.partition(" ")[0]


@pytest.mark.parametrize("name", PAGES)
def test_every_whole_text_of_a_page_opens_as_rules_without_mistakes(name: str) -> None:
    shown = examples([(language(block), block.text) for block in PAGES[name]])
    for block, opened in zip(PAGES[name], shown, strict=True):
        if block.language in ("rules", "rules recipe"):
            assert opened is not None, f"{name}:{block.line}"
        if opened is not None and opened.game in opened.files:
            assert rulewright.check(opened.files[opened.game], opened.game).ok
        elif opened is not None:
            assert opened.game in bundled_games(), f"{name}:{block.line}"


@given(st.dictionaries(st.text(min_size=1), st.text()))
def test_a_link_holds_what_it_opens(files: dict[str, str]) -> None:
    """As `shared` of studio/src/keep.ts reads it: deflated without a header, in safe letters."""
    letters = link(Opened(files, "mine.rules")).removeprefix("share=")
    assert all(letter.isalnum() or letter in "-_" for letter in letters)
    packed = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
    shared = json.loads(zlib.decompress(packed, -zlib.MAX_WBITS))
    assert shared["files"] == files
    assert shared["open"]["game"] == "mine.rules"
