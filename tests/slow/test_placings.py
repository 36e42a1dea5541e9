"""Matches of more than two players: who sits where, places, and ratings by pairs."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulewright
from rulewright.app.cli import main
from rulewright.errors import RulewrightError
from rulewright.matches import placings
from rulewright.matches.placings import PlacedGame, PlacedMatch, Placings
from rulewright.players.player import Decision, GameLimits
from tests.shared.tiny import ROWS_FOR_THREE

NAMES = ("random", "random@nodes=1", "random@nodes=2", "random@nodes=3")


def match(entrants: tuple[str, ...], rounds: int, nodes: int = 200) -> PlacedMatch:
    return PlacedMatch(rulewright.loads(ROWS_FOR_THREE), entrants, rounds, GameLimits(nodes=nodes))


@pytest.mark.parametrize(("number", "rounds"), [(2, 2), (3, 2), (4, 4)])
def test_everybody_sits_everywhere_as_often(number: int, rounds: int) -> None:
    games = [*match(NAMES[:number], rounds).play()]
    chairs = Counter((text, seat) for game in games for seat, text in enumerate(game.line_up))
    assert [game.number for game in games] == [*range(1, 3 * rounds + 1)]
    assert set(chairs) == {(text, seat) for text in NAMES[:number] for seat in range(3)}
    assert len({*chairs.values()}) == 1
    openings = {game.moves[:3] for game in games}
    assert len(openings) == rounds  # one for each round


def test_a_seed_plays_the_same_games_again() -> None:
    first, second = ([*match(("random", "search"), 2).play()] for _ in range(2))
    assert first == second


@given(st.permutations([1, 2, 3]), st.integers(1, 5))
def test_whoever_stands_in_front_is_rated_higher(places: list[int], games: int) -> None:
    table = Placings(NAMES[:3])
    for number in range(games):
        table.add(PlacedGame(number, NAMES[:3], (), tuple(places), "rules"))
    order = [row["player"] for row in table.rows()]
    assert order == [name for _, name in sorted(zip(places, NAMES, strict=False))]
    assert all(row["games"] == games for row in table.rows())


def test_a_game_counts_once_for_everybody() -> None:
    """In all line-ups with all places alike nobody is stronger."""
    table = Placings(NAMES[:3])
    for line_up in permutations(NAMES[:3]):
        table.add(PlacedGame(1, line_up, (), (1, 2, 2), "rules"))
    assert {abs(row["elo"]) for row in table.rows()} == {0.0}
    assert all(row["places"] == {1: 2, 2: 4} for row in table.rows())


def test_a_game_without_places_counts_for_nobody() -> None:
    table = Placings(NAMES[:3])
    table.add(PlacedGame(1, NAMES[:3], (), (), "fault", "a mistake of the rules"))
    assert table.games == 0
    assert all(row["games"] == 0 for row in table.rows())


def test_a_search_stands_in_front_of_chance() -> None:
    table = Placings(("random", "search"))
    for game in match(table.entrants, 4, 600).play():
        table.add(game)
    assert [row["player"] for row in table.rows()] == ["search", "random"]


def test_who_decides_what_is_not_legal_is_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placings, "decision_of", lambda *_: Decision("z9"))
    first, *_ = match(NAMES[:3], 1).play()
    assert first.reason == "illegal"
    assert first.places == (3, 1, 1)  # after an opening of three turns red is asked first


@pytest.mark.parametrize("entrants", [("random",), ("random", "random")])
def test_entrants_are_two_at_least_and_differ(entrants: tuple[str, ...]) -> None:
    with pytest.raises(RulewrightError, match="two entrants"):
        match(entrants, 1)


def test_the_command_writes_games_and_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, record = tmp_path / "rows.rules", tmp_path / "games.jsonl"
    path.write_text(ROWS_FOR_THREE, "utf-8")
    words = ["match", str(path), "random", "search@nodes=100", "--games", "6"]
    assert main([*words, "--record", str(record), "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    games = [json.loads(line) for line in record.read_text("utf-8").splitlines()]
    assert data["games"] == len(games) == 6
    for game in games:
        state = rulewright.load(path).start().play(" ".join(game["moves"]))
        outcome = state.situation.outcome
        assert outcome is not None
        assert [*outcome.places] == game["places"]
    assert main(words) == 0
    assert "Elo" in capsys.readouterr().out
    assert main([*words, "--clock", "5"]) in (1, 2)
    assert "--clock is for two players" in capsys.readouterr().err
    assert main(["match", "tictactoe", "random", "random", "random"]) in (1, 2)
    assert "is between two players" in capsys.readouterr().err
