"""JSON as others may write it: any values, and a good text in which one value is another."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    | st.sampled_from([2**63, 10**400, 1e308, -1, 0, "twixt", "computer", "/etc/passwd"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)  # fmt: skip


def places(data: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the values of JSON stand, containers included."""
    yield here
    if isinstance(data, dict | list):
        for key, inner in list(data.items() if isinstance(data, dict) else enumerate(data)):
            yield from places(inner, (*here, key))


def replaced(data: Any, place: tuple[Any, ...], value: Any) -> Any:
    """Put another value at a place of a copy of the data."""
    if not place:
        return value
    changed = copy.deepcopy(data)
    at = changed
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = value
    return changed


def damaged(data: Any) -> st.SearchStrategy[Any]:
    """Any values, and the data with another value, or without a field, somewhere."""
    changed = st.builds(replaced, st.just(data), st.sampled_from([*places(data)]), JSON)
    lacking = [{k: v for k, v in data.items() if k != name} for name in data]
    return JSON | changed | st.sampled_from(lacking)
