"""Documents keep their word: every example in README.md and docs/*.md is tried.

`tests/shared/documents.py` says what an example is; those that take seconds are tried by
`tests/slow/test_lasting_docs.py`.
"""

import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest

import rulewright
from rulewright.language.languages import EVALUATOR, PERSONALITY
from rulewright.language.parse import RULES
from rulewright.language.resolve.evaluator_expressions import OWN_WORDS
from rulewright.language.resolve.scope import BUILT_IN, SYMMETRIES
from rulewright.model.board import SHAPES
from tests.shared import sessions
from tests.shared.documents import (
    DOCUMENTS,
    FENCE,
    FILES,
    LASTING,
    UNTRIED,
    Block,
    Example,
    blocks,
    examples,
    patched,
    run_example,
)
from tests.shared.places import DOCS, ROOT

LANGUAGE = DOCS / "language.md"
EVALUATORS = DOCS / "evaluators.md"
PERSONALITIES = DOCS / "personality-files.md"
EXAMPLES = [e for path in DOCUMENTS for e in examples(path, path.read_text("utf-8"))]
QUICK = [example for example in EXAMPLES if example.document.name not in LASTING]


@pytest.mark.whole  # pages are edited by hand
@pytest.mark.parametrize("example", QUICK, ids=str)
def test_example(example: Example, tmp_path: Path) -> None:
    run_example(example, tmp_path)


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_messages_follow_a_change(example: Example) -> None:
    for before, block in pairwise([Block("", "", 0), *example.blocks]):
        assert block.language != "messages" or before.language in ("diff", *FILES[1:])


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.name)
def test_what_a_command_prints_is_tried(page: Path) -> None:
    shown = [b for b in blocks(page.read_text("utf-8")) if b.language != "shell-session"]
    command = re.compile(r"^\$ rulewright (patterns \S+|\S+)", re.MULTILINE)
    commands = [words for b in shown for words in command.findall(b.text)]
    assert [words for words in commands if words not in UNTRIED] == []


# --- docs/language.md leaves nothing out ---


def _code(text: str) -> str:
    """Everything that *text* shows as code, in blocks and in lines."""
    inline = re.findall(r"``(.+?)``|`([^`\n]+)`", FENCE.sub("", text))
    return "\n".join([*(b.text for b in blocks(text)), *(one or two for one, two in inline)])


def _unnamed(words: Iterable[str]) -> list[str]:
    """Those of *words* that the pages of the languages do not show."""
    pages = (LANGUAGE, EVALUATORS, PERSONALITIES, DOCS / "looks.md")
    code = _code("".join(page.read_text("utf-8") for page in pages))
    return sorted(w for w in words if not re.search(rf"(?<!\w){re.escape(w)}(?!\w)", code))


def test_language_names_every_word_of_the_grammar() -> None:
    terminals = (ROOT / "grammar" / "terminals.lark").read_text("utf-8")
    words = re.findall(r'^[A-Z_]+: "([a-z]+)"$', terminals, re.MULTILINE)
    assert RULES.all | EVALUATOR.all | PERSONALITY.all <= set(words)
    assert _unnamed(words) == []


def test_language_names_every_sign_of_the_grammar() -> None:
    terminals = (ROOT / "grammar" / "terminals.lark").read_text("utf-8")
    signs = re.findall(r'^[A-Z_]+: "([^a-z"\\]+)"$', terminals, re.MULTILINE)
    code = _code(LANGUAGE.read_text("utf-8"))
    assert len(signs) > 20
    assert [sign for sign in signs if sign not in code] == []


def test_language_names_every_built_in() -> None:
    assert _unnamed({*BUILT_IN, *SYMMETRIES, *SHAPES, *OWN_WORDS}) == []


def test_language_names_every_fault() -> None:
    folder = Path(rulewright.__file__).parent / "reference"
    texts = [path.read_text("utf-8") for path in folder.glob("*.py")]
    codes = {code for text in texts for code in re.findall(r'Fault\(\s*"([^"]+)"', text)}
    assert "stuck" in codes
    texts = [LANGUAGE.read_text("utf-8"), EVALUATORS.read_text("utf-8")]
    assert [code for code in sorted(codes) if not any(f"`{code}`" in t for t in texts)] == []


# --- the tests above test something ---


def test_a_change_must_fit() -> None:
    assert patched("a\nb\nc\n", " a\n-b\n+d\n+e\n") == "a\nd\ne\nc\n"
    assert patched("ab\nb\n", "-b\n") == "ab\n"
    assert patched("a\n\nb\nc\n", "-a\n+d\n\n@@\n-c\n") == "d\n\nb\n"
    with pytest.raises(AssertionError, match="do not stand"):
        patched("a\nb\n", "-c\n")


def test_a_session_shows_what_its_commands_print(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_text("format 1\ngame a\n", "utf-8")
    shown = "$ cat a.rules\nformat 1\n...\n$ rulewright games --format text\n...\n"
    assert sessions.renewed(shown, tmp_path) == shown
    assert sessions.renewed("$ cat a.rules\nformat 2\n", tmp_path) == (
        "$ cat a.rules\nformat 1\ngame a\n"
    )


def test_blocks_know_their_lines() -> None:
    text = "one\n```rules\nformat 1\n```\n\n```sh\nls\n```\n"
    assert list(blocks(text)) == [Block("rules", "format 1\n", 3), Block("sh", "ls\n", 7)]
    assert [str(e) for e in examples(Path("a.md"), text)] == ["a.md:3"]
