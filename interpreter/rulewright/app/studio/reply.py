"""Replies to requests as JSON data, for a server and for a desk in a worker of a page.

In: requests.  Out: a result, or an error with a message for people and, for texts, diagnostics.
Unexpected exceptions are answered as errors too.
"""

from __future__ import annotations

import gc
import json
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from attrs import define, field

from rulewright.app.studio import answers as a
from rulewright.app.studio import messages as m
from rulewright.app.studio.desk import Desk
from rulewright.app.studio.folder import Folder
from rulewright.app.studio.line import SceneLine
from rulewright.app.studio.thinking import Telling
from rulewright.errors import RulewrightError
from rulewright.games.files.games import find
from rulewright.games.files.shelves import open_shelf
from rulewright.ground import budget
from rulewright.ground.disk import read_text
from rulewright.ground.printable import printable
from rulewright.ground.records import read_json
from rulewright.language.diagnostics import TextError


def reply(desk: Desk, request: m.Request, telling: Telling) -> dict[str, Any]:
    """Answer a request: a result, or an error."""
    try:
        return {"id": request.number, "result": a.as_json(desk.answer(request, telling))}
    except TextError as error:
        diagnostics = [d.as_data() for d in error.diagnostics]
        return _failed(request, "the text has mistakes", diagnostics=diagnostics)
    except RulewrightError as error:
        return _failed(request, str(error))
    except (RecursionError, MemoryError) as error:
        return _failed(request, f"that is too much ({type(error).__name__})")
    except OSError as error:
        return _failed(request, f"{error.filename or 'a file'}: {error.strerror or error}")
    except Exception as error:  # a bug of the studio: the page shows it, and goes on
        traceback.print_exc()
        return _failed(request, f"the studio has a fault here: {error}")


def progress_of(number: int, progress: object) -> dict[str, Any]:
    """What is said of a long request while it runs: what is known, or what is done."""
    kind = "doing" if isinstance(progress, a.Doing) else "progress"
    return {"id": number, kind: a.as_json(progress)}


def stopped_reply(request: m.Request) -> dict[str, Any]:
    """The reply to a request that was stopped, although what it began goes on for a while."""
    return _failed(request, "stopped; what is compiled meanwhile is kept")


def late(request: m.Request, seconds: float) -> dict[str, Any]:
    """The reply to a request that is given up after so many seconds."""
    message = f"that took more than {seconds:.0f} s and was given up; the studio begins anew"
    return _failed(request, message)


def bad_message_reply(error: m.BadRequest) -> dict[str, Any]:
    """The reply to a message that is no request."""
    return {"id": None, "error": {"message": str(error)}}


def _failed(request: m.Request, message: str, **more: object) -> dict[str, Any]:
    return {"id": request.number, "error": {"message": printable(message), **more}}


@define(eq=False)
class WorkerDesk:
    """A desk in a worker of a page: texts of requests in, texts of answers out, one at a time.

    *tell* takes the progress of a long request.  It cannot be stopped: the page ends the worker.
    """

    folder: Path
    tell: Callable[[str], object]
    _first: m.OpenGame | None = field(default=None, init=False)
    """The game that is asked for first: the desk begins with it, and reads no other one."""
    _line: SceneLine = field(factory=SceneLine, init=False)

    def __attrs_post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        open_shelf(self.folder)

    @cached_property
    def desk(self) -> Desk:
        """The desk, with the first game on it; with the usual one where that cannot be opened."""
        if self._first is not None:
            with suppress(RulewrightError):  # whoever opens it is told
                return Desk(self._texts, self._first.game, dict(self._first.options))
        return Desk(self._texts)

    @cached_property
    def _texts(self) -> Folder:
        return Folder(self.folder)

    def ask(self, text: str) -> str:
        """Answer a message."""
        try:
            request = m.read_request(text)
        except m.BadRequest as error:
            return _json(bad_message_reply(error))
        if self._first is None and isinstance(request.params, m.OpenGame):
            self._first = request.params
        telling = Telling(lambda progress: self._tell(request.number, progress), lambda: False)
        return _json(self._line.packed(reply(self.desk, request, telling)))

    def has_kept_kernels(self) -> bool:
        """Whether the cache of the page has the kernels of its game: then `prepare` is fast."""
        from rulewright.games.engine.kernels import has_kept_kernels

        return has_kept_kernels(self.desk.tree.state.game)

    def prepare(self) -> None:
        """Compile the kernels that the next click needs."""
        self.desk.prepare()

    def put(self, files: str) -> None:
        """Write files from a JSON object of texts by path."""
        for name, text in read_json(files, dict[str, str]).items():
            path = self._texts.find(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogatepass"))

    def files(self) -> str:
        """All texts of the folder, as `put` takes them."""
        paths = [file.path for file in self._texts.files("") if file.writable]
        return _json({name: self._texts.read(name).text for name in paths})

    def _tell(self, number: int, progress: object) -> None:
        self.tell(_json(self._line.packed(progress_of(number, progress))))


def begin_desk(folder: str, tell: Callable[[str], object]) -> WorkerDesk:
    """Begin a desk for a worker, with its texts in a folder.

    The modules loaded by then stay: the garbage collector need not look through them.
    """
    gc.freeze()
    return WorkerDesk(Path(folder), tell)


def rehearse(folder: str, game: str, options: dict[str, str], texts: dict[str, str]) -> None:
    """Answer the first requests of a page, before the snapshot of its memory is taken.

    Nothing is compiled, as compiled code is no part of the snapshot: under a budget, even of
    endless time, the reference plays.
    """
    with budget.within_seconds(budget.LONGEST, 0.0, "rehearsing"):
        inside = begin_desk(folder, len)
        inside.put(json.dumps(texts))
        rules = Path(folder, game) if game in texts else find(game)
        edited = {"path": "rehearsed.rules", "text": read_text(rules) + "\n# edited\n"}
        opened = {"game": game, "options": options}
        for method, params in (
            ("open", opened), ("table", {}), ("files", {}), ("check", edited), ("follow", edited),
            ("table", {}),
        ):  # fmt: skip
            inside.ask(_json({"id": 1, "method": method, "params": params}))


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False)
