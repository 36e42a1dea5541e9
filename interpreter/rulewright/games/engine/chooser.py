"""Choosing what plays the positions of a game: the reference at first, machine code once it pays.

In: a game, the time that the reference has taken so far.  Out: the kernels that play, or None.
Positions are the same, whichever plays them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, field

from rulewright.games.engine.interpreted import Playable, TimeTaken
from rulewright.ground import budget
from rulewright.ground.cache import BROUGHT

if TYPE_CHECKING:
    from rulewright.games.engine.packed import Machine

PATIENCE = 0.1
"""Seconds that the reference may take for a game before its kernels are compiled."""


@define(eq=False)
class Chooser:
    """Decides whether machine code plays the positions of a game: once compiling it pays."""

    backend: Any
    effort: TimeTaken = field(factory=TimeTaken)
    has_kernels: bool | None = None
    """Whether the cache has kernels of the game; None before the first look."""
    _machine: Machine | str | None = None

    def machine(self, game: Playable) -> Machine | None:
        """The machine code that plays positions; None while the reference plays them."""
        if self._machine is None and self.backend != "reference":
            paid = (self.backend or self._pays(game)) and budget.current() is None
            if paid or "rulewright.games.engine.kernels" in sys.modules:
                from rulewright.games.engine.kernels import machine_of  # with it comes LLVM

                self._machine = machine_of(game, self.backend, may_compile=paid)
        return None if isinstance(self._machine, str) else self._machine

    def _pays(self, game: Playable) -> bool:
        """Whether compiling pays: the reference has been slow, or the cache has the kernels."""
        return self.effort.seconds > PATIENCE or self._finds_kernels(game.place)

    def _finds_kernels(self, place: Path | None) -> bool:
        """Whether the cache seems to have kernels of the game; looks once."""
        if self.has_kernels is None:
            folders = (place.parent, BROUGHT) if place else ()
            name = f"{place.stem}.*.kernels" if place else ""
            self.has_kernels = any(any(folder.glob(name)) for folder in folders)
        return self.has_kernels
