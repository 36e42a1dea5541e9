"""Processes that play: they end with whoever started them."""

from __future__ import annotations

import os
import sys

import pytest

from rulewright.matches import executors
from rulewright.matches.executors import Processes


@pytest.mark.skipif(sys.platform == "win32", reason="asks for processes by POSIX")
def test_a_worker_that_has_just_been_started_ends_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until it has settled it holds back the signals that end it, and Ctrl-C waited for that."""
    monkeypatch.setattr(executors, "FAREWELL", 0.0)
    pool = Processes(1)
    pool.submit(({}, []))
    (worker,) = pool.executor._processes
    pool.close()
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)
