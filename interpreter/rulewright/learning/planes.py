"""What a batch shows of its positions: planes of sites and numbers, with names from the rules.

In: a game's layout.  Out: where the sets lie that become planes, for each player who looks; the
words that are numbers; and what of both a player sees, where rules hide something.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from attrs import define, field

from rulewright.compiler import layout as p
from rulewright.compiler.layout import StateLayout
from rulewright.compiler.lower.sight import seen_place
from rulewright.ground.records import Record, record
from rulewright.model import rules as r
from rulewright.model.board import Step
from rulewright.model.expressions import Type

BYTES = 8
"""Bytes of a word, each of which marks a site."""
BITS = 64
"""Bits of a word."""


class SeenSites(Enum):
    """Where a player sees a part of a position."""

    EVERYWHERE = 0
    NOWHERE = 1
    SEEN = 2
    """Where the rules say that he sees what stands."""
    OWN = 3
    """Where his own pieces stand."""

    def place(self, words: int, player: int) -> int:
        """Return where the sites lie among what `lower.sight` writes."""
        if self in (SeenSites.EVERYWHERE, SeenSites.NOWHERE):
            return self.value * words
        return seen_place(words, player, own=self is SeenSites.OWN)


@record
class ObservedPart(Record):
    """A part of a position: its name, where it lies for each player who looks, and what he sees."""

    name: str
    places: tuple[int, ...]
    sight: SeenSites = SeenSites.EVERYWHERE
    site: int = -1
    """Of a number that belongs to a site: the site.  It is seen if the site is, as far as that."""
    low: int = 0
    """Of a number: what stands for it where it is not seen."""


@define(eq=False)
class Planes(Record):
    """The planes and numbers of a game's observations."""

    layout: StateLayout
    planes: tuple[ObservedPart, ...] = field(init=False)
    """Sets of sites: own pieces, those of others in the order of their turns, nobody's, kinds,
    states; then links, a plane for each step that a link may lead by; then what lies in piles, some
    planes for each depth below the top."""
    numbers: tuple[ObservedPart, ...] = field(init=False)
    """Words that are numbers: those of states, a table's by entry, and finished turns."""
    sets: int = field(init=False)
    """How many planes are sets of the position."""
    links: dict[Step, int] = field(init=False)
    """The planes of links, by their steps."""

    def __attrs_post_init__(self) -> None:
        sets = (*self._owners(), *self._kinds(), *self._states(is_set=True))
        steps = self._link_steps()
        self.sets, self.links = len(sets), {step: len(sets) + i for i, step in enumerate(steps)}
        more = (*map(_link_name, steps), *self._pile_names())
        self.planes = (*sets, *(self._part(name, (0,)) for name in more))
        finished = self._part(
            "ply", (p.PLY,), SeenSites.NOWHERE if self.rules.has_secrets else SeenSites.EVERYWHERE
        )
        self.numbers = (*self._states(is_set=False), finished)

    @property
    def rules(self) -> r.Rules:
        """The rules of the game."""
        return self.layout.rules

    @property
    def sites(self) -> int:
        """Sites of the lattice, those that the board leaves out too."""
        return len(self.rules.board.names)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of a plane: rows and columns, or the sites of a drawn board."""
        board = self.rules.board
        rectangle = not board.is_drawn and board.width * board.height == self.sites
        return (board.height, board.width) if rectangle else (self.sites,)

    @property
    def words(self) -> int:
        """Words of a plane in a position."""
        return self.layout.words

    def table(self) -> list[int]:
        """Return the table of `observe_lane`: how many words, and where they lie for each player.

        Where rules hide something it is that of `observe_part_of_lane`.
        """
        sets, words = self.planes[: self.sets], list[int]()
        for player in self.rules.views:
            for part in sets:
                seen_at = part.sight.place(self.words, player)
                for i in range(self.words):
                    words += [part.places[player] + i, seen_at + i]
        words = words if self.rules.has_secrets else words[::2]
        return [len(sets) * self.words, *words]

    def number_table(self) -> list[int]:
        """Return the table of `card_kernels.number_on_card`."""
        words, hides = [len(self.numbers)], self.rules.has_secrets
        for player in self.rules.views:
            for part in self.numbers:
                seen_at = part.sight.place(self.words, player) if hides else -1
                words += [part.places[player], seen_at, max(0, part.site), part.low]
        return words

    def link_table(self) -> list[int]:
        """Return the table of `observe_links_of_lane`.

        The first word of the planes of links and how many there are; the first word of links in a
        position and how many there are; for each link, by number, a byte for either end.
        """
        if self.layout.link_table is None or not self.links:
            return [0, 0, 0, 0]
        size, board = self.words * BITS, self.rules.board
        towards = {
            (site, target.bit_length() - 1): plane * size + site
            for step, plane in self.links.items()
            for site, target in enumerate(board.targets(step))
        }
        first, count = (number * self.words * BYTES for number in (self.sets, len(self.links)))
        head = [first, count, self.layout.links, self.layout.link_words]
        ends = self.layout.link_table.ends
        return head + [byte for a, b in ends for byte in (towards[a, b], towards[b, a])]

    def pile_table(self) -> list[int]:
        """Return the table of `observe_piles_of_lane`; its first word is 0 where there are none.

        How many sites; the first plane of piles and how many there are; words of a plane; where
        heights and pieces lie; words of a pile, digits of a word and bits of a digit; kinds,
        players and owners.
        """
        piles, words = self.layout.piles, self.words * BYTES
        if not piles.stacked:
            return [0]
        first = self.sets + len(self.links)
        return [
            piles.sites, first, len(self.planes) - first, words, piles.heights, piles.pieces,
            piles.words, piles.digits, piles.bits_each, piles.kinds, len(self.rules.players),
            piles.owners,
        ]  # fmt: skip

    def _link_steps(self) -> list[Step]:
        """List the steps that links lead by, from either end."""
        turned = -1 if self.rules.board.is_drawn else 1  # there a step is a path and a direction
        steps = [step for kind in self.rules.links for step in kind.steps]
        return [*dict.fromkeys(s for x, y in steps for s in ((x, y), (-turned * x, -y)))]

    def _pile_names(self) -> Iterator[str]:
        """Name the planes of piles, by depth, owner and kind."""
        piles, kinds = self.layout.piles, [kind.name for kind in self.rules.kinds]
        owners = [*self._seat_names(), "nobody"][: self.layout.owners]
        for depth in range(1, piles.stacked):
            for owner in owners:
                for kind in kinds if len(kinds) > 1 else [""]:
                    yield " ".join(filter(None, (owner, kind, f"at depth {depth}")))

    def _part(
        self,
        name: str,
        places: tuple[int, ...],
        sight: SeenSites = SeenSites.EVERYWHERE,
        site: int = -1,
        low: int | None = 0,
    ) -> ObservedPart:
        """Make a part; a single place is that of all players."""
        places = places if len(places) > 1 else places * len(self.rules.players)
        return ObservedPart(name, places, sight, site, low or 0)

    def _owners(self) -> Iterator[ObservedPart]:
        count = len(self.rules.players)
        for number, name in enumerate(self._seat_names()):
            owners = [(player + number) % count for player in range(count)]
            places = tuple(self.layout.owned + owner * self.words for owner in owners)
            yield self._part(name, places, SeenSites.SEEN)
        if self.layout.owners > count:
            yield self._part("nobody", (self.layout.owned + count * self.words,), SeenSites.SEEN)

    def _seat_names(self) -> list[str]:
        """Name the players as one of them sees them: own, then in the order of turns."""
        count = len(self.rules.players)
        others = ["enemy"] if count == 2 else [f"next {n}" for n in range(1, count)]
        return ["own", *others]

    def _kinds(self) -> Iterator[ObservedPart]:
        if self.layout.kinds_kept:
            for i, kind in enumerate(self.rules.kinds):
                yield self._part(kind.name, (self.layout.kinds + i * self.words,), SeenSites.SEEN)

    def _states(self, is_set: bool) -> Iterator[ObservedPart]:
        for state, at in zip(self.rules.states, self.layout.states, strict=True):
            if (state.type is Type.SITES) is is_set:
                yield from self._state(state, at)

    def _state(self, state: r.StateVariable, at: int) -> Iterator[ObservedPart]:
        """Yield the parts of a state: one, or one a player, an entry each if it is a table."""
        size, is_set = p.state_size(state, self.words), state.type is Type.SITES
        for entry in range(0, size, self.words if is_set else 1):
            name = state.name if is_set or size == 1 else f"{state.name}[{entry}]"
            site = entry if state.with_pieces and not is_set else -1
            if not state.each:
                yield self._part(name, (at + entry,), _sight(state, False), site, state.low)
            else:
                yield from self._of_each(state, at + entry, name, site)

    def _of_each(
        self, state: r.StateVariable, at: int, name: str, site: int
    ) -> Iterator[ObservedPart]:
        """Yield the parts of a state that each player has: the own one, then those of others."""
        size, count = p.state_size(state, self.words), len(self.rules.players)
        for number, seat in enumerate(self._seat_names()):
            places = tuple(at + (player + number) % count * size for player in range(count))
            sight = _sight(state, number == 0)
            yield self._part(f"{seat} {name}", places, sight, site, state.low)


def _sight(state: r.StateVariable, is_own: bool) -> SeenSites:
    """Return what a player sees of a state, or of his own part of it."""
    if state.with_pieces:
        return SeenSites.OWN if state.hidden else SeenSites.SEEN
    return SeenSites.NOWHERE if state.hidden and not is_own else SeenSites.EVERYWHERE


def _link_name(step: Step) -> str:
    """Name the plane of links that lead by a step."""
    return "link " + ", ".join(f"{part:+d}" for part in step)
