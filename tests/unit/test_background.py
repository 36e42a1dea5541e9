"""What goes on beside a decision, and how a process ends while it does."""

from __future__ import annotations

import threading
import time

import pytest

from rulewright.search import background


def test_a_compiler_that_is_about_to_start_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Python lists a thread before it is started; joining it then was an error in a traceback."""
    thread = threading.Thread(target=print, name=background.COMPILER)
    monkeypatch.setattr(threading, "enumerate", lambda: [thread])
    assert background.compilers() == [thread]
    background.wait_for_compilers(time.perf_counter() + 60)


class Engine:
    """Code that can be compiled better, as long as there is memory."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def claim(self) -> bool:
        return True

    def better(self) -> None:
        raise self.error


@pytest.mark.parametrize("error", [MemoryError(), ValueError()])
def test_without_memory_the_quick_code_goes_on_in_silence(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A traceback of a thread stood in the terminal; any other error is a fault and is seen."""
    seen: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda hooked: seen.append(hooked.exc_type))
    thread = background.improve(Engine(error))  # type: ignore[arg-type]
    assert thread is not None
    thread.join()
    assert seen == [type(error)] * isinstance(error, ValueError)
