"""Nothing leaks: every byte for a player is the same whatever he does not see."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulewright
from rulewright.app.cli import main
from rulewright.app.cli.explained import explanation_lines
from rulewright.app.cli.play import _export
from rulewright.app.play.dialogue import Helpers
from rulewright.app.play.game_table import GameTable
from rulewright.app.play.saved_games import Autosave, read_saved_game
from rulewright.app.play.screen import Size, frame
from rulewright.app.play.seats import Seat
from rulewright.app.play.session import Session
from rulewright.app.play.terminal import LineTerminal
from rulewright.app.studio import messages as m
from rulewright.app.studio.desk import Desk
from rulewright.app.studio.folder import Folder
from rulewright.errors import Fault, RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.engine.sight import sight
from rulewright.games.render.board_text import plain
from rulewright.search.best import open_search
from rulewright.search.results import Limits, SearchResult
from rulewright.search.sampled import sampled_decision
from tests.shared.desks import ask

RULES = """format 1
game codes

players red blue
board square 7 by 2
pieces spy "RB", mole "rb"

let codes = [1111, 7351, 8462]

state code each = 0 in 0..9999 hidden
state guesses each = 0 in 0..9

sees near(own)

setup
  chance mine in 0..2
  chance yours in 0..2
  code for red := codes(mine)
  code for blue := codes(yours)
  put red spy at a1
  put blue spy at e2
  put blue spy at g2
  if yours = 1
    put blue mole at g2
  write "{codes(mine)}-{codes(yours)}"

move go
  choose a in own and not column(7)
  choose b in near(a) and not own
  if no b enemy
    move a to b
  else
    again
  guesses := guesses + 1

turn go

win when guesses = 9 and code > code for enemy
lose when guesses = 9
"""
TWINS = ("1111-7351", "1111-8462")
"""Two deals that look the same to red."""
TYPED = [
    "?", "moves", "undo", "redo", "to 0", "to 1", "why", "seats", "seat blue human",
    "seat red random", "set x 1", "save out.json", "save out.txt", "load out.json", "replay",
    "next", "back", "a1-b1", "play", "go", "e2-d2", "7351", "a1-c2", "b1-a1 e2-d2",
    "claim", "help", "moves", "b1-b2", "b2-b1", "a1-b1", "b1-c1", "quit",
]  # fmt: skip


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "codes.rules").write_text(RULES, "utf-8")
    return tmp_path


def table(deal: str, second: str = "random") -> GameTable:
    game = rulewright.load("codes.rules", backend="reference")
    seats = (Seat.of("human", game), Seat.of(second, game))
    helpers = Helpers(explanation_lines, read_saved_game, _export)
    session = Session("codes.rules", game.start().play(deal), seats, seed=3)
    return GameTable(session, helpers, Autosave.fresh("codes.rules"))


def test_twins_look_the_same_and_are_not() -> None:
    first, second = (table(deal).session.state for deal in TWINS)
    assert not first.same(second)
    assert sight(first, "red").text() == sight(second, "red").text()
    assert sight(first, "blue").text() != sight(second, "blue").text()


def typed(deal: str, capsys: pytest.CaptureFixture[str]) -> str:
    """All that the terminal says to red, line by line and as frames."""
    lines = io.StringIO("\n".join(TYPED) + "\n")
    at = table(deal)
    LineTerminal(at, lines).play()
    frames = [plain(frame(at.session, "", "", Size(60, 24)))]
    assert not at.session.over
    return capsys.readouterr().out + "\n".join(frames)


def test_a_terminal_tells_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (typed(deal, capsys) for deal in TWINS)
    assert first == second
    assert not any(secret in first for secret in ("7351-", "8462", "blue 7351"))
    assert "code: red 1111, blue ?" in first


def requests() -> Iterator[tuple[str, dict[str, object]]]:
    """A request of every method, of some of them several."""
    yield "play", {"text": "a1-b1"}
    yield "think", {}
    for text in ("b1-a1 e2-d2", "e2-d2", "7351", "b1-b2", "b1-a1"):
        yield "play", {"text": text}
        yield "think", {}
    params: dict[str, dict[str, object]] = {
        "goto": {"node": 1}, "sit": {"chair": 1, "player": "human"}, "search": {"seconds": 0},
        "why_not": {"text": "a1-c2"}, "why": {"text": "a1-c2"}, "read": {"path": "codes.rules"},
        "follow": {"path": "codes.rules", "text": RULES.replace(" hidden", "")},
        "write_game": {"form": "txt"}, "curve": {"seconds": 0.01}, "factors": {"personality": "x"},
        "patterns": {"file": "x"},
    }  # fmt: skip
    left_out = {"hello", "write", "compare", "tournament", "resign", "open", "read_game"}
    for method in m.METHODS:
        if method not in left_out:
            yield method, params.get(method, {})
    yield "table", {}


def answers(deal: str) -> list[str]:
    """All that a page is told."""
    desk = Desk(Folder(Path.cwd()), seed=3)
    told = list[str]()
    players = ["human:random", "random"]  # a search would end by the clock, or at a player stuck
    ask(desk, "open", game="codes.rules", moves=deal, players=players)
    for method, params in requests():
        try:
            told.append(json.dumps(ask(desk, method, **params), default=str))
        except (RulewrightError, m.BadRequest) as error:
            told.append(f"{method}: {error}")
    return told


def test_a_page_receives_no_secrets() -> None:
    first, second = (answers(deal) for deal in TWINS)
    assert first == second
    telling = sum("would show what a player does not see" in text for text in first)
    assert telling > 8
    assert any('"text": "a1-b1"' in text for text in first)


def test_commands_show_the_part_of_the_mover(capsys: pytest.CaptureFixture[str]) -> None:
    outputs = list[str]()
    for deal in TWINS:
        for words in (["show"], ["moves"], ["show", "--svg", "-"], ["best", "--nodes", "50"]):
            command, *more = words
            main([command, "codes.rules", "--moves", deal, *more])
        text = capsys.readouterr().out
        outputs.append("".join(line for line in text.splitlines() if '"seconds"' not in line))
    assert outputs[0] == outputs[1]
    main(["show", "codes.rules", "--moves", TWINS[0], "--seat", "all"])
    assert "code: red 1111, blue 7351" in capsys.readouterr().out


def test_advice_rests_on_what_was_seen() -> None:
    advice = list[object]()
    for deal in TWINS:
        state = table(deal).session.state
        result = sampled_decision(state, Limits(None, nodes=60), 5, open_search)
        assert result.searched
        advice.append((result.move, result.value, result.root, result.nodes))
    assert advice[0] == advice[1]


def test_positions_in_which_nobody_can_decide_say_nothing() -> None:
    asked = list[State]()

    def search(state: State, limits: Limits, seed: int) -> SearchResult:
        asked.append(state)
        if len(asked) % 2:
            raise Fault("stuck", "nobody can decide here")
        return open_search(state, limits, seed)

    result = sampled_decision(table(TWINS[0]).session.state, Limits(None, nodes=60), 5, search)
    assert result.searched
    assert len(asked) > 1


@pytest.mark.parametrize("player", ["engine:cat", "gtp:cat", "nobody.personality"])
def test_players_who_would_see_all_are_refused(player: str) -> None:
    game = rulewright.load("codes.rules", backend="reference")
    with pytest.raises(RulewrightError, match="do not see everything"):
        Seat.of(player, game)


def test_what_looks_at_all_of_it_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("engine", "gtp", "uci", "usi", "ucci"):
        assert main([command, "codes.rules"]) in (1, 2)
    shown = capsys.readouterr()
    assert not shown.out
    assert shown.err.count("would tell it") == 5, shown.err
    with pytest.raises(RulewrightError, match="two people at one screen"):
        table(TWINS[0], "human")


def test_all_is_shown_when_the_game_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    LineTerminal(table(TWINS[0]), io.StringIO("resign\n")).play()
    assert "code: red 1111, blue 7351" in capsys.readouterr().out


SEEN = """format 1
game mines
players solver
board square 2 by 2
state mine = nowhere{hidden}
state open = nowhere
state beside each s in sites = 0 in 0..8
setup
  chance a in sites
  mine := a
move dig
  choose s in not open
  open := open or s
  beside(s) := count (around(s) mine)
turn dig
lose when open meets mine
win when count open = 3
"""


def test_a_state_that_only_players_look_at_is_no_mistake_beside_secrets() -> None:
    assert not rulewright.check(SEEN.format(hidden=" hidden")).diagnostics
    (warning,) = rulewright.check(SEEN.format(hidden="")).diagnostics
    assert "nothing ever looks at it" in warning.message
