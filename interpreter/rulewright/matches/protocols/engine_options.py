"""Options that an engine offers to a program: how they are described, and what sets them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import frozen

from rulewright.errors import RulewrightError
from rulewright.matches.protocols import serving


@frozen
class EngineOption:
    """An option as `uci` describes it, and what sets it."""

    kind: str
    use: Callable[[str], None]


def spin(noun: str, value: int, low: int, high: int, use: Callable[[int], None]) -> EngineOption:
    """An option that is a whole number."""

    def read(text: str) -> None:
        use(serving.whole_number(text, noun, low, high))

    return EngineOption(f"spin default {value} min {low} max {high}", read)


def check(value: bool, use: Callable[[bool], None]) -> EngineOption:
    """An option that is true or false."""

    def read(text: str) -> None:
        if text not in ("true", "false"):
            raise RulewrightError(f"`{text[:40]}` is neither true nor false")
        use(text == "true")

    return EngineOption(f"check default {str(value).lower()}", read)


def choices(value: str, names: Iterable[str]) -> str:
    """An option that is one of several words."""
    return " ".join([f"combo default {value}", *(f"var {name}" for name in names)])
