"""Properties of single positions: what must hold wherever a game goes.

In: what is under test and a state.  Out: a violation, or None.  A probe that needs decisions leaves
a position alone in which listing them is a fault: that is another probe's finding.

End rules are tried from the top, so every order of two that are true at once means something; these
say that it was meant: a draw after a win or a loss, a rule that is a special case of the other (its
conditions and more), and a claim about a game in which both are true.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from random import Random

from rulewright.checks.blindness import blind
from rulewright.checks.coverage import conjuncts
from rulewright.checks.findings import Finding, clause
from rulewright.checks.playouts import encoded_situation, visible
from rulewright.checks.reasons import clauses_of_last_decision
from rulewright.checks.subject import (
    BoardSymmetry,
    Probe,
    Subject,
    Violation,
    fault_after,
    fault_in,
)
from rulewright.compiler.engine import Engine
from rulewright.compiler.seats import result_word
from rulewright.errors import Fault, MoveError, OutOfBudget, RulewrightError
from rulewright.games.engine.game import State
from rulewright.ground.printable import amount
from rulewright.language.resolve.claims import NOBODY
from rulewright.reference.decisions import NONE, LegalDecision
from rulewright.reference.lookup import find
from rulewright.reference.play import Outcome

ALONE = 12
"""Turns of which both players should have had some."""


def _fault(*codes: str, but: tuple[str, ...] = ()) -> Probe:
    """A probe for certain faults, or (without any) for all others."""

    def probe(subject: Subject, state: State) -> Violation | None:
        fault = fault_in(state) or fault_after(state)
        if fault is None or fault.code in but or (codes and fault.code not in codes):
            return None
        return Violation(f"{fault.message} [{fault.code}]", fault.origin)

    return probe


def notation(subject: Subject, state: State) -> Violation | None:
    """Different texts for different decisions, readable in a list, alone and as a whole turn."""
    fault = fault_in(state)
    if fault is not None:
        same = fault.code == "same-notation"
        return Violation(f"{fault.message} [same-notation]", fault.origin) if same else None
    origins = {kind.name: kind.origin for kind in subject.game.rules.moves}
    for move in state.moves:
        text, origin = move.text, origins.get(move.name, 0)
        if not text or any(c.isspace() for c in text):
            return Violation(f"a decision is written `{text}`, which cannot be read", origin)
        if text == NONE and move.name in origins:
            return Violation(f"a decision is written `{NONE}`, which means not to move", origin)
    return _whole_turn(subject, state)


def _whole_turn(subject: Subject, state: State) -> Violation | None:
    """A turn that has just ended means itself when it is written as one."""
    if not subject.game.rules.joined or not (state.turn_begins or state.position.ended):
        return None
    way, start = [state.move], state.before
    while start is not None and not start.turn_begins:
        way, start = [start.move, *way], start.before
    if start is None:
        return None
    text = start.turn_text(way)
    try:
        again = start.play(text)
    except OutOfBudget:
        raise
    except RulewrightError as error:
        return Violation(f"the turn `{text}` cannot be read again: {error}")
    return None if again.same(state) else Violation(f"the turn `{text}` also means another turn")


def undo(subject: Subject, state: State) -> Violation | None:
    """Listing, playing and taking back leave everything as it was, here and in the kernels."""
    if fault_in(state) is not None:
        return None
    before, moves = state.position.digest, state.moves.texts
    if moves:
        state.play_decision(moves[len(state.decisions()) % len(moves)])
    if (state.position.digest, state.moves.texts) != (before, moves):
        return Violation("the position is not the same after a decision was taken back")
    engine = subject.engine
    if engine is None or state.over:
        return None
    engine.set(state.situation.position)
    words = engine.words()
    number = engine.decisions()
    if engine.words() != words:
        return Violation("the kernels change the position when they list decisions")
    if number:
        engine.step(len(moves) % number)
        engine.restore(words)
        if engine.decisions() != number:
            return Violation("the kernels list other decisions after a decision was taken back")
    return None


def turns(subject: Subject, state: State) -> Violation | None:
    """Check that the player to move is the one whose turn it is, and that both get turns."""
    if state.before is None or state.position.ended is not None:
        return None
    earlier, now = state.before.position, state.position
    swapped = earlier.swapped != now.swapped
    if not now.fresh:
        same = now.mover == (earlier.mover ^ swapped)
        return None if same else Violation("the other player goes on with a turn")
    if now.ply != earlier.ply + 1 and now.ply - earlier.ply - 1 not in _skipped(state):
        return Violation(f"after turn {earlier.ply} comes turn {now.ply}")
    return _alone(subject, state) if now.ply == ALONE else None


def _skipped(state: State) -> range:
    """How many turns may have been left out: of those who were stuck and went out."""
    before = state.before
    assert before is not None
    went = len(state.situation.position.out) - len(before.situation.position.out)
    return range(went + 1)


def _alone(subject: Subject, state: State) -> Violation | None:
    """Whether one player has made all decisions of the game so far."""
    rules = subject.game.rules
    movers = {earlier_state.position.mover for earlier_state in state.states()[:-1]}
    if len(movers) > 1 or rules.is_puzzle or rules.course != rules.first_course:
        return None
    (player,) = (subject.game.players[mover] for mover in movers)
    return Violation(f"{player} has made all of the first {ALONE} turns", subject.game.rules.turn)


def position_text(subject: Subject, state: State) -> Violation | None:
    """Check that the text of a position reads back."""
    if fault_in(state) is not None:
        return None
    text = state.text()
    try:
        again = subject.game.read(text)
    except OutOfBudget:
        raise
    except RulewrightError as error:
        return Violation(f"the printed position cannot be read: {error}")
    if again.same(state):
        return None
    return Violation("the printed position reads back as another position")


def always(subject: Subject, state: State) -> Violation | None:
    """Check the claims `always`."""
    if state.position.ended is not None:
        return None
    for claim in subject.claims("always"):
        try:
            if not subject.truth(claim, state):
                return Violation("this does not hold", claim.origin)
        except Fault as fault:
            return Violation(f"trying this ends in a fault: {fault}", claim.origin)
    return None


def symmetric(subject: Subject, state: State) -> Violation | None:
    """Check claimed symmetries: the same decisions with the same effects, and the same end."""
    if fault_in(state) is not None:
        return None
    for claim, symmetry in subject.symmetries:
        if symmetry is None:
            return Violation("the board has no such symmetry", claim.origin)
        message = _mirrored(subject, state, symmetry)
        if message:
            return Violation(message, claim.origin)
    return None


def _mirrored(subject: Subject, state: State, symmetry: BoardSymmetry) -> str:
    turned = symmetry.situation(state.situation)
    if state.before is None and not symmetry.holds_at_start():
        return "the first position is not symmetric"
    try:
        options = turned.options
    except Fault as fault:
        return f"in the turned position: {fault.message} [{fault.code}]"
    here = {symmetry.position(o.after): o for o in state.situation.options}
    there = {o.after: o for o in options}
    only_here = [o.text for after, o in here.items() if after not in there]
    more = [o.text for after, o in there.items() if after not in here]
    if only_here:
        return f"`{only_here[0]}` is legal here, and its image is not legal in the turned position"
    if more:
        return f"`{more[0]}` is legal in the turned position, and its image is not legal here"
    return _same_end(subject, state, symmetry)


def _same_end(subject: Subject, state: State, symmetry: BoardSymmetry) -> str:
    """Whether the game goes on, or ends, in the same way from the turned decision on."""
    before = state.before.situation if state.before else None
    if before is None or state.move == NONE:
        return ""
    play, position = subject.game.play, symmetry.position(before.position)
    option = find(play, before.position, state.move)
    if option is None:
        return ""
    turned = LegalDecision(option.text, option.move, symmetry.position(option.after))
    expected = symmetry.outcome(state.situation.outcome)
    try:
        outcome = play.follow(position, turned).outcome
    except Fault as fault:
        return f"in the turned position: {fault.message} [{fault.code}]"
    here, there = (_outcome_text(subject, outcome) for outcome in (expected, outcome))
    return "" if here == there else f"the turned position: {there}, not: {here}"


def _outcome_text(subject: Subject, outcome: Outcome | None) -> str:
    if outcome is None:
        return "the game goes on"
    winner = outcome.winner
    if outcome.places:
        return f"places are {', '.join(map(str, outcome.places))}"
    return "it is a draw" if winner is None else f"{subject.game.players[winner]} wins"


def agreement(subject: Subject, state: State) -> Violation | None:
    """Check that kernels list as many decisions as the reference, and play one of them alike."""
    engine = subject.engine
    if engine is None or fault_in(state) is not None:
        return None
    if not _reached(subject, state):
        return Violation(f"the reference comes to another position by `{state.move}`")
    if state.position.ended is not None:
        return None
    situation = state.situation
    if state.moves.texts != [option.text for option in situation.options]:
        return Violation("the kernels write the decisions in another way")
    engine.set(situation.position)
    if not situation.options:
        assert situation.outcome is not None
        result = result_word(situation.outcome, len(subject.game.players))
        same = engine.outcome_when_stuck() == result
        return None if same else Violation("the kernels end this game in another way")
    number = engine.decisions()
    if number != len(situation.options):
        return Violation(
            f"the kernels find {amount(number, 'decision')}, not {len(situation.options)}"
        )
    index = Random(len(state.decisions())).randrange(number)
    option = situation.options[index]
    words = encoded_situation(engine, situation.after(option))
    if _leads_to(engine, visible(words), [index, *range(number)]):
        return None
    return Violation(f"the kernels know no decision that does what `{option.text}` does")


def _reached(subject: Subject, state: State) -> bool:
    """Whether the reference too comes here by the last decision."""
    if state.before is None:
        return True
    option = find(subject.game.play, state.before.situation.position, state.move)
    if option is None:
        return False
    after = state.before.situation.after(option)
    return (after.position, after.ended) == (state.situation.position, state.position.ended)


def _leads_to(engine: Engine, words: tuple[int, ...], rows: Iterable[int]) -> bool:
    """Whether one of the decisions that the kernels have leads to *words*."""
    before = engine.words()
    for row in rows:
        engine.step(row)
        after = visible(engine.words())
        engine.restore(before)
        if after == words:
            return True
    return False


def within(subject: Subject, state: State) -> Violation | None:
    """No more decisions than claimed."""
    if subject.bound is None:
        return None
    most, claim = subject.bound
    number = len(state.states()) - 1
    if number < most or (number == most and (fault_in(state) is not None or state.over)):
        return None
    return Violation(f"the game goes on after {amount(most, 'decision')}", claim.origin)


def draws(subject: Subject, state: State) -> Violation | None:
    """No draw, where the file claims so."""
    claims = subject.claims("never")
    if not claims or fault_in(state) is not None:
        return None
    result = state.result
    if result is None or result.winner is not None:
        return None
    return Violation(f"a draw: {result.rule}", claims[0].origin)


# --- ends that contradict each other ---


def exclusive(subject: Subject, state: State) -> Violation | None:
    """No two end rules that are true at once name different winners, unless ordered on purpose."""
    met = _met(subject, state)
    for other in met[1:]:
        if met[0].winner != other.winner and not _ordered(subject, met[0], other):
            return Violation(_both(subject, met[0], other), other.origin)
    return None


def _met(subject: Subject, state: State) -> list[Outcome]:
    """The outcomes of the end rules that hold in a finished position, from the top."""
    ended = state.position.ended
    stuck, over = ended is None and fault_in(state) is None and state.over, False
    if ended is None and not stuck:
        return []
    if ended is not None:
        end = next(e for e in subject.game.rules.ends if e.origin == ended.origin)
        stuck, over = end.stuck, end.after_turn
    try:
        return list(subject.game.play.ends_met(state.situation.position, stuck, over))
    except Fault:
        return []


def _ordered(subject: Subject, first: Outcome, other: Outcome) -> bool:
    if other.winner is None:
        return True
    ends = {end.origin: end for end in subject.game.rules.ends}
    conditions = [{*conjuncts(ends[outcome.origin].condition)} for outcome in (other, first)]
    if conditions[0] <= conditions[1]:  # the first rule is a special case of the other
        return True
    return (first.origin, other.origin) in _claimed_orders(subject)


@lru_cache(maxsize=1)
def _claimed_orders(subject: Subject) -> frozenset[tuple[int, int]]:
    """Pairs of end rules, the first before the second, of which a claim shows a game."""
    orders: set[tuple[int, int]] = set()
    for claim in subject.claims("wins"):
        if not claim.moves or claim.settings:
            continue
        try:
            state = subject.game.start().play(claim.moves)
        except (Fault, MoveError):
            continue
        met = _met(subject, state)
        if met and _name(subject, met[0].winner) == claim.what:
            orders |= {(met[0].origin, other.origin) for other in met[1:]}
    return frozenset(orders)


def _both(subject: Subject, first: Outcome, other: Outcome) -> str:
    origins = subject.game.rules.origins
    verdicts = (
        f"`{origins[outcome.origin].text}` says {_verdict(subject, outcome.winner)}"
        for outcome in (first, other)
    )
    return " and ".join(verdicts)


def _verdict(subject: Subject, winner: int | None) -> str:
    return "that it is a draw" if winner is None else f"that {_name(subject, winner)} wins"


def _name(subject: Subject, winner: int | None) -> str:
    return NOBODY if winner is None else subject.game.players[winner]


def violation_of(name: str, subject: Subject, state: State) -> Violation | None:
    """The violation that a probe finds in a state; faults are found by another probe."""
    try:
        return PROBES[name](subject, state)
    except Fault:
        return None


def finding(subject: Subject, name: str, state: State) -> Finding:
    """The finding of a property in a state, with board, clause and last acting clauses."""
    unseen = "kernels meet this after one of the decisions here"
    violation = violation_of(name, subject, state) or Violation(unseen)
    about = clause(subject.game.rules, violation.origin) if violation.origin else None
    moves = tuple(state.decisions())
    return Finding(
        name, violation.message, moves, state.board(), about, tuple(clauses_of_last_decision(state))
    )


PROBES: dict[str, Probe] = {
    "stuck": _fault("stuck"),
    "notation": notation,
    "ranges": _fault("out-of-range"),
    "faults": _fault(but=("stuck", "same-notation", "out-of-range")),
    "undo": undo,
    "turns": turns,
    "exclusive": exclusive,
    "printed": position_text,
    "always": always,
    "symmetric": symmetric,
    "agreement": agreement,
    "blind": blind,
    "within": within,
    "draws": draws,
}
