"""A position as text, printed and read back.

The board has one token for every site, row by row from the top, with row numbers at the left and
column letters below; `.` (or the site's own label) is empty.  Below it stand lines `name: value`.
Earlier positions, which `repeats` counts, are not part of the text.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from rulewright.errors import PositionError
from rulewright.language.diagnostics import did_you_mean
from rulewright.model import rules as r
from rulewright.model.board import Mask, bits, letters
from rulewright.model.expressions import Type, Value
from rulewright.reference.courses import remainders
from rulewright.reference.courses import text as course_text
from rulewright.reference.play import Outcome, Play
from rulewright.reference.position import Position

EMPTY = "."
DRAW = "draw"
NOTHING = "nothing"
"""What is left of a turn that is over."""


def board_text(play: Play, position: Position) -> str:
    """The picture of the board alone, with coordinates."""
    rules, board = play.rules, play.rules.board
    tokens = {site: _token(rules, position, site) for site in bits(board.sites)}
    named = _shows_names(rules)
    column = "" if named else letters(board.width)
    width = max(len(column), *(len(t) for t in tokens.values()))
    margin = max(len(str(n)) for n in board.numbers)
    lines = []
    for row in sorted({board.rows[site] for site in tokens}):
        number = next(n for n, at in zip(board.numbers, board.rows, strict=True) if at == row)
        head = "" if named else f"{number:>{margin}} "
        shift = " " * (row * (width + 1) // 2) if board.hexagonal else ""
        lines.append((head + shift + _row(play, tokens, row, width)).rstrip())
    if not named:
        lines.append(_columns(play, width, margin))
    return "\n".join(lines)


def _shows_names(rules: r.Rules) -> bool:
    """Whether empty sites show their names, because rows and columns would not tell them."""
    board = rules.board
    drawn = all(name[0].islower() and name[1:].isdigit() for name in board.names)
    return board.labelled or (not drawn and board.shape == "graph")


def _token(rules: r.Rules, position: Position, site: int) -> str:
    piece = position.piece(1 << site)
    if piece is None:
        return rules.board.names[site] if _shows_names(rules) else EMPTY
    owner, kind = piece
    return rules.kinds[kind].letters[owner] or "?"


def _row(play: Play, tokens: dict[int, str], row: int, width: int) -> str:
    board = play.rules.board
    cells = [""] * board.width
    for site, token in tokens.items():
        if board.rows[site] == row:
            cells[board.columns[site]] = token
    return " ".join(f"{cell:<{width}}" for cell in cells)


def _columns(play: Play, width: int, margin: int) -> str:
    board = play.rules.board
    names = [letters(c + 1) for c in range(board.width)]
    if board.hexagonal:  # columns lean, so their letters stand below the last row
        shift = " " * (board.height * (width + 1) // 2)
        return (" " * (margin + 1) + shift + " ".join(f"{n:<{width}}" for n in names)).rstrip()
    wide = max(width, 1)
    return (" " * (margin + 1) + " ".join(f"{n[:wide]:<{wide}}" for n in names)).rstrip()


def position_text(play: Play, position: Position, ended: Outcome | None) -> str:
    """The whole position: board, mover, states, links, and what is left of the turn.

    `ended` is how an end rule has ended the game, which may be in the middle of a turn.
    """
    lines = [board_text(play, position), "", *_fields(play, position)]
    if ended:
        winner = DRAW if ended.winner is None else play.rules.players[ended.winner]
        lines.append(f"over: {winner}, {play.rules.origins[ended.origin].text}")
    return "\n".join(lines) + "\n"


def _fields(play: Play, position: Position) -> Iterator[str]:
    rules = play.rules
    yield f"mover: {rules.players[position.mover]}"
    yield f"ply: {position.ply}"
    for state, values in zip(rules.states, position.states, strict=True):
        if state.each:
            pairs = zip(rules.players, values, strict=True)
            shown = ", ".join(f"{p} {_value(rules, state.type, v)}" for p, v in pairs)
        else:
            shown = _value(rules, state.type, values[0])
        yield f"{state.name}: {shown}"
    for table, links in zip(play.links, position.links, strict=True):
        names = [
            f"{_name(rules, a)}-{_name(rules, b)}" for a, b in (table.ends[n] for n in bits(links))
        ]
        yield f"{table.kind.name}: {' '.join(names) or 'none'}"
    if not position.fresh:
        yield f"rest: {course_text(position.rest, rules) or NOTHING}"
    if position.again:
        yield "again: yes"
    if position.swapped:
        yield "swapped: yes"


def _name(rules: r.Rules, site: int) -> str:
    return rules.board.names[site]


def _value(rules: r.Rules, type_: Type, value: Value) -> str:
    if type_ is Type.TRUTH:
        return "yes" if value else "no"
    if type_ is Type.SITES:
        assert isinstance(value, int)
        return "+".join(_name(rules, s) for s in bits(value)) or "nowhere"
    return str(value)


# --- reading ---


def read_position(play: Play, text: str) -> tuple[Position, Outcome | None]:
    """The position that *text* shows, and how the game has ended in it, if it says so.

    Raises `PositionError` with the line of a mistake.
    """
    lines = ["" if line.startswith("#") else line for line in text.splitlines()]
    is_field = [":" in line for line in lines]
    first = is_field.index(True) if True in is_field else len(lines)
    position, ended = _read_board(play, lines[:first]), None
    for number, line in enumerate(lines[first:], first + 1):
        if line.startswith("over:"):
            ended = _read_outcome(play, line, number)
        elif line.strip():
            position = _read_field(play, position, line, number)
    return position, ended


def _read_outcome(play: Play, line: str, number: int) -> Outcome:
    """The outcome of `over: WINNER, RULE`."""
    rules = play.rules
    name, _, rule = (part.strip() for part in line.removeprefix("over:").partition(","))
    origin = next((e.origin for e in rules.ends if rules.origins[e.origin].text == rule), None)
    if origin is None or name not in (DRAW, *rules.players):
        raise _fail(number, f"`over:` names who won (or {DRAW}) and a rule of the game")
    return Outcome(None if name == DRAW else rules.players.index(name), origin)


def _fail(line: int, message: str) -> PositionError:
    return PositionError(f"line {line}: {message}")


def _read_board(play: Play, lines: list[str]) -> Position:
    rules, board = play.rules, play.rules.board
    rows = [(n, line.split()) for n, line in enumerate(lines, 1) if line.strip()]
    if rows and not _shows_names(rules):
        rows = _without_columns(rows)
    shown_rows = sorted({board.rows[site] for site in bits(board.sites)})
    if len(rows) != len(shown_rows):
        raise _fail(1, f"the board has {len(shown_rows)} rows, and {len(rows)} are shown")
    position = evolve(play.first, owned=(0, 0, 0), kinds=(0,) * len(rules.kinds))
    shown = {
        token: (o, k)
        for k, kind in enumerate(rules.kinds)
        for o, token in enumerate(kind.letters)
        if token
    }
    for row, (number, line) in zip(shown_rows, rows, strict=True):
        tokens = line if _shows_names(rules) else line[1:]
        sites = [s for s in bits(board.sites) if board.rows[s] == row]
        if len(tokens) != len(sites):
            raise _fail(number, f"this row has {len(sites)} sites, and {len(tokens)} are shown")
        for site, token in zip(sites, tokens, strict=True):
            if token in shown:
                owner, kind = shown[token]
                position = position.put(owner, kind, 1 << site)
            elif token not in (EMPTY, board.names[site]):
                known = ", ".join(shown)
                raise _fail(number, f"`{token}` is no piece; there are {known}, and `.` for empty")
    return position


def _without_columns(rows: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """The rows without the line of column letters."""
    return rows if rows[-1][1][0].isdigit() else rows[:-1]


def _read_field(play: Play, position: Position, line: str, number: int) -> Position:
    rules = play.rules
    name, _, value = (part.strip() for part in line.partition(":"))
    states = {s.name: i for i, s in enumerate(rules.states)}
    links = {table.kind.name: i for i, table in enumerate(play.links)}
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
            case "again":
                return evolve(position, again=_truth(value))
            case "swapped":
                return evolve(position, swapped=_truth(value))
            case _ if name in states:
                return _read_state(play, position, states[name], value)
            case _ if name in links:
                return evolve(position, links=(_read_links(play, links[name], value),))
    except (ValueError, KeyError, IndexError):
        raise _fail(number, f"`{value}` is no value of `{name}`") from None
    known = ("mover", "ply", "rest", "again", "swapped", *states, *links)
    hint = did_you_mean(name, known)
    raise _fail(number, f"nothing is called `{name}`" + (f"; {hint}" if hint else ""))


def _whole(value: str) -> int:
    number = int(value)
    if number < 0:
        raise ValueError(value)
    return number


def _truth(value: str) -> bool:
    return {"yes": True, "no": False}[value]


def _read_state(play: Play, position: Position, index: int, text: str) -> Position:
    rules, state = play.rules, play.rules.states[index]
    if not state.each:
        return position.with_state(index, 0, _read_value(rules, state, text), shared=True)
    parts = [part.split() for part in text.split(",")]
    if [part[0] for part in parts] != list(rules.players):
        raise ValueError(text)
    for player, (_, value) in enumerate(parts):
        found = _read_value(rules, state, value)
        position = position.with_state(index, player, found, shared=False)
    return position


def _read_value(rules: r.Rules, state: r.StateVariable, text: str) -> Value:
    if state.type is Type.TRUTH:
        return _truth(text)
    if state.type is Type.SITES:
        mask: Mask = 0
        for name in text.split("+") if text != "nowhere" else ():
            mask |= 1 << rules.board.by_name[name]
        return mask
    number = int(text)
    if state.low is not None and state.high is not None and not state.low <= number <= state.high:
        raise ValueError(text)
    return number


def _read_links(play: Play, index: int, text: str) -> Mask:
    table, names = play.links[index], play.rules.board.by_name
    links = 0
    for pair in text.split() if text != "none" else ():
        a, b = (names[n] for n in pair.split("-"))
        links |= 1 << table.number[min(a, b), max(a, b)]
    return links
