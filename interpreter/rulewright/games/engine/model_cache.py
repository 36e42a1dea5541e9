"""Rules that were read before: text and options to a model without parsing.

In: the bytes of a rules file, its name in messages, its options.  Out: the model that the same text
gave the last time, or None.  What is cached belongs to the very program files that made it.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from rulewright.ground import cache, disk
from rulewright.ground.packing import Unpackable, pack, unpack

_MOST_BYTES = 16 * 1024 * 1024
_STAGES = ("games/files", "ground", "language", "model", "reference")
"""The packages that make a model, and their records."""
_RECORDS = (
    "rulewright.model.board", "rulewright.model.expressions", "rulewright.model.rules",
    "rulewright.model.courses",
    "rulewright.model.evaluation", "rulewright.model.patterns", "rulewright.model.personality",
    "rulewright.model.look", "rulewright.model.states",
    "rulewright.compiler.layout", "rulewright.compiler.ir.types",
    "rulewright.games.engine.kept_lowering", "rulewright.games.files.kept_models",
)  # fmt: skip
"""The modules whose records are cached."""
T = TypeVar("T")


def place(name: str, data: bytes, options: Mapping[str, Any]) -> Path:
    """The file for a text with its options."""
    letters = "" if data.isascii() else cache.fingerprint(())  # Pythons differ in these
    key = cache.digest(name, data, repr(sorted(options.items())), letters, _program())
    return cache.cache_folder() / "models" / f"{key}.model"


@functools.cache
def _program() -> str:
    package = Path(__file__).parents[2]
    modules = (file for stage in _STAGES for file in (package / stage).rglob("*.py"))
    return cache.contents([*package.glob("*.py"), *modules, *disk.root("grammar").glob("*.lark")])


def read(path: Path, kind: type[T], shared_parts: Sequence[object] = ()) -> T | None:
    """The record of a class that is cached there, or None; *shared_parts* are those of `write`."""
    data = cache.read(path)
    try:
        thing = None if data is None else unpack(data, _RECORDS, shared_parts)
    except Unpackable:
        return None
    return thing if isinstance(thing, kind) else None


def write(path: Path, thing: object, shared_parts: Sequence[object] = ()) -> None:
    """Cache something made of a model, unless it is nested too deeply for that."""
    with suppress(RecursionError):
        cache.write(path, pack(thing, shared_parts), _MOST_BYTES)
