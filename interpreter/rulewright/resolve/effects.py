"""Bodies of moves, actions and `setup`: their statements, in order.

A move's choices come first, then its effects; `need`, `let` and `write` may stand anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, field

from rulewright.language import limits, syntax
from rulewright.language.source import Span
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Expr, Type
from rulewright.records import Record
from rulewright.resolve.calls import Calls, member_type, shortened
from rulewright.resolve.scope import (
    BUILT_IN,
    NEVER_CALLED,
    Declared,
    Locals,
    a,
    in_chains,
    is_unknown,
    marks_of,
    names_used,
    outside,
)

_SETUP = (syntax.Put, syntax.Clear, syntax.Link, syntax.LinkEach, syntax.Let, syntax.If)


@define(repr=False, eq=False)
class _Body(Record):
    """What is known of the body under way."""

    word: str
    frame: Locals
    chosen: list[tuple[str, m.Local]] = field(factory=list)
    declared: dict[str, Span] = field(factory=dict)
    acted: bool = False
    written: bool = False
    nested: int = 0


@define
class EffectResolver(Calls):
    """Resolves statements; keeps one `Action` for each action and combination of types."""

    states: dict[str, r.StateVariable] = field(factory=dict)
    kinds: tuple[str, ...] = ()
    actions: list[r.Action] = field(factory=list)
    _performed: dict[tuple[str, tuple[Type, ...]], int] = field(factory=dict)
    _performing: list[str] = field(factory=list)

    def move(self, node: syntax.MoveKind) -> r.MoveKind:
        """A move with its notation: what it writes, or the names it chooses, or its own name."""
        body = _Body("move", Locals())
        statements = list(self._block(node.block, body))
        if not body.written:
            parts: list[str | Expr] = []
            for _, local in body.chosen:
                parts += ["-", local] if parts else [local]
            text = m.Text(tuple(parts) or (node.name.text,))
            statements.append(r.Write(text, origin=self.scope.origin(node)))
        self._unused_locals(node.block, body)
        origin = self.scope.origin(node)
        return r.MoveKind(node.name.text, body.frame.size, tuple(statements), origin)

    def setup(self, node: syntax.Setup) -> tuple[tuple[r.Effect, ...], int]:
        """The start position: its statements, and how large a frame they need."""
        body = _Body("setup", Locals())
        self.stateless = "`setup`"
        statements = tuple(self._block(node.block, body))
        self.stateless = ""
        self._unused_locals(node.block, body)
        return statements, body.frame.size

    def _unused_locals(self, block: Sequence[syntax.Effect], body: _Body) -> None:
        """Warn of a local name that nothing looks at; without `write` what is chosen is written."""
        used = set(names_used(block)) | self.scope.mentioned
        if not body.written:
            used.update(name for name, _ in body.chosen)
        for name, span in body.declared.items():
            if name not in used:
                self.scope.complain("unused-name", span, f"`{name}` is never used")

    # --- statements ---

    def _block(self, nodes: Sequence[syntax.Effect], body: _Body) -> list[r.Effect]:
        found: list[r.Effect] = []
        for chain in in_chains(nodes):
            node = chain[0]
            if not self.within_budget(node):
                break
            if isinstance(node, syntax.If):
                if len(chain) > limits.BLOCK_DEPTH:
                    message = f"at most {limits.BLOCK_DEPTH} conditions may follow each other"
                    self.scope.complain("too-deep", chain[limits.BLOCK_DEPTH], message)
                found.append(self._if(chain[: limits.BLOCK_DEPTH], body))
            elif self._allowed(node, body):
                statement = self._statement(node, body)
                if statement is not None:
                    found.append(statement)
        return found

    def _allowed(self, node: syntax.Effect, body: _Body) -> bool:
        """Report a statement that cannot stand in this body."""
        word = self.scope.source.text[node.span.start : node.span.end].split()[0]
        if body.word == "setup" and not isinstance(node, _SETUP):
            message = f"`{word}` cannot stand in `setup`, which only builds the first position"
        elif body.word == "action" and isinstance(node, syntax.Choose | syntax.ChooseRay):
            message = "a choice belongs in a move; an action takes what it needs as arguments"
        elif (body.word == "action" or body.nested) and isinstance(node, syntax.Write):
            message = "`write` belongs in the block of a move itself"
        elif body.nested and isinstance(node, syntax.Choose | syntax.ChooseRay):
            message = "a choice cannot depend on `if`; make two moves of it"
        else:
            return True
        self.scope.complain("misplaced", node, message)
        self.scope.excused.update(_declared_by(node))
        return False

    def _statement(self, node: syntax.Effect, body: _Body) -> r.Effect | None:
        at = self.scope.origin(node)
        match node:
            case syntax.Choose():
                return self._choose(node, body)
            case syntax.ChooseRay():
                return self._choose_ray(node, body)
            case syntax.Let():
                return self._let(node, body)
            case syntax.Need(condition):
                return r.Need(self._checked(condition, body, Type.TRUTH), origin=at)
            case syntax.Write(text):
                return self._write(node, text, body)
        body.acted = True
        match node:
            case syntax.Put():
                return self._put(node, body)
            case syntax.Clear(sites):
                return r.Clear(self._checked(sites, body, Type.SITES), origin=at)
            case syntax.MovePiece(source, target):
                start = self._checked(source, body, Type.SITES)
                return r.MovePiece(start, self._checked(target, body, Type.SITES), origin=at)
            case syntax.MoveEach():
                return self._carry_each(node, body)
            case syntax.Link(source, target, remove):
                return self._tie(
                    node, self._checked(source, body, Type.SITES), target, remove, body
                )
            case syntax.LinkEach():
                return self._tie_each(node, body)
            case syntax.Assign():
                return self._assign(node, body)
            case syntax.Perform(call):
                return self._perform(call, body)
            case syntax.Again():
                return r.Again(origin=at)
            case syntax.SwapSides():
                return r.SwapSides(origin=at)
        raise TypeError(node)

    def _checked(self, node: syntax.Expr, body: _Body, wanted: Type) -> Expr:
        return self.accept(self.want(node, body.frame, wanted), node)

    def _early(self, node: syntax.Choose | syntax.ChooseRay, body: _Body) -> None:
        if body.acted:
            message = "this choice comes after an effect; all choices of a move come first"
            advice = "move it up, or make a second move of it and join both in `turn`"
            self.scope.complain("choose-after-effect", node, message, advice)

    def _choose(self, node: syntax.Choose, body: _Body) -> r.Choose | None:
        self._early(node, body)
        domain = self.expr(node.domain, body.frame)
        if domain.type in (Type.KIND, Type.PLAYER):
            domain = self.fit(domain, node.domain, Type.SITES)
        member = member_type(domain)
        domain = self.accept(domain, node.domain)
        if member is None and not is_unknown(domain):
            message = f"nothing can be chosen from {domain.type}"
            advice = "a range is written `1..3`" if domain.type is Type.INT else ""
            self.scope.complain("wrong-type", node.domain, message, advice)
        if not self.scope.check_local(node.name, body.frame):
            return None
        local = self._local(node.name, member or Type.UNKNOWN, body)
        body.chosen.append((node.name.text, local))
        origin = self.scope.origin(node)
        return r.Choose(node.name.text, local.slot, domain, origin=origin) if member else None

    def _choose_ray(self, node: syntax.ChooseRay, body: _Body) -> r.ChooseRay | None:
        self._early(node, body)
        marks: list[syntax.Marked] = []
        source, along, pattern = self.ray_parts(node.ray, body.frame, marks)
        named = [mark for mark in marks if mark.name is not None]
        unnamed = next((mark for mark in marks if mark.name is None), None)
        if unnamed is not None or not named:
            message = "every marked part of a chosen ray needs a name: `[b: empty]`"
            if not marks:
                message = "a chosen ray marks at least one part and names it: `[b: empty]`"
            self.scope.complain("wrong-arguments", unnamed or node, message)
        slots, names = [], []
        for mark in named:
            assert mark.name is not None
            if not self.scope.check_local(mark.name, body.frame):
                continue
            one = isinstance(mark.item, syntax.Places)
            local = self._local(mark.name, Type.SITE if one else Type.SITES, body)
            body.chosen.append((mark.name.text, local))
            slots.append(local.slot)
            names.append(mark.name.text)
        if pattern is None or is_unknown(source, along) or len(names) < len(marks) or not names:
            return None
        whole = m.Ray(Type.SITES, source, along, pattern, len(marks))
        if is_unknown(self.accept(whole, node)):
            return None
        origin = self.scope.origin(node)
        return r.ChooseRay(tuple(names), tuple(slots), source, along, pattern, origin=origin)

    def _let(self, node: syntax.Let, body: _Body) -> r.Let | None:
        if node.parameters or node.player:
            message = "a `let` inside a move is one value; define functions at the margin"
            self.scope.complain("misplaced", node, message)
            self.scope.excused.add(node.name.text)
            return None
        value = self.expr(node.value, body.frame)
        value = self.accept(value, node.value)
        if value.type in (Type.KIND, Type.PLAYER):
            value = self.fit(value, node.value, Type.SITES)
        if not self.scope.check_local(node.name, body.frame):
            return None
        if value.type in (Type.STEP, Type.STEPS) and node.name.text in NEVER_CALLED:
            message = f"`{node.name.text}` cannot be called: before a bracket it is another word"
            self.scope.refuse("reserved-word", node.name, message)
            return None
        local = self._local(node.name, value.type, body)
        return r.Let(local.slot, value, name=node.name.text, origin=self.scope.origin(node))

    def _local(self, name: syntax.Name, type_: Type, body: _Body) -> m.Local:
        body.declared[name.text] = name.span
        return body.frame.add(name, type_)

    def _write(self, node: syntax.Write, text: syntax.Expr, body: _Body) -> r.Write | None:
        if body.written:
            self.scope.complain("repeated-statement", node, "a move has one `write`")
            return None
        body.written = True
        self.no_blanks(text)
        notation = self.notation(text, body.frame)
        return None if notation is None else r.Write(notation, origin=self.scope.origin(node))

    def _if(self, chain: list[syntax.If], body: _Body) -> r.If:
        """An `if` with the `else if` and `else` that follow it."""
        first, rest = chain[0], chain[1:]
        tested: Expr = Const(Type.TRUTH, True)
        if first.condition is not None:
            tested = self._checked(first.condition, body, Type.TRUTH)
        then, otherwise = self._nested(first, body), tuple[r.Effect, ...]()
        if rest and rest[0].condition is None:
            otherwise = self._nested(rest[0], body)
        elif rest:
            otherwise = (self._if(rest, body),)
        return r.If(tested, then, otherwise, origin=self.scope.origin(first))

    def _nested(self, node: syntax.If, body: _Body) -> tuple[r.Effect, ...]:
        body.nested += 1
        found = tuple(self._block(node.block, body))
        body.nested -= 1
        return found

    def _put(self, node: syntax.Put, body: _Body) -> r.Put | None:
        owner = self._owner(node, body)
        sites = self._checked(node.sites, body, Type.SITES)
        kind = self._kind(node.kind, body.frame)
        if kind is None or owner is None:
            return None
        return r.Put(owner, kind, sites, origin=self.scope.origin(node))

    def _owner(self, node: syntax.Put, body: _Body) -> int | None:
        """Whose piece is put; None when that is a mistake, which is reported."""
        if node.player is None:
            if body.word == "setup":
                first = self.players[0] if self.players else "red"
                message = "`setup` must say whose piece it is"
                advice = f"`put {first} {node.kind.text} at ...`"
                self.scope.complain("wrong-arguments", node, message, advice)
            return r.OWN
        if node.player.text == "nobody":
            return r.NOBODY
        if node.player.text == "enemy" and body.word != "setup":
            return r.OTHER
        if node.player.text in ("enemy", "mover", "own"):
            message = f"a piece cannot be put for `{node.player.text}`"
            advice = "name a player or `nobody`; without either the piece is own"
            if body.word == "setup":
                advice = "nobody moves in `setup`: name a player, or `nobody`"
            self.scope.complain("unknown-word", node.player, message, advice)
            return None
        return self.player(node.player)

    def _kind(self, node: syntax.Name, frame: Locals) -> Expr | None:
        if node.text in frame.names and frame.names[node.text].type in (Type.KIND, Type.UNKNOWN):
            return frame.names[node.text]
        if node.text in self.kinds:
            self.scope.use(node)
            return Const(Type.KIND, self.kinds.index(node.text))
        if self.kinds:  # otherwise what is wrong with `pieces` is reported there
            self.scope.unknown(node, "kind of piece", self.kinds)
        return None

    def _carry_each(self, node: syntax.MoveEach, body: _Body) -> r.MoveEach | None:
        parts = self._each(node.name, node.domain, node.target, body)
        return None if parts is None else r.MoveEach(*parts, origin=self.scope.origin(node))

    def _each(
        self, name: syntax.Name, domain: syntax.Expr, target: syntax.Expr, body: _Body
    ) -> tuple[int, Expr, Expr] | None:
        """`each NAME in DOMAIN to TARGET`: the name's slot, and both expressions."""
        sites = self._checked(domain, body, Type.SITES)
        if not self.scope.check_local(name, body.frame):
            return None
        local = body.frame.add(name, Type.SITE)
        self._check_each(name, target)
        to = self._checked(target, body, Type.SITES)
        del body.frame.names[name.text]
        return local.slot, sites, to

    def _check_each(self, name: syntax.Name, target: syntax.Expr) -> None:
        if name.text not in {*names_used(target), *self.scope.mentioned}:
            self.scope.complain("unused-name", name, f"`{name.text}` is never used")

    def _tie(
        self, node: syntax.Link, source: Expr, target: syntax.Expr, remove: bool, body: _Body
    ) -> r.Link | None:
        ends = self._checked(target, body, Type.SITES)
        if not self._has_links(node):
            return None
        return r.Link(source, ends, remove, origin=self.scope.origin(node))

    def _tie_each(self, node: syntax.LinkEach, body: _Body) -> r.LinkEach | None:
        parts = self._each(node.name, node.domain, node.target, body)
        if parts is None or not self._has_links(node):
            return None
        return r.LinkEach(*parts, node.remove, origin=self.scope.origin(node))

    def _has_links(self, node: syntax.Node) -> bool:
        known = any(d.kind == "link" for d in self.scope.declared.values())
        if not known and not self.links_missing:
            message = "this game declares no links"
            self.scope.complain("missing-statement", node, message, "`links NAME along STEPS`")
            self.links_missing = True
        return known

    def _assign(self, node: syntax.Assign, body: _Body) -> r.Assign | None:
        name = node.name
        declared = self.scope.declared.get(name.text)
        if declared is None or declared.kind != "state":
            known = [n for n, d in self.scope.declared.items() if d.kind == "state"]
            if declared is not None or name.text in body.frame.names:
                self.scope.mentioned.add(name.text)
                what = a(declared.kind) if declared else "a local name"
                message = f"`{name.text}` is {what}; only a state can be set"
                self.scope.complain("wrong-type", name, message)
            else:
                self.scope.unknown(name, "state", known)
            self.expr(node.value, body.frame)
            return None
        self.scope.use(name)
        state = self.states.get(name.text)
        if state is None:
            self.expr(node.value, body.frame)
            return None
        player = self._whose(node, state)
        value = self.said_as_set(self.expr(node.value, body.frame), node.value)
        value = self.accept(self.fit(value, node.value, state.type), node.value)
        if isinstance(value, Const) and outside(value.value, state.low, state.high):
            message = f"`{name.text}` has the range {state.low}..{state.high}"
            self.scope.complain("out-of-range", node.value, message)
        return r.Assign(declared.index, player, value, origin=self.scope.origin(node))

    def _whose(self, node: syntax.Assign, state: r.StateVariable) -> int:
        if node.player is None:
            return r.OWN
        if not state.each:
            message = f"`{state.name}` is one value for both players"
            advice = f"declare it `state {state.name} each` to have one for each"
            self.scope.complain("wrong-arguments", node.player, message, advice)
        player = self.player(node.player)
        return r.OWN if player is None else player

    # --- actions ---

    def _perform(self, call: syntax.Call, body: _Body) -> r.Perform | None:
        name = call.name
        declared = self.scope.declared.get(name.text)
        arguments = [self.expr(a, body.frame) for a in call.arguments]
        if declared is None or declared.kind != "action":
            known = [n for n, d in self.scope.declared.items() if d.kind == "action"]
            self._no_action(name, declared, known)
            return None
        self.scope.use(name)
        action: syntax.Action = declared.nodes[0]
        if len(arguments) != len(action.parameters):
            self._wrong_number(call, name.text, len(action.parameters), len(arguments))
            return None
        if is_unknown(*arguments):
            return None
        arguments = [self.accept(e, n) for e, n in zip(arguments, call.arguments, strict=True)]
        if is_unknown(*arguments):
            return None
        number = self._action(declared, action, tuple(e.type for e in arguments), call)
        if number is None:
            return None
        return r.Perform(number, tuple(arguments), origin=self.scope.origin(call))

    def _action(
        self, declared: Declared, node: syntax.Action, types: tuple[Type, ...], call: syntax.Call
    ) -> int | None:
        name = declared.name.text
        signature = (name, types)
        if signature not in self._performed:
            if name in self._performing:
                way = " -> ".join([*self._performing[self._performing.index(name) :], name])
                message = f"the action `{name}` needs itself: {shortened(way)}"
                self.scope.complain("cycle", call, message)
                self._performed[signature] = -1
            elif len(self._performing) >= limits.ACTION_DEPTH:
                message = f"actions call each other deeper than {limits.ACTION_DEPTH} levels"
                self.scope.complain("too-deep", call, message)
                self._performed[signature] = -1
            else:
                self._performed[signature] = self._perform_with(node, types)
        number = self._performed[signature]
        return None if number < 0 else number

    def _perform_with(self, node: syntax.Action, types: tuple[Type, ...]) -> int:
        """The number of an action for arguments of such types."""
        name, body = node.name.text, _Body("action", Locals())
        self._performing.append(name)
        for parameter, type_ in zip(node.parameters, types, strict=True):
            body.frame.add(parameter, type_)
        statements = tuple(self._block(node.block, body))
        self._unused_locals(node.block, body)
        self._performing.pop()
        self.actions.append(r.Action(name, body.frame.size, statements))
        return len(self.actions) - 1

    def _no_action(self, name: syntax.Name, declared: Declared | None, known: list[str]) -> None:
        if declared is not None or name.text in BUILT_IN:
            what = a(declared.kind) if declared else "a built-in name"
            message = f"`{name.text}` is {what}, and a line of its own is an effect or an action"
            self.scope.complain("wrong-type", name, message)
        else:
            advice = "a line begins with an effect or an action"
            self.scope.unknown(name, "action", known, advice)

    def perform_the_rest(self) -> None:
        """Read the actions that nothing performs, as far as that goes without arguments."""
        performed = {name for name, _ in self._performed}
        for declared in list(self.scope.declared.values()):
            if declared.kind == "action" and declared.name.text not in performed:
                action: syntax.Action = declared.nodes[0]
                self._perform_with(action, (Type.UNKNOWN,) * len(action.parameters))


def _declared_by(node: syntax.Effect) -> Iterator[str]:
    """The local names that a statement in the wrong place would have declared."""
    if isinstance(node, syntax.Choose | syntax.Let):
        yield node.name.text
    if isinstance(node, syntax.ChooseRay):
        yield from (mark.text for mark in marks_of(node.ray.pattern))
