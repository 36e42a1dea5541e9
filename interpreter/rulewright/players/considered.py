"""The decisions that patterns leave to a search: by the reference, and at the root of any search.

In: a pattern file and situations.  Out: the decisions worth a look.  Patterns only narrow: where
none fires all decisions are looked at, and at the root nothing is left out that wins at once or
that alone keeps the other person from winning at once.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve, field, frozen

from rulewright.model.personality import Consider
from rulewright.reference.matching import Matcher, placements
from rulewright.reference.play import Option, Play, Situation
from rulewright.reference.position import Position


@frozen(eq=False)
class Considered:
    """Narrows decisions as a personality says."""

    play: Play
    consider: Consider
    matcher: Matcher = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "matcher", Matcher(self.play, self.consider.patterns))

    def options(self, situation: Situation) -> tuple[Option, ...]:
        """The decisions worth a look, in the order of the game."""
        position = situation.position
        ranks = self._ranks(position)
        written = {text: site for site, text in placements(self.play, position).items()}
        ranked = [
            (o, ranks.get(written[o.text], 0)) for o in situation.options if o.text in written
        ]
        least = _least([rank for _, rank in ranked if rank], self.consider.most)
        if not least:
            return situation.options
        kept = {o.text for o, rank in ranked if rank >= least}
        return tuple(o for o in situation.options if o.text in kept or o.text not in written)

    def _ranks(self, position: Position) -> dict[int, int]:
        """For every proposed site the rank of its best pattern."""
        ranks = self.consider.patterns.ranks
        found = self.matcher.proposals(position)
        return {site: max(ranks[i] for i in known) for site, known in found.items()}


def _least(ranks: list[int], most: int) -> int:
    """The lowest rank that is kept; 0 without any.  Equal ranks are kept or left out together."""
    kept = least = 0
    for rank in sorted(set(ranks), reverse=True):
        more = ranks.count(rank)
        if kept and kept + more > most:
            break
        kept, least = kept + more, rank
    return least


# --- the root ---


def root_of(
    situation: Situation, narrowed: Callable[[], list[str]], safe: Callable[[], set[str]]
) -> list[str]:
    """The decisions of a root: those that patterns leave, and what must not be left out.

    *safe* gives the decisions after which the other person cannot win at once.
    """
    wins = winning(situation)
    if wins:
        return wins
    kept = narrowed()
    if not threatened(situation):
        return kept
    sound = safe()
    return [text for text in kept if text in sound] or sorted(sound) or kept


def winning(situation: Situation) -> list[str]:
    """The decisions that win at once for the person to move."""
    me = situation.position.mover ^ situation.position.swapped
    return [o.text for o in situation.options if _won_by(situation.after(o), me)]


def threatened(situation: Situation) -> bool:
    """Whether the other colour would win at once, if it were its turn."""
    position = situation.position
    passed = evolve(
        position, mover=1 - position.mover, rest=situation.play.rules.course, fresh=True
    )
    return bool(winning(Situation(situation.play, passed)))


def safe(situation: Situation) -> set[str]:
    """The decisions after which the other person cannot win at once."""
    return {o.text for o in situation.options if not _loses(situation.after(o))}


def _loses(after: Situation) -> bool:
    return not after.outcome and bool(winning(after))


def _won_by(after: Situation, who: int) -> bool:
    won = after.outcome
    return won is not None and won.winner is not None and won.winner ^ after.position.swapped == who
