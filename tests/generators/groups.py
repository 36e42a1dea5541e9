"""Connected parts, and ends by a part that meets several sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.generators import phrases as p
from tests.generators.phrases import Phrase, join

if TYPE_CHECKING:
    from tests.generators.expressions import Expressions


def groups(x: Expressions, depth: int) -> Phrase:
    """Connected parts."""
    return _connected((x.sites(depth), p.IF), x.connection())


def _connected(of: tuple[Phrase, int], way: Phrase | None) -> Phrase:
    if way is None:
        return join("groups({})", p.NOUN, of)
    return join("groups({}, {})", p.NOUN, of, (way, p.IF))


def joining(x: Expressions) -> Phrase:
    """Whether some connected part meets several sets."""
    goals, parts = _goals(x), groups(x, 1)
    if not x.chance(4):
        one_way = bool(x.scope.board.steps) and x.chance(2)
        way = Phrase(x.one_way()) if one_way else x.connection()
        parts = _connected((Phrase("own", sided=True), p.IF), way)
    form = f"some(g in {{}} : {' and '.join('g meets {}' for _ in goals)})"
    return join(form, p.NOUN, (parts, p.SUM), *((goal, p.SUM) for goal in goals))


def _goals(x: Expressions) -> list[Phrase]:
    """What a connected part should meet: often opposite sides."""
    board = x.scope.board
    if "left" in board.regions and x.chance(2):
        sides = (("bottom", "top"), ("left", "right"), ("right", "left"), ("top", "bottom"))
        return [Phrase(word) for word in x.pick(sides)]
    regions = [lambda: Phrase(x.pick(board.regions))] * 2 if board.regions else []
    makes = [*regions, x.literal, x.literal, x.plain]
    return [x.pick(makes)() for _ in range(x.pick((2, 2, 2, 3, 1)))]
