"""The levels of play that the studio offers: what was measured, and how."""

from __future__ import annotations

import sys

import pytest

from rulewright.app.studio.desk import Desk
from rulewright.app.studio.levels import LEVELS_FILE, levels_measured, levels_text
from rulewright.games.files.games import bundled_games, load
from rulewright.matches.protocols.contestant import Contestant
from rulewright.players.player import GameLimits
from tests.shared.desks import ask
from tests.shared.places import ROOT


def test_the_file_is_what_the_tool_writes() -> None:
    assert levels_text(levels_measured()) == LEVELS_FILE.read_text("utf-8")
    assert len(levels_measured()) >= 12


@pytest.mark.parametrize("game", levels_measured())
def test_each_level_plays_and_is_stronger_than_the_one_below(game: str) -> None:
    assert game in bundled_games()
    for level in levels_measured()[game]:
        assert Contestant.parse(level.player).open(load(game), GameLimits()) is not None
        games = level.wins + level.draws + level.losses
        assert games >= 20
        assert level.wins + level.draws / 2 >= 0.6 * games


def test_a_page_receives_all_levels() -> None:
    desk = Desk()
    levels = ask(desk, "hello")["levels"]
    desk.close()
    assert levels["chess"][0]["wins"] > 0
    assert [level["wins"] for level in levels[""]] == [0, 0, 0]  # of games that nobody measured


def test_a_limit_that_is_no_stronger_is_no_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    sys.modules.pop("levels", None)
    import levels

    points = {30: (9, 0, 1), 300: (5, 0, 5), 3000: (6, 0, 4), 30000: (4, 3, 3)}
    against = dict[int, str]()

    def meet(game: str, player: str, below: str, games: int) -> tuple[int, int, int]:
        nodes = int(player.partition("=")[2])
        against[nodes] = below
        return points[nodes]

    monkeypatch.setattr(levels, "meet", meet)
    ladder = list(levels.measure("hex", "search", 10))
    assert [level.player for level in ladder] == ["search@nodes=30", "search@nodes=3000"]
    assert (against[3000], against[30000]) == ("search@nodes=30", "search@nodes=3000")


def test_games_count_for_who_won_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    from levels import meet

    won, drawn, lost = meet("tictactoe", "search@nodes=300", "random", 6)
    assert won + drawn + lost == 6
    assert won > lost
