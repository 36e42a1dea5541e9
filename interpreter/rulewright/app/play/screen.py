"""The frame of a game at a terminal: its lines, laid out for the size of the window, and drawing.

In: a session, a message, the size of the terminal, how far the view is scrolled.  Out: lines of
styled runs (`games/render/board_text.py`), and escape sequences that draw them.  A board that is
too high is cut around the last turn, and its first and last line say so; a message that leaves the
board no room takes its place until Enter, page after page.  rich draws colours if it is installed
(extra `live`); it knows what the terminal can do and honours NO_COLOR.  What was on the screen
before the game moves up into the scrollback.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from attrs import define, evolve, field, frozen

from rulewright.app.play.session import OFFER, Session
from rulewright.games.render.board_text import SEATS, TextLine, TextRun, board_lines, plain
from rulewright.games.render.scene import Scene
from rulewright.ground.printable import amount, printable, unguarded
from rulewright.ground.translation import translate

_FEWEST_BOARD_LINES = 5
"""Lines of the board that a frame shows at least."""
_MOST_TURNS = 30
"""Turns played that a frame lists at most."""
_WHOLE_MESSAGE = "   Enter shows the board"
_MESSAGE_GOES_ON = "   ↓ Page Down; Enter: the board"
_MESSAGE_ENDS = "   ↑ Page Up; Enter: the board"
"""The last line of a message in the place of the board: it is whole, goes on below, or ends."""


@frozen
class Size:
    """The size of a terminal, in characters."""

    width: int
    height: int


def frame(
    session: Session, message: str, standing: str, size: Size, moved: int = 0
) -> list[TextLine]:
    """Lay out everything above the prompt; the view is scrolled by *moved* lines."""
    scene = session.sight.scene
    above = [*_plain(_head(session), size), *_plain(standing, size)]
    below: list[TextLine] = [(TextRun(fact.line(scene.players), "label"),) for fact in scene.facts]
    below += _turn_lines(session, size)
    if session.over:
        below += _plain(session.verdict(), size)
    elif session.claimable:
        below += _plain(OFFER, size)
    message_lines = _plain(message, size)
    board = board_lines(scene, size.width)
    room = size.height - 1 - len(above) - len(below)  # the prompt has a line
    if room - len(message_lines) >= len(board) + 2:
        above, below = [*above, ()], [(), *below]
    if message_lines and room - len(message_lines) < min(len(board), _FEWEST_BOARD_LINES):
        return [*above, *_page(message_lines, size.height - 1 - len(above), moved)]
    room = max(room - len(message_lines), _FEWEST_BOARD_LINES)
    if len(board) > room:
        board = [line for line in board if plain([line]).strip()]
    return [*above, *_cut(board, room, _middle(scene, board), moved), *below, *message_lines]


def hides_board(lines: list[TextLine]) -> bool:
    """Whether the lines of a frame show a message in the place of the board."""
    notes = (_WHOLE_MESSAGE, _MESSAGE_GOES_ON, _MESSAGE_ENDS)
    return bool(lines) and lines[-1] in [_note(text) for text in notes]


def _note(text: str) -> TextLine:
    """A line about the frame itself, in the person's language."""
    return (TextRun(translate(text), "label"),)


def _page(message_lines: list[TextLine], room: int, moved: int) -> list[TextLine]:
    """The part of a message that fits into *room* lines, and a line about the rest of it."""
    inner = max(1, room - 2)  # without the line about the rest and that of the prompt
    first = min(max(0, moved), max(0, len(message_lines) - inner))
    goes_on = _MESSAGE_GOES_ON if first + inner < len(message_lines) else _MESSAGE_ENDS
    below = goes_on if len(message_lines) > inner else _WHOLE_MESSAGE
    return [*message_lines[first : first + inner], _note(below)]


def _plain(text: str, size: Size) -> list[TextLine]:
    """Wrap a text to the width of the terminal, with a hanging indent."""
    lines: list[str] = []
    for line in translate(text).splitlines():
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        wide = max(20, size.width - 1)
        lines += textwrap.wrap(
            line, wide, subsequent_indent=indent[: wide // 2], drop_whitespace=True,
            replace_whitespace=False, break_on_hyphens=False,
        ) or [""]  # fmt: skip
    return [(TextRun(line),) for line in lines]


def _head(session: Session) -> str:
    """The heading of a frame: the game and its players, who begins first."""
    colours = session.state.game.players
    seats = [f"{c}: {translate(session.seats[session.seat_of(c)].label)}" for c in colours]
    looking = [translate("looking through")] if session.looking else []
    return " · ".join([session.state.game.name, *looking, *seats])


def _turn_lines(session: Session, size: Size) -> list[TextLine]:
    """The last turns played, as many as fit into a line."""
    whole = session.turns()
    turns = whole[-_MOST_TURNS:]
    count = len(session.state.decisions())
    at = f"{count} of {count + len(session.undone)}"
    head = f"{translate(at if session.looking else 'played')}: "
    while turns and len(head) + len(" ".join(turns)) + 4 > size.width:
        turns = turns[1:]
    if not turns and not session.looking:
        return []
    more = "... " if len(turns) < len(whole) else ""
    return [(TextRun(f"{head}{more}{' '.join(turns)}", "label"),)]


def _middle(scene: Scene, board: list[TextLine]) -> int:
    """The number of the board line to show in the middle: the last turn, if there is any."""
    rows = sorted({spot.row for spot in scene.spots})
    at = [rows.index(spot.row) for spot in scene.spots if spot.site in scene.last]
    if not at:
        return len(board) // 2
    return round(sum(at) / len(at) * (len(board) - 1) / max(1, len(rows)))


def _cut(board: list[TextLine], room: int, middle: int, moved: int) -> list[TextLine]:
    """The part of a board that fits into *room* lines around line *middle*, with column labels."""
    if len(board) <= room:
        return board
    inner = room - 3  # without the lines about the rest above and below, and the column labels
    first = min(max(0, middle - inner // 2 + moved), len(board) - 1 - inner)
    lower = len(board) - 1 - first - inner
    up, down = f"   ↑ {amount(first, 'line')}, Page Up", f"   ↓ {amount(lower, 'line')}, Page Down"
    lines = board[first : first + inner]
    return [_note(up), *lines, _note(down), board[-1]]


Style: TypeAlias = Callable[[TextLine], str]
"""Turns a line of runs into the text that a terminal shows in colours."""
_HOME, _REST_OF_LINE, _REST_OF_SCREEN = "\x1b[H", "\x1b[K", "\x1b[J"
_OUTPUT, _SEQUENCES = -11, 0x0004
"""Constants of Windows: STD_OUTPUT_HANDLE, ENABLE_VIRTUAL_TERMINAL_PROCESSING."""
_LOOKS = {"label": "dim", "empty": "dim", "line": "dim", "nobody": "bold"}
_COLOURS = {"red": "bright_red", "blue": "bright_blue", "green": "bright_green", "yellow": "yellow"}
_OTHERS = (
    "bright_cyan", "bright_magenta", "bright_yellow", "bright_white", "cyan", "magenta", "yellow",
    "white",
)  # fmt: skip
"""Colours for players whose name is no colour, or may be the background of a terminal."""


@define
class Screen:
    """Draws on the terminal at the standard output; `dumb` ones cannot move their cursor."""

    dumb: bool = field(factory=lambda: not _places_its_cursor())
    _is_drawn: bool = field(default=False, init=False)
    _style: Style = field(default=lambda line: plain([line]), init=False)

    def dress(self, players: tuple[str, ...]) -> None:
        """Choose the colours of the players of a game."""
        self._style = _styles(players) or self._style

    @property
    def size(self) -> Size:
        """The current size of the terminal; a dumb one has no height."""
        terminal = shutil.get_terminal_size()
        return Size(max(20, terminal.columns), 10_000 if self.dumb else max(8, terminal.lines))

    def draw(self, lines: list[TextLine]) -> None:
        """Draw a frame over the previous one."""
        safe = [tuple(evolve(run, text=printable(run.text)) for run in line) for line in lines]
        rows = list(map(self._style, safe))
        if self.dumb:
            self.write("\n".join(rows) + "\n")
            return
        if not self._is_drawn:  # what stands there goes up into the scrollback
            self.write("\n" * (self.size.height - 1))
            self._is_drawn = True
        text = "".join(f"{line}{_REST_OF_LINE}\n" for line in rows)
        self.write(f"{_HOME}{text}{_REST_OF_SCREEN}")

    def status(self, text: str) -> None:
        """Overwrite the line of the prompt with a text."""
        if not self.dumb:
            self.write(f"\r{printable(translate(text))[: self.size.width - 1]}{_REST_OF_LINE}")

    def say(self, text: str) -> None:
        """Print lines of text, outside of any frame."""
        if text:
            self.write("".join(f"{printable(line)}\n" for line in translate(text).splitlines()))

    def ask(self, prompt: str) -> None:
        """Show a prompt, with the cursor behind it."""
        prompt = printable(prompt)
        self.write(prompt if self.dumb else f"\r{prompt}{_REST_OF_LINE}")

    @staticmethod
    def write(text: str) -> None:
        """Write a text to the terminal, escape sequences included."""
        unguarded(sys.stdout).write(text)
        sys.stdout.flush()


def _places_its_cursor() -> bool:
    """Whether the terminal can move its cursor; consoles of Windows are switched to it first."""
    if os.name != "nt" or "TERM" in os.environ:
        return os.environ.get("TERM", "dumb") not in ("dumb", "")
    import ctypes  # noqa: PLC0415 - there only

    return asked_for_sequences(getattr(ctypes, "windll").kernel32)  # noqa: B009 - not everywhere


def asked_for_sequences(kernel: Any) -> bool:  # a library of Windows
    """Ask a console of Windows to interpret escape sequences; False if it cannot."""
    from ctypes import byref, c_ulong  # noqa: PLC0415

    handle, mode = kernel.GetStdHandle(_OUTPUT), c_ulong()
    if not kernel.GetConsoleMode(handle, byref(mode)):
        return False
    return bool(kernel.SetConsoleMode(handle, mode.value | _SEQUENCES))


def _styles(players: tuple[str, ...]) -> Style | None:
    """A function that colours lines by rich; None without rich, or without colours."""
    try:
        from rich.console import Console  # noqa: PLC0415 - an extra
        from rich.text import Text  # noqa: PLC0415
    except ImportError:
        return None
    console = Console(highlight=False, markup=False, emoji=False)
    if console.no_color or not console.is_terminal or console.color_system is None:
        return None
    colours = zip(SEATS, players, _OTHERS, strict=False)
    own: dict[str, str] = {
        look: f"bold {_COLOURS.get(name, fallback)}" for look, name, fallback in colours
    }
    words: Mapping[str, str] = {**_LOOKS, **own}

    def look(run: TextRun) -> str:
        marks = ["underline"] * run.last + ["reverse"] * run.winning
        return " ".join([words.get(run.look, ""), *marks]).strip()

    def styled_line(line: TextLine) -> str:
        with console.capture() as captured:
            text = Text.assemble(*((run.text, look(run)) for run in line))
            console.print(text, soft_wrap=True, end="")
        return captured.get()

    return styled_line
