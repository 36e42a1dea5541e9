"""The protocol of editors as far as the library leaves it open: cancelling, refusing, lists.

In: messages of an editor.  Out: for each request one answer or one error.  Messages are read ahead,
so that a request that is cancelled before its turn is not computed; one before `initialize`, after
`shutdown`, or with parameters that cannot be (a line below 0) is answered by an error.
"""

from __future__ import annotations

import json
import re
from io import BytesIO
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO

from attrs import define, field, frozen
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException, JsonRpcRequestCancelled
from pygls.protocol import LanguageServerProtocol

_LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)
_CANCEL = b'"$/cancelRequest"'


class _EarlyRequest(JsonRpcException):
    CODE = t.ErrorCodes.ServerNotInitialized.value


class _LateRequest(JsonRpcException):
    CODE = t.ErrorCodes.InvalidRequest.value


@frozen
class Json:
    """An answer as JSON has it, for lists of thousands: the library's records are slow."""

    value: Any


@define(eq=False)
class ReadAhead:
    """An input whose messages are read by a thread, which notices what an editor cancels."""

    stream: BinaryIO
    cancelled: set[int | str] = field(factory=set)
    _messages: SimpleQueue[bytes] = field(factory=SimpleQueue, init=False)
    _message: BytesIO = field(factory=BytesIO, init=False)

    def start(self) -> None:
        """Begin to read."""
        Thread(target=self._read, daemon=True).start()

    def readline(self) -> bytes:
        """A line of the present message or of the next; empty at the end of the input."""
        return self._message.readline() or self._next().readline()

    def read(self, count: int) -> bytes:
        """Bytes of the present message."""
        return self._message.read(count)

    def _next(self) -> BytesIO:
        self._message = BytesIO(self._messages.get())
        return self._message

    def _read(self) -> None:
        head, length = b"", 0
        for line in iter(self._line, b""):
            head += line
            match = _LENGTH.match(line)
            length = int(match[1]) if match else length
            if not line.strip():
                body = self.stream.read(length)
                self._notice(body)
                self._messages.put(head + body)
                head, length = b"", 0
        self._messages.put(b"")

    def _line(self) -> bytes:
        try:
            return self.stream.readline()
        except (OSError, ValueError):  # the editor is gone
            return b""

    def _notice(self, body: bytes) -> None:
        """Notice that a request is cancelled."""
        if _CANCEL not in body or len(body) > 10 * len(_CANCEL):
            return
        try:
            message = json.loads(body)
            if message["method"] == t.CANCEL_REQUEST:
                self.cancelled.add(message["params"]["id"])
        except (ValueError, LookupError, TypeError):
            pass  # which the library answers when it is its turn


class EditorProtocol(LanguageServerProtocol):
    """The library's protocol, with an answer for every request."""

    ahead: ReadAhead | None = None
    greeted = False
    finished = False

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Read a message; a request that cannot be read is answered by an error, and is None."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" not in data or "id" not in data:
                raise
            self._refuse(data["id"], error)
            return None

    def handle_message(self, message: Any) -> None:
        """Take a message that could be read; a request after `shutdown` is refused."""
        if message is None:
            return
        if self.finished and hasattr(message, "id") and hasattr(message, "method"):
            self._refuse(message.id, _LateRequest("nothing is answered after `shutdown`"))
            return
        super().handle_message(message)

    def _handle_request(self, msg_id: int | str, method_name: str, params: Any) -> None:
        if self.ahead is not None and msg_id in self.ahead.cancelled:
            self._refuse(msg_id, JsonRpcRequestCancelled(f"request {msg_id} is cancelled"))
            return
        self.greeted |= method_name == t.INITIALIZE
        self.finished |= method_name == t.SHUTDOWN
        if not self.greeted:
            self._refuse(msg_id, _EarlyRequest("the first request is `initialize`"))
            return
        super()._handle_request(msg_id, method_name, params)

    def _handle_cancel_notification(self, msg_id: int | str) -> None:
        if self.ahead is not None:
            self.ahead.cancelled.discard(msg_id)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.cancel()

    def _refuse(self, msg_id: int | str, error: JsonRpcException) -> None:
        self._send_response(msg_id, error=error.to_response_error())

    def _send_response(
        self, msg_id: int | str, result: Any = None, error: t.ResponseError | None = None
    ) -> None:
        if error is None and isinstance(result, Json):
            self._result_types.pop(msg_id, None)
            self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "result": result.value})
        else:
            super()._send_response(msg_id, result, error)
