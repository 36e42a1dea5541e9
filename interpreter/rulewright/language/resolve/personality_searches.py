"""What a personality stands on, and its search with its settings.

In: syntax, and ways to find evaluators and other personalities.  Out: a `Search` whose settings are
known, in range, and of the unit they need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from attrs import define, field

from rulewright.ground.records import Record, record
from rulewright.language import syntax
from rulewright.language.resolve.scope import Scope
from rulewright.language.resolve.statements import FileStatements
from rulewright.model import personality as p
from rulewright.model import rules as r
from rulewright.model.evaluation import Evaluator
from rulewright.model.patterns import Patterns

CONSIDERING = ("minimax", "alphabeta")
"""The searches that patterns can narrow."""
_FORM = "`consider patterns NAME, most 14 else all`"
OTHERWISE = {"all": 0, "one": 1}
"""How many decisions are looked at where no pattern fires, 0 for all."""


@record
class FoundFile(Record):
    """A file that was looked for: the name of the file, and its model unless it has mistakes.

    `other_game` is the game it is for when that is another one, `cycle` the way back to its start.
    """

    file: str
    model: Evaluator | p.Personality | Patterns | None
    other_game: str = ""
    cycle: str = ""


@record
class PersonalityShelf(Record):
    """Where files are found: evaluators and patterns by name, personalities also by the way."""

    rules: r.Rules
    evaluator: Callable[[str], FoundFile | None]
    personality: Callable[[str, tuple[str, ...]], FoundFile | None]
    patterns: Callable[[str], FoundFile | None]
    known: Callable[[str], Iterable[str]]
    """The names of the files there are of a kind: `eval`, `personality`, `patterns`."""


@define
class Searches(FileStatements):
    """The statements of one file, what it builds upon, and its search."""

    tree: syntax.Personality
    scope: Scope
    shelf: PersonalityShelf
    way: tuple[str, ...]
    base: p.Personality | None = None
    evaluator: Evaluator | None = None
    given: dict[str, p.Number] = field(factory=dict)

    @property
    def _stem(self) -> str:
        """The name of the file without its kind."""
        return Path(self.scope.source.name).stem

    def _search(self) -> p.Search:
        node = self.first(syntax.Search)
        if node is None:
            if self.base:
                return self.base.search
            head = self.first(syntax.PersonalityName)
            built = self.first(syntax.Extends) is not None or "extends" in self.tree.missing
            if head is not None and not built and "search" not in self.tree.missing:
                message = "this personality has no search"
                self.scope.complain("missing-statement", head, message, "`search one_ply`")
            return p.Search("one_ply")
        kind = p.KINDS.get(node.kind.text)
        if kind is None:
            self.scope.unknown(node.kind, "search", p.KINDS, f"there is {', '.join(p.KINDS)}")
            return p.Search("one_ply")
        settings: dict[str, p.Setting] = {}
        for limit in node.limits:
            setting = self._limit(limit, node.kind.text, kind)
            if setting is not None and setting.name in settings:
                message = f"`{setting.name}` is set twice"
                self.scope.complain("repeated-statement", limit, message)
            elif setting is not None:
                settings[setting.name] = setting
        given = {limit.name.text for limit in node.limits}
        missing = [name for name in kind.needed if name not in given]
        if missing and not self.scope.report.failed:
            message = f"the search `{node.kind.text}` needs `{missing[0]}`"
            advice = f"`search {node.kind.text}, {missing[0]} 3`"
            self.scope.complain("missing-statement", node.kind, message, advice)
        self._check_proof(node, settings)
        return p.Search(node.kind.text, tuple(settings.values()))

    def _check_proof(self, node: syntax.Search, settings: dict[str, p.Setting]) -> None:
        """A proof asks who wins, which decides nothing where ends are valued."""
        ends = settings.get("ends")
        if "prove" in settings and ends is not None and ends.value == "valued":
            limit = next(limit for limit in node.limits if limit.name.text == "prove")
            message = "nothing is proven where ends are judged like all positions"
            self.scope.complain("misplaced", limit, message, "leave out `prove` or `ends valued`")

    def _consider(self, search: p.Search) -> p.Consider | None:
        node = self.first(syntax.Consider)
        if node is None:
            fits = search.kind in CONSIDERING and self.first(syntax.ConsiderValue) is None
            return self.base.consider if self.base and fits else None
        if node.what.text != "patterns":
            message = f"`patterns` is expected here, not `{node.what.text}`"
            self.scope.complain("unknown-word", node.what, message, _FORM)
        otherwise = node.otherwise.text if node.otherwise is not None else "all"
        if node.otherwise is not None and otherwise not in OTHERWISE:
            message = "where no pattern fires `all` decisions are looked at, or `one`"
            self.scope.complain("unknown-word", node.otherwise, message, _FORM)
        if search.kind not in CONSIDERING:
            message = f"the search `{search.kind}` looks at all decisions"
            known = " or ".join(f"`{kind}`" for kind in CONSIDERING)
            self.scope.complain("misplaced", node, message, f"patterns narrow {known}")
        most = self._most(node.most) if node.most is not None else p.MOST_CONSIDERED
        file = self.shelf.patterns(node.name.text)
        if file is None:
            there = self.shelf.known("patterns")
            self._not_found("pattern file", node.name, self.shelf.rules.name, there)
        elif not isinstance(file.model, Patterns):
            message = f"the patterns `{node.name.text}` have mistakes of their own"
            self.scope.complain("other-file", node.name, message, f"check {file.file}")
        else:
            return p.Consider(file.model, most, OTHERWISE.get(otherwise, 0))
        return None

    def _most(self, node: syntax.Limit) -> int:
        value = node.value
        if node.name.text != "most":
            message = f"`most` is expected here, not `{node.name.text}`"
            self.scope.complain("unknown-word", node.name, message, _FORM)
        elif isinstance(value, syntax.Name) or value.percent or not isinstance(value.value, int):
            self.scope.complain("wrong-type", value, "`most` is a whole number")
        elif node.unit is not None:
            self.scope.complain("unit", node.unit, "`most` has no unit", _FORM)
        elif not 1 <= value.value <= p.MOST_CONSIDERED:
            message = f"{value.value} lies outside the range 1..{p.MOST_CONSIDERED} of `most`"
            self.scope.complain("out-of-range", value, message)
        else:
            return value.value
        return p.MOST_CONSIDERED

    def _limit(self, node: syntax.Limit, search: str, kind: p.SearchKind) -> p.Setting | None:
        name = node.name.text
        if name not in kind.settings:
            if name in p.SETTINGS:
                message = f"the search `{search}` takes no `{name}`"
                takes = ", ".join(kind.settings) or "nothing"
                self.scope.complain("unknown-word", node.name, message, f"it takes {takes}")
            else:
                self.scope.unknown(node.name, "setting of a search", kind.settings)
            return None
        if name == "ends":
            return self._ends(node)
        unit = self._unit(node, name)
        if isinstance(node.value, syntax.Name):
            return self._by_factor(node.value, name, unit)
        return self._by_number(node.value, name, unit)

    def _ends(self, node: syntax.Limit) -> p.Setting | None:
        words = ("decided", "valued")
        if not isinstance(node.value, syntax.Name) or node.value.text not in words:
            message = "`ends` is `decided` (a win counts above every value) or `valued`"
            self.scope.complain("unknown-word", node.value, message)
            return None
        return p.Setting("ends", node.value.text)

    def _unit(self, node: syntax.Limit, name: str) -> str:
        units = p.SETTINGS[name].units
        if node.unit is None:
            return units[0]
        single = {"turn": "turns", "decision": "decisions", "node": "nodes"}
        unit = single.get(node.unit.text, node.unit.text)
        if unit not in units:
            message = f"`{name}` is not counted in `{node.unit.text}`"
            known = " or ".join(f"`{u}`" for u in units)
            self.scope.complain("unit", node.unit, message, f"its unit is {known}")
        return unit

    def _by_number(self, node: syntax.Quantity, name: str, unit: str) -> p.Setting | None:
        shown = self._shown(node)
        if node.percent != (unit == "%"):
            message = f"`{name}` is {'' if unit == '%' else 'not '}a percentage"
            advice = f"is {shown}% meant?" if unit == "%" else ""
            self.scope.complain("unit", node, message, advice)
            return None
        if name != "time" and unit != "%" and not isinstance(node.value, int):
            self.scope.complain("wrong-type", node, f"`{name}` is a whole number")
            return None
        low, high = p.SETTINGS[name].least, p.SETTINGS[name].most
        if not low <= node.value <= high:
            limits = f"{low * 100:g}%..{high * 100:g}%" if unit == "%" else f"{low:g}..{high:g}"
            message = f"{shown} lies outside the range {limits} of `{name}`"
            self.scope.complain("out-of-range", node, message)
            return None
        return p.Setting(name, node.value, unit)

    def _by_factor(self, node: syntax.Name, name: str, unit: str) -> p.Setting | None:
        factors = self.evaluator.factors if self.evaluator else ()
        index = next((i for i, f in enumerate(factors) if f.name == node.text), None)
        if index is None:
            self.scope.unknown(node, "factor", [f.name for f in factors])
            return None
        factor = factors[index]
        if factor.percent != (unit == "%"):
            message = f"`{name}` is {'' if unit == '%' else 'not '}a percentage"
            message = (
                f"{message}, and the factor `{node.text}` is {'one' if factor.percent else 'none'}"
            )
            self.scope.complain("unit", node, message)
            return None
        if unit != "%" and name != "time" and not factor.whole:
            message = f"`{name}` is a whole number, and `{node.text}` need not be"
            self.scope.complain("wrong-type", node, message)
            return None
        if not (p.SETTINGS[name].least <= factor.low and factor.high <= p.SETTINGS[name].most):
            message = f"the range {factor.range} of `{node.text}` is too wide for `{name}`"
            self.scope.complain("out-of-range", node, message)
            return None
        return p.Setting(name, node.text, unit, index)

    def _check_search(self, made: p.Personality) -> None:
        """Every factor that was set reaches the formulas or the search."""
        if made.evaluator is None:
            return
        named = {s.factor for s in made.search.settings}
        led = made.guidance != p.Guidance() or made.opening.lines
        judges = p.KINDS[made.search.kind].values != "none" or bool(led) or self.scope.report.failed
        for node in self.all(syntax.Setting):
            for index, factor in enumerate(made.evaluator.factors):
                if factor.name != node.name.text or index in named:
                    continue
                if factor.for_search:
                    message = f"the search does not look at `{factor.name}`"
                    advice = f"name it there: `search ..., depth {factor.name}`"
                    self.scope.complain("unused-name", node.name, message, advice)
                elif not judges:
                    self._not_asked(node.name, made.search.kind)
        use = self.first(syntax.Use)
        if use is not None and not judges and named <= {None}:
            self._not_asked(use, made.search.kind)

    def _not_asked(self, node: syntax.Node, kind: str) -> None:
        message = f"the search `{kind}` asks no evaluator, so this changes nothing"
        self.scope.complain("unused-name", node, message)
