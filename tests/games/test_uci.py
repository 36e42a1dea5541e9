"""UCI: both sides, positions as FEN, and what is heard while something is thought about."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from threading import Thread

import chess
import chess.engine
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.matches.protocols.contestant import outside_player
from rulewright.matches.protocols.fen import Fen, UciNotation
from rulewright.matches.protocols.host import GameService
from rulewright.matches.protocols.serving import Interruptible, serve_beside
from rulewright.matches.protocols.text_protocol import TextEngine
from rulewright.matches.protocols.uci import UciController
from rulewright.matches.protocols.uci_engine import UciEngine
from rulewright.players.player import Clock, Decision, Failed, GameLimits
from tests.shared.effort import tries
from tests.shared.loopback import Loopback

ENGINE = (sys.executable, "-m", "rulewright", "uci", "chess", "--personality", "computer")
STOCKFISH = shutil.which("stockfish", path=f"{os.defpath}:/usr/games")
"""Debian's, which stands beside the games."""
PROMOTING = "7k/P7/8/8/8/8/8/K7 w - - 3 9"


def engine(who: str = "random", game: str = "chess") -> UciEngine:
    return UciEngine(GameService(game, who))


# --- positions and moves ---


@settings(max_examples=tries(25), deadline=None)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 120))
def test_positions_are_read_and_written_as_python_chess_does(seed: int, plies: int) -> None:
    random, board = Random(seed), chess.Board()
    for _ in range(plies):
        if board.is_game_over(claim_draw=True):
            break
        board.push(random.choice([*board.legal_moves]))
    fen = Fen(rulewright.load("chess"))
    told = board.fen(en_passant="legal")
    state = fen.read(told.split())
    assert fen.write(state) == told
    moves = [] if state.over else state.moves.texts
    assert {UciNotation(fen.style).write(m) for m in moves} == {m.uci() for m in board.legal_moves}


def test_a_game_without_a_table_has_positions_too() -> None:
    fen = Fen(rulewright.load("breakthrough"))
    state = rulewright.load("breakthrough").start().play("a2-a3")
    assert fen.read(fen.write(state).split()).moves.texts == state.moves.texts
    with pytest.raises(RulewrightError, match="no rectangle of sites"):
        Fen(rulewright.load("havannah"))


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("8/8 w - - 0 1", "has 2 rows, and the board 8"),
        ("8/8/8/8/8/8/8/9 w - - 0 1", "is not 8 sites long"),
        ("8/8/8/8/8/8/8/7z w - - 0 1", "`z` is no piece of chess"),
        ("k7/8/8/8/8/8/8/7K x - - 0 1", "`x` is no colour: w, b"),
        ("k7/8/8/8/8/8/8/7K w C - 0 1", "`C` is none of the letters of `fresh`"),
        ("k7/8/8/8/8/8/8/7K w - z9 0 1", "`z9` is no site of chess"),
        ("k7/8/8/8/8/8/8/7K w - - soon 1", "`quiet` is a whole number"),
        ("k7/8/8/8/8/8/8/7K w - - 0 late", "the number of the move is a whole number"),
    ],
)
def test_what_is_no_position_is_reported_and_nothing_is_answered_for(
    fen: str, message: str
) -> None:
    service = engine()
    service.answer("position startpos moves e2e4")
    told = service.answer(f"position fen {fen}")
    assert told.startswith("info string ")
    assert message in told
    assert service.host.state.decisions() == ["e2e4"]
    assert message in (answer := service.answer("go nodes 10"))
    assert answer.endswith("\nbestmove 0000\n")
    service.answer("position startpos")
    assert not service.answer("go nodes 10").endswith("bestmove 0000\n")


@pytest.mark.parametrize("clock", [99, 100, 149])
def test_a_draw_that_may_be_claimed_is_played_on(clock: int) -> None:
    """Nobody has claimed it: there was no answer where every move went past the clock's range."""
    service, fen = engine(), f"6k1/8/8/8/8/8/8/R5K1 w - - {clock} 90"
    assert service.answer(f"position fen {fen}") == ""
    move = service.answer("go nodes 20").split()[-1]
    assert chess.Move.from_uci(move) in chess.Board(fen).legal_moves


# --- the engine ---


def limits(service: UciEngine, words: str) -> tuple[Clock, int | None, int | None, bool]:
    asked = service._limits(words.split())
    return asked.clock, asked.nodes, asked.depth, asked.endless


def test_limits_are_heard() -> None:
    service = engine()
    clock, *more = limits(service, "wtime 60000 btime 30000 winc 1000 binc 0")
    assert 55 < (clock.reserve or 0) < 60
    assert (clock.seconds, clock.increment, more) == (None, 0.95, [None, None, False])
    service.answer("position startpos moves e2e4")
    clock, *_ = limits(service, "wtime 60000 btime 30000 movestogo 3")
    assert 8.5 < (clock.seconds or 0) < 9.5  # some of it is kept for the last move
    assert limits(service, "nodes 5000 depth 3")[1:] == (5000, 3, False)
    assert limits(service, "mate 2")[1:] == (None, 3, False)
    assert limits(service, "infinite")[3]
    assert limits(service, "")[3]


def test_mistakes_are_reported() -> None:
    service = engine()
    assert "takes `startpos` or `fen FEN`" in service.answer("position e2e4")
    assert "there is no option `Contempt`" in service.answer("setoption name Contempt value 3")
    assert "`Hash` in MiB is a whole number" in service.answer("setoption name Hash value much")
    assert "no personality" in service.answer("setoption name Personality value nobody")
    assert service.answer("dance") == "info string `dance` is not known\n"
    assert service.answer("joho isready") == "readyok\n"
    service.answer("position startpos moves f2f3 e7e5 g2g4 d8h4")
    assert service.answer("go nodes 10").endswith("bestmove 0000\n")


def test_reports_carry_scores_and_mates() -> None:
    service = engine("computer")
    told: list[str] = []
    service.tell = told.append
    service.answer("position startpos moves f2f3 e7e5 g2g4")
    assert service.answer("go nodes 20000") == "bestmove d8h4\n"
    assert "score mate 1 " in told[-1]
    assert told[-1].rstrip().endswith("pv d8h4")


# --- the controller ---


def test_a_game_is_played_with_an_engine() -> None:
    game, limits = rulewright.load("chess"), GameLimits(nodes=50)
    other, speech = Loopback(engine("random")), UciController()
    speech.begin(other.child, game, limits, 1, 0.0)
    state = Fen(game).read(PROMOTING.split())
    for _ in range(6):
        if state.over:
            break
        decision = speech.ask(other.child, state, Clock(), 0.0)
        assert decision.move in state.moves
        state = state.play_decision(decision.move)
    assert f"position fen {PROMOTING}" in other.said
    assert "setoption name Hash value 64" in other.said
    assert "go nodes 50" in other.said


def test_promotions_are_read_and_written() -> None:
    notation = UciNotation(Fen(rulewright.load("chess")).style)
    state = Fen(rulewright.load("chess")).read(PROMOTING.split())
    for decision in state.moves.texts:
        assert notation.read(notation.write(decision), state) == decision
    assert notation.read("a7a8n", state) == "a7a8=knight"


class Odd(UciEngine):
    """Answers what is no move."""

    def _go(self, words: list[str]) -> str:
        del words
        return "info depth 3\nbestmove e2e5\n"


def asked(speech: UciController, other: Loopback, game: Game) -> Decision:
    speech.begin(other.child, game, GameLimits(), 1, 0.0)
    return speech.ask(other.child, game.start(), Clock(0.1), 0.0)


def test_an_answer_that_is_no_move_fails() -> None:
    game = rulewright.load("chess")
    for options, service, wanted in (
        ({}, Odd(GameService("chess", "random")), "`e2e5`, which is no legal decision"),
        ({"Contempt": "3"}, engine(), "has no option `Contempt`: Hash, Threads"),
    ):
        other, speech = Loopback(service), UciController(options)
        with pytest.raises(Failed, match=wanted):
            asked(speech, other, game)


def test_options_stand_before_the_command() -> None:
    player = outside_player("uci:UCI_LimitStrength=true 'Skill Level=3' fish --quiet a=b")
    assert player is not None
    assert player.command == ("fish", "--quiet", "a=b")
    assert isinstance(player.speech, UciController)
    assert player.speech.options == {"UCI_LimitStrength": "true", "Skill Level": "3"}
    with pytest.raises(RulewrightError, match="command of a program is missing"):
        outside_player("uci:Hash=3")


# --- hearing while thinking ---


@contextmanager
def served(service: Interruptible) -> Iterator[tuple[io.TextIOBase, io.TextIOBase]]:
    """What to write to a service that runs beside, and what to read from it."""
    heard, said = os.pipe()
    told, answers = os.pipe()
    with (
        os.fdopen(heard) as lines, os.fdopen(answers, "w") as out,
        os.fdopen(said, "w", buffering=1) as write, os.fdopen(told) as read,
    ):  # fmt: skip
        work = Thread(target=serve_beside, args=(service, lines, out))
        work.start()
        yield write, read
        write.close()
        work.join(20)
        assert not work.is_alive()


def test_a_search_without_end_is_stopped() -> None:
    with served(engine("computer")) as (write, read):
        write.write("isready\nposition startpos\ngo infinite\n")
        assert read.readline() == "readyok\n"
        while not read.readline().startswith("info depth 2"):
            pass
        write.write("isready\n")
        while (line := read.readline()) != "readyok\n":
            assert line.startswith("info ")
        write.write("stop\n")
        while not (line := read.readline()).startswith("bestmove "):
            assert line.startswith("info ")
        write.write("quit\n")
    assert line != "bestmove 0000\n"


def test_the_text_protocol_is_stopped_too() -> None:
    with served(TextEngine(GameService("connect4", "computer"))) as (write, read):
        write.write("position moves 4 4\n")
        assert read.readline() == "ok\n"
        write.write("go nodes=1000000000000\nstop\n")
        while (line := read.readline()).startswith(
            "info "
        ):  # on a busy machine nothing was searched
            pass
        assert line.startswith("best ")
        write.write("go nodes=500\nquit\n")
        assert read.readline().startswith("best ")


def test_sequences_of_moves_are_counted() -> None:
    service, fen = engine(), "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    service.answer(f"position fen {fen}")
    lines = service.answer("go perft 3").splitlines()
    assert lines[-1] == "Nodes searched: 97862"  # as the chess programming wiki has it
    board = chess.Board(fen)
    assert {line.split(":")[0] for line in lines[:-2]} == {m.uci() for m in board.legal_moves}
    assert service.answer("go perft 0").startswith("info string `perft`")


# --- programs ---


def test_python_chess_plays_and_analyses_with_the_command() -> None:
    with chess.engine.SimpleEngine.popen_uci([*ENGINE], timeout=60) as other:
        board = chess.Board("r3k2r/8/8/8/8/8/P6P/R3K2R w KQkq - 0 1")
        for _ in range(4):
            found = other.play(board, chess.engine.Limit(nodes=300))
            assert found.move is not None
            assert found.move in board.legal_moves
            board.push(found.move)
        mate = chess.Board("7k/8/5KQ1/8/8/8/8/8 w - - 0 1")
        with other.analysis(mate, chess.engine.Limit(nodes=3000)) as analysis:
            best = analysis.wait().move
        assert best is not None
        mate.push(best)
        assert mate.is_checkmate()


@pytest.mark.skipif(STOCKFISH is None, reason="no stockfish here")
def test_stockfish_is_a_player() -> None:
    game = rulewright.load("chess")
    player = outside_player(f"uci:UCI_LimitStrength=true UCI_Elo=1350 {STOCKFISH}")
    assert player is not None
    try:
        player.start(game, GameLimits(nodes=500), 1)
        decision = player.choose(game.start().play("f2f3 e7e5 g2g4"), Clock())
    finally:
        player.close()
    assert decision.depth is not None
