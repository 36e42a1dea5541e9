"""The studio on one's own machine: a page, and a socket to a desk for each page.

In: a folder or a game, an address.  Out: an application that serves the built page and answers its
messages.  Refuses whoever its door does not let in (`doors.py`), and anything but the files of the
page.  A desk stays for a while when its page goes, so that a reload finds the game again.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from attrs import define, field
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright.disk import read_text
from rulewright.errors import RulewrightError
from rulewright.printable import printable
from rulewright.render.markup import escaped
from rulewright.studio import answers as a
from rulewright.studio import messages as m
from rulewright.studio.desk import Desk
from rulewright.studio.doors import Door, Gate
from rulewright.studio.folder import Folder
from rulewright.studio.reply import reply, unread
from rulewright.studio.thinking import Telling

PAGE = Path(__file__).parent / "page"
FILES = {
    "index.html": "text/html", "studio.js": "text/javascript",
    "studio.css": "text/css", "board.css": "text/css",
}  # fmt: skip
"""The page, as `make studio` builds it."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
_ASKING = {
    **_HEADERS,
    "Referrer-Policy": "same-origin",  # else the form would not tell where it comes from
    "Content-Security-Policy": POLICY.replace("form-action 'none'", "form-action 'self'"),
}
_PASSWORD_BYTES = 2000
"""Of a message that tells a password."""
_BEGINNING = frozenset({"hello", "open", "read_game"})
"""Requests after which there is a game on the desk that is going to be played."""
DESKS = 20
"""Desks that are kept; the one that was used longest ago goes first."""


@define
class Desks:
    """The desks of all pages, by a name that each page keeps."""

    make: Callable[[], Desk]
    kept: dict[str, Desk] = field(factory=dict)

    def of(self, name: str) -> Desk:
        """The desk of a page, a new one if it has none yet."""
        desk = self.kept.pop(name) if name in self.kept else self.make()
        self.kept[name] = desk  # the last of all
        while len(self.kept) > DESKS:
            self.kept.pop(next(iter(self.kept))).close()
        return desk

    def close(self) -> None:
        """Leave nothing running."""
        for desk in self.kept.values():
            desk.close()
        self.kept.clear()


@define(eq=False)
class PageConnection:
    """The socket of one page: requests one after the other, long ones beside them."""

    socket: WebSocket
    desk: Desk
    pool: ThreadPoolExecutor
    loop: asyncio.AbstractEventLoop = field(factory=asyncio.get_running_loop)
    _running: dict[bool, int | None] = field(factory=dict)
    """The number of what runs in front and behind; another one of its kind, or `stop`, ends it."""
    _tasks: set[asyncio.Task[None]] = field(factory=set)

    async def run(self) -> None:
        """Answer until the page goes."""
        try:
            while True:
                await self._take(await self.socket.receive_text())
        except (RuntimeError, WebSocketDisconnect):  # the page has gone
            self._running.clear()

    async def _take(self, text: str) -> None:
        try:
            request = m.read_request(text)
        except m.BadRequest as error:
            await self._send(unread(error))
            return
        if request.method == "stop":
            self._running[request.params.behind] = None
        if request.method in m.LONG | m.BEHIND:
            self._running[request.method in m.BEHIND] = request.number
            task = asyncio.create_task(self._answer(request))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            await self._answer(request)
        if request.method in _BEGINNING:
            self.loop.run_in_executor(self.pool, self.desk.prepare)

    async def _answer(self, request: m.Request) -> None:
        context = contextvars.copy_context()
        answer = await self.loop.run_in_executor(self.pool, context.run, self._reply, request)
        await self._send(answer)

    def _reply(self, request: m.Request) -> dict[str, Any]:
        behind = request.method in m.BEHIND
        telling = Telling(
            lambda known: self._tell(request.number, known),
            lambda: self._running.get(behind) != request.number,
        )
        return reply(self.desk, request, telling)

    def _tell(self, number: int, known: object) -> None:
        said = self._send({"id": number, "progress": a.as_json(known)})
        try:
            asyncio.run_coroutine_threadsafe(said, self.loop)
        except RuntimeError:  # the server ends, and nobody listens any more
            said.close()
            self._running.clear()

    async def _send(self, data: Mapping[str, Any]) -> None:
        try:
            await self.socket.send_text(json.dumps(data, ensure_ascii=False))
        except (RuntimeError, WebSocketDisconnect):
            self._running.clear()


def application(
    folder: Folder, opened: str, options: Mapping[str, str], door: Door | Gate | None = None
) -> Starlette:
    """The studio for one folder; its door (`state.door`) says who may come in."""
    door = door or Door()
    desks = Desks(lambda: Desk(folder, opened, dict(options)))
    pool = ThreadPoolExecutor(thread_name_prefix="desk")

    def page(request: Request) -> Response:
        name = request.path_params.get("name") or "index.html"
        if not door.knows_host(request.headers) or name not in FILES:
            return PlainTextResponse("not here", status_code=404)
        if not door.may_see(request.headers) and not name.endswith(".css"):
            return _login("Who comes from elsewhere needs the password.", 401)
        return FileResponse(PAGE / name, media_type=FILES[name], headers=_HEADERS)

    async def enter(request: Request) -> Response:
        if not isinstance(door, Gate):
            return PlainTextResponse("not here", status_code=404)
        try:
            cookie = door.enter(request.headers, await _password(request))
        except RulewrightError as error:
            return _login(str(error), 429)
        if cookie is None:
            return _login("That is not the password.", 401)
        return Response(status_code=303, headers={"Location": ".", "Set-Cookie": cookie})

    async def talk(socket: WebSocket) -> None:
        if not door.lets_in(socket.headers, socket.query_params.get("token")):
            await socket.close(1008)
            return
        await socket.accept()
        try:
            desk = await asyncio.to_thread(desks.of, socket.query_params.get("desk", ""))
        except RulewrightError as error:  # what was opened has gone
            await socket.close(1011, printable(str(error))[:100])
            return
        await PageConnection(socket, desk, pool).run()

    routes = [
        Route("/", page), Route("/enter", enter, methods=["POST"]), Route("/{name}", page),
        WebSocketRoute("/talk", talk),
    ]  # fmt: skip
    app = Starlette(routes=routes)
    app.state.door, app.state.desks = door, desks
    return app


def _login(told: str, status: int) -> Response:
    """The page that asks for the password."""
    text = read_text(PAGE / "login.html").replace("{told}", escaped(told))
    return HTMLResponse(text, status_code=status, headers=_ASKING)


async def _password(request: Request) -> str:
    """What a form tells; nothing where that is more than a password can be."""
    told = b""
    async for part in request.stream():
        told += part
        if len(told) > _PASSWORD_BYTES:
            return ""
    fields = parse_qs(told.decode("utf-8", "replace"), keep_blank_values=True)
    return fields.get("password", [""])[0]
