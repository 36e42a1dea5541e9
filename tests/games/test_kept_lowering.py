"""What players became for a game is kept: a second start has the same kernels and decisions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest

from rulewright.compiler.backend import CodeParts, Linked, native
from rulewright.compiler.engine import Engine
from rulewright.games.engine.game import Game
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.games import load_with
from rulewright.matches.protocols.contestant import Contestant
from rulewright.players import machine
from rulewright.search import candidates, guides

PLAYERS = [
    ("twixt", {"size": 6, "pie": False}, "chains", "d4 e2"),
    ("breakthrough", {}, "raider", "a2-a3 h7-h6"),
    ("go", {"size": 5}, "hunter", "c3 b2"),
]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    load_with("tictactoe", {})  # the grammar's tables stay where they are
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    return tmp_path / "rulewright" / "models"


@pytest.fixture
def lowered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that grows whenever something of a player is lowered."""
    names = list[str]()

    def noted(name: str, real: Callable[..., object], *given: object) -> object:
        names.append(name)
        return real(*given)

    for module, name in (
        (machine, "lower_first_value"), (guides, "lower_value"), (guides, "lower_draws"),
        (candidates, "face_of"),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, partial(noted, name, getattr(module, name)))
    return names


def decided(game: Game, player: str, moves: str) -> tuple[object, ...]:
    """A decision with what was found, and the tables that the kernels read."""
    state = game.start().play(moves)
    choice = Contestant.parse(f"{player}@nodes=700").alone(game).decide(state, Random(1))
    engine = load_engine(game)
    assert isinstance(engine, Engine)
    assert engine._parts
    tables = {n: (part.plan.table, part.plan.scratch_size) for n, part in engine._parts.items()}
    return choice, tables


@pytest.mark.parametrize(("name", "options", "player", "moves"), PLAYERS)
def test_a_second_start_lowers_nothing_and_decides_the_same(
    name: str, options: dict[str, object], player: str, moves: str, kept: Path, lowered: list[str]
) -> None:
    first = decided(load_with(name, options), player, moves)
    assert lowered
    lowered.clear()
    assert decided(load_with(name, options), player, moves) == first
    assert not lowered


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of all modules that are compiled."""
    texts, real = list[str](), native._compiled_now

    def noted(source: Linked, quick: bool) -> CodeParts:
        texts.append(source.key)
        return real(source, quick)

    monkeypatch.setattr(native, "_compiled_now", noted)
    return texts


SEATS = [("connect4", {}, "eager", "counter"), ("twixt", {"size": 6, "pie": False}, "t1", "chains")]


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(("name", "options", "one", "two"), SEATS)
def test_code_is_shared_by_content(
    name: str, options: dict[str, object], one: str, two: str, compiled: list[str]
) -> None:
    """Neither who has played before nor how often a text was read makes other code of it."""

    def decide(game: Game, *players: str) -> None:
        for player in players:
            state = game.start().play_decision(game.start().moves.texts[0])
            Contestant.parse(f"{player}@nodes=50").alone(game).decide(state, Random(1))

    decide(game := load_with(name, options), one)
    decide(game, two)
    known = len(compiled)
    assert known > 2
    decide(game, one, two)
    decide(load_with(name, options), two, one)
    assert len(compiled) == known == len(set(compiled))


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    text = "format 1\npersonality tiny for dots\nuse tiny\nsearch alphabeta, depth 2\n"
    (folder / "tiny.personality").write_text(text)
    return folder / "tiny.personality"


def weighed(tiny: Path, weight: int) -> None:
    """Decide by a value of that weight, in a game that was loaded anew."""
    text = "format 1\nevaluator tiny for dots\n"
    text += f"value of position for mover = {weight} * ply\n"
    tiny.with_name("tiny.eval").write_text(text)
    game = load_with("dots", {"width": 1, "height": 2})
    Contestant.parse(str(tiny)).alone(game).decide(game.start(), Random(1))


def test_another_text_is_lowered_anew(kept: Path, lowered: list[str], tiny: Path) -> None:
    counts = []
    for weight in (1, 1, 2, 1):
        weighed(tiny, weight)
        counts.append(len(lowered))
    assert counts == [1, 1, 2, 2]


@pytest.mark.parametrize("damage", [b"", b"nothing"])
def test_damaged_files_are_made_again(
    damage: bytes, kept: Path, lowered: list[str], tiny: Path
) -> None:
    weighed(tiny, 1)
    for file in kept.iterdir():
        if file.suffix == ".kernels":
            file.write_bytes(damage)
    weighed(tiny, 1)
    assert len(lowered) == 2
