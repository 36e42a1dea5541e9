"""Random moves: a way to choose that games use, with more conditions and effects around it.

In: a scope with everything that a file declares.  Out: the lines of a move, and how its decisions
are written, so that another move can be told to write them otherwise.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import field, frozen

from rulewright.model.expressions import Type
from tests.generators.bends import turned
from tests.generators.phrases import ADJOIN, Name
from tests.generators.statements import Lines, Statements, indented

_SLIDES = (
    "empty*, [b: not own]", "empty*, [b: empty]", "[b: empty]", "full{2}, [b: empty]",
    "(empty, empty)?, [b: not full]",
)  # fmt: skip


@frozen
class Plan:
    """The heart of a move: its choices, what they are called, what it does with them."""

    choices: Lines
    names: tuple[Name, ...] = ()
    effects: Lines = field(factory=list)
    write: str = ""
    """The notation, where it should not be all the choices."""


def _site(*words: str) -> tuple[Name, ...]:
    return tuple(Name(word, Type.SITE) for word in words)


def move(s: Statements, name: str, mark: str, other: bool) -> Lines:
    """A move; *mark* stands in front of what it writes, unless it is empty.

    *other*: it is not the first move, which should be possible in most games.
    """
    x = s.x
    lines = [f"need {x.truth(1).text}"] if x.chance(8) else []
    plan = x.pick([lambda: _place(s), *_plans(s)])() if other else _opening(s)
    lines += plan.choices
    inner = s.knowing(*plan.names)
    if x.chance(4):
        more, inner = inner.let()
        lines += more
    marked = [n for n in plan.names if n.type in (Type.SITES, Type.STEP)]
    if marked and x.chance(2):
        more, inner = inner.let_of(marked[-1])
        lines += more
        more, inner = inner.let_of(inner.scope.names[-1])
        lines += more
    if x.chance(3):
        lines.append(f"need {inner.x.truth(2).text}")
    lines += [*plan.effects, *inner.some(2)]
    if x.chance(6):
        lines.append(x.pick(("need board_repeats = 0", f"need {inner.x.truth(1).text}")))
    holes = plan.write or "-".join(f"{{{n.text}}}" for n in plan.names)
    late = _late(inner) if x.chance(8) else []
    if mark or late or (plan.write and x.chance(2)):
        lines += [*late[:-1], f'write "{mark}{holes}{"".join(late[-1:])}"']
    return [f"move {name}", *indented(lines)]


def _late(s: Statements) -> Lines:
    """What a notation may say of the position behind the effects: a `let`, if any, and the hole."""
    number = s.x.pick(("count own", "count enemy", s.x.number(0).text))
    return s.x.pick((["let late = " + number, "/{late}"], ["/{" + number + "}"]))


def growth(s: Statements, name: str) -> Lines:
    """A move that only adds a piece, and links from it in some files with links."""
    x = s.x
    lines = [f"choose cell in {x.pick(('empty', 'empty', f'empty {x.sites(0).at(ADJOIN)}'))}"]
    lines.append(f"put {x.pick(s.scope.kinds)} at cell")
    if s.scope.links and x.chance(2):
        lines.append(f"link cell to {s.scope.links[1]}(cell) own")
    return [f"move {name}", *indented(lines)]


def _opening(s: Statements) -> Plan:
    return s.x.pick((_place, _place, _step, _slide, _spawn, _flip, s.x.pick(_PLANS)))(s)


def _plans(s: Statements) -> list[Callable[[], Plan]]:
    common = list(_PLANS)
    if len(s.scope.kinds) > 1:
        common += [_kind, _ranked]
    if s.scope.links:
        common += [_tie, _cut, _tie]
    if s.scope.board.stacked:
        common += [_part, _part, _lay]
    return [lambda one=one: one(s) for one in common]  # type: ignore[misc]


def _walk(s: Statements) -> str:
    """Directions by a name: built in, or defined in the file."""
    defined = [n.text for n in s.scope.of(Type.STEPS)]
    return s.x.pick((*s.scope.board.walks, *defined, *defined))


def _own(s: Statements) -> str:
    return s.x.pick(("own", "own", f"own {s.scope.kinds[0]}"))


def _place(s: Statements) -> Plan:
    where = s.x.pick(("empty", "empty", f"empty and {s.x.sites(1).at(3)}"))
    kind = s.x.pick(s.scope.kinds)
    return Plan([f"choose cell in {where}"], _site("cell"), [f"put {kind} at cell"])


def _step(s: Statements) -> Plan:
    to = s.x.pick(("empty", "empty", "enemy", "sites"))
    choices = [f"choose a in {_own(s)}", f"choose b in {_walk(s)}(a) {to}"]
    return Plan(choices, _site("a", "b"), ["move a to b"])


def _part(s: Statements) -> Plan:
    """The upper pieces of a pile, onto another one or under it."""
    low = s.x.pick(("1", "1", "0"))
    ways = [f"choose a in {_own(s)}", f"choose n in {low}..height(a)", f"choose b in {_walk(s)}(a)"]
    effect = s.x.pick(("move n of a to b", "move n of a under b", "move a under b"))
    return Plan(ways, (*_site("a"), Name("n", Type.INT), *_site("b")), [effect])


def _lay(s: Statements) -> Plan:
    kind = s.x.pick(s.scope.kinds)
    return Plan(["choose cell in sites"], _site("cell"), [f"put {kind} at cell"])


def _jump(s: Statements) -> Plan:
    over = s.x.pick(("enemy", "full", "enemy+"))
    ray = f"choose ray from a along {_walk(s)} /[over: {over}], [b: empty]/"
    names = (*_site("a"), Name("over", Type.SITES), *_site("b"))
    written = s.x.pick(("{a}x{over}x{b}", "{a}x{b}"))
    return Plan([f"choose a in {_own(s)}", ray], names, ["clear over", "move a to b"], written)


def _slide(s: Statements) -> Plan:
    way = s.x.pick(_SLIDES)
    choices = [f"choose a in {_own(s)}", f"choose ray from a along {_walk(s)} /{way}/"]
    return Plan(choices, _site("a", "b"), ["move a to b"], "{a}-{b}")


def _flip(s: Statements) -> Plan:
    turned = (
        f"ray from cell along {_walk(s)} /{s.x.pick(('[enemy+], own', '[enemy]', s.x.pattern()))}/"
    )
    choices = ["choose cell in empty", f"let turned = {turned}", "need any turned"]
    names = (*_site("cell"), Name("turned", Type.SITES))
    return Plan(choices, names, [f"put {s.scope.kinds[0]} at cell or turned"], "{cell}")


def _spawn(s: Statements) -> Plan:
    """Many ways to the same result, written alike: one decision."""
    choices = ["choose a in own", f"choose b in {_walk(s)}(a) empty"]
    return Plan(choices, _site("a", "b"), [f"put {s.scope.kinds[0]} at b"], "{b}")


def _remove(s: Statements) -> Plan:
    whose = s.x.pick(("enemy", "own", "full", s.scope.kinds[-1]))
    return Plan([f"choose a in {whose}"], _site("a"), ["clear a"])


def _nothing(s: Statements) -> Plan:
    if s.x.chance(3) and len(s.scope.players) == 2:
        return Plan(["need ply = 1"], (), ["swap sides"])
    return Plan([], (), s.one(0))


def _line(s: Statements) -> Plan:
    family, kind = s.x.family(1).text, s.x.pick(s.scope.kinds)
    effect = s.x.pick((f"put {kind} at l", "clear l"))
    need = s.x.pick(("any l empty", "l in empty", "l meets own", "count l > 1"))
    choices = [f"choose l in {family}", f"need {need}"]
    return Plan(choices, (Name("l", Type.SITES),), [effect])


def _way(s: Statements) -> Plan:
    known = s.knowing(*_site("a"))
    steps = known.x.pick((s.x.steps, known.x.steps, lambda depth: turned(known.x, depth)))(1).text
    choices = ["choose a in own", f"choose d in {steps}", "need any d(a) empty"]
    once = "move a to d(a)"
    if s.x.chance(3):
        once = f"put {s.scope.kinds[0]} at d(a)"
    return Plan(
        choices, (*_site("a"), Name("d", Type.STEP)), [once] if s.x.chance(2) else _guarded(s)
    )


def _item(s: Statements, count: int) -> str:
    """A number that a position says, as a rule one that a list of *count* members has."""
    number = s.x.number(1).text
    return number if s.x.chance(8) else f"({number}) mod {count}"


def _pointed(s: Statements) -> Plan:
    """A step that a position picks from a list: taken, walked along, or chosen by itself."""
    steps = s.scope.board.steps
    if not steps:
        return _step(s)
    few = [*dict.fromkeys((s.x.pick(steps), *steps[: s.x.pick((1, 3))]))]
    item = _item(s.knowing(*_site("a")), len(few))
    lines = ["choose a in own", f"let list = [{', '.join(few)}]", f"let d = list({item})"]
    if s.x.chance(3):
        lines[-1:] = [f"let e = list({item})", "let d = opposite(e)"]
    slide = f"choose ray from a along d /{s.x.pick(_SLIDES)}/"
    going = s.x.pick(("choose b in d(a)", slide))
    return Plan([*lines, going], _site("a", "b"), ["move a to b"])


def _ranked(s: Statements) -> Plan:
    """A kind that a position picks from a list."""
    kinds = s.scope.kinds
    lines = [f"let list = [{', '.join(kinds)}]", f"let k = list({_item(s, len(kinds))})"]
    return Plan(["choose cell in empty", *lines], _site("cell"), ["put k at cell"])


def _ahead(s: Statements) -> Plan:
    """A step that is taken so many times, told by some of what it goes by."""
    low, high = s.x.pick((("1", "2"), ("1", "3"), ("0", "2")))
    choices = ["choose a in own", f"choose d in {s.x.steps(1).text}", f"choose n in {low}..{high}"]
    choices += s.x.pick((["let b = d(a, n)", "need any b empty"], ["choose b in d(a, n) empty"]))
    written = s.x.pick(("{a}-{b}", "{n}{a}-{b}", "{d}{a}-{b}"))
    return Plan(choices, _site("a"), [f"put {s.scope.kinds[0]} at b"], written)


def _numbered(s: Statements) -> Plan:
    """A number in front of a site, chosen or said by the position: moves may be written alike."""
    number = s.x.pick(("choose n in 0..1", f"let n = {s.x.number(1).text}", "let n = count own"))
    lines = [number, "choose cell in empty"]
    return Plan(lines, _site("cell"), [f"put {s.scope.kinds[0]} at cell"], "{n}/{cell}")


def _bend(s: Statements) -> Plan:
    """A second step that depends on the first."""
    names = (*_site("a"), Name("d", Type.STEP))
    first, second = s.knowing(names[0]).x.steps(1).text, turned(s.knowing(*names).x).text
    choices = ["choose a in own", f"choose d in {first}", f"choose e in {second}"]
    choices.append(s.x.pick(("need any e(a) empty", "need any e(d(a)) empty", "need any d(a)")))
    effect = f"put {s.scope.kinds[0]} at {s.x.pick(('e(a)', 'e(d(a))', 'd(e(a))'))} empty"
    return Plan(choices, (*names, Name("e", Type.STEP)), [effect])


def _drop(s: Statements) -> Plan:
    """A second choice that does not depend on the first."""
    where = s.x.pick((f"{s.x.sites(0).at(3)} empty", s.x.sites(1).text, "empty"))
    choices = [f"choose a in {_own(s)}", f"choose b in {where}"]
    return Plan(choices, _site("a", "b"), ["move a to b"])


def _guarded(s: Statements) -> Lines:
    """A step that may be several sites: those that are free are filled."""
    return [f"put {s.scope.kinds[0]} at d(a) empty"]


def _number(s: Statements) -> Plan:
    high = s.x.pick((2, 1, 3))
    names = (Name("n", Type.INT),)
    if s.scope.board.shape == "graph" or s.x.chance(3):
        return Plan([f"choose n in 1..{high}", "need count own < n + 2"], names, s.one(0))
    effect = s.x.pick(
        (
            f"put {s.scope.kinds[0]} at row(n)",
            "clear column(n)",
            f"put {s.scope.kinds[-1]} at site(n, n)",
        )
    )
    return Plan([f"choose n in 1..{high}"], names, [effect])


def _kind(s: Statements) -> Plan:
    choices = [f"choose k in [{', '.join(s.scope.kinds)}]", "choose cell in empty"]
    names = (Name("k", Type.KIND), *_site("cell"))
    return Plan(choices, names, ["put k at cell"], "{k}{cell}")


def _sweep(s: Statements) -> Plan:
    """All that stands in a row, be it nothing."""
    what = s.x.pick(("enemy*", "full+", "own | enemy", "not own, empty"))
    ray = f"choose ray from a along {_walk(s)} /[swept: {what}]/"
    names = (*_site("a"), Name("swept", Type.SITES))
    return Plan(["choose a in own", ray], names, [s.x.pick(("clear swept", "clear swept enemy"))])


def _tie(s: Statements) -> Plan:
    assert s.scope.links is not None
    way = s.scope.links[1]
    choices = [f"choose a in {s.x.pick(('own', 'sites', 'full'))}", f"choose b in {way}(a)"]
    names = _site("a", "b")
    if s.x.chance(2):
        choices.append("need not crossed(a, b)")
    return Plan(choices, names, ["link a to b"], "{a}+{b}")


def _cut(s: Statements) -> Plan:
    assert s.scope.links is not None
    choices = ["choose a in sites", f"choose b in {s.scope.links[0]}(a)"]
    return Plan(choices, _site("a", "b"), ["unlink a to b"], "{a}/{b}")


_PLANS = (
    _place,
    _step,
    _jump,
    _slide,
    _flip,
    _spawn,
    _remove,
    _nothing,
    _line,
    _way,
    _pointed,
    _bend,
    _ahead,
    _drop,
    _number,
    _numbered,
    _sweep,
)
