"""Random moves and set-ups of chance, and states and pieces that not everybody sees."""

from __future__ import annotations

from rulewright.model.expressions import Type
from tests.generators.expressions import Expressions
from tests.generators.phrases import Name
from tests.generators.statements import Lines, Statements, indented

THROW = "throw"
"""The move of chance."""


def throw(s: Statements) -> Lines:
    """A move in which chance chooses numbers or sites, and what follows."""
    x = s.x
    lines, inner = [], s
    for word in ("spin", "lot")[: x.pick((1, 1, 2))]:
        over, type_ = x.pick((("1..3", Type.INT), (_sites(x), Type.SITE), ("0..2", Type.INT)))
        lines.append(f"chance {word} in {over}{_weight(x, word, type_)}")
        inner = inner.knowing(Name(word, type_))
    if x.chance(4):
        lines.append(f"need {inner.x.truth(1).text}")
    return [f"move {THROW}", *indented([*lines, *inner.some(2)])]


def _sites(x: Expressions) -> str:
    return x.pick(("sites", "empty", x.literal().text))


def _weight(x: Expressions, word: str, type_: Type) -> str:
    """How likely each is: alike, or by a number that may depend on the position, but is above 0."""
    name = word if type_ is Type.INT else f"x({word})"
    return x.pick(("", "", f" by 1 + abs({name})", f" by 1 + count own * abs({name})", " by 3"))


def dealt(x: Expressions, who: str, kind: str) -> Lines:
    """Lines of a set-up in which chance chooses where a piece stands."""
    weight = x.pick(("", " by 1 + x(card)"))
    return [f"chance card in {x.literal().text}{weight}", f"put {who} {kind} at card"]


def eyes(x: Expressions) -> Lines:
    """What players see, in few files: with it, decisions may not tell what they do not see."""
    return [f"sees {x.pick(('sites', 'near(own)', 'nowhere'))}"] if x.chance(6) else []
