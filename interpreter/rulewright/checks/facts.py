"""What a file claims once for all: the first position, counts, certain games, who wins.

In: the ground.  Out: findings that do not depend on chance, one for each claim that does not hold.
Claims that need more work than their limit are said to be too much, not to hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from attrs import frozen

from rulewright.checks.counts import Count, Slip, counts_of, likely
from rulewright.checks.ground import Ground
from rulewright.engine.game import Game, State
from rulewright.errors import Fault, MoveError, OptionError, OutOfBudget, RulewrightError
from rulewright.language.diagnostics import TextError
from rulewright.model.rules import Claim
from rulewright.resolve.claims import NOBODY
from rulewright.resolve.scope import is_unknown
from rulewright.search.results import Limits
from rulewright.search.solve import solve

COUNTED = 3_000_000
"""Decisions that kernels count for one line of perft."""
WALKED = 5_000
"""Decisions that the reference counts, where there are no kernels."""
SOLVED = 3_000_000
"""Decisions that may be played to prove who wins."""


@frozen
class Wrong:
    """A claim that does not hold: why, where it stands, and the moves that it is about.

    `unknown` says that it was too much to find out.
    """

    message: str
    origin: int = 0
    moves: tuple[str, ...] | None = None
    state: State | None = None
    unknown: bool = False


Fact = Callable[[Ground], Iterator[Wrong]]


def start(ground: Ground) -> Iterator[Wrong]:
    """`claim start`."""
    state = ground.game.start()
    for claim in () if ground.changed else ground.claims("start"):
        if not ground.truth(claim, state):
            yield Wrong("this does not hold in the first position", claim.origin, (), state)


def after(ground: Ground) -> Iterator[Wrong]:
    """`claim after` and `claim no "DECISION"`."""
    for claim in ground.claims("after", "illegal"):
        reached = _reached(ground, claim)
        if isinstance(reached, Wrong):
            yield reached
        elif reached is not None:
            other, state = reached
            moves = tuple(state.decisions())
            if claim.kind == "illegal":
                if claim.decision in state.moves:
                    yield Wrong(f"`{claim.decision}` is legal here", claim.origin, moves, state)
            elif not _holds(claim, ground, other, state):
                yield Wrong("this does not hold after these moves", claim.origin, moves, state)


def _holds(claim: Claim, ground: Ground, other: Ground, state: State) -> bool:
    """Whether a claim holds as its rules are read with the options of *other*."""
    place = ground.game.rules.origins[claim.origin]
    rules = other.game.rules
    own = next((c for c in rules.claims if rules.origins[c.origin] == place), None)
    if own is None or own.value is None or is_unknown(own.value):
        return False
    return bool(other.truth(own, state))


def _reached(ground: Ground, claim: Claim) -> tuple[Ground, State] | Wrong | None:
    """The game that a claim is about after its moves; None where other options are set for all."""
    if ground.changed and not claim.settings:
        return None
    game = ground.game
    try:
        if claim.settings:
            game = ground.again(dict(claim.settings))
        state = game.start().play(claim.moves) if claim.moves.strip() else game.start()
    except (OptionError, TextError) as error:
        return Wrong(_refusal(error), claim.origin)
    except (MoveError, Fault) as error:
        return _unplayable(game, claim, error)
    return (Ground(game) if claim.settings else ground), state


def _unplayable(game: Game, claim: Claim, error: RulewrightError) -> Wrong:
    """The part of a claim's moves that can be played."""
    state = game.start()
    for text in claim.moves.split():
        try:
            state = state.play(text)
        except OutOfBudget:
            raise
        except RulewrightError:
            break
    moves = tuple(state.decisions())
    return Wrong(f"these moves cannot be played: {error}", claim.origin, moves, state)


# --- who wins ---


def wins(ground: Ground) -> Iterator[Wrong]:
    """`claim PLAYER wins`: by search, with proof."""
    for claim in ground.claims("wins"):
        reached = _reached(ground, claim)
        wrong = _won(reached[1], claim) if isinstance(reached, tuple) else reached
        if wrong is not None:
            yield wrong


def _refusal(error: OptionError | TextError) -> str:
    reason = error.diagnostics[0].message if isinstance(error, TextError) else str(error)
    return f"the rules cannot be loaded with these options: {reason}"


def _won(state: State, claim: Claim) -> Wrong | None:
    moves = tuple(state.decisions())
    try:
        winner = winner_of(state)
    except OutOfBudget:
        raise
    except RulewrightError as error:
        return Wrong(str(error), claim.origin, moves, state)
    if winner is None:
        return Wrong("to prove this takes too long", claim.origin, unknown=True)
    if winner == claim.what:
        return None
    verdict = "nobody wins" if winner == NOBODY else f"{winner} wins"
    told = verdict if state.over else f"{verdict}, whatever the other side plays"
    return Wrong(told, claim.origin, moves, state)


def winner_of(state: State) -> str | None:
    """The colour that wins by force from *state* (`nobody`: a draw); None if it stays unknown."""
    if state.result is not None:
        return state.result.winner or NOBODY
    found = solve(state, Limits(None, nodes=SOLVED))
    if found.value is None:
        return None
    first, second = state.game.players
    other = second if found.side == first else first
    return {"win": found.side, "loss": other, "draw": NOBODY}[found.value]


# --- counts ---


def perft(ground: Ground) -> Iterator[Wrong]:
    """`claim perft`, and the lines of `perft.txt` beside the rules."""
    for line in _lines(ground):
        if isinstance(line, Slip):
            yield Wrong(str(line))
            continue
        try:
            other = Ground(ground.again({**line.options})) if line.options else ground
        except (OptionError, TextError) as error:
            yield Wrong(f"{line.where}{_refusal(error)}", line.origin)
            continue
        wrong = miscounted(other, line)
        if wrong is not None:
            yield wrong


def _lines(ground: Ground) -> Iterator[Count | Slip]:
    if ground.changed:
        return
    for claim in ground.claims("perft"):
        unit = "turn" if claim.what == "turns" else "decision"
        yield Count(unit, claim.numbers, {}, claim.origin)
    if ground.path is not None:
        yield from counts_of(ground.path)


def miscounted(ground: Ground, line: Count) -> Wrong | None:
    """The first depth whose count is another one; depths that take too long are left out."""
    game = ground.game
    quick = ground.engine is not None
    known = list[int]()
    for depth, claimed in enumerate(line.numbers, 1):
        if sum(known) + likely(known, claimed) > (COUNTED if quick else WALKED):
            return None
        try:
            counted = _counted(ground, depth, line.unit, claimed)
        except Fault as fault:
            return Wrong(f"{line.where}counting {depth} deep ends in a fault: {fault}", line.origin)
        if counted != claimed:
            many = not quick and counted > claimed
            shown = f"more than {claimed:,}" if many else f"{counted:,}"
            message = f"{line.where}{shown} sequences of {depth} {line.unit}s, not {claimed:,}"
            return Wrong(message, line.origin, (), game.start())
        known.append(counted)
    return None


def _counted(ground: Ground, depth: int, unit: str, claimed: int) -> int:
    if ground.engine is not None:
        with ground.game.located():
            return ground.engine.perft(ground.game.play.first, depth, unit)
    sequences = _sequences(ground.game.start(), depth, unit)
    return sum(1 for _ in islice(sequences, min(claimed, WALKED * WALKED) + 1))  # both may be huge


def _sequences(state: State, depth: int, unit: str) -> Iterator[None]:
    """Something for every sequence of so many decisions or turns."""
    if depth == 0:
        yield
    elif unit == "turn":
        for _, after in state.whole_turns():
            yield from _sequences(after, depth - 1, unit)
    else:
        for text in state.moves.texts:
            yield from _sequences(state.play_decision(text), depth - 1, unit)


FACTS: dict[str, Fact] = {"start": start, "perft": perft, "after": after, "wins": wins}
