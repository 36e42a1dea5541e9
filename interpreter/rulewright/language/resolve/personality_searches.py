"""What a personality stands on, and its search with its settings.

In: syntax, and ways to find evaluators and other personalities.  Out: a `Search` whose settings are
known, in range, and of the unit they need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import define

from rulewright.ground.records import Record, record
from rulewright.language import syntax
from rulewright.language.resolve.scope import Scope
from rulewright.language.resolve.statements import FileStatements
from rulewright.model import personality as p
from rulewright.model import rules as r
from rulewright.model.evaluation import Evaluator
from rulewright.model.look import Look
from rulewright.model.patterns import Patterns

CONSIDERING = ("minimax", "alphabeta", *p.FOR_SEVERAL)
"""The searches that patterns can narrow."""
_FORM = "`consider patterns NAME, most 14 else all`"
OTHERWISE = {"all": 0, "one": 1}
"""How many decisions are looked at where no pattern fires, 0 for all."""


@record
class FoundFile(Record):
    """A file that was looked for: the name of the file, and its model unless it has mistakes.

    `other_game` is the game it is for when that is another one, `base` the same when the game
    extends it, `cycle` the way back to its start.
    """

    file: str
    model: Evaluator | p.Personality | Patterns | Look | None
    other_game: str = ""
    cycle: str = ""
    base: str = ""


@record
class PersonalityShelf(Record):
    """Finds the files that a personality names; other personalities by the way that led there."""

    rules: r.Rules
    evaluator: Callable[[str], FoundFile | None]
    personality: Callable[[str, tuple[str, ...]], FoundFile | None]
    patterns: Callable[[str], FoundFile | None]
    names_of: Callable[[str], Iterable[str]]
    """The names of the files there are of a kind: `eval`, `personality`, `patterns`."""


@define
class Draft:
    """A personality while it is read: its statements, and what it builds upon."""

    file: FileStatements
    scope: Scope
    shelf: PersonalityShelf
    base: p.Personality | None = None
    evaluator: Evaluator | None = None


def read_search(draft: Draft) -> p.Search:
    """Read the search, or take that of the base."""
    scope, file = draft.scope, draft.file
    node = file.first(syntax.Search)
    if node is None:
        if draft.base:
            return draft.base.search
        head = file.first(syntax.PersonalityName)
        built = file.first(syntax.Extends) is not None or "extends" in file.tree.missing
        if head is not None and not built and "search" not in file.tree.missing:
            message = "this personality has no search"
            scope.complain("missing-statement", head, message, "`search one_ply`")
        return p.Search("one_ply")
    kind = p.KINDS.get(node.kind.text)
    if kind is None:
        scope.unknown(node.kind, "search", p.KINDS)
        return p.Search("one_ply")
    settings: dict[str, p.Setting] = {}
    for limit in node.limits:
        setting = _read_limit(draft, limit, node.kind.text, kind)
        if setting is not None and setting.name in settings:
            message = f"`{setting.name}` is set twice"
            scope.complain("repeated-statement", limit, message)
        elif setting is not None:
            settings[setting.name] = setting
    limits = {limit.name.text for limit in node.limits}
    missing = [name for name in kind.needed if name not in limits]
    if missing and not scope.report.failed:
        message = f"the search `{node.kind.text}` needs `{missing[0]}`"
        advice = f"`search {node.kind.text}, {missing[0]} 3`"
        scope.complain("missing-statement", node.kind, message, advice)
    _check_proof(scope, node, settings)
    _check_seats(draft, node, settings)
    return p.Search(node.kind.text, tuple(settings.values()))


def _check_proof(scope: Scope, node: syntax.Search, settings: dict[str, p.Setting]) -> None:
    """A proof asks who wins, which decides nothing where ends are valued."""
    ends = settings.get("ends")
    if "prove" in settings and ends is not None and ends.value == "valued":
        limit = next(limit for limit in node.limits if limit.name.text == "prove")
        message = "a search that judges ends like all positions proves nothing"
        scope.complain("misplaced", limit, message, "leave out `prove` or `ends valued`")


def _check_seats(draft: Draft, node: syntax.Search, settings: dict[str, p.Setting]) -> None:
    """Report a search of one or two players in a game of more, and a depth it cannot count."""
    kind, depth = node.kind.text, settings.get("depth")
    if kind in p.FOR_TWO and draft.shelf.rules.has_several:
        message = f"`{kind}` is for one or two players, and this game has more"
        advice = f"there is {' or '.join(p.FOR_SEVERAL)}"
        draft.scope.complain("which-players", node.kind, message, advice)
    if kind in p.FOR_SEVERAL and depth is not None and depth.unit == "turns":
        limit = next(limit for limit in node.limits if limit.name.text == "depth")
        message = f"`{kind}` counts decisions, not turns"
        draft.scope.complain("misplaced", limit, message, f"`search {kind}, depth 2`")


def read_consider(draft: Draft, search: p.Search) -> p.Consider | None:
    """Read which patterns narrow the search."""
    scope, file, shelf = draft.scope, draft.file, draft.shelf
    node = file.first(syntax.Consider)
    if node is None:
        fits = search.kind in CONSIDERING and file.first(syntax.ConsiderValue) is None
        return draft.base.consider if draft.base and fits else None
    if node.what.text != "patterns":
        message = f"`patterns` is expected here, not `{node.what.text}`"
        scope.complain("unknown-word", node.what, message, _FORM)
    otherwise = node.otherwise.text if node.otherwise is not None else "all"
    if node.otherwise is not None and otherwise not in OTHERWISE:
        message = "where no pattern fires, the search looks at `all` decisions, or at `one`"
        scope.complain("unknown-word", node.otherwise, message, _FORM)
    if search.kind not in CONSIDERING:
        message = f"the search `{search.kind}` looks at all decisions"
        kinds = " or ".join(f"`{kind}`" for kind in CONSIDERING)
        scope.complain("misplaced", node, message, f"patterns narrow {kinds}")
    most = read_most(scope, node.most) if node.most is not None else p.MOST_CONSIDERED
    patterns = shelf.patterns(node.name.text)
    if patterns is None:
        files = shelf.names_of("patterns")
        file.complain_missing("pattern file", node.name, shelf.rules.name, files)
    elif not isinstance(patterns.model, Patterns):
        message = f"the patterns `{node.name.text}` have mistakes of their own"
        scope.complain("other-file", node.name, message, f"check {patterns.file}")
    else:
        return p.Consider(patterns.model, most, OTHERWISE.get(otherwise, 0))
    return None


def read_most(scope: Scope, node: syntax.Limit) -> int:
    """Read how many decisions are considered at the most."""
    value = node.value
    if node.name.text != "most":
        message = f"`most` is expected here, not `{node.name.text}`"
        scope.complain("unknown-word", node.name, message, _FORM)
    elif isinstance(value, syntax.Name) or value.percent or not isinstance(value.value, int):
        scope.complain("wrong-type", value, "`most` is a whole number")
    elif node.unit is not None:
        scope.complain("unit", node.unit, "`most` has no unit", _FORM)
    elif not 1 <= value.value <= p.MOST_CONSIDERED:
        message = f"{value.value} lies outside the range 1..{p.MOST_CONSIDERED} of `most`"
        scope.complain("out-of-range", value, message)
    else:
        return value.value
    return p.MOST_CONSIDERED


def _read_limit(
    draft: Draft, node: syntax.Limit, search: str, kind: p.SearchKind
) -> p.Setting | None:
    scope, name = draft.scope, node.name.text
    if name not in kind.settings:
        if name in p.SETTINGS:
            message = f"the search `{search}` takes no `{name}`"
            takes = ", ".join(kind.settings) or "nothing"
            scope.complain("unknown-word", node.name, message, f"it takes {takes}")
        else:
            scope.unknown(node.name, "setting of a search", kind.settings)
        return None
    if name == "ends":
        return _read_ends(scope, node)
    unit = _read_unit(scope, node, name)
    if isinstance(node.value, syntax.Name):
        return _by_factor(draft, node.value, name, unit)
    return _by_number(scope, node.value, name, unit)


def _read_ends(scope: Scope, node: syntax.Limit) -> p.Setting | None:
    words = ("decided", "valued")
    if not isinstance(node.value, syntax.Name) or node.value.text not in words:
        message = "`ends` is `decided` (a win counts above every value) or `valued`"
        scope.complain("unknown-word", node.value, message)
        return None
    return p.Setting("ends", node.value.text)


def _read_unit(scope: Scope, node: syntax.Limit, name: str) -> str:
    units = p.SETTINGS[name].units
    if node.unit is None:
        return units[0]
    single = {"turn": "turns", "decision": "decisions", "node": "nodes"}
    unit = single.get(node.unit.text, node.unit.text)
    if unit not in units:
        message = f"`{name}` is not counted in `{node.unit.text}`"
        alternatives = " or ".join(f"`{u}`" for u in units)
        scope.complain("unit", node.unit, message, f"its unit is {alternatives}")
    return unit


def _about_percent(name: str, unit: str) -> str:
    """Say whether a setting counted in *unit* is a percentage."""
    return f"`{name}` is a percentage" if unit == "%" else f"`{name}` is no percentage"


def _by_number(scope: Scope, node: syntax.Quantity, name: str, unit: str) -> p.Setting | None:
    shown = scope.text_of(node)
    if node.percent != (unit == "%"):
        message = _about_percent(name, unit)
        advice = f"is {shown}% meant?" if unit == "%" else ""
        scope.complain("unit", node, message, advice)
        return None
    if name != "time" and unit != "%" and not isinstance(node.value, int):
        scope.complain("wrong-type", node, f"`{name}` is a whole number")
        return None
    low, high = p.SETTINGS[name].least, p.SETTINGS[name].most
    if not low <= node.value <= high:
        limits = f"{low * 100:g}%..{high * 100:g}%" if unit == "%" else f"{low:g}..{high:g}"
        message = f"{shown} lies outside the range {limits} of `{name}`"
        scope.complain("out-of-range", node, message)
        return None
    return p.Setting(name, node.value, unit)


def _by_factor(draft: Draft, node: syntax.Name, name: str, unit: str) -> p.Setting | None:
    scope, factors = draft.scope, draft.evaluator.factors if draft.evaluator else ()
    index = next((i for i, f in enumerate(factors) if f.name == node.text), None)
    if index is None:
        scope.unknown(node, "factor", [f.name for f in factors])
        return None
    factor = factors[index]
    if factor.percent != (unit == "%"):
        message = _about_percent(name, unit)
        message = (
            f"{message}, and the factor `{node.text}` is {'one' if factor.percent else 'none'}"
        )
        scope.complain("unit", node, message)
        return None
    if unit != "%" and name != "time" and not factor.whole:
        message = f"`{name}` is a whole number, and `{node.text}` need not be"
        scope.complain("wrong-type", node, message)
        return None
    if not (p.SETTINGS[name].least <= factor.low and factor.high <= p.SETTINGS[name].most):
        message = f"the range {factor.range} of `{node.text}` is too wide for `{name}`"
        scope.complain("out-of-range", node, message)
        return None
    return p.Setting(name, node.text, unit, index)


def check_asked(draft: Draft, personality: p.Personality) -> None:
    """Report factors that are set and reach neither the formulas nor the search."""
    scope, file = draft.scope, draft.file
    if personality.evaluator is None:
        return
    named = {s.factor for s in personality.search.settings}
    led = personality.guidance != p.Guidance() or personality.opening.lines
    judges = p.KINDS[personality.search.kind].values != "none" or bool(led) or scope.report.failed
    for node in file.all(syntax.Setting):
        for index, factor in enumerate(personality.evaluator.factors):
            if factor.name != node.name.text or index in named:
                continue
            if factor.for_search:
                message = f"the search does not look at `{factor.name}`"
                advice = f"name the factor in the search: `search ..., depth {factor.name}`"
                scope.complain("unused-name", node.name, message, advice)
            elif not judges:
                _not_asked(scope, node.name, personality.search.kind)
    use = file.first(syntax.Use)
    if use is not None and not judges and named <= {None}:
        _not_asked(scope, use, personality.search.kind)


def _not_asked(scope: Scope, node: syntax.Node, kind: str) -> None:
    message = f"the search `{kind}` asks no evaluator, so this changes nothing"
    scope.complain("unused-name", node, message)
