"""Documents keep their word: every example in README.md and docs/*.md is tried.

Fenced blocks with these languages are examples; blocks in any other language are not looked at.

rules     a whole file; it must check without errors and warnings. `game` is now its game.
evaluator, personality, patterns
          a whole file for `game`, likewise; claims and examples must hold.  Later personalities
          can use and extend it.  `player` is now the personality.  Before `messages`, a file that
          yields them; nothing but files beside it knows of it.
diff      a change of the file above: lines with `-` go, lines with `+` come, the others stay;
          `@@` stands between changes at several places. The changed file must check in the same
          way and replace that above, unless the next example is `messages`: then the change is
          thrown away again.
messages  everything that checking the changed file says, as `rulewright check` prints it.
pycon     a doctest with `rulewright`, `game`, `player`; names live until the next `rules` block.

When the wording of messages has changed: `python -m tests.test_docs` writes them anew.  Read what
it wrote.
"""

import doctest
import re
import tempfile
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from attrs import field, frozen

import rulewright
from rulewright.checks.examples import failing_examples
from rulewright.checks.pattern_examples import failing_patterns
from rulewright.knowledge import Where, check_evaluator
from rulewright.language.phrases import BLOCK_WORDS, EVALUATOR, PERSONALITY
from rulewright.model.board import SHAPES
from rulewright.pattern_files import check_patterns
from rulewright.personality_files import check_personality
from rulewright.resolve import vocabulary
from rulewright.resolve.judging import OWN_WORDS

ROOT = Path(__file__).parents[1]
DOCUMENTS = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
LANGUAGE = ROOT / "docs" / "language.md"
EVALUATORS = ROOT / "docs" / "evaluators.md"
FILES = ("rules", "evaluator", "personality", "patterns")
LANGUAGES = (*FILES, "diff", "messages", "pycon")
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@frozen
class Block:
    """One fenced block and the line of the document its text begins in."""

    language: str
    text: str
    line: int


@frozen
class Example:
    """A rules file with the blocks that build on it."""

    document: Path
    blocks: list[Block] = field(factory=list)

    def __str__(self) -> str:
        return f"{self.document.name}:{self.blocks[0].line}"


def blocks(text: str) -> Iterator[Block]:
    for found in FENCE.finditer(text):
        yield Block(found[1].strip(), found[2], text.count("\n", 0, found.start(2)) + 1)


def examples(document: Path, text: str) -> list[Example]:
    """The examples of *text*; each rules block begins a new one."""
    found: list[Example] = []
    for block in blocks(text):
        if block.language not in LANGUAGES:
            continue
        if block.language == "rules" or not found:
            found.append(Example(document))
        found[-1].blocks.append(block)
    return found


EXAMPLES = [e for path in DOCUMENTS for e in examples(path, path.read_text("utf-8"))]


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_example(example: Example, tmp_path: Path) -> None:
    text, names = "", dict[str, Any](rulewright=rulewright, folder=tmp_path)
    for block, following in pairwise([*example.blocks, Block("", "", 0)]):
        match block.language:
            case "evaluator" | "personality" | "patterns" if following.language == "messages":
                assert _messages(block.text, names) == following.text
                (tmp_path / _named(block.text)[1]).write_text(block.text, "utf-8")
            case "rules" | "evaluator" | "personality" | "patterns":
                text = block.text
                _learn(text, names)
            case "diff":
                changed = patched(text, block.text)
                if following.language == "messages":
                    assert _messages(changed, names) == following.text
                else:
                    text = changed
                    _learn(text, names)
            case "pycon":
                _run(block, names, example.document)


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_messages_follow_a_change(example: Example) -> None:
    for before, block in pairwise([Block("", "", 0), *example.blocks]):
        assert block.language != "messages" or before.language in ("diff", *FILES[1:])


def patched(text: str, change: str) -> str:
    """*text* after all places of *change*."""
    for place in change.split("@@\n"):
        text = _patched_once(text, place)
    return text


def _patched_once(text: str, change: str) -> str:
    """*text* after *change*: the lines without `+` must stand in it once, side by side."""
    lines = change.splitlines(keepends=True)  # an empty line stays
    old = "".join(line[1:] or line for line in lines if line[0] != "+")
    new = "".join(line[1:] or line for line in lines if line[0] != "-")
    where = f"\n{text}"
    assert where.count(f"\n{old}") == 1, f"these lines do not stand in the rules once:\n{old}"
    return where.replace(f"\n{old}", f"\n{new}")[1:]


HEAD = re.compile(r"^(game|evaluator|personality|Patterns for) (\w+)", re.MULTILINE)
SUFFIX = {
    "game": "rules", "evaluator": "eval", "personality": "personality", "Patterns for": "patterns",
}  # fmt: skip


def _named(text: str) -> tuple[str, str]:
    """What the head of a file says it is, and the file's name."""
    head = HEAD.search(text)
    kind, name = (head[1], head[2]) if head else ("game", "text")
    return kind, f"{name}.{SUFFIX[kind]}"


def _check(text: str, names: dict[str, Any]) -> tuple[tuple[rulewright.Diagnostic, ...], Any]:
    """What is said of a file, and its model."""
    kind, file = _named(text)
    if kind == "game":
        report = rulewright.check(text, file)
        return report.diagnostics, report.game
    game = _game(text, names)
    where = Where(game, names["folder"])
    if kind == "personality":
        person = check_personality(file, text.encode(), where)
        return person.diagnostics, person.personality
    if kind == "Patterns for":
        read = check_patterns(file, text.encode(), where)
        assert read.source is not None
        failing = failing_patterns(game, read.patterns, read.source) if read.patterns else ()
        return (*read.diagnostics, *failing), read.patterns
    judged = check_evaluator(file, text.encode(), where)
    claims = failing_examples(game, judged.evaluator) if judged.evaluator else ()
    return (*judged.diagnostics, *claims), judged.evaluator


def _game(text: str, names: dict[str, Any]) -> rulewright.Game:
    """The game above a file; patterns may name a bundled one."""
    found: rulewright.Game | None = names.get("game")
    head = HEAD.search(text)
    if head is not None and head[1] == "Patterns for" and (found is None or found.name != head[2]):
        return rulewright.load(head[2])
    assert found is not None
    return found


def _messages(text: str, names: dict[str, Any] | None = None) -> str:
    return "".join(f"{d.render()}\n" for d in _check(text, names or {})[0])


def _learn(text: str, names: dict[str, Any]) -> None:
    """Check a file that must be in order, and keep it for what comes below it."""
    assert _messages(text, names) == ""
    kind, file = _named(text)
    _, names[kind] = _check(text, names)
    if kind != "game":
        (names["folder"] / file).write_text(text, "utf-8")
    if kind == "personality":
        names["player"] = rulewright.Personality.of(names[kind], names["game"])


def _run(block: Block, names: dict[str, Any], document: Path) -> None:
    """Run a doctest in *names*; a failure shows the line of the document."""
    test = doctest.DocTestParser().get_doctest(
        block.text, names, f"{document.stem} {block.line}", str(document), block.line - 1
    )
    shown: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    runner.run(test, out=shown.append, clear_globs=False)
    assert test.examples, "a doctest needs `>>>`"
    assert not shown, "".join(shown)
    names.update(test.globs)


# --- docs/language.md leaves nothing out ---


def _code(text: str) -> str:
    """Everything that *text* shows as code, in blocks and in lines."""
    inline = re.findall(r"``(.+?)``|`([^`\n]+)`", FENCE.sub("", text))
    return "\n".join([*(b.text for b in blocks(text)), *(one or two for one, two in inline)])


def _unnamed(words: Iterable[str]) -> list[str]:
    """Those of *words* that docs/language.md and docs/evaluators.md do not show."""
    code = _code(LANGUAGE.read_text("utf-8") + EVALUATORS.read_text("utf-8"))
    return sorted(w for w in words if not re.search(rf"(?<!\w){re.escape(w)}(?!\w)", code))


def test_language_names_every_word_of_the_grammar() -> None:
    terminals = (ROOT / "grammar" / "terminals.lark").read_text("utf-8")
    words = re.findall(r'^[A-Z_]+: "([a-z]+)"$', terminals, re.MULTILINE)
    assert {word for group in BLOCK_WORDS.values() for word in group} <= set(words)
    assert EVALUATOR.all | PERSONALITY.all <= set(words)
    assert _unnamed(words) == []


def test_language_names_every_sign_of_the_grammar() -> None:
    terminals = (ROOT / "grammar" / "terminals.lark").read_text("utf-8")
    signs = re.findall(r'^[A-Z_]+: "([^a-z"\\]+)"$', terminals, re.MULTILINE)
    code = _code(LANGUAGE.read_text("utf-8"))
    assert len(signs) > 20
    assert [sign for sign in signs if sign not in code] == []


def test_language_names_every_built_in() -> None:
    assert _unnamed({*vocabulary.BUILT_IN, *vocabulary.SYMMETRIES, *SHAPES, *OWN_WORDS}) == []


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


def test_blocks_know_their_lines() -> None:
    text = "one\n```rules\nformat 1\n```\n\n```sh\nls\n```\n"
    assert list(blocks(text)) == [Block("rules", "format 1\n", 3), Block("sh", "ls\n", 7)]
    assert [str(e) for e in examples(Path("a.md"), text)] == ["a.md:3"]


# --- python -m tests.test_docs ---


def _renewed(example: Example) -> Iterator[tuple[Block, str]]:
    """The blocks of messages that are out of date, with what they should say."""
    text, names = "", dict[str, Any](folder=Path(tempfile.mkdtemp()))
    for block, following in pairwise([*example.blocks, Block("", "", 0)]):
        if block.language in FILES[1:] and following.language == "messages":
            if _messages(block.text, names) != following.text:
                yield following, _messages(block.text, names)
            (names["folder"] / _named(block.text)[1]).write_text(block.text, "utf-8")
        elif block.language in FILES:
            text = block.text
            _learn(text, names)
        elif block.language == "diff":
            changed = patched(text, block.text)
            if following.language != "messages":
                text = changed
                _learn(text, names)
            elif _messages(changed, names) != following.text:
                yield following, _messages(changed, names)


def main() -> None:
    """Write the messages of all documents anew."""
    for document in DOCUMENTS:
        text = document.read_text("utf-8")
        for example in examples(document, text):
            for block, messages in _renewed(example):
                print(f"{document}:{block.line}")
                text = text.replace(f"```messages\n{block.text}```", f"```messages\n{messages}```")
        document.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
