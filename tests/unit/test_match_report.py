"""The page of a record: it needs nothing else, and shows every position as it was."""

import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from rulewright.app.cli import main
from rulewright.matches.api import tournament
from rulewright.matches.game_record import GameRecord
from rulewright.matches.record_files import Match, read_matches
from rulewright.matches.report import (
    histogram,
    intervals,
    length_bins,
    packed_frames,
    report,
    spread,
)
from rulewright.matches.verify import game_of_plan, recorded_states


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Match:
    path = tmp_path_factory.mktemp("page") / "record.db"
    players = ["random", "computer@nodes=20", "computer@nodes=9"]
    with tournament("tictactoe", players, games=4, record=path) as run:
        list(run)
    return read_matches(path)[0]


@pytest.fixture(scope="module")
def page(match: Match) -> str:
    return report(match)


def record(path: Path) -> list[GameRecord]:
    return read_matches(path)[0].games


def embedded(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def unfolded(frames: list[dict[str, Any]]) -> list[list[int]]:
    found: list[list[int]] = []
    for one in frames:
        found.append(one["whole"] if "whole" in one else list(found[-1]))
        for place, line in one.get("change", ()):
            found[-1][place] = line
    return found


@given(st.lists(st.lists(st.integers(0, 3), max_size=4), max_size=6))
def test_frames_are_what_changed(frames: list[list[int]]) -> None:
    assert unfolded(list(packed_frames(frames))) == frames


def test_every_position_is_on_the_page(match: Match, page: str) -> None:
    data, game = embedded(page), game_of_plan(match.plan)
    assert len(data["games"]) == len(match.games) == 12
    for shown, record in zip(data["games"], match.games, strict=True):
        drawings = [
            "\n".join(data["lines"][n] for n in frame) for frame in unfolded(shown["frames"])
        ]
        assert drawings == [state.svg().strip() for state in recorded_states(game, record)]
        assert [move["text"] for move in shown["moves"]] == record.decisions
        assert shown["told"] == record.verdict()
        assert shown["opening"].split() == record.decisions[: record.opening] != []
        won = {"1-0": 0, "0-1": 1, "1/2": None}[shown["result"]]
        assert (won, shown["turns"]) == (record.winner, record.turns)


class Links(HTMLParser):
    """Collects what a page would load, and which elements were left open."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [f"{tag} {k}={v}" for k, v in attrs if k in ("src", "href", "srcset")]
        if tag not in ("meta", "link", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass


def test_the_page_needs_nothing_else(page: str) -> None:
    links = Links()
    links.feed(page)
    assert links.loads == []
    assert links.open == []
    assert "@import" not in page
    assert "url(" not in page
    assert set(re.findall(r"https?://[^\"' ]+", page.replace("\\", ""))) == {
        "http://www.w3.org/2000/svg"
    }


def test_the_page_tells_the_tables(match: Match, page: str) -> None:
    for player in match.plan.players:
        assert page.count(f"<td>{player}</td>") == 1  # time and nodes
    assert page.count("<tr><td>1 ") == 1
    assert "12 games" in page
    assert all(f"<td>{a} - {b}</td>" in page for a in match.plan.players
               for b in match.plan.players if a != b)  # fmt: skip


def test_names_cannot_break_the_page(match: Match) -> None:
    evil = "</script><b>&"
    players = (evil, *match.plan.players[1:])
    games = [
        evolve(g, players=(_renamed(g.players[0], evil), _renamed(g.players[1], evil)))
        for g in match.games
    ]
    text = report(evolve(match, plan=evolve(match.plan, players=players), games=games))
    links = Links()
    links.feed(text)
    assert links.open == []
    assert "<b>" not in text
    assert evil in {p for g in embedded(text)["games"] for p in [g["name"][:13]]}


def _renamed(player: str, name: str) -> str:
    return name if player == "random" else player


def test_a_page_without_games(match: Match) -> None:
    text = report(evolve(match, games=[]))
    assert "No game is on record yet." in text
    assert embedded(text)["games"] == []


@given(st.integers(0, 50), st.integers(0, 60))
def test_games_are_chosen_evenly(games: int, most: int) -> None:
    chosen = spread(list(range(games)), most)  # type: ignore[arg-type]
    assert len(chosen) == min(games, most)
    assert chosen == sorted(set(chosen))


@given(st.lists(st.integers(0, 3000), min_size=1, max_size=200))
def test_every_length_is_counted_once(lengths: list[int]) -> None:
    bars = list(length_bins(lengths))
    assert sum(count for _, _, count in bars) == len(lengths)
    assert len(bars) <= 41
    ET.fromstring(histogram(lengths))


@given(st.lists(st.tuples(st.floats(-2000, 2000), st.floats(0, 800)), min_size=1, max_size=6))
def test_ratings_lie_within_the_chart(numbers: list[tuple[float, float]]) -> None:
    rows = [
        {"player": f"<{i}>", "elo": elo, "low": elo - half, "high": elo + half}
        for i, (elo, half) in enumerate(numbers)
    ]
    chart = ET.fromstring(intervals(rows))
    places = [float(e.get(name, 0)) for e in chart.iter() for name in ("cx", "x1", "x2")]
    assert all(0 <= x <= float(chart.get("width", 0)) for x in places)


def test_the_command_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "record.db"
    with tournament("tictactoe", ["random", "computer@nodes=9"], games=2, record=path) as run:
        list(run)
    assert main(["report", str(path)]) == 0
    assert len(embedded((tmp_path / "record.html").read_text("utf-8"))["games"]) == 2
    assert main(["report", str(path), "--games", "0", "--out", "-"]) == 0
    out = capsys.readouterr().out
    games = embedded(out)["games"]
    assert [game["line"] for game in games] == [" ".join(g.decisions) for g in record(path)]
    assert not any("frames" in game for game in games)
    assert "2 games. 0 of them are drawn." in out
    assert main(["report", str(path), "--out", str(path)]) == 2
