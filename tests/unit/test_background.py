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
