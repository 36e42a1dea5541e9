"""`rulewright studio`: the board beside the text, as a page in a browser."""

from __future__ import annotations

import os
import re
import socket
import sys
import threading
import time
import webbrowser
from argparse import Namespace
from getpass import getpass
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import say, settings
from rulewright.compiler.engine import native_is_there
from rulewright.errors import RulewrightError
from rulewright.games.files.shelves import open_shelf
from rulewright.ground.cache import data_folder
from rulewright.ground.printable import amount, printable_name

if TYPE_CHECKING:
    from rulewright.app.studio.doors import Door, Gate

_HERE = "127.0.0.1"
_LOOPBACK = (_HERE, "localhost", "::1")
_CLOSING = 3
"""Seconds for pages to receive their last answers when the studio ends, and for threads to end."""
_PASSWORD = "RULEWRIGHT_PASSWORD"
"""The environment variable with the password for other machines."""


def studio(arguments: Namespace) -> int:
    """Serve the page until an interrupt; prints its address with the token."""
    if arguments.export is not None:
        return _export(arguments)
    for name in ("pyodide", "documents"):
        if getattr(arguments, name) is not None:
            raise RulewrightError(f"--{name} is for --export")
    try:
        import uvicorn

        from rulewright.app.studio.desk import Desk
        from rulewright.app.studio.doors import Door, Gate
        from rulewright.app.studio.folder import Folder, named_file
        from rulewright.app.studio.server import THREADS, application
    except ModuleNotFoundError as error:
        raise _without(error) from None
    _compile_outside()
    folder, opened = named_file(arguments.game)
    if folder.path:
        open_shelf(folder.path)
    else:  # what is begun here is kept, as if a folder had been named
        folder = Folder(data_folder().absolute() / "drafts")
    Desk(folder, opened, settings(arguments.set)).close()  # raises for mistakes, before serving
    host = arguments.host or _HERE
    door = Door() if host in _LOOPBACK else Gate(_password(host, str(folder.path or "")))
    app = application(folder, opened, settings(arguments.set), door)
    app.state.site = _site(arguments.site or "")
    listening = _listen(host, arguments.port)
    address = _address(host, listening.getsockname()[1], door)
    print(address, flush=True)
    if not arguments.no_browser:
        webbrowser.open(address)
    config = uvicorn.Config(
        app, log_level="warning", ws_max_size=2 << 23, lifespan="off",
        timeout_graceful_shutdown=_CLOSING,
    )  # fmt: skip
    server = uvicorn.Server(config)
    status = 0
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        status = 130
    if status == 0:
        say("the studio is closed")
    if _never_ends(THREADS):  # Python would wait for these threads
        sys.stdout.flush()
        os._exit(status)
    app.state.desks.close()
    return status


def _compile_outside() -> None:
    """Leave compiling to other processes: the studio stays, and needs LLVM for seconds."""
    if native_is_there():
        from rulewright.compiler.backend.native import compile_outside
        from rulewright.compiler.backend.outside import Compilers

        compile_outside(Compilers())


def _never_ends(prefix: str) -> bool:
    """Whether a thread of a page still runs after a while; their names have a prefix."""
    threads = [thread for thread in threading.enumerate() if thread.name.startswith(prefix)]
    until = time.monotonic() + _CLOSING
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
    return any(thread.is_alive() for thread in threads)


def _address(host: str, port: int, door: Door | Gate) -> str:
    """The address of the page, with the token if it is for this machine."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/" + (f"#token={door.token}" if hasattr(door, "token") else "")


def _site(address: str) -> str:
    """The address of an exported page as links begin with it; refuses what is no such address."""
    if address and not re.fullmatch(r"https?://[^\s#?]+", address):
        raise RulewrightError(f"--site {address}: links begin with http:// or https:// and a host")
    return address if not address or address.endswith((".html", "/")) else f"{address}/"


def _password(host: str, folder: str) -> str:
    """The password for other machines, from the environment or typed; prints what it allows."""
    permission = f"may change the texts below {folder}" if folder else "may play here"
    print(
        f"warning: whoever reaches {host} and knows the password {permission} and let this machine "
        "work for them; the line is not encrypted, so others on the way can read the password",
        file=sys.stderr,
    )
    password = os.environ.get(_PASSWORD)
    if password is not None:
        return password
    if not sys.stdin.isatty():
        raise RulewrightError(f"--host {host} needs a password: type one, or set {_PASSWORD}")
    return getpass("password for others: ")


def _without(error: ModuleNotFoundError) -> RulewrightError:
    message = f"the studio needs {error.name}; `pip install 'rulewright[studio]'` brings it"
    return RulewrightError(message)


def _export(arguments: Namespace) -> int:
    """Write the page, and Pyodide for it, as files for a web host."""
    if arguments.site is not None:
        raise RulewrightError("a page of --export makes links without --site")
    try:
        from rulewright.app.studio.export import export, first_page
        from rulewright.app.studio.pyodide import pyodide
    except ModuleNotFoundError as error:
        raise _without(error) from None
    shown = first_page(arguments.game, settings(arguments.set))
    first = evolve(shown, documents=arguments.documents or "")
    python = pyodide(Path(arguments.pyodide) if arguments.pyodide else None)
    size = export(Path(arguments.export), first, python)
    for path in first.texts:
        print(f"with {printable_name(path)}", file=sys.stderr)
    print(f"{printable_name(arguments.export)}: {amount(size, 'byte')}, for any web host")
    return 0


def _listen(host: str, port: int) -> socket.socket:
    """Listen at an address of this machine; port 0 is any free port."""
    try:
        listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen()  # a page that comes before the server is ready waits
    except (OSError, OverflowError) as error:
        raise RulewrightError(f"{host}, port {port} cannot be used: {error}") from None
    return listening


COMMANDS: dict[str, a.Command] = {
    "studio": (studio, [
        a.value("game", "FILE|GAME", "rules, a folder or a bundled game", nargs="?", default=""),
        a.SETTINGS,
        a.value("--port", "N", "the port (default: any free port)", type=a.from_zero, default=0),
        a.value("--host", "ADDRESS", "the address, with a password (default: this machine alone)"),
        a.flag("--no-browser", "only print the address"),
        a.value("--export", "DIR", "write the page and your texts as files for any web host"),
        a.value("--pyodide", "DIR", "the files of Pyodide for --export (default: fetched by npm)"),
        a.value("--site", "ADDRESS", "the address of the exported page, for links of Share"),
        a.value("--documents", "ADDRESS", "the address of its documents, for links of --export"),
    ]),
}  # fmt: skip
