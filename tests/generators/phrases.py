"""Pieces of rules text that know how tightly they bind, and the names that they may use.

In: parts and how they are put together.  Out: `Phrase`, text with brackets only where the language
needs them.
"""

from __future__ import annotations

from itertools import chain, count

from attrs import evolve, field, frozen

from rulewright.model.expressions import Type
from tests.generators.boards import Shape

IF, OR, AND, NOT, COMPARE, RANGE, SUM, PRODUCT, UNARY, VIEWED, ADJOIN, NOUN = range(12)
"""How tightly an expression binds, loosest first: the levels of grammar/expressions.lark."""


@frozen
class Phrase:
    """An expression as text.

    `sided`: the players see different values.  `later`: it reads states or `ply`, which `setup`
    cannot.
    """

    text: str
    level: int = NOUN
    sided: bool = False
    later: bool = False

    def at(self, level: int) -> str:
        """The text for a place that takes expressions of *level* or tighter ones."""
        return self.text if self.level >= level else f"({self.text})"


def join(form: str, level: int, *parts: tuple[Phrase, int]) -> Phrase:
    """A phrase from *form*, whose `{}` take the parts, each at its own level."""
    return Phrase(
        form.format(*(part.at(wanted) for part, wanted in parts)),
        level,
        any(part.sided for part, _ in parts),
        any(part.later for part, _ in parts),
    )


@frozen
class Name:
    """A name that stands for something; `takes` are the types of its parameters."""

    text: str
    type: Type
    takes: tuple[Type, ...] = ()
    sided: bool = False
    later: bool = False
    line: bool = False
    """Whether it is a member of `lines(N)`, which has ends."""


@frozen
class Scope:
    """What an expression may name where it stands.

    `later`: states and `ply` can be read; `ends`: so can what an end rule alone may look at.
    """

    board: Shape
    players: tuple[str, ...]
    kinds: tuple[str, ...]
    links: tuple[str, str] | None = None
    names: tuple[Name, ...] = field(factory=tuple)
    later: bool = True
    ends: bool = False

    @property
    def other(self) -> str:
        """Another player than own, or own where one plays alone."""
        return {1: self.players[0], 2: "enemy"}.get(len(self.players), "next")

    def having(self, *names: Name) -> Scope:
        """The scope with more names."""
        return evolve(self, names=(*self.names, *names))

    def of(self, *types: Type) -> list[Name]:
        """The names without parameters that have one of *types*."""
        return [n for n in self._usable() if n.type in types and not n.takes]

    def calls(self, type_: Type) -> list[Name]:
        """The definitions with parameters that give *type_*."""
        return [n for n in self._usable() if n.type is type_ and n.takes]

    def _usable(self) -> list[Name]:
        return [n for n in self.names if self.later or not n.later]

    def kept(self, text: str) -> str:
        """A set that a state may hold: a player or a kind alone is none."""
        return f"sites {text}" if text in (*self.players, *self.kinds) else text

    def fresh(self, words: str) -> str:
        """The first of *words* that nothing is called, with a number behind it if need be."""
        taken = {n.text for n in self.names}
        first, *others = words.split()
        numbered = (f"{first}_{number}" for number in count(2))
        return next(word for word in chain((first, *others), numbered) if word not in taken)
