"""The examples of the documents: what stands in their fenced blocks, and how it is tried.

Blocks with these languages are examples; blocks in any other language are not looked at.

rules     a whole file; it must check without errors and warnings. `game` is now its game.
evaluator, personality, patterns, look
          a whole file for `game`, likewise; claims and examples must hold.  Later personalities
          can use and extend it.  `player` is now the personality.  Before `messages`, a file that
          yields them; nothing but files beside it knows of it.
diff      a change of the file above: lines with `-` go, lines with `+` come, the others stay;
          `@@` stands between changes at several places. The changed file must check in the same
          way and replace that above, unless the next example is `messages`: then the change is
          thrown away again.
messages  everything that checking the changed file says, as `rulewright check` prints it.
pycon     a doctest with `rulewright`, `game`, `player`; names live until the next `rules` block.
sgf NAME, text NAME
          a file that stands beside those above, under its name.
shell-session
          commands with what they print, run where the files above are; `sessions.py` says how.

Blocks `console`, `sh` and `text`, and indented lines, show commands that the tests do not run:
those that somebody has to answer or to stop (`play`, `studio`, `claims`); those that last (`match`,
`tournament`, `tune`, `fit`, `learn`, `patterns mine`, `bench`, `mutate`, `test`); those that
install or fetch something (`add`, `make`); `games` with texts of one's own, whose output is of one
machine.  `UNTRIED` names them.  Any other command with a prompt stands in a session.
"""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from attrs import field, frozen

import rulewright
from rulewright.checks.properties_of_evaluators import failing_examples
from rulewright.checks.properties_of_players import failing_patterns
from rulewright.games.files.catalog import EVALUATOR, LOOK, PATTERNS, PERSONALITY
from rulewright.games.files.games import bundled_games
from rulewright.games.files.kinds import FileContext, check_file
from tests.shared import sessions
from tests.shared.places import DOCS, ROOT

DOCUMENTS = (ROOT / "README.md", *sorted(DOCS.glob("*.md")))
FILES = ("rules", "evaluator", "personality", "patterns", "look")
LASTING = (
    "tutorial-moving.md", "tutorial-players.md", "tutorial-patterns.md", "tutorial-testing.md",
)  # fmt: skip
"""Documents whose sessions take seconds: they play matches, or compare games."""
LANGUAGES = (*FILES, "diff", "messages", "pycon", "shell-session")
RECORDED = re.compile(r"(?:sgf|text) ([\w-]+\.(?:sgf|txt))")
"""The language of a block that is a recorded game, with the name of its file."""
UNTRIED = {
    "add", "bench", "claims", "fit", "games", "learn", "match", "mutate", "patterns mine", "play",
    "studio", "test", "tournament", "tune",
}  # fmt: skip
"""Commands of blocks that the tests do not run."""
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
        if block.language not in LANGUAGES and not RECORDED.match(block.language):
            continue
        if block.language == "rules" or not found:
            found.append(Example(document))
        found[-1].blocks.append(block)
    return found


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


HEAD = re.compile(r"^(game|evaluator|personality|Patterns for|look) (\w+)", re.MULTILINE)
GAME_OF = re.compile(r"^(?:Patterns|(?:evaluator|personality|look) \w+) for (\w+)", re.MULTILINE)
SUFFIX = {
    "game": "rules", "evaluator": "eval", "personality": "personality", "Patterns for": "patterns",
    "look": "look",
}  # fmt: skip


def named(text: str) -> tuple[str, str]:
    """What the head of a file says it is, and the file's name; patterns have none of their own."""
    head = HEAD.search(text)
    kind, name = (head[1], head[2]) if head else ("game", "text")
    return kind, f"{'mine' if kind == 'Patterns for' else name}.{SUFFIX[kind]}"


def check(text: str, names: dict[str, Any]) -> tuple[tuple[rulewright.Diagnostic, ...], Any]:
    """What is said of a file, and its model."""
    kind, file = named(text)
    if kind == "game":
        report = rulewright.check(text, file)
        return report.diagnostics, report.game
    game = _game(text, names)
    where = FileContext(game, names["folder"])
    if kind == "personality":
        person = check_file(PERSONALITY, file, text.encode(), where)
        return person.diagnostics, person.model
    if kind == "Patterns for":
        read = check_file(PATTERNS, file, text.encode(), where)
        assert read.source is not None
        failing = failing_patterns(game, read.model, read.source) if read.model else ()
        return (*read.diagnostics, *failing), read.model
    if kind == "look":
        look = check_file(LOOK, file, text.encode(), where)
        return look.diagnostics, look.model
    judged = check_file(EVALUATOR, file, text.encode(), where)
    claims = failing_examples(game, judged.model) if judged.model else ()
    return (*judged.diagnostics, *claims), judged.model


def _game(text: str, names: dict[str, Any]) -> rulewright.Game:
    """The game above a file, or the bundled one that its head names."""
    found: rulewright.Game | None = names.get("game")
    head = GAME_OF.search(text)
    others = bundled_games() if found is None or head is None or found.name != head[1] else {}
    if head is not None and (found is None or head[1] in others):
        return rulewright.load(head[1])
    assert found is not None
    return found


def messages(text: str, names: dict[str, Any] | None = None) -> str:
    return "".join(f"{d.render()}\n" for d in check(text, names or {})[0])


def learn(text: str, names: dict[str, Any]) -> None:
    """Check a file that must be in order, and keep it for what comes below it."""
    assert messages(text, names) == ""
    kind, file = named(text)
    _, names[kind] = check(text, names)
    (names["folder"] / file).write_text(text, "utf-8")
    if kind == "personality":
        names["player"] = rulewright.Personality.of(names[kind], _game(text, names))


def run_doctest(block: Block, names: dict[str, Any], document: Path) -> None:
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


def run_example(example: Example, folder: Path) -> None:
    """Try the blocks of an example in order, in a folder of its own."""
    text, names = "", dict[str, Any](rulewright=rulewright, folder=folder)
    for block, following in pairwise([*example.blocks, Block("", "", 0)]):
        match block.language:
            case kind if kind in FILES[1:] and following.language == "messages":
                assert messages(block.text, names) == following.text
                (folder / named(block.text)[1]).write_text(block.text, "utf-8")
            case kind if kind in FILES:
                if kind == "rules" or following.language not in FILES:
                    text = block.text
                learn(block.text, names)
            case "diff":
                changed = patched(text, block.text)
                if following.language == "messages":
                    assert messages(changed, names) == following.text
                else:
                    text = changed
                    learn(text, names)
            case "pycon":
                run_doctest(block, names, example.document)
            case other if recorded := RECORDED.match(other):
                (folder / recorded[1]).write_text(block.text, "utf-8")
            case "shell-session":
                assert sessions.renewed(block.text, folder) == block.text
    drawn = sessions.pictures(folder, example.document.read_text("utf-8"))
    stale = [path.name for path, picture in drawn if path.read_text("utf-8") != picture]
    assert not stale, "python -m tests.tools.messages writes them anew"
