"""Where a game of the studio stands, and what is only looked at; who has the turn to think."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Lock

import pytest

from rulewright import load
from rulewright.app.studio import analysing, judging
from rulewright.app.studio.analysing import prepare_players
from rulewright.app.studio.desk import Desk
from rulewright.app.studio.findings import Judgement
from rulewright.app.studio.folder import Folder
from rulewright.app.studio.thinking import Telling, in_turn
from rulewright.errors import RulewrightError
from tests.shared.desks import ask
from tests.shared.places import RULESETS


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "data"))
    desk = Desk()
    yield desk
    desk.close()


def test_looking_is_not_moving(desk: Desk) -> None:
    ask(desk, "sit", chair=1, player="random")
    ask(desk, "play", text="b2")
    stands = ask(desk, "think")
    assert (stands["at"], stands["end"], stands["thinking"]) == (2, 2, False)
    assert desk.autosave is not None
    saved = desk.autosave.path.read_bytes()
    looking = ask(desk, "goto", node=1)
    assert (looking["at"], looking["end"], looking["thinking"]) == (1, 2, False)
    assert looking["nodes"] == stands["nodes"]
    assert desk.autosave.path.read_bytes() == saved
    with pytest.raises(RulewrightError, match="an earlier position is shown"):
        ask(desk, "resign")
    assert ask(desk, "goto", node=2) == stands
    ask(desk, "goto", node=1)
    going_on = ask(desk, "play_on")
    assert (going_on["at"], going_on["end"], going_on["thinking"]) == (1, 1, True)


def test_who_has_given_up_has_so_where_the_game_stands(desk: Desk) -> None:
    ask(desk, "play", text="b2")
    given_up = ask(desk, "resign")
    assert (given_up["over"], given_up["verdict"]) == (True, "cross wins: nought resigned")
    assert not ask(desk, "goto", node=0)["over"]
    assert ask(desk, "goto", node=1) == given_up
    ask(desk, "goto", node=0)
    assert not ask(desk, "play_on")["over"]
    assert not ask(desk, "goto", node=1)["over"]


def test_a_game_that_somebody_gave_up_at_once_goes_on(desk: Desk) -> None:
    late = ask(desk, "resign", late=True)
    assert (late["given_up"], late["verdict"]) == (True, "nought wins: cross has no time left")
    with pytest.raises(RulewrightError, match="go back to play on"):
        ask(desk, "play", text="b2")
    assert not ask(desk, "play_on")["over"]
    assert ask(desk, "play", text="b2")["at"] == 1
    assert ask(desk, "resign")["verdict"] == "cross wins: nought resigned"


def test_a_long_request_waits_for_its_turn_until_another_comes() -> None:
    lock, wanted = Lock(), True
    telling = Telling(lambda _: None, lambda: not wanted)
    with in_turn(lock, telling):
        assert lock.locked()
        wanted = False
        with pytest.raises(RulewrightError, match="a newer question"), in_turn(lock, telling):
            raise AssertionError("two have the turn")
    assert not lock.locked()


LOOK = "format 1\nlook mine for tictactoe\n\nside cross is {}\nboard cells paper\n"


def test_a_look_is_seen_while_it_is_written(tmp_path: Path) -> None:
    desk = Desk(Folder(tmp_path))
    ask(desk, "play", text="b2")
    red, blue = (
        ask(desk, "follow", path="mine.look", text=LOOK.format(colour))
        for colour in ("red", "blue")
    )
    assert red["scene"]["drawing"]["symbols"] != blue["scene"]["drawing"]["symbols"]
    assert red["nodes"] == blue["nodes"]  # the game goes on
    assert ask(desk, "play", text="a1")["scene"]["drawing"] == blue["scene"]["drawing"]
    for wrong in ("format 1\n", LOOK.replace("tictactoe", "hex").format("red")):
        with pytest.raises(RulewrightError):
            ask(desk, "follow", path="mine.look", text=wrong)
    assert ask(desk, "table")["scene"]["drawing"] == blue["scene"]["drawing"]
    desk.close()


def test_a_look_that_is_tried_stays_for_the_next_game(tmp_path: Path) -> None:
    (tmp_path / "mine.look").write_text(LOOK.format("red"))
    desk = Desk(Folder(tmp_path))
    typed = ask(desk, "follow", path="mine.look", text=LOOK.format("yellow"))
    again = ask(desk, "open", game="tictactoe", options={})
    assert again["scene"]["drawing"] == typed["scene"]["drawing"]
    assert again["nodes"] == []
    other = ask(desk, "open", game="hex", options={})
    assert other["game"] == "hex"
    usual = ask(desk, "open", game="tictactoe", options={})
    assert usual["scene"]["drawing"] != typed["scene"]["drawing"]
    desk.close()


def test_a_look_that_was_saved_is_that_of_the_next_game(tmp_path: Path) -> None:
    rules = (RULESETS / "tictactoe" / "tictactoe.rules").read_text("utf-8")
    (tmp_path / "tictactoe.rules").write_text(rules)
    desk = Desk(Folder(tmp_path))
    before = ask(desk, "open", game="tictactoe.rules")["scene"]["drawing"]
    text = LOOK.replace("look mine", "look tictactoe").format("yellow")
    ask(desk, "write", path="tictactoe.look", text=text, digest="")
    assert ask(desk, "open", game="tictactoe.rules")["scene"]["drawing"] != before
    desk.close()


def test_moves_of_chess_are_shown_as_people_write_them() -> None:
    desk = Desk()
    ask(desk, "open", game="chess", moves="e2e4 e7e5 g1f3 b8c6 f1c4 f8c5")
    table = ask(desk, "play", text="e1g1")
    texts = [(node["text"], node["shown"]) for node in table["nodes"]]
    assert texts[2:4] == [("g1f3", "Nf3"), ("b8c6", "Nc6")]
    assert texts[-1] == ("e1g1", "O-O")
    ask(desk, "open", game="connect4")
    assert ask(desk, "play", text="4")["nodes"][0]["shown"] == ""


def test_what_searches_say_of_chess_is_written_as_its_moves_are() -> None:
    """Best moves, what was better and what refutes, explanations, thoughts, players compared."""
    desk = Desk()
    ask(desk, "open", game="chess", moves="f2f3 e7e5 g2g4")
    analysis = ask(desk, "search", seconds=2)
    assert analysis["move"] == "d8h4"
    assert (analysis["candidates"][0]["shown"], *analysis["line"]) == ("Qh4#", "Qh4#")
    explained = ask(desk, "explain", personality="patzer", seconds=60)
    assert explained["lines"]["b8c6"][0] == "Nc6"
    assert explained["explanation"]["moves"][0]["line"] == ["d8h4"]
    pair = ask(desk, "versus", personality="patzer", other="club", seconds=60)
    assert (pair["first"], pair["second"]) == ("Qh4#", "Qh4#")
    entries = ask(desk, "curve", seconds=60)
    (blunder,) = (entry for entry in entries if entry["name"] == "blunder")
    assert (blunder["node"], *blunder["refutation"]) == (3, "Qh4#")
    assert blunder["best"] != blunder["shown"] != ""
    ask(desk, "goto", node=0)
    desk.tree.findings.weigh(desk.tree.state, Judgement("white", 0.5, None, "b1c3", (), depth=99))
    notes = ask(desk, "explain", personality="patzer", seconds=60)["notes"]
    assert "the best moves name Nc3, 99 moves ahead" in notes


def test_two_players_side_by_side_part_as_they_are_explained(desk: Desk) -> None:
    """Who has played something by fewer nodes is compared by that, not by another search."""
    ask(desk, "open", game="connect4", moves="4 4 4 4 4", players=["human", "counter@nodes=1"])
    played = ask(desk, "think", seconds=1)["nodes"][-1]["text"]
    ask(desk, "goto", node=5)
    pair = {"personality": "counter", "other": "eager", "seconds": 20}
    parting = ask(desk, "versus", **pair)
    names = pair["personality"], pair["other"]
    explained = [ask(desk, "explain", personality=name, seconds=20) for name in names]
    assert parting["first"] == played
    decisions = [one["explanation"]["decision"] for one in explained]
    assert [parting["first"], parting["second"]] == decisions


def test_best_moves_know_what_their_player_was_explained_by(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    judges = {"connect4": {"player": "counter@nodes=50", "scale": 50}}
    monkeypatch.setattr(judging, "_judges", lambda: judges)
    ask(desk, "open", game="connect4", moves="4 4 4 4 4")
    explained = ask(desk, "explain", personality="counter", seconds=20)
    furthest = desk.tree.findings.furthest(desk.tree.state)
    assert furthest is not None
    assert furthest.move == explained["explanation"]["decision"]
    assert furthest.depth > 2
    assert ask(desk, "explain", personality="counter", seconds=20) == explained
    assert ask(desk, "search", seconds=0.01)["move"] == furthest.move


def test_what_goes_wrong_while_a_person_decides_is_said_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def fail(*_: object) -> None:
        asked.append(True)
        raise RulewrightError("the judge has no factor of this name")

    monkeypatch.setattr(analysing, "_by_judge", fail)
    searching = Lock()
    prepare_players(load("othello").start(), (), 0, searching)
    assert asked
    assert not searching.locked()
