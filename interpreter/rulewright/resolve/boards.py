"""Boards: from a `board` statement to sites, cut by `where` and named by `label`."""

from __future__ import annotations

from rulewright.language import limits, syntax
from rulewright.language.diagnostics import did_you_mean
from rulewright.model.board import SHAPES, Board, bits, graph, lattice
from rulewright.model.expressions import Notation, TextChoice, Type
from rulewright.reference.context import Context
from rulewright.reference.effects import Effects
from rulewright.resolve.cost import cost
from rulewright.resolve.effects import EffectResolver
from rulewright.resolve.scope import Frame

_TWO_SIZES = ("square", "rhombus")


def whole_board(resolver: EffectResolver, node: syntax.Board) -> Board | None:
    """The board before `where`; None when it cannot be made."""
    scope, shape = resolver.scope, node.shape.text
    if shape not in SHAPES:
        message = f"there is no board called `{shape}`"
        advice = did_you_mean(shape, SHAPES) or f"there are {', '.join(SHAPES)}"
        scope.complain("unknown-word", node.shape, message, advice)
        return None
    row_one_on_top = node.row_one is not None
    if node.row_one is not None and node.row_one.text != "top":
        advice = did_you_mean(node.row_one.text, ("top",))
        scope.complain("unknown-word", node.row_one, "row 1 can only be counted `from top`", advice)
    if shape == "graph":
        return _graph(resolver, node)
    sizes = _sizes(resolver, node)
    return None if sizes is None else lattice(shape, *sizes, row_one_on_top)


def _sizes(resolver: EffectResolver, node: syntax.Board) -> tuple[int, int] | None:
    scope, shape = resolver.scope, node.shape.text
    two = shape in _TWO_SIZES
    if node.width is None or (two and node.height is None):
        form = f"`board {shape} 8 by 8`" if two else f"`board {shape} 8`"
        scope.complain("bad-board", node, f"a {shape} board needs its size", form)
        return None
    if node.height is not None and not two:
        message = f"a {shape} has one size, the length of its side"
        scope.complain("bad-board", node.height, message)
        return None
    width = resolver.number(node.width)
    height = resolver.number(node.height) if node.height is not None else width
    if width is None or height is None:
        return None
    if width < 1 or height < 1:
        scope.complain("empty-board", node, f"a board of {width} by {height} has no sites")
        return None
    across = 2 * width - 1 if shape == "hexagon" else width
    down = height if two else across
    if across * down > limits.SITES:
        message = f"this board has {across * down:,} sites; at most {limits.SITES:,} are possible"
        scope.complain("too-large", node, message)
        return None
    return width, height


def _graph(resolver: EffectResolver, node: syntax.Board) -> Board | None:
    if not node.paths:
        if "line" not in resolver.scope.excused:
            message = "a drawn board needs its lines, indented below it"
            resolver.scope.complain("missing-block", node, message, "`line a1 b1 c1`")
        return None
    for path in node.paths:
        names = [site.text for site in path.sites]
        for site in path.sites:
            if names.count(site.text) > 1:
                message = f"`{site.text}` stands twice on this line"
                resolver.scope.complain("bad-board", site, message)
                return None
    board = graph([[site.text for site in path.sites] for path in node.paths])
    if board.count > limits.SITES or 2 * len(board.paths) > limits.DIRECTIONS:
        resolver.scope.complain("too-large", node, "this board has too many sites or lines")
        return None
    return board


def cut(resolver: EffectResolver, node: syntax.Board, board: Board) -> Board | None:
    """The board with only the sites of `where`."""
    if node.where is None:
        return board
    found = resolver.closed(node.where, Type.SITES)
    mask = resolver.constant(found, node.where)
    if not isinstance(mask, int):
        return None
    if mask == 0:
        message = "`where` leaves no sites of this board"
        resolver.scope.complain("empty-board", node.where, message)
        return None
    return board.cut(mask)


def label(resolver: EffectResolver, nodes: list[syntax.Label], board: Board) -> Board:
    """The board with the names that `label` gives to its sites."""
    names: dict[int, str] = {}
    for node in nodes:
        names.update(_names(resolver, node, board))
    if not names:
        return board
    labelled = board.label(names)
    seen: dict[str, int] = {}
    for site in bits(board.sites):
        name = labelled.names[site]
        if name in seen:
            message = f"two sites are both called `{name}`"
            resolver.scope.complain("defined-twice", nodes[-1], message)
            return board
        seen[name] = site
    return labelled


def _names(resolver: EffectResolver, node: syntax.Label, board: Board) -> dict[int, str]:
    scope, frame = resolver.scope, Frame()
    domain = resolver.closed(node.domain, Type.SITES)
    mask = resolver.constant(domain, node.domain)
    if not isinstance(mask, int) or not scope.check_local(node.name, frame):
        return {}
    local = frame.add(node.name, Type.SITE)
    notation = resolver.notation(node.text, frame)
    if notation is None or not _cheap(resolver, notation, mask.bit_count(), node):
        return {}
    context: Context = resolver.static_context()
    names: dict[int, str] = {}
    for site in bits(mask & board.sites):
        context.frame = [None] * frame.size
        context.frame[local.slot] = 1 << site
        names[site] = Effects.written(notation, context)
    bad = next((n for n in names.values() if not n or " " in n or n == "-"), None)
    if bad is not None:
        message = f"`{bad}` cannot be the name of a site"
        scope.complain("notation", node.text, message, "names have no blanks")
        return {}
    return names




def _cheap(resolver: EffectResolver, text: Notation, sites: int, node: syntax.Label) -> bool:
    """Whether naming so many sites stays within the limit; reports it if not."""
    if isinstance(text, TextChoice):
        both = (text.then, text.otherwise)
        return all(_cheap(resolver, part, sites, node) for part in both)
    board = resolver.board
    steps = [cost(p, resolver.functions, board.count if board else 1) for p in text.parts if not isinstance(p, str)]
    if sum(steps) * sites <= limits.STATIC_COST:
        return True
    resolver.scope.complain("too-large", node, "these names take too long to work out")
    return False
