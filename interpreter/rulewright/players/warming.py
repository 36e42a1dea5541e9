"""Getting ready before a clock runs: code is compiled for so long, and then it is played without.

In: the work, a limit.  Out: whether it is done.  Work that is late is left alone, as LLVM cannot be
interrupted, and goes on beside; as it ends by running kernels, nobody else runs kernels meanwhile,
and the next one who gets ready waits for it.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define

from rulewright.search.beside import Beside

SECONDS = 10.0
"""What getting ready may take where decisions are limited by time."""


@define(eq=False)
class Warming:
    """The work of a process that gets players ready, one after the other, each within *limit*."""

    limit: float = SECONDS
    _last: Beside[None] | None = None

    def do(self, work: Callable[[], None]) -> None:
        """Do the work; what is not done in time goes on beside."""
        before = self._last

        def in_turn() -> None:
            if before is not None:
                before.done.wait()
            work()

        self._last = Beside(in_turn)
        if self._last.done.wait(self.limit):
            mine, self._last = self._last, None
            mine.result()

    def done(self, seconds: float) -> bool:
        """Whether nobody gets ready any more, if need be after *seconds*."""
        return self._last is None or self._last.done.wait(seconds)


warming = Warming()
"""That of this process."""
