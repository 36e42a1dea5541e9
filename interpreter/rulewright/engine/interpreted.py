"""Positions as the reference plays them: the oracle, and what plays where there is no machine code.

In: a game's rules and the reference's options of a position.  Out: the `Listing` behind `Moves`.
"""

from __future__ import annotations

from attrs import frozen

from rulewright.engine.moves import Choices, ChosenValue
from rulewright.model import rules as r
from rulewright.model.board import bits
from rulewright.model.expressions import (
    Alternatives,
    Marked,
    OnSite,
    RayPattern,
    Repeated,
    Sequence,
    Type,
    Value,
)
from rulewright.reference.play import Option


@frozen(eq=False)
class Interpreted:
    """The decisions that the reference has listed."""

    rules: r.Rules
    options: tuple[Option, ...]

    def __len__(self) -> int:
        return len(self.options)

    def texts(self) -> list[str]:
        """How all of them are written."""
        return [option.text for option in self.options]

    def text(self, number: int) -> str:
        """How one of them is written."""
        return self.options[number].text

    def name(self, number: int) -> str:
        """The declaration that one is of."""
        move = self.options[number].move
        return "none" if move is None else self.rules.moves[move].name

    def chosen(self, number: int) -> Choices:
        """What one of them chooses."""
        option = self.options[number]
        if option.move is None:
            return {}
        body = self.rules.moves[option.move].body
        return {
            name: shown(option.frame[slot], type_, self.rules)
            for statement in body
            for name, slot, type_ in choices(statement)
        }


_MEMBERS = {
    Type.SITE: Type.SITE, Type.SITES: Type.SITE, Type.FAMILY: Type.SITES, Type.STEP: Type.STEP,
    Type.STEPS: Type.STEP, Type.KINDS: Type.KIND,
}  # fmt: skip
"""What is chosen from a domain; numbers from every other."""


def choices(statement: r.Effect) -> list[tuple[str, int, Type]]:
    """Name, slot and type of everything that a statement chooses."""
    match statement:
        case r.Choose(name=name, slot=slot, domain=domain):
            return [(name, slot, _MEMBERS.get(domain.type, Type.INT))]
        case r.ChooseRay(names=names, slots=slots, pattern=pattern):
            types = [_marked(pattern, mark) or Type.SITES for mark in range(len(slots))]
            return list(zip(names, slots, types, strict=True))
    return []


def _marked(pattern: RayPattern, mark: int) -> Type | None:
    """Whether a mark of a ray holds one site or a set; None where the mark is not in *pattern*."""
    match pattern:
        case Marked(number, item) if number == mark:
            return Type.SITE if isinstance(item, OnSite) else Type.SITES
        case Sequence(items) | Alternatives(items):
            return next(filter(None, (_marked(item, mark) for item in items)), None)
        case Marked(_, item) | Repeated(item):
            return _marked(item, mark)
    return None


def shown(value: Value, type_: Type, rules: r.Rules) -> ChosenValue:
    """A chosen value of the reference, by the names of the rules."""
    match value, type_:
        case int(sites), Type.SITE | Type.SITES:
            names = tuple(rules.board.names[site] for site in bits(sites))
            return names[0] if type_ is Type.SITE else names
        case ((int(x), int(y)),), Type.STEP:
            return rules.board.direction_name((x, y))
        case int(kind), Type.KIND:
            return rules.kinds[kind].name
    assert isinstance(value, int)
    return value
