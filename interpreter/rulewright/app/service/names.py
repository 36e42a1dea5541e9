"""Where names stand in a text, and which of them are the same.

In: the tree of a text that may be wrong and half typed.  Out: a `Mention` for every name that can
be read: its place, whether it is declared there, and what it belongs to.  Names are found in the
syntax alone, so that a mistake elsewhere hides none; the classes of the syntax say the role of each
field.  As in `language/resolve/`, a local name hides nothing: a name that a body declares is that
one, and every other is the file's, another file's, or built in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field, frozen

from rulewright.ground.records import names_of
from rulewright.language import syntax
from rulewright.language.resolve.look_sites import bound_name
from rulewright.language.resolve.scope import QUANTIFIERS
from rulewright.language.source import Span
from rulewright.language.syntax import MOVE, NAME, OPENING, REPLY

FILES = {
    "game": "rules", "evaluator": "evaluator", "personality": "personality", "patterns": "patterns",
    "look": "look",
}  # fmt: skip
"""What a name is of that is the name of a file, and the kind of that file."""


@frozen
class Mention:
    """A name where it stands.

    `of` is what it is a name of.  `kind` says what is declared here (`option`, `let`, ...), and is
    empty where a name is used.  `home` is where the statement begins that a local name belongs to.
    `whole` is the statement that declares it.
    """

    text: str
    span: Span
    of: str
    kind: str = ""
    home: int | None = None
    whole: Span | None = None
    call: bool = False

    @property
    def declares(self) -> bool:
        """Whether the name is given here."""
        return bool(self.kind)

    def same(self, other: Mention) -> bool:
        """Whether two names of one text are the same."""
        return (self.text, self.of, self.home) == (other.text, other.of, other.home)


Locals = dict[str, int]


@define
class _Walk:
    """Walks a tree; local names by the statement or call that gives them."""

    mentions: list[Mention] = field(factory=list)
    base: str = ""
    """The game that the rules build on, by whose name they call what it has."""
    whole: Span | None = None

    def declare(self, name: syntax.Name, kind: str, locals_: Locals, home: syntax.Node) -> None:
        locals_[name.text] = home.span.start
        self._add(name, NAME, kind, home.span.start)

    def _add(
        self,
        name: syntax.Name,
        of: str,
        kind: str = "",
        home: int | None = None,
        call: bool = False,
    ) -> None:
        if name.text and name.span.end - name.span.start == len(name.text):
            whole = self.whole if kind else None
            self.mentions.append(Mention(name.text, name.span, of, kind, home, whole, call))

    def use(self, name: syntax.Name, locals_: Locals, call: bool = False) -> None:
        if name.text == self.base and name.text not in locals_:
            self._add(name, "game")
            return
        self._add(name, NAME, home=locals_.get(name.text), call=call)

    # --- nodes ---

    def visit(self, node: Any, locals_: Locals) -> None:
        """Find the names in a node, or in several."""
        match node:
            case tuple() | list():
                for part in node:
                    self.visit(part, locals_)
            case syntax.Name():
                self.use(node, locals_)
            case syntax.Call():
                self._call(node, locals_)
            case syntax.Ray():
                self._ray(node, {**locals_}, node)
            case syntax.Node():
                self._statement(node, locals_)

    def _statement(self, node: syntax.Node, locals_: Locals) -> None:
        match node:
            case syntax.Let() | syntax.Action() | syntax.Scan():
                self._definition(node, locals_)
            case syntax.Label():
                self.visit(node.domain, locals_)
                inner: Locals = {}
                self.declare(node.name, "local", inner, node)
                self.visit(node.text, inner)
            case syntax.PathStep():
                self.visit(node.steps, locals_)
                inner = {}
                for name in (node.first, node.second):
                    if name is not None:
                        self.declare(name, "local", inner, node)
                self.visit((node.over, node.into, node.condition, node.cost), inner)
            case syntax.OpeningLine():
                kind = REPLY if node.reply else OPENING
                self._add(node.name, kind, kind)
                self._add(node.move, MOVE)
                inner = {}
                for name in node.last:
                    self.declare(name, "local", inner, node)
                self.visit((node.sets, node.condition), inner)
            case syntax.StateVariable() if node.indices:
                self._add(node.name, NAME, "state", call=True)
                inner = {}
                for index in node.indices:
                    if index.name is not None:
                        self.visit(index.domain, {})
                        self.declare(index.name, "local", inner, node)
                self.visit((node.value, node.range), inner)
            case syntax.MoveEach() | syntax.LinkEach():
                self.visit(node.domain, locals_)
                inner = {**locals_}
                self.declare(node.name, "local", inner, node)
                self.visit(node.target, inner)
            case _ if isinstance(node, syntax.Placed):
                self._fields(node, self._bind(node, locals_))
            case syntax.Assign():
                self.use(node.name, locals_, call=bool(node.at))
                self.visit(node.at, locals_)
                if node.player is not None:
                    self.use(node.player, locals_)
                self.visit(node.value, locals_)
            case _:
                self._fields(node, locals_)

    def _bind(self, node: syntax.Placed, locals_: Locals) -> Locals:
        """The local names of a line of a look: `at s in SET` gives one for the whole line."""
        name, _ = bound_name(node.sites) if node.sites is not None else (None, None)
        if name is None:
            return locals_
        inner = {**locals_}
        self.declare(name, "local", inner, node)
        return inner

    def _fields(self, node: syntax.Node, locals_: Locals) -> None:
        roles = syntax.roles(type(node))
        for field_name, role in roles.items():
            of, value = role.of, getattr(node, field_name)
            if isinstance(node, syntax.Claim) and field_name == "what" and node.kind == "wins":
                of = NAME  # of a player
            for name in value if isinstance(value, tuple) else (value,):
                if isinstance(name, syntax.Name):
                    home = locals_.get(name.text) if of == NAME else None
                    self._add(name, of, role.declares, home)
        if isinstance(node, syntax.MoveKind | syntax.Setup | syntax.AfterTurn):
            self.body(node.block, {}, node)
            return
        for field_name in names_of(type(node)):
            if field_name not in roles and field_name not in ("span", "depth"):
                part = getattr(node, field_name)
                if isinstance(node, syntax.Placed) and field_name == "sites" and part is not None:
                    part = bound_name(part)[1]
                self.visit(part, locals_)

    def _definition(self, node: syntax.Let | syntax.Action | syntax.Scan, locals_: Locals) -> None:
        kind = syntax.roles(type(node))["name"].declares
        self._add(node.name, NAME, kind, call=bool(node.parameters))
        inner: Locals = {}
        for parameter in node.parameters:
            self.declare(parameter, "parameter", inner, node)
        if isinstance(node, syntax.Let):
            if node.player is not None:
                self._add(node.player, NAME)
            self.visit(node.value, inner)
        else:
            self.body(node.block, inner, node)

    def _call(self, node: syntax.Call, locals_: Locals) -> None:
        if node.body is None or node.name.text not in QUANTIFIERS:
            self.use(node.name, locals_, call=True)
            self.visit(node.arguments, locals_)
            self.visit(node.body, locals_)
            return
        self._add(node.name, NAME, call=True)
        inner = {**locals_}
        for argument in node.arguments:
            bound = argument.left if isinstance(argument, syntax.Binary) else None
            if isinstance(argument, syntax.Binary) and isinstance(bound, syntax.Name):
                self.visit(argument.right, inner)
                self.declare(bound, "local", inner, node)
            else:
                self.visit(argument, inner)
        self.visit(node.body, inner)

    def _ray(self, node: syntax.Ray, locals_: Locals, home: syntax.Node) -> None:
        """Its marks are known behind it, if *home* chooses it."""
        self.visit((node.origin, node.along), locals_)
        before = {**locals_}
        for part in syntax.nodes(node.pattern):
            match part:
                case syntax.Places(items):
                    for _, name in items:
                        self.use(name, before)
                case syntax.Marked(mark, _) if mark is not None:
                    self.declare(mark, "local", locals_, home)
                case syntax.Repeated(_, _, times):
                    self.visit(times, before)

    # --- blocks ---

    def body(self, nodes: Sequence[Any], locals_: Locals, home: syntax.Node) -> None:
        """The lines of a block: what one declares those below it know."""
        for node in nodes:
            match node:
                case syntax.Choose(name, domain, weight):
                    self.visit(domain, locals_)
                    self.declare(name, "choice", locals_, home)
                    self.visit(weight, locals_)
                case syntax.ChooseRay(ray):
                    self._ray(ray, locals_, home)
                case syntax.Let(name, value=value):
                    self.visit(value, locals_)
                    self.declare(name, "local", locals_, home)
                case syntax.Register(name, value):
                    self.visit(value, locals_)
                    self.declare(name, "register", locals_, home)
                case syntax.If(_, condition, block):
                    self.visit(condition, locals_)
                    self.body(block, locals_, home)
                case syntax.Loop(name, domain, block):
                    self.visit(domain, locals_)
                    inner = {**locals_}
                    self.declare(name, "local", inner, node)
                    self.body(block, inner, home)
                case syntax.Reaction(sites, block):
                    self.visit(sites, locals_)
                    self.body(block, locals_, home)
                case _:
                    self.visit(node, locals_)


def mentions(items: Sequence[syntax.Node]) -> tuple[Mention, ...]:
    """Every name in the statements of a file, in the order of the text."""
    games = [item.base for item in items if isinstance(item, syntax.GameName)]
    walk = _Walk(base=games[0].text if games and games[0] is not None else "")
    for item in items:
        walk.whole = item.span
        walk.visit(item, {})
    return tuple(sorted(set(walk.mentions), key=lambda m: (m.span.start, m.span.end)))


def at(names: Sequence[Mention], offset: int) -> Mention | None:
    """The name at a place, or just before it."""
    inside = (m for m in names if m.span.start <= offset <= m.span.end)
    return max(inside, key=lambda m: m.span.start, default=None)
