"""Positions that people draw in files: printed ones, and boards as lists of rows.

In: the name of a game, its options as far as they are given, and the text.  Out: a state of a game
whose board has the size that the text shows, where options of the rules make it so.  Refuses what
`position_text.py` and `scheme.py` refuse, and stones where the board has no site, each with its
place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any, TypeAlias

from attrs import frozen

from rulewright.errors import Fault, PositionError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_with
from rulewright.games.render.position_text import board_size, own_size, places
from rulewright.games.render.scheme import Square, read_squares
from rulewright.ground.budget import suppress_refusals
from rulewright.ground.printable import amount
from rulewright.model.board import bits

Size: TypeAlias = tuple[int, int]
"""The sites of the longest row, and the number of rows."""


@frozen
class GameSource:
    """A game by name or path, the options that are given, and whether the cache may be used."""

    name: str
    options: Mapping[str, Any]
    use_cache: bool = True

    def load(self, **more: int) -> Game:
        """The game, with *more* options set."""
        return load_with(self.name, {**self.options, **more}, self.use_cache)


def read_drawn(source: GameSource, text: str) -> State:
    """The position of a text that `State.text` printed, or whose board a person drew."""
    size = board_size(source.load().play, text)
    state = game_of_size(source, size).read(text)
    return _playable(state, lambda: places(state.game.play, text))


def read_listed(source: GameSource, text: str) -> State:
    """The position of a list of rows: X is whoever begins, and is to move."""
    rows = read_squares(text)
    size = len(rows[0]), len(rows)
    game = game_of_size(source, size)
    board, kinds = game.rules.board, game.rules.kinds
    if len(kinds) != 1:
        count = len(kinds)
        raise PositionError(
            f"line 1: {game.name} has {amount(count, 'kind')} of pieces, and rows show one"
        )
    if (board.width, board.height) != size:
        shape = f"{game.name} is played on {board.width} by {board.height}"
        raise PositionError(f"line 1: {shape}; this board is {size[0]} by {size[1]}")
    position, spots = game.play.first, dict[int, tuple[int, int]]()
    for (y, row), x in product(enumerate(rows), range(size[0])):
        if row[x].symbol != "-":
            site = _site(game, row[x], x, y)
            spots[site] = row[x].place
            position = position.put("XO".index(row[x].symbol), 0, 1 << site)
    return _playable(game.at(position), lambda: spots)


def _site(game: Game, square: Square, x: int, y: int) -> int:
    site = game.rules.board.at(x, y)
    if site < 0:
        raise square.fault(f"the board of {game.name} has no site here, so nothing stands on it")
    return site


# --- pieces that cannot stand where they are ---


def _playable(state: State, spots: Callable[[], Mapping[int, tuple[int, int]]]) -> State:
    """The state; raises `PositionError` with the piece at fault where the rules fail in it."""
    fault = _fault(state)
    if fault is None:
        return state
    culprit = _culprit(state)
    if culprit is None:
        raise PositionError(f"line 1: the rules cannot go on from this board: {fault}")
    line, column = spots()[culprit]
    piece, name = _shown(state, culprit), state.game.rules.board.names[culprit]
    message = f"with {piece} on {name} the rules cannot go on: {fault}"
    raise PositionError(f"line {line}, column {column}: {message}")


def _fault(state: State) -> Fault | None:
    try:
        if not state.over:
            _ = state.situation.options  # kernels list what they do not do yet
    except Fault as fault:
        return fault
    return None


def _culprit(state: State) -> int | None:
    """The one piece that is too much; of several the last, when they are taken off from the top."""
    position, game = state.situation.position, state.game
    pieces = list(bits(position.full))
    for site in pieces:
        if _fault(game.at(position.without(1 << site))) is None:
            return site
    for site in pieces:
        position = position.without(1 << site)
        if _fault(game.at(position)) is None:
            return site
    return None


def _shown(state: State, site: int) -> str:
    """The piece on a site, in words: `the red tile`."""
    piece = state.situation.position.piece(1 << site)
    assert piece is not None
    return f"the {state.game.rules.piece_name(*piece)}"


# --- the size of a board ---


def game_of_size(source: GameSource, size: Size) -> Game:
    """The game with a board of *size*, where options that are not given can make it so.

    A board's size grows evenly with every option that changes it, so two values tell the third.
    """
    game = source.load()
    if own_size(game.rules.board) != size:
        for settings in _settings(source, game, size):
            changed = _tried(source, settings)
            if changed and own_size(changed.rules.board) == size:
                return changed
    return game


def _settings(source: GameSource, game: Game, size: Size) -> Iterator[dict[str, int]]:
    """Settings to try: one option for one or both numbers, then one option for each of them."""
    values: tuple[dict[str, int], dict[str, int]] = ({}, {})
    for option in game.rules.options:
        low, high, now = option.low, option.high, option.value
        if option.name in source.options or type(now) is not int or low is None or high is None:
            continue
        other = now + 1 if now < high else now - 1
        changed = _tried(source, {option.name: other})
        if changed is None:
            continue
        for axis in (0, 1):
            here = own_size(game.rules.board)[axis]
            each = (own_size(changed.rules.board)[axis] - here) // (other - now)
            if each and (size[axis] - here) % each == 0:
                value = now + (size[axis] - here) // each
                if low <= value <= high:
                    values[axis][option.name] = value
    across, down = values
    yield from ({name: value} for name, value in {**across, **down}.items())
    for first, second in product(across, down):
        if first != second:
            yield {first: across[first], second: down[second]}


def _tried(source: GameSource, settings: dict[str, int]) -> Game | None:
    """The game with these options; None where the rules refuse them."""
    with suppress_refusals():
        return source.load(**settings)
    return None
