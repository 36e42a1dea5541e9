"""What each player sees: where pieces are seen, and that decisions tell nothing unseen.

In: the statement `sees`, moves with what they choose, need and write.  Out: the set of sites where
a player sees what stands.  Refuses moves whose choices are sure to tell what the mover does not
see; what may tell it depends on the position, and `rulewright test` tries that (`blind`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from attrs import frozen

from rulewright.language import syntax
from rulewright.language.resolve.scope import Scope, is_unknown
from rulewright.language.resolve.statements import FileStatements
from rulewright.language.resolve.values import read_closed
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Apply, Expr, Type
from rulewright.model.walk import nodes, outermost, parts

_OF_PIECES = {"empty": "empty", "full": "full", "enemy": "enemy", "of_kind": "a kind of piece",
              "owned": "a player"}  # fmt: skip
"""Operations that give all sites by what stands there."""


def read_sees(scope: Scope, node: syntax.Sees | None) -> Expr | None:
    """Read where a player sees what stands; None where that is everywhere."""
    if node is None:
        return None
    sites = read_closed(scope, node.sites, Type.SITES)
    return None if is_unknown(sites) else sites


def check_sight(
    file: FileStatements,
    moves: Sequence[r.MoveKind],
    states: Sequence[r.StateVariable],
    sees: Expr | None,
) -> None:
    """Report moves that are sure to tell the mover what he does not see."""
    if sees is None and not any(state.hidden for state in states):
        return
    for swap in syntax.nodes(*file.tree.items):
        if isinstance(swap, syntax.SwapSides):
            message = "players cannot exchange colours where each of them sees another part"
            file.scope.complain("misplaced", swap, message)
    secrets = _Secrets(file.scope, tuple(states), sees is not None)
    for node, move in zip(file.all(syntax.MoveKind), moves, strict=False):
        if not move.by_chance:
            _check_move(secrets, node, move)


def _check_move(secrets: _Secrets, node: syntax.MoveKind, move: r.MoveKind) -> None:
    lines = {secrets.scope.origin(statement): statement for statement in reversed(node.block)}
    first = list(takewhile(lambda s: isinstance(s, r.CHOOSING), move.body))
    writes = [s for s in nodes(move.body[len(first) :]) if isinstance(s, r.Write)]
    for statement in (*first, *writes):
        reason = next(secrets.reasons(statement), "")
        if reason:
            where = lines.get(statement.origin, node.name)
            advice = "choose among what is seen, and let the effects find out"
            secrets.scope.complain("reveals", where, f"{reason}: decisions would tell", advice)


@frozen
class _Secrets:
    """Finds what an expression of a move looks at that its mover does not see."""

    scope: Scope
    states: tuple[r.StateVariable, ...]
    hides_pieces: bool

    def reasons(self, statement: r.Effect) -> Iterator[str]:
        """What a statement looks at and should not, in words."""
        match statement:
            case r.Choose(domain=domain) if self.hides_pieces:
                yield from self._sets(domain)
        for part in outermost(statement):
            yield from self._values(part, True, set())

    def _sets(self, domain: Expr) -> Iterator[str]:
        """All sites by what stands there, where the mover does not see all of them."""
        match domain:
            case Apply(operation="unite" | "complement", arguments=inner):
                for part in inner:
                    yield from self._sets(part)
            case Apply(operation=operation) if operation in _OF_PIECES:
                yield f"`{_OF_PIECES[operation]}` holds sites that the mover does not see"

    def _values(self, e: Expr, own: bool, visited: set[tuple[int, bool]]) -> Iterator[str]:
        """Hidden states that are looked at, through the mover's eyes (*own*) or others'."""
        match e:
            case m.StateValue(index=index) if index < len(self.states):
                state = self.states[index]
                if state.hidden and not state.with_pieces and not (own and state.each):
                    whose = "of the other player " * state.each
                    yield f"the mover does not see the state `{state.name}` {whose}".rstrip()
            case m.Viewed(player=player, body=body):
                eyes = {m.ENEMY: not own, m.MOVER: True}.get(player, False)
                yield from self._values(body, eyes, visited)
                return
            case m.CallFunction(function=number) if (number, own) not in visited:
                visited.add((number, own))
                for body in self.scope.functions[number].bodies:
                    yield from self._values(body, own, visited)
        for part in parts(e):
            yield from self._values(part, own, visited)
