"""What a rules file claims: the first position, counts, positions after certain moves, who wins.

In: a game whose file has no errors, and limits of nodes and steps; or what is under test.  Out: for
`check`, of claims that take little time, a diagnostic for each that does not hold; for `test`, of
all, findings that do not depend on chance.  Claims that need more work than their limit are left
alone, or said to be too much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from attrs import frozen

from rulewright.budget import within_steps
from rulewright.checks.counts import BadLine, PerftLine, counts_of, likely
from rulewright.checks.findings import place_of
from rulewright.checks.subject import Subject
from rulewright.engine.game import Game, State
from rulewright.errors import Fault, MoveError, OptionError, OutOfBudget, RulewrightError
from rulewright.language.diagnostics import Diagnostic, TextError
from rulewright.language.limits import CLAIM_STEPS
from rulewright.model.rules import Claim
from rulewright.printable import amount
from rulewright.reference.evaluate import evaluate
from rulewright.resolve.claims import NOBODY
from rulewright.resolve.scope import is_unknown
from rulewright.search.results import Limits
from rulewright.search.solve import solve

QUICK_NODES = 1500
"""Decisions that the claims of one file may need when it is only checked."""


def failing(game: Game, nodes: int = QUICK_NODES, steps: int = CLAIM_STEPS) -> list[Diagnostic]:
    """A diagnostic for each claim that is tested and does not hold.

    All claims of the file share *steps*; it is said where they are used up, and nothing more.
    """
    found: list[Diagnostic] = []
    for claim in game.rules.claims:
        with within_steps(steps, "") as budget:
            try:
                message = _tested(game, claim, nodes)
            except OutOfBudget:
                if not budget.used_up:
                    raise
                return [*found, _untested(game, claim)]
        steps -= budget.spent
        if message:
            found.append(Diagnostic("claim-fails", message, place_of(game.rules, claim.origin)))
    return found


def _untested(game: Game, claim: Claim) -> Diagnostic:
    message = f"the claims of this file take more than {CLAIM_STEPS:,} steps: not tested from here"
    advice = "`rulewright test` tests every claim"
    return Diagnostic("claim-untested", message, place_of(game.rules, claim.origin), advice)


def _tested(game: Game, claim: Claim, nodes: int) -> str:
    try:
        with game.located():
            return _failure(game, claim, nodes)
    except Fault as fault:
        return f"testing this claim ends in a fault: {fault}"


def _failure(game: Game, claim: Claim, nodes: int) -> str:
    match claim.kind:
        case "start" | "always":
            context = game.play.context(game.play.first)
            assert claim.value is not None
            return "" if evaluate(claim.value, context) else "this does not hold at the start"
        case "perft":
            return _perft(game, claim, nodes)
    return ""


def _perft(game: Game, claim: Claim, nodes: int) -> str:
    unit = "turn" if claim.what == "turns" else "decision"
    changed = [o.name for o in game.rules.options if o.value != o.default]
    known = list[int]()
    for depth, claimed in enumerate(claim.numbers, 1):
        more = likely(known, claimed)
        more //= 1 if depth < len(claim.numbers) or unit == "turn" else 4
        if sum(known) + more > nodes or changed:
            break
        counted = game.start().perft(depth, unit)
        known.append(counted)
        if counted != claimed:
            return f"perft {depth} is {counted:,}, not {claimed:,} (in {unit}s)"
    return ""


COUNTED = 3_000_000
"""Decisions that kernels count for one line of perft."""
WALKED = 5_000
"""Decisions that the reference counts, where there are no kernels."""
SOLVED = 3_000_000
"""Decisions that may be played to prove who wins."""
_DEAR = 200
"""How many of these take as long as one where connections are searched."""


@frozen
class FailedClaim:
    """A claim that does not hold: why, where it stands, and the moves that it is about.

    `unknown` says that it was too much to find out.
    """

    message: str
    origin: int = 0
    moves: tuple[str, ...] | None = None
    state: State | None = None
    unknown: bool = False


Fact = Callable[[Subject], Iterator[FailedClaim]]


def start(subject: Subject) -> Iterator[FailedClaim]:
    """`claim start`."""
    state = subject.game.start()
    for claim in () if subject.changed else subject.claims("start"):
        if not subject.truth(claim, state):
            yield FailedClaim("this does not hold in the first position", claim.origin, (), state)


def after(subject: Subject) -> Iterator[FailedClaim]:
    """`claim after` and `claim no "DECISION"`."""
    for claim in subject.claims("after", "illegal"):
        reached = _reached(subject, claim)
        if isinstance(reached, FailedClaim):
            yield reached
        elif reached is not None:
            other, state = reached
            moves = tuple(state.decisions())
            if claim.kind == "illegal":
                if claim.decision in state.moves.texts:
                    told = f"`{claim.decision}` is legal here"
                    yield FailedClaim(told, claim.origin, moves, state)
            elif not _holds(claim, subject, other, state):
                told = "this does not hold after these moves"
                yield FailedClaim(told, claim.origin, moves, state)


def _holds(claim: Claim, subject: Subject, other: Subject, state: State) -> bool:
    """Whether a claim holds as its rules are read with the options of *other*."""
    place = subject.game.rules.origins[claim.origin]
    rules = other.game.rules
    own = next((c for c in rules.claims if rules.origins[c.origin] == place), None)
    if own is None or own.value is None or is_unknown(own.value):
        return False
    return bool(other.truth(own, state))


def _reached(subject: Subject, claim: Claim) -> tuple[Subject, State] | FailedClaim | None:
    """The game that a claim is about after its moves; None where other options are set for all."""
    if subject.changed and not claim.settings:
        return None
    game = subject.game
    try:
        if claim.settings:
            game = subject.again(dict(claim.settings))
        state = _played(game, claim.moves)
    except (OptionError, TextError) as error:
        return FailedClaim(_refusal(error), claim.origin)
    except (MoveError, Fault) as error:
        return _unplayable(game, claim, error)
    return (Subject(game) if claim.settings else subject), state


def _played(game: Game, moves: str) -> State:
    """The state after *moves*; the reference, where it plays, finds each without listing all."""
    state = game.start()
    for text in moves.split():
        found = None
        if game.backend == "reference" and not state.over:
            found = Subject(game).after(state, text)
        state = found or state.play(text)
    return state


def _unplayable(game: Game, claim: Claim, error: RulewrightError) -> FailedClaim:
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
    return FailedClaim(f"these moves cannot be played: {error}", claim.origin, moves, state)


# --- who wins ---


def wins(subject: Subject, ended: bool = False) -> Iterator[FailedClaim]:
    """`claim PLAYER wins`: by search, with proof; or only where the moves have *ended* the game."""
    for claim in subject.claims("wins"):
        if ended and not claim.moves.strip():
            continue
        reached = _reached(subject, claim)
        if ended and isinstance(reached, tuple) and not reached[1].over:
            continue
        wrong = _won(reached[1], claim) if isinstance(reached, tuple) else reached
        if wrong is not None:
            yield wrong


def _refusal(error: OptionError | TextError) -> str:
    reason = error.diagnostics[0].message if isinstance(error, TextError) else str(error)
    return f"the rules cannot be loaded with these options: {reason}"


def _won(state: State, claim: Claim) -> FailedClaim | None:
    moves = tuple(state.decisions())
    try:
        winner = winner_of(state)
    except OutOfBudget:
        raise
    except RulewrightError as error:
        return FailedClaim(str(error), claim.origin, moves, state)
    if winner is None:
        return FailedClaim("to prove this takes too long", claim.origin, unknown=True)
    if winner == claim.what:
        return None
    verdict = "nobody wins" if winner == NOBODY else f"{winner} wins"
    told = verdict if state.over else f"{verdict}, whatever the other side plays"
    return FailedClaim(told, claim.origin, moves, state)


def winner_of(state: State, most: int = SOLVED) -> str | None:
    """The colour that wins by force from *state* (`nobody`: a draw); None: that takes long."""
    if state.result is not None:
        return state.result.winner or NOBODY
    found = solve(state, Limits(None, nodes=most // _DEAR))
    if found.value is None:
        found = solve(state, Limits(None, nodes=most), method="alphabeta")
    if found.value is None:
        return None
    first, second = state.game.players
    other = second if found.side == first else first
    return {"win": found.side, "loss": other, "draw": NOBODY}[found.value]


# --- counts ---


def perft(subject: Subject, most: int | None = None) -> Iterator[FailedClaim]:
    """`claim perft`, and the lines of `perft.txt` beside the rules; *most* decisions a line."""
    for line in _lines(subject):
        if isinstance(line, BadLine):
            yield FailedClaim(str(line))
            continue
        try:
            other = subject
            if line.options:
                other = Subject(subject.again({**line.options}), quick=subject.quick)
        except (OptionError, TextError) as error:
            yield FailedClaim(f"{line.where}{_refusal(error)}", line.origin)
            continue
        wrong = miscounted(other, line, most)
        if wrong is not None:
            yield wrong


def _lines(subject: Subject) -> Iterator[PerftLine | BadLine]:
    if subject.changed:
        return
    for claim in subject.claims("perft"):
        unit = "turn" if claim.what == "turns" else "decision"
        yield PerftLine(unit, claim.numbers, {}, claim.origin)
    if subject.path is not None:
        yield from counts_of(subject.path)


def miscounted(subject: Subject, line: PerftLine, most: int | None = None) -> FailedClaim | None:
    """The first depth whose count is another one; depths that take too long are left out."""
    game = subject.game
    quick = subject.engine is not None
    most = most or (COUNTED if quick else WALKED)
    known = list[int]()
    for depth, claimed in enumerate(line.numbers, 1):
        if sum(known) + likely(known, claimed) > most:
            return None
        try:
            counted = _counted(subject, depth, line.unit, claimed)
        except Fault as fault:
            told = f"{line.where}counting {depth} deep ends in a fault: {fault}"
            return FailedClaim(told, line.origin)
        if counted != claimed:
            many = not quick and counted > claimed
            shown = (
                "more than " + amount(claimed, "sequence") if many else amount(counted, "sequence")
            )
            message = f"{line.where}{shown} of {amount(depth, line.unit)}, not {claimed:,}"
            return FailedClaim(message, line.origin, (), game.start())
        known.append(counted)
    return None


def _counted(subject: Subject, depth: int, unit: str, claimed: int) -> int:
    if subject.engine is not None:
        with subject.game.located():
            return subject.engine.perft(subject.game.play.first, depth, unit)
    sequences = _sequences(subject.game.start(), depth, unit)
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
