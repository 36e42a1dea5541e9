"""Who may come in: pages of this machine that know a token, or of others that know a password.

In: headers of requests, passwords that were typed.  Out: yes or no, and a cookie for whoever knew
the password.  Refuses other hosts (without a password), other origins, wrong passwords, and all
passwords for a while after ten wrong ones.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Mapping

from attrs import define, field, frozen
from starlette.requests import cookie_parser

from rulewright import cache
from rulewright.errors import RulewrightError

_LOCAL = ("127.0.0.1", "localhost", "[::1]")
SHORTEST = 8
"""Letters of a password."""
_TRIES, _MINUTE = 10, 60.0
"""So many wrong passwords in so many seconds are enough, whoever sends them."""
COOKIE = "rulewright"


def _token() -> str:
    """A word that only this user can know, the same tomorrow, so that a page finds its way back."""
    key = cache.secret()
    if key is None:
        return secrets.token_urlsafe(24)
    return hmac.new(key, b"studio", "sha256").hexdigest()[:32]


@frozen
class Door:
    """The door of a studio for this machine: those who know the token, from pages that it sent."""

    token: str = field(factory=_token)

    def lets_in(self, headers: Mapping[str, str], token: str | None) -> bool:
        """Whether a socket may be opened; one without an origin is no page of another site."""
        return self.knows_host(headers) and _from_here(headers) and _same(token or "", self.token)

    def knows_host(self, headers: Mapping[str, str]) -> bool:
        """Whether a request was meant for this machine, and not for a name that points to it."""
        return _without_port(headers.get("host", "")) in _LOCAL

    def may_see(self, headers: Mapping[str, str]) -> bool:
        """Whether the page may be sent; without the token it does nothing."""
        return self.knows_host(headers)


@define(eq=False)
class Gate:
    """The door of a studio for others: those who have told the password since it was started."""

    password: str = field(repr=False)
    _cookie: str = field(factory=lambda: secrets.token_urlsafe(32), repr=False)
    _wrong: list[float] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        if len(self.password) < SHORTEST:
            raise RulewrightError(f"a password has {SHORTEST} letters at least")

    def lets_in(self, headers: Mapping[str, str], _: str | None = None) -> bool:
        """Whether a socket may be opened, from pages of the address that was asked for alone."""
        return _from_here(headers) and self.may_see(headers)

    def knows_host(self, _: Mapping[str, str]) -> bool:
        """Any name may lead here: a page of another one has not the cookie of this."""
        return True

    def may_see(self, headers: Mapping[str, str]) -> bool:
        """Whether a request comes from somebody who has told the password."""
        return _same(cookie_parser(headers.get("cookie", "")).get(COOKIE, ""), self._cookie)

    def enter(self, headers: Mapping[str, str], password: str) -> str | None:
        """The cookie for whoever knows the password; raises where too many were wrong."""
        now = time.monotonic()
        self._wrong = [when for when in self._wrong if now - when < _MINUTE]
        if len(self._wrong) >= _TRIES:
            raise RulewrightError("too many wrong passwords; try again in a minute")
        if _from_here(headers) and _same(password, self.password):
            return f"{COOKIE}={self._cookie}; Path=/; HttpOnly; SameSite=Strict"
        self._wrong.append(now)
        return None


def _from_here(headers: Mapping[str, str]) -> bool:
    """Whether a request is of no page, or of one that came from the address that it asks."""
    origin, host = headers.get("origin"), headers.get("host", "")
    return origin is None or origin in (f"http://{host}", f"https://{host}")


def _same(told: str, known: str) -> bool:
    """Whether two secrets are the same, in a time that tells nothing."""
    return secrets.compare_digest(told.encode("utf-8", "surrogatepass"), known.encode())


def _without_port(host: str) -> str:
    name, _, port = host.rpartition(":")
    return name if name and port.isdecimal() else host
