"""Personalities: from syntax to the model.

In: syntax, the rules, and ways to find evaluators and other personalities.  Out: the model, or None
when any error was reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from attrs import evolve

from rulewright.language import syntax
from rulewright.language.diagnostics import Collector
from rulewright.language.languages import PERSONALITY
from rulewright.language.resolve.claims import left_out
from rulewright.language.resolve.guidance import (
    is_evaluator_lost,
    is_value,
    led_from,
    read_guidance,
    read_lines,
)
from rulewright.language.resolve.personality_searches import (
    Draft,
    FoundFile,
    PersonalityShelf,
    check_asked,
    read_consider,
    read_search,
)
from rulewright.language.resolve.scope import Scope
from rulewright.language.resolve.statements import FileStatements
from rulewright.language.source import Source
from rulewright.model import personality as p
from rulewright.model import properties
from rulewright.model.evaluation import Evaluator, Factor
from rulewright.model.look import Look
from rulewright.model.patterns import Patterns

_PickNode: TypeAlias = syntax.PickBest | syntax.PickAny
_ONCE: dict[type[syntax.Node], str] = {
    syntax.Format: "format", syntax.PersonalityName: "personality", syntax.Extends: "extends",
    syntax.Use: "use", syntax.Search: "search", syntax.Consider: "consider",
    syntax.ConsiderValue: "consider", syntax.Must: "must", syntax.Threats: "threats",
    syntax.Forcing: "forcing", syntax.Order: "order", syntax.Passing: "passing",
    syntax.Policy: "policy", syntax.Replies: "reply",
    syntax.Drawn: "drawn", syntax.Decided: "decided", syntax.Hopeless: "hopeless",
    syntax.Reduce: "reduce", syntax.Prefer: "prefer", syntax.Ties: "ties",
}  # fmt: skip


def resolve_personality(
    tree: syntax.Personality,
    source: Source,
    report: Collector,
    shelf: PersonalityShelf,
    way: tuple[str, ...] = (),
) -> p.Personality | None:
    """Give every statement its meaning; *way* are the personalities that extend this one."""
    scope = Scope.of(tree, source, report, {})
    file = FileStatements(tree, scope, PERSONALITY.head, _ONCE)
    return None if file.says_nothing() else _read_file(Draft(file, scope, shelf), way)


def _read_file(draft: Draft, way: tuple[str, ...]) -> p.Personality | None:
    scope, file, rules = draft.scope, draft.file, draft.shelf.rules
    head = _read_head(draft)
    name = head.name.text if head else ""
    _extend(draft, name, way)
    _use(draft)
    settings = _read_settings(draft)
    search = read_search(draft)
    picks = _read_picks(draft, search)
    personality = p.Personality(
        name,
        rules.name,
        draft.evaluator,
        _factors(draft, settings),
        search,
        picks,
        _read_preferred(draft),
        _read_ties(draft),
        evolve(_read_opening(draft), book=_read_book(draft)),
        settings,
        untested=left_out(file.all(syntax.Untested), properties.PERSONALITY, scope),
        consider=read_consider(draft, search),
        guidance=read_guidance(draft, search),
    )
    personality = evolve(personality, leading=led_from(draft), places=tuple(scope.origins))
    check_asked(draft, personality)
    return None if scope.report.failed or head is None else personality


def _read_head(draft: Draft) -> syntax.PersonalityName | None:
    scope, file = draft.scope, draft.file
    head = file.first(syntax.PersonalityName)
    file.check_head(head)
    file.check_once()
    kinds = (syntax.OpeningMoves, syntax.OpeningRandom, syntax.OpeningLines)
    openings = [item for item in file.tree.items if isinstance(item, kinds)]
    for again in openings[1:]:
        scope.complain("repeated-statement", again, "a personality has one `opening`")
    if head is not None:
        file.check_game(head.game, draft.shelf.rules)
    if head is not None and head.name.text in p.RESERVED:
        message = f"`{head.name.text}` is {p.RESERVED[head.name.text]}, in every game"
        scope.complain("reserved-word", head.name, message, "choose another name")
    return head


# --- what it builds upon ---


def _extend(draft: Draft, name: str, way: tuple[str, ...]) -> None:
    scope, shelf, node = draft.scope, draft.shelf, draft.file.first(syntax.Extends)
    if node is None:
        return
    other, way = node.name, (*way, name)
    if other.text in way:
        shown = " -> ".join([*way[way.index(other.text) :], other.text])
        scope.complain("cycle", other, f"`{other.text}` extends itself: {shown}")
        return
    hidden, base = (*way, Path(scope.source.name).stem), shelf.personality(other.text, way)
    model = _usable(draft, "personality", other, base, hidden)
    if isinstance(model, p.Personality):
        draft.base, draft.evaluator = model, model.evaluator


def _use(draft: Draft) -> None:
    node = draft.file.first(syntax.Use)
    if node is None:
        return
    name = node.names[0]
    model = _usable(draft, "evaluator", name, draft.shelf.evaluator(name.text))
    if isinstance(model, Evaluator):
        draft.evaluator = model


def _usable(
    draft: Draft, what: str, name: syntax.Name, named: FoundFile | None, hidden: Sequence[str] = ()
) -> Evaluator | p.Personality | Patterns | Look | None:
    """The model of a file that is named; reports why it cannot be used if so."""
    scope, file, shelf = draft.scope, draft.file, draft.shelf
    if named is None:
        kind = "eval" if what == "evaluator" else what
        names = [other for other in shelf.names_of(kind) if other not in hidden]
        file.complain_missing(what, name, shelf.rules.name, names)
    elif named.other_game:
        message = f"`{name.text}` is the {what} of another game, {named.other_game}"
        scope.complain("other-game", name, message)
    elif named.cycle:
        scope.complain("cycle", name, named.cycle)
    elif named.model is None and named.base:
        message = f"the {what} `{name.text}` of {named.base} does not fit {shelf.rules.name}"
        hint = f"it uses a name that {shelf.rules.name} leaves out or defines in another way"
        scope.complain("other-file", name, message, hint)
    elif named.model is None:
        file.complain_faulty(what, name, named.file)
    else:
        return named.model
    return None


# --- factors ---


def _read_settings(draft: Draft) -> dict[str, p.Number]:
    """The factors that are set, here or in the base."""
    scope, evaluator = draft.scope, draft.evaluator
    factors = {f.name: f for f in evaluator.factors} if evaluator else {}
    settings = dict(draft.base.factor_settings) if draft.base else {}
    names: set[str] = set()
    for node in draft.file.all(syntax.Setting):
        factor = factors.get(node.name.text)
        if node.name.text in names:
            message = f"`{node.name.text}` is set twice"
            scope.complain("repeated-statement", node, message)
        names.add(node.name.text)
        if factor is None:
            if not is_evaluator_lost(draft):
                advice = "" if evaluator else "say which evaluator: `use NAME`"
                scope.unknown(node.name, "factor", factors, advice)
        elif _fits(scope, node, factor):
            settings[node.name.text] = node.value.value
    return settings


def _fits(scope: Scope, node: syntax.Setting, factor: Factor) -> bool:
    value, shown = node.value, scope.text_of(node.value)
    if value.percent != factor.percent:
        if factor.percent:
            message = f"`{factor.name}` is a percentage, and this has no `%`"
            scope.complain("unit", value, message, f"is {shown}% meant?")
        else:
            message = f"`{factor.name}` is no percentage"
            scope.complain("unit", value, message, f"its range is {factor.range}")
        return False
    if node.unit is not None and node.unit.text != factor.unit:
        unit = f"`{factor.unit}`" if factor.unit else "no unit"
        message = f"`{factor.name}` has {unit}, and this says `{node.unit.text}`"
        scope.complain("unit", node.unit, message)
        return False
    if factor.whole and not isinstance(value.value, int):
        message = f"`{factor.name}` takes whole numbers"
        scope.complain("wrong-type", value, message)
        return False
    if not factor.low <= value.value <= factor.high:
        message = f"{shown} lies outside the range {factor.range} of `{factor.name}`"
        scope.complain("out-of-range", value, message)
        return False
    return True


def _factors(draft: Draft, settings: dict[str, p.Number]) -> tuple[p.Number, ...]:
    base, use = draft.base, draft.file.first(syntax.Use)
    factors = draft.evaluator.factors if draft.evaluator else ()
    foreign = settings.keys() - {f.name for f in factors}
    if foreign and base is not None and use is not None:
        message = f"`{base.name}` sets `{min(foreign)}`, which this evaluator does not have"
        draft.scope.complain("unknown-name", use, message)
    return tuple(settings.get(f.name, f.default) for f in factors)


# --- choosing ---


def _read_picks(draft: Draft, search: p.Search) -> tuple[p.Pick, ...]:
    base, tree = draft.base, draft.file.tree
    nodes = [item for item in tree.items if isinstance(item, syntax.PickBest | syntax.PickAny)]
    read = [_read_pick(draft, node) for node in nodes]
    picks = tuple(pick for pick in read if pick is not None) or (p.Pick("best"),)
    if not nodes and base and "pick" not in tree.missing:
        picks = base.picks
    _check_picks(draft, picks, nodes, search)
    _warn_of_picks(draft, picks, nodes)
    return picks


def _warn_of_picks(draft: Draft, picks: tuple[p.Pick, ...], nodes: list[_PickNode]) -> None:
    """Tell of lines that may all fail, and of those of another text that are gone."""
    scope, base = draft.scope, draft.base
    if nodes and all(pick.condition is not None for pick in picks):
        message = "no `pick` decides where no condition holds; any decision is made then"
        scope.complain("open-pick", nodes[-1], message, "end with `pick best`")
    if nodes and base is not None and len(base.picks) > 1:
        gone = ", ".join(f"`{pick}`" for pick in base.picks)
        message = f"this replaces every `pick` of `{base.name}`: {gone}"
        scope.complain("replaced-picks", nodes[0], message, "write those again to keep them")


def _read_pick(draft: Draft, node: _PickNode) -> p.Pick | None:
    if isinstance(node, syntax.PickAny):
        if node.how.text not in ("first", "random"):
            ways = ("best", "first", "random")
            draft.scope.unknown(node.how, "way to pick", ways)
            return None
        return p.Pick(node.how.text)
    if node.value is not None and not is_value(draft, node.value):
        return None
    value = node.value.text if node.value else ""
    if node.first is None:
        return p.Pick("best", value)
    if not is_value(draft, node.first):
        return None
    second = node.second
    if isinstance(second, syntax.Name) and not is_value(draft, second):
        return None
    assert second is not None
    other = second.text if isinstance(second, syntax.Name) else second.value
    return p.Pick("best", value, p.PickCondition(node.first.text, node.sign, other))


def _check_picks(
    draft: Draft, picks: tuple[p.Pick, ...], nodes: list[_PickNode], search: p.Search
) -> None:
    """Report picks that the search cannot use: it looks ahead by one value, of one sort."""
    scope, file, evaluator = draft.scope, draft.file, draft.evaluator
    kind, place = p.KINDS[search.kind], file.first(syntax.Search) or file.first(syntax.Extends)
    bests = [pick for pick in picks if pick.how == "best"]
    if kind.values == "none" or place is None or scope.report.failed:
        return
    if evaluator is None and bests:
        message = f"the search `{search.kind}` needs values to choose by"
        scope.complain("missing-statement", place, message, "`use EVALUATOR`")
        return
    if kind.values == "position" and not bests:
        message = f"the search `{search.kind}` goes by one value, and no `pick` names one"
        scope.complain("misplaced", nodes[-1] if nodes else place, message, "`pick best`")
        return
    if kind.values == "position":
        bests = bests[_asked_first(evaluator, bests) :]
        picks = picks[len(picks) - len(bests) :]
    if kind.values != "any" and (len(picks) > 1 or picks[0].condition):
        message = f"the search `{search.kind}` goes by one value, so one plain `pick` is enough"
        scope.complain("misplaced", nodes[-1] if nodes else place, message)
    for pick in bests:
        value = evaluator.value(pick.value) if evaluator else None
        of = "move" if value is not None and value.of_move else "position"
        if value is not None and kind.values not in ("any", of):
            message = f"the search `{search.kind}` needs the value of a {kind.values}"
            message = f"{message}, and `{value.name}` is one of a {of}"
            scope.complain("wrong-type", nodes[-1] if nodes else place, message)


def _asked_first(evaluator: Evaluator | None, picks: list[p.Pick]) -> int:
    """How many picks go before the search: by values of moves, each if a condition holds."""
    count = 0
    for pick in picks[:-1]:
        value = evaluator.value(pick.value) if evaluator else None
        if pick.condition is None or value is None or not value.of_move:
            break
        count += 1
    return count


def _read_preferred(draft: Draft) -> tuple[str, ...]:
    scope, node = draft.scope, draft.file.first(syntax.Prefer)
    if node is None:
        return draft.base.prefer if draft.base else ()
    moves = ("none", *(move.name for move in draft.shelf.rules.moves))
    for name in node.moves:
        if name.text not in moves:
            scope.unknown(name, "move", moves)
        if [n.text for n in node.moves].count(name.text) > 1:
            scope.complain("same-twice", node, f"`{name.text}` stands here twice")
    return tuple(name.text for name in node.moves)


def _read_ties(draft: Draft) -> str:
    node = draft.file.first(syntax.Ties)
    if node is None:
        return draft.base.ties if draft.base else "random"
    if node.how.text not in ("random", "first"):
        draft.scope.unknown(node.how, "way to break ties", ("random", "first"))
    return node.how.text


def _read_opening(draft: Draft) -> p.Opening:
    scope, file, evaluator = draft.scope, draft.file, draft.evaluator
    book, chance = file.first(syntax.OpeningMoves), file.first(syntax.OpeningRandom)
    lines = file.first(syntax.OpeningLines)
    if book is not None:
        return p.Opening(turns=book.turns)
    if lines is not None:
        openings = [line.name for line in evaluator.openings] if evaluator else []
        return p.Opening(lines=read_lines(draft, lines.names, openings, "opening", "openings"))
    if chance is None:
        return _inherited_opening(draft)
    if chance.how.text != "random":
        scope.unknown(chance.how, "opening", ("random",), "`opening random 1 turn`")
    if chance.unit.text not in ("turn", "turns"):
        message = f"an opening is not counted in `{chance.unit.text}`"
        scope.complain("unit", chance.unit, message, "its unit is `turns`")
    number = chance.number.value
    if not isinstance(number, int) or not 0 <= number <= 1000:
        message = "an opening has from 0 to 1000 turns"
        scope.complain("out-of-range", chance.number, message)
        number = 0
    return p.Opening(random=number)


def _read_book(draft: Draft) -> tuple[p.BookLine, ...]:
    """Return the lines of the book: those of this file, then inherited ones of other moves."""
    lines = dict[str, p.BookLine]()
    for node in draft.file.all(syntax.BookLine):
        after = " ".join(node.after.split())
        if after in lines:
            draft.scope.complain("repeated-statement", node, f'the book has a line after "{after}"')
        if not all(0 < weight <= p.HEAVIEST for weight in node.weights):
            message = f"the weight of a decision is from 1 to {p.HEAVIEST:,}"
            draft.scope.complain("out-of-range", node, message)
        choices = zip(node.decisions, node.weights, strict=True)
        lines[after] = p.BookLine(after, tuple(choices))
    for line in draft.base.opening.book if draft.base else ():
        lines.setdefault(line.after, line)
    return tuple(lines.values())


def _inherited_opening(draft: Draft) -> p.Opening:
    """Return the inherited opening, without lines that belong to another evaluator."""
    opening, evaluator = draft.base.opening if draft.base else p.Opening(), draft.evaluator
    lines = [n for n in opening.lines if evaluator and evaluator.opening(n)]
    return evolve(opening, lines=tuple(lines))
