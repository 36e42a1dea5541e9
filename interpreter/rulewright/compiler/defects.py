"""The net below everything that makes kernels or writes decisions: no fault of ours gets through.

In: a stage at work on a text, and the text.  Out: what the stage gives; where it raises what it
should not, a `Defect`, so that the reference plays as it does for every other `Unsupported`.  Each
is noted (`DEFECTS`), and told once with its place in the text: a slow game must not be the only
sign of it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType
from typing import Protocol

from rulewright.compiler.layout import Unsupported
from rulewright.errors import Fault, RulewrightError
from rulewright.ground.records import Record
from rulewright.model.rules import Origin, place_of

DEFECTS: list[Defect] = []
"""All that were met in this process, the first of each kind and place."""
_LISTENING: ContextVar[list[Defect] | None] = ContextVar("listening", default=None)
_FILES = Path(__file__).parents[1]


class NamedText(Protocol):
    """A text that is compiled: rules, evaluators (with the places of their text), patterns."""

    @property
    def name(self) -> str:
        """The name of the text."""


class Defect(Unsupported):
    """A stage has failed where it should have refused."""

    def __init__(self, text: NamedText, error: Exception) -> None:
        """Describe the *error* that a stage raised while it worked on *text*."""
        self.error, self.text, self.at = error, text, _innermost_line(error.__traceback__)
        self.origin = _origin_in(text, error)
        """Where in the text, None where that is not known."""
        super().__init__(f"a fault of rulewright's own ({type(error).__name__} in {self.at})")

    @property
    def place(self) -> str:
        """`file:line` of the text, or the name of what was compiled."""
        return place_of(self.origin) if self.origin and self.origin.line else self.text.name

    def like(self, other: Defect) -> bool:
        """Whether both are of one kind and place."""
        return (self.at, self.place) == (other.at, other.place)

    @property
    def message(self) -> str:
        """The message for a user: the place, the fault, and what to do."""
        return (
            f"{self.place}: {self}, so that the reference plays, which is slow; "
            "please report it with the text"
        )


@contextmanager
def net(text: NamedText, playing: bool = False) -> Iterator[None]:
    """Turn an exception that is no refusal into a `Defect`, which is noted and printed.

    *playing*: a `Fault` is the text's own, as in play; nothing that is compiled may raise one.
    """
    try:
        yield
    except MemoryError:
        raise
    except Unsupported as refusal:
        origin = _origin_in(text, refusal)
        refusal.where = refusal.where or (place_of(origin) if origin and origin.line else "")
        raise
    except Exception as error:
        if isinstance(error, RulewrightError) and (playing or not isinstance(error, Fault)):
            raise  # what a caller, a limit or the rules have asked for
        raise note(Defect(text, error)) from error


def note(defect: Defect) -> Defect:
    """Note a defect, print the first of its kind and place, and return it."""
    listening = _LISTENING.get()
    if listening is not None:
        listening.append(defect)
    elif not any(defect.like(earlier) for earlier in DEFECTS):
        print(f"rulewright: {defect.message}", file=sys.stderr)
    if not any(defect.like(earlier) for earlier in DEFECTS):
        DEFECTS.append(defect)
    return defect


@contextmanager
def listening() -> Iterator[list[Defect]]:
    """Collect the defects met in a block, which are not printed then."""
    defects = list[Defect]()
    token = _LISTENING.set(defects)
    try:
        yield defects
    finally:
        _LISTENING.reset(token)


def _innermost_line(trace: TracebackType | None) -> str:
    """Return `file:line` of the innermost frame that is the program's own, else `?`."""
    line = "?"
    while trace is not None:
        path = Path(trace.tb_frame.f_code.co_filename)
        if path.is_relative_to(_FILES):
            line = f"{path.relative_to(_FILES)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return line


def _origin_in(text: NamedText, error: Exception) -> Origin | None:
    """Return the place of a text that a stage was at work on, None where that is not known."""
    origins: tuple[Origin, ...] = getattr(text, "origins", ())
    number = _origin(error.__traceback__)
    return origins[number] if number < len(origins) else None


def _origin(trace: TracebackType | None) -> int:
    """Return the place in the text (0: unknown) of the innermost record that has one."""
    number = 0
    while trace is not None:
        records = [v for v in trace.tb_frame.f_locals.values() if isinstance(v, Record)]
        places = (getattr(record, "origin", 0) for record in records)
        number = next((place for place in places if isinstance(place, int) and place), number)
        trace = trace.tb_next
    return number
