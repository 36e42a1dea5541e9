"""Engines to take away, played from outside: the same games as the reference's."""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.app.build import c, native, wasm
from rulewright.app.build.engine_plan import engine_for, plan
from rulewright.app.build.judge import judge_of
from rulewright.app.build.notation import BookWriter, written_down
from rulewright.app.cli import main
from rulewright.compiler.backend.python import run
from rulewright.compiler.engine import Engine, emitted_of
from rulewright.compiler.ir.nodes import Module
from rulewright.compiler.ir.parse import parse
from rulewright.compiler.runtime import GuardedArray
from rulewright.errors import RulewrightError
from rulewright.games.files.games import load, loads
from rulewright.players.personality import Personality
from rulewright.search.best import search
from tests.shared.backends import needs_llvm
from tests.shared.bundled import game
from tests.shared.documents import blocks
from tests.shared.engines import (
    COMPILER,
    NODE,
    OUTSIDE,
    agrees,
    declared,
    in_c,
    in_node,
    needs_compiler,
    needs_node,
    output,
    planned,
    texts_of,
    write,
)
from tests.shared.places import DOCS
from tests.shared.tiny import DICE_FOR_THREE, ROWS_FOR_THREE
from tests.tools.decisions import positions

FEW = ["twixt", "chess", "go", "pentago"]


@needs_node
@pytest.mark.parametrize("name", FEW)
def test_a_page_plays_as_the_reference_does(tmp_path: Path, name: str) -> None:
    played, start = game(name), game(name).start("reference")
    write(tmp_path, wasm.files(planned(played)))
    *games, told = in_node(tmp_path, name, 1)
    for one in games:
        agrees(start, one, played.players)
    assert told["perft"] == [1, *(start.count(depth)[0] for depth in (1, 2))]
    assert told["moves"] == start.moves.texts
    assert told["best"] == told["again"]
    assert {told["best"]["move"], told["timed"]} <= set(told["choices"])
    assert told["best"]["line"][0] == told["best"]["move"]
    assert told["best"]["nodes"] == 500
    assert told["unknown"] == "RangeError"


@needs_node
def test_dice_are_thrown_and_three_players_decide_as_at_home(tmp_path: Path) -> None:
    for text in (DICE_FOR_THREE, ROWS_FOR_THREE):
        played = loads(text)
        write(tmp_path, wasm.files(planned(played)))
        *games, told = in_node(tmp_path, played.name, 3)
        for one in games:
            agrees(played.start("reference"), one, played.players)
        assert told["perft"] == [1, *(played.start().count(depth)[0] for depth in (1, 2))]
        assert len(told["playouts"]["wins"]) == 3
        states = positions(played, 4)
        asked = json.dumps([state.decisions() for state in states])
        module = tmp_path / f"{played.name}.mjs"
        for state, line in zip(
            states, output(NODE, OUTSIDE / "best.mjs", module, 700, asked).splitlines(), strict=True
        ):
            best, home = json.loads(line), search(state, nodes=700)
            assert (best["move"], best["value"]) == (home.move, home.value)
            assert (best["line"], best["nodes"]) == ([*home.pv], home.nodes)
            assert best["proven"] == (home.proven is not None)


@needs_compiler
def test_c_plays_as_a_page_does(tmp_path: Path) -> None:
    played = game("pentago")
    write(tmp_path, c.files(planned(played)))
    *games, told = in_c(tmp_path, "pentago", 1)
    start = played.start("reference")
    for one in games:
        agrees(start, one, (0, 1))
    assert told["perft"] == [1, *(start.count(depth)[0] for depth in (1, 2))]
    assert told["unknown"] == 0


@needs_llvm
@needs_compiler
def test_a_library_plays_as_the_reference_does(tmp_path: Path) -> None:
    played = game("morris")
    write(tmp_path, native.files(planned(played)))
    engine, state = declared(tmp_path / "morris.so"), played.start("reference")
    engine.rw_start()
    assert engine.rw_perft(ctypes.c_int64(2)) == state.count(2)[0]
    for _ in range(30):
        texts = texts_of(engine)
        assert texts == state.moves.texts
        assert engine.rw_play(ctypes.c_int64(len(texts) // 2)) == 1
        state = state.play_decision(texts[len(texts) // 2])


@needs_llvm
def test_another_machine_has_an_object_file_and_no_library() -> None:
    files = native.files(planned(load("tictactoe")), "aarch64-unknown-linux-gnu")
    assert set(files) == {"tictactoe.h", "tictactoe.o"}
    assert files["tictactoe.o"][:4] == b"\x7fELF"
    assert int.from_bytes(files["tictactoe.o"][18:20], "little") == 183  # EM_AARCH64


@needs_node
def test_a_personality_judges(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["build", "connect4", "--personality", "counter", "--out", str(tmp_path)]
    assert main(words) == 0
    assert "connect4.wasm" in capsys.readouterr().out
    told = in_node(tmp_path, "connect4", 0)[-1]
    assert told["best"]["move"] == "4"  # its evaluator counts lines through a site
    manifest = json.loads((tmp_path / "connect4.json").read_text())
    assert manifest["players"] == list(load("connect4").players)
    assert len(manifest["board"]["spots"]) == 42


@pytest.mark.parametrize(("name", "who"), [("hex", "pathfinder"), ("connect4", "counter")])
def test_kernels_go_into_an_engine_as_nodes(
    monkeypatch: pytest.MonkeyPatch, name: str, who: str
) -> None:
    """No text is made of those of the game, of values and of what asks for these."""

    def printing(_: Module) -> str:
        raise AssertionError("text was made of kernels")

    monkeypatch.setattr("rulewright.compiler.ir.printer.module_text", printing)
    played = load(name)
    engine = Engine(played.play, "python", use_cache=False)
    judge = judge_of(engine, Personality.load(who, played))
    assert len(plan(engine, played, judge).module.functions) > 10


SHORT = st.sampled_from([0, 1, -128, 127, 128, -(2**15), 2**15, 2**31, -(2**63), 2**63 - 1])


@given(st.lists(st.lists(SHORT | st.integers(-9, 9), max_size=40).map(lambda some: some * 3)))
def test_packed_tables_are_unpacked(parts: list[list[int]]) -> None:
    values = [value for part in parts for value in part]
    words, into = GuardedArray(wasm.runs_of_numbers(values)), GuardedArray([0] * len(values))
    assert run(parse(wasm.UNPACKING), "unpacking")["unpack"](words, 0, into) == len(words)
    assert list(into) == values


# --- the examples of docs/build.md ---

PAGE = """
const parts = {};
globalThis.document = {
  getElementById: (id) => parts[id] ??= { replaceChildren(...found) { this.children = found; } },
  createElement: () => ({}),
};
Map.groupBy ??= (items, key) => items.reduce(
  (found, item) => found.set(key(item), [...(found.get(key(item)) ?? []), item]), new Map());
"""


@pytest.fixture(scope="module")
def shown() -> dict[str, str]:
    """The text of each example by its language."""
    return {block.language: block.text for block in blocks((DOCS / "build.md").read_text("utf-8"))}


@needs_node
def test_the_page_of_the_documents(tmp_path: Path, shown: dict[str, str]) -> None:
    words = ["build", "connect4", "--personality", "counter", "--out", str(tmp_path)]
    assert main(words) == 0
    script = shown["html"].split('<script type="module">')[1].split("</script>")[0]
    told = "parts.moves.children[3].onclick();\nconsole.log(JSON.stringify(parts));"
    head, rest = script.split("const game", 1)
    (tmp_path / "page.mjs").write_text(f"{head}{PAGE}const game{rest}{told}", "utf-8")
    found = json.loads(output(NODE, tmp_path / "page.mjs"))
    assert found["told"]["textContent"] == "yellow to move"
    assert len(found["moves"]["children"]) == 7
    rows = found["board"]["textContent"].splitlines()
    assert [len(row.split()) for row in rows] == [7] * 6
    assert "".join(rows).count("y") == "".join(rows).count("r") == 1


WORKER = """
globalThis.onmessage = null;
globalThis.postMessage = (message) => console.log(JSON.stringify(message));
"""


@needs_node
def test_the_worker_of_the_documents(tmp_path: Path, shown: dict[str, str]) -> None:
    assert main(["build", "connect4", "--out", str(tmp_path)]) == 0
    head, rest = shown["js"].split("const game", 1)
    asked = 'onmessage({ data: { moves: ["4", "3"] } });'
    (tmp_path / "worker.mjs").write_text(f"{head}{WORKER}const game{rest}{asked}", "utf-8")
    ready, answer = output(NODE, tmp_path / "worker.mjs").splitlines()
    assert json.loads(ready) == "ready"
    assert json.loads(answer)["move"] in load("connect4").start().play("4 3").moves


REFUSED = """
import { load } from "./connect4.mjs";
const game = await load();
const refusal = (limits) => { try { return game.best(limits).move; } catch (e) { return e.name; } };
const wrong = [{ depth: 3 }, { nodes: -5 }, { nodes: "x" }, { ms: 0 }, { seed: -1 }];
console.log(JSON.stringify([...wrong.map(refusal), refusal({ nodes: 50, seed: 0 })]));
"""


@needs_node
def test_a_page_refuses_unknown_limits(tmp_path: Path) -> None:
    assert main(["build", "connect4", "--out", str(tmp_path)]) == 0
    (tmp_path / "try.mjs").write_text(REFUSED, "utf-8")
    *refusals, move = json.loads(output(NODE, tmp_path / "try.mjs"))
    assert refusals == ["TypeError", *["RangeError"] * 4]
    assert move in load("connect4").start().moves


@needs_compiler
def test_the_program_of_the_documents(tmp_path: Path, shown: dict[str, str]) -> None:
    write(tmp_path, c.files(planned(load("connect4"))))
    (tmp_path / "main.c").write_text(shown["c"])
    output(
        COMPILER, "-O1", tmp_path / "main.c", tmp_path / "connect4.c", "-lm", "-o", tmp_path / "a"
    )
    lines = output(tmp_path / "a").splitlines()
    state = load("connect4").start()
    for line in lines[:-1]:
        assert line.startswith(f"{state.mover} plays ")
        state = state.play(line.split()[2].rstrip(","))
    assert lines[-1] == str(state.result).split(":", maxsplit=1)[0]


@needs_llvm
@needs_compiler
def test_the_library_of_the_documents(tmp_path: Path, shown: dict[str, str]) -> None:
    write(tmp_path, native.files(planned(load("connect4"))))
    (tmp_path / "main.py").write_text(shown["python"])
    command = [sys.executable, str(tmp_path / "main.py")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    counts, move = done.stdout.splitlines()
    assert json.loads(counts) == [load("connect4").start().count(d)[0] for d in range(6)]
    assert move in load("connect4").start().moves


WHERE = """format 1
game counting
players first second
board square 3 by 3
pieces mark
move place
  choose cell in empty
  put mark at cell
  write "{count(own)}{cell}"
turn place
draw when stuck
"""


def test_texts_that_depend_on_the_position_are_refused() -> None:
    rules = loads(WHERE)
    with pytest.raises(RulewrightError, match="their texts depend on the position"):
        written_down(rules.play, emitted_of(rules.play).layout, BookWriter(0))


def test_a_file_that_is_there_is_replaced_by_force_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tictactoe.c").write_text("mine")
    words = ["build", "tictactoe", "--target", "c", "--out", str(tmp_path)]
    assert main(words) == 2
    assert "is there already; --force replaces it" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["tictactoe.c"]
    assert main([*words, "--force"]) == 0
    assert "rw_start" in (tmp_path / "tictactoe.c").read_text()


COUNTER = "use connect4\nsearch alphabeta, depth 2\n"
SOLS = "use conniption\nsearch minimax, depth 1\n"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("connect4", COUNTER + "pick best value if value > 3\npick first", "a condition asks"),
        ("conniption", SOLS + 'opening "a1 -"', "turns of several decisions"),
    ],
)
def test_players_that_cannot_be_built(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / "other.personality"
    path.write_text(f"format 1\npersonality other for {name}\n{text}\n")
    player = Personality.load(path, game(name))
    with pytest.raises(RulewrightError, match=f"other cannot be built into an engine: .*{message}"):
        judge_of(engine_for(game(name)), player)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tictactoe", "--triple", "x86_64-linux-gnu"], "--triple is for --target native"),
        (["tictactoe", "--target", "native", "--triple", "abacus"], "no machine `abacus`"),
    ],
)
def test_what_cannot_be_built(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["build", *words, "--out", str(tmp_path / "new")]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
