"""Chess: the standard test position with every special move, and games beside python-chess."""

from __future__ import annotations

from random import Random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.games.engine.game import State
from rulewright.games.files.games import load
from rulewright.matches.protocols.fen import Fen, UciNotation
from rulewright.reference.evaluate import evaluate

KIWIPETE = """
8 r . . . k . . r
7 p . p p q p b .
6 b n . . p n p .
5 . . . P N . . .
4 . p . . P . . .
3 . . N . . Q . p
2 P P P B B P P P
1 R . . . K . . R
  a b c d e f g h

mover: white
ply: 20
fresh: a8+h8+a1+h1
ghost: nowhere
quiet: 0
"""


@pytest.mark.parametrize(("depth", "leaves"), [(1, 48), (2, 2039)])
def test_kiwipete(depth: int, leaves: int) -> None:
    assert load("chess").read(KIWIPETE).perft(depth) == leaves


def test_en_passant_only_at_once() -> None:
    state = load("chess").start().play("e2e4 a7a6 e4e5 d7d5")
    assert "e5d6" in state.moves
    assert "e5d6" not in state.play("h2h3 h7h6").moves
    assert state.play("e5d6").board().splitlines()[3] == "5 . . . . . . . ."


def test_mate_and_stalemate() -> None:
    mate = load("chess").start().play("f2f3 e7e5 g2g4 d8h4")
    assert mate.result is not None
    assert (mate.result.winner, mate.result.rule) == (
        "black",
        "lose when stuck and attacked(own king)",
    )


# --- beside python-chess ---

CHESS = load("chess")
FEN = Fen(CHESS)
WRITE = UciNotation(FEN.style).write


@pytest.mark.parametrize("seed", range(8))
def test_random_games_go_and_end_as_in_python_chess(seed: int) -> None:
    """Decisions, FEN, ends, and which positions are the same: those that FIDE's rules call so."""
    random, board, state = Random(seed), chess.Board(), CHESS.start()
    ours, theirs = dict[str, object](), dict[object, str]()
    back = random.choice((0.0, 0.2, 0.5, 0.8))
    while not state.over and len(board.move_stack) < 150:
        key = board._transposition_key()
        text = _compared(state)
        assert (ours.setdefault(text, key), theirs.setdefault(key, text)) == (key, text)
        assert FEN.write(state) == board.fen()
        legal = {move.uci(): move for move in board.legal_moves}
        assert sorted(map(WRITE, state.moves.texts)) == sorted(legal)
        move = _undoing(board) if random.random() < back else None
        move = move or random.choice([*legal.values()])
        board.push(move)
        state = state.play_decision(UciNotation(FEN.style).read(move.uci(), state))
        assert state.over == board.is_game_over()
        claims = board.is_repetition(3) or board.halfmove_clock >= 100
        assert state.claimable == (claims and not state.over)
    if state.result is not None:
        assert (state.result.winner is None) == (not board.is_checkmate())


def _compared(state: State) -> str:
    """The text of a position without what `repeats` does not compare."""
    lines = state.text().splitlines()
    return "\n".join(line for line in lines if not line.startswith(("ply", "quiet", "claimable")))


def _undoing(board: chess.Board) -> chess.Move | None:
    """The move that takes back the last one of the player to move."""
    if len(board.move_stack) < 2:
        return None
    last = board.move_stack[-2]
    back = chess.Move(last.to_square, last.from_square)
    return back if board.is_legal(back) else None


@pytest.mark.parametrize(
    ("moves", "third"),
    [
        ("e2e4 e7e5 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", True),  # nobody could take on e3
        ("e2e4 a7a6 e4e5 d7d5 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", False),  # on d6 one could
        ("e2e4 e7e5 f2f4 e5f4 e4e5 d8e7 a2a3 d7d5 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", True),
        ("g1h3 g8h6 e2e4 e7e5 e1e2 e8e7 h1g1 h8g8 g1h1 g8h8 h1g1 h8g8 g1h1 g8h8", True),
        ("g1h3 g8h6 e2e4 e7e5 h1g1 h8g8 g1h1 g8h8 h1g1 h8g8 g1h1 g8h8", False),
    ],
)
def test_the_third_time_is_that_of_the_laws_of_chess(moves: str, third: bool) -> None:
    board = chess.Board()
    for move in moves.split():
        board.push_uci(move)
    assert board.is_repetition(3) == third
    assert CHESS.start().play(moves).claimable == third


@pytest.mark.parametrize(
    ("fen", "read"),
    [
        ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2", "KQkq -"),  # no pawn
        ("8/8/8/KPp4r/8/8/8/7k w - c6 0 1", "- -"),  # pinned once both pawns are gone
        ("8/8/8/1Pp5/8/8/8/K6k w - c6 0 1", "- c6"),
        ("1nbqkbnr/8/8/8/8/8/8/1NBQ1KN1 w KQkq - 0 1", "k -"),  # who is not at home cannot castle
    ],
)
def test_what_no_longer_matters_in_fen_is_read_as_nothing(fen: str, read: str) -> None:
    assert " ".join(FEN.write(FEN.read(fen.split())).split()[2:4]) == read
    assert " ".join(chess.Board(fen).fen().split()[2:4]) == read


LIFELESS = next(f for f in CHESS.rules.functions if f.name == "lifeless")


@given(pieces=st.lists(st.sampled_from("BBBBbbbbNnNnBbPqR"), max_size=5), seed=st.integers(0, 999))
def test_nobody_can_mate_where_python_chess_says_so(pieces: list[str], seed: int) -> None:
    board = chess.Board.empty()
    squares = Random(seed).sample(range(64), len(pieces) + 2)
    for square, sign in zip(squares, ["K", "k", *pieces], strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(sign))
    position = FEN.read(board.fen().split()).situation.position
    lifeless = evaluate(LIFELESS.bodies[0], CHESS.play.context(position))
    assert lifeless == board.is_insufficient_material()


@pytest.mark.parametrize(
    ("fen", "leaves"),
    [
        ("8/8/8/8/8/K7/P7/k7 w - - 0 1", (3, 7, 43, 199, 1347, 6249)),
        ("8/8/7k/7p/7P/7K/8/8 w - - 0 1", (3, 9, 57, 360, 1969, 10724)),
    ],
)
def test_published_counts_go_on_where_nobody_can_mate(fen: str, leaves: tuple[int, ...]) -> None:
    game = load("chess", dead=False)
    state = Fen(game).read(fen.split())
    assert tuple(state.perft(depth) for depth in range(1, 7)) == leaves
