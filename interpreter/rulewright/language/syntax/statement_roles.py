"""What each statement of rules is beside its own meaning: a row of `ROLES` for each.

In: a class of `statements.Item`.  Out: how often it may stand, and what files that build on others,
outlines in an editor and faults made on purpose do with it.  A test names a class without a row.
"""

from __future__ import annotations

from rulewright.ground.records import Record, record
from rulewright.language.syntax import statements as s
from rulewright.language.syntax.expressions import Node


@record
class StatementRole(Record):
    """What is done with a statement where its meaning does not matter."""

    word: str
    """How messages and outlines call it."""
    once: bool = False
    """Whether it may stand only once in a file."""
    named: bool = False
    """Whether it has a name, which `without` may leave out."""
    own: bool = False
    """Whether a file that builds on others never takes it over from them."""
    outlined: tuple[str, ...] = ()
    """The words with which it begins, if an outline lists it by `word`, as it declares no name."""
    plays: bool = True
    """Whether it says how a game goes on, and not how it is called, shown or tested."""


ROLES: dict[type[Node], StatementRole] = {
    s.Format: StatementRole("format", once=True, own=True, plays=False),
    s.GameName: StatementRole("game", once=True, own=True, plays=False),
    s.Players: StatementRole("players", plays=False),
    s.Option: StatementRole("option", named=True),
    s.Board: StatementRole("board", once=True, outlined=("board",)),
    s.Label: StatementRole("label", plays=False),
    s.Pieces: StatementRole("pieces", once=True, plays=False),
    s.Links: StatementRole("links", once=True, named=True),
    s.StateVariable: StatementRole("state", named=True),
    s.Sees: StatementRole("sees", once=True, outlined=("sees",)),
    s.Let: StatementRole("let", named=True),
    s.Setup: StatementRole("setup", once=True, outlined=("setup",)),
    s.AfterTurn: StatementRole("after turn", once=True, outlined=("after",)),
    s.Action: StatementRole("action", named=True),
    s.MoveKind: StatementRole("move", named=True),
    s.Turn: StatementRole("turn", outlined=("turn", "first")),
    s.WriteTogether: StatementRole("write turn together", once=True, plays=False),
    s.End: StatementRole("end", outlined=("win", "lose", "draw", "score")),
    s.Claim: StatementRole("claim", own=True, plays=False),
    s.Untested: StatementRole("untested", own=True, plays=False),
    s.Without: StatementRole("without", own=True),
}


def statements_that(role: str) -> tuple[type[Node], ...]:
    """List the statements whose *role* (`once`, `named`, ...) is true."""
    return tuple(kind for kind, row in ROLES.items() if getattr(row, role))
