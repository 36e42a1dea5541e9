"""Everything in this folder is slow, and says so."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests of this folder; the hook is given all that were collected."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.slow)
