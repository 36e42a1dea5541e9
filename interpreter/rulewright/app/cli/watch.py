"""`watch`: shows at every save the mistakes of a file, the board, and changed test results.

At a terminal moves can be typed: the game goes on, and is replayed after every save.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import say
from rulewright.app.service.watching import FileWatch, View, svg_beside
from rulewright.errors import Fault, MoveError, RulewrightError
from rulewright.games.files.games import find
from rulewright.ground.disk import is_there, read_bytes, read_source
from rulewright.ground.printable import amount
from rulewright.language.diagnostics import numbers

PAUSE = 0.2
"""Seconds between two looks at the files."""
_OURS = re.compile(
    rb'<svg xmlns="[^"]*" width="[^"]*" height="[^"]*"( style="[^"]*")? viewBox="[^"]*" role="img"'
)
"""Matches the beginning of the package's drawings; other files are not replaced by default."""
_HELP = "type moves, `undo`, `restart`, or `quit`; every save is shown"


def watch(arguments: Namespace) -> int:
    """Show a file at every save until `quit`; with --once only now, 1 if something is wrong."""
    file = find(arguments.file)
    read_source(file)  # errors name the file as it was given
    path = file.resolve()
    watching = FileWatch(path, tuple(arguments.moves.split()), arguments.time)
    picture = _picture(arguments.svg, path)
    watching.changed()
    view = _view(watching, picture)
    if arguments.once:
        return 0 if view.fine and not any("fails" in c for c in view.changes) else 1
    typed: Queue[str] | None = None
    if sys.stdin is not None and sys.stdin.isatty():
        say(f"# {_HELP}")
        typed = _lines()
    for line in _events(watching, typed):
        if line in ("quit", "q"):
            break
        if line:
            _go_on(watching, line)
        view = _view(watching, picture)
    return 0


def _picture(name: str | None, path: Path) -> Path | None:
    """The path for the board as SVG: beside the file by default; None without --svg."""
    if name or name is None:
        return Path(name) if name else None
    picture = path.with_suffix(".svg")
    if is_there(picture) and not _OURS.match(read_bytes(picture)):
        reason = "is there already and is no board; name a file with --svg FILE"
        raise RulewrightError(f"{picture} {reason}")
    return picture


def _lines() -> Queue[str]:
    """Read typed lines into a queue, by a thread."""
    lines: Queue[str] = Queue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line.strip())
        lines.put("quit")

    threading.Thread(target=read, daemon=True).start()
    return lines


def _events(watching: FileWatch, typed: Queue[str] | None) -> Iterator[str]:
    """Wait for typed lines and saves; an empty line stands for a save."""
    while True:
        if watching.changed():
            yield ""
        if typed is None:
            time.sleep(PAUSE)
            continue
        try:
            line = typed.get(timeout=PAUSE)
        except Empty:
            continue
        if line:
            yield line


def _go_on(watching: FileWatch, line: str) -> None:
    """Change the game by a typed line; illegal moves are refused."""
    if line == "undo":
        watching.moves = watching.moves[:-1]
    elif line == "restart":
        watching.moves = ()
    else:
        try:
            watching.play(line.split())
        except (MoveError, Fault) as error:
            say(f"# {error}")


def _view(watching: FileWatch, picture: Path | None) -> View:
    view = watching.look()
    print(_text(watching.path, view), flush=True)
    if picture is not None and view.state is not None:
        try:
            svg_beside(picture, view.state)
        except RulewrightError as error:
            say(f"rulewright: {error}")
    return view


def _text(path: Path, view: View) -> str:
    """Format a view for people."""
    lines = ["", f"{time.strftime('%H:%M:%S')}  {path.name}: {numbers(view.diagnostics)}"]
    lines += [d.render() for d in view.diagnostics]
    if view.state is not None:
        lines += [*_board(view)]
    lines += [f"- {change}" for change in view.changes]
    lines += [view.summary] if view.summary else []
    return "\n".join(lines)


def _board(view: View) -> Iterator[str]:
    from rulewright.games.render.board_text import board_lines, plain

    assert view.state is not None
    if view.stale:
        yield "(the board of the last state that could be read)"
    yield plain(board_lines(view.state.scene, None)).rstrip("\n")
    if view.played:
        yield f"after {' '.join(view.played)}"
    if view.stopped:
        yield f"the game stops here: {view.stopped}"
    if view.state.result is not None:
        yield str(view.state.result)
    else:
        number = len(view.state.moves)
        yield f"{view.state.mover} to move, {amount(number, 'decision')}"


COMMANDS: dict[str, a.Command] = {
    "watch": (watch, [
        a.value("file", "FILE", "rules or what belongs to them, or a bundled game"),
        a.value("--moves", "MOVES", "the game under way, replayed after every save", default=""),
        a.value("--svg", "FILE", "write the board as SVG too; without FILE beside the rules",
                nargs="?", const=""),
        a.each_time("seconds for the tests after each save (default 3)", 3.0),
        a.flag("--once", "check once and exit, with status 1 if something is wrong"),
    ]),
}  # fmt: skip
