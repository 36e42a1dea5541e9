"""Random games of chess and its kin, made and written by python-chess, which shares no code."""

from __future__ import annotations

from random import Random

import chess
import chess.pgn
import chess.variant
from attrs import frozen

COMMENTS = ("good", "a {b", "[%clk 0:01:02]", "x; y", "two\nlines")
VARIANTS: dict[str, type[chess.Board]] = {
    "": chess.Board,
    "Atomic": chess.variant.AtomicBoard,
    "Antichess": chess.variant.AntichessBoard,
    "Crazyhouse": chess.variant.CrazyhouseBoard,
    "King of the Hill": chess.variant.KingOfTheHillBoard,
    "Racing Kings": chess.variant.RacingKingsBoard,
    "Three-check": chess.variant.ThreeCheckBoard,
    "Horde": chess.variant.HordeBoard,
}
"""Boards of python-chess, by the tag `Variant` of our games."""


@frozen
class OtherGame:
    """A game of python-chess, and what it has of it."""

    game: chess.pgn.Game

    @property
    def text(self) -> str:
        """The game as PGN."""
        return str(self.game)

    @property
    def moves(self) -> list[str]:
        """The moves of the main line, by both squares."""
        return [move.uci() for move in self.game.mainline_moves()]

    @property
    def words(self) -> list[str]:
        """The moves of the main line in standard notation."""
        return [node.san() for node in self.game.mainline()]


def random_game(random: Random, variant: str, plies: int) -> OtherGame:
    """A game with comments, assessments and variations."""
    game, board = chess.pgn.Game(), VARIANTS[variant]()
    if variant:
        game.headers["Variant"] = variant
    node: chess.pgn.GameNode = game
    while len(board.move_stack) < plies and not board.is_game_over():
        moves = list(board.legal_moves)
        move = random.choice(moves)
        node = node.add_variation(move)
        _annotate(node, random)
        others = [other for other in moves if other != move]
        if others and random.random() < 0.1:
            _vary(node, board.copy(), random.choice(others), random)
        board.push(move)
    game.headers["Result"] = board.result()
    return OtherGame(game)


def _annotate(node: chess.pgn.ChildNode, random: Random) -> None:
    if random.random() < 0.1:
        node.comment = random.choice(COMMENTS)
    if random.random() < 0.1:
        node.nags.add(random.randrange(1, 140))


def _vary(node: chess.pgn.ChildNode, board: chess.Board, move: chess.Move, random: Random) -> None:
    """Add a variation to a node, and perhaps one inside it."""
    branch = node.parent.add_variation(move)
    _annotate(branch, random)
    board.push(move)
    moves = [] if board.is_game_over() else list(board.legal_moves)
    if moves and random.random() < 0.7:
        after = branch.add_variation(moves[0])
        if len(moves) > 1:
            _annotate(branch.add_variation(moves[1]), random)
        _annotate(after, random)
