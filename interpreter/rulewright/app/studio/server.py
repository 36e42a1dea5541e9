"""The server of the studio: the page, and a socket to a desk for each page.

In: a folder or a game, an address.  Out: an application that serves the built page and answers its
messages.  Refuses requests without access (`doors.py`), and any but the files of the page.  A desk
stays for a while when its page is closed, so that a reload finds the game again.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from attrs import define, field
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright.app.studio import messages as m
from rulewright.app.studio.desk import Desk
from rulewright.app.studio.doors import Door, Gate
from rulewright.app.studio.folder import Folder
from rulewright.app.studio.line import SceneLine
from rulewright.app.studio.reply import bad_message_reply, late, progress_of, reply, stopped_reply
from rulewright.app.studio.thinking import MOST_SECONDS, Telling
from rulewright.errors import RulewrightError
from rulewright.games.render.markup import escaped
from rulewright.ground.disk import read_text
from rulewright.ground.printable import printable

PAGE = Path(__file__).parent / "page"
FILES = {
    "index.html": "text/html", "studio.js": "text/javascript",
    "studio.css": "text/css", "board.css": "text/css", "de.json": "application/json",
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
    "Referrer-Policy": "same-origin",  # else the form would have no origin
    "Content-Security-Policy": POLICY.replace("form-action 'none'", "form-action 'self'"),
}
_PASSWORD_BYTES = 2000
"""Bytes of a form with a password, at most."""
_BEGINNING = frozenset({"hello", "open", "read_game", "sit"})
"""Requests after which the kernels of a game are compiled, and its players got ready."""
PATIENCE = 60.0
"""Seconds beyond the time limit of a request after which its desk is given up."""
THREADS = "desk"
"""The prefix of the names of threads that work for a page."""
_ENDING = 0.3
"""Seconds in which a request that is stopped may end by itself; then the page goes on."""
_HANDS = 6
"""Threads of a page: for a short request, a long one and those that it waits for, one in the
background, and compiling."""
DESKS = 20
"""Desks that are kept; the least recently used goes first."""


@define
class Desks:
    """The desks of all pages, by the name that each page keeps."""

    make: Callable[[], Desk]
    desks: dict[str, Desk] = field(factory=dict)

    def of(self, name: str) -> Desk:
        """The desk of a page; makes one if it has none yet."""
        desk = self.desks.pop(name) if name in self.desks else self.make()
        self.desks[name] = desk  # as the most recently used
        while len(self.desks) > DESKS:
            self.desks.pop(next(iter(self.desks))).close()
        return desk

    def give_up(self, desk: Desk) -> None:
        """Drop a desk that hangs: its page gets another one."""
        self.desks = {name: other for name, other in self.desks.items() if other is not desk}

    def close(self) -> None:
        """Close all desks."""
        for desk in self.desks.values():
            desk.close()
        self.desks.clear()


@define(eq=False)
class PageConnection:
    """The socket of a page: short requests one after the other, long ones beside them.

    Rules may run for ever, also in machine code, which nothing can interrupt.  A desk that hangs is
    given up: the page is told, connects to a new one, and opens its game again.
    """

    socket: WebSocket
    desk: Desk
    desks: Desks
    patience: float = PATIENCE
    pool: ThreadPoolExecutor = field(
        factory=partial(ThreadPoolExecutor, _HANDS, thread_name_prefix=THREADS)
    )
    loop: asyncio.AbstractEventLoop = field(factory=asyncio.get_running_loop)
    _running: dict[bool, int | None] = field(factory=dict)
    """The numbers of the long request and of the one behind, which the next one or `stop` ends."""
    _stops: dict[int, asyncio.Event] = field(factory=dict)
    """Set when a long request is stopped, by its number."""
    _tasks: dict[asyncio.Task[None], bool | None] = field(factory=dict)
    """The tasks of long requests, each with whether it runs behind."""
    _line: SceneLine = field(factory=SceneLine)
    _sending: asyncio.Lock = field(factory=asyncio.Lock)
    """Held while a message is sent: the page reads them in the order in which they were packed."""

    async def run(self) -> None:
        """Answer requests until the page is closed."""
        try:
            while True:
                await self._take(await self.socket.receive_text())
        except (RuntimeError, WebSocketDisconnect):  # the page is closed
            self._running.clear()
        finally:
            self.pool.shutdown(wait=False)

    async def _take(self, text: str) -> None:
        try:
            request = m.read_request(text)
        except m.BadRequest as error:
            await self._send(bad_message_reply(error))
            return
        if request.method == "stop":
            self._running[request.params.behind] = None
            behind = request.params.behind
            for stop in self._stops.values() if not behind else ():
                stop.set()
            ending = [task for task, is_behind in self._tasks.items() if is_behind == behind]
            self._beside(self._see_ended(request, ending), not behind)
        if request.method in m.LONG | m.BEHIND:
            behind = request.method in m.BEHIND
            self._running[behind] = request.number
            self._beside(self._answer(request, _seconds(request)), behind)
        else:
            await self._answer(request, 0.0)
        if request.method in _BEGINNING:
            self.loop.run_in_executor(self.pool, self._prepare)

    def _prepare(self) -> None:
        self.desk.prepare()
        self.desk.prepare_players()

    def _beside(self, work: Coroutine[Any, Any, None], behind: bool | None) -> None:
        task = asyncio.create_task(work)
        self._tasks[task] = behind
        task.add_done_callback(self._tasks.pop)

    async def _answer(self, request: m.Request, seconds: float | None) -> None:
        """Answer a request within *seconds*; None if only `stop` ends it."""
        context = contextvars.copy_context()
        answer = self.loop.run_in_executor(self.pool, context.run, self._reply, request)
        limit = None if seconds is None else seconds + self.patience
        replied = request.method in m.LONG and await self._stopped(request, answer, limit)
        await asyncio.wait({answer}, timeout=self.patience if replied else limit)
        if not answer.done() and limit is not None:
            await self._give_up(request, limit)
        elif answer.done() and not replied:
            await self._send(answer.result())

    async def _stopped(
        self, request: m.Request, answer: asyncio.Future[Any], limit: float | None
    ) -> bool:
        """Whether a request was stopped and the page is told so before it has ended.

        Machine code is compiled to its end; nobody has to wait for that.
        """
        stop = self._stops[request.number] = asyncio.Event()
        stopping = asyncio.ensure_future(stop.wait())
        await asyncio.wait({answer, stopping}, timeout=limit, return_when="FIRST_COMPLETED")
        stopping.cancel()
        del self._stops[request.number]
        if not stop.is_set():
            return False
        await asyncio.wait({answer}, timeout=_ENDING)
        if answer.done():
            return False
        await self._send(stopped_reply(request))
        return True

    async def _see_ended(self, request: m.Request, ending: list[asyncio.Task[None]]) -> None:
        """Wait for stopped tasks to end; give up the desk if they do not."""
        if ending:
            _, pending = await asyncio.wait(ending, timeout=self.patience)
            if pending:
                await self._give_up(request, self.patience)

    async def _give_up(self, request: m.Request, seconds: float) -> None:
        self.desks.give_up(self.desk)
        await self._send(late(request, seconds))
        with suppress(RuntimeError):  # it is closed already
            await self.socket.close(1013)

    def _reply(self, request: m.Request) -> dict[str, Any]:
        behind = request.method in m.BEHIND
        telling = Telling(
            lambda progress: self._tell(request.number, progress),
            lambda: self._running.get(behind) != request.number,
        )
        return reply(self.desk, request, telling)

    def _tell(self, number: int, progress: object) -> None:
        delivery = self._send(progress_of(number, progress))
        try:
            asyncio.run_coroutine_threadsafe(delivery, self.loop)
        except RuntimeError:  # the server is shutting down
            delivery.close()
            self._running.clear()

    async def _send(self, data: Mapping[str, Any]) -> None:
        try:
            async with self._sending:
                text = json.dumps(self._line.packed(data), ensure_ascii=False)
                await self.socket.send_text(text)
        except (RuntimeError, WebSocketDisconnect):
            self._running.clear()


def _seconds(request: m.Request) -> float | None:
    """The time limit of a long request, in seconds; None if it has none."""
    if request.method == "think":
        return request.params.seconds or MOST_SECONDS
    return getattr(request.params, "seconds", 0.0) if request.method in m.LONG else None


def application(
    folder: Folder,
    opened: str,
    options: Mapping[str, str],
    door: Door | Gate | None = None,
    patience: float = PATIENCE,
) -> Starlette:
    """Make the application; `state.door` controls access, `state.site` is a page to link to."""
    door = door or Door()
    desks = Desks(lambda: Desk(folder, opened, dict(options)))

    def page(request: Request) -> Response:
        name = request.path_params.get("name") or "index.html"
        if not door.knows_host(request.headers) or name not in FILES:
            return PlainTextResponse("not here", status_code=404)
        if not door.may_see(request.headers) and not name.endswith(".css"):
            return _login("Who comes from elsewhere needs the password.", 401)
        return _file(name, app.state.site)

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
        except RulewrightError as error:  # the opened file is gone
            await socket.close(1011, printable(str(error))[:100])
            return
        await PageConnection(socket, desk, desks, patience).run()

    routes = [
        Route("/", page), Route("/enter", enter, methods=["POST"]), Route("/{name}", page),
        WebSocketRoute("/talk", talk),
    ]  # fmt: skip
    app = Starlette(routes=routes)
    app.state.door, app.state.desks, app.state.site = door, desks, ""
    return app


def _file(name: str, site: str) -> Response:
    """A file of the page; its document knows the address that links lead to."""
    if not site or name != "index.html":
        return FileResponse(PAGE / name, media_type=FILES[name], headers=_HEADERS)
    text = read_text(PAGE / name).replace("<html ", f'<html data-site="{escaped(site)}" ', 1)
    return HTMLResponse(text, headers=_HEADERS)


def _login(message: str, status: int) -> Response:
    """The page that asks for the password."""
    text = read_text(PAGE / "login.html").replace("{told}", escaped(message))
    return HTMLResponse(text, status_code=status, headers=_ASKING)


async def _password(request: Request) -> str:
    """The password of a form; empty if the form is too long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _PASSWORD_BYTES:
            return ""
    fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True)
    return fields.get("password", [""])[0]
