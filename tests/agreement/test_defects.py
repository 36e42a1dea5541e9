"""The net below the compiler: faults put into every stage, and what is left of a game then.

Whatever a stage raises, the reference plays, all is as right as before, and somebody is told.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.checks.tried import try_claims
from rulewright.compiler import defects
from rulewright.compiler.layout import Unsupported
from rulewright.errors import Fault, OutOfBudget
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.interpreted import ReferencePosition
from rulewright.games.engine.packed import PackedPosition
from rulewright.games.files.games import bundled_games, check, load, loads
from rulewright.matches.api import match
from rulewright.matches.protocols.host import GameService
from rulewright.matches.protocols.text_protocol import TextEngine
from rulewright.players.pattern_use import Workbench
from rulewright.players.personality import Personality
from rulewright.search.best import best
from rulewright.search.results import Limits
from tests.shared.backends import needs_llvm
from tests.shared.broken import broken
from tests.shared.proposals import read

Run = tuple[int, str, str]
"""What a command gave: its status, and what it wrote to both streams."""
RULES = """format 1
game raylet
players white black
board square 4 by 4
pieces man

let turns(s) = around if s in corners else orthogonal

setup
  put white man at a1 or b1
  put black man at b2 or c4

move go
  choose a in own
  choose ray from a along turns(a) /[over: full], [b: empty]/
  let more = count full
  need more > 0
  write "{a}{b}" if more > 1 else "{a}-{b}"
  move a to b

move wait
  choose d in turns(a1)
  write "wait{d}"

turn go or wait
lose when stuck
draw when ply = 8
"""
STAGES = (
    "compiler.lower.game.inline_lets",
    "compiler.passes.normalize.Normalizer.__call__",
    "compiler.passes.decision_rows.Duplicates.of",
    "compiler.lower.moves.MoveWriter._choose",
    "compiler.lower.moves.MoveWriter._do",
    "compiler.lower.values.Values.value",
    "compiler.lower.values.Values.each_way",
    "compiler.lower.walks.WalkedRay.walk",
    "compiler.lower.writer.Writer.put",
    "compiler.lower.game._ends",
    "compiler.lower.game.position_key",
    "compiler.lower.playouts.PlyWriter.ply",
    "compiler.lower.game.incremental_kernels",
    "compiler.engine.Engine._load",
    "compiler.engine.Engine._link",
    "games.engine.notation.Notation.of",
)


def stage(path: str) -> tuple[str, str]:
    """The module and the name in it of what is broken."""
    parts = path.split(".")
    classes = (i for i, part in enumerate(parts) if part.strip("_")[0].isupper())
    at = next(classes, len(parts) - 1)
    return ".".join(parts[:at]), ".".join(parts[at:])


def line(state: State, most: int = 8) -> list[list[str]]:
    """What may be decided along the game of the first decisions."""
    found = []
    for _ in range(most):
        if state.over:
            break
        found.append(list(state.moves.texts))
        state = state.play(state.moves.texts[0])
    return found


@needs_llvm
@pytest.mark.parametrize("path", STAGES)
def test_a_fault_in_a_stage_of_rules_leaves_the_reference(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = line(loads(RULES).start("reference"))
    with broken(*stage(path)) as noted:
        start = loads(RULES).start("llvm")
        assert line(start) == expected
        assert isinstance(start.position, ReferencePosition)
        assert len(noted) == 1
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith(("rulewright: <text>", "rulewright: raylet:"))
    assert "a fault of rulewright's own (KeyError in " in told
    assert told.endswith("please report it with the text")


@pytest.mark.parametrize("path", STAGES[:-3])
def test_check_warns_at_the_line(path: str) -> None:
    report = check(RULES)
    with broken(*stage(path)) as noted:
        found, played = try_claims("rules", report)
        assert len(noted) == 1
    (warning,) = found
    assert (warning.code, warning.severity) == ("compiler-fault", "warning")
    assert played is not None
    assert (played.backend, played.reason) == ("reference", str(noted_in(warning.message)))


def noted_in(message: str) -> str:
    """The fault that a warning tells."""
    return message.removesuffix(", so that the reference plays")


@needs_llvm
def test_the_line_is_that_of_the_statement() -> None:
    with broken("compiler.lower.effects", "EffectWriter._move_piece"):
        (warning,) = try_claims("rules", check(RULES, "raylet.rules"))[0]
    assert (warning.place.file, warning.place.excerpt) == ("raylet.rules", "move a to b")


def test_commands_go_on(
    write: Path, run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(write / "cache"))  # nobody has kept its kernels
    (write / "raylet.rules").write_text(RULES)
    words = ("perft", "raylet.rules", "--depth", "2")
    expected = run(*words, "--backend", "reference")
    with broken("compiler.lower.effects", "EffectWriter._move_piece"):
        status, found, told = run(*words)
    assert (status, found) == expected[:2]
    assert told.count("rulewright: raylet.rules:19: a fault of rulewright's own") == 1


@needs_llvm
def test_a_text_that_cannot_be_written_is_the_references(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What is met forty decisions later is no exception either."""
    expected = line(loads(RULES).start("reference"))
    for name in ("Notation.lazy_text", "Notation._fill", "Notation.texts"):
        with broken("games.engine.notation", name) as noted:
            start = loads(RULES).start("llvm")
            assert line(start) == expected
            assert start.play(start.moves[1]).move == expected[0][1]
            assert isinstance(start.position, PackedPosition)
            assert len(noted) <= 2
    assert (
        "a fault of rulewright's own (KeyError in games/engine/packed.py" in capsys.readouterr().err
    )


def test_what_is_refused_on_purpose_stays_a_refusal() -> None:
    """And limits of time and of memory are nobody's fault."""
    rules = loads(RULES).rules
    for error in (Unsupported("so it is"), OutOfBudget("time is over"), MemoryError()):
        with pytest.raises(type(error)) as caught, defects.net(rules):
            raise error
        assert caught.value is error
    with pytest.raises(Fault), defects.net(rules, playing=True):
        raise Fault("stuck", "nobody can move")
    assert defects.DEFECTS == []


# --- players ---

PLAYER = """format 1
personality mine for connect4
use traps
search alphabeta, depth 2
must reply
order traps
pick best position
ties first
"""
WEIGHED = """format 1
personality weighed for connect4
use eager
search one_ply
ties first
"""
GROWN = """format 1
personality grown for connect4
use traps
search mcts, nodes 50
order traps
ties first
"""
LED = {
    "a value": (PLAYER, "players.machine.lower_first_value"),
    "parts of a value": (PLAYER, "compiler.lower.game._Module._parts"),
    "an evaluator's own forms": (WEIGHED, "compiler.lower.deltas._touched"),
    "a guide": (PLAYER, "search.guides._face"),
    "the values of a guide": (PLAYER, "search.guides.lower_value"),
    "a guide of trees": (GROWN, "search.guides.lower_draws"),
    "what a value is linked to": (PLAYER, "compiler.engine.Engine._link"),
}


@needs_llvm
@pytest.mark.parametrize(("text", "path"), LED.values(), ids=LED)
def test_a_fault_in_a_stage_of_players_leaves_the_reference(
    text: str, path: str, tmp_path: Path
) -> None:
    (tmp_path / "p.personality").write_text(text)
    player = Personality.load(tmp_path / "p.personality", load("connect4"))
    state = player.game.start().play("4 4 4 4 3")
    expected = player.choose(state)
    again = Personality.load(
        tmp_path / "p.personality", loads(bundled_games()["connect4"].read_text())
    )
    state = again.game.start().play("4 4 4 4 3")
    with broken(*stage(path)) as noted:
        assert again.choose(state) == expected
        assert noted


# --- patterns ---

PATTERNS = """format 1
Patterns for connect4
Around own
Off above
  Own 0 0
  Set 0 1
"""


@needs_llvm
@pytest.mark.parametrize("name", ["Tables.lay", "Tables.__attrs_post_init__"])
def test_a_fault_in_a_stage_of_patterns_leaves_the_reference(name: str) -> None:
    game = loads(bundled_games()["connect4"].read_text())
    state = game.start().play("4 4 3 4")
    bench = Workbench(game, read(PATTERNS, game))
    expected = [(use.move, use.direction) for use in bench.fired(state)]
    with broken("search.pattern_table", name) as noted:
        again = loads(bundled_games()["connect4"].read_text())  # whose kernels nobody has yet
        bench = Workbench(again, read(PATTERNS, again))
        assert [(use.move, use.direction) for use in bench.fired(state)] == expected
        assert noted


# --- searches, by whoever asks for one ---

SEARCHED = (
    "compiler.engine.Engine._link",
    "search.best.prepare",
    "search.decide.tree_search",
    "search.trees.ThreadTree.__attrs_post_init__",
)
"""Stages in which a search is put together."""
DECIDED = "4 4 4 4 3"
PLAIN = "format 1\npersonality plain for connect4\nsearch mcts, nodes 50\nties first\n"


def a_personality(text: str) -> Callable[[Path, Game], str]:
    """What it chooses."""

    def chosen(folder: Path, game: Game) -> str:
        (folder / "p.personality").write_text(text)
        return Personality.load(folder / "p.personality", game).choose(game.start().play(DECIDED))

    return chosen


def a_match(folder: Path, game: Game) -> str:
    """How its games end: no program has failed."""
    (folder / "p.personality").write_text(GROWN)
    (folder / "game.rules").write_text(bundled_games()["connect4"].read_text())
    terms: dict[str, Any] = {"games": 2, "longest": 4, "seed": 1, "openings": [DECIDED]}
    with match(folder / "game.rules", str(folder / "p.personality"), "random", **terms) as run:
        return str([(record.reason, len(record.moves)) for record in run])


def a_protocol(folder: Path, game: Game) -> str:
    """The first word of what is answered to `go`, whatever is decided."""
    service = TextEngine(GameService(str(bundled_games()["connect4"]), "computer"))
    assert service.answer(f"position moves {DECIDED}") == "ok\n"
    return service.answer("go nodes=50").split()[0]


def the_search(_: Path, game: Game) -> str:
    """Whether a decision is there, and one of those that are legal."""
    state = game.start().play(DECIDED)
    return str(best(state, Limits(None, nodes=50)).move in state.moves.texts)


ASKING = {
    "led trees": a_personality(GROWN), "trees": a_personality(PLAIN), "a match": a_match,
    "a protocol": a_protocol, "a search": the_search,
}  # fmt: skip


@needs_llvm
@pytest.mark.parametrize("path", SEARCHED)
@pytest.mark.parametrize("asks", ASKING.values(), ids=ASKING)
def test_a_fault_in_a_search_leaves_a_decision(
    asks: Callable[[Path, Game], str], path: str, tmp_path: Path
) -> None:
    expected = asks(tmp_path, loads(bundled_games()["connect4"].read_text()))
    with broken(*stage(path)):
        found = asks(tmp_path, loads(bundled_games()["connect4"].read_text()))
    assert found == expected
