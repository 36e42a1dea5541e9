"""A game under way, without a terminal: nothing that is typed raises or loses it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.app.cli.explained import explanation_lines
from rulewright.app.cli.play import _export, _pace, _texts
from rulewright.app.play.dialogue import Helpers
from rulewright.app.play.game_table import GameTable, Series
from rulewright.app.play.keyboard import prompt_text, texts_summary
from rulewright.app.play.saved_games import (
    Autosave,
    SavedGame,
    last_unfinished,
    read_saved_game,
    stored_games,
)
from rulewright.app.play.screen import Size, frame
from rulewright.app.play.seats import Seat
from rulewright.app.play.session import Session
from rulewright.app.play.terminal import LineTerminal
from rulewright.errors import RulewrightError
from rulewright.games.files.games import bundled_games
from rulewright.games.render.board_text import plain
from rulewright.matches.game_files import read_game
from rulewright.matches.protocols.contestant import Contestant
from rulewright.matches.protocols.format_settings import formats
from rulewright.players.machine import SearchResources
from tests.shared.effort import tries
from tests.shared.tiny import RULES

HELPERS = Helpers(explanation_lines, read_saved_game, _export)


def table(
    source: str, first: str, second: str, moves: str = "", series: Series | None = None
) -> GameTable:
    game = rulewright.load(source)
    state = game.start().play(moves) if moves else game.start()
    seats = (Seat.of(first, game), Seat.of(second, game))
    return GameTable(Session(source, state, seats), HELPERS, Autosave.fresh(source), series)


@pytest.fixture(autouse=True, scope="module")
def own_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULEWRIGHT_DATA", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path))
    return tmp_path


# --- whatever is typed ---

WORDS = st.sampled_from(
    [
        "?",
        "undo",
        "redo",
        "to",
        "hint",
        "why",
        "moves",
        "seats",
        "seat",
        "set",
        "save",
        "load",
        "replay",
        "next",
        "back",
        "play",
        "resign",
        "help",
        "red",
        "blue",
        "human",
        "random",
        "flip",
        "search@nodes=20",
        "flip_cost",
        "3",
        "2.5",
        "50%",
        "-1",
        "0",
        "999999999",
        "1e400",
        "nan",
        "4",
        "!4!",
        "!",
        "-",
        "un",
        "mo",
        ".",
        "/dev/null",
        "x/y.json",
        ".personality",
        "mine.personality",
    ]
)
LINES = st.lists(WORDS, max_size=4).map(" ".join) | st.text(max_size=12)
THINKING = ("hint", "why", "hin", "wh", "save", "load")
TYPED = LINES.filter(lambda line: line.casefold().split()[:1] not in [[w] for w in THINKING])


@settings(max_examples=tries(30))
@given(st.lists(TYPED | st.sampled_from(list("1234567!-")), max_size=12))
def test_no_line_raises_or_loses_the_game(lines: list[str]) -> None:
    one = table("conniption", "human", "human:flip@depth=1")
    for line in lines:
        reply = one.answer(line)
        session = one.session
        played = [*session.state.decisions(), *reversed(session.undone)]
        assert reply.leave == (line.casefold().split()[:1] in (["quit"], ["exit"], ["q"]))
        if played or session.resigned:
            kept = read_saved_game(one.autosave.path)
            assert [*kept.state.decisions(), *reversed(kept.undone)] == played
            assert kept.resigned == session.resigned
        drawn = frame(session, reply.text, "", Size(40, 12))
        assert len(drawn) < 12
        assert max(map(len, plain(drawn).splitlines())) <= 40
        if not (session.over or session.looking):
            assert session.state.moves.texts != ["-"]


@pytest.mark.parametrize("line", ["hint", "hint 0.05", "hint x", "hint -1", "why", "why 3"])
def test_thinking_answers_too(line: str) -> None:
    one = table("conniption", "human:flip@depth=1", "flip@depth=1", "4 4")
    assert one.answer(line).text


@given(st.data())
@settings(max_examples=tries(30))
def test_what_was_taken_back_is_played_again(data: st.DataObject) -> None:
    one = table("conniption", "human", "human")
    for _ in range(data.draw(st.integers(1, 20))):
        if not one.session.over:
            one.answer(data.draw(st.sampled_from(one.session.state.moves.texts)))
    moves = one.session.state.decisions()
    back = one.session.undo(data.draw(st.integers(1, 25)))
    one.session.redo(back)
    assert one.session.state.decisions() == moves
    one.answer("replay")
    assert one.session.state.decisions() == []
    assert one.session.to(10**6) == len(moves)


# --- prompts ---


@given(st.sets(st.integers(1, 40), min_size=1, max_size=12), st.randoms())
def test_a_range_names_all_decisions_and_no_others(columns: set[int], random: object) -> None:
    texts = sorted(map(str, columns))
    shown = texts_summary(texts)
    if "-" in shown:
        first, last = map(int, shown.split("-"))
        assert set(range(first, last + 1)) == columns
    elif not shown.startswith("such as"):
        assert set(shown.split()) == set(texts)


def test_the_prompt_of_connect_four_names_all_columns() -> None:
    assert prompt_text(rulewright.load("connect4").start()) == "drop 1-7; ? lists moves"
    full = rulewright.load("connect4").start().play("4 4 4 4 4 4")
    assert prompt_text(full).startswith("drop 1 2 3 5 6 7;")


def test_a_prompt_names_letters_only_where_they_are_keys() -> None:
    """What stands in a prompt can be typed: a letter is read where one key is a decision."""
    captures = rulewright.load("draughts").start().play("c3-d4 b6-c5")
    assert prompt_text(captures) == "jump d4xb6; ? lists moves"
    assert prompt_text(rulewright.load("conniption").start()) == "flip f, none p; ? lists moves"
    assert prompt_text(rulewright.load("go").start()) == "play such as a1, pass; ? lists moves"


# --- moves as people write them ---


@given(st.integers(0, 10**6))
@settings(max_examples=2)
def test_a_move_is_typed_as_it_is_shown_or_as_its_text(seed: int) -> None:
    chance, shown = Random(seed), table("chess", "human", "human").dialogue
    while len(shown.session.state.decisions()) < 8 and not shown.session.over:
        state = shown.session.state
        text = chance.choice(state.moves.texts)
        written = shown.session.notation.text(state, text)
        assert written in shown.answer("?").text.split()
        assert shown.answer(chance.choice([text, written])).text == ""
        assert shown.session.state.move == text
        assert shown.session.turns()[-1] == written


def test_moves_of_chess_are_shown_as_people_write_them() -> None:
    chess = table("chess", "human", "human").dialogue
    assert prompt_text(chess.session.state, chess.session.notation).startswith(
        "advance such as a3, double such as a4, jump Na3 Nc3 Nf3 Nh3;"
    )
    chess.answer("e4 e5 Qh5 Ke7")
    assert chess.answer("moves").text == "e4 e5 Qh5 Ke7"
    assert "legal to f7: Qxf7" in chess.answer("Nf7").text
    assert chess.answer("hint 0.1").text == "hint: Qxe5#"
    assert chess.answer("Qxe5").text == ""
    assert chess.session.verdict().startswith("white wins")


# --- what a game says ---


def test_columns_are_listed_by_their_numbers() -> None:
    one = table("connect4", "human", "human")
    one.answer("4")  # the place above is another site, and the rules have sites in their order
    assert one.answer("?").text == "drop: 1 2 3 4 5 6 7"
    assert "legal: 1, 2, 3, 4, 5, 6, 7" in one.answer("hello").text


def test_an_illegal_move_says_why() -> None:
    told = table("othello", "human", "human").answer("a1").text
    assert "need any turned" in told
    assert "legal: " in told
    assert "there are 7 columns" not in told


def test_a_move_of_another_kind_says_why_too() -> None:
    """It is written as no move of this position, and somebody who overlooks a jump writes it."""
    game = table("draughts", "human", "human", "c3-d4 b6-c5")
    message = game.answer("a3-b4").text
    assert "the turn does not offer here: now comes jump" in message
    assert "turn jump+ else walk" in message
    assert game.answer("hello").text.startswith("`hello` is no move of this position")


def test_the_end_is_reported_in_words_first() -> None:
    one = table("connect4", "human", "human", "1 2 1 2 1 2")
    one.answer("1")
    rule = "win when some(l in lines(run) : l in own)"
    assert one.session.verdict() == f"yellow wins: a row of discs is complete ({rule})"


@pytest.mark.parametrize("name", sorted(bundled_games()))
def test_every_end_of_bundled_games_has_words(name: str) -> None:
    rules = rulewright.load(name).rules
    assert [
        rules.origins[e.origin].text for e in rules.ends if not rules.origins[e.origin].about
    ] == []


def test_a_lone_none_is_played_by_itself() -> None:
    spent = table("conniption", "human", "human", "!4! 1 !4! 1 2 2")
    assert sorted(spent.session.state.moves.texts) == list("1234567")  # no flip is left
    spent.answer("3")
    assert spent.session.state.mover == "blue"
    again = table("conniption", "human", "human", "4 4!")
    assert sorted(again.session.state.moves.texts) == list("1234567")  # no flip follows a flip
    again.answer("5!")  # a whole turn is still read as one
    assert again.session.turns() == ["4", "4!", "5!"]


# --- players ---


def test_a_seat_gets_another_personality_whose_factors_change_and_are_saved(
    tmp_path: Path,
) -> None:
    one = table("conniption", "human", "random")
    assert one.answer("set flip_cost 30").text == "no personality plays"
    assert one.answer("seat blue conniption/flip@depth=1").text.startswith("blue: conniption/flip")
    assert one.answer("set flip_cost 31").text.startswith("flip_cost = 31")
    assert "flip_cost = 31" in one.answer("seats").text
    path = tmp_path / "mine.personality"
    assert one.answer(f"save {path}").text == f"saved in {path}"
    again = Seat.of(str(path), one.session.state.game)
    assert again.personality is not None
    assert again.personality.factors["flip_cost"] == 31
    assert "is there already" in one.answer(f"save {path}").text
    assert "outside the range" in one.answer("set flip_cost 9999").text
    assert "did you mean" in one.answer("set flip_cots 3").text
    assert "has no factor `zeal`; there is `one`, `two`, `three`" in one.answer("set zeal 3").text
    one.answer("4")
    assert one.session.thinking
    assert one.session.choose().move in one.session.state.moves


def test_a_bare_computer_is_the_best_player_of_the_game() -> None:
    chess = rulewright.load("chess")
    assert Seat.of("computer", chess).player_name == "club"
    assert Seat.of("computer:2", chess).seconds == 2
    assert Seat.of("search", chess).personality is None
    assert Seat.of("computer", rulewright.load("connect4")).player_name == "search"


@pytest.mark.parametrize("name", sorted(bundled_games()))
def test_the_best_player_of_each_game_is_there(name: str) -> None:
    assert Seat.of("computer", rulewright.load(name)).label


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "missing"), ("human:", "needs the name"), ("robot", "no personality"),
     ("flip:0", "above 0"),
     ("flip:4000", "at most"), ("search@flip_cost=3", "only personalities")],
)  # fmt: skip
def test_seats_that_nobody_can_take(text: str, message: str) -> None:
    with pytest.raises(RulewrightError, match=message):
        Seat.of(text, rulewright.load("conniption"))


def test_a_player_that_cannot_go_on_leaves_the_game_to_the_human() -> None:
    one = table("connect5", "human", "human")
    told = one.replace_player(RulewrightError("it has crashed"))
    assert told.endswith("cross is yours now")
    assert one.session.seat.human


# --- files ---


@pytest.mark.usefixtures("data")
def test_games_are_kept_and_reopened() -> None:
    one = table("hex", "human", "search")
    one.keep()
    assert last_unfinished("hex") is None  # nothing is played
    one.answer("c3")
    kept = last_unfinished("hex")
    assert kept is not None
    assert kept.saved.state.decisions() == ["c3"]
    assert kept.saved.players == ("human", "search")
    one.session.sit(1, Seat.of("human", one.session.state.game))
    one.answer("resign")
    assert last_unfinished("hex") is None
    assert [k.saved.over for k in stored_games()] == [True]


@pytest.mark.usefixtures("data")
def test_loading_leaves_the_game_before_kept(tmp_path: Path) -> None:
    one = table("hex", "human", "human")
    one.answer("c3")
    one.answer(f"save {tmp_path / 'other.json'}")
    one.answer("d4")
    one.answer(f"load {tmp_path / 'other.json'}")
    one.answer("e5")
    games = sorted(k.saved.state.decisions() for k in stored_games("hex"))
    assert games == [["c3", "d4"], ["c3", "e5"]]


def test_a_game_from_a_position_is_saved_with_it(tmp_path: Path) -> None:
    game = rulewright.load("chess")
    start = game.read(game.start().play("e2e4").text())
    one = GameTable(
        Session("chess", start, (Seat.of("human", game), Seat.of("human", game))),
        HELPERS, Autosave.fresh("chess"),
    )  # fmt: skip
    one.answer("e7e5")
    one.answer(f"save {tmp_path / 'game.json'}")
    assert read_saved_game(tmp_path / "game.json").state.same(one.session.state)
    assert read_game(tmp_path / "game.json").end.same(one.session.state)


def test_a_folder_that_cannot_be_written_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "file"))
    one = table("hex", "human", "human")
    one.answer("c3")
    assert "cannot be kept" in one.autosave.failed


# --- series ---


def test_a_series_has_a_score_and_exchanges_colours() -> None:
    series = Series(("random", "search@nodes=9"), 2)
    one = table("tictactoe", *series.players, series=series)
    seats = []
    while True:
        seats.append(one.session.seats[0].human)
        number = 0 if one.session.seats[0].human else 1
        while one.session.seat_of(str(one.session.state.mover)) != number:
            one.play_decision(one.session.choose())
        one.answer("resign")
        assert one.session.winner() == 1 - number
        if not one.has_next_game:
            break
        one.next_game()
    assert seats == [True, False, True, False]
    assert one.score_text() == "random 0-2, search@nodes=9 0-2; you have 0 of 4"
    again = Series.of_data(json.loads(one.autosave.path.read_text())["series"])
    assert again is not None
    assert len(again.results) == 3


# --- by lines ---


def test_a_series_by_lines(capsys: pytest.CaptureFixture[str]) -> None:
    series = Series(("random",), 1)
    one = table("tictactoe", *series.players, series=series)
    assert LineTerminal(one, io.StringIO("resign\n")).play()
    assert "random 0-1; you have 0 of 1" in capsys.readouterr().out


def test_the_pace_of_two_computers() -> None:
    assert (_pace("", True), _pace("", False), _pace("step", True)) == (0.7, 0, None)
    for text in ("fast", "-1", "nan"):
        with pytest.raises(RulewrightError, match="--pace"):
            _pace(text, True)


def test_getting_ready_changes_no_decision() -> None:
    state = rulewright.load("conniption").start().play("4 4")
    ready, cold = (Seat.of("flip@depth=1", state.game) for _ in range(2))
    ready.ready(state, 7)
    assert ready.decide(state, 7).move == cold.decide(state, 7).move


def test_a_beam_that_only_decides_writes_no_lines() -> None:
    """On large boards the reference takes longer for them than the beam for its search."""
    game = rulewright.load("pente")
    builder = Contestant.parse("builder").alone(game)
    quick = evolve(builder, resources=SearchResources(quick=True))
    state = game.start().play("k10 k11 l11 l12")
    fast, slow = quick.decide(state, Random(3), 2.0), builder.decide(state, Random(3), 2.0)
    assert fast.move == slow.move
    assert fast.line is not None
    assert slow.line is not None
    assert len(fast.line.moves) <= 1 < len(slow.line.moves)


def test_a_game_says_who_sits_where(tmp_path: Path) -> None:
    state = rulewright.load("spanit").start()
    assert _texts([], SavedGame("spanit", state), None) == ("computer", "human")
    assert _texts(["vertical=human"], SavedGame("spanit", state), None) == ("human", "human")
    other = rulewright.load("tictactoe").start()
    assert _texts([], SavedGame("tictactoe", other), None) == ("human", "computer")
    rules = tmp_path / "tiny.rules"
    rules.write_text(RULES)
    (tmp_path / "tiny.toml").write_text("[play]\nseats = { green = 'human' }\n")
    with pytest.raises(RulewrightError, match="has no `green`"):
        formats(rulewright.load(rules))
