"""What a terminal shows of a game: a frame of lines, as wide and as high as there is room.

In: a table, the message to be read, the size of the terminal, how far the view was moved.  Out:
lines of runs with their looks (`render/board.py`).  A board that is too high is cut around the
last turn, and the first and last line say so; a message that leaves the board no room takes its
place until Enter, page after page.
"""

from __future__ import annotations

import textwrap

from attrs import frozen

from rulewright.play.session import Session
from rulewright.render.board import Line, Run, board_lines, plain
from rulewright.render.scene import Scene

_LEAST = 5
"""Lines that are left of a board at the least."""
_TURNS = 30
"""Turns of those played that are shown, if there is room."""
_ALL = (Run("   Enter shows the board", "label"),)
_MORE = (Run("   ↓ Page Down; Enter: the board", "label"),)
_END = (Run("   ↑ Page Up; Enter: the board", "label"),)
"""Below a message in the place of the board: it is whole, it goes on, it ends here."""


@frozen
class Size:
    """Of a terminal, in characters."""

    width: int
    height: int


def frame(session: Session, message: str, standing: str, size: Size, moved: int = 0) -> list[Line]:
    """All that stands above the prompt; *moved* lines down from where it would be cut."""
    scene = session.state.scene
    above = _above(session, standing, size)
    below: list[Line] = [(Run(fact.told(scene.players), "label"),) for fact in scene.facts]
    below += _played(session, size)
    if session.over:
        below += _plain(session.verdict(), size)
    told = _plain(message, size) if message else []
    board = board_lines(scene, size.width)
    room = size.height - 1 - len(above) - len(below)  # the prompt has a line
    if room - len(told) >= len(board) + 2:
        above, below = [*above, ()], [(), *below]
    if told and room - len(told) < min(len(board), _LEAST):
        return [*above, *_page(told, size.height - 1 - len(above), moved)]
    room = max(room - len(told), _LEAST)
    if len(board) > room:
        board = [line for line in board if plain([line]).strip()]
    return [*above, *_cut(board, room, _middle(scene, board), moved), *below, *told]


def covered(lines: list[Line]) -> bool:
    """Whether a message stands in the place of the board."""
    return bool(lines) and lines[-1] in (_ALL, _MORE, _END)


def _page(told: list[Line], room: int, moved: int) -> list[Line]:
    """As much of a message as there is room for, and how to see the rest of it."""
    inner = max(1, room - 2)  # what is said below, and the line of the prompt
    first = min(max(0, moved), max(0, len(told) - inner))
    below = _ALL if len(told) <= inner else _MORE if first + inner < len(told) else _END
    return [*told[first : first + inner], below]


def _above(session: Session, standing: str, size: Size) -> list[Line]:
    return [*_plain(_head(session), size), *(_plain(standing, size) if standing else [])]


def _plain(text: str, size: Size) -> list[Line]:
    """Text as lines; long ones go on below."""
    lines: list[str] = []
    for line in text.splitlines():
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        wide = max(20, size.width - 1)
        lines += textwrap.wrap(
            line, wide, subsequent_indent=indent[: wide // 2], drop_whitespace=True,
            replace_whitespace=False, break_on_hyphens=False,
        ) or [""]  # fmt: skip
    return [(Run(line),) for line in lines]


def _head(session: Session) -> str:
    """The game and who plays it, whoever begins first."""
    colours = session.state.game.players
    seats = [f"{c}: {session.seats[session.seat_of(c)].called}" for c in colours]
    looking = ["looking through"] if session.looking else []
    return " · ".join([session.state.game.name, *looking, *seats])


def _played(session: Session, size: Size) -> list[Line]:
    """The last turns, as many as one line holds."""
    whole = session.turns()
    turns = whole[-_TURNS:]
    count = len(session.state.decisions())
    head = f"{count} of {count + len(session.undone)}: " if session.looking else "played: "
    while turns and len(head) + len(" ".join(turns)) + 4 > size.width:
        turns = turns[1:]
    more = "... " if len(turns) < len(whole) else ""
    return [(Run(f"{head}{more}{' '.join(turns)}", "label"),)] if turns or session.looking else []


def _middle(scene: Scene, board: list[Line]) -> int:
    """The line of the last turn, else the middle of the board."""
    rows = sorted({spot.row for spot in scene.spots})
    at = [rows.index(spot.row) for spot in scene.spots if spot.site in scene.last]
    if not at:
        return len(board) // 2
    return round(sum(at) / len(at) * (len(board) - 1) / max(1, len(rows)))


def _cut(board: list[Line], room: int, middle: int, moved: int) -> list[Line]:
    """The part of a board that there is room for; the column labels below it stay."""
    if len(board) <= room:
        return board
    inner = room - 3  # what is said above and below, and the labels
    first = min(max(0, middle - inner // 2 + moved), len(board) - 1 - inner)
    rest = len(board) - 1 - first - inner
    up, down = f"   ↑ {first} lines, Page Up", f"   ↓ {rest} lines, Page Down"
    shown = board[first : first + inner]
    return [(Run(up, "label"),), *shown, (Run(down, "label"),), board[-1]]
