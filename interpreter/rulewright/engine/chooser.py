"""Who plays the positions of a game: the reference at first, machine code once that pays.

In: a game, what the reference has cost so far.  Out: the kernels that play, or None.  Whoever plays
them, positions are the same.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from attrs import define, field

from rulewright import budget
from rulewright.cache import BROUGHT
from rulewright.engine.interpreted import TimeTaken
from rulewright.reference.play import ReferencePlay

if TYPE_CHECKING:
    from rulewright.engine.packed import Machine

PATIENCE = 0.1
"""Seconds that the reference plays a game before its kernels are compiled."""


class Playable(Protocol):
    """What machine code may come to play, such as a `Game`."""

    @property
    def play(self) -> ReferencePlay:
        """The rules in motion."""

    @property
    def place(self) -> Path | None:
        """Where the model is kept between runs, if it is."""


@define(eq=False)
class Chooser:
    """Whether machine code plays the positions of a game: it does once compiling it has paid.

    Whoever plays them, they are the same.
    """

    backend: Any
    effort: TimeTaken = field(factory=TimeTaken)
    known: bool | None = None
    """Whether kernels are kept, once somebody has looked."""
    _machine: Machine | str | None = None

    def machine(self, game: Playable) -> Machine | None:
        """What plays positions by machine code, None while the reference does."""
        if self._machine is None and self.backend != "reference":
            paid = (self.backend or self._pays(game)) and budget.current() is None
            if paid or "rulewright.engine.kernels" in sys.modules:
                from rulewright.engine.kernels import machine_of  # with it comes LLVM

                self._machine = machine_of(game, self.backend, compiling=paid)
        return None if isinstance(self._machine, str) else self._machine

    def _pays(self, game: Playable) -> bool:
        """Whether the reference has cost as much as machine code would, or that is kept."""
        return self.effort.seconds > PATIENCE or self._kept(game.place)

    def _kept(self, place: Path | None) -> bool:
        """Whether kernels of the game are likely to be kept, looked for once."""
        if self.known is None:
            folders = (place.parent, BROUGHT) if place else ()
            name = f"{place.stem}.*.kernels" if place else ""
            self.known = any(any(folder.glob(name)) for folder in folders)
        return self.known
