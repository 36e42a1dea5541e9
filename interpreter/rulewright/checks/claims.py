"""Claims of rules files: the first position, counts, positions after moves, who wins.

In: a game whose file has no errors, and limits of nodes and steps; or what is under test.  Out: for
`check`, of claims that take little time, a diagnostic for each that does not hold; for `test`, of
all, findings that do not depend on chance.  Claims that need more work than their limit are left
alone, or said to be too much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from attrs import frozen

from rulewright.checks.counts import BadLine, PerftLine, counts_of, likely
from rulewright.checks.findings import place_of
from rulewright.checks.subject import Subject
from rulewright.errors import Fault, MoveError, OptionError, OutOfBudget, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.ground.budget import suppress_refusals, within_steps
from rulewright.ground.limits import CLAIM_STEPS
from rulewright.ground.printable import amount
from rulewright.ground.records import fields_as_json
from rulewright.language.diagnostics import Diagnostic, TextError
from rulewright.language.resolve.claims import NOBODY
from rulewright.language.resolve.scope import is_unknown
from rulewright.model.rules import Claim
from rulewright.reference.evaluate import evaluate
from rulewright.search.results import Limits
from rulewright.search.solve import solve

QUICK_NODES = 1500
"""Decisions that the claims of one file may need when it is only checked."""


def failing(game: Game, nodes: int = QUICK_NODES, steps: int = CLAIM_STEPS) -> list[Diagnostic]:
    """A diagnostic for each claim that is tested and does not hold.

    All claims of the file share *steps*; it is said where they are used up, and nothing more.
    """
    diagnostics: list[Diagnostic] = []
    for claim in game.rules.claims:
        with within_steps(steps, "") as budget:
            try:
                message = _tested(game, claim, nodes)
            except OutOfBudget:
                if not budget.used_up:
                    raise
                return [*diagnostics, _untested(game, claim)]
        steps -= budget.spent
        if message:
            place = place_of(game.rules, claim.origin)
            diagnostics.append(Diagnostic("claim-fails", message, place))
    return diagnostics


def _untested(game: Game, claim: Claim) -> Diagnostic:
    message = f"checking this file takes more than {CLAIM_STEPS:,} steps: not tested from here"
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
    unit = _unit(claim)
    for depth, claimed in enumerate(claim.numbers[: _counted_to(game, claim, nodes)], 1):
        counted = game.start().perft(depth, unit)
        if counted != claimed:
            return f"perft {depth} is {counted:,}, not {claimed:,} (in {unit}s)"
    return ""


def _unit(claim: Claim) -> str:
    return "turn" if claim.what == "turns" else "decision"


def _counted_to(game: Game, claim: Claim, nodes: int) -> int:
    """The depth to which `check` counts if all claimed counts are right; 0 with other options."""
    if any(o.value != o.default for o in game.rules.options):
        return 0
    counts = list[int]()
    for depth, claimed in enumerate(claim.numbers, 1):
        more = likely(counts, claimed)
        more //= 1 if depth < len(claim.numbers) or _unit(claim) == "turn" else 4
        if sum(counts) + more > nodes:
            break
        counts.append(claimed)
    return len(counts)


@frozen
class UntriedClaim:
    """A claim that `check` does not try, and which `part` of it: `all`, or `depth 3 on`."""

    file: str
    line: int
    claim: str
    part: str

    def as_data(self) -> dict[str, object]:
        """The claim as plain data, with the names of `check --format json`."""
        return {**fields_as_json(self, "file line claim"), "what": self.part}


def untried_claims(game: Game, path: Path | None, nodes: int = QUICK_NODES) -> list[UntriedClaim]:
    """The claims of a file, and the counts beside it, that `check` does not try."""
    claims = list[UntriedClaim]()
    for claim in game.rules.claims:
        part = _left_alone(game, claim, nodes)
        if part:
            origin = game.rules.origins[claim.origin]
            claims.append(UntriedClaim(origin.file, origin.line, origin.text.strip(), part))
    for counts in () if path is None else counts_of(path):
        if isinstance(counts, PerftLine):
            file, _, line = counts.place.rpartition(":")
            numbers = " ".join(map(str, counts.numbers))
            claims.append(UntriedClaim(file, int(line), numbers, "all"))
    return claims


def _left_alone(game: Game, claim: Claim, nodes: int) -> str:
    if claim.kind == "start":
        return ""
    if claim.kind == "always":
        return "positions after the first"
    if claim.kind == "perft":
        depth = _counted_to(game, claim, nodes)
        return "" if depth == len(claim.numbers) else f"depth {depth + 1} on" if depth else "all"
    return "all"


def untried_text(claims: Sequence[UntriedClaim]) -> str:
    """One line on claims that are not tried: counts by their place, the number of the others."""
    counts = [claim for claim in claims if claim.part.startswith("depth")]
    parts = [f"line {claim.line} from {claim.part}" for claim in counts]
    rest = len(claims) - len(counts)
    parts += [amount(rest, "other claim" if counts else "claim")] if rest else []
    return f"not tried here: {', '.join(parts)}; `rulewright test` tries them"


COUNTED = 3_000_000
"""Decisions that kernels count for one line of perft."""
WALKED = 5_000
"""Decisions that the reference counts, where there are no kernels."""
SOLVED = 3_000_000
"""Decisions that may be played to prove who wins."""
_DEAR = 200
"""The number of these that take as long as one decision of the search for connections."""


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
                    message = f"`{claim.decision}` is legal here"
                    yield FailedClaim(message, claim.origin, moves, state)
            elif not _holds(claim, subject, other, state):
                message = "this does not hold after these moves"
                yield FailedClaim(message, claim.origin, moves, state)


def _holds(claim: Claim, subject: Subject, other: Subject, state: State) -> bool:
    """Whether a claim holds as its rules are read with the options of *other*."""
    place = subject.game.rules.origins[claim.origin]
    rules = other.game.rules
    own = next((c for c in rules.claims if rules.origins[c.origin] == place), None)
    if own is None or own.value is None or is_unknown(own.value):
        return False
    return bool(other.truth(own, state))


def _reached(subject: Subject, claim: Claim) -> tuple[Subject, State] | FailedClaim | None:
    """The game and the state that a claim is about; None where options rule it out."""
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
        following = None
        if game.backend == "reference" and not state.over:
            following = Subject(game).after(state, text)
        state = following or state.play(text)
    return state


def _unplayable(game: Game, claim: Claim, error: RulewrightError) -> FailedClaim:
    """The part of a claim's moves that can be played."""
    state = game.start()
    with suppress_refusals():
        for text in claim.moves.split():
            state = state.play(text)
    moves = tuple(state.decisions())
    return FailedClaim(f"these moves cannot be played: {error}", claim.origin, moves, state)


# --- who wins ---


def failed_win_claims(subject: Subject, ended: bool = False) -> Iterator[FailedClaim]:
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
        return FailedClaim("a proof that takes too long", claim.origin, unknown=True)
    if winner == claim.what:
        return None
    verdict = "nobody wins" if winner == NOBODY else f"{winner} wins"
    message = verdict if state.over else f"{verdict}, whatever the other side plays"
    return FailedClaim(message, claim.origin, moves, state)


def winner_of(state: State, most: int = SOLVED) -> str | None:
    """The colour that wins by force from *state*, `nobody` for a draw; None if unsolved."""
    if state.result is not None:
        return state.result.winner or NOBODY
    solved = solve(state, Limits(None, nodes=most // _DEAR))
    if solved.value is None:
        solved = solve(state, Limits(None, nodes=most), method="alphabeta")
    if solved.value is None:
        return None
    first, second = state.game.players
    other = second if solved.side == first else first
    return {"win": solved.side, "loss": other, "draw": NOBODY}[solved.value]


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
        wrong = miscount(other, line, most)
        if wrong is not None:
            yield wrong


def _lines(subject: Subject) -> Iterator[PerftLine | BadLine]:
    if subject.changed:
        return
    for claim in subject.claims("perft"):
        yield PerftLine(_unit(claim), claim.numbers, {}, claim.origin)
    if subject.path is not None:
        yield from counts_of(subject.path)


def miscount(subject: Subject, line: PerftLine, most: int | None = None) -> FailedClaim | None:
    """The first depth whose count differs, or takes too long to count (`unknown`); None if none."""
    quick = subject.engine is not None
    most = most or (COUNTED if quick else WALKED)
    counts = list[int]()
    try:
        state = _played(subject.game, line.moves)
    except (MoveError, Fault) as error:
        return FailedClaim(f"{line.where}its moves cannot be played: {error}", line.origin)
    for depth, claimed in enumerate(line.numbers, 1):
        if sum(counts) + likely(counts, claimed) > most:
            much = f"more than {most:,} {line.unit}s to count"
            message = f"{line.where}depth {depth} and beyond, {much}"
            return FailedClaim(message, line.origin, unknown=True)
        try:
            counted = _counted(subject, state, depth, line.unit, claimed)
        except Fault as fault:
            message = f"{line.where}counting {depth} deep ends in a fault: {fault}"
            return FailedClaim(message, line.origin)
        if counted != claimed:
            number = amount(counted, "sequence")
            if not quick and counted > claimed:  # the reference stopped there
                number = f"more than {amount(claimed, 'sequence')}"
            message = f"{line.where}{number} of {amount(depth, line.unit)}, not {claimed:,}"
            return FailedClaim(message, line.origin, tuple(state.decisions()), state)
        counts.append(counted)
    return None


def _counted(subject: Subject, state: State, depth: int, unit: str, claimed: int) -> int:
    if subject.engine is not None and not state.over:
        with subject.game.located():
            return subject.engine.perft(state.situation.position, depth, unit)
    sequences = _sequences(state, depth, unit)
    return sum(1 for _ in islice(sequences, min(claimed, WALKED * WALKED) + 1))  # both may be huge


def _sequences(state: State, depth: int, unit: str) -> Iterator[None]:
    """None, once for every sequence of so many decisions or turns."""
    if depth == 0:
        yield
    elif unit == "turn":
        for _, after in state.whole_turns():
            yield from _sequences(after, depth - 1, unit)
    else:
        for text in state.moves.texts:
            yield from _sequences(state.play_decision(text), depth - 1, unit)


FACTS: dict[str, Fact] = {"start": start, "perft": perft, "after": after, "wins": failed_win_claims}
