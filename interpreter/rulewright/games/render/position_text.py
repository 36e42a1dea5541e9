"""A position as text, and the position that such a text shows.

In: the rules in motion, a position and how the game ended; or a text, written here or by a person.
Out: the board (see `board_text.py`) and below it lines `name: value`; or the position, and how the
game has ended in it.  Earlier positions, which `repeats` counts, are not part of the text.

Refuses, each with its line: rows too many or too few, with a wrong number or too many sites, signs
that are no piece, and fields that the game does not have.  What only decorates a board is passed
over: lines and links between sites, brackets around them, the labels of columns, and the numbers of
a table at empty sites.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from attrs import evolve, frozen

from rulewright.errors import PositionError
from rulewright.games.render.board_text import (
    BRACKETS,
    EMPTY,
    STROKES,
    BlankBoard,
    blank_board,
    board_lines,
    plain,
)  # fmt: skip
from rulewright.games.render.dressing import Shown
from rulewright.games.render.facts import HIDDEN, value_text
from rulewright.games.render.scene import Scene
from rulewright.games.render.scene_building import (
    column_labels,
    numbered_state,
    scene_of,
    shows_names,
)
from rulewright.ground.printable import amount
from rulewright.language.diagnostics import did_you_mean
from rulewright.model import rules as r
from rulewright.model.board import Board, Mask, bits
from rulewright.model.expressions import Type, Value
from rulewright.reference.courses import remainders
from rulewright.reference.courses import text as course_text
from rulewright.reference.piles import with_piles
from rulewright.reference.play import Outcome, ReferencePlay
from rulewright.reference.position import Pile, Position
from rulewright.reference.sight import PlayerView

DRAW = "draw"
NOTHING = "nothing"
"""The text of the rest of a turn that is over."""
_FIELDS = ("mover", "ply", "rest", "again", "swapped")
_OTHER_FIELDS = ("claimable", "over")


def board_text(play: ReferencePlay, position: Position) -> str:
    """The picture of the board alone, with coordinates."""
    if play not in _BLANKS:
        empty = evolve(
            position, owned=(0,) * len(position.owned), kinds=(0,) * len(position.kinds),
            links=(0,) * len(position.links),
        )  # fmt: skip
        flat = not play.rules.board.stacked
        _BLANKS[play] = blank_board(_pieces_alone(play, empty)) if flat else None
    blank = _BLANKS[play]
    if blank is None:
        return plain(board_lines(_pieces_alone(play, position), marked=False))
    joined = (
        t.ends[n] for t, links in zip(play.links, position.links, strict=True) for n in bits(links)
    )
    return blank.filled(joined, _letters(play.rules, position))


def _pieces_alone(play: ReferencePlay, position: Position) -> Scene:
    """The scene without the numbers at sites, which have a line of their own below the board."""
    return evolve(scene_of(play, position), shown=Shown())


_BLANKS: WeakKeyDictionary[ReferencePlay, BlankBoard | None] = WeakKeyDictionary()
"""The empty boards of games, where pieces and links change nothing else of the picture."""


def _letters(rules: r.Rules, position: Position) -> Iterator[tuple[int, str]]:
    """The sites that hold a piece, each with the piece's letter."""
    for kind, sites in zip(rules.kinds, position.kinds, strict=True):
        for owner, owned in enumerate(position.owned):
            for site in bits(sites & owned):
                yield site, kind.letters[owner] or "?"


def position_text(play: ReferencePlay, position: Position, ended: Outcome | None) -> str:
    """The whole position: board, mover, states, links, what is left of the turn, who is out.

    `ended` is how an end rule has ended the game, which may be in the middle of a turn.
    """
    lines = [board_text(play, position), "", *_fields(play, position)]
    if ended:
        winner = DRAW if ended.winner is None else play.rules.players[ended.winner]
        places = f" {' '.join(map(str, ended.places))}" if ended.places else ""
        lines.append(f"over: {winner}{places}, {play.rules.origins[ended.origin].text}")
    return "\n".join(lines) + "\n"


def view_text(play: ReferencePlay, view: PlayerView) -> str:
    """What a player sees of a position, with `?` for what is hidden; it cannot be read back."""
    rules, sites = play.rules, "everywhere"
    if rules.sees is not None:
        sites = "+".join(_name(rules, site) for site in bits(view.sites)) or "nowhere"
    fields = _fields(play, view.position, view.hidden)
    lines = [board_text(play, view.position), "", f"{rules.players[view.player]} sees: {sites}"]
    return "\n".join([*lines, *fields]) + "\n"


def _fields(
    play: ReferencePlay, position: Position, hidden: frozenset[tuple[int, int]] | None = None
) -> Iterator[str]:
    """The lines below a board; *hidden* are the states that are not seen, by player."""
    rules = play.rules
    yield f"mover: {rules.players[position.mover]}"
    if hidden is None:
        yield f"ply: {position.ply}"
    for number, (state, values) in enumerate(zip(rules.states, position.states, strict=True)):
        texts = [
            HIDDEN if (number, player) in (hidden or ()) else value_text(rules, state, value)
            for player, value in enumerate(values)
        ]
        pairs = zip(rules.players, texts, strict=True)
        text = ", ".join(f"{p} {t}" for p, t in pairs) if state.each else texts[0]
        yield f"{_field(state.name)}: {text}"
    for table, links in zip(play.links, position.links, strict=True):
        names = [
            f"{_name(rules, a)}-{_name(rules, b)}" for a, b in (table.ends[n] for n in bits(links))
        ]
        yield f"{_field(table.kind.name)}: {' '.join(names) or 'none'}"
    if not position.fresh:
        yield f"rest: {course_text(position.rest, rules) or NOTHING}"
    if position.out:
        yield f"players out: {', '.join(rules.players[player] for player in position.out)}"
    flags = {"again": position.again, "swapped": position.swapped, "claimable": position.claimable}
    yield from (f"{name}: yes" for name, holds in flags.items() if holds)


def _field(name: str) -> str:
    """What the line of a state or of links begins with: its name, if it is no other line's."""
    return f"state {name}" if name in (*_FIELDS, *_OTHER_FIELDS) else name


def _name(rules: r.Rules, site: int) -> str:
    return rules.board.names[site]


# --- reading ---


def read_position(play: ReferencePlay, text: str) -> tuple[Position, Outcome | None]:
    """The position that *text* shows, and how the game has ended in it, if it says so.

    Raises `PositionError` with the line of a mistake.
    """
    position, ended, below = _read_board(play, text), None, False
    for number, line in enumerate(_lines(text), 1):
        below = below or ":" in line
        if line.startswith("over:"):
            ended = _read_outcome(play, line, number)
        elif below and line.strip():
            position = _read_field(play, position, line, number)
    return position, ended


def _read_outcome(play: ReferencePlay, line: str, number: int) -> Outcome:
    """The outcome of `over: WINNER, RULE`."""
    rules = play.rules
    words, _, rule = (part.strip() for part in line.removeprefix("over:").partition(","))
    name, *digits = words.split() or [""]
    origin = next((e.origin for e in rules.ends if rules.origins[e.origin].text == rule), None)
    if origin is None or name not in (DRAW, *rules.players):
        raise _fail(number, f"`over:` names who won (or {DRAW}) and a rule of the game")
    most, numbers = len(rules.players), [int(d) for d in digits if d.isdecimal()]
    number_of_places = most if rules.has_several else 0
    if len(digits) != number_of_places or any(not 1 <= n <= most for n in numbers):
        raise _fail(number, "`over:` of more than two players gives the place of each")
    return Outcome(None if name == DRAW else rules.players.index(name), origin, tuple(numbers))


def _fail(line: int, message: str, column: int | None = None) -> PositionError:
    place = f"line {line}" if column is None else f"line {line}, column {column}"
    return PositionError(f"{place}: {message}")


def _read_board(play: ReferencePlay, text: str) -> Position:
    rules, board = play.rules, play.rules.board
    rows, number = _rows(play, text), own_size(board)[1]
    if len(rows) != number:
        message = f"the board has {amount(number, 'row')}, and {len(rows)} are shown"
        raise _fail(rows[-1].line if rows else 1, message)
    position = evolve(play.first, owned=(0,) * len(play.first.owned), kinds=(0,) * len(rules.kinds))
    piles = dict[int, Pile]()
    for row, sites in _with_sites(board, rows):
        _check_row(board, row, sites)
        for site, token in zip(sites, row.tokens, strict=True):
            if board.stacked:
                piles[site] = _pile(rules, site, row.line, token)
                continue
            piece = _piece(rules, site, row.line, token)
            position = position.put(*piece, 1 << site) if piece else position
    return with_piles(position, piles) if piles else position


def _with_sites(board: Board, rows: list[_Row]) -> Iterator[tuple[_Row, list[int]]]:
    """The rows of a text, top row first, each with the sites of that row of the board."""
    numbers = sorted({board.rows[site] for site in bits(board.sites)})
    for number, row in zip(numbers, rows, strict=True):
        yield row, [site for site in bits(board.sites) if board.rows[site] == number]


def places(play: ReferencePlay, text: str) -> dict[int, tuple[int, int]]:
    """The line and the column, from 1, of every site in the text of a board that can be read."""
    return {
        site: (row.line, token.column)
        for row, sites in _with_sites(play.rules.board, _rows(play, text))
        for site, token in zip(sites, row.tokens, strict=True)
    }


def _check_row(board: Board, row: _Row, sites: list[int]) -> None:
    number = str(board.numbers[sites[0]])
    if row.label is not None and row.label != number:
        raise _fail(row.line, f"this row is called {row.label}; {number} is expected here")
    if len(row.tokens) != len(sites):
        surplus = row.tokens[len(sites) :]
        message = f"this row has {amount(len(sites), 'site')}, and {len(row.tokens)} are shown"
        raise _fail(row.line, message, surplus[0].column if surplus else None)


def _pile(rules: r.Rules, site: int, line: int, token: _Token) -> Pile:
    """The pieces that the letters of a token show, the lowest first."""
    name, most = rules.board.names[site], rules.board.stacked
    if token.text in {EMPTY, "-", name}:
        return ()
    if len(token.text) > most:
        pieces = amount(len(token.text), "piece")
        raise _fail(
            line, f"{name} holds at most {most} pieces, and {pieces} are shown", token.column
        )
    letters = (_Token(letter, token.column + i) for i, letter in enumerate(token.text))
    pieces_shown = (_piece(rules, site, line, letter) for letter in letters)
    return tuple(piece for piece in pieces_shown if piece)


def _piece(rules: r.Rules, site: int, line: int, token: _Token) -> tuple[int, int] | None:
    """Owner and kind of what a token shows, None for an empty site."""
    for number, kind in enumerate(rules.kinds):
        for owner, letter in enumerate(kind.letters):
            if letter and letter == token.text:
                return owner, number
    name = rules.board.names[site]
    if token.text in {EMPTY, "-", name}:
        return None
    if token.text.isdecimal() and numbered_state(rules) is not None:
        return None  # what is drawn at the site; the line below the board counts
    letters = ", ".join(letter for kind in rules.kinds for letter in kind.letters if letter)
    message = f"`{token.text}` on {name} is no piece; there are {letters}, and `.` for empty"
    raise _fail(line, message, token.column)


# --- the rows of a drawn board ---


@frozen
class _Token:
    text: str
    column: int


@frozen
class _Row:
    """One row: its line, its label (None where sites show their names), and its sites."""

    line: int
    label: str | None
    tokens: tuple[_Token, ...]


def board_size(play: ReferencePlay, text: str) -> tuple[int, int]:
    """The sites of the longest row and the number of rows of the board that *text* shows."""
    rows = _rows(play, text)
    return max((len(row.tokens) for row in rows), default=0), len(rows)


def own_size(board: Board) -> tuple[int, int]:
    """The sites of the longest row of a board, and the number of its rows."""
    rows = Counter(board.rows[site] for site in bits(board.sites))
    return max(rows.values()), len(rows)


def _rows(play: ReferencePlay, text: str) -> list[_Row]:
    """The rows of sites; lines between them, brackets and column labels are passed over."""
    rules, named = play.rules, shows_names(play.rules.board)
    strokes = STROKES if rules.links or rules.board.paths else ""
    signs = set(strokes + BRACKETS) - {c for sign in _signs(rules) for c in sign}
    blanks = {ord(character): " " for character in signs}
    rows, columns = list[_Row](), [label for label in column_labels(rules) if label]
    for number, line in enumerate(_lines(text), 1):
        if ":" in line:
            break
        tokens = tuple(
            _Token(token[0], token.start() + 1)
            for token in re.finditer(r"\S+", line.translate(blanks))
        )
        if not tokens:
            continue
        if named:
            rows.append(_Row(number, None, tokens))
        elif not _only_drawn(line) and not _labels(line, columns[: len(tokens)], rows):
            if not tokens[0].text.isdecimal():
                raise _fail(number, "a row of the board begins with its number", tokens[0].column)
            rows.append(_Row(number, tokens[0].text, tokens[1:]))
    return rows


def _signs(rules: r.Rules) -> Iterator[str]:
    for kind in rules.kinds:
        yield from kind.letters
    if shows_names(rules.board):
        yield from rules.board.by_name


def _only_drawn(line: str) -> bool:
    """Whether a line is one between rows, with nothing but lines and links."""
    return EMPTY not in line.split() and not line.strip(f"{STROKES}{BRACKETS}{EMPTY} ")


def _labels(line: str, columns: list[str], above: list[_Row]) -> bool:
    """Whether a line holds the labels of columns, as letters or as moves call them."""
    words = line.split()
    if all(word.isalpha() for word in words) and words[0] == "a":
        return True
    return bool(above) and words == columns


def _lines(text: str) -> list[str]:
    return ["" if line.startswith("#") else line for line in text.splitlines()]


# --- the lines below the board ---


def _read_field(play: ReferencePlay, position: Position, line: str, number: int) -> Position:
    rules = play.rules
    name, _, value = (part.strip() for part in line.partition(":"))
    states = {_field(s.name): i for i, s in enumerate(rules.states)}
    links = {_field(table.kind.name): i for i, table in enumerate(play.links)}
    try:
        match name:
            case "mover":
                mover = rules.players.index(value)
                return evolve(position, mover=mover)
            case "ply":
                rest = rules.first_course if int(value) == 0 else rules.course
                return evolve(position, ply=_whole(value), rest=rest)
            case "rest":
                return evolve(
                    position, fresh=False, rest=remainders(rules)[value.replace(NOTHING, "")]
                )
            case "players out" if rules.drops_out:
                names = [name.strip() for name in value.split(",")]
                return evolve(position, out=tuple(map(rules.players.index, names)))
            case "again":
                return evolve(position, again=_truth(value))
            case "swapped":
                return evolve(position, swapped=_truth(value))
            case "claimable" if rules.claimable_ends:
                return evolve(position, claimable=_truth(value))
            case _ if name in states:
                return _read_state(play, position, states[name], value)
            case _ if name in links:
                return evolve(position, links=(_read_links(play, links[name], value),))
    except PositionError as error:
        raise _fail(number, str(error)) from None
    except (ValueError, KeyError, IndexError):
        raise _fail(number, f"`{value}` is no value of `{name}`") from None
    hint = did_you_mean(name, (*_FIELDS, *states, *links))
    raise _fail(number, f"nothing is called `{name}`" + (f"; {hint}" if hint else ""))


def _whole(value: str) -> int:
    number = int(value)
    if number < 0:
        raise ValueError(value)
    return number


def _truth(value: str) -> bool:
    return {"yes": True, "no": False}[value]


def _read_state(play: ReferencePlay, position: Position, index: int, text: str) -> Position:
    rules, state = play.rules, play.rules.states[index]
    if not state.each:
        return position.with_state(index, 0, _read_value(rules, state, text), shared=True)
    split = _by_player(rules, text) if state.indices else None
    parts = split or [part.split() for part in text.split(",")]
    if [part[0] for part in parts] != list(rules.players):
        raise ValueError(text)
    for player, (_, *values) in enumerate(parts):
        if len(values) != 1 and not state.indices:
            raise ValueError(text)
        state_value = _read_value(rules, state, " ".join(values))
        position = position.with_state(index, player, state_value, shared=False)
    return position


def _by_player(rules: r.Rules, text: str) -> list[list[str]]:
    """The words of a table of both players: each player's name, and what follows it."""
    parts: list[list[str]] = []
    for word in text.split():
        if word in rules.players:
            parts.append([])
        parts[-1].append(word.rstrip(","))
    return parts


def _read_table(rules: r.Rules, state: r.StateVariable, text: str) -> Value:
    """The entries of a table; those that are not written are 0, or not true."""
    places = {rules.entry_name(state, at): state.place(at) for at in state.entry_places()}
    entries: list[Value] = [False if state.type is Type.TRUTH else 0] * state.entries
    single = evolve(state, indices=())
    for word in text.split() if text != "none" else ():
        name, _, value = word.rpartition("=")
        entries[places[name]] = _read_value(rules, single, value)
    return tuple(entries)


def _read_value(rules: r.Rules, state: r.StateVariable, text: str) -> Value:
    if state.indices:
        return _read_table(rules, state, text)
    if state.type is Type.TRUTH:
        return _truth(text)
    if state.type is Type.SITES:
        mask: Mask = 0
        for name in text.split("+") if text != "nowhere" else ():
            mask |= 1 << rules.board.by_name[name]
        return mask
    number = int(text)
    low, high = state.low, state.high
    if low is not None and high is not None and not low <= number <= high:
        raise PositionError(f"`{state.name}` is a number from {low} to {high}, not {number}")
    return number


def _read_links(play: ReferencePlay, index: int, text: str) -> Mask:
    table, names = play.links[index], play.rules.board.by_name
    links = 0
    for pair in text.split() if text != "none" else ():
        a, b = (names[n] for n in pair.split("-"))
        links |= 1 << table.number[min(a, b), max(a, b)]
    return links
