"""Rules that were read before: text and options to a model without parsing.

In: the bytes of a rules file, its name in messages, its options.  Out: the model that the same text
gave the last time, or None.  What is kept belongs to the very program files that made it.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import attrs

from rulewright import resources, store
from rulewright.model.rules import Rules

_MOST_BYTES = 16 * 1024 * 1024
_STAGES = ("language", "model", "reference", "resolve")
"""The packages that make a model, and their records."""


def place(name: str, data: bytes, options: Mapping[str, Any]) -> Path:
    """The file for a text with its options."""
    key = store.digest(name, data, repr(sorted(options.items())), _program())
    return resources.cache_folder() / "models" / f"{key}.model"


@cache
def _program() -> str:
    return store.fingerprint(_files())


def _files() -> Iterator[Path]:
    package = Path(__file__).parent
    yield from package.glob("*.py")
    for stage in _STAGES:
        yield from (package / stage).rglob("*.py")
    yield from resources.root("grammar").glob("*.lark")
    yield Path(attrs.__file__)


def load(path: Path) -> Rules | None:
    """The model that is kept there."""
    found: Rules | None = read(path)
    return found


def keep(path: Path, rules: Rules) -> None:
    """Keep a model."""
    write(path, rules)


def read(path: Path) -> Any:
    """What is kept there, or None."""
    data = store.read(path)
    return None if data is None else pickle.loads(data)  # written by `write`, with its checksum


def write(path: Path, thing: object) -> None:
    """Keep something made of a model, unless it is nested too deeply for that."""
    with suppress(RecursionError):
        store.write(path, pickle.dumps(thing, 5), _MOST_BYTES)
