"""Calls: definitions, steps and lists used as functions, built-ins, quantifiers; and rays."""

from __future__ import annotations

from attrs import define, field

from rulewright.errors import Fault
from rulewright.language import limits, syntax
from rulewright.language.diagnostics import did_you_mean
from rulewright.model import expressions as m
from rulewright.model.expressions import OPERATIONS, Const, Expr, Function, Type
from rulewright.printable import amount
from rulewright.resolve import cost
from rulewright.resolve.expressions import Expressions
from rulewright.resolve.names import NUMBERS, SETS, STEPS, UNKNOWN, common
from rulewright.resolve.scope import (
    CONSTANTS,
    DEFAULTS,
    FUNCTIONS,
    QUANTIFIERS,
    STEP_NAMES,
    VALUES,
    Declared,
    Locals,
    is_unknown,
    names_used,
)
from rulewright.resolve.worked_out import WorkedOut

_LEAPS = ("leap", "stride")
_MEMBERS = {
    Type.SITE: Type.SITE,
    Type.SITES: Type.SITE,
    Type.FAMILY: Type.SITES,
    Type.STEP: Type.STEP,
    Type.STEPS: Type.STEP,
    Type.RANGE: Type.INT,
    Type.NUMBERS: Type.REAL,
    Type.KINDS: Type.KIND,
}
Signature = tuple[str, tuple[Type, ...]]


def _signs(node: syntax.Many) -> set[str]:
    return {item.sign for item in node.items if isinstance(item, syntax.Binary)}


def _is_function(declared: Declared) -> bool:
    return declared.kind == "let" and any(let.parameters for let in declared.nodes)


def _binds(node: syntax.Expr) -> bool:
    return isinstance(node, syntax.Binary) and node.sign == "in"


def shortened(way: str) -> str:
    """A list of names that fits into a message."""
    return way if len(way) < 80 else f"{way[:50]} ... {way[-25:]}"


def member_type(domain: Expr) -> Type | None:
    """The type of a variable that runs over *domain*; None if nothing can."""
    match domain:
        case Const(Type.NUMBERS, tuple(numbers)) if all(isinstance(n, int) for n in numbers):
            return Type.INT
    return _MEMBERS.get(domain.type)


@define
class Calls(Expressions):
    """Resolves calls; keeps one `Function` for each definition and combination of types."""

    _instances: dict[Signature, tuple[int, Type]] = field(factory=dict)
    _leaps: set[tuple[int, int]] = field(factory=set)
    _read: set[str] = field(factory=set)
    worked_out: WorkedOut = field(factory=WorkedOut)
    _contents: dict[int, int] = field(factory=dict)

    def forget(self) -> None:
        """Drop the definitions that were worked out."""
        super().forget()
        self._instances.clear()
        self._contents.clear()
        self.worked_out = WorkedOut()  # on another board
        self._read.clear()
        self._leaps.clear()

    def call(self, node: syntax.Call, frame: Locals) -> Expr:
        """What a call stands for."""
        name = node.name
        if name.text in QUANTIFIERS:
            return self._quantifier(node, frame)
        if node.body is not None:
            message = f"`{name.text}` takes no `:`"
            known = ", ".join(QUANTIFIERS)
            advice = did_you_mean(name.text, QUANTIFIERS) or f"these do: {known}"
            self.scope.complain("wrong-arguments", node, message, advice)
            self._inside(node, frame, Type.UNKNOWN)
            return UNKNOWN
        declared = self.scope.declared.get(name.text)
        if name.text not in frame.names and declared is not None and _is_function(declared):
            arguments = tuple(self.expr(a, frame) for a in node.arguments)
            self.scope.use(name)
            return self.definition(declared, arguments, node)
        if name.text in FUNCTIONS:
            return self._built_in(node, frame)
        return self._value_as_function(node, frame)

    # --- definitions ---

    def definition(
        self, declared: Declared, arguments: tuple[Expr, ...], node: syntax.Node
    ) -> Expr:
        """A `let` applied to arguments; each combination of their types is one function."""
        name, lets = declared.name.text, declared.nodes
        if not lets:
            return UNKNOWN  # its players are wrong, which is reported there
        wanted = len(lets[0].parameters)
        if len(arguments) != wanted:
            self._wrong_number(node, name, wanted, len(arguments))
            return UNKNOWN
        if is_unknown(*arguments):
            return UNKNOWN
        signature = (name, tuple(a.type for a in arguments))
        if signature not in self._instances:
            if name in self._open:
                way = " -> ".join([*self._open[self._open.index(name) :], name])
                self.scope.complain("cycle", node, f"`{name}` needs itself: {shortened(way)}")
                return UNKNOWN
            with self.scope.inside(name, node):
                self._instances[signature] = self._instantiate(declared, signature[1])
        number, type_ = self._instances[signature]
        if type_ is Type.UNKNOWN:
            return UNKNOWN
        body = self.functions[number].bodies[0]
        if isinstance(body, Const) and len(self.functions[number].bodies) == 1:
            return body
        return m.CallFunction(type_, number, arguments, origin=self.scope.origin(node))

    def _instantiate(self, declared: Declared, types: tuple[Type, ...]) -> tuple[int, Type]:
        self._open.append(declared.name.text)
        self._read.add(declared.name.text)
        bodies, size = [], 0
        for let in self._by_player(declared):
            frame = Locals()
            for parameter, type_ in zip(let.parameters, types, strict=True):
                frame.add(parameter, type_)
            bodies.append(self.expr(let.value, frame))
            size = max(size, frame.size)
        self._open.pop()
        first = declared.nodes[0]
        if is_unknown(*bodies):
            return 0, Type.UNKNOWN
        shared = self._shared_type(declared, bodies)
        bodies = [self.accept(self.fit(b, first.value, shared), first.value) for b in bodies]
        if is_unknown(*bodies):
            return 0, Type.UNKNOWN
        if not types:
            bodies = self._worked_out(bodies, shared, size)
        origin = self.scope.origin(first)
        name = declared.name.text
        self.functions.append(Function(name, len(types), size, tuple(bodies), origin))
        self.measures.function(len(self.functions) - 1)
        return len(self.functions) - 1, shared

    def _worked_out(self, bodies: list[Expr], type_: Type, size: int) -> list[Expr]:
        """The values of a definition that no position can change, one for each player.

        A family stays an expression: how its sets came about is worth more than their list.
        """
        measure = self.measures.of(bodies[0]), self.measures.of(bodies[-1])
        position = any(one.flags & cost.POSITION for one in measure)
        unknown = not self.board_known and any(one.flags & cost.BOARD for one in measure)
        if position or type_ is Type.FAMILY or unknown:
            return bodies
        if not all(self.affordable(one, None) for one in measure):
            return bodies
        values = []
        for view in (0, 1):
            context = self.static_context()
            context.view, context.frame = view, [None] * size
            try:
                body = bodies[view % len(bodies)]
                values.append(self.worked_out.value(body, context, self._contents))
            except Fault:
                return bodies  # reported where the definition is used, or a fault in play
        found: list[Expr] = [Const(type_, value) for value in values]
        return found[:1] if values[0] == values[1] else found

    def _by_player(self, declared: Declared) -> list[syntax.Let]:
        """The bodies in the order of the players, or the only one."""
        lets = list(declared.nodes)
        if lets[0].player is None:
            return lets
        return sorted(lets, key=lambda let: self.players.index(let.player.text))

    def _shared_type(self, declared: Declared, bodies: list[Expr]) -> Type:
        if len(bodies) == 1:
            return bodies[0].type
        shared = common(bodies[0].type, bodies[1].type)
        if shared is None:
            one, other = bodies[0].type, bodies[1].type
            message = f"`{declared.name.text}` is {one} for one player and {other} for the other"
            self.scope.complain("wrong-type", declared.nodes[1], message)
        return shared or Type.UNKNOWN

    def _wrong_number(self, node: syntax.Node, name: str, wanted: int, given: int) -> None:
        needs = amount(wanted, "argument") if wanted else "no arguments"
        message = (
            f"`{name}` takes {needs}, and {given or 'none'} {'is' if given == 1 else 'are'} given"
        )
        self.scope.complain("wrong-arguments", node, message)

    # --- values and built-ins as functions ---

    def _value_as_function(self, node: syntax.Call, frame: Locals) -> Expr:
        name = node.name
        found = self._named(name, frame)
        if found is None or is_unknown(found):
            self._skip(node.arguments, frame)
            return UNKNOWN
        if len(node.arguments) != 1:
            self._wrong_number(node, name.text, 1, len(node.arguments))
            self._skip(node.arguments, frame)
            return UNKNOWN
        argument = node.arguments[0]
        if found.type in STEPS:
            sites = self.want(argument, frame, Type.SITES)
            return self.apply("step", (found, sites), node)
        if found.type is Type.LINK:
            sites = self.want(argument, frame, Type.SITES)
            return self.apply("linked", (found, sites), node)
        if found.type is Type.NUMBERS:
            index = self.want(argument, frame, Type.INT)
            return self.apply("item", (found, index), node)
        self._skip(node.arguments, frame)
        message = f"`{name.text}` is {found.type}, not a function"
        sets = found.type in SETS
        advice = "sets side by side have a blank between them: `own (a or b)`" if sets else ""
        self.scope.complain("wrong-arguments", node, message, advice)
        return UNKNOWN

    def _skip(self, nodes: tuple[syntax.Expr, ...], frame: Locals) -> None:
        """Read *nodes* for their own mistakes; what they are part of is already reported."""
        for node in nodes:
            self.expr(node, frame)

    def _named(self, name: syntax.Name, frame: Locals) -> Expr | None:
        known = (frame.names, self.scope.declared, VALUES, CONSTANTS)
        if any(name.text in names for names in known):
            return self.name(name, frame)
        functions = {n for n, d in self.scope.declared.items() if d.kind == "let"}
        candidates = {*functions, *FUNCTIONS, *QUANTIFIERS}
        self.scope.unknown(name, "function", {*candidates, *STEP_NAMES})
        return None

    def _built_in(self, node: syntax.Call, frame: Locals) -> Expr:
        name, given = node.name.text, node.arguments
        takes = (Type.INT, Type.INT) if name in _LEAPS else OPERATIONS[name].takes
        least = len(takes) - (name in DEFAULTS)
        if not least <= len(given) <= len(takes):
            self._wrong_number(node, name, least, len(given))
            self._skip(given, frame)
            return UNKNOWN
        if name in ("groups", "reach") and len(given) == len(takes):
            return self._connected(node, frame)
        arguments = [self.want(a, frame, t) for a, t in zip(given, takes, strict=False)]
        if is_unknown(*arguments):
            return UNKNOWN
        if name in _LEAPS:
            return self._leap(node, arguments)
        if len(given) < len(takes):
            arguments.append(self._constant_name(syntax.Name(DEFAULTS[name], span=node.span)))
        found = self.apply(name, tuple(arguments), node)
        self._check_place(node, found)
        return found

    def _connected(self, node: syntax.Call, frame: Locals) -> Expr:
        *sets, way = node.arguments
        sites = [self.want(a, frame, Type.SITES) for a in sets]
        along = self.expr(way, frame)
        if along.type is Type.LINK:
            return self.apply(f"{node.name.text}_linked", (*sites, along), node)
        along = self.fit(along, way, Type.STEPS)
        if node.name.text == "groups":
            self.warn_one_way(way, along)
        return self.apply(node.name.text, (*sites, along), node)

    def _leap(self, node: syntax.Call, arguments: list[Expr]) -> Expr:
        name = node.name.text
        first, second = [self.constant(a, node) for a in arguments]
        if self.board is None:
            self._no_board(node)
            return UNKNOWN
        if not isinstance(first, int) or not isinstance(second, int) or not self.shape_known:
            return UNKNOWN
        if not self.board.is_square:
            message = f"`{name}` is for square boards, and this one is a {self.board.shape}"
            self.scope.complain("no-direction", node, message)
            return UNKNOWN
        least, far = 0 if name == "leap" else -50, max(abs(first), abs(second))
        if not (least <= min(first, second) and 0 < far <= 50):
            self.scope.complain("out-of-range", node, f"a {name} goes 1 to 50 sites")
            return UNKNOWN
        known = len(self._leaps)
        self._leaps.add((min(abs(first), abs(second)), far))
        if len(self._leaps) > limits.LEAPS:
            if known == limits.LEAPS:
                message = f"a file may use at most {limits.LEAPS} different leaps"
                self.scope.complain("too-large", node, message)
            return UNKNOWN
        steps = self.board.leap(first, second) if name == "leap" else ((first, -second),)
        return Const(Type.STEPS, steps)

    def _check_place(self, node: syntax.Call, found: Expr) -> None:
        """Rows, columns, sites and lines with constant arguments must be on the board."""
        name, board = node.name.text, self.board
        if board is None or not self.board_known:
            return
        if name == "lines" and isinstance(found, m.Apply) and isinstance(found.arguments[0], Const):
            length, most = found.arguments[0].value, self.measures.longest
            longer = isinstance(length, int) and length > most and self.settings_given
            if isinstance(length, int) and not 1 <= length <= most and not longer:
                told = f"no line of this board has {amount(length, 'site')}; the longest has {most}"
                self.scope.complain("off-board", node, told)
        elif name in ("row", "column", "site") and found == Const(Type.SITES, 0):
            shown = self.scope.source.text[node.span.start : node.span.end]
            message = f"`{shown}` is not on this board, which is {board.width} by {board.height}"
            self.scope.complain("off-board", node, message)

    # --- quantifiers ---

    def _quantifier(self, node: syntax.Call, frame: Locals) -> Expr:
        name = node.name.text
        if node.body is None:
            return self._without_body(node, frame)
        wanted = Type.REAL if name in ("sum", "max", "min") else Type.TRUTH
        domains, slots, body = self._inside(node, frame, wanted)
        if is_unknown(body, *domains) or len(slots) < len(domains):
            return UNKNOWN
        type_ = self._gives(name, domains, body, node)
        if type_ is Type.UNKNOWN:
            return UNKNOWN
        origin = self.scope.origin(node)
        return m.Quantified(type_, name, slots, tuple(domains), body, origin=origin)

    def _inside(
        self, node: syntax.Call, frame: Locals, wanted: Type
    ) -> tuple[list[Expr], tuple[int, ...], Expr]:
        """The domains of a quantifier, the places of its variables, and its body."""
        assert node.body is not None
        variables: list[syntax.Name] = []
        domains = [self._binding(argument, frame, variables) for argument in node.arguments]
        slots = tuple(frame.names[v.text].slot for v in variables)
        body: Expr = UNKNOWN
        if len(variables) == len(domains):
            body = self.want(node.body, frame, wanted)
            self._check_variables(node, variables)
        for variable in variables:
            del frame.names[variable.text]
        return domains, slots, body

    def _check_variables(self, node: syntax.Call, variables: list[syntax.Name]) -> None:
        used = set(names_used(*node.arguments[1:], node.body)) | self.scope.mentioned
        for variable in variables:
            if variable.text not in used:
                message = f"the variable `{variable.text}` is never used"
                self.scope.complain("unused-name", variable, message)

    def _without_body(self, node: syntax.Call, frame: Locals) -> Expr:
        name = node.name.text
        if name == "count" and len(node.arguments) == 1:
            inner = node.arguments[0]
            if _binds(inner):
                advice = "`count X` counts a set, `count(x in X : condition)` a part of it"
                message = "`count` of a variable needs a `:` and a condition"
                self.scope.complain("wrong-arguments", node, message, advice)
                return UNKNOWN
            return self._prefix(syntax.Prefix("count", inner, span=node.span), frame)
        self._skip(tuple(a for a in node.arguments if not _binds(a)), frame)
        message = f"`{name}` needs a variable, a `:` and what is asked of it"
        self.scope.complain("wrong-arguments", node, message, f"`{name}(x in X : ...)`")
        return UNKNOWN

    def _binding(self, node: syntax.Expr, frame: Locals, found: list[syntax.Name]) -> Expr:
        """Resolve `x in X`, adding the variable to *frame* and to *found*."""
        if not (isinstance(node, syntax.Binary) and node.sign == "in"):
            joined = isinstance(node, syntax.Many) and "in" in _signs(node)
            advice = "put the set in brackets: `x in (a or b)`" if joined else ""
            self.scope.complain("wrong-arguments", node, "a variable is given as `x in X`", advice)
            return UNKNOWN
        domain = self.expr(node.right, frame)
        if domain.type in (Type.KIND, Type.PLAYER):  # where a set is wanted they stand for one
            domain = self.fit(domain, node.right, Type.SITES)
        if not isinstance(node.left, syntax.Name):
            self.scope.complain("wrong-arguments", node.left, "a variable is one name")
            return UNKNOWN
        member = member_type(domain)
        if member is None and not is_unknown(domain):
            message = f"a variable cannot run over {domain.type}"
            self.scope.complain("wrong-type", node.right, message)
        if self.scope.check_local(node.left, frame):
            frame.add(node.left, member or Type.UNKNOWN)
            found.append(node.left)
        return UNKNOWN if member is None else domain

    def _gives(self, name: str, domains: list[Expr], body: Expr, node: syntax.Call) -> Type:
        match name:
            case "some" | "every":
                return Type.TRUTH
            case "count":
                return Type.INT
            case "sum" | "max" | "min":
                return body.type if body.type in NUMBERS else Type.UNKNOWN
        whole = domains[0].type
        if len(domains) > 1 or whole not in (Type.SITE, Type.SITES, Type.FAMILY):
            message = "`those` takes one variable, over a set of sites or a family"
            self.scope.complain("wrong-arguments", node, message)
            return Type.UNKNOWN
        return Type.FAMILY if whole is Type.FAMILY else Type.SITES

    # --- rays ---

    def ray(self, node: syntax.Ray, frame: Locals) -> Expr:
        """A ray as a value: the sites it marks, or all it matches when nothing is marked."""
        marks: list[syntax.Marked] = []
        source, along, pattern = self.ray_parts(node, frame, marks)
        if pattern is None or is_unknown(source, along):
            return UNKNOWN
        if not marks:
            pattern = m.Marked(0, pattern)
        origin = self.scope.origin(node)
        count = max(1, len(marks))
        return m.Ray(Type.SITES, source, along, pattern, count, origin=origin)

    def ray_parts(
        self, node: syntax.Ray, frame: Locals, marks: list[syntax.Marked]
    ) -> tuple[Expr, Expr, m.RayPattern | None]:
        """Source, steps and pattern; the marked parts are appended to *marks* in order."""
        source = self.want(node.origin, frame, Type.SITES)
        along = self.want(node.along, frame, Type.STEPS)
        return source, along, self._pattern(node.pattern, frame, marks)

    def read_the_rest(self) -> None:
        """Read definitions that nothing could use yet, as far as that goes without arguments."""
        for name, declared in list(self.scope.declared.items()):
            if declared.kind == "let" and name not in self._read and declared.nodes:
                types = (Type.UNKNOWN,) * len(declared.nodes[0].parameters)
                with self.scope.where(name):
                    self._instantiate(declared, types)

    def _pattern(
        self, node: syntax.RayPattern, frame: Locals, marks: list[syntax.Marked]
    ) -> m.RayPattern | None:
        match node:
            case syntax.Places():
                return self._place(node, frame)
            case syntax.Sequence() | syntax.Alternatives():
                items = [self._pattern(i, frame, marks) for i in node.items]
                known = tuple(i for i in items if i is not None)
                if len(known) < len(items):
                    return None
                if isinstance(node, syntax.Sequence):
                    return m.Sequence(known)
                return m.Alternatives(known)
            case syntax.Repeated():
                return self._repeat(node, frame, marks)
            case syntax.Marked():
                number = len(marks)
                marks.append(node)
                item = self._pattern(node.item, frame, marks)
                return None if item is None else m.Marked(number, item)

    def _place(self, node: syntax.Places, frame: Locals) -> m.RayPattern | None:
        sets = []
        for positive, name in node.items:
            sites = self.want(name, frame, Type.SITES)
            sets.append(sites if positive else self.apply("complement", (sites,), name))
        if is_unknown(*sets):
            return None
        if len(sets) == 1:
            return m.OnSite(sets[0])
        return m.OnSite(self.apply("intersect", tuple(sets), node))

    def _repeat(
        self, node: syntax.Repeated, frame: Locals, marks: list[syntax.Marked]
    ) -> m.RayPattern | None:
        item = self._pattern(node.item, frame, marks)
        zero, one = Const(Type.INT, 0), Const(Type.INT, 1)
        if node.times is not None:
            times = self.want(node.times, frame, Type.INT)
            return None if item is None or is_unknown(times) else m.Repeated(item, times, times)
        if item is None:
            return None
        match node.sign:
            case "*":
                return m.Repeated(item, zero, None)
            case "+":
                return m.Repeated(item, one, None)
        return m.Repeated(item, zero, one)
