"""`rulewright studio`: the board beside the text, as a page in a browser."""

from __future__ import annotations

import socket
import sys
import webbrowser
from argparse import Namespace
from pathlib import Path

from rulewright.cli import arguments as a
from rulewright.cli.common import settings
from rulewright.errors import RulewrightError

_HERE = "127.0.0.1"


def studio(arguments: Namespace) -> int:
    """Serve the page until it is interrupted; its address, with the token, is printed."""
    if arguments.export is not None:
        return _export(arguments)
    if arguments.pyodide is not None:
        raise RulewrightError("--pyodide is for --export")
    try:
        import uvicorn

        from rulewright.studio.desk import Desk, named_file
        from rulewright.studio.server import application
    except ModuleNotFoundError as error:
        raise _without(error) from None
    folder, opened = named_file(arguments.game)
    Desk(folder, opened, settings(arguments.set)).close()  # what is wrong is said here
    app = application(folder, opened, settings(arguments.set))
    listening = _listen(arguments.port)
    port = listening.getsockname()[1]
    address = f"http://{_HERE}:{port}/#token={app.state.door.token}"
    print(address, flush=True)
    if not arguments.no_browser:
        webbrowser.open(address)
    config = uvicorn.Config(app, log_level="warning", ws_max_size=2 << 23, lifespan="off")
    server = uvicorn.Server(config)
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        return 130
    finally:
        app.state.desks.close()
    print("the studio is closed", file=sys.stderr)
    return 0


def _without(error: ModuleNotFoundError) -> RulewrightError:
    told = f"the studio needs {error.name}; `pip install 'rulewright[studio]'` brings it"
    return RulewrightError(told)


def _export(arguments: Namespace) -> int:
    """Write the page, and Python for it, as files for a web host."""
    try:
        from rulewright.studio.export import export, shown
        from rulewright.studio.pyodide import pyodide
    except ModuleNotFoundError as error:
        raise _without(error) from None
    first = shown(arguments.game, settings(arguments.set))
    python = pyodide(Path(arguments.pyodide) if arguments.pyodide else None)
    size = export(Path(arguments.export), first, python)
    for path in first.texts:
        print(f"with {path}", file=sys.stderr)
    print(f"{arguments.export}: {size:,} bytes, for any web host")
    return 0


def _listen(port: int) -> socket.socket:
    """A socket on this machine only; port 0 is any that is free."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((_HERE, port))
        found.listen()  # a page that comes before the server is ready waits
    except (OSError, OverflowError) as error:
        raise RulewrightError(f"port {port} cannot be used: {error}") from None
    return found


COMMANDS: dict[str, a.Command] = {
    "studio": (studio, [
        a.value("game", "FILE|GAME", "rules, a folder or a bundled game", nargs="?", default=""),
        a.SETTINGS,
        a.value("--port", "N", "the port (default: any that is free)", type=a.from_zero, default=0),
        a.flag("--no-browser", "only print the address"),
        a.value("--export", "DIR", "write it as files for any web host, with your texts inside"),
        a.value("--pyodide", "DIR", "the files of Pyodide for --export (default: fetched by npm)"),
    ]),
}  # fmt: skip
