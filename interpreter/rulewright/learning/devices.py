"""Where a batch of games is played: on the processor, or on a graphics card.

In: a game by its name, path or itself, how many lanes, settings.  Out: `Batch` or `CardBatch`.
"""

from __future__ import annotations

from typing import Any, Literal, overload

from rulewright.games.engine.game import Game
from rulewright.games.files.games import load
from rulewright.learning.batch import Batch
from rulewright.learning.card_batch import CardBatch
from rulewright.learning.card_driver import Card
from rulewright.learning.lane_arrays import LearningError

_BOTH = ("seed", "longest", "again", "chance")
_SETTINGS = (*_BOTH, "threads", "sparse")
_CARD_SETTINGS = (*_BOTH, "workers", "rows")


@overload
def batch(
    game: Game | str, lanes: int, /, *, device: Literal["cpu"] = "cpu", **settings: Any
) -> Batch: ...
@overload
def batch(game: Game | str, lanes: int, /, *, device: str, **settings: Any) -> CardBatch: ...
def batch(
    game: Game | str, lanes: int, /, *, device: str = "cpu", **settings: Any
) -> Batch | CardBatch:
    """Play *lanes* games side by side; *game* is a `Game`, a bundled name or a path.

    Settings: `seed`, `longest`, `again`, `chance`, on the processor `sparse` and `threads` (by
    default all cores); others are options of the rules where the game is given by its name.
    *device*: `cuda`, or `cuda:1`, plays on a card (`CardBatch`, with `workers` and `rows`).
    """
    names = _SETTINGS if device == "cpu" else _CARD_SETTINGS
    own = {name: settings.pop(name) for name in names if name in settings}
    if isinstance(game, str):
        game = load(game, **settings)
    elif settings:
        raise TypeError(f"batch() has no setting {next(iter(settings))!r}")
    if device == "cpu":
        return Batch(game, lanes, **own)
    return CardBatch(game, lanes, card=_card_of(device), **own)


def _card_of(device: str) -> Card:
    """Return the card that `cuda`, or `cuda:1`, names; raises `LearningError` for another word."""
    kind, _, number = device.partition(":")
    if kind != "cuda" or (":" in device and not number.isdecimal()):
        raise LearningError(f"device={device!r}; it is 'cpu', 'cuda', or 'cuda:1' for another card")
    return Card(int(number or 0))
