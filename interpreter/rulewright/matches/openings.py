"""Openings: different beginnings that are fair to both sides, or lines that are given.

In: a game, how many, a seed.  Out: lines of decisions.  Lines are random.  Of those that
lead to the same position, or to positions that are mirror images by a claim of the rules, one is
used.  A shallow search drops what is decided already and prefers what it thinks even.  Lines may be
made longer until there are enough of them.  Lines on which the rules go wrong are left out, given
ones too; whoever gives a list for what they did wrong gets what there is, others the first `Fault`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from rulewright.errors import Fault, MoveError, OutOfBudget, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.luck import random_decision
from rulewright.games.engine.mirror_images import canonical, symmetries
from rulewright.ground.budget import within_steps
from rulewright.search.best import best
from rulewright.search.listing import followed, listed_decisions
from rulewright.search.results import Limits

NODES = 1000
"""What the search may use that judges an opening."""
JUDGING_STEPS = 2_000_000
"""Steps of the reference that judging all openings of one length may take, some ten seconds."""
SPARE = 1.5
"""How many times as many openings that are open are looked for as are needed."""
DECIDED = 10
"""How many times as many decided ones may be met on the way."""
MORE_TURNS = 10
"""By how many turns openings may be made longer, so that there are enough of them."""
_GAMES = 9
"""Random games that tell how long a game is."""
_TRIES = 200
"""Random lines in a row that lead nowhere new, before there are believed to be no more."""
_STEPS = 100
"""Decisions of a line at the most; turns of some games never end when played at random."""


def generate(
    game: Game, count: int, turns: int, seed: int = 0, faults: list[Fault] | None = None
) -> list[tuple[str, ...]]:
    """At most *count* different openings of *turns* turns; fewer when there are no more."""
    return _generated(game, count, turns, seed, faults)[0]


def enough(
    game: Game, count: int, turns: int, seed: int = 0, faults: list[Fault] | None = None
) -> list[tuple[str, ...]]:
    """*count* different undecided openings of *turns* turns, or of as few more as it takes.

    Where no length gives so many, those of the length that gives most.  An opening is never longer
    than half of a random game.
    """
    most, still_open = _generated(game, count, turns, seed, faults)
    for longer in range(turns + 1, turns + MORE_TURNS + 1):
        if (still_open and len(most) >= count) or not _lasts(game, 2 * longer, faults):
            break
        lines, are_open = _generated(game, count, longer, seed, faults)
        if are_open and len(lines) > len(most):
            most, still_open = lines, are_open
    return most


def _lasts(game: Game, turns: int, faults: list[Fault] | None) -> bool:
    """Whether most random games are longer than so many turns."""
    random = Random(f"lasts {turns}")
    lines = [_line(game, turns, random, faults) for _ in range(_GAMES)]
    return sum(line is not None for line in lines) > _GAMES / 2


def _generated(
    game: Game, count: int, turns: int, seed: int, faults: list[Fault] | None
) -> tuple[list[tuple[str, ...]], bool]:
    """Openings, and whether they are open: those that are decided serve where all are."""
    if turns == 0:
        return [()], True
    pool, still_open, decided = list[State](), list[tuple[float, int]](), list[tuple[float, int]]()
    steps = JUDGING_STEPS
    for state in _different(game, turns, Random(f"openings {seed}"), faults):
        value, cost = _unevenness(state, steps, faults)
        steps -= cost
        judged = decided if value is None else still_open
        judged.append((value or 0.0, len(pool)))
        pool.append(state)
        if len(still_open) >= round(count * SPARE) + 2 or len(decided) >= DECIDED * count:
            break
    numbers = sorted(i for _, i in (sorted(still_open) or decided)[:count])
    return [tuple(pool[i].decisions()) for i in numbers], bool(still_open)


def _different(
    game: Game, turns: int, random: Random, faults: list[Fault] | None
) -> Iterator[State]:
    """Ends of random lines, no two of them alike."""
    maps, keys, misses = symmetries(game), set[object](), 0
    while misses < _TRIES:
        state = _line(game, turns, random, faults)
        key = None if state is None else canonical(state, maps)
        if state is None or key in keys:
            misses += 1
            continue
        keys.add(key)
        misses = 0
        yield state


def _line(game: Game, turns: int, random: Random, faults: list[Fault] | None) -> State | None:
    """A random line, None when the game ends on the way."""
    state = game.start()
    try:
        for _ in range(_STEPS):
            if state.over or (state.ply >= turns and state.turn_begins):
                break
            listed_decisions(state)
            state = followed(state, random_decision(state, random))
        return None if state.over or state.ply < turns else state
    except Fault as fault:
        _note(fault, faults)
        return None


def _note(fault: Fault, faults: list[Fault] | None) -> None:
    if faults is None:
        raise fault
    faults.append(fault)


def _unevenness(state: State, steps: int, faults: list[Fault] | None) -> tuple[float | None, int]:
    """Measure by a shallow search how far a position is from even; None when it is decided.

    And the steps that this took; what is not found out within *steps*, or for a fault, is even.
    """
    if state.by_chance:
        return 0.0, 0
    with within_steps(max(0, steps), "") as budget:
        try:
            result = best(state, Limits(seconds=None, nodes=NODES), 0)
        except OutOfBudget:
            if not budget.used_up:
                raise
            return 0.0, budget.spent
        except Fault as fault:
            _note(fault, faults)
            return 0.0, budget.spent
    return None if result.proven in ("win", "loss") else abs(result.value), budget.spent


# --- lines that are given ---


def merge_transpositions(game: Game, lines: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """The lines, each written as the first of those that lead to the same position."""
    first_ways: dict[object, tuple[str, ...]] = {}
    ways = [tuple(line) for line in lines]
    return [first_ways.setdefault(_after(game, way), way) for way in ways]


def _after(game: Game, way: tuple[str, ...]) -> object:
    """Equal where games go on alike; the way itself where rules look at the past."""
    position = game.start().play(" ".join(way)).situation.position
    return position if position.history is None else way


def sound_lines(
    game: Game, lines: Iterable[tuple[str, str]], faults: list[Fault] | None = None
) -> list[str]:
    """Openings on which the rules do not go wrong, of texts behind what stands before a message."""
    sound = list[str]()
    for prefix, text in lines:
        try:
            sound.append(" ".join(opening_line(game, text, prefix)))
        except Fault as fault:
            _note(fault, faults)
    return sound


def opening_line(game: Game, text: str, prefix: str = "") -> tuple[str, ...]:
    """The decisions of an opening; *prefix* stands in front of a message."""
    try:
        state = game.start().play(text) if text.strip() else game.start()
    except MoveError as error:
        raise RulewrightError(f"{prefix}{error}") from None
    if state.over:
        raise RulewrightError(f"{prefix}the game is over after this opening ({state.result})")
    return tuple(state.decisions())
