"""What one search of a position has said, the others say too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rulewright
from rulewright.app.studio import answers as a
from rulewright.app.studio.analysing import best_moves
from rulewright.app.studio.desk import Desk
from rulewright.app.studio.findings import Findings, Judgement, Recent, way
from rulewright.app.studio.judging import curve
from rulewright.app.studio.thinking import Telling
from rulewright.games.engine.game import State
from tests.shared.desks import ask


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "data"))
    desk = Desk()
    yield desk
    desk.close()


def told(ended: bool = False) -> Telling:
    return Telling(lambda _: None, lambda: ended)


def drops(state: str) -> State:
    return rulewright.load("connect4").start().play(state)


def searched_for(state: State, findings: Findings) -> float:
    """The seconds that the kept analysis stands for."""
    analysis = findings.analyses.get(way(state))
    return analysis[0] if analysis else 0.0


def test_what_was_searched_as_long_is_not_searched_again() -> None:
    findings, state = Findings(), drops("4 4 3")
    first = best_moves(state, 0.2, told(), findings)
    assert best_moves(state, 0.2, told(), findings) == first
    assert best_moves(state, 0.1, told(), findings) == first
    assert best_moves(drops("4 4 3"), 0.1, told(), findings) == first
    best_moves(state, 0.4, told(), findings)
    assert searched_for(state, findings) == 0.4


def test_a_search_that_was_stopped_is_searched_again() -> None:
    findings, state = Findings(), drops("4 4 5")
    best_moves(state, 30.0, told(ended=True), findings)
    assert searched_for(state, findings) < 30.0


def test_what_looked_further_is_the_best_move() -> None:
    findings, state = Findings(), drops("4")
    findings.weigh(state, Judgement("yellow", -0.9, None, "7", ("7", "4"), depth=60))
    analysis = best_moves(state, 0.2, told(), findings)
    assert (analysis.move, analysis.candidates[0].move, analysis.line) == ("7", "7", ("7", "4"))
    assert [c.move for c in analysis.candidates].count("7") == 1
    assert all(c.value is None or c.value <= -0.9 for c in analysis.candidates)
    findings.weigh(state, Judgement("yellow", 0.0, None, "1", ("1",), depth=59))
    assert best_moves(state, 0.1, told(), findings).move == "7"


def judged(state: State, findings: Findings, seconds: float) -> list[a.JudgedNode]:
    return curve(list(enumerate(state.states())), seconds, told(), findings)


def test_a_game_that_goes_on_is_judged_where_it_was_not() -> None:
    findings, state = Findings(), drops("4 4 3 5")
    whole = judged(state, findings, 60.0)
    assert judged(state, findings, 1e-6) == whole
    assert [entry.node for entry in judged(state.play("5"), findings, 1e-6)] == []


def test_a_mistake_names_what_the_best_moves_name() -> None:
    findings, state = Findings(), drops("4 4 3 5 7 5 6 6")
    blunder = next(entry for entry in judged(state, findings, 60.0) if entry.name == "blunder")
    before = state.states()[blunder.node - 1]
    findings.weigh(before, Judgement(str(before.mover), 0.0, None, "1", ("1",), depth=60))
    settled = judged(state, findings, 1e-6)[blunder.node]
    assert (settled.best, settled.depth) == ("1", 60)
    played = state.decisions()[blunder.node - 1]
    findings.weigh(before, Judgement(str(before.mover), 0.0, None, played, (played,), depth=61))
    settled = judged(state, findings, 1e-6)[blunder.node]
    assert (settled.best, settled.name, settled.drop) == (played, "", 0.0)


def explained(desk: Desk, name: str, **more: object) -> dict[str, Any]:
    return dict(ask(desk, "explain", personality=name, seconds=60, **more))


def test_the_decision_that_a_player_has_made_is_explained(desk: Desk) -> None:
    """By one node it plays another one than it would by itself."""
    players = ["human", "counter@nodes=1"]
    ask(desk, "open", game="connect4", players=players, moves="4 4 4 4")
    ask(desk, "play", text="4")
    assert explained(desk, "counter")["explanation"]["decision"] == "3"
    last = ask(desk, "think")["nodes"][-1]
    assert last["text"] == "4"
    ask(desk, "goto", node=last["parent"])
    answer = explained(desk, "counter")
    assert answer["explanation"]["decision"] == "4"
    assert any("counter@nodes=1 has played 4 here" in note for note in answer["notes"])
    assert explained(desk, "counter") == answer


def test_who_finds_the_best_moves_explains_them(desk: Desk) -> None:
    ask(desk, "open", game="othello")
    assert ask(desk, "search", seconds=0.3)["by"] == "gardener"
    state = desk.tree.state
    desk.tree.findings.weigh(state, Judgement("black", -0.5, None, "f5", ("f5",), depth=99))
    assert ask(desk, "search", seconds=0.3)["move"] == "f5"
    answer = explained(desk, "gardener")
    assert answer["explanation"]["decision"] == "f5"
    assert any("f5 is what the best moves name" in note for note in answer["notes"])


def test_another_player_says_what_the_best_moves_name(desk: Desk) -> None:
    ask(desk, "open", game="connect4", moves="4 4")
    desk.tree.findings.weigh(desk.tree.state, Judgement("yellow", 0.5, None, "1", ("1",), depth=99))
    answer = explained(desk, "counter")
    assert any("the best moves name 1, 99 moves ahead" in note for note in answer["notes"])


def test_the_oldest_go_where_there_are_too_many() -> None:
    recent = Recent[int, str](2)
    for number in (1, 2, 1, 3):
        recent.put(number, str(number))
    assert [recent.get(number) for number in (1, 2, 3)] == ["1", None, "3"]


@pytest.mark.parametrize(
    ("game", "moves", "node"),
    [("chess", "e2e4 e7e5 g1f3 d8g5 f3g5", 4), ("chess", "f2f3 e7e5 g2g4", 3)],
)
def test_a_mistake_is_refuted_where_a_player_judges(game: str, moves: str, node: int) -> None:
    state = rulewright.load(game).start().play(moves)
    entry = judged(state, Findings(), 120.0)[node]
    assert entry.name == "blunder"
    assert entry.refutation
    after = state.states()[node].play(" ".join(entry.refutation))  # legal
    assert len(after.decisions()) == node + len(entry.refutation)
