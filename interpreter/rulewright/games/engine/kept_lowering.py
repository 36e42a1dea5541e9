"""Kernels of players, kept between runs: what a text became for a game, not lowered again.

In: an engine, what the kernels are made of, and what makes them.  Out: their modules; the tables
and the room that they need are in the engine's layout then.  What is kept belongs to the very
tables that were there before, and to the very program files that made it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from pathlib import Path

from rulewright.compiler.backend import Linked
from rulewright.compiler.defects import NamedText, net
from rulewright.compiler.engine import Engine
from rulewright.compiler.layout import StateLayout
from rulewright.games.engine import model_cache
from rulewright.ground import cache
from rulewright.ground.records import Record, canonical_text, record, without_collection
from rulewright.ground.scoped import begin_part

_STAGES = ("compiler", "search", "players")
"""The packages that lower what players say."""


@record
class Lowered(Record):
    """Modules to be linked, in this order; `at` is where in the tables their description lies.

    `caches`: those of `layout.SharedCaches`, where the first module has kernels for later ones.
    """

    linked: tuple[Linked, ...]
    at: int = 0
    caches: tuple[tuple[object, tuple[str, int]], ...] = ()


@record
class KeptLowering(Record):
    """A lowering as it is cached: its modules, packed, and what they added to a layout."""

    packed: tuple[str, ...]
    at: int
    table: tuple[int, ...]
    scratch_size: int
    caches: tuple[tuple[object, tuple[str, int]], ...]

    def restore(self, layout: StateLayout) -> Lowered:
        """The modules, their tables added to those of *layout*."""
        layout.table += self.table
        layout.scratch_size = self.scratch_size
        linked = tuple(Linked.of_packed(packed, layout.needs) for packed in self.packed)
        return Lowered(linked, self.at, self.caches)


def kept_lowering(engine: Engine, made_of: object, make: Callable[[], Lowered]) -> Lowered:
    """What *make* gives, which depends on *made_of* and the engine alone; for any thread."""
    with engine.lowering:
        return _kept_lowering(engine, made_of, make)


def _kept_lowering(engine: Engine, made_of: object, make: Callable[[], Lowered]) -> Lowered:
    layout = engine.plan
    path = _path(engine, made_of)
    lowering = model_cache.read(path, KeptLowering) if path else None
    if lowering is not None:
        return lowering.restore(layout)
    before = len(layout.table)
    begin_part()
    with net(_text(engine, made_of)), without_collection():
        modules = make()
    if path:
        packed = tuple(linked.packed for linked in modules.linked)
        table = tuple(layout.table[before:])
        lowering = KeptLowering(packed, modules.at, table, layout.scratch_size, modules.caches)
        model_cache.write(path, lowering)
    return modules


def _text(engine: Engine, made_of: object) -> NamedText:
    """What a fault in making kernels is about: the first of what they are made of with a name."""
    parts = made_of if isinstance(made_of, tuple) else ()
    return next((part for part in parts if hasattr(part, "name")), engine.play.rules)


def _path(engine: Engine, made_of: object) -> Path | None:
    """The file for these kernels, where those of the game are kept."""
    if engine.cache_file is None:
        return None
    tables = array("q", engine.plan.table).tobytes()
    room = repr((engine.plan.scratch_size, engine.plan.extra))
    needs = [linked.key for linked in engine.plan.needs]
    file = engine.cache_file
    key = cache.digest(
        file.name, cache.program(*_STAGES), canonical_text(made_of), tables, room, *needs
    )
    return file.with_name(f"{key}.kernels")


_CONTENTS: dict[int, tuple[object, str]] = {}
"""Things, which are kept alive, with what `content` says of them, by their numbers."""
_MOST_CONTENTS = 500


def content(*things: object) -> str:
    """A name for things that are spelled alike, wherever they come from."""
    return cache.digest(*map(_content, things))


def _content(thing: object) -> str:
    if isinstance(thing, str | None):
        return repr(thing)
    if id(thing) not in _CONTENTS:
        if len(_CONTENTS) >= _MOST_CONTENTS:
            _CONTENTS.clear()
        _CONTENTS[id(thing)] = thing, cache.digest(canonical_text(thing))
    return _CONTENTS[id(thing)][1]
