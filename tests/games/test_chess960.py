"""Chess with a first row that chance orders: set-ups and games beside python-chess."""

from __future__ import annotations

import io
from fractions import Fraction
from pathlib import Path
from random import Random

import chess
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.games.engine.game import State
from rulewright.games.files.games import load
from rulewright.matches.game_files import game_bytes
from rulewright.matches.protocols.fen import Fen, UciNotation
from rulewright.matches.protocols.host import GameService
from rulewright.matches.protocols.uci_engine import UciEngine
from tests.shared.effort import tries

GAME = load("chess960")
LETTERS = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}
PIECES = {"pawn": "p", "king": "k", **LETTERS}
NUMBERS = {chess.Board.from_chess960_pos(n).board_fen(): n for n in range(960)}
"""The number of each set-up, by its pieces."""


def placement(state: State) -> str:
    """The pieces of a position as FEN has them."""
    board = chess.BaseBoard.empty()
    for spot in state.scene.spots:
        if spot.piece is not None:
            letter = PIECES[spot.piece.kind]
            piece = chess.Piece.from_symbol(letter if spot.piece.owner else letter.upper())
            board.set_piece_at(chess.parse_square(spot.name), piece)
    return board.board_fen()


def uci(text: str) -> str:
    squares, _, kind = text.partition("=")
    return squares + LETTERS.get(kind, "")


def test_every_set_up_is_as_likely_as_any_other() -> None:
    start = GAME.start()
    assert set(start.probabilities().values()) == {Fraction(1, 960)}
    texts = Random(9).sample(sorted(start.moves.texts), 60)
    placements = {placement(start.play_decision(text)) for text in texts}
    assert len(placements) == len(texts)
    assert placements <= {*NUMBERS}


@pytest.mark.parametrize("seed", range(5))
def test_random_games_go_as_in_python_chess(seed: int) -> None:
    random, start = Random(seed), GAME.start()
    state = start.play_decision(random.choice(sorted(start.moves.texts)))
    board = chess.Board.from_chess960_pos(NUMBERS[placement(state)])
    while not state.over and len(board.move_stack) < 120:
        texts = {uci(text): text for text in state.moves.texts}
        legal = {board.uci(move): move for move in board.legal_moves}
        assert sorted(texts) == sorted(legal)
        castlings = [name for name, move in legal.items() if board.is_castling(move)]
        name = random.choice(castlings or [*legal])
        state = state.play_decision(texts[name])
        board.push(legal[name])
        if not state.over:
            assert placement(state) == board.board_fen()
        assert board.is_checkmate() <= state.over


def game_of(seed: int, plies: int) -> chess.pgn.Game:
    """A random game of python-chess, in which kings castle where they can."""
    random = Random(seed)
    board = chess.Board.from_chess960_pos(random.randrange(960))
    game = chess.pgn.Game()
    game.setup(board)
    node: chess.pgn.GameNode = game
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        castlings = [move for move in moves if board.is_castling(move)]
        move = random.choice(castlings if castlings and random.random() < 0.5 else moves)
        node = node.add_variation(move)
        board.push(move)
    return game


@settings(max_examples=tries(20), deadline=None)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 60))
def test_positions_are_read_and_written_as_python_chess_does(seed: int, plies: int) -> None:
    board, fen = game_of(seed, plies).end().board(), Fen(GAME)
    for text in (board.fen(en_passant="legal"), board.shredder_fen(en_passant="legal")):
        state = fen.read(text.split())
        assert fen.write(state) == board.fen(en_passant="legal")
        moves = [] if state.over else state.moves.texts
        legal = {board.uci(move) for move in board.legal_moves}
        assert state.over or {UciNotation(fen.style).write(m) for m in moves} == legal


@settings(max_examples=tries(12), deadline=None)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 40))
def test_games_in_pgn_are_read_and_written_as_python_chess_does(seed: int, plies: int) -> None:
    game = game_of(seed, plies)
    (recorded,) = rulewright.read(f"{game}\n")
    assert recorded.source == "chess960"
    moves = [move.uci() for move in game.mainline_moves()]
    assert [uci(text) for text in recorded.decisions] == moves
    again = chess.pgn.read_game(io.StringIO(game_bytes(Path("a.pgn"), recorded).decode()))
    assert again is not None
    assert not again.errors
    assert [move.uci() for move in again.mainline_moves()] == moves


def test_what_chance_decided_is_a_position_in_pgn() -> None:
    text = "game chess960\na1d1/b1/c1f1g1 e2e4 e7e5 f1g1 f8g8\n"
    (recorded,) = rulewright.read(text)
    (again,) = rulewright.read(game_bytes(Path("a.pgn"), recorded))
    assert again.decisions == recorded.decisions[1:]
    assert again.end.text() == recorded.end.text()


def test_programs_ask_for_it_by_an_option() -> None:
    engine = UciEngine(GameService("chess", "random"))
    assert "option name UCI_Chess960 type check default false" in engine.answer("uci")
    lines = engine.answer("position fen 4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1")
    assert "for which chess has no rule; chess960 has one" in lines
    assert engine.answer("setoption name UCI_Chess960 value true") == ""
    engine.answer("position startpos moves e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1h1 e8h8")
    assert engine.host.state.decisions()[-2:] == ["e1h1", "e8h8"]
    engine.answer("position fen 4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1 moves f1b1")
    assert engine.host.state.decisions() == ["f1b1"]
    engine.answer("setoption name UCI_Chess960 value false")
    assert engine.answer("position startpos moves e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1") == ""
    assert engine.host.game.name == "chess"
