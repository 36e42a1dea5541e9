"""FEN and the notation of moves in the Universal Chess Interface, for any game.

In: a game with a table `[uci]` in its `GAME.toml` (docs/protocols.md).  Out: positions for texts
in the form of FEN (rows from the top, the colour to move, the states that the table names, the
number of the move), and texts for positions; moves with the endings that the table gives them.
Refuses boards that are no rectangles, and texts that are no position, with the field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from attrs import evolve, field, frozen

from rulewright.errors import PositionError, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.ground.printable import amount
from rulewright.matches.protocols.format_settings import NO_STATE, Uci, formats
from rulewright.model.board import Mask, bits
from rulewright.model.expressions import Type, Value
from rulewright.reference.position import Position
from rulewright.search.results import refuse_seats

NOTHING = "-"
"""An empty field of FEN."""
_BEYOND = re.compile(r"(\S) (east|west) of (\S)")
"""Matches what a letter means that stands for the last piece on one side of another."""


@frozen
class UciNotation:
    """Converts moves of a game: they are written as in its rules, except for endings."""

    style: Uci

    def write(self, decision: str) -> str:
        """Write a decision for the interface."""
        for ending, foreign_ending in self.style.endings.items():
            if decision.endswith(ending):
                return decision.removesuffix(ending) + foreign_ending
        return decision

    def read(self, text: str, state: State) -> str:
        """Read the decision that a text stands for; it need not be legal."""
        moves = state.moves
        for ending, foreign_ending in self.style.endings.items():
            decision = text.removesuffix(foreign_ending) + ending
            if text.endswith(foreign_ending) and decision in moves:
                return decision
        return text


@frozen
class Fen:
    """Reads and writes positions of a game as FEN."""

    game: Game
    style: Uci = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "style", formats(self.game).uci)
        refuse_seats(self.game.rules, "FEN")
        board = self.game.rules.board
        if board.sites.bit_count() != board.width * board.height:
            raise RulewrightError(f"{self.game.name} has no rectangle of sites, so it has no FEN")

    # --- reading ---

    def read(self, fields: list[str]) -> State:
        """Read a state from fields; those behind the colour may be missing.

        Raises `PositionError` with the field that is wrong.
        """
        position = self._placed(fields[0] if fields else "")
        mover = self._colour(fields[1] if len(fields) > 1 else self.style.colours[0])
        position = evolve(position, mover=mover)
        for number, name in enumerate(self.style.fields, 2):
            text = fields[number] if number < len(fields) else NOTHING
            if name == NO_STATE:
                self._refuse_field(text)
                continue
            value = self._value(name, text, position)
            position = self._with(position, name, value)
        for name, move in self.style.matters.items():
            if not self._may(move, position):
                position = self._with(position, name, 0)
        last = fields[2 + len(self.style.fields) :]
        number = _whole(last[0], "the number of the move") if last else 1
        position = evolve(position, ply=2 * max(number - 1, 0) + mover)
        return self.game.at(position)

    def _refuse_field(self, text: str) -> None:
        """Refuse a text for which this game has no state; a number of moves says nothing wrong."""
        if text != NOTHING and not text.isdecimal():
            message = f"{self.game.name} has nothing that `{text[:40]}` could be; `-` is expected"
            raise PositionError(message)

    def _with(self, position: Position, name: str, value: Value) -> Position:
        """The position with a value of a state, for both players."""
        index = self._index(name)
        for player in (0, 1):
            position = position.with_state(index, player, value, shared=False)
        return position

    def _may(self, name: str, position: Position) -> bool:
        """Whether a move of that name is legal."""
        number = next(i for i, move in enumerate(self.game.rules.moves) if move.name == name)
        return next(self.game.play.decisions(number, position), None) is not None

    def _placed(self, text: str) -> Position:
        """The first position with its pieces replaced by those of the rows in *text*."""
        board, signs = self.game.rules.board, dict(self._signs())
        position, rows = self._blank, text.split("/")
        if len(rows) != board.height:
            raise PositionError(
                f"`{text[:80]}` has {amount(len(rows), 'row')}, and the board {board.height}"
            )
        for y, row in enumerate(rows):
            sites = list(_sites_of(row))
            if len(sites) != board.width:
                raise PositionError(
                    f"the row `{row[:80]}` is not {amount(board.width, 'site')} long"
                )
            for x, sign in enumerate(sites):
                if sign and sign not in signs:
                    letters = ", ".join(signs)
                    raise PositionError(f"`{sign}` is no piece of {self.game.name}: {letters}")
                if sign:
                    position = position.put(*signs[sign], 1 << board.at(x, y))
        return position

    @cached_property
    def _blank(self) -> Position:
        """The first position without pieces; where chance orders those, it has done so."""
        play, rules = self.game.play, self.game.rules
        option = play.foremost(play.first) if rules.has_chance else None
        bare = play.first.without(play.first.full)
        return evolve(bare, rest=rules.course) if option and play.is_by_chance(option) else bare

    def _signs(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """The sign of each piece, with its owner and its kind."""
        for kind, piece in enumerate(self.game.rules.kinds):
            for owner, letter in enumerate(piece.letters):
                if letter:
                    yield letter, (owner, kind)

    def _colour(self, text: str) -> int:
        if text not in self.style.colours:
            raise PositionError(f"`{text[:40]}` is no colour: {', '.join(self.style.colours)}")
        return self.style.colours.index(text)

    def _index(self, name: str) -> int:
        return next(i for i, state in enumerate(self.game.rules.states) if state.name == name)

    def _value(self, name: str, text: str, position: Position) -> Value:
        """Read the value of a state: a number, the sites of its letters, or named sites."""
        declared = self.game.rules.states[self._index(name)]
        if declared.type is Type.INT:
            number = 0 if text == NOTHING else _whole(text, f"`{name}`")
            low, high = declared.low, declared.high
            if low is not None and high is not None and not low <= number <= high:
                raise PositionError(f"`{name}` is a number from {low} to {high}, not {number}")
            return number
        if text == NOTHING:
            return 0
        letters = self.style.letters.get(name)
        mask = 0
        for word in text if letters else [text]:
            names = letters.get(word) if letters else word
            if names is None:
                raise PositionError(f"`{word}` is none of the letters of `{name}`")
            _, _, pieces = names.partition(" if ")
            sites = self._meant_sites(names, position)
            mask |= sites
            if (
                letters
                and pieces
                and not sites
                and self._stand_elsewhere(pieces, letters, position)
            ):
                message = f"`{word}` of `{text[:40]}` is for pieces on other sites than `{pieces}`"
                other = f"; {self.style.shuffled} has one" if self.style.shuffled else ""
                raise PositionError(f"{message}, for which {self.game.name} has no rule{other}")
        return mask

    def _meant_sites(self, text: str, position: Position) -> Mask:
        """The sites that the text of a letter means in a position; empty if it has none there."""
        match = _BEYOND.fullmatch(text)
        if match is not None:
            return self._outermost(match[1], match[2], match[3], position)
        sites, _, pieces = text.partition(" if ")
        return self._sites(sites) if self._stand(pieces, position) else 0

    def _outermost(self, sign: str, side: str, middle: str, position: Position) -> Mask:
        """The site of the last piece of a sign beside another one, in its row."""
        board, signs = self.game.rules.board, dict(self._signs())
        (owner, kind), (other, center) = signs[sign], signs[middle]
        centers = list(bits(position.owned[other] & position.kinds[center]))
        if len(centers) != 1:
            return 0
        row, column = board.rows[centers[0]], board.columns[centers[0]]
        fitting = [
            site
            for site in bits(position.owned[owner] & position.kinds[kind])
            if board.rows[site] == row and (board.columns[site] > column) == (side == "east")
        ]
        if not fitting:
            return 0
        pick = max if side == "east" else min
        return 1 << pick(fitting, key=lambda site: board.columns[site])

    def _stand_elsewhere(self, pieces: str, letters: Mapping[str, str], position: Position) -> bool:
        """Whether each piece stands where it should, or elsewhere in its row, without a letter."""
        board, signs = self.game.rules.board, dict(self._signs())
        homes = {p for text in letters.values() for p in text.partition(" if ")[2].split()}
        for piece in pieces.split():
            row = board.rows[board.by_name[piece[1:]]]
            others = (s for s in bits(board.sites) if board.rows[s] == row)
            if position.piece(self._sites(piece[1:])) != signs[piece[0]] and not any(
                position.piece(1 << site) == signs[piece[0]]
                and piece[0] + board.names[site] not in homes
                for site in others
            ):
                return False
        return True

    def _stand(self, pieces: str, position: Position) -> bool:
        """Whether all these pieces, each a sign and a site, are in a position."""
        signs = dict(self._signs())
        for piece in pieces.split():
            if piece[0] not in signs:
                raise PositionError(f"`{piece[0]}` is no piece of {self.game.name}")
            if position.piece(self._sites(piece[1:])) != signs[piece[0]]:
                return False
        return True

    def _sites(self, names: str) -> Mask:
        """The sites with these names, as a mask."""
        board, mask = self.game.rules.board, 0
        for name in names.split():
            if name not in board.by_name:
                raise PositionError(f"`{name[:40]}` is no site of {self.game.name}")
            mask |= 1 << board.by_name[name]
        return mask

    # --- writing ---

    def write(self, state: State) -> str:
        """Write a position as FEN."""
        position = state.situation.position
        fields = [self._field_text(name, position) for name in self.style.fields]
        number = position.ply // 2 + 1
        colour = self.style.colours[position.mover]
        return " ".join([self._rows(position), colour, *fields, str(number)])

    def _rows(self, position: Position) -> str:
        board, kinds = self.game.rules.board, self.game.rules.kinds
        rows = []
        for y in range(board.height):
            row, empty = "", 0
            for x in range(board.width):
                piece = position.piece(1 << board.at(x, y))
                if piece is None:
                    empty += 1
                    continue
                row += (str(empty) if empty else "") + kinds[piece[1]].letters[piece[0]]
                empty = 0
            rows.append(row + (str(empty) if empty else ""))
        return "/".join(rows)

    def _field_text(self, name: str, position: Position) -> str:
        if name == NO_STATE:
            return NOTHING
        value = position.states[self._index(name)][position.mover]
        if self.game.rules.states[self._index(name)].type is Type.INT:
            return str(value)
        assert isinstance(value, int)
        letters = self.style.letters.get(name)
        if letters is None:
            return self.game.rules.board.names[next(bits(value))] if value else NOTHING
        sites = dict[Mask, str]()
        for letter, names in letters.items():
            if mask := self._meant_sites(names, position):  # no reader takes the letter otherwise
                sites.setdefault(mask, letter)
        columns = self.game.rules.board.columns
        written = sorted(
            (c.islower(), -columns[next(bits(mask))], c)
            for mask, c in sites.items()
            if not mask & ~value
        )
        return "".join(c for _, _, c in written) or NOTHING


def _sites_of(row: str) -> Iterator[str]:
    """The sign of each site of a row; empty for empty sites, which the row counts by numbers."""
    number = ""
    for sign in [*row, ""]:
        if sign.isdecimal() and len(number) < 3:
            number += sign
            continue
        yield from [""] * int(number or 0)
        number = ""
        if sign:
            yield sign


def _whole(text: str, field: str) -> int:
    if not text.isdecimal() or len(text) > 6:
        raise PositionError(f"{field} is a whole number, not `{text[:40]}`")
    return int(text)
