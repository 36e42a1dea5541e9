"""Access to the studio: by a token for pages of this machine, by a password for others.

In: headers of requests, typed passwords.  Out: whether a request is allowed, and a cookie for the
right password.  Refuses other hosts (without a password), other origins, wrong passwords, and all
passwords for a minute after ten wrong ones.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Mapping

from attrs import define, field, frozen
from starlette.requests import cookie_parser

from rulewright.errors import RulewrightError
from rulewright.ground import cache

_LOCAL = ("127.0.0.1", "localhost", "[::1]")
SHORTEST = 8
"""Letters of a password."""
_TRIES, _MINUTE = 10, 60.0
"""Wrong passwords that are allowed, from all senders together, in so many seconds."""
COOKIE = "rulewright"


def _token() -> str:
    """A token that only this user can know; the same for each start, so that a reload works."""
    key = cache.secret()
    if key is None:
        return secrets.token_urlsafe(24)
    return hmac.new(key, b"studio", "sha256").hexdigest()[:32]


@frozen
class Door:
    """Access from this machine: by the token, from pages that the studio sent."""

    token: str = field(factory=_token)

    def lets_in(self, headers: Mapping[str, str], token: str | None) -> bool:
        """Whether a socket may be opened; without an origin it is no page of another site."""
        return self.knows_host(headers) and _from_here(headers) and _same(token or "", self.token)

    def knows_host(self, headers: Mapping[str, str]) -> bool:
        """Whether a request names this machine, and no domain that points to it."""
        return _without_port(headers.get("host", "")) in _LOCAL

    def may_see(self, headers: Mapping[str, str]) -> bool:
        """Whether the page may be sent; it can do nothing without the token."""
        return self.knows_host(headers)


@define(eq=False)
class Gate:
    """Access from other machines: by the password, given since the studio was started."""

    password: str = field(repr=False)
    _cookie: str = field(factory=lambda: secrets.token_urlsafe(32), repr=False)
    _wrong: list[float] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        if len(self.password) < SHORTEST:
            raise RulewrightError(f"a password has {SHORTEST} letters at least")

    def lets_in(self, headers: Mapping[str, str], _: str | None = None) -> bool:
        """Whether a socket may be opened: from pages of the same address, with the cookie."""
        return _from_here(headers) and self.may_see(headers)

    def knows_host(self, _: Mapping[str, str]) -> bool:
        """Always: pages of another domain do not have the cookie."""
        return True

    def may_see(self, headers: Mapping[str, str]) -> bool:
        """Whether a request has the cookie of the password."""
        return _same(cookie_parser(headers.get("cookie", "")).get(COOKIE, ""), self._cookie)

    def enter(self, headers: Mapping[str, str], password: str) -> str | None:
        """The cookie for the right password, else None; raises after too many wrong ones."""
        now = time.monotonic()
        self._wrong = [moment for moment in self._wrong if now - moment < _MINUTE]
        if len(self._wrong) >= _TRIES:
            raise RulewrightError("too many wrong passwords; try again in a minute")
        if _from_here(headers) and _same(password, self.password):
            return f"{COOKIE}={self._cookie}; Path=/; HttpOnly; SameSite=Strict"
        self._wrong.append(now)
        return None


def _from_here(headers: Mapping[str, str]) -> bool:
    """Whether a request is from no page, or from a page of the same address."""
    origin, host = headers.get("origin"), headers.get("host", "")
    return origin is None or origin in (f"http://{host}", f"https://{host}")


def _same(text: str, secret: str) -> bool:
    """Compare a text with a secret, in a time that reveals nothing."""
    return secrets.compare_digest(text.encode("utf-8", "surrogatepass"), secret.encode())


def _without_port(host: str) -> str:
    name, _, port = host.rpartition(":")
    return name if name and port.isdecimal() else host
