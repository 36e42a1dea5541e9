"""Matches of more than two players: who sits where, places, ratings, records."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.app.cli import main
from rulewright.errors import RulewrightError
from rulewright.matches import referee
from rulewright.matches.api import match, tournament
from rulewright.matches.export import csv_text, lines_text
from rulewright.matches.game_files import of_record
from rulewright.matches.game_record import GameRecord, game_of, plan_of, refusal_of_game
from rulewright.matches.placings import Placings
from rulewright.matches.plan import MatchPlan
from rulewright.matches.record_files import import_matches, read_matches
from rulewright.matches.report import report
from rulewright.matches.verify import verify
from rulewright.players.player import Decision
from tests.shared.effort import tries
from tests.shared.tiny import ROWS_FOR_THREE

NAMES = ("random", "random@nodes=1", "random@nodes=2", "random@nodes=3")


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.rules"
    path.write_text(ROWS_FOR_THREE, "utf-8")
    return path


def record_of(places: tuple[int, ...], players: tuple[str, ...] = NAMES[:3]) -> GameRecord:
    """A game without decisions that ended so."""
    winner = places.index(1) if places.count(1) == 1 else None
    return GameRecord(
        "", 0, 0, "rows", {}, players, (), 0, winner, "rules", "", 0, 0, places=places
    )


# --- plans ---


@given(
    st.integers(2, 6), st.integers(3, 8), st.integers(1, 3), st.sampled_from(["gauntlet", "all"])
)
@settings(max_examples=tries(100))
def test_everybody_sits_everywhere_as_often(
    entrants: int, seats: int, rounds: int, form: str
) -> None:
    """Of all line-ups; in a gauntlet the first entrant is in every game, all others as often."""
    names = tuple("abcdef"[:entrants])
    is_gauntlet = form == "gauntlet"
    plan = MatchPlan(
        "g", {}, names, seats * rounds, "gauntlet" if is_gauntlet else "round robin", seats=seats
    )
    games = [game for pair in plan.pairs() for game in pair.games()]
    assert [number for number, _ in games] == [*range(plan.total)]
    assert plan.pairs() == [plan.pair(number) for number in range(len(plan.pairs()))]
    chairs = Counter((player, seat) for _, seated in games for seat, player in enumerate(seated))
    for player in range(entrants):
        assert len({chairs[player, seat] for seat in range(seats)}) == 1
    assert len({chairs[player, 0] for player in range(is_gauntlet, entrants)}) == 1
    if is_gauntlet:
        assert all(0 in seated for _, seated in games)
    assert plan_of(json.loads(json.dumps(plan.as_data()))) == plan


@pytest.mark.parametrize(
    ("term", "value"), [("sprt", (0.0, 5.0, 0.05, 0.05)), ("both_seats", True), ("drawn", "a:b")]
)
def test_terms_of_two_players_are_refused(term: str, value: object) -> None:
    with pytest.raises(RulewrightError, match="is for two players, and this game has 3"):
        evolve(MatchPlan("g", {}, ("a", "b"), 3, seats=3), **{term: value})  # type: ignore[arg-type]


def test_a_round_has_one_opening_and_new_seats(rows: Path) -> None:
    with tournament(rows, NAMES[:3], games=6) as run:
        games = [*run]
    assert len({tuple(game.decisions[: game.opening]) for game in games}) == 2
    for pair in (games[:3], games[3:]):
        assert len({tuple(game.decisions[: game.opening]) for game in pair}) == 1
        assert {game.players[0] for game in pair} == {*NAMES[:3]}


def test_a_seed_plays_the_same_games_again(rows: Path) -> None:
    def played() -> list[list[str]]:
        with match(rows, "random", "search@nodes=50", games=3) as run:
            return [game.decisions for game in run]

    assert played() == played()


# --- places and ratings ---


@given(st.permutations([1, 2, 3]), st.integers(1, 5))
def test_whoever_stands_in_front_is_rated_higher(places: list[int], games: int) -> None:
    table = Placings(NAMES[:3])
    for _ in range(games):
        table.add(record_of(tuple(places)))
    order = [row["player"] for row in table.rows()]
    assert order == [name for _, name in sorted(zip(places, NAMES, strict=False))]
    assert all(row["games"] == games for row in table.rows())


def test_a_game_counts_once_for_everybody() -> None:
    """In all line-ups with all places alike nobody is stronger."""
    table = Placings(NAMES[:3])
    for line_up in permutations(NAMES[:3]):
        table.add(record_of((1, 2, 2), line_up))
    assert {abs(rating.elo) for rating in table.ratings()} == {0.0}
    assert all(row["places"] == {"1": 2, "2": 4} for row in table.rows())


@given(st.lists(st.integers(1, 3), min_size=3, max_size=8))
def test_points_of_a_game_sum_up_to_half_of_its_seats(places: list[int]) -> None:
    points = record_of(tuple(places), ("x",) * len(places)).points
    assert sum(points) == pytest.approx(len(places) / 2)
    assert [a < b for a in places for b in places] == [a > b for a in points for b in points]


def test_a_search_stands_in_front_of_chance(rows: Path) -> None:
    with match(rows, "random", "search@nodes=600", games=12) as run:
        assert len([*run]) == 24  # two line-ups: one of the two sits in two of three seats
        assert next(row["player"] for row in run.result()["placings"]) == "search@nodes=600"


def test_who_decides_what_is_not_legal_is_last(rows: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "decision_of", lambda *_: Decision("z9"))
    with tournament(rows, NAMES[:3], games=3, openings=3) as run:
        first, *_ = run
    assert first.reason == "illegal"
    assert first.places == (3, 1, 1)  # after an opening of three turns red is asked first
    assert [player["failures"] for player in run.result()["effort"]] == [1, 1, 1]


# --- records ---


def test_a_match_goes_on_where_it_was_broken_off(rows: Path, tmp_path: Path) -> None:
    """And its games are verified, written as lines and read back, listed and drawn."""
    path, other = tmp_path / "games.db", tmp_path / "other.db"
    entrants = ("random", "search@nodes=30")
    with match(rows, *entrants, games=3, record=path) as run:
        early = [next(run), next(run), next(run)]
    with match(rows, *entrants, games=3, record=path) as run:
        later = [*run]
        assert run.resumed == 3
    with match(rows, *entrants, games=3) as run:
        assert [game.decisions for game in run] == [game.decisions for game in [*early, *later]]
    (recorded,) = read_matches(path)
    assert [*verify(recorded)] == []
    lines = tmp_path / "games.jsonl"
    lines.write_text(lines_text([recorded]), "utf-8")
    import_matches(other, [lines])
    assert read_matches(other)[0].games == recorded.games
    table = csv_text([recorded]).splitlines()
    assert table[0].startswith(
        "match,game,number,pair,first,second,third,winner,first_points,places"
    )
    assert "<h2>Places</h2>" in report(recorded)
    assert of_record(recorded.games[0]).names == recorded.games[0].players


def test_a_changed_place_is_noticed(rows: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with tournament(rows, NAMES[:3], games=3, record=path) as run:
        games = [*run]
    (recorded,) = read_matches(path)
    game = next(game for game in games if game.winner is not None)
    assert game.winner is not None
    turned = game.places[-1:] + game.places[:-1]
    other = evolve(game, places=turned, winner=turned.index(1))
    complaints = [*verify(evolve(recorded, games=[other]))]
    assert any("the places are" in complaint for complaint in complaints)
    assert refusal_of_game(evolve(game, places=game.places[:2]), run.plan)
    assert refusal_of_game(evolve(game, places=()), run.plan)
    assert not refusal_of_game(game_of(game.line(), "here"), run.plan)


# --- commands ---


def test_the_commands_write_games_and_tables(
    rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "games.db"
    words = ["match", str(rows), "random", "search@nodes=100", "--games", "5"]
    assert main([*words, "--record", str(record), "--format", "json", "--clock", "60"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["games"] == 12  # two rounds of three seats, and two line-ups
    assert data["seats"] == 3
    assert {row["player"] for row in data["placings"]} == {"random", "search@nodes=100"}
    assert main(["replay", str(record), "--verify"]) == 0
    assert main(["tournament", str(rows), *NAMES[:4], "--games", "3", "--gauntlet"]) == 0
    assert "place 3" in capsys.readouterr().out
    assert main(["tune", str(rows), "plain", "--out", str(tmp_path / "a.personality")]) in (1, 2)
    assert "tuning is for one or two" in capsys.readouterr().err
    assert main([*words, "--sprt", "0", "9"]) in (1, 2)
    assert "--sprt is for two players" in capsys.readouterr().err
    assert main(["match", "tictactoe", "random", "random", "random"]) in (1, 2)
    assert "is between two players" in capsys.readouterr().err
