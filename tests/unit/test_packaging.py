"""Guards: imports only point backwards along the road, and few modules need Hypothesis."""

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

from rulewright import Personality
from rulewright.app.cli import COMMANDS
from rulewright.games.files.catalog import by_suffix
from rulewright.players.machine import ScoreMemory
from tests.shared.places import DOCS, ROOT

# The road. A module may import from its own stage and from the stages above it in this table.
# The front door, `rulewright/__init__.py`, imports what it likes and is free for everyone.
STAGES = (
    {"ground", "errors"},  # what every room stands on: free for everyone
    {"model"},
    {"reference"},  # the oracle
    {"language"},  # text to syntax to model; constants are worked out by the one oracle
    {"compiler"},  # the model as machine code
    {"games"},  # names and texts to games, states, pictures
    {"strategies"},  # random play of any game, for tests
    {"search"},
    {"players"},  # personalities at work
    {"matches"},  # games between players, counted and recorded
    {"learning"},  # thousands of games at once, for those who train players
    {"checks"},  # what files claim and keep, tried; how fast all of it is
    {"pytest_plugin"},  # files of games as tests
    {"app"},  # what people see and type
    {"__main__"},
)
INSIDE = {
    "language": ("", "resolve"),
    "games": ("render", "engine", "files"),
    "matches": ("protocols", ""),
    "checks": ("", "bench"),
    "app": ("build", "service", "play", "studio", "cli"),
}
"""The order of the folders of a room; "" for its own modules."""

SOURCE = ROOT / "interpreter"
PACKAGE = SOURCE / "rulewright"
RANKS = {name: rank for rank, stage in enumerate(STAGES) for name in stage}


def rank(module: str) -> tuple[int, int]:
    """The place of a module, below `rulewright`, on the road: of its room, and of its folder there.

    A name of the front door stands before all.
    """
    room, _, rest = module.partition(".")
    order, folder = INSIDE.get(room, ()), rest.partition(".")[0]
    inner = order.index(folder) if folder in order else order.index("") if "" in order else 0
    return RANKS.get(room, 0), inner


def test_imports_only_point_backwards() -> None:
    files = [file for file in PACKAGE.rglob("*.py") if file != PACKAGE / "__init__.py"]
    assert [complaint for file in files for complaint in _complaints(file, file.read_text())] == []


@pytest.mark.parametrize(
    ("file", "text", "forward"),
    [
        ("language/parse.py", "from ..games.files import x", "rulewright.games.files.x"),
        ("language/parse.py", "from .. import games", "rulewright.games"),
        ("language/parse.py", "from .resolve import rules", "rulewright.language.resolve.rules"),
        ("model/walk.py", "from ..language.source import Span", "rulewright.language.source.Span"),
        ("errors.py", "from . import language", "rulewright.language"),
        ("model/board.py", "import rulewright.reference", "rulewright.reference"),
        (
            "games/engine/game.py",
            "if TYPE_CHECKING:\n from rulewright.app.cli import main",
            "rulewright.app.cli.main",
        ),
        ("search/beam.py", "def f():\n from rulewright import app", "rulewright.app"),
    ],
)
def test_a_forward_import_is_detected(file: str, text: str, forward: str) -> None:
    (complaint,) = _complaints(PACKAGE / file, text)
    assert complaint.endswith(f" imports {forward}")


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("language/resolve/name_lookup.py", "from rulewright.reference.evaluate import value"),
        ("language/parse.py", "from .syntax import Node\nfrom ..errors import RulesetError"),
        ("app/play/match.py", "from rulewright import __version__, draw"),
        ("model/board.py", "import gamelib, attrs"),
    ],
)
def test_a_backward_import_is_fine(file: str, text: str) -> None:
    assert list(_complaints(PACKAGE / file, text)) == []


def _complaints(file: Path, text: str) -> Iterator[str]:
    """Say which imports in *text*, the source of *file*, point forward along the road."""
    parts = file.relative_to(SOURCE).with_suffix("").parts
    where, stage = file.relative_to(SOURCE), parts[1]
    if stage not in RANKS:
        yield f"{where} has no stage: give `{stage}` a place in STAGES"
        return
    for line, name in _imports(parts[:-1], ast.parse(text)):
        package, _, rest = name.partition(".")
        if package == "rulewright" and rank(rest) > rank(".".join(parts[1:])):
            yield f"{where}:{line} imports {name}"


def _imports(package: tuple[str, ...], tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the full name of all that a module in *package* imports."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                above = package[: len(package) - level + 1] if level else ()
                base = ".".join((*above, *([module] if module else [])))
                yield from ((node.lineno, f"{base}.{alias.name}") for alias in names)


def test_the_design_notes_show_the_road_as_it_is() -> None:
    """Every stage of the package is one line of the table, in the order of STAGES."""
    notes = (DOCS / "design.md").read_text("utf-8")
    table = notes.partition("| room | in | out |")[2].partition("\n\n")[0]
    first = [line.split("|")[1] for line in table.splitlines()[2:]]
    shown = [{name.strip().strip("`/").removesuffix(".py") for name in f.split(",")} for f in first]
    assert shown == [*STAGES[:-1]]


def test_only_strategies_import_hypothesis() -> None:
    """What `strategies.py` says of it; without them the package does not need it."""
    users = {
        path.name for path in PACKAGE.rglob("*.py") if "from hypothesis" in path.read_text("utf-8")
    }
    assert users == {"strategies.py"}


def test_commands_start_without_hypothesis() -> None:
    """It takes a third of a second to load, and no command needs it."""
    modules = "sys, rulewright.app.cli.test, rulewright.app.cli.best"
    loads = f"import {modules}; print('hypothesis' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_modules_import_by_their_names_of_the_last_release() -> None:
    import rulewright.compiler.layout

    with pytest.warns(DeprecationWarning, match=r"rulewright\.codegen") as warned:
        old = importlib.import_module("rulewright.codegen.layout")
    assert old is rulewright.compiler.layout
    assert "rulewright.compiler.layout now" in str(warned[-1].message)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("rulewright.codegen_of_old")


def test_a_personality_has_the_name_of_its_score_memory_of_the_last_release() -> None:
    memory = ScoreMemory()
    played = evolve(Personality.load("connect4/counter"), score_memory=memory)
    assert played.known is memory


def test_modules_of_others_with_such_names_are_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("myrulewright", "apart"):
        folder = tmp_path / package / ("rulewright" if package == "apart" else "")
        folder.mkdir(parents=True)
        (folder / "cli.py").write_text("MINE = True\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("myrulewright.cli", "apart.rulewright.cli"):
        assert importlib.import_module(name).MINE


def test_hooks_of_pre_commit_run_commands_on_every_kind_of_file() -> None:
    text = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    entries = re.findall(r"entry: rulewright (\w[\w-]*)", text)
    assert entries == ["check", "fmt", "test"]
    assert set(entries) <= COMMANDS.keys()
    patterns = re.findall(r"files: (.*)", text)
    assert all(re.search(patterns[0], f"mine{suffix}") for suffix in by_suffix())
    assert not any(re.search(pattern, "mine.rules.txt") for pattern in patterns)
