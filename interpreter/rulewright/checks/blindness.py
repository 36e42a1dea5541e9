"""The property `blind`: decisions tell a player nothing that he does not see.

In: what is under test and a state, or rules alone.  Out: a violation, or None; whether the text of
the rules proves that there is none anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, takewhile

from attrs import frozen

from rulewright.checks.subject import Subject, Violation, fault_in
from rulewright.errors import Fault
from rulewright.games.engine.game import State
from rulewright.model import courses as c
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.walk import nodes, outermost, parts
from rulewright.search.completions import Completions, Patience

PROVEN = "proven from the text: decisions look at nothing unseen"
_COMPLETIONS = 8
"""Positions that look the same to the mover, which are compared with a state."""
_PATIENCE = Patience(tries=4, backs=(0,))
_DEEPEST = 24
"""Decisions after which no completions are drawn: they would take longer than all else."""


def blind(subject: Subject, state: State) -> Violation | None:
    """Check that the same is legal, and written alike, wherever the mover sees the same."""
    if not state.game.rules.has_secrets or len(state.decisions()) > _DEEPEST:
        return None
    if fault_in(state) or state.over or state.by_chance:
        return None
    here, mover = state.moves.texts, state.position.mover
    completions = Completions.of(state, mover, len(state.decisions()), _COMPLETIONS, _PATIENCE)
    subject.draws += completions.draws
    for other in completions.states:
        try:
            there = other.moves.texts
        except Fault:
            continue  # another probe's finding
        subject.twins += other.position.digest != state.position.digest
        if there != here:
            odd = next(chain(set(here) - set(there), set(there) - set(here)), "the order")
            way = f"where `{' '.join(other.decisions())}` was played, {state.mover} sees the same"
            return Violation(f"{way}, and has other decisions: `{odd}`")
    return None


# --- what the text proves ---


def proves_blind(rules: r.Rules) -> bool:
    """Whether nothing that decides what is legal looks at what a player may not see.

    What moves choose, need and write before their effects must look at nothing unseen, nothing may
    be needed behind them, and a decision must end its turn where turns have to be finished.
    """
    needs = any(isinstance(n, r.Need) for n in nodes(rules.actions))
    closes = rules.closing is not None and (needs or not _is_last(rules, rules.course))
    if closes or rules.looks_back or any(isinstance(n, c.Longest) for n in nodes(rules.course)):
        return False
    if any(state.hidden and state.with_pieces for state in rules.states):
        return False
    return all(_Eyes(rules).see(move) for move in rules.moves if not move.by_chance)


def _is_last(rules: r.Rules, course: c.Course, followed: bool = False) -> bool:
    """Whether players' decisions of a course end their turn; *followed*: something comes behind."""
    match course:
        case c.OneMove(move):
            return not followed or rules.moves[move].by_chance
        case c.InOrder(items):
            ends = (followed or i + 1 < len(items) for i in range(len(items)))
            return all(_is_last(rules, *pair) for pair in zip(items, ends, strict=True))
        case c.Either(items):
            return all(_is_last(rules, item, followed) for item in items)
        case c.Otherwise(first, second):
            return _is_last(rules, first, followed) and _is_last(rules, second, followed)
    return False


@frozen
class _Eyes:
    """What a mover sees, whatever stands where."""

    rules: r.Rules

    def see(self, move: r.MoveKind) -> bool:
        """Whether all is seen that says how a move may be made, and how that is written."""
        before = [*takewhile(lambda s: isinstance(s, r.CHOOSING), move.body)]
        behind = move.body[len(before) :]
        inner = [n for n in nodes(behind) if isinstance(n, r.Statement)]
        writes = [s for s in behind if isinstance(s, r.Write)]
        if any(isinstance(s, r.Need | r.Choose | r.ChooseRay | r.Let) for s in inner):
            return False  # whose values effects may have changed
        if any(isinstance(s, r.Perform) and self._needs(s) for s in inner):
            return False
        if sum(isinstance(s, r.Write) for s in inner) > len(writes):
            return False  # one that is written or not
        fixed = all(isinstance(e, m.Local | m.Const) for s in writes for e in outermost(s))
        return fixed and all(self._all(outermost(s), True) for s in before)

    def _needs(self, performed: r.Perform) -> bool:
        """Whether an action may discard what performs it."""
        action = self.rules.actions[performed.action]
        statements = [*nodes(action.body)]
        inner = (s for s in statements if isinstance(s, r.Perform))
        return any(isinstance(s, r.Need) for s in statements) or any(map(self._needs, inner))

    def _all(self, expressions: Iterable[m.Expr], own: bool) -> bool:
        return all(self._sees(e, own) for e in expressions)

    def _sees(self, e: m.Expr, own: bool) -> bool:
        """Whether an expression looks at seen things alone, by the mover's eyes or (not *own*)."""
        match e:
            case m.StateValue(index=index):
                state = self.rules.states[index]
                visible = (own and state.each) if state.hidden else not state.with_pieces
                return (visible or (self._open and not state.hidden)) and self._all(parts(e), own)
            case m.Viewed(player=player, body=body):
                both = len(self.rules.players) == 2
                return self._sees(
                    body, player == m.MOVER or (player == m.ENEMY and both and not own)
                )
            case m.CallFunction(function=number):
                bodies = self.rules.functions[number].bodies
                return self._all(bodies, own) and self._all(parts(e), own)
            case m.Apply(operation=operation) if m.OPERATIONS[operation].reads == "position":
                of_pieces = operation not in _OF_TIME and self._open
                return (of_pieces or (operation == "own" and own)) and self._all(parts(e), own)
            case m.Ray() if not self._open:
                return False
        return self._all(parts(e), own)

    @property
    def _open(self) -> bool:
        """Whether everybody sees all pieces."""
        return self.rules.sees is None


_OF_TIME = ("ply", "repeats", "board_repeats", "random", "mobility", "stuck")
"""Operations that look at more than at pieces."""
