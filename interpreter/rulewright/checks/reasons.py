"""Reasons: why a decision is legal, or is not (`forbid.py` finds out why not)."""

from __future__ import annotations

from attrs import frozen

from rulewright.checks.clauses import Clause, acted
from rulewright.engine.game import State


@frozen
class Reason:
    """Why a decision is forbidden (or, with `legal`, what lets it be made)."""

    move: str
    legal: bool
    message: str
    clause: Clause | None = None
    values: tuple[tuple[str, str], ...] = ()
    others: tuple[Clause, ...] = ()
    """Further clauses that forbid it too, or all those that it went through."""

    def as_data(self) -> dict[str, object]:
        """The reason as plain data."""
        return {
            "move": self.move,
            "legal": self.legal,
            "message": self.message,
            "clause": self.clause.as_data() if self.clause else None,
            "values": dict(self.values),
            "others": [c.as_data() for c in self.others],
        }

    def __str__(self) -> str:
        lines = [self.message]
        if self.clause is not None:
            lines.append(f"  {self.clause.place}: {self.clause.text}")
        lines += [f"    {name} = {value}" for name, value in self.values]
        head = "what it did:" if self.legal else "and then:"
        lines += [f"  {head}"] * bool(self.others)
        lines += [f"    {c.place}: {c.text}" for c in self.others]
        return "\n".join(lines)


def turn_reason(text: str, end: State, number: int) -> Reason:
    """The clauses of a legal turn of so many decisions."""
    said = " ".join(end.decisions()[-number:])
    clauses: list[Clause] = []
    state = end
    for _ in range(number):
        clauses = [*acted(state), *clauses]
        assert state.before is not None
        state = state.before
    message = f"`{text}` is a legal turn: the decisions {said}"
    if end.result is not None:
        message += f", and it ends the game ({end.result})"
    return Reason(text, True, message, None, (), tuple(dict.fromkeys(clauses)))


def legal_reason(state: State, text: str) -> Reason:
    """The clauses of a legal decision."""
    after = state.play_decision(text)
    kind = next((k for k, texts in state.by_kind().items() if text in texts), "none")
    message = f"`{text}` is legal: the move `{kind}`"
    if after.result is not None:
        message += f", and it ends the game ({after.result})"
    return Reason(text, True, message, None, (), tuple(acted(after)))
