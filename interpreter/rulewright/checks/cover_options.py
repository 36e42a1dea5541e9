"""What the options of a rules file do: which change the game, and what only they bring to life.

In: the coverage of a game with its options as they are set, and a way to read it with others.  Out:
the same coverage with a count for each option, in which lines that another value of one option
uses are not dead.  Options are changed one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

from attrs import evolve

from rulewright import budget
from rulewright.checks.clauses import clause
from rulewright.checks.cover import cover_rules
from rulewright.checks.coverage import Coverage, Use
from rulewright.checks.effort import CALLS, LONGEST, price, stepped
from rulewright.checks.ground import Ground
from rulewright.engine.game import Game, State
from rulewright.errors import Fault, OutOfBudget, RulewrightError
from rulewright.model.rules import OptionValue

_COMPARED = 0.5
"""The share of the effort that goes into finding out whether an option changes anything."""
_VALUES = 4
"""Other values of an option that are tried."""
_AGAIN = 0.5
"""The share for each option that may bring lines to life."""
Reload = Callable[[dict[str, object]], Game]


def with_options(
    found: Coverage, game: Game, reload: Reload, effort: float = 1.0, seed: int = 0
) -> Coverage:
    """The coverage of a game, and what its options do."""
    for option in game.rules.options:
        if budget.over():
            break
        tried, changes = list[str](), False
        others = list(islice(_otherwise(game, option, reload), _VALUES))
        for other in others:
            tried.append(_said(other, option))
            calls = round(CALLS * effort * _COMPARED / len(others))
            if not changes or found.dead:
                differs = _differ(game, other, calls, seed)
                changes = changes or differs
                if differs and found.dead:
                    again = cover_rules(other, effort * _AGAIN / len(others), seed)
                    found = _revived(found, again, f"{option.name} = {tried[-1]}")
        if tried:
            found = evolve(found, uses=(*found.uses, _use(game, option, tried, changes)))
    return found


def _use(game: Game, option: OptionValue, tried: list[str], changes: bool) -> Use:
    line = game.rules.origins[option.origin].line
    about = clause(game.rules, option.origin)
    why = "" if changes else f"changed nothing in random games with {' or '.join(tried)}"
    return Use("option", line, about, len(tried), int(changes), why)


def _otherwise(game: Game, option: OptionValue, reload: Reload) -> Iterator[Game]:
    """The game with other values of one option, as far as the others allow them."""
    given = {o.name: o.value for o in game.rules.options if o.value != o.default}
    for value in _others(option):
        try:
            other = reload({**given, option.name: value})
        except OutOfBudget:
            raise
        except RulewrightError:
            continue
        yield other


def _others(option: OptionValue) -> Iterator[object]:
    """Other values: for numbers what is near and small first, since big boards take long."""
    if option.low is None or option.high is None:
        yield not option.value
        return
    value = option.value
    assert isinstance(value, int)
    low, high = int(option.low), int(option.high)
    near = (low, value - 1, value + 1, value - 2, value + 2, high)
    for other in range(low, high + 1) if high - low < _VALUES + 1 else near:
        if low <= other <= high and other != value:
            yield other


def _differ(one: Game, other: Game, calls: int, seed: int) -> bool:
    """Whether any decision of random games is not the same in both, or leads to something else."""
    random, ground, cost = Random(seed), Ground(other), price(one, seed)
    while calls > 0:
        state, its = one.start(), other.start()
        for ply in range(LONGEST):
            if not ply & (ply - 1):  # all decisions here, ever more rarely: lists are dear
                calls -= 2 * cost.listing
                if state.moves.texts != its.moves.texts:
                    return True
            calls -= 2 * cost.step
            try:
                following = stepped(state, random)
                after = following and ground.after(its, following.move)
            except Fault:
                break
            if following is None or calls < 0:
                break
            if after is None or not _same(following, after):
                return True
            state, its = following, after
    return False


def _same(one: State, other: State) -> bool:
    """Whether two states show the same, and have ended alike."""
    ends = [s.situation.ended for s in (one, other)]
    winners = [end.winner if end else None for end in ends]
    alike = (ends[0] is None) == (ends[1] is None) and winners[0] == winners[1]
    return alike and one.situation.position == other.situation.position


def _said(game: Game, option: OptionValue) -> str:
    value = next(o.value for o in game.rules.options if o.name == option.name)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _revived(found: Coverage, again: Coverage, setting: str) -> Coverage:
    """The coverage in which what *again* uses is not dead."""
    alive = {_key(use) for use in again.uses} - {_key(use) for use in again.uses if use.why}
    uses = (
        evolve(use, only=setting) if use.why and not use.only and _key(use) in alive else use
        for use in found.uses
    )
    return evolve(found, uses=tuple(uses))


def _key(use: Use) -> tuple[int, str]:
    return use.line, use.kind
