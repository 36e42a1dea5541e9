"""Playing: decisions of a position, what follows a decision, and how a game ends.

In: the rules.  Out: immutable `Situation`s.  Refuses nothing a caller could do wrong (that is
the work of `games/engine/game.py`); faults of the rules themselves come out as `Fault`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

from rulewright.errors import Fault, OutOfBudget
from rulewright.ground import limits
from rulewright.ground.records import Record, record
from rulewright.model import rules as r
from rulewright.model.rules import EMPTY
from rulewright.model.walk import settled_definitions
from rulewright.reference.courses import ends_by_itself, may_end
from rulewright.reference.decisions import (
    Decide,
    Decisions,
    Finishing,
    LegalDecision,
    WayLengths,
    draw,
)
from rulewright.reference.effects import Effects, blank_value, first_value
from rulewright.reference.evaluate import evaluate
from rulewright.reference.places import places_of
from rulewright.reference.position import (
    Context,
    Key,
    LinkTable,
    Order,
    Position,
    Settled,
    key_of,
)

if TYPE_CHECKING:
    from random import Random


@record
class Outcome(Record):
    """How a game ended: the colour that won (None: a draw) and the rule that said so.

    `places` are those of more than two players, from 1; equal ones are shared.
    """

    winner: int | None
    origin: int
    places: tuple[int, ...] = ()


@frozen(eq=False)
class Situation:
    """A position between two decisions, with its legal decisions and the end of the game."""

    play: ReferencePlay = field(repr=False)
    position: Position
    ended: Outcome | None = None

    @cached_property
    def options(self) -> tuple[LegalDecision, ...]:
        """Every legal decision, in the order of the turn and of what it chooses."""
        return () if self.ended else self.play.options(self.position)

    @property
    def by_chance(self) -> bool:
        """Whether chance makes the next decision."""
        has_chance = self.play.rules.has_chance and bool(self.options)
        return has_chance and self.play.is_by_chance(self.options[0])

    @property
    def probabilities(self) -> dict[str, Fraction]:
        """How likely each decision is, by its text, where chance decides; they sum up to 1."""
        total = sum(option.chance for option in self.options) if self.by_chance else 0
        return {o.text: Fraction(o.chance, total) for o in self.options if total}

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        if self.ended or self.options:
            return self.ended
        return self.play.when_stuck(self.position)

    def after(self, option: LegalDecision) -> Situation:
        """The situation after one of `options`."""
        return self.play.follow(self.position, option)


@frozen(eq=False, weakref_slot=True)
class ReferencePlay:
    """The rules in motion."""

    rules: r.Rules
    effects: Effects = field(init=False)
    engines: dict[str, object] = field(factory=dict, init=False, repr=False)
    """Other executions by the names of their backends.

    They know the rules in motion, so a weak dictionary of them would never let go of either.
    """

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "effects", Effects(self.rules))

    @cached_property
    def links(self) -> tuple[LinkTable, ...]:
        """The possible links of every kind; who only loads a game never asks."""
        return tuple(LinkTable(self.rules.board, kind) for kind in self.rules.links)

    @cached_property
    def settled(self) -> frozenset[int]:
        """Definitions that are worked out once a position, however often they are used."""
        return settled_definitions(self.rules.functions)

    def context(self, position: Position, view: int | None = None, slots: int = 0) -> Context:
        """A context for *position* as its mover (or *view*) sees it."""
        view = position.mover if view is None else view
        rules = self.rules
        context = Context(rules.board, rules.functions, self.links, position, view, [None] * slots)
        context.settled = Settled(self.settled)
        context.states = rules.states
        if rules.looks_back:
            context.key = self.key(position)
        if context.budget is not None:
            context.budget.spend()
        return context

    @cached_property
    def first(self) -> Position:
        """The position before the first decision."""
        rules = self.rules
        bare = Position(
            owned=(0,) * (len(rules.players) + 1),
            kinds=(0,) * len(rules.kinds),
            links=(0,) * len(rules.links),
            states=tuple(blank_value(state, len(rules.players)) for state in rules.states),
            mover=0,
            ply=0,
            rest=rules.first_course,
            piles=((),) * len(rules.board.names) if rules.board.stacked else (),
        )
        c = self.context(bare, slots=rules.setup_slots)
        self.effects.all(rules.setup, c)
        values = []
        for state in rules.states:
            views = [self.context(c.position, view * state.each) for view in rules.views]
            values.append(tuple(first_value(state, view) for view in views))
        set_up = evolve(c.position, states=tuple(values))
        before = evolve(set_up, mover=self.previous(set_up, 0), rest=EMPTY)
        if not rules.looks_back:
            return set_up
        return evolve(set_up, history=(self.key(before), None), past=1)

    def start(self) -> Situation:
        """The beginning of a game."""
        return Situation(self, self.first)

    def resume(self, position: Position, ended: Outcome | None = None) -> Situation:
        """A situation at *position*, with the way in which the game has ended there."""
        return Situation(self, position, ended)

    def key(self, position: Position) -> Key:
        """The key by which `repeats` compares positions; the board comes first.

        Pieces, links, states (not those `unseen`), who moved, and what is left of the turn; a
        `within turn` state counts only while the turn goes on.
        """
        return key_of(self.rules.states, position)

    # --- decisions ---

    def listing(
        self,
        position: Position,
        decide: Decide | None = None,
        whole: Decisions | None = None,
        chance: Random | None = None,
    ) -> Decisions:
        """The decisions of a position; *decide* generates those of a move, else all."""
        finishing = Finishing(self) if self.rules.closing is not None else None
        ways = WayLengths(self, finishing)
        return Decisions(position, decide or self.decisions, whole, chance, ways, finishing)

    def options(self, position: Position) -> tuple[LegalDecision, ...]:
        """The legal decisions; those written the same are one."""
        by_text: dict[str, LegalDecision] = {}
        for option in self._all(position):
            other = by_text.setdefault(option.text, option)
            if option is not other and self.is_by_chance(option):
                by_text[option.text] = evolve(other, chance=other.chance + option.chance)
            if other.after != option.after:
                origin = self.rules.moves[option.move or 0].origin
                message = f"two different decisions are written `{option.text}`"
                raise Fault("same-notation", message, origin)
        return tuple(by_text.values())

    def _all(self, position: Position) -> list[LegalDecision]:
        options, moves = list[LegalDecision](), 0
        patient = partial(self.decisions, patient=True)
        for option in self.listing(position, patient).of(position.rest):
            options.append(option)
            moves += option.move is not None
            if option.move is not None and moves > limits.BRANCHES:
                message = f"more than {limits.BRANCHES:,} decisions in one position"
                raise Fault("too-many", message, self.rules.moves[option.move].origin)
        for option in options:
            option.play()
        return options

    def sample(self, position: Position, random: Random) -> LegalDecision | None:
        """A random legal decision, None if there is none; far cheaper than listing all.

        Decisions of one move are equally likely when it makes one choice; a move is taken before
        its values are, so moves with many decisions are not more likely than others.
        """

        def shuffled(_: object, choices: Iterable[Any]) -> list[Any]:
            order = list(choices)
            random.shuffle(order)
            return order

        def decide(number: int, position: Position) -> Iterator[LegalDecision]:
            if self.rules.moves[number].by_chance:
                return self._drawn(number, position, random)
            return self.decisions(number, position, order=shuffled)

        return next(self.listing(position, decide, chance=random).of(position.rest), None)

    def is_by_chance(self, option: LegalDecision) -> bool:
        """Whether chance makes a decision, and not the player to move."""
        return option.move is not None and self.rules.moves[option.move].by_chance

    def _drawn(self, number: int, position: Position, random: Random) -> Iterator[LegalDecision]:
        """What chance makes of a move: one of its decisions, as often as they are likely."""
        options = list(self.decisions(number, position))
        if options:
            yield options[draw([option.chance for option in options], random)]

    def foremost(self, position: Position) -> LegalDecision | None:
        """The first legal decision, None if there is none; far cheaper than all of them."""
        return next(self.listing(position).of(position.rest), None)

    def decisions(
        self,
        number: int,
        position: Position,
        order: Order | None = None,
        ranged: bool = True,
        patient: bool = False,
    ) -> Iterator[LegalDecision]:
        """The decisions of a move; *order* says which choices are tried, and in which order.

        States may leave their ranges unless they are *ranged*.  Where *patient*, a decision whose
        effects meet a fault comes with it, among the others.
        """
        context = self.context(position)
        context.order, context.ranged, context.key, context.patient = order, ranged, None, patient
        for b in self.effects.branches(self.rules.moves[number], context):
            yield LegalDecision(b.text, number, b.position, b.frame, b.chance, b.fault)

    # --- what follows a decision ---

    def follow(self, before: Position, option: LegalDecision) -> Situation:
        """Test the ends after *option* and go on to the next decision, over turns that end."""
        over = self.rules.closes_turns and self._is_over(before, option.after)
        after, ended = option.after, None
        if over:
            after = self.closed(after) or after
        if over or option.move is not None:
            ended = self.end_met(after, stuck=False, over=over)
        if ended is not None and ended.origin in self.losing:
            after, ended = self._dropped_out(after), ended if ended.places else None
        if ended is None:
            return self._go_on(before, after)
        after = evolve(after, claimable=False)
        return self._outranked(before, after, ended) or Situation(self, after, ended)

    def _go_on(self, before: Position, after: Position, ranged: bool = True) -> Situation:
        """The situation after a decision that has not ended the game."""
        if self.rules.claimable_ends:
            after = evolve(after, claimable=self.may_claim(after))
        after = self.passed_on(before, after)
        if self._ends_turn(after, ranged):
            after = self._next_turn(after)
        if self.rules.drops_out:
            after = self._without_stuck(after)
        return Situation(self, after)

    def previous(self, position: Position, player: int) -> int:
        """The player who moves before another one; in a puzzle that one."""
        remaining = (p for p in self.rules.seats if p not in position.out)
        return next((p for p in remaining if position.next_player(p) == player), player)

    @cached_property
    def losing(self) -> frozenset[int]:
        """The end rules that put one of several players out."""
        ends = self.rules.ends if self.rules.drops_out else ()
        return frozenset(end.origin for end in ends if end.verdict == "lose")

    def plays_on(self, met: Outcome | None) -> bool:
        """Whether an end rule puts one of several players out, while others play on."""
        return met is not None and self.rules.has_several and not met.places

    def _dropped_out(self, position: Position) -> Position:
        """The position after who decides has lost, while others play on: the turn is over."""
        out = (*position.out, position.mover)
        return evolve(position, out=out, rest=EMPTY, again=False, fresh=False)

    def _without_stuck(self, position: Position) -> Position:
        """The position in which whoever decides can do so, or the game has ended.

        Who cannot is out, if that is what an end rule says; the next player is asked then.
        """
        while not self.options(position) and self.plays_on(self.end_met(position, stuck=True)):
            position = self._next_turn(self._dropped_out(position))
        return position

    def passed_on(self, before: Position, after: Position) -> Position:
        """The position after a decision, kept to look back to, as whoever decides next has it."""
        if self.rules.looks_back:
            after = self._kept_position(after)
        if after.swapped != before.swapped:  # the person at move now has the other colour
            after = evolve(after, mover=1 - after.mover)
        return after

    def _ends_turn(self, position: Position, ranged: bool) -> bool:
        """Whether nothing of the turn is left, or nothing that can be played."""
        rest = position.rest
        if rest == EMPTY:
            return True
        return may_end(rest) and self._has_no_decision(position, ranged) and ends_by_itself(rest)

    def _is_over(self, before: Position, after: Position) -> bool:
        """Whether a decision has ended its turn."""
        return self._ends_turn(self.passed_on(before, after), ranged=True)

    def closed(self, after: Position) -> Position | None:
        """The position when the turn is over; None where what is done then does not succeed.

        Seen by whoever has made the turn.
        """
        closing = self.rules.closing
        if closing is None:
            return after
        context = self.context(evolve(after, rest=EMPTY))
        context.key = None
        succeeds = self.effects.perform(r.Perform(closing, ()), context)
        return context.position if succeeds else None

    def _has_no_decision(self, position: Position, ranged: bool) -> bool:
        """Whether the player to move has no decision."""
        if ranged:
            return not self.options(position)
        decide = partial(self.decisions, ranged=False)
        return next(self.listing(position, decide).of(position.rest), None) is None

    def _outranked(self, before: Position, after: Position, ended: Outcome) -> Situation | None:
        """The end of the game by a `stuck` rule above the end rule that holds after a decision.

        None where no `stuck` rule stands above it, or the next player has a legal decision.  States
        may leave their ranges meanwhile: a counter that ends the game need not be able to count on.
        A fault means that the player has a decision: it would be met in playing that.
        """
        if ended.origin not in self.rules.stuck_above:
            return None
        try:
            return self.stuck_first(self._go_on(before, after, ranged=False).position, ended)
        except Fault:
            return None

    def stuck_first(self, position: Position, ended: Outcome) -> Situation | None:
        """The end of the game by a `stuck` rule that stands above the one of *ended*; else None."""
        above = self.rules.stuck_above.get(ended.origin, ())
        if not above or not self._has_no_decision(position, ranged=False):
            return None
        met = self.end_met(position, stuck=True)
        if met is None or met.origin not in above:
            return None
        return Situation(self, evolve(position, claimable=False), met)

    def _kept_position(self, position: Position) -> Position:
        """The position with itself in its history, which `repeats` counts."""
        if position.past >= limits.KEPT:
            message = f"more than {limits.KEPT:,} earlier positions to look back to"
            raise Fault("too-many", message, self.rules.turn)
        history = self.key(position), position.history
        return evolve(position, history=history, past=position.past + 1)

    def _next_turn(self, position: Position) -> Position:
        states = position.states
        if any(s.within_turn for s in self.rules.states):
            pairs = zip(self.rules.states, states, self.first.states, strict=True)
            states = tuple(first if s.within_turn else now for s, now, first in pairs)
        stays = position.again or self.rules.is_puzzle
        return evolve(
            position,
            ply=position.ply + 1,
            mover=position.mover if stays else position.next_player(position.mover),
            fresh=True,
            again=False,
            states=states,
            rest=self.rules.course,
        )

    # --- ends ---

    def unended(self, position: Position) -> Position:
        """The position with which the game would go on, had no end rule held there."""
        return self._next_turn(position) if position.rest == EMPTY else position

    def end_met(self, position: Position, stuck: bool, over: bool = False) -> Outcome | None:
        """The outcome of the first end rule that holds, as `ends_met` asks them."""
        return next(self.ends_met(position, stuck, over), None)

    def ends_met(self, position: Position, stuck: bool, over: bool) -> Iterator[Outcome]:
        """The outcomes of all end rules that hold, from the top; the first one counts.

        *over*: those `after turn` are asked too.
        """
        context = self.context(position)
        context.stuck = stuck
        for end in self.rules.ends:
            try:
                if end.verdict == "claim" or (end.after_turn and not over):
                    continue
                if end.stuck == stuck and evaluate(end.condition, context):
                    yield self._outcome(end, context)
            except OutOfBudget as spent:
                spent.origin = spent.origin or end.origin
                raise

    def may_claim(self, position: Position) -> bool:
        """Whether who decides next may claim a draw instead; seen by who has just decided."""
        context = self.context(position)
        return any(bool(evaluate(end.condition, context)) for end in self.rules.claimable_ends)

    def _outcome(self, end: r.End, context: Context) -> Outcome:
        """What an end rule says that holds; without places where several others play on."""
        if not self.rules.has_several:
            return Outcome(self._winner(end, context), end.origin)
        view, out = context.view, context.position.out
        remaining = [p for p in self.rules.views if p not in out]
        if end.verdict == "lose":
            if len(remaining) > 2:
                return Outcome(None, end.origin)
            out, remaining = (*out, view), [p for p in remaining if p != view]
        scores = {p: self._worth(end, context, p, view) for p in remaining}
        places = places_of(scores, out)
        winner = places.index(1) if places.count(1) == 1 else None
        return Outcome(winner, end.origin, places)

    def _worth(self, end: r.End, context: Context, player: int, view: int) -> Any:
        """By what an end rule places a player who is still in."""
        if end.score is None:
            return end.verdict == "win" and player == view
        context.view = player
        try:
            return evaluate(end.score, context)
        finally:
            context.view = view

    def _winner(self, end: r.End, context: Context) -> int | None:
        if end.verdict == "draw":
            return None
        if end.score is None:
            return context.view if end.verdict == "win" else 1 - context.view
        score = evaluate(end.score, context)
        return None if score == 0 else context.view if score > 0 else 1 - context.view

    def when_stuck(self, position: Position) -> Outcome:
        """The outcome for a player without a legal decision; a `Fault` where no rule says it."""
        ended = self.end_met(position, stuck=True)
        if ended is None or self.plays_on(ended):
            player = self.rules.players[position.mover]
            message = f"{player} has no decision and no rule says what follows"
            raise Fault("stuck", message, self.rules.turn)
        return ended
