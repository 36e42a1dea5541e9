"""Random effects: what moves and actions do, as lines of rules text.

In: a scope with states, links and actions.  Out: lists of lines without indentation; the lines of
`if` blocks are indented below it.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve, frozen
from hypothesis import strategies as st

from rulewright.model.expressions import Type
from tests.generators.bends import turned
from tests.generators.expressions import Expressions
from tests.generators.phrases import RANGE, Name, Scope

Lines = list[str]


@frozen
class StateLine:
    """A declared state; a number with its range, if it has one."""

    name: str
    type: Type
    each: bool = False
    range: tuple[int, int] | None = None
    over: str = ""
    """What a table runs over: `sites` or `numbers` (0 to 3)."""


@frozen
class ActionLine:
    """A declared action."""

    name: str
    takes: tuple[Type, ...]


@frozen
class Statements:
    """Draws effects that stand in one scope."""

    draw: st.DrawFn
    scope: Scope
    states: tuple[StateLine, ...] = ()
    actions: tuple[ActionLine, ...] = ()

    @property
    def x(self) -> Expressions:
        """Expressions for the same place."""
        return Expressions(self.draw, self.scope)

    def knowing(self, *names: Name) -> Statements:
        """The same with more names in scope."""
        return evolve(self, scope=self.scope.having(*names))

    def some(self, most: int, depth: int = 1) -> Lines:
        """Up to *most* effects."""
        lines: Lines = []
        for _ in range(self.draw(st.integers(0, most))):
            lines += self.one(depth)
        return lines

    def one(self, depth: int = 1) -> Lines:
        """One effect, which may be a block."""
        x = self.x
        options: list[Callable[[], Lines]] = [
            lambda: [f"put {x.pick(self._pieces())} at {self._few()}"],
            lambda: [f"clear {self._few()}"],
            *([self._assigned] * 3 if self.states else []),
            *([self._done] * 2 if self.actions else []),
            *([self._linked] * 3 if self.scope.links else []),
            *([self._piled] * 4 if self.scope.board.stacked else []),
            lambda: ["again"],
            self._carried,
        ]
        if depth > 0:
            options += [lambda: self._branch(depth), lambda: self._branch(depth)]
            options.append(lambda: self._loop(depth))
        return x.pick(options)()

    def _pieces(self) -> list[str]:
        """What `put` may put: pieces of either side or of nobody; a kind chosen before."""
        own = [n.text for n in self.scope.of(Type.KIND)] + list(self.scope.kinds)
        first = self.scope.kinds[0]
        others = [f"{self.scope.players[-1]} {first}", f"{self.scope.other} {first}"]
        return [*own, *own, *others, f"nobody {self.scope.kinds[-1]}"]

    def _few(self) -> str:
        """Sites that an effect changes: those a move chose, or any."""
        x, chosen = self.x, self.scope.of(Type.SITE)
        if not chosen or x.chance(3):
            return x.sites(1).text
        site = x.pick(chosen).text
        way = x.pick(self.scope.board.walks)
        return x.pick((site, site, f"{way}({site}) enemy", f"{way}({site}) full", f"{way}({site})"))

    # --- states ---

    def _assigned(self) -> Lines:
        x = self.x
        state = x.pick(self.states)
        if state.over:
            return self._entered(state)
        target = f"{state.name} for {x.scope.other}" if state.each and x.chance(4) else state.name
        if state.type is Type.TRUTH:
            value = x.pick((f"not {state.name}", x.truth(1).text))
        elif state.type is Type.SITES:
            value = self._marked(state)
        else:
            return self._counted(state, target)
        return [f"{target} := {value}"]

    def _entered(self, state: StateLine) -> Lines:
        """Entries of a table: of a site, of a set, of a number."""
        x = self.x
        whose = f" for {x.scope.other}" if state.each and x.chance(4) else ""
        at = self._few() if state.over == "sites" else f"({x.number(0).text}) mod 4"
        target = f"{state.name}({at}){whose}"
        if state.type is Type.TRUTH:
            return [f"{target} := {x.truth(1).text}"]
        entry = f"{state.name}({at})"
        more = x.pick((f"({entry} + 1) mod 10", f"{entry} + 1", "0", f"({x.number(1).text}) mod 5"))
        return [f"{target} := {more}"]

    def _loop(self, depth: int) -> Lines:
        """A block for every member of a set, or for some numbers."""
        x, word = self.x, self.scope.fresh("u v each_one member")
        if x.chance(3):
            inner = self.knowing(Name(word, Type.INT))
            block = [f"if count own > {word}", *indented(inner._block(depth))]
            return [
                f"each {word} in {x.pick(('1..2', '[0, 2]', '1..count own'))}",
                *indented(block),
            ]
        inner = self.knowing(Name(word, Type.SITE))
        block = [f"put {x.pick(self._pieces())} at {word}"] if x.chance(3) else []
        block += [f"if {word} in {x.sites(0).text}", *indented(inner._block(depth))]
        return [f"each {word} in {x.sites(1).text}", *indented(block)]

    def _marked(self, state: StateLine) -> str:
        x = self.x
        chosen = [n.text for n in self.scope.of(Type.SITE)] or [x.literal().text]
        site = x.pick(chosen)
        return x.pick(
            (site, f"{state.name} or {site}", "nowhere", self.scope.kept(x.sites(1).text))
        )

    def _counted(self, state: StateLine, target: str) -> Lines:
        """Mostly within its range; a fault now and then is wanted."""
        x, name = self.x, state.name
        if state.range is None:
            grown = x.pick(
                (f"{name} + 1", f"{name} - 1", "0", x.number(1).text, f"{name} * {name} + 9")
            )
            grown = f"{name} * {name} + 9" if x.chance(15) else grown
            return [f"{target} := {grown}"]
        low, high = state.range
        if x.chance(5):
            return [f"{target} := {x.pick((f'{name} + 1', f'{name} - 1'))}"]
        if x.chance(5):
            return [f"{target} := {x.number(1).text}"]
        return x.pick([
            [f"{target} := {low}"],
            [f"{target} := ({name} + 1) mod {high + 1}"],
            [f"if {name} < {high}", f"  {name} := {name} + 1"],
            [f"if {name} > {low}", f"  {name} := {name} - 1"],
        ])  # fmt: skip

    # --- links, actions, pieces ---

    def _linked(self) -> Lines:
        assert self.scope.links is not None
        x, (link, way) = self.x, self.scope.links
        each = self.scope.fresh("s t u v")
        inner = self.knowing(Name(each, Type.SITE))
        a = x.site()
        options: list[Callable[[], str]] = [
            lambda: f"link {a.text} to {way}({a.text}) {x.pick(('own', 'full', 'sites'))}",
            lambda: f"unlink {a.text} to {link}({a.text})",
            lambda: f"link each {each} in {x.sites(1).text} to {way}({each}) own",
            lambda: f"unlink each {each} in {x.sites(1).text} to {link}({each})",
            lambda: (
                f"link {a.text} to those({each} in own {way}({a.text}) : "
                f"not crossed({a.text}, {each}))"
            ),
            lambda: f"link each {each} in own to {way}({each}) ({inner.x.sites(1).text})",
        ]
        return [x.pick(options)()]

    def _done(self) -> Lines:
        x = self.x
        action = x.pick(self.actions)
        make = {Type.SITE: x.site, Type.SITES: x.sites, Type.INT: x.number}
        return [f"{action.name}({', '.join(make[t](1).text for t in action.takes)})"]

    def _piled(self) -> Lines:
        """So many pieces of a pile, to where a move chose; some are too many."""
        x, sites = self.x, self.scope.of(Type.SITE)
        a = x.pick(sites).text if sites else x.pick(self.scope.board.sites)
        b = x.pick(sites).text if sites and x.chance(2) else x.pick(self.scope.board.sites)
        many = x.pick(("1", "1", f"height({a})", f"height({a}) div 2", x.number(0).at(RANGE)))
        to = x.pick(("to", "under"))
        lines = x.pick(((f"move {many} of {a} {to} {b}",), (f"clear {many} of {a}",)))
        return list(lines) if x.chance(8) else [f"if height({a}) > 0", f"  {lines[0]}"]

    def _carried(self) -> Lines:
        """Many pieces at once, so that no two meet; one move in some ends in a fault."""
        x, sites = self.x, self.scope.of(Type.SITE)
        each = self.scope.fresh("s t u v")
        if len(sites) > 1 and x.chance(2):
            a, b = sites[-2].text, sites[-1].text
            return [f"move each {each} in ({a} or {b}) to {a} if {each} = {b} else {b}"]
        if not self.scope.board.steps:
            return [f"move each {each} in own to {each}"]
        way = x.pick(self.scope.board.steps)
        domain = x.sites(1)
        free = f"{way}({each}) if any {way}({each}) empty else {each}"
        target = f"{way}({each})" if x.chance(6) else free
        return [f"move each {each} in {domain.text} to {target}"]

    def _branch(self, depth: int) -> Lines:
        lines = [f"if {self.x.truth(1).text}", *indented(self._block(depth))]
        if self.x.chance(3):
            lines += [f"else if {self.x.truth(0).text}", *indented(self._block(depth))]
        if self.x.chance(2):
            lines += ["else", *indented(self._block(depth))]
        return lines

    def _block(self, depth: int) -> Lines:
        return [*self.one(depth - 1), *self.some(1, depth - 1)]

    # --- what stands between choices and effects ---

    def let(self) -> tuple[Lines, Statements]:
        """A `let`, and what may be said below it; in some moves another that speaks of it."""
        word = self.scope.fresh("found there rest several")
        type_ = self.x.pick((Type.SITES, Type.SITES, Type.INT, Type.TRUTH, Type.STEPS))
        make = {
            Type.SITES: self.x.sites, Type.INT: self.x.number, Type.TRUTH: self.x.truth,
            Type.STEPS: lambda depth: turned(self.x, depth),
        }  # fmt: skip
        line, name = f"let {word} = {make[type_](1).text}", Name(word, type_)
        inner = self.knowing(name)
        if self.x.chance(2):
            return [line], inner
        more, inner = inner.let_of(name)
        return [line, *more], inner

    def let_of(self, name: Name) -> tuple[Lines, Statements]:
        """A `let` over a name: another `let`, a choice, the mark of a ray."""
        word, x = self.scope.fresh("more crowd other rest"), self.x
        walk = x.pick(self.scope.board.walks)
        sets = ((f"{walk}({name.text}) own", Type.SITES), (f"count {name.text}", Type.INT),
                (f"not {name.text}", Type.SITES))  # fmt: skip
        forms = {
            Type.SITES: sets, Type.SITE: sets, Type.INT: ((f"{name.text} + 1", Type.INT),),
            Type.TRUTH: ((f"not {name.text}", Type.TRUTH),),
            Type.STEPS: ((f"opposite({name.text})", Type.STEPS),),
            Type.STEP: ((f"opposite({name.text})", Type.STEP),),
        }  # fmt: skip
        value, type_ = x.pick(forms[name.type])
        return [f"let {word} = {value}"], self.knowing(Name(word, type_))


def indented(lines: Lines) -> Lines:
    """The lines of a block."""
    return [f"  {line}" for line in lines]
