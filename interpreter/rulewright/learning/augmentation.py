"""Symmetries that the rules claim, as permutations of observations and of actions.

In: a batch.  Out: an `Augmentation` for each symmetry and for what follows from several: whatever
was observed and chosen in a game was as good in the game turned so.  Where a symmetry exchanges the
players, planes stay in their order, for they are seen by who decides.  Refuses, as `LearningError`,
claims that say nothing of actions.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define, field

from rulewright.ground.records import Record
from rulewright.learning.batch import Batch
from rulewright.learning.lane_arrays import LearningError, numpy
from rulewright.learning.planes import Planes
from rulewright.model.board import Step, sites_of
from rulewright.model.expressions import Type
from rulewright.model.rules import Rules

if TYPE_CHECKING:
    import numpy as np

    Numbers: TypeAlias = np.ndarray[Any, np.dtype[Any]]

Permutation: TypeAlias = tuple[int, ...]
"""For each number the one that it goes to."""
_TURNED = {Type.SITE}
_KEPT = {Type.KIND, Type.INT, Type.TRUTH}
"""Types of choices that a symmetry of the board turns, and of those that it keeps."""


@define(eq=False)
class Augmentation(Record):
    """A symmetry of a game.

    Arrays may have any axes before those that are named.
    """

    sites: Permutation
    """Where each site goes."""
    planes: Permutation
    """Where each plane goes: those of links lead by other steps."""
    numbers: Permutation
    """Where each number goes: those of tables belong to other sites."""
    actions: Permutation
    """What each action becomes."""
    shape: tuple[int, ...]
    """The shape of a plane."""
    _sources: dict[str, Numbers] = field(init=False)

    def __attrs_post_init__(self) -> None:
        names = ("sites", "planes", "numbers", "actions")
        self._sources = {name: numpy().argsort(getattr(self, name)) for name in names}

    def turn_planes(self, planes: Numbers) -> Numbers:
        """Return what is observed in the game turned so: (..., planes, rows, columns)."""
        lead = planes.shape[: planes.ndim - 1 - len(self.shape)]
        flat = planes.reshape(*lead, len(self.planes), len(self.sites))
        turned = flat[..., self._sources["planes"][:, None], self._sources["sites"]]
        return turned.reshape(planes.shape)

    def turn_numbers(self, numbers: Numbers) -> Numbers:
        """Return the numbers of the game turned so: (..., numbers)."""
        return numbers[..., self._sources["numbers"]]

    def turn_actions(self, rows: Numbers) -> Numbers:
        """Return marks, visits or a policy for the game turned so: (..., actions)."""
        return rows[..., self._sources["actions"]]

    def then(self, other: Augmentation) -> Augmentation:
        """Return the symmetry that is this one and then another."""
        return Augmentation(
            _joined(self.sites, other.sites),
            _joined(self.planes, other.planes),
            _joined(self.numbers, other.numbers),
            _joined(self.actions, other.actions),
            self.shape,
        )


def augmentations(games: Batch) -> list[Augmentation]:
    """Return every symmetry that follows from what the rules claim; the identity is the first."""
    rules = games.game.rules
    claims = [c for c in rules.claims if c.kind == "symmetric" and not c.settings]
    maps = [sites_of(claim.what, rules.board) for claim in claims]
    generators = [augmentation(games, sites) for sites in maps if sites]
    group = [augmentation(games, tuple(range(len(rules.board.names))))]
    turned_maps = {group[0].sites}
    for member in group:  # the list grows while it is walked
        for turned in (member.then(generator) for generator in generators):
            if turned.sites not in turned_maps:
                turned_maps.add(turned.sites)
                group.append(turned)
    return group


def augmentation(games: Batch, sites: Permutation) -> Augmentation:
    """Return a symmetry by where sites go; raises `LearningError` where actions have no image."""
    return Augmentation(
        sites,
        _images_of_planes(games.planes, sites),
        _images_of_numbers(games.planes, sites),
        _images_of_actions(games, sites),
        games.planes.shape,
    )


def _joined(first: Permutation, second: Permutation) -> Permutation:
    return tuple(second[image] for image in first)


def _images_of_planes(planes: Planes, sites: Permutation) -> Permutation:
    images = list(range(len(planes.planes)))
    for step, number in planes.links.items():
        image = _turned_step(planes.rules, step, planes.links, sites)
        images[number] = planes.links[image]
    return tuple(images)


def _turned_step(rules: Rules, step: Step, steps: Iterable[Step], sites: Permutation) -> Step:
    """Return which of some steps another becomes."""
    board = rules.board
    for site, target in enumerate(board.targets(step)):
        for other in steps:
            if target and board.targets(other)[sites[site]] == 1 << sites[target.bit_length() - 1]:
                return other
    raise LearningError(f"{rules.name}: links, or choices of directions, have no images")


def _images_of_numbers(planes: Planes, sites: Permutation) -> Permutation:
    """Return where numbers go: an entry of a table to that of the images of its sites."""
    layout, players = planes.layout, len(planes.rules.players)
    words: dict[int, int] = {}
    for state, at in zip(planes.rules.states, layout.states, strict=True):
        for places in state.entry_places() if state.type is not Type.SITES else ():
            pairs = zip(state.indices, places, strict=True)
            image = [sites[n] if index.type is Type.SITE else n for index, n in pairs]
            for player in range(players if state.each else 1):
                first = at + player * state.entries
                words[first + state.place(places)] = first + state.place(image)
    numbers = {part.places[0]: number for number, part in enumerate(planes.numbers)}
    return tuple(numbers[words.get(place, place)] for place in numbers)


def _images_of_actions(games: Batch, sites: Permutation) -> Permutation:
    """Return what actions become: the choices of their moves are turned."""
    if games.sparse:
        raise LearningError("places in a list of decisions have no images")
    space, images = games.actions, list(range(len(games.actions)))
    table = space.table()
    for code in space.codes:
        turned = _turned_code(games, code, sites)
        image = table[turned] if 0 <= turned < len(table) else -1
        if image < 0:
            text = space[table[code]]
            raise LearningError(f"{games.game.name}: action {text} has no image")
        images[table[code]] = image
    if len(set(images)) < len(images):
        raise LearningError(f"{games.game.name}: different actions have the same image")
    return tuple(images)


def _turned_code(games: Batch, code: int, sites: Permutation) -> int:
    """Return the number of the text that another becomes."""
    moves = [move for move in games.actions.notation.moves if not move.lazy]
    at = bisect([move.base for move in moves], code) - 1
    if at < 0:
        return code  # no move at all
    turned, rest, factor = moves[at].base, code - moves[at].base, 1
    for digit in moves[at].digits:
        rest, value = divmod(rest, digit.size)
        if digit.type in _TURNED:
            value = sites[value + digit.low] - digit.low
        elif digit.type is Type.STEP:
            step = _turned_step(games.game.rules, digit.steps[value], digit.steps, sites)
            value = digit.steps.index(step)
        elif digit.type not in _KEPT:
            raise LearningError(
                f"{games.game.name}: a symmetry of actions that choose {digit.type}"
            )
        turned, factor = turned + value * factor, factor * digit.size
    return turned
