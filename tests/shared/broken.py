"""Faults put into the compiler: what a stage does when it fails where it should have refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NoReturn

import pytest

from rulewright.compiler import defects


@contextmanager
def broken(module: str, name: str, at: str = "") -> Iterator[list[defects.Defect]]:
    """A function or method of `compiler` raises; what is noted of it, which is forgotten then.

    *at*: where the fault is said to be.
    """
    owner: Any = import_module(f"rulewright.{module}")
    *path, last = name.split(".")
    for part in path:
        owner = getattr(owner, part)

    def fail(*_: object, **__: object) -> NoReturn:
        raise KeyError(last)

    before = list(defects.DEFECTS)
    defects.DEFECTS.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, last, fail)
        if at:
            patch.setattr(defects, "_innermost_line", lambda _: at)
        yield defects.DEFECTS
    defects.DEFECTS[:] = before
