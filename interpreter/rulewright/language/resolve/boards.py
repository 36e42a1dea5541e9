"""Boards and pieces: what there is before anything moves.

In: the statements `board`, `label` and `pieces`.  Out: a board with its sites, cut by `where` and
named by `label`, and the kinds of pieces with the letters that show them.  Refuses boards without
sites or with too many, two sites of one name, and letters that do not tell the pieces apart.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise

from attrs import evolve

from rulewright.errors import Fault
from rulewright.ground import limits
from rulewright.ground.printable import amount
from rulewright.language import syntax
from rulewright.language.diagnostics import did_you_mean, offer
from rulewright.language.elsewhere import of_board
from rulewright.language.resolve import cost
from rulewright.language.resolve.expressions import read_notation
from rulewright.language.resolve.scope import BUILT_IN, Locals, Scope, Tree, a
from rulewright.language.resolve.values import (
    constant_value,
    is_affordable,
    read_closed,
    read_number,
    static_context,
)
from rulewright.model import rules as r
from rulewright.model.board import SHAPES, Board, NamedLine, bits
from rulewright.model.board_shapes import graph, lattice, wrapped
from rulewright.model.expressions import Expr, Notation, TextChoice, Type
from rulewright.reference.effects import Effects
from rulewright.reference.position import Context


def whole_board(scope: Scope, node: syntax.Board) -> Board | None:
    """The board before `where`; None when it cannot be made."""
    flat, stacked = _flat_board(scope, node), _pile(scope, node)
    whole = None if flat is None or stacked is None else evolve(flat, stacked=stacked)
    return _wrapped(scope, node, whole) if whole is not None and node.wrap is not None else whole


_WRAPS = {"left": 0, "right": 0, "top": 1, "bottom": 1}
"""Whether the side that is joined with the one across bounds the rows (0) or the columns."""
_LEAST_ROUND = 3


def _wrapped(scope: Scope, node: syntax.Board, board: Board) -> Board | None:
    """The board with sides joined; None for a mistake."""
    assert node.wrap is not None
    if SHAPES[board.shape].sizes != 2 or board.layers > 1:
        message = "only flat boards of squares, and a rhombus, have sides that can be joined"
        scope.complain("bad-board", node.wrap, message, "`board square 8 by 8 wrap left`")
        return None
    wraps = [False, False]
    for name in filter(None, (node.wrap, node.also_wrap)):
        if name.text not in _WRAPS:
            advice = did_you_mean(name.text, _WRAPS) or "`wrap left`, `wrap top` or `wrap left top`"
            scope.complain("unknown-word", name, f"no side is called `{name.text}`", advice)
            return None
        way = _WRAPS[name.text]
        if wraps[way]:
            message = f"`{name.text}` is joined with the side across already"
            scope.complain("bad-board", name, message)
        if (board.width, board.height)[way] < _LEAST_ROUND:
            message = f"joined sides are at least {_LEAST_ROUND} sites apart"
            scope.complain("bad-board", name, message)
            return None
        wraps[way] = True
    return wrapped(board, *wraps)


def _pile(scope: Scope, node: syntax.Board) -> int | None:
    """How many pieces may lie on a site, 0 where they are not stacked; None for a mistake."""
    if node.stacked is None:
        return 0
    number = read_number(scope, node.stacked)
    if number is not None and not 1 <= number <= limits.PILE:
        message = f"a pile has 1 to {limits.PILE} pieces, not {number}"
        scope.complain("out-of-range", node.stacked, message)
        return None
    return number


def _flat_board(scope: Scope, node: syntax.Board) -> Board | None:
    shape = node.shape.text
    if shape not in SHAPES:
        message = f"there is no board called `{shape}`"
        advice = of_board(shape) or did_you_mean(shape, SHAPES)
        advice = advice or f"there are {', '.join(SHAPES)}"
        scope.complain("unknown-word", node.shape, message, advice)
        return None
    row_one_on_top = node.row_one is not None
    if node.row_one is not None and node.row_one.text != "top":
        advice = did_you_mean(node.row_one.text, ("top",))
        scope.complain("unknown-word", node.row_one, "row 1 can only be counted `from top`", advice)
    if SHAPES[shape].sizes == 0:
        return _graph(scope, node)
    sizes = _sizes(scope, node)
    if sizes is None:
        return None
    width, height, layers = sizes
    return lattice(shape, width, height, row_one_on_top, layers)


def _sizes(scope: Scope, node: syntax.Board) -> tuple[int, int, int] | None:
    shape = node.shape.text
    two = SHAPES[shape].sizes == 2
    if node.width is None or (two and node.height is None):
        form = f"`board {shape} 8 by 8`" if two else f"`board {shape} 8`"
        scope.complain("bad-board", node, f"a {shape} board needs its size", form)
        _read_sizes(scope, node)
        return None
    if node.height is not None and not two:
        message = f"a {shape} has one size, the length of its side"
        scope.complain("bad-board", node.height, message, f"`board {shape} 8`")
        return None
    if node.layers is not None and shape != "square":
        message = f"a {shape} has no third extent; only square boards have one"
        scope.complain("bad-board", node.layers, message, "`board square 4 by 4 by 4`")
        return None
    width = read_number(scope, node.width)
    height = read_number(scope, node.height) if node.height is not None else width
    layers = _layers(scope, node)
    if width is None or height is None or layers is None:
        return None
    if width < 1 or height < 1:
        scope.complain("empty-board", node, f"a board of {width} by {height} has no sites")
        return None
    across = 2 * width - 1 if shape == "hexagon" else layers * (width + 1) - 1
    down = height if two else across
    if across * down > limits.SITES:
        message = (
            f"this board has {amount(across * down, 'site')}; at most {limits.SITES:,} are possible"
        )
        scope.complain("too-large", node, message)
        return None
    return width, height, layers


def _layers(scope: Scope, node: syntax.Board) -> int | None:
    """How many layers the board has; None for a mistake."""
    number = read_number(scope, node.layers) if node.layers is not None else 1
    if number is not None and not 1 <= number <= limits.LAYERS:
        message = f"a board has 1 to {limits.LAYERS} layers, not {number}"
        scope.complain("out-of-range", node.layers or node, message)
        return None
    return number


def _read_sizes(scope: Scope, node: syntax.Board) -> None:
    for size in (node.width, node.height, node.layers):
        if size is not None:
            read_number(scope, size)


def stand_in(node: syntax.Board | None) -> tuple[Board, bool]:
    """A board in place of one that cannot be made, and whether its shape is the one meant."""
    shape = node.shape.text if node is not None else ""
    lines = [line for line in node.block if line.name is None] if node is not None else []
    if shape == "graph" and lines:
        return graph([[site.text for site in path.sites] for path in lines[:100]]), True
    if shape in SHAPES and SHAPES[shape].sizes:
        return lattice(shape, 8, 8, row_one_on_top=False), True
    return lattice("square", 8, 8, row_one_on_top=False), False


def _graph(scope: Scope, node: syntax.Board) -> Board | None:
    if node.width is not None:
        message = "a drawn board has no size, only its lines"
        scope.complain("bad-board", node.width, message)
        return None
    lines = [line for line in node.block if line.name is None]
    if not lines:
        if "line" not in scope.missing:
            message = "a drawn board needs its lines, indented below it"
            scope.complain("missing-block", node, message, "`line a1 b1 c1`")
        return None
    sites = {site.text for path in lines for site in path.sites}
    if len(sites) > limits.SITES or 2 * len(lines) > limits.DIRECTIONS:
        message = f"this board has {amount(len(sites), 'site')} and {amount(len(lines), 'line')}"
        most = f"at most {limits.SITES} sites and {limits.DIRECTIONS // 2} lines are possible"
        scope.complain("too-large", node, message, most)
        return None
    fine = [_check_path(scope, path) for path in lines]
    return graph([[s.text for s in path.sites] for path in lines]) if all(fine) else None


def _check_path(scope: Scope, path: syntax.BoardLine) -> bool:
    """Report sites that stand twice on a drawn line, or have the name of something else."""
    earlier, fine = set[str](), True
    for site in path.sites:
        if site.text in earlier:
            scope.complain("bad-board", site, f"`{site.text}` stands twice on this line")
            fine = False
        earlier.add(site.text)
        namesake = scope.declared.get(site.text)
        if namesake is not None or site.text in BUILT_IN:
            kind = a(namesake.kind) if namesake else "a built-in name"
            message = f"`{site.text}` is {kind}, so it cannot be a site"
            scope.complain("defined-twice" if namesake else "reserved-word", site, message)
    return fine


def cut(scope: Scope, node: syntax.Board, board: Board) -> Board | None:
    """The board with only the sites of `where`."""
    if node.where is None:
        return board
    mask = constant_value(scope, read_closed(scope, node.where, Type.SITES), node.where)
    if not isinstance(mask, int):
        return None
    if mask == 0:
        message = "`where` leaves no sites of this board"
        scope.complain("empty-board", node.where, message)
        return None
    return board.cut(mask)


def name_lines(scope: Scope, node: syntax.Board, board: Board) -> Board:
    """The board with its lines that have names."""
    if not board.is_drawn:
        for path in (path for path in node.block if path.name is None):
            message = "a line of this board needs a name, which is the step to its next site"
            scope.complain("bad-board", path, message, "`line onward: a1 b1 c1`")
    paths = [path for path in node.block if path.name is not None]
    named = [line for path in paths for line in _named_lines(scope, path, board)]
    for path in node.block:
        if path.name is not None and path.player is not None:
            _check_both(scope, path, node)
    return evolve(board, named_lines=tuple(named)) if named else board


def _named_lines(scope: Scope, path: syntax.BoardLine, board: Board) -> list[NamedLine]:
    """A line with a name, as often as it comes to one site; none where it has a mistake."""
    assert path.name is not None
    texts = [site.text for site in path.sites]
    unknown = [site for site in path.sites if site.text not in board.by_name]
    for site in unknown:
        message = f"there is no site `{site.text}` on this board"
        scope.complain("off-board", site, message, offer(site.text, board.by_name))
    standing = next((b for a, b in pairwise(path.sites) if a.text == b.text), None)
    if standing is not None:
        message = f"`{standing.text}` stands twice in a row: the line stays where it is"
        scope.complain("bad-board", standing, message)
    player = None
    if path.player is not None:
        if path.player.text in scope.absent:  # with these options nobody sees this line
            return []
        if path.player.text not in scope.players:
            scope.unknown(path.player, "player", scope.players)
            return []
        scope.use(path.player)
        player = scope.players.index(path.player.text)
    if unknown or standing is not None:
        return []
    line = NamedLine(path.name.text, player, tuple(board.by_name[text] for text in texts))
    times = max(line.places.count(site) for site in line.places)
    return [evolve(line, turn=turn) for turn in range(times)]


def _check_both(scope: Scope, path: syntax.BoardLine, node: syntax.Board) -> None:
    """Report a line that one player has and the other lacks."""
    assert path.name is not None
    assert path.player is not None
    others = [p.player for p in node.block if p.name and p.name.text == path.name.text]
    if len(others) == 1:
        message = f"`{path.name.text}` is a line for {path.player.text} only"
        advice = "draw it for the other player too, or leave `for` out"
        scope.complain("one-sided", path.name, message, advice)


def label(scope: Scope, nodes: list[syntax.Label], board: Board) -> Board:
    """The board with the names that `label` gives to its sites."""
    names: dict[int, str] = {}
    source: dict[int, syntax.Label] = {}
    for node in nodes:
        label_texts = _names(scope, node, board)
        names.update(label_texts)
        source.update(dict.fromkeys(label_texts, node))
    if not names:
        return board
    labelled = board.label(names)
    first_sites: dict[str, int] = {}
    for site in bits(board.sites):
        name = labelled.names[site]
        if first_sites.setdefault(name, site) != site:
            node = source.get(site) or source[first_sites[name]]
            message = f"two sites are both called `{name}`"
            advice = "a site without a label keeps its own name"
            scope.complain("defined-twice", node.text, message, advice)
            return board
    return labelled


def _names(scope: Scope, node: syntax.Label, board: Board) -> dict[int, str]:
    frame = Locals()
    domain = read_closed(scope, node.domain, Type.SITES)
    mask = constant_value(scope, domain, node.domain)
    if not isinstance(mask, int) or not scope.check_local(node.name, frame):
        return {}
    local = frame.add(node.name, Type.SITE)
    notation = read_notation(scope, node.text, frame)
    if notation is None or not _known_early(scope, notation, mask.bit_count(), node):
        return {}
    context: Context = static_context(scope)
    names: dict[int, str] = {}
    try:
        for site in bits(mask & board.sites):
            context.frame = [None] * frame.size
            context.frame[local.slot] = 1 << site
            names[site] = Effects.written(notation, context)
    except Fault as fault:
        scope.complain("arithmetic", node.text, fault.message)
        return {}
    bad = next((n for n in names.values() if not _NAME.fullmatch(n)), None)
    if bad is not None:
        message = f"`{bad}` cannot be the name of a site"
        advice = "a name has up to 20 letters, digits and signs, but no blank, `-` or comma"
        scope.complain("notation", node.text, message, advice)
        return {}
    return names


_NAME = re.compile(r'[^\s\-{}"#,]{1,20}')


def _known_early(scope: Scope, text: Notation, sites: int, node: syntax.Label) -> bool:
    """Whether so many names can be worked out before the game; reports it if not."""
    measures = [scope.measures.of(e) for e in _expressions(text)]
    if any(measure.flags & cost.POSITION for measure in measures):
        message = "the name of a site must be known before the game begins"
        scope.complain("not-constant", node.text, message)
        return False
    return all(is_affordable(scope, measure, node.text, max(1, sites)) for measure in measures)


def _expressions(text: Notation) -> Iterator[Expr]:
    if isinstance(text, TextChoice):
        yield text.condition
        yield from _expressions(text.then)
        yield from _expressions(text.otherwise)
    else:
        yield from (part for part in text.parts if not isinstance(part, str))


_EMPTY = "."


def piece_kinds(tree: Tree, scope: Scope) -> tuple[r.PieceKind, ...]:
    """The kinds of the file with a letter for every owner they can have."""
    statement = next((i for i in tree.items if isinstance(i, syntax.Pieces)), None)
    if statement is None:
        return ()
    owners = _owners(tree, scope)
    alone = len(statement.kinds) == 1
    kinds = {k.name.text: k for k in reversed(statement.kinds)}  # one given twice is reported
    named = [k for k in statement.kinds if kinds[k.name.text] is k]
    neutral = any(scope.nobody in owner for owner in owners.values())
    read = [_kind(k, owners.get(k.name.text, {*scope.views}), alone, neutral, scope) for k in named]
    _check_apart(read, statement, scope)
    return tuple(read)


def _owners(tree: Tree, scope: Scope) -> dict[str, set[int]]:
    """Who can own each kind: whoever some `put` gives it to."""
    owners: dict[str, set[int]] = {}
    for item in tree.items:
        for put in syntax.nodes(item):
            if isinstance(put, syntax.Put):
                for name in _kinds_put(put, item, tree, scope):
                    owners.setdefault(name, set()).update(_players_of(put, scope))
    return owners


def _players_of(put: syntax.Put, scope: Scope) -> set[int]:
    named = None if put.player is None else put.player.text
    if named == "nobody":
        return {scope.nobody}
    return {scope.players.index(named)} if named in scope.players else {*scope.views}


def _kinds_put(put: syntax.Put, item: object, tree: Tree, scope: Scope) -> Collection[str]:
    """The kinds that a `put` may put: the named one, or those of the list that its name is of."""
    if put.kind.text in scope.kinds:
        return [put.kind.text]
    domains = [
        node.domain
        for node in syntax.nodes(item)
        if isinstance(node, syntax.Choose | syntax.Loop) and node.name.text == put.kind.text
    ]
    listed = [kind for domain in domains for kind in _kinds_listed(domain, tree, scope)]
    return listed or scope.kinds


def _kinds_listed(domain: syntax.Expr, tree: Tree, scope: Scope) -> Collection[str]:
    """The kinds of a list, or of definitions that are lists; all where it is anything else."""
    if isinstance(domain, syntax.Name):
        lets = [i for i in tree.items if isinstance(i, syntax.Let) and i.name.text == domain.text]
        lists = [let.value for let in lets if isinstance(let.value, syntax.ListOf)]
        if len(lists) < max(1, len(lets)):
            return scope.kinds
        return [kind for value in lists for kind in _kinds_listed(value, tree, scope)]
    items = domain.items if isinstance(domain, syntax.ListOf) else ()
    named = [item.text for item in items if isinstance(item, syntax.Name)]
    return named if {*named} <= {*scope.kinds} else scope.kinds


def _kind(
    node: syntax.PieceKind, owners: set[int], alone: bool, neutral: bool, scope: Scope
) -> r.PieceKind:
    """A kind with its letters: one for each owner, for each player, or for all that may own any."""
    name, order = node.name.text, sorted(owners)
    letters = node.letters if node.letters is not None else _default(name, alone, scope)
    if node.letters is None:
        shown = {i: letters[i] for i in order}
    elif len(letters) == len(order):
        shown = dict(zip(order, letters, strict=True))
    elif len(letters) == len(scope.views) + neutral or (
        len(letters) == len(scope.views) and scope.nobody not in owners
    ):
        shown = {i: letters[i] for i in order}
    else:
        names = scope.players or ("the first player", "the second player")
        players = ["nobody" if i == scope.nobody else names[i] for i in order]
        message = f"`{name}` is shown by {amount(len(order), 'letter')}, not {len(letters)}"
        advice = f"one each for {', '.join(players)}"
        scope.complain("letters", node, message, advice)
        shown = dict.fromkeys(order, "?")
    if any(c in f"{_EMPTY} -" or not c.isprintable() for c in shown.values()):
        scope.complain("letters", node, "`.`, `-` and a blank show empty sites, not pieces")
    return r.PieceKind(name, tuple(shown.get(i, "") for i in range(scope.nobody + 1)))


def _default(name: str, alone: bool, scope: Scope) -> str:
    initials = "".join(p[0].upper() for p in scope.players or ("x", "o"))
    initials += "-" * (len(initials) == 1)  # for nobody, who plays against a single player
    if alone:
        return (initials if len({*initials}) == len(initials) else _INITIALS[: len(initials)]) + "+"
    return name[0].upper() + name[0].lower() + "?" * (len(initials) - 2) + "*"


_INITIALS = "XOAHTVYZ"
"""Letters of players whose names begin alike."""


def _check_apart(kinds: list[r.PieceKind], statement: syntax.Pieces, scope: Scope) -> None:
    first_names: dict[str, str] = {}
    for kind in kinds:
        for letter in filter(None, kind.letters):
            if letter in first_names and letter != "?":
                message = f"`{letter}` shows both {first_names[letter]} and {kind.name}"
                if first_names[letter] == kind.name:
                    message = f"`{letter}` shows {kind.name} of more than one owner"
                advice = f'give each kind its own letters: `{kind.name} "Aa"`'
                scope.complain("letters", statement, message, advice)
                return
            first_names[letter] = kind.name
