"""Steps that depend on what was chosen or go by number, conditions about such steps and players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.model.expressions import Type
from tests.generators import phrases as p
from tests.generators.phrases import Phrase, join

if TYPE_CHECKING:
    from tests.generators.expressions import Expressions


def turned(x: Expressions, depth: int = 1) -> Phrase:
    """Steps that depend on what has been chosen, where anything has."""
    if x.chance(4):
        return _numbered(x)
    names = [n for n in x.scope.names if n.type in (Type.SITE, Type.STEP, Type.INT)]
    about = x.speaking_of(names[-1], depth) if names else x.truth(depth)
    parts = (x.steps(0), p.OR), (about, p.OR), (x.steps(0), p.IF)
    return join("{} if {} else {}", p.IF, *parts)


def _numbered(x: Expressions) -> Phrase:
    """One of several steps by its number, which is too large in some files."""
    way, most = x.pick(x.scope.board.walks), x.pick((2, 2, 4, 9))
    return join(f"{way}(({{}}) mod {most})", p.NOUN, (x.number(0), p.IF))


def same_step(x: Expressions) -> Phrase:
    """Whether a step is another one, or the way back."""
    names = [Phrase(name.text) for name in x.scope.of(Type.STEP)]
    one = x.pick(names)
    back = join("opposite({})", p.NOUN, (one, p.IF))
    other = x.pick((back, x.pick([*map(Phrase, x.scope.board.steps), *names])))
    sign = x.pick(("=", "<>"))
    return join(f"{{}} {sign} {{}}", p.COMPARE, (one, p.SUM), (other, p.SUM))


def among(x: Expressions) -> Phrase:
    """Whether a list holds a number, a kind, a step or a player."""
    kinds, steps = (x.scope.of(type_) for type_ in (Type.KIND, Type.STEP))
    ways = [Phrase(word) for word in x.scope.board.walks] + [x.steps(1)]
    asked = [
        (x.number(0), x.pick((Phrase("[1, 3]"), Phrase("[0, 2, count own]", sided=True)))),
        (Phrase("mover"), Phrase(f"[{', '.join(x.scope.players[-2:])}]")),
        *((Phrase(kind.text), _some_kinds(x)) for kind in kinds[-1:]),
        *((Phrase(step.text), x.pick(ways)) for step in steps[-1:]),
    ]
    member, listed = x.pick(asked[::-1])
    return join("{} in {}", p.COMPARE, (member, p.SUM), (listed, p.SUM))


def _some_kinds(x: Expressions) -> Phrase:
    fewest = x.pick((1, len(x.scope.kinds)))
    return Phrase(f"[{', '.join(x.scope.kinds[:fewest])}]")


def of_players(x: Expressions, depth: int) -> Phrase:
    """A quantifier over the players of a game of three and more."""
    question, listed = x.pick(("some", "every")), x.pick(("players", "others"))
    inner = x.sites(depth - 1)
    body = join("any ({} for p)", p.COMPARE, (inner, p.ADJOIN))
    if not inner.sided:
        body = Phrase("any p", p.COMPARE)
    return join(f"{question}(p in {listed} : {{}})", p.NOUN, (body, p.IF))
