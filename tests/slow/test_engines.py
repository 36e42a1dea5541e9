"""Engines of all bundled games, played from outside, C under the sanitizers of a compiler.

Also engines of bundled players, which decide as `rulewright best` does, and the page of the
documents in a real browser.
"""

from __future__ import annotations

import ctypes
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st
from playwright.sync_api import expect

from rulewright.app.build import c, native, wasm
from rulewright.app.build.engine_plan import engine_for, plan
from rulewright.app.build.judge import judge_of
from rulewright.app.cli import main
from rulewright.compiler.backend.c import HEAD
from rulewright.compiler.backend.c import text as in_c_text
from rulewright.compiler.backend.python import run
from rulewright.compiler.ir import nodes as n
from rulewright.compiler.runtime import GuardedArray
from rulewright.games.files.games import check, load
from rulewright.players.personality import Personality
from rulewright.search import decide
from tests.shared.backends import needs_llvm
from tests.shared.browser import chromium, needs_browser
from tests.shared.bundled import GAMES, game
from tests.shared.documents import blocks
from tests.shared.engines import (
    CAREFUL,
    COMPILER,
    NODE,
    OUTSIDE,
    agrees,
    decided,
    declared,
    in_c,
    in_node,
    library,
    needs_compiler,
    needs_node,
    output,
    planned,
    write,
)
from tests.shared.ir_programs import REAL, WORD, programs
from tests.shared.places import DOCS
from tests.shared.web_host import host
from tests.tools import decisions
from tests.tools.agreement.files import AGREES
from tests.tools.decisions import NODES, positions, possible
from tests.tools.totals import random_files


def accepted(text: str) -> bool:
    """Whether a text is rules."""
    return check(text).game is not None


@needs_node
@needs_compiler
@pytest.mark.parametrize("name", GAMES)
def test_an_engine_plays_as_the_reference_does(tmp_path: Path, name: str) -> None:
    played, start = game(name), game(name).start("reference")
    plan = planned(played)
    write(tmp_path, {**wasm.files(plan), **c.files(plan)})
    *by_page, told = in_node(tmp_path, name, 1)
    *by_c, told_by_c = in_c(tmp_path, name, 1, *CAREFUL)
    for one in by_page:
        agrees(start, one, played.players)
    for one in by_c:
        agrees(start, one, range(len(played.players)))
    counts = [1, *(start.count(depth)[0] for depth in (1, 2))]
    assert told["perft"] == told_by_c["perft"] == counts
    playouts = told["playouts"]
    assert playouts["plies"] == told_by_c["playouts"]
    assert [*playouts["wins"], playouts["draws"]] == told_by_c["wins"]
    assert told["best"]["move"] == told_by_c["best"]
    assert told["moves"] == told_by_c["moves"] == start.moves.texts


@needs_compiler
def test_random_files_agree_as_c() -> None:
    found = [random_files.compared(number, "c").what for number in range(3)]
    assert AGREES in found
    assert not [what for what in found if what.startswith("C ")]


@needs_compiler
def test_an_engine_knows_that_the_first_position_comes_again() -> None:
    text = """format 1
game corridor
players red blue
board square 2 by 1
pieces man
setup
  put red man at a1
move go
  choose a in own
  choose b in near(a) empty
  move a to b
  need board_repeats = 0
move wait
turn go else wait
draw when ply > 5
"""
    assert random_files.as_c(text).what == AGREES


@needs_compiler
def test_what_c_plays_otherwise_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    other = planned(game("tictactoe"))
    monkeypatch.setattr(random_files, "planned", lambda _: other)
    text = next(filter(accepted, map(random_files.text, range(9))))
    found = random_files.as_c(text.replace("game sample", "game tictactoe"))
    assert found.finding


def example(number: int) -> tuple[n.Module, int, float, list[int]]:
    """A random program with what it is given."""
    found = list[tuple[n.Module, int, float, list[int]]]()

    @seed(number)
    @settings(max_examples=1, database=None, phases=[Phase.generate], deadline=None)
    @given(programs(), WORD, REAL, st.lists(WORD, min_size=4, max_size=4))
    def note(module: n.Module, a: int, x: float, words: list[int]) -> None:
        found.append((module, a, x, words))

    note()
    return found[0]


@needs_compiler
def test_random_programs_agree_in_c(tmp_path: Path) -> None:
    examples = [example(number) for number in range(120)]
    texts = [
        re.sub(r"\b([fgh])\(", rf"\1_{number}(", in_c_text(module, ["f"]))
        for number, (module, *_) in enumerate(examples)
    ]
    (tmp_path / "programs.c").write_text(HEAD + "\n".join(texts))
    output(
        COMPILER, "-std=c99", "-O1", "-fPIC", "-shared", tmp_path / "programs.c", "-lm",
        "-o", tmp_path / "programs.so",
    )  # fmt: skip
    made = ctypes.CDLL(str(tmp_path / "programs.so"))
    for number, (module, a, x, words) in enumerate(examples):
        plain, floats = GuardedArray(words), GuardedArray([1.5, -2.25])
        expected = run(module, "random")["f"](a, x, plain, floats)
        ints, reals = (ctypes.c_int64 * 4)(*words), (ctypes.c_double * 2)(1.5, -2.25)
        function = getattr(made, f"f_{number}")
        function.restype = ctypes.c_int64
        found = function(ctypes.c_int64(a), ctypes.c_double(x), ints, reals)
        assert (found, list(ints), list(reals)) == (expected, list(plain), list(floats))


# --- players ---

PLAYERS = [
    ("twixt", "t1"),  # an opening, patterns, alpha-beta
    ("twixt", "chains"),  # conditions that weigh moves, then patterns and alpha-beta
    ("connect5", "smart"),  # conditions that weigh moves by several numbers
    ("spanit", "default"),  # a beam
    ("chess", "club"),  # forcing decisions, an order, passing
    ("hex", "builder"),  # one decision ahead, lines of an opening
    ("conniption", "flip_steady"),  # all decisions with a full window, preferred moves
    ("conniption", "dice"),  # an evaluator that draws numbers
    ("connect4", "solver"),  # a proof first
    ("breakthrough", "raider"),  # what must be done, threats
    ("connect5", "keen"),  # a value of moves that narrows, threats that are dozens of turns long
    ("go", "hunter"),  # random games that a text leads
    ("hex", "pathfinder"),  # decisions that came later in random games
    ("pig", "daring"),  # throws are weighed by their mean
    ("einstein", "runner"),  # and bounds of means leave some of them out
]


def test_what_has_changed_since_a_file_was_written_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["tictactoe", "--positions", "2", "--nodes", "300"]
    assert decisions.main(words) == 0
    written = capsys.readouterr().out
    assert len(written.splitlines()) == 4
    (tmp_path / "before").write_text(written)
    again = [*words, "--against", str(tmp_path / "before")]
    assert decisions.main(again) == 0
    (tmp_path / "before").write_text(written.replace('"move": "b2"', '"move": "a1"'))
    assert decisions.main(again) == 1
    assert "tictactoe/solver" in capsys.readouterr().out


@needs_node
@needs_compiler
@needs_llvm
@pytest.mark.parametrize(("name", "player"), PLAYERS)
def test_a_player_decides_as_at_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, player: str
) -> None:
    monkeypatch.setattr(decide, "Random", decisions.Even)
    rules = game(name)
    engine, personality = engine_for(rules), Personality.load(player, rules)
    planned_ = plan(engine, rules, judge_of(engine, personality))
    write(tmp_path, {**wasm.files(planned_), **c.files(planned_)})
    states = positions(rules)
    games = [state.decisions() for state in states]
    told = output(
        NODE, OUTSIDE / "best.mjs", tmp_path / f"{name}.mjs", NODES, json.dumps(games)
    ).splitlines()
    in_c = library(tmp_path / f"{name}.c")
    for state, line in zip(states, told, strict=True):
        expected, by_page = possible(personality, state), json.loads(line)
        assert by_page["move"] in expected
        assert by_page["line"][0] == by_page["move"]
        assert decided(in_c, state.decisions(), NODES) == by_page["move"]


@needs_llvm
@needs_compiler
def test_a_library_decides_as_at_home(tmp_path: Path) -> None:
    rules = game("connect4")
    engine, personality = engine_for(rules), Personality.load("counter", rules)
    write(tmp_path, native.files(plan(engine, rules, judge_of(engine, personality))))
    made = declared(tmp_path / "connect4.so")
    for state in positions(rules):
        assert decided(made, state.decisions(), NODES) in possible(personality, state)


# --- a browser ---


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder, and the address that a browser finds it at."""
    with host(tmp_path) as address:
        yield tmp_path, address


@needs_browser
def test_the_page_of_the_documents_in_a_browser(served: tuple[Path, str]) -> None:
    folder, address = served
    words = ["build", "connect4", "--personality", "counter", "--out", str(folder)]
    assert main(words) == 0
    text = (DOCS / "build.md").read_text("utf-8")
    page = next(block.text for block in blocks(text) if block.language == "html")
    (folder / "index.html").write_text(page)
    with chromium() as browser:
        seen = browser.new_page()
        complaints = list[str]()
        seen.on("pageerror", lambda error: complaints.append(str(error)))
        seen.goto(address)
        expect(seen.locator("#told")).to_have_text("yellow to move", timeout=60_000)
        seen.get_by_role("button", name="4").click()
        expect(seen.locator("#board")).to_contain_text("r", timeout=60_000)
        board = seen.locator("#board").inner_text()
        assert (board.count("y"), board.count("r")) == (1, 1)
        asked = "async () => { const { load } = await import('./connect4.mjs');"
        found = seen.evaluate(asked + " const g = await load(); return g.best({ nodes: 1500 }); }")
    assert not complaints
    personality = Personality.load("counter", load("connect4"))
    assert found["move"] in possible(personality, load("connect4").start())
