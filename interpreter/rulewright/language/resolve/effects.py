"""Bodies of moves, actions and `setup`: their statements, in order.

A move's choices come first, then its effects; `need`, `let` and `write` may stand anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from attrs import define, field

from rulewright.ground import limits
from rulewright.ground.printable import amount
from rulewright.language import syntax
from rulewright.language.resolve.calls import member_type, read_ray_parts, refuse_flat
from rulewright.language.resolve.expressions import read_notation, refuse_blanks
from rulewright.language.resolve.name_lookup import (
    complain_arguments,
    read_kind,
    read_owner,
    shortened,
)
from rulewright.language.resolve.scope import (
    BUILT_IN,
    NEVER_CALLED,
    Declared,
    Locals,
    Scope,
    Signature,
    a,
    declared_by,
    in_chains,
    is_unknown,
    names_used,
)
from rulewright.language.resolve.seats import each_player, player_list
from rulewright.language.resolve.states import read_assign, rounds_of
from rulewright.language.resolve.values import accept, fit, read, read_as, within_budget
from rulewright.language.source import Span
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Expr, Type

_SETUP = (
    syntax.Put, syntax.Clear, syntax.Link, syntax.LinkEach, syntax.Let, syntax.If, syntax.Loop,
)  # fmt: skip

_OF_A_DECISION = (syntax.Choose, syntax.ChooseRay, syntax.Write)
AFTER_TURN = "after turn"
"""The name of the action that is done when a turn is over."""


@define(eq=False)
class Actions:
    """The actions of a file, one for each name and combination of types of arguments."""

    read: list[r.Action] = field(factory=list)
    numbers: dict[Signature, int] = field(factory=dict)
    """Places in `read`, or -1 for one that cannot be performed."""
    performing: list[str] = field(factory=list)
    """Actions that are being read, each inside the one before."""


@define(eq=False)
class BlockReader:
    """Reads the block of a move, an action or `setup`, statement by statement."""

    scope: Scope
    actions: Actions
    word: str
    frame: Locals = field(factory=Locals)
    choices: list[tuple[str, m.Local]] = field(factory=list)
    declared: dict[str, Span] = field(factory=dict)
    acted: bool = False
    written: bool = False
    nested: int = 0
    rounds: int = 1
    """How often what is read now may be done, by the blocks of `each` that it stands in."""
    lets: dict[int, Expr] = field(factory=dict)
    """Values of local names, by slot; of what is chosen or run through, its domain."""
    choosers: set[bool] = field(factory=set)
    """Who has made choices so far: chance (True), the player to move (False)."""
    shuffles: bool = False
    """Whether it is a `setup` in which chance makes choices."""

    def complain_unused(self, block: Sequence[syntax.Effect]) -> None:
        """Report local names that nothing looks at; without `write` what is chosen is written."""
        used = set(names_used(block)) | self.scope.mentioned
        if not self.written:
            used.update(name for name, _ in self.choices)
        for name, span in self.declared.items():
            if name not in used:
                self.scope.complain("unused-name", span, f"`{name}` is never used")

    def with_notation(
        self, statements: tuple[r.Effect, ...], node: syntax.Node, name: str
    ) -> tuple[r.Effect, ...]:
        """Add a notation to statements that have none: the names they choose, or their own."""
        if self.written:
            return statements
        parts: list[str | Expr] = []
        for _, local in self.choices:
            parts += ["-", local] if parts else [local]
        text = m.Text(tuple(parts) or (name,))
        return (*statements, r.Write(text, origin=self.scope.origin(node)))

    # --- statements ---

    def read_block(self, nodes: Sequence[syntax.Effect]) -> tuple[r.Effect, ...]:
        """Read the lines of a block; leave out what is wrong."""
        effects: list[r.Effect] = []
        for chain in in_chains(nodes):
            node = chain[0]
            if not within_budget(self.scope, node):
                break
            if isinstance(node, syntax.If):
                if len(chain) > limits.BLOCK_DEPTH:
                    message = f"at most {limits.BLOCK_DEPTH} conditions may follow each other"
                    self.scope.complain("too-deep", chain[limits.BLOCK_DEPTH], message)
                effects.append(self._if(chain[: limits.BLOCK_DEPTH]))
            elif self._allowed(node):
                effects += self._statements(node)
        return tuple(effects)

    def _allowed(self, node: syntax.Effect) -> bool:
        """Report a statement that cannot stand in this block."""
        word = self.scope.text_of(node).split()[0]
        if self.word == "setup" and not self._sets_up(node):
            message = f"`{word}` cannot stand in `setup`, which only builds the first position"
        elif self.word == "action" and isinstance(node, syntax.Choose | syntax.ChooseRay):
            message = "a choice belongs in a move; an action takes what it needs as arguments"
        elif self.word == AFTER_TURN and isinstance(node, _OF_A_DECISION):
            message = f"`{word}` belongs in a move: nobody decides when the turn is over"
        elif (self.word == "action" or self.nested) and isinstance(node, syntax.Write):
            message = "`write` belongs in the block of a move itself"
        elif self.nested and isinstance(node, syntax.Choose | syntax.ChooseRay):
            message = "a choice cannot depend on `if`; make two moves of it"
        else:
            return True
        self.scope.complain("misplaced", node, message)
        self.scope.excused.update(declared_by(node))
        return False

    def _sets_up(self, node: syntax.Effect) -> bool:
        """Whether a statement may stand in `setup`; with `chance` it may test, set and write."""
        if self.shuffles and isinstance(node, syntax.Need | syntax.Assign | syntax.Write):
            return True
        return isinstance(node, _SETUP) or (isinstance(node, syntax.Choose) and node.by_chance)

    def _statements(self, node: syntax.Effect) -> list[r.Effect]:
        """Read a line; a block for each player becomes several statements."""
        if isinstance(node, syntax.Loop) and player_list(self.scope, node.domain, self.frame):
            self.acted = True
            return each_player(self.scope, self.frame, node, partial(self._nested, node))
        return [] if (statement := self._statement(node)) is None else [statement]

    def _statement(self, node: syntax.Effect) -> r.Effect | None:
        at = self.scope.origin(node)
        match node:
            case syntax.Choose():
                return self._choose(node)
            case syntax.ChooseRay():
                return self._choose_ray(node)
            case syntax.Let():
                return self._let(node)
            case syntax.Need(condition):
                return r.Need(self._checked(condition, Type.TRUTH), origin=at)
            case syntax.Write(text):
                return self._write(node, text)
        self.acted = True
        match node:
            case syntax.Put():
                return self._put(node)
            case syntax.Clear(_, sites):
                pieces = self._pieces(node)
                return r.Clear(self._checked(sites, Type.SITES), pieces, origin=at)
            case syntax.MovePiece(_, source, target, under):
                pieces = self._pieces(node, under)
                start, end = (self._checked(site, Type.SITES) for site in (source, target))
                return r.MovePiece(start, end, pieces, under, origin=at)
            case syntax.MoveEach():
                return self._move_each(node)
            case syntax.Link():
                return self._link(node)
            case syntax.LinkEach():
                return self._link_each(node)
            case syntax.Assign():
                return read_assign(self.scope, self.frame, node)
            case syntax.Perform(_, call):
                return self._perform(call)
            case syntax.Loop():
                return self._loop(node)
            case syntax.Again():
                return r.Again(origin=at)
            case syntax.SwapSides():
                if len(self.scope.players) not in (0, 2):
                    message = "only two players can swap sides"
                    self.scope.complain("misplaced", node, message)
                return r.SwapSides(origin=at)
            case syntax.PerformMove(base, _):  # lines of a base stand in its place by now
                self.scope.unknown(base, "base", ["swap"], "`extends` names the base")
                return None
        raise TypeError(node)

    def _pieces(self, node: syntax.Clear | syntax.MovePiece, under: bool = False) -> Expr | None:
        """Read how many pieces are taken from a pile; report it where there are no piles."""
        if node.number or under:
            refuse_flat(self.scope, node)
        return None if node.number is None else self._checked(node.number, Type.INT)

    def _checked(self, node: syntax.Expr, type_: Type) -> Expr:
        return accept(self.scope, read_as(self.scope, node, self.frame, type_), node)

    def _early(self, node: syntax.Choose | syntax.ChooseRay) -> None:
        if self.acted:
            message = "this choice comes after an effect; all choices of a move come first"
            advice = "move it up, or make a second move of it and join both in `turn`"
            if self.word == "setup":
                message = "this choice comes after an effect; all choices come first"
                advice = "move it up"
            self.scope.complain("choose-after-effect", node, message, advice)

    def _choose(self, node: syntax.Choose) -> r.Choose | None:
        self._early(node)
        domain = read(self.scope, node.domain, self.frame)
        if domain.type in (Type.KIND, Type.PLAYER):
            domain = fit(self.scope, domain, node.domain, Type.SITES)
        member = member_type(domain, self.scope.functions)
        domain = accept(self.scope, domain, node.domain)
        if member is None and not is_unknown(domain):
            message = f"nothing can be chosen from {domain.type}"
            advice = "a range is written `1..3`" if domain.type is Type.INT else ""
            self.scope.complain("wrong-type", node.domain, message, advice)
        if not self.scope.check_local(node.name, self.frame):
            return None
        local = self._local(node.name, member or Type.UNKNOWN)
        self.choices.append((node.name.text, local))
        self.lets[local.slot] = domain
        weight = None if node.weight is None else self._weight(node.weight)
        self._check_chooser(node, node.by_chance)
        at = self.scope.origin(node)
        named = node.name.text, local.slot, domain, weight, node.by_chance
        return r.Choose(*named, origin=at) if member else None

    def _weight(self, node: syntax.Expr) -> Expr:
        """Read how often chance makes a choice, compared with its others."""
        weight = self._checked(node, Type.INT)
        number = weight.value if isinstance(weight, Const) else None
        if isinstance(number, int) and number < 1 and not is_unknown(weight):
            message = "with this weight for every choice, chance can make no choice"
            self.scope.complain("out-of-range", node, message, "weights are whole, above 0")
        return weight

    def _check_chooser(self, node: syntax.Node, by_chance: bool) -> None:
        """Report a move in which both chance and the player choose; once is enough."""
        if self.choosers == {not by_chance}:
            message = "a move is made by chance or by the player, and here both would choose"
            advice = "make two moves of it and join them in `turn`: `turn roll step`"
            self.scope.complain("two-choosers", node, message, advice)
        self.choosers.add(by_chance)

    def _choose_ray(self, node: syntax.ChooseRay) -> r.ChooseRay | None:
        self._early(node)
        self._check_chooser(node, False)
        marks: list[syntax.Marked] = []
        source, along, pattern = read_ray_parts(self.scope, node.ray, self.frame, marks)
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
            if not self.scope.check_local(mark.name, self.frame):
                continue
            is_site = isinstance(mark.item, syntax.Places)
            local = self._local(mark.name, Type.SITE if is_site else Type.SITES)
            self.choices.append((mark.name.text, local))
            slots.append(local.slot)
            names.append(mark.name.text)
        if pattern is None or is_unknown(source, along) or len(names) < len(marks) or not names:
            return None
        whole = m.Ray(Type.SITES, source, along, pattern, len(marks))
        if is_unknown(accept(self.scope, whole, node)):
            return None
        origin = self.scope.origin(node)
        return r.ChooseRay(tuple(names), tuple(slots), source, along, pattern, origin=origin)

    def _let(self, node: syntax.Let) -> r.Let | None:
        if node.parameters or node.player:
            message = "a `let` inside a move is one value; define functions at the margin"
            self.scope.complain("misplaced", node, message)
            self.scope.excused.add(node.name.text)
            return None
        value = read(self.scope, node.value, self.frame)
        value = accept(self.scope, value, node.value)
        is_item = isinstance(value, m.Apply) and value.operation == "kind_item"
        if value.type in (Type.KIND, Type.PLAYER) and not is_item:
            value = fit(self.scope, value, node.value, Type.SITES)
        if not self.scope.check_local(node.name, self.frame):
            return None
        if value.type in (Type.STEP, Type.STEPS) and node.name.text in NEVER_CALLED:
            message = f"`{node.name.text}` cannot be called: before a bracket it is another word"
            self.scope.refuse("reserved-word", node.name, message)
            return None
        local = self._local(node.name, value.type)
        self.lets[local.slot] = value
        return r.Let(local.slot, value, name=node.name.text, origin=self.scope.origin(node))

    def _local(self, name: syntax.Name, type_: Type) -> m.Local:
        self.declared[name.text] = name.span
        return self.frame.add(name, type_)

    def _write(self, node: syntax.Write, text: syntax.Expr) -> r.Write | None:
        if self.written:
            self.scope.complain("repeated-statement", node, "a move has one `write`")
            return None
        self.written = True
        refuse_blanks(self.scope, text)
        notation = read_notation(self.scope, text, self.frame)
        return None if notation is None else r.Write(notation, origin=self.scope.origin(node))

    def _if(self, chain: list[syntax.If]) -> r.If:
        """An `if` with the `else if` and `else` that follow it."""
        first, rest = chain[0], chain[1:]
        tested: Expr = Const(Type.TRUTH, True)
        if first.condition is not None:
            tested = self._checked(first.condition, Type.TRUTH)
        then, otherwise = self._nested(first), tuple[r.Effect, ...]()
        if rest and rest[0].condition is None:
            otherwise = self._nested(rest[0])
        elif rest:
            otherwise = (self._if(rest),)
        return r.If(tested, then, otherwise, origin=self.scope.origin(first))

    def _nested(self, node: syntax.If | syntax.Loop) -> tuple[r.Effect, ...]:
        self.nested += 1
        effects = self.read_block(node.block)
        self.nested -= 1
        return effects

    def _loop(self, node: syntax.Loop) -> r.Each | None:
        """`each x in X` with its block, in which names are known that it gives."""
        domain = read(self.scope, node.domain, self.frame)
        if domain.type in (Type.KIND, Type.PLAYER):
            domain = fit(self.scope, domain, node.domain, Type.SITES)
        member = member_type(domain, self.scope.functions)
        domain = accept(self.scope, domain, node.domain)
        if not member and not is_unknown(domain):
            self.scope.complain("wrong-type", node.domain, f"`each` cannot run over {domain.type}")
        elif not is_unknown(domain):
            self._check_rounds(node, domain)
        if not self.scope.check_local(node.name, self.frame):
            return None
        outer, rounds = set(self.frame.names), self.rounds
        local = self.frame.add(node.name, member or Type.UNKNOWN)
        self.lets[local.slot] = domain
        self.rounds *= rounds_of(domain, self.lets, self.scope.measures) or 1
        body = self._nested(node)
        self.rounds = rounds
        for name in set(self.frame.names) - outer:
            del self.frame.names[name]
        return r.Each(local.slot, domain, body, origin=self.scope.origin(node)) if member else None

    def _check_rounds(self, node: syntax.Loop, domain: Expr) -> None:
        """Report a block that may be done too often, or nobody knows how often."""
        rounds = rounds_of(domain, self.lets, self.scope.measures)
        if rounds is None:
            message = "this set of numbers has no known size"
            self.scope.complain("too-large", node.domain, message, "give its states ranges")
        elif rounds * self.rounds > limits.BRANCHES:
            message = f"this block may be repeated {amount(rounds * self.rounds, 'time')}"
            self.scope.complain("too-large", node.domain, f"{message}; {limits.BRANCHES:,} at most")

    def _put(self, node: syntax.Put) -> r.Put | None:
        owner = read_owner(self.scope, node, self.word == "setup")
        sites = self._checked(node.sites, Type.SITES)
        kind = read_kind(self.scope, node.kind, self.frame)
        if kind is None or owner is None:
            return None
        return r.Put(owner, kind, sites, origin=self.scope.origin(node))

    def _move_each(self, node: syntax.MoveEach) -> r.MoveEach | None:
        parts = self._each(node.name, node.domain, node.target)
        return parts and r.MoveEach(*parts, origin=self.scope.origin(node))

    def _each(
        self, name: syntax.Name, domain: syntax.Expr, target: syntax.Expr
    ) -> tuple[int, Expr, Expr] | None:
        """`each NAME in DOMAIN to TARGET`: the name's slot, and both expressions."""
        sites = self._checked(domain, Type.SITES)
        if not self.scope.check_local(name, self.frame):
            return None
        local = self.frame.add(name, Type.SITE)
        self._check_each(name, target)
        to = self._checked(target, Type.SITES)
        del self.frame.names[name.text]
        return local.slot, sites, to

    def _check_each(self, name: syntax.Name, target: syntax.Expr) -> None:
        if name.text not in {*names_used(target), *self.scope.mentioned}:
            self.scope.complain("unused-name", name, f"`{name.text}` is never used")

    def _link(self, node: syntax.Link) -> r.Link | None:
        source = self._checked(node.source, Type.SITES)
        target = self._checked(node.target, Type.SITES)
        if not self._has_links(node):
            return None
        return r.Link(source, target, node.remove, origin=self.scope.origin(node))

    def _link_each(self, node: syntax.LinkEach) -> r.LinkEach | None:
        parts = self._each(node.name, node.domain, node.target)
        if parts is None or not self._has_links(node):
            return None
        return r.LinkEach(*parts, node.remove, origin=self.scope.origin(node))

    def _has_links(self, node: syntax.Node) -> bool:
        has_links = any(d.kind == "link" for d in self.scope.declared.values())
        if not has_links and "links" not in self.scope.missing:
            message = "this game declares no links"
            self.scope.complain("missing-statement", node, message, "`links NAME along STEPS`")
            self.scope.missing.add("links")  # said once
        return has_links

    # --- actions ---

    def _perform(self, call: syntax.Call) -> r.Perform | None:
        name = call.name
        declared = self.scope.declared.get(name.text)
        arguments = [read(self.scope, a, self.frame) for a in call.arguments]
        if declared is None or declared.kind != "action":
            actions = [n for n, d in self.scope.declared.items() if d.kind == "action"]
            self._no_action(name, declared, actions)
            return None
        self.scope.use(name)
        action: syntax.Action = declared.nodes[0]
        if len(arguments) != len(action.parameters):
            complain_arguments(self.scope, call, name.text, len(action.parameters), len(arguments))
            return None
        if is_unknown(*arguments):
            return None
        arguments = [
            accept(self.scope, e, n) for e, n in zip(arguments, call.arguments, strict=True)
        ]
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
        numbers, performing = self.actions.numbers, self.actions.performing
        if signature not in numbers:
            if name in performing:
                way = " -> ".join([*performing[performing.index(name) :], name])
                message = f"the action `{name}` needs itself: {shortened(way)}"
                self.scope.complain("cycle", call, message)
                numbers[signature] = -1
            elif len(performing) >= limits.ACTION_DEPTH:
                message = f"actions call each other deeper than {limits.ACTION_DEPTH} levels"
                self.scope.complain("too-deep", call, message)
                numbers[signature] = -1
            else:
                numbers[signature] = read_action(self.scope, self.actions, node, types)
        return None if numbers[signature] < 0 else numbers[signature]

    def _no_action(self, name: syntax.Name, declared: Declared | None, actions: list[str]) -> None:
        if declared is not None or name.text in BUILT_IN:
            kind = a(declared.kind) if declared else "a built-in name"
            message = f"`{name.text}` is {kind}, and a line of its own is an effect or an action"
            self.scope.complain("wrong-type", name, message)
        else:
            self.scope.unknown(name, "action", actions, "a line begins with an effect or an action")


def read_action(
    scope: Scope, actions: Actions, node: syntax.Action, types: tuple[Type, ...]
) -> int:
    """Read an action for arguments of such types; its number."""
    name, body = node.name.text, BlockReader(scope, actions, "action")
    actions.performing.append(name)
    for parameter, type_ in zip(node.parameters, types, strict=True):
        body.frame.add(parameter, type_)
    statements = body.read_block(node.block)
    body.complain_unused(node.block)
    actions.performing.pop()
    actions.read.append(r.Action(name, body.frame.size, statements))
    return len(actions.read) - 1
