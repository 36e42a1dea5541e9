"""What names stand for: local ones first, then those of the file, then built-in ones and sites.

In: names, and definitions with the arguments they are applied to.  Out: expressions of the model.
Each definition becomes one `Function` for each combination of the types of its arguments.
"""

from __future__ import annotations

from attrs import evolve

from rulewright.ground.printable import amount
from rulewright.language import syntax
from rulewright.language.elsewhere import of_name
from rulewright.language.resolve.folding import fold, tabulate
from rulewright.language.resolve.scope import (
    CONSTANTS,
    FUNCTIONS,
    QUANTIFIERS,
    REGIONS,
    STEP_NAMES,
    UNKNOWN,
    VALUES,
    YIELDING,
    Declared,
    Locals,
    Scope,
    is_unknown,
    looks_like_site,
)
from rulewright.language.resolve.values import (
    accept,
    common,
    complain_no_board,
    fit,
    read,
)
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import LINE, Board, Step, bits, letters
from rulewright.model.expressions import OPERATIONS, Apply, Const, Expr, Function, Type


def read_name(scope: Scope, node: syntax.Name, frame: Locals) -> Expr:
    """Read a name as a value."""
    text = node.text
    if text in frame.names:
        return frame.names[text]
    if text in scope.bound_players:
        return Const(Type.PLAYER, scope.bound_players[text])
    if text in scope.doubtful:
        scope.use(node)
        return UNKNOWN
    if text in scope.declared:
        scope.use(node)
        return _declared_value(scope, node, scope.declared[text])
    if text in VALUES:
        return _read_value(scope, node)
    if text in CONSTANTS:
        return read_constant(scope, node)
    if text in FUNCTIONS or text in QUANTIFIERS:
        message = f"`{text}` is a function and needs its arguments: `{text}(...)`"
        scope.complain("wrong-arguments", node, message)
        return UNKNOWN
    return _read_site(scope, node, frame)


def _declared_value(scope: Scope, node: syntax.Name, declared: Declared) -> Expr:
    match declared.kind:
        case "let":
            return call_definition(scope, declared, (), node)
        case "state":
            return _state_value(scope, node, declared.index)
        case "option":
            return _option_value(scope, node)
        case "kind of piece":
            return Const(Type.KIND, declared.index)
        case "player":
            return Const(Type.PLAYER, declared.index)
        case "link":
            return Const(Type.LINK, declared.index)
        case "line":
            return _line_value(scope, node)
    message = f"`{node.text}` is an {declared.kind}, which has no value"
    scope.complain("wrong-type", node, message)
    return UNKNOWN


def _state_value(scope: Scope, node: syntax.Name, index: int) -> Expr:
    if index not in scope.state_types:
        message = f"the state `{node.text}` has no value before the game begins"
        scope.complain("not-constant", node, message)
        return UNKNOWN
    state, type_ = scope.states.get(node.text), scope.state_types[index]
    if state is not None and state.indices:
        message = f"`{node.text}` is a table; an entry of it is `{node.text}(...)`"
        scope.complain("wrong-arguments", node, message)
        return UNKNOWN
    return m.StateValue(type_, index) if type_ is not Type.UNKNOWN else UNKNOWN


def _line_value(scope: Scope, node: syntax.Name) -> Expr:
    """The step along a line with a name, which may differ between the players."""
    lines = scope.board.named_lines if scope.board is not None else ()
    steps: dict[int, list[Step]] = {}
    for number, line in enumerate(lines):
        for player in scope.views if line.player is None else (line.player,):
            if line.name == node.text:
                steps.setdefault(player, []).append((LINE + number, 1))
    if len(steps) < len(scope.views):
        if not lines:
            message = f"the line `{node.text}` is not known before the board is made"
            scope.complain("not-constant", node, message)
        return UNKNOWN
    type_ = Type.STEP if all(len(steps[p]) == 1 for p in scope.views) else Type.STEPS
    bodies = tuple(Const(type_, tuple(steps[p])) for p in scope.views)
    if all(body == bodies[0] for body in bodies):
        return bodies[0]
    signature = (node.text, ())
    if signature not in scope.instances:
        scope.functions.append(Function(node.text, 0, 0, bodies, scope.origin(node)))
        scope.instances[signature] = len(scope.functions) - 1, type_
    return m.CallFunction(type_, scope.instances[signature][0], (), origin=scope.origin(node))


def _option_value(scope: Scope, node: syntax.Name) -> Expr:
    if node.text not in scope.options:
        message = f"the option `{node.text}` is not known yet: options are worked out in order"
        scope.complain("not-constant", node, message, "declare it further up")
    return scope.options.get(node.text, UNKNOWN)


def _read_value(scope: Scope, node: syntax.Name) -> Expr:
    may_ask = scope.in_end or (scope.after_turn and node.text == "repeats")
    if node.text in ("stuck", "repeats") and not may_ask and not scope.resolving:
        message = f"`{node.text}` is known only where an end of the game is tested"
        scope.complain("misplaced", node, message, "use it after `when`")
        return UNKNOWN
    type_ = OPERATIONS[node.text].gives
    return Apply(type_, node.text, origin=scope.origin(node))


def read_constant(scope: Scope, node: syntax.Name) -> Expr:
    """Read a built-in name that has its value before the game begins."""
    text = node.text
    match text:
        case "true" | "false":
            return Const(Type.TRUTH, text == "true")
        case "nowhere":
            return Const(Type.SITES, 0)
        case "mover":
            return m.Viewed(Type.PLAYER, m.MOVER, Apply(Type.PLAYER, "viewer"))
    if scope.board is None:
        complain_no_board(scope, node)
        return UNKNOWN
    value: Expr | None = None
    if text == "sites":
        value = Const(Type.SITES, scope.board.sites)
    elif text == "sides":
        sides = tuple(s & scope.board.sites for s in scope.board.sides)
        value = Const(Type.FAMILY, sides) if sides else None
    elif text in REGIONS:
        region = scope.board.region(text)
        value = None if region is None else Const(Type.SITES, region)
    elif text in scope.board.steps:
        steps = scope.board.steps[text]
        value = Const(Type.STEP if len(steps) == 1 else Type.STEPS, steps)
    if value is None and scope.shape_known:
        message = f"a {scope.board.shape} board has no `{text}`"
        scope.complain("no-direction", node, message, _steps_hint(scope, text))
    return value or UNKNOWN


def _steps_hint(scope: Scope, text: str) -> str:
    assert scope.board is not None
    if text in YIELDING:  # of boards with a third extent, and elsewhere another direction
        return of_name(text)
    steps = ", ".join(scope.board.steps)
    return f"it has {steps}" if text in STEP_NAMES else ""


def _read_site(scope: Scope, node: syntax.Name, frame: Locals) -> Expr:
    board = scope.board
    if board is not None and node.text in board.by_name:
        return Const(Type.SITE, 1 << board.by_name[node.text])
    if not scope.board_known and looks_like_site(node.text):
        return UNKNOWN
    if board is not None and looks_like_site(node.text) and node.text not in scope.excused:
        scope.complain("off-board", node, *_absent_site(scope, board, node.text))
        return UNKNOWN
    hints = {"capture": "`clear` removes pieces"}
    names = scope.visible(frame)
    scope.unknown(node, "set, value or definition", names, hints.get(node.text, ""))
    return UNKNOWN


def read_player(scope: Scope, node: syntax.Name) -> int | None:
    """Read a player: its number, ENEMY, MOVER, NEXT, or -1 for own; report what is none."""
    words = {"own": -1, "enemy": m.ENEMY, "mover": m.MOVER, "next": m.NEXT}
    if node.text in scope.bound_players:
        return scope.bound_players[node.text]
    if node.text in ("enemy", "next") and len(scope.players) not in (0, 2):
        return _read_other(scope, node)
    if node.text in words and (node.text != "next" or node.text not in scope.players):
        return m.ENEMY if node.text == "next" else words[node.text]
    if node.text in scope.players:
        scope.use(node)
        return scope.players.index(node.text)
    if not scope.players:
        return None  # what is wrong with `players` is reported there
    scope.unknown(node, "player", (*words, *scope.players))
    return None


def _read_other(scope: Scope, node: syntax.Name) -> int | None:
    """Read `enemy` or `next` in a game of one player, or of more than two."""
    if len(scope.players) == 1:
        message = f"one player plays alone here, so there is no `{node.text}`"
        scope.complain("which-enemy", node, message)
    elif node.text == "next":
        return m.NEXT
    else:
        message = "several players are enemies here"
        advice = "say `next`, the name of a player, or `some(p in others : E for p)`"
        scope.complain("which-enemy", node, message, advice)
    return None


def _absent_site(scope: Scope, board: Board, text: str) -> tuple[str, str]:
    """The message and the hint for a site that a board does not have."""
    if scope.whole is not None and text in scope.whole.by_name:
        return f"`where` cuts the site `{text}` out of this board", ""
    return f"there is no site `{text}` on this board", _extent(board)


def _extent(board: Board) -> str:
    if board.is_drawn or board.labelled:
        names = [board.names[i] for i in bits(board.sites)][:6]
        return f"its sites are {', '.join(names)} ..."
    if board.layers > 1:
        first, last = (
            board.names[i] for i in (next(bits(board.sites)), list(bits(board.sites))[-1])
        )
        return f"its sites go from {first} to {last}: layer, column, row"
    first, last = letters(1), letters(board.width)
    return f"its columns go from {first} to {last}, its rows from 1 to {board.height}"


# --- definitions ---


def shortened(way: str) -> str:
    """Cut a list of names so that it fits into a message."""
    return way if len(way) < 80 else f"{way[:50]} ... {way[-25:]}"


def call_definition(
    scope: Scope, declared: Declared, arguments: tuple[Expr, ...], node: syntax.Node
) -> Expr:
    """Apply a `let` to arguments; each combination of their types is one function."""
    name, lets = declared.name.text, declared.nodes
    if not lets:
        return UNKNOWN  # its players are wrong, which is reported there
    count = len(lets[0].parameters)
    if len(arguments) != count:
        complain_arguments(scope, node, name, count, len(arguments))
        return UNKNOWN
    if is_unknown(*arguments):
        return UNKNOWN
    signature = (name, tuple(a.type for a in arguments))
    if signature not in scope.instances:
        if name in scope.resolving:
            way = " -> ".join([*scope.resolving[scope.resolving.index(name) :], name])
            scope.complain("cycle", node, f"`{name}` needs itself: {shortened(way)}")
            return UNKNOWN
        with scope.inside(name, node):
            scope.instances[signature] = _instantiate(scope, declared, signature[1])
    number, type_ = scope.instances[signature]
    if type_ is Type.UNKNOWN:
        return UNKNOWN
    body = scope.functions[number].bodies[0]
    if isinstance(body, Const) and len(scope.functions[number].bodies) == 1:
        return body
    return m.CallFunction(type_, number, arguments, origin=scope.origin(node))


def _instantiate(scope: Scope, declared: Declared, types: tuple[Type, ...]) -> tuple[int, Type]:
    scope.resolving.append(declared.name.text)
    scope.instantiated.add(declared.name.text)
    bodies, size = [], 0
    for let in _lets_by_player(scope, declared):
        frame = Locals()
        for parameter, type_ in zip(let.parameters, types, strict=True):
            frame.add(parameter, type_)
        with scope.unbound():
            bodies.append(read(scope, let.value, frame))
        size = max(size, frame.size)
    scope.resolving.pop()
    first = declared.nodes[0]
    if is_unknown(*bodies):
        return 0, Type.UNKNOWN
    shared = _shared_type(scope, declared, bodies)
    bodies = [accept(scope, fit(scope, b, first.value, shared), first.value) for b in bodies]
    if is_unknown(*bodies):
        return 0, Type.UNKNOWN
    if not types:
        bodies = fold(scope, bodies, shared, size)
    elif types == (Type.SITE,):
        bodies = tabulate(scope, bodies, shared, size)
    origin = scope.origin(first)
    name = declared.name.text
    scope.functions.append(Function(name, len(types), size, tuple(bodies), origin))
    scope.measures.function(len(scope.functions) - 1)
    return len(scope.functions) - 1, shared


def call_single(scope: Scope, let: syntax.Let, node: syntax.Node) -> Expr:
    """Read what is defined for a player who does not play with these options."""
    assert let.player is not None
    signature = (f"{let.name.text} for {let.player.text}", ())
    if signature not in scope.instances:
        single = Declared("let", 0, let.name, (evolve(let, player=None),))
        with scope.inside(let.name.text, node):
            scope.instances[signature] = _instantiate(scope, single, ())
    number, type_ = scope.instances[signature]
    return UNKNOWN if type_ is Type.UNKNOWN else m.CallFunction(type_, number, ())


def _lets_by_player(scope: Scope, declared: Declared) -> list[syntax.Let]:
    """The bodies in the order of the players, or the only one."""
    lets = [let for let in declared.nodes if let.player is None or let.player.text in scope.players]
    if not lets or lets[0].player is None:
        return lets or list(declared.nodes[:1])
    return sorted(lets, key=lambda let: scope.players.index(let.player.text))


def _shared_type(scope: Scope, declared: Declared, bodies: list[Expr]) -> Type:
    shared: Type | None = bodies[0].type
    for body, let in zip(bodies[1:], declared.nodes[1:], strict=False):
        first, shared = shared, common(shared, body.type) if shared else None
        if shared is None:
            text = f"is {first} for one player and {body.type} for the other"
            scope.complain("wrong-type", let, f"`{declared.name.text}` {text}")
            break
    return shared or Type.UNKNOWN


def complain_arguments(
    scope: Scope, node: syntax.Node, name: str, count: int | tuple[int, ...], present: int
) -> None:
    """Report that a function has too many arguments, or too few, of one of several numbers."""
    if isinstance(count, tuple):
        needs = f"{' or '.join(map(str, count))} arguments"
    else:
        needs = amount(count, "argument") if count else "no arguments"
    message = (
        f"`{name}` takes {needs}, and {present or 'none'} {'is' if present == 1 else 'are'} given"
    )
    scope.complain("wrong-arguments", node, message)


def read_unused_definitions(scope: Scope) -> None:
    """Read definitions that nothing could use yet, as far as that goes without arguments."""
    for name, declared in list(scope.declared.items()):
        is_read = name in scope.instantiated or name in scope.of_board
        if declared.kind == "let" and not is_read and declared.nodes:
            types = (Type.UNKNOWN,) * len(declared.nodes[0].parameters)
            with scope.where(name):
                _instantiate(scope, declared, types)


def read_owner(scope: Scope, node: syntax.Put, in_setup: bool) -> int | None:
    """Whose piece is put; None when that is a mistake, which is reported."""
    if node.player is None:
        if in_setup:
            first = scope.players[0] if scope.players else "red"
            message = "`setup` must say whose piece it is"
            advice = f"`put {first} {node.kind.text} at ...`"
            scope.complain("wrong-arguments", node, message, advice)
        return r.OWN
    if node.player.text == "nobody":
        return scope.nobody
    is_word = node.player.text in ("enemy", "mover", "own", "next")
    if is_word and (in_setup or node.player.text in ("mover", "own")):
        message = f"a piece cannot be put for `{node.player.text}`"
        advice = "name a player or `nobody`; without either the piece is own"
        if in_setup:
            advice = "nobody moves in `setup`: name a player, or `nobody`"
        scope.complain("unknown-word", node.player, message, advice)
        return None
    return read_player(scope, node.player)


def _worked_out(local: m.Local) -> str:
    """How a kind that depends on the position gets a name, where a local name is something else."""
    listed = "`let army = [pawn, rook]` and `let k = army(0)`"
    return f"here it is {local.type}; a kind that is worked out is a member of a list: {listed}"


def read_kind(scope: Scope, node: syntax.Name, frame: Locals) -> Expr | None:
    """The kind that a name stands for, which may be a local one; None for a mistake."""
    kinds, local = scope.kinds, frame.names.get(node.text)
    if local is not None and local.type in (Type.KIND, Type.UNKNOWN):
        return local
    if node.text in kinds:
        scope.use(node)
        return Const(Type.KIND, kinds.index(node.text))
    if kinds:  # otherwise what is wrong with `pieces` is reported there
        scope.unknown(node, "kind of piece", kinds, _worked_out(local) if local is not None else "")
    return None
