"""Random expressions of the rules language, right by construction: types, scopes and brackets.

In: what may be named (`Scope`), how deep to go.  Out: a `Phrase`.  What it shrinks to comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from attrs import evolve, frozen
from hypothesis import strategies as st

from rulewright.model.expressions import Type
from tests.generators import phrases as p
from tests.generators.bends import among, of_players, same_step
from tests.generators.groups import groups
from tests.generators.phrases import Name, Phrase, Scope, join

T = TypeVar("T")
Make = Callable[[], Phrase]
_MEMBERS = {
    Type.SITES: "s t u v", Type.FAMILY: "l g h", Type.RANGE: "n m i", Type.STEPS: "d e f",
    Type.NUMBERS: "n m i", Type.KINDS: "k j",
}  # fmt: skip


@frozen
class Expressions:
    """Draws expressions that stand in one scope."""

    draw: st.DrawFn
    scope: Scope

    def pick(self, options: Sequence[T]) -> T:
        """One of *options*, the first of them when shrunk."""
        return options[self.draw(st.integers(0, len(options) - 1))]

    def chance(self, times: int) -> bool:
        """True once in so many times, false when shrunk."""
        return self.draw(st.integers(1, times)) == times

    def knowing(self, *names: Name) -> Expressions:
        """The same with more names in scope."""
        return evolve(self, scope=self.scope.having(*names))

    def _of(self, type_: Type, depth: int) -> Phrase:
        make = {
            Type.SITES: self.sites, Type.SITE: self.site, Type.TRUTH: self.truth,
            Type.INT: self.number, Type.STEPS: self.steps, Type.FAMILY: self.family,
        }  # fmt: skip
        return make[type_](depth)

    def _named(self, name: Name) -> Phrase:
        return Phrase(name.text, p.NOUN, name.sided, name.later)

    def _calls(self, type_: Type, depth: int) -> list[Make]:
        """Ways to use the definitions with parameters that give *type_*."""

        def use(name: Name) -> Phrase:
            arguments = [(self._of(t, max(depth - 1, 0)), p.IF) for t in name.takes]
            form = f"{name.text}({', '.join('{}' for _ in arguments)})"
            found = join(form, p.NOUN, *arguments)
            return evolve(found, sided=found.sided or name.sided, later=found.later or name.later)

        return [lambda name=name: use(name) for name in self.scope.calls(type_)]  # type: ignore[misc]

    def _either(self, make: Callable[[int], Phrase], depth: int) -> Phrase:
        parts = (make(depth - 1), p.OR), (self.truth(depth - 1), p.OR), (make(depth - 1), p.IF)
        return join("{} if {} else {}", p.IF, *parts)

    def _seen(self, inner: Phrase) -> Phrase:
        """*inner* through other eyes, where the players see it differently."""
        if not inner.sided:
            return inner
        who = self.pick((self.scope.other, "own", *self.scope.players))
        seen = join(f"{{}} for {who}", p.VIEWED, (inner, p.ADJOIN))
        return evolve(seen, sided=who not in self.scope.players)

    # --- sets of sites ---

    def sites(self, depth: int = 2) -> Phrase:
        """A set of sites."""
        options: list[Make] = [self.plain, self.plain]
        if depth > 0:
            options += [
                lambda: self._adjoining(depth),
                lambda: self._joined("{} or {}", p.OR, p.AND, depth),
                lambda: self._stepped(depth),
                lambda: self._joined("{} and not {}", p.AND, p.NOT, depth),
                lambda: join("not {}", p.NOT, (self.sites(depth - 1), p.NOT)),
                lambda: self._seen(self.sites(depth - 1)),
                lambda: self._located(depth),
                lambda: self._reached(depth),
                lambda: self._those(depth),
                *self._calls(Type.SITES, depth),
            ]
        if depth > 1:
            options += [lambda: self._either(self.sites, depth), lambda: self.ray(depth)]
        return self.pick(options)()

    def plain(self) -> Phrase:
        scope, names = self.scope, self.scope.of(Type.SITES, Type.SITE)
        built_in = [Phrase(word, sided=True) for word in ("own", "enemy")]
        fixed = ("empty", "full", *scope.kinds, *scope.board.regions, "sites", *scope.players)
        some = [Phrase(word) for word in fixed]
        return self.pick([*built_in, *some, *map(self._named, names), *map(self._named, names)])

    def literal(self) -> Phrase:
        """A site of the board by its name."""
        return Phrase(self.pick(self.scope.board.sites))

    def _joined(self, form: str, left: int, right: int, depth: int) -> Phrase:
        parts = (self.sites(depth - 1), left), (self.sites(depth - 1), right)
        return join(form, left, *parts)

    def _adjoining(self, depth: int) -> Phrase:
        families = [self._named(n) for n in self.scope.of(Type.FAMILY)]
        first = self.plain()
        second = self.pick([self.sites(depth - 1)] * 4 + families[:1])
        if first.text == second.text:
            return first
        return join("{} {}", p.ADJOIN, (first, p.NOUN), (second, p.NOUN))

    def _stepped(self, depth: int) -> Phrase:
        inside = self.site(0) if self.scope.of(Type.SITE) else self.sites(depth - 1)
        ways: list[Phrase] = [*(steps := self._step_names())]
        if self.scope.links:
            ways.append(Phrase(self.scope.links[0]))
        way = self.pick(ways)
        times = self.pick(("", "", ", 2", ", count own")) if len(ways) == len(steps) else ""
        found = join(f"{way.text}({{}}{times})", p.NOUN, (inside, p.IF))
        return evolve(found, sided=found.sided or way.sided)

    def _step_names(self) -> list[Phrase]:
        board, names = self.scope.board, self.scope.of(Type.STEPS, Type.STEP)
        return [
            *(Phrase(word) for word in (*board.walks, *board.steps)),
            *map(self._named, names), *map(self._named, names),
        ]  # fmt: skip

    def _located(self, depth: int) -> Phrase:
        board = self.scope.board
        row, column = (self.pick(board.rows), self.pick(board.columns))
        options: list[Make] = [self.literal]
        if board.shape != "graph":
            options += [
                lambda: Phrase(f"row({row})"),
                lambda: Phrase(f"column({column})"),
                lambda: join("site({}, {})", p.NOUN, *(self._place(depth) for _ in "xy")),
                lambda: join("row({})", p.NOUN, self._place(depth)),
            ]
        options += [self._whole_line, *([self._ends] if self._lines() else [])]
        return self.pick(options)()

    def _place(self, depth: int) -> tuple[Phrase, int]:
        """A number that the checker cannot work out: a constant might not be on the board."""
        base = self.pick([*map(self._named, self.scope.of(Type.INT)), Phrase("count own", p.UNARY)])
        base = base if base.later or base.sided else Phrase("count own", p.UNARY, sided=True)
        return (self.pick([base, join("{} + 1", p.SUM, (base, p.SUM))]), p.IF)

    def _whole_line(self) -> Phrase:
        way = self.steps(0)
        return join("whole_line({}, {})", p.NOUN, (self.site(0), p.IF), (way, p.IF))

    def _lines(self) -> list[Name]:
        return [name for name in self.scope.names if name.line]

    def _ends(self) -> Phrase:
        return Phrase(f"ends({self.pick(self._lines()).text})")

    def _reached(self, depth: int) -> Phrase:
        parts = [(self.sites(depth - 1), p.IF), (self.sites(depth - 1), p.IF)]
        way = self.connection()
        if way is None:
            return join("reach({}, {})", p.NOUN, *parts)
        return join("reach({}, {}, {})", p.NOUN, *parts, (way, p.IF))

    def connection(self) -> Phrase | None:
        """Along what things are connected, often one way; None leaves it to the board."""
        options: list[Phrase | None] = [None, *map(Phrase, self.scope.board.walks)]
        if self.scope.links:
            options += [Phrase(self.scope.links[0])] * 2
        if self.scope.board.steps:
            options += [Phrase(self.one_way())] * 3
        options += map(self._named, self.scope.of(Type.STEPS, Type.STEP))
        return self.pick(options)

    def one_way(self) -> str:
        """Steps some of which do not lead back."""
        one, other = (self.pick(self.scope.board.steps) for _ in range(2))
        both_ways = self.pick(self.scope.board.walks)
        several = f"{one} or {other}" if one != other else one
        return self.pick((one, several, f"{both_ways} or {one}"))

    def _those(self, depth: int) -> Phrase:
        found, inner, domain = self._member(Type.SITES, depth)
        body = inner.truth(depth - 1)
        return join(f"those({found.text} in {{}} : {{}})", p.NOUN, (domain, p.SUM), (body, p.IF))

    def site(self, depth: int = 1) -> Phrase:
        """A single site; when nothing in scope is one, a site by its name."""
        names = self.scope.of(Type.SITE)
        if not names or self.chance(8):
            return self.literal()
        return self._named(self.pick(names[::-1]))

    # --- rays ---

    def ray(self, depth: int = 1) -> Phrase:
        """The sites that a ray finds."""
        source, way = (self.sites(0), p.ADJOIN), (self.steps(0), p.ADJOIN)
        pattern = Phrase(self.pattern(depth)), p.NOUN
        return join("ray from {} along {} /{}/", p.UNARY, source, way, pattern)

    def pattern(self, depth: int = 1) -> str:
        """A ray's pattern, with a mark in most."""
        place = self.place
        forms = (
            lambda: f"[{place()}]",
            lambda: f"[{place()}+], {place()}",
            lambda: f"{place()}*, [{place()}]",
            lambda: f"[{place()}], {place()}*",
            lambda: f"{place()}{{{self._times()}}}",
            lambda: f"({place()} | {place()}), [{place()}]",
            lambda: f"{place()}?, [{place()}+]",
            lambda: f"[{place()}], {place()}+, [{place()}]",
            lambda: f"{place()}*",
            lambda: f"({place()}, {place()})+, [{place()} | {place()}]",
        )
        return self.pick(forms[: 3 + 4 * depth])()

    def _times(self) -> str:
        names = [n.text for n in self.scope.of(Type.INT)]
        return self.pick(("2", "1", *names, "count own"))

    def place(self) -> str:
        """One site of a pattern."""
        names = [n.text for n in self.scope.of(Type.SITES, Type.SITE)]
        words = ("empty", "enemy", "own", "full", *self.scope.kinds, *self.scope.board.regions)
        word = self.pick((*words, *names))
        return self.pick((word, word, f"not {word}"))

    # --- truths ---

    def truth(self, depth: int = 2) -> Phrase:
        """A condition."""
        names = [lambda n=n: self._named(n) for n in self.scope.of(Type.TRUTH)]
        low = max(depth - 1, 0)
        options: list[Make] = [
            lambda: join("any {}", p.COMPARE, (self.sites(low), p.ADJOIN)),
            lambda: join("no {}", p.COMPARE, (self.sites(low), p.ADJOIN)),
            lambda: self._between_sets("{} in {}", low),
            lambda: self._between_sets("{} meets {}", low),
            lambda: self._compared(low),
            *names, *names,
        ]  # fmt: skip
        if depth > 0:
            options += [
                lambda: join("not {}", p.NOT, (self.truth(depth - 1), p.NOT)),
                lambda: self._both("{} and {}", p.AND, p.NOT, depth),
                lambda: self._both("{} or {}", p.OR, p.AND, depth),
                lambda: self._asked(self.pick(("some", "every")), depth),
                lambda: self._between_sets("{} = {}", low),
                lambda: Phrase(f"mover = {self.pick(self.scope.players)}", p.COMPARE),
                lambda: among(self),
                lambda: self._seen(self.truth(depth - 1)),
                *self._calls(Type.TRUTH, depth),
                *([self._crossed] if self.scope.links else []),
                *[lambda: of_players(self, depth)] * (len(self.scope.players) > 2),
                *([lambda: same_step(self)] * 2 if self.scope.of(Type.STEP) else []),
            ]
        if depth > 1:
            options.append(lambda: self._either(self.truth, depth))
        return self.pick(options)()

    def _between_sets(self, form: str, depth: int) -> Phrase:
        left = self.site() if self.scope.of(Type.SITE) else self.sites(depth)
        return join(form, p.COMPARE, (left, p.SUM), (self.sites(depth), p.SUM))

    def _compared(self, depth: int) -> Phrase:
        if self.chance(6):
            low = self.pick((0, 1, 2))
            right = Phrase(f"{low}..{low + self.pick((1, 2, 3))}", p.RANGE)
            return join("{} in {}", p.COMPARE, (self.number(depth), p.SUM), (right, p.RANGE))
        sign = self.pick(("=", "<", ">", "<=", ">=", "<>"))
        parts = (self.number(depth), p.SUM), (self.number(depth), p.SUM)
        return join(f"{{}} {sign} {{}}", p.COMPARE, *parts)

    def _both(self, form: str, left: int, right: int, depth: int) -> Phrase:
        return join(form, left, (self.truth(depth - 1), left), (self.truth(depth - 1), right))

    def _crossed(self) -> Phrase:
        """Only between sites that a link could join."""
        assert self.scope.links is not None
        other, one = self.scope.fresh("p q o"), (self.site(), p.IF)
        form = f"some({other} in {self.scope.links[1]}({{}}) : crossed({{}}, {other}))"
        return join(form, p.NOUN, one, one)

    def _member(self, type_: Type, depth: int) -> tuple[Name, Expressions, Phrase]:
        """A variable, what its body may say, and what it runs over."""
        low = max(depth - 1, 0)
        line = False
        if type_ is Type.RANGE:
            low_end = self.pick((1, 0, 2))
            fixed = Phrase(str(low_end + self.pick((1, 0, 2))), p.ADJOIN)
            high = self.number(0) if self.chance(4) else fixed
            domain = join(f"{low_end}..{{}}", p.RANGE, (high, p.SUM))
        elif type_ is Type.NUMBERS:
            domain = Phrase(self.pick(("[1, 3]", "[2, 0, 2]")))
        elif type_ is Type.KINDS:
            domain = Phrase(f"[{', '.join(self.scope.kinds)}]")
        elif type_ is Type.FAMILY:
            line = self.pick((True, False))
            domain = Phrase(f"lines({self._length()})") if line else self.family(low)
        else:
            domain = self._of(type_, low)
        member = {
            Type.SITES: Type.SITE, Type.FAMILY: Type.SITES, Type.RANGE: Type.INT,
            Type.NUMBERS: Type.REAL, Type.KINDS: Type.KIND,
        }  # fmt: skip
        word = self.scope.fresh(_MEMBERS[type_])
        name = Name(word, member.get(type_, Type.STEP), line=line)
        return name, self.knowing(name), domain

    def _asked(self, quantifier: str, depth: int) -> Phrase:
        types = (Type.SITES, Type.FAMILY, Type.RANGE, Type.STEPS, Type.KINDS)
        type_ = Type.NUMBERS if self.chance(40) else self.pick((Type.SITES, Type.FAMILY, *types))
        name, inner, domain = self._member(type_, depth)
        # the variable should matter: most bodies speak of it
        body = inner.speaking_of(name, depth - 1)
        if depth > 1 and self.chance(6):
            second, innermost, other = inner._member(Type.SITES, depth - 1)
            form = f"{quantifier}({name.text} in {{}}, {second.text} in {{}} : {{}})"
            body = innermost.speaking_of(second, depth - 2)
            return join(form, p.NOUN, (domain, p.SUM), (other, p.SUM), (body, p.IF))
        level = p.RANGE if type_ is Type.RANGE else p.SUM
        form = f"{quantifier}({name.text} in {{}} : {{}})"
        return join(form, p.NOUN, (domain, level), (body, p.IF))

    def speaking_of(self, name: Name, depth: int) -> Phrase:
        """A condition about what *name* stands for."""
        one = Phrase(name.text)
        if self.chance(4):
            return self.truth(max(depth, 0))
        if name.type is Type.STEP and self.chance(4):
            return among(self)
        if name.type is Type.STEP:
            return join(f"any {name.text}({{}})", p.COMPARE, (self.site(), p.IF))
        if name.type in (Type.INT, Type.REAL):
            sign = self.pick(("<", "=", ">"))
            return join(f"{{}} {sign} {{}}", p.COMPARE, (self.number(0), p.SUM), (one, p.SUM))
        form = self.pick(("{} in {}", "{} meets {}"))
        if name.line and self.chance(3):
            return join(f"any ends({name.text}) {{}}", p.COMPARE, (self.sites(0), p.NOUN))
        if name.type is Type.KIND and self.chance(3):
            return among(self)
        if name.type is Type.KIND:
            return join(f"any {name.text} {{}}", p.COMPARE, (self.sites(0), p.NOUN))
        return join(form, p.COMPARE, (one, p.SUM), (self.sites(max(depth, 0)), p.SUM))

    # --- numbers ---

    def _height(self) -> Phrase:
        return join("height({})", p.NOUN, (self.sites(0), p.IF))

    def number(self, depth: int = 1) -> Phrase:
        """A whole number, small in most positions."""
        names = [lambda n=n: self._named(n) for n in self.scope.of(Type.INT)]
        low = max(depth - 1, 0)
        options: list[Make] = [
            lambda: Phrase(str(self.draw(st.integers(0, 4))), p.ADJOIN),
            lambda: join("count {}", p.UNARY, (self.sites(low), p.VIEWED)),
            *([self._height] * self.scope.board.stacked * 2),
            *names, *names,
        ]  # fmt: skip
        if self.scope.later:
            options.append(lambda: Phrase("ply", later=True))
        if depth > 0:
            options += [
                lambda: self._arithmetic(depth),
                lambda: self._arithmetic(depth),
                lambda: self._arithmetic(depth),
                lambda: self._asked("count", depth),
                lambda: self._folded(depth),
                self._coordinate,
                lambda: join("count ({})", p.UNARY, (self.family(low), p.IF)),
                lambda: self._either(self.number, depth),
                lambda: self._seen(self.number(depth - 1)),
                *self._calls(Type.INT, depth),
                *([self._divided] if self.chance(6) else []),
            ]
        if self.scope.ends:
            options.append(lambda: Phrase("repeats", later=True))
        return self.pick(options)()

    def _divided(self) -> Phrase:
        """A quotient whose divisor may be 0 in some positions."""
        divisor = self.pick(
            (Phrase("count own", p.UNARY, sided=True), Phrase("count empty", p.UNARY))
        )
        sign = self.pick(("mod", "div"))
        return join(f"{{}} {sign} {{}}", p.PRODUCT, (self.number(0), p.PRODUCT), (divisor, p.UNARY))

    def _arithmetic(self, depth: int) -> Phrase:
        one, other = self.number(depth - 1), self.number(depth - 1)
        few = Phrase(str(self.pick((2, 3, 1))), p.ADJOIN)
        options: list[Make] = [
            lambda: join("{} + {}", p.SUM, (one, p.SUM), (other, p.PRODUCT)),
            lambda: join("{} - {}", p.SUM, (one, p.SUM), (other, p.PRODUCT)),
            lambda: join("{} mod {}", p.PRODUCT, (one, p.PRODUCT), (few, p.UNARY)),
            lambda: join("{} div {}", p.PRODUCT, (one, p.PRODUCT), (few, p.UNARY)),
            lambda: join("{} * {}", p.PRODUCT, (one, p.PRODUCT), (few, p.UNARY)),
            lambda: join("{} * {}", p.PRODUCT, (one, p.PRODUCT), (other, p.UNARY)),
            lambda: join("-{}", p.UNARY, (one, p.VIEWED)),
            lambda: join("abs({})", p.NOUN, (one, p.IF)),
            lambda: join("sign({})", p.NOUN, (one, p.IF)),
        ]
        return self.pick(options)()

    def _folded(self, depth: int) -> Phrase:
        quantifier = self.pick(("sum", "sum", "max", "min"))
        name, inner, domain = self._member(self.pick((Type.SITES, Type.RANGE, Type.FAMILY)), depth)
        body = inner.number(depth - 1)
        if name.type is Type.INT:
            body = join(f"{name.text} * {{}}", p.PRODUCT, (body, p.UNARY))
        level = p.RANGE if name.type is Type.INT else p.SUM
        form = f"{quantifier}({name.text} in {{}} : {{}})"
        return join(form, p.NOUN, (domain, level), (body, p.IF))

    def _coordinate(self) -> Phrase:
        if self.scope.board.shape == "graph" or not self.scope.of(Type.SITE):
            return Phrase(str(self.draw(st.integers(0, 3))), p.ADJOIN)
        return Phrase(f"{self.pick(self.scope.board.axes)}({self.site().text})")

    # --- steps and families ---

    def steps(self, depth: int = 1) -> Phrase:
        """One direction or several."""
        options: list[Make] = [lambda: self.pick(self._step_names())]
        if depth > 0:
            options += [
                lambda: join("opposite({})", p.NOUN, (self.steps(depth - 1), p.IF)),
                lambda: join(
                    "{} or {}", p.OR, (self.steps(depth - 1), p.OR), (self.steps(0), p.AND)
                ),
            ]
            if self.scope.board.shape == "square" and not self.scope.board.layered:
                options += [lambda: Phrase(f"leap({self.pick(('1, 2', '0, 2', '1, 1'))})")]
            options += [lambda: self._either(self.steps, depth), *self._calls(Type.STEPS, depth)]
        return self.pick(options)()

    def family(self, depth: int = 1) -> Phrase:
        """Several sets."""
        names = [lambda n=n: self._named(n) for n in self.scope.of(Type.FAMILY)]
        low = max(depth - 1, 0)
        options: list[Make] = [
            lambda: Phrase(f"lines({self._length()})"),
            lambda: groups(self, low),
            *names, *names,
        ]  # fmt: skip
        if self.scope.board.shape != "graph":
            options.append(lambda: Phrase("sides"))
        if depth > 0:
            two = (self.sites(low), p.IF), (self.sites(low), p.IF)
            options.append(lambda: join("[{}, {}]", p.NOUN, *two))
            options.append(lambda: self._those_of_family(depth))
        return self.pick(options)()

    def _length(self) -> int:
        return self.pick(sorted({min(n, self.scope.board.longest) for n in (2, 3, 1)}, key=abs))

    def _those_of_family(self, depth: int) -> Phrase:
        name, inner, domain = self._member(Type.FAMILY, depth)
        body = inner.speaking_of(name, depth - 1)
        form = f"those({name.text} in {{}} : {{}})"
        return join(form, p.NOUN, (domain, p.SUM), (body, p.IF))
