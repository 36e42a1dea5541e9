"""What a terminal shows of a game: a frame of lines, as wide and high as there is room, and drawn.

In: a session, the message to be read, the size of the terminal, how far the view was moved.  Out:
lines of runs with their looks (`render/board_text.py`), and what a terminal draws of them.  A board
that is too high is cut around the last turn, and the first and last line say so; a message that
leaves the board no room takes its place until Enter, page after page.  rich draws colours, if it is
installed (extra `live`); it knows what the terminal can do and honours NO_COLOR.  What was on the
screen before a game is left in the scrollback, and nothing of that is wiped.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from attrs import define, evolve, field, frozen

from rulewright.play.session import OFFER, Session
from rulewright.printable import amount, printable, unguarded
from rulewright.render.board_text import TextLine, TextRun, board_lines, plain
from rulewright.render.scene import Scene

_LEAST = 5
"""The fewest lines of a board that a frame shows."""
_TURNS = 30
"""Turns of those played that are shown, if there is room."""
_ALL = (TextRun("   Enter shows the board", "label"),)
_MORE = (TextRun("   ↓ Page Down; Enter: the board", "label"),)
_END = (TextRun("   ↑ Page Up; Enter: the board", "label"),)
"""Below a message in the place of the board: it is whole, it goes on, it ends here."""


@frozen
class Size:
    """Of a terminal, in characters."""

    width: int
    height: int


def frame(
    session: Session, message: str, standing: str, size: Size, moved: int = 0
) -> list[TextLine]:
    """All that stands above the prompt; *moved* lines down from where it would be cut."""
    scene = session.state.scene
    above = _above(session, standing, size)
    below: list[TextLine] = [(TextRun(fact.line(scene.players), "label"),) for fact in scene.facts]
    below += _played(session, size)
    if session.over:
        below += _plain(session.verdict(), size)
    elif session.claimable:
        below += _plain(OFFER, size)
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


def covered(lines: list[TextLine]) -> bool:
    """Whether a message stands in the place of the board."""
    return bool(lines) and lines[-1] in (_ALL, _MORE, _END)


def _page(told: list[TextLine], room: int, moved: int) -> list[TextLine]:
    """As much of a message as there is room for, and how to see the rest of it."""
    inner = max(1, room - 2)  # what is said below, and the line of the prompt
    first = min(max(0, moved), max(0, len(told) - inner))
    below = _ALL if len(told) <= inner else _MORE if first + inner < len(told) else _END
    return [*told[first : first + inner], below]


def _above(session: Session, standing: str, size: Size) -> list[TextLine]:
    return [*_plain(_head(session), size), *(_plain(standing, size) if standing else [])]


def _plain(text: str, size: Size) -> list[TextLine]:
    """Text as lines; long ones go on below."""
    lines: list[str] = []
    for line in text.splitlines():
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        wide = max(20, size.width - 1)
        lines += textwrap.wrap(
            line, wide, subsequent_indent=indent[: wide // 2], drop_whitespace=True,
            replace_whitespace=False, break_on_hyphens=False,
        ) or [""]  # fmt: skip
    return [(TextRun(line),) for line in lines]


def _head(session: Session) -> str:
    """The game and who plays it, whoever begins first."""
    colours = session.state.game.players
    seats = [f"{c}: {session.seats[session.seat_of(c)].called}" for c in colours]
    looking = ["looking through"] if session.looking else []
    return " · ".join([session.state.game.name, *looking, *seats])


def _played(session: Session, size: Size) -> list[TextLine]:
    """The last turns, as many as one line holds."""
    whole = session.turns()
    turns = whole[-_TURNS:]
    count = len(session.state.decisions())
    head = f"{count} of {count + len(session.undone)}: " if session.looking else "played: "
    while turns and len(head) + len(" ".join(turns)) + 4 > size.width:
        turns = turns[1:]
    more = "... " if len(turns) < len(whole) else ""
    return (
        [(TextRun(f"{head}{more}{' '.join(turns)}", "label"),)] if turns or session.looking else []
    )


def _middle(scene: Scene, board: list[TextLine]) -> int:
    """The line of the last turn, else the middle of the board."""
    rows = sorted({spot.row for spot in scene.spots})
    at = [rows.index(spot.row) for spot in scene.spots if spot.site in scene.last]
    if not at:
        return len(board) // 2
    return round(sum(at) / len(at) * (len(board) - 1) / max(1, len(rows)))


def _cut(board: list[TextLine], room: int, middle: int, moved: int) -> list[TextLine]:
    """The part of a board that there is room for; the column labels below it stay."""
    if len(board) <= room:
        return board
    inner = room - 3  # what is said above and below, and the labels
    first = min(max(0, middle - inner // 2 + moved), len(board) - 1 - inner)
    rest = len(board) - 1 - first - inner
    up, down = f"   ↑ {amount(first, 'line')}, Page Up", f"   ↓ {amount(rest, 'line')}, Page Down"
    shown = board[first : first + inner]
    return [(TextRun(up, "label"),), *shown, (TextRun(down, "label"),), board[-1]]


Style: TypeAlias = Callable[[TextLine], str]
"""A line as a terminal shows it."""
_HOME, _REST_OF_LINE, _REST_OF_SCREEN = "\x1b[H", "\x1b[K", "\x1b[J"
_OUTPUT, _SEQUENCES = -11, 0x0004
"""Of Windows: STD_OUTPUT_HANDLE, ENABLE_VIRTUAL_TERMINAL_PROCESSING."""
_LOOKS = {"label": "dim", "empty": "dim", "line": "dim", "nobody": "bold"}
_COLOURS = {"red": "bright_red", "blue": "bright_blue", "green": "bright_green", "yellow": "yellow"}
_OTHERS = ("bright_cyan", "bright_magenta")
"""Colours of players whose names are none, or one that a terminal may have as its ground."""


@define
class Screen:
    """The terminal at the standard output; one without a cursor gets lines, few frames."""

    dumb: bool = field(factory=lambda: not _places_its_cursor())
    _drawn: bool = field(default=False, init=False)
    _style: Style = field(default=lambda line: plain([line]), init=False)

    def dress(self, players: tuple[str, str]) -> None:
        """Take colours for the players of a game."""
        self._style = _styles(players) or self._style

    @property
    def size(self) -> Size:
        """As it is now; a person may have changed it."""
        found = shutil.get_terminal_size()
        return Size(max(20, found.columns), 10_000 if self.dumb else max(8, found.lines))

    def draw(self, lines: list[TextLine]) -> None:
        """Show a frame in place of the one before."""
        safe = [tuple(evolve(run, text=printable(run.text)) for run in line) for line in lines]
        shown = list(map(self._style, safe))
        if self.dumb:
            self.write("\n".join(shown) + "\n")
            return
        if not self._drawn:  # what stands there goes up into the scrollback
            self.write("\n" * (self.size.height - 1))
            self._drawn = True
        text = "".join(f"{line}{_REST_OF_LINE}\n" for line in shown)
        self.write(f"{_HOME}{text}{_REST_OF_SCREEN}")

    def status(self, text: str) -> None:
        """Say something on the line of the prompt, in place of what is said there."""
        if not self.dumb:
            self.write(f"\r{printable(text)[: self.size.width - 1]}{_REST_OF_LINE}")

    def say(self, text: str) -> None:
        """Tell something in lines, without a frame."""
        if text:
            self.write("".join(f"{printable(line)}\n" for line in text.splitlines()))

    def ask(self, prompt: str) -> None:
        """Show a prompt, behind which something is typed."""
        prompt = printable(prompt)
        self.write(prompt if self.dumb else f"\r{prompt}{_REST_OF_LINE}")

    @staticmethod
    def write(text: str) -> None:
        """Write as it is."""
        unguarded(sys.stdout).write(text)
        sys.stdout.flush()


def _places_its_cursor() -> bool:
    """Whether the terminal draws in place; those of Windows are asked to, and older ones cannot."""
    if os.name != "nt" or "TERM" in os.environ:
        return os.environ.get("TERM", "dumb") not in ("dumb", "")
    import ctypes  # noqa: PLC0415 - there only

    return asked_for_sequences(getattr(ctypes, "windll").kernel32)  # noqa: B009 - not everywhere


def asked_for_sequences(kernel: Any) -> bool:  # a library of Windows
    """Whether Windows agrees to read escape sequences that are written to its console."""
    from ctypes import byref, c_ulong  # noqa: PLC0415

    handle, mode = kernel.GetStdHandle(_OUTPUT), c_ulong()
    if not kernel.GetConsoleMode(handle, byref(mode)):
        return False
    return bool(kernel.SetConsoleMode(handle, mode.value | _SEQUENCES))


def _styles(players: tuple[str, str]) -> Style | None:
    """What colours lines; None where there is nothing to do it, or no colours are wanted."""
    try:
        from rich.console import Console  # noqa: PLC0415 - an extra
        from rich.text import Text  # noqa: PLC0415
    except ImportError:
        return None
    console = Console(highlight=False, markup=False, emoji=False)
    if console.no_color or not console.is_terminal or console.color_system is None:
        return None
    colours = zip(("first", "second"), players, _OTHERS, strict=True)
    own = {look: f"bold {_COLOURS.get(name, other)}" for look, name, other in colours}
    words: Mapping[str, str] = {**_LOOKS, **own}

    def look(run: TextRun) -> str:
        marks = ["underline"] * run.last + ["reverse"] * run.winning
        return " ".join([words.get(run.look, ""), *marks]).strip()

    def shown(line: TextLine) -> str:
        with console.capture() as captured:
            text = Text.assemble(*((run.text, look(run)) for run in line))
            console.print(text, soft_wrap=True, end="")
        return captured.get()

    return shown
