"""Evaluators, personalities and patterns that were read before: to a model without parsing.

In: a file of a game, and what reads it.  Out: the model that it gave the last time, as long as
nothing has changed of all that was looked at for it: other files that it names, folders in which
they were looked for, places where nothing was.  Mistakes are not kept: they are told every time.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

from rulewright.games.engine import model_cache
from rulewright.games.engine.game import Game
from rulewright.ground import cache
from rulewright.ground.disk import collect_paths, note, root, state_of
from rulewright.ground.records import Record, record

M = TypeVar("M")


@record
class KeptModel(Record):
    """A model and the state of every path that was looked at for it."""

    model: object
    states: tuple[tuple[str, object], ...]

    @property
    def still_holds(self) -> bool:
        """Whether no path has changed since."""
        return all(state_of(path) == state for path, state in self.states)


def kept_model(kind: str, path: Path, game: Game, read: Callable[[], M]) -> M:
    """The model that *read* gives for the file *path* of a game, or the cached one.

    Where files that it names are looked for depends on the folders of the game and of the user.  A
    page has no other folders, and its bundled files never change.
    """
    if game.place is None:
        return read()
    shipped = cache.is_for_page() and path.is_relative_to(root("rulesets"))
    folders = path.absolute(), game.folder, Path.cwd(), cache.data_folder()
    where = (path.relative_to(root("rulesets")).as_posix(),) if shipped else map(str, folders)
    key = cache.digest(game.place.name, kind, *where)
    place, shared_parts = game.place.with_name(f"{key}.model"), (game.rules,)
    entry = model_cache.read(place, KeptModel, shared_parts)
    if entry is not None and entry.still_holds:
        note(*(path for path, _ in entry.states))
        return cast(M, entry.model)
    with collect_paths() as paths:
        model = read()
    states = tuple((path, state_of(path)) for path in sorted(paths) if not shipped)
    if all(state is None or isinstance(state, tuple) for _, state in states):  # else in an editor
        model_cache.write(place, KeptModel(model, states), shared_parts)
    return model
