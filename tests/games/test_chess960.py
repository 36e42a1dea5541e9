"""Chess with a first row that chance orders: set-ups and games beside python-chess."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import chess
import pytest

from rulewright.games.engine.game import State
from rulewright.games.files.games import load

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
