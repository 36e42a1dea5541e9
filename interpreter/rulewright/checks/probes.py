"""Properties of single positions: what must hold wherever a game goes.

In: the ground and a state.  Out: a complaint, or None.  A probe that needs decisions leaves a
position alone in which listing them is a fault: that is another probe's finding.
"""

from __future__ import annotations

from random import Random

from attrs import evolve

from rulewright.checks.ends import exclusive
from rulewright.checks.ground import Complaint, Ground, Probe, fault_after, fault_in
from rulewright.checks.symmetry import Symmetry
from rulewright.codegen import plan as p
from rulewright.engine.game import State
from rulewright.errors import Fault, OutOfBudget, RulewrightError
from rulewright.reference.lookup import find
from rulewright.reference.play import NONE, Option, Outcome

ALONE = 12
"""Turns of which both players should have had some."""


def _fault(*codes: str, but: tuple[str, ...] = ()) -> Probe:
    """A probe for certain faults, or (without any) for all others."""

    def probe(ground: Ground, state: State) -> Complaint | None:
        fault = fault_in(state) or fault_after(state)
        if fault is None or fault.code in but or (codes and fault.code not in codes):
            return None
        return Complaint(f"{fault.message} [{fault.code}]", fault.origin)

    return probe


def notation(ground: Ground, state: State) -> Complaint | None:
    """Different texts for different decisions, readable in a list, alone and as a whole turn."""
    fault = fault_in(state)
    if fault is not None:
        same = fault.code == "same-notation"
        return Complaint(f"{fault.message} [same-notation]", fault.origin) if same else None
    moves = ground.game.rules.moves
    for option in state.situation.options:
        origin = 0 if option.move is None else moves[option.move].origin
        if not option.text or any(c.isspace() for c in option.text):
            return Complaint(f"a decision is written `{option.text}`, which cannot be read", origin)
        if option.text == NONE and option.move is not None:
            return Complaint(f"a decision is written `{NONE}`, which means not to move", origin)
    return _whole_turn(ground, state)


def _whole_turn(ground: Ground, state: State) -> Complaint | None:
    """A turn that has just ended means itself when it is written as one."""
    if not ground.game.rules.joined or not (state.turn_begins or state.situation.ended):
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
        return Complaint(f"the turn `{text}` cannot be read again: {error}")
    return None if again.same(state) else Complaint(f"the turn `{text}` also means another one")


def undo(ground: Ground, state: State) -> Complaint | None:
    """Listing, playing and taking back leave everything as it was, here and in the kernels."""
    if fault_in(state) is not None:
        return None
    before, moves = state.text(), state.moves.texts
    if moves:
        ground.after(state, moves[len(before) % len(moves)])
    if (state.text(), state.moves.texts) != (before, moves):
        return Complaint("the position is another one after a decision was taken back")
    engine = ground.engine
    if engine is None or state.situation.ended is not None:
        return None
    engine.set(state.situation.position)
    words = engine.words()
    number = engine.decisions()
    if engine.words() != words:
        return Complaint("the kernels change the position when they list decisions")
    if number:
        engine.step(len(before) % number)
        engine.restore(words)
        if engine.decisions() != number:
            return Complaint("the kernels list other decisions after one was taken back")
    return None


def turns(ground: Ground, state: State) -> Complaint | None:
    """Whoever decides next is the one whose turn it is, and both get turns."""
    if state.before is None or state.situation.ended is not None:
        return None
    earlier, now = state.before.situation.position, state.situation.position
    swapped = earlier.swapped != now.swapped
    if not now.fresh:
        same = now.mover == (earlier.mover ^ swapped)
        return None if same else Complaint("the other player goes on with a turn")
    if now.ply != earlier.ply + 1:
        return Complaint(f"after turn {earlier.ply} comes turn {now.ply}")
    return _alone(ground, state) if now.ply == ALONE else None


def _alone(ground: Ground, state: State) -> Complaint | None:
    """Whether one player has made all decisions of the game so far."""
    movers = {one.situation.position.mover for one in state.states()[:-1]}
    if len(movers) > 1 or ground.game.rules.course != ground.game.rules.first_course:
        return None
    (player,) = (ground.game.players[mover] for mover in movers)
    return Complaint(f"{player} has made all of the first {ALONE} turns", ground.game.rules.turn)


def printed(ground: Ground, state: State) -> Complaint | None:
    """The text of a position reads back."""
    if fault_in(state) is not None:
        return None
    text = state.text()
    try:
        again = ground.game.read(text)
    except OutOfBudget:
        raise
    except RulewrightError as error:
        return Complaint(f"the printed position cannot be read: {error}")
    if again.same(state) and again.text() == text:
        return None
    return Complaint("the printed position reads back as another one")


def always(ground: Ground, state: State) -> Complaint | None:
    """The claims of every position."""
    if state.situation.ended is not None:
        return None
    for claim in ground.claims("always"):
        try:
            if not ground.truth(claim, state):
                return Complaint("this does not hold", claim.origin)
        except Fault as fault:
            return Complaint(f"trying this ends in a fault: {fault}", claim.origin)
    return None


def symmetric(ground: Ground, state: State) -> Complaint | None:
    """The claimed symmetries: the same decisions with the same effects, the same end."""
    if fault_in(state) is not None:
        return None
    for claim, found in ground.symmetries:
        if found is None:
            return Complaint("the board has no such symmetry", claim.origin)
        message = _mirrored(ground, state, found)
        if message:
            return Complaint(message, claim.origin)
    return None


def _mirrored(ground: Ground, state: State, found: Symmetry) -> str:
    if state.before is None and found.position(state.situation.position) != _start(ground, found):
        return "the first position is not symmetric"
    turned = found.situation(state.situation)
    try:
        options = turned.options
    except Fault as fault:
        return f"in the position turned so, {fault.message} [{fault.code}]"
    here = {found.position(o.after): o for o in state.situation.options}
    there = {o.after: o for o in options}
    lost = [o.text for after, o in here.items() if after not in there]
    more = [o.text for after, o in there.items() if after not in here]
    if lost:
        return f"`{lost[0]}` is legal here, and nothing like it in the position turned so"
    if more:
        return f"in the position turned so `{more[0]}` is legal, and nothing like it here"
    return _same_end(ground, state, found)


def _start(ground: Ground, found: Symmetry) -> object:
    """The first position, with the other player to move if players are exchanged."""
    first = ground.game.play.first
    return evolve(first, mover=found.player(first.mover))


def _same_end(ground: Ground, state: State, found: Symmetry) -> str:
    """Whether the game goes on, or ends, in the same way from the turned decision on."""
    before = state.before.situation if state.before else None
    if before is None or state.move == NONE:
        return ""
    play, position = ground.game.play, found.position(before.position)
    option = find(play, before.position, state.move)
    if option is None:
        return ""
    turned = Option(option.text, option.move, found.position(option.after))
    expected = found.outcome(state.situation.outcome)
    try:
        outcome = play.follow(position, turned).outcome
    except Fault as fault:
        return f"in the position turned so, {fault.message} [{fault.code}]"
    told = [_told(ground, one) for one in (expected, outcome)]
    return "" if told[0] == told[1] else f"turned so, {told[1]} instead of: {told[0]}"


def _told(ground: Ground, outcome: Outcome | None) -> str:
    if outcome is None:
        return "the game goes on"
    winner = outcome.winner
    return "it is a draw" if winner is None else f"{ground.game.players[winner]} wins"


def agreement(ground: Ground, state: State) -> Complaint | None:
    """The kernels find as many decisions, and what follows one of them, as the reference."""
    engine = ground.engine
    if engine is None or state.situation.ended is not None or fault_in(state) is not None:
        return None
    situation = state.situation
    engine.set(situation.position)
    if not situation.options:
        result = engine.outcome_when_stuck()
        winner = situation.outcome.winner if situation.outcome else None
        same = result == (p.DRAWN if winner is None else winner)
        return None if same else Complaint("the kernels end this game in another way")
    number = engine.decisions()
    if number != len(situation.options):
        return Complaint(f"the kernels find {number} decisions, not {len(situation.options)}")
    option = Random(len(state.text())).choice(situation.options)
    after = situation.after(option)
    words = engine.encode(after.position)
    if after.ended is not None:
        words[p.RESULT] = p.DRAWN if after.ended.winner is None else after.ended.winner
    if _visible(words) in _following(ground, number):
        return None
    return Complaint(f"the kernels know no decision that does what `{option.text}` does")


def _following(ground: Ground, number: int) -> set[tuple[int, ...]]:
    """The words after each decision of the position that the kernels have."""
    assert ground.engine is not None
    before, found = ground.engine.words(), set()
    for row in range(number):
        ground.engine.step(row)
        found.add(_visible(ground.engine.words()))
        ground.engine.restore(before)
    return found


def _visible(words: list[int]) -> tuple[int, ...]:
    """The words without how much history there is, which a game that has ended does not note."""
    return (*words[: p.PAST], *words[p.HEAD :])


def within(ground: Ground, state: State) -> Complaint | None:
    """No more decisions than claimed."""
    if ground.bound is None:
        return None
    most, claim = ground.bound
    number = len(state.states()) - 1
    if number < most or (number == most and (fault_in(state) is not None or state.over)):
        return None
    return Complaint(f"the game goes on after {most} decisions", claim.origin)


def draws(ground: Ground, state: State) -> Complaint | None:
    """No draw, where the file claims so."""
    claims = ground.claims("never")
    if not claims or fault_in(state) is not None:
        return None
    outcome = state.situation.outcome
    if outcome is None or outcome.winner is not None:
        return None
    return Complaint(f"a draw: {ground.game.rules.origins[outcome.origin].text}", claims[0].origin)


def complaint_of(name: str, ground: Ground, state: State) -> Complaint | None:
    """What a probe says of a state; a fault on the way is another probe's finding."""
    try:
        return PROBES[name](ground, state)
    except Fault:
        return None


PROBES: dict[str, Probe] = {
    "stuck": _fault("stuck"),
    "notation": notation,
    "ranges": _fault("out-of-range"),
    "faults": _fault(but=("stuck", "same-notation", "out-of-range")),
    "undo": undo,
    "turns": turns,
    "exclusive": exclusive,
    "printed": printed,
    "always": always,
    "symmetric": symmetric,
    "agreement": agreement,
    "within": within,
    "draws": draws,
}
