"""Memory for machine code, and which searches ask for large pages of it."""

from __future__ import annotations

import ctypes
import mmap
from pathlib import Path

import pytest

from rulewright.compiler.arrays import InMemory
from rulewright.search.results import Limits

SMAPS = Path("/proc/self/smaps")


def flags(address: int) -> list[str]:
    """What the system knows of the memory at an address."""
    inside = False
    for line in SMAPS.read_text("ascii").splitlines():
        head = line.split()[0]
        if "-" in head:
            first, end = (int(word, 16) for word in head.split("-"))
            inside = first <= address < end
        elif inside and head == "VmFlags:":
            return line.split()[1:]
    return []


@pytest.mark.skipif(
    not (SMAPS.exists() and hasattr(mmap, "MADV_HUGEPAGE")), reason="asks Linux for its pages"
)
@pytest.mark.parametrize("scattered", [False, True])
def test_memory_is_private_and_has_large_pages_where_it_is_used_all_over(scattered: bool) -> None:
    array = InMemory().ints(1 << 20, scattered)
    found = flags(ctypes.addressof(array) + (1 << 22))
    assert "sh" not in found
    assert ("hg" in found) == scattered
    assert not any(array[:: 1 << 10])


@pytest.mark.parametrize(
    ("limits", "long"),
    [
        (Limits(), True), (Limits(None), True), (Limits(None, 10**6), True),
        (Limits(0.01), False), (Limits(None, 1000), False), (Limits(None, depth=2), False),
        (Limits(1.0, 1000), False),
    ],
)  # fmt: skip
def test_searches_are_long_that_fill_a_table(limits: Limits, long: bool) -> None:
    assert limits.long == long
