"""Drawing on a terminal: frames in place, colours where it has them.

In: lines of runs.  Out: what a terminal draws.  rich draws colours, if it is installed (extra
`live`); it knows what the terminal can do and honours NO_COLOR.  What was on the screen before a
game is left in the scrollback, and nothing of that is wiped.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from attrs import define, evolve, field

from rulewright.play.frame import Size
from rulewright.printable import printable, unguarded
from rulewright.render.board import Line, Run, plain

Style: TypeAlias = Callable[[Line], str]
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

    def draw(self, lines: list[Line]) -> None:
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

    def look(run: Run) -> str:
        marks = ["underline"] * run.last + ["reverse"] * run.winning
        return " ".join([words.get(run.look, ""), *marks]).strip()

    def shown(line: Line) -> str:
        with console.capture() as captured:
            text = Text.assemble(*((run.text, look(run)) for run in line))
            console.print(text, soft_wrap=True, end="")
        return captured.get()

    return shown
