"""Personalities: from syntax to the model.

In: syntax, the rules, and ways to find evaluators and other personalities.  Out: the model, or None
when any error was reported.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import define, evolve

from rulewright.language import syntax
from rulewright.language.diagnostics import Collector
from rulewright.language.parse import PERSONALITY
from rulewright.language.resolve.claims import left_out
from rulewright.language.resolve.guidance import Guided
from rulewright.language.resolve.personality_searches import FoundFile, PersonalityShelf
from rulewright.language.resolve.scope import Scope
from rulewright.language.source import Source
from rulewright.model import personality as p
from rulewright.model import properties
from rulewright.model.evaluation import Evaluator, Factor


def resolve_personality(
    tree: syntax.Personality,
    source: Source,
    report: Collector,
    shelf: PersonalityShelf,
    way: tuple[str, ...] = (),
) -> p.Personality | None:
    """Give every statement its meaning; *way* are the personalities that extend this one."""
    scope = Scope.of(tree, source, report, {})
    return _File(tree, scope, shelf, way).resolve()


@define
class _File(Guided):
    """A whole file."""

    form = PERSONALITY.head
    once: ClassVar = {
        syntax.Format: "format", syntax.PersonalityName: "personality", syntax.Extends: "extends",
        syntax.Use: "use", syntax.Search: "search", syntax.Consider: "consider",
        syntax.ConsiderValue: "consider", syntax.Must: "must", syntax.Threats: "threats",
        syntax.Forcing: "forcing", syntax.Order: "order", syntax.Passing: "passing",
        syntax.Policy: "policy", syntax.Replies: "reply",
        syntax.Drawn: "drawn", syntax.Decided: "decided", syntax.Hopeless: "hopeless",
        syntax.Reduce: "reduce", syntax.Prefer: "prefer", syntax.Ties: "ties",
    }  # fmt: skip

    def resolve(self) -> p.Personality | None:
        scope, head = self.scope, self.first(syntax.PersonalityName)
        if self._says_nothing():
            return None
        self._check_head(head, "the personality")
        self._check_statements_once()
        kinds = (syntax.OpeningMoves, syntax.OpeningRandom, syntax.OpeningLines)
        openings = [item for item in self.tree.items if isinstance(item, kinds)]
        for again in openings[1:]:
            scope.complain("repeated-statement", again, "a personality has one `opening`")
        rules = self.shelf.rules
        if head is not None:
            self._check_game("personality", head.game, rules.name)
        name = head.name.text if head else ""
        if head is not None and name in p.RESERVED:
            message = f"`{name}` is {p.RESERVED[name]}, in every game"
            scope.complain("reserved-word", head.name, message, "choose another name")
        self._extend(name)
        self._use()
        self.given = dict(self.base.given) if self.base else {}
        self._settings()
        search = self._search()
        picks = self._picks(search)
        made = p.Personality(
            name,
            rules.name,
            self.evaluator,
            self._factors(),
            search,
            picks,
            self._prefer(),
            self._ties(),
            self._opening(),
            self.given,
            untested=left_out(self.all(syntax.Untested), properties.PERSONALITY, scope),
            consider=self._consider(search),
            guidance=self._guidance(search),
        )
        leading = self._led_from()
        made = evolve(made, leading=leading, places=tuple(scope.origins))
        self._check_search(made)
        return None if scope.report.failed or head is None else made

    # --- what it builds upon ---

    def _extend(self, name: str) -> None:
        node = self.first(syntax.Extends)
        if node is None:
            return
        way = (*self.way, name)
        if node.name.text in way:
            shown = " -> ".join([*way[way.index(node.name.text) :], node.name.text])
            self.scope.complain("cycle", node.name, f"`{node.name.text}` extends itself: {shown}")
            return
        base = self.shelf.personality(node.name.text, way)
        if base is None:
            others = [n for n in self.shelf.known("personality") if n not in (*way, self._stem)]
            self._not_found("personality", node.name, self.shelf.rules.name, others)
        elif self._is_elsewhere(base, node.name, "personality"):
            return
        elif base.cycle:
            self.scope.complain("cycle", node.name, base.cycle)
        elif not isinstance(base.model, p.Personality):
            self._has_mistakes("personality", node.name, base.file)
        else:
            self.base = base.model
            self.evaluator = base.model.evaluator

    def _use(self) -> None:
        node = self.first(syntax.Use)
        if node is None:
            return
        name = node.names[0]
        file = self.shelf.evaluator(name.text)
        if file is None:
            self._not_found("evaluator", name, self.shelf.rules.name, self.shelf.known("eval"))
        elif self._is_elsewhere(file, name, "evaluator"):
            return
        elif not isinstance(file.model, Evaluator):
            self._has_mistakes("evaluator", name, file.file)
        else:
            self.evaluator = file.model

    def _is_elsewhere(self, file: FoundFile, name: syntax.Name, what: str) -> bool:
        """Whether a file is for another game; reports it if so."""
        if file.other_game:
            message = f"`{name.text}` is the {what} of another game, {file.other_game}"
            self.scope.complain("other-game", name, message)
        return bool(file.other_game)

    # --- factors ---

    def _settings(self) -> None:
        known = {f.name: f for f in self.evaluator.factors} if self.evaluator else {}
        seen: set[str] = set()
        for node in self.all(syntax.Setting):
            factor = known.get(node.name.text)
            if node.name.text in seen:
                message = f"`{node.name.text}` is set twice"
                self.scope.complain("repeated-statement", node, message)
            seen.add(node.name.text)
            if factor is None:
                self._no_factor(node.name, known)
            elif self._fits(node, factor):
                self.given[node.name.text] = node.value.value

    def _no_factor(self, name: syntax.Name, known: dict[str, Factor]) -> None:
        if self._evaluator_lost():
            return
        advice = "" if self.evaluator else "say which evaluator: `use NAME`"
        self.scope.unknown(name, "factor", known, advice)

    def _fits(self, node: syntax.Setting, factor: Factor) -> bool:
        value, shown = node.value, self._shown(node.value)
        if value.percent != factor.percent:
            if factor.percent:
                message = f"`{factor.name}` is a percentage, and this has no `%`"
                self.scope.complain("unit", value, message, f"is {shown}% meant?")
            else:
                message = f"`{factor.name}` is no percentage"
                self.scope.complain("unit", value, message, f"its range is {factor.range}")
            return False
        if node.unit is not None and node.unit.text != factor.unit:
            unit = f"`{factor.unit}`" if factor.unit else "no unit"
            message = f"`{factor.name}` has {unit}, and this says `{node.unit.text}`"
            self.scope.complain("unit", node.unit, message)
            return False
        if factor.whole and not isinstance(value.value, int):
            message = f"`{factor.name}` takes whole numbers"
            self.scope.complain("wrong-type", value, message)
            return False
        if not factor.low <= value.value <= factor.high:
            message = f"{shown} lies outside the range {factor.range} of `{factor.name}`"
            self.scope.complain("out-of-range", value, message)
            return False
        return True

    def _factors(self) -> tuple[p.Number, ...]:
        factors = self.evaluator.factors if self.evaluator else ()
        lost = self.given.keys() - {f.name for f in factors}
        use = self.first(syntax.Use)
        if lost and self.base is not None and use is not None:
            message = f"`{self.base.name}` sets `{min(lost)}`, which this evaluator does not have"
            self.scope.complain("unknown-name", use, message)
        return tuple(self.given.get(f.name, f.default) for f in factors)

    # --- choosing ---

    def _picks(self, search: p.Search) -> tuple[p.Pick, ...]:
        nodes = [
            item for item in self.tree.items if isinstance(item, syntax.PickBest | syntax.PickAny)
        ]
        if not nodes and self.base and "pick" not in self.tree.missing:
            picks = self.base.picks
        else:
            picks = tuple(filter(None, (self._pick(node) for node in nodes))) or (p.Pick("best"),)
        self._check_picks(picks, nodes, search)
        self._warn_of_picks(picks, nodes)
        return picks

    def _warn_of_picks(
        self, picks: tuple[p.Pick, ...], nodes: list[syntax.PickBest | syntax.PickAny]
    ) -> None:
        """Tell of lines that may all fail, and of those of another text that are gone."""
        if nodes and all(pick.condition is not None for pick in picks):
            message = "no `pick` decides where no condition holds; any decision is made then"
            self.scope.complain("open-pick", nodes[-1], message, "end with `pick best`")
        if nodes and self.base is not None and len(self.base.picks) > 1:
            gone = ", ".join(f"`{pick}`" for pick in self.base.picks)
            message = f"this replaces every `pick` of `{self.base.name}`: {gone}"
            self.scope.complain(
                "replaced-picks", nodes[0], message, "write those again to keep them"
            )

    def _pick(self, node: syntax.PickBest | syntax.PickAny) -> p.Pick | None:
        if isinstance(node, syntax.PickAny):
            if node.how.text not in ("first", "random"):
                ways = ("best", "first", "random")
                self.scope.unknown(node.how, "way to pick", ways, "there is best, first, random")
                return None
            return p.Pick(node.how.text)
        if node.value is not None and not self._is_value(node.value):
            return None
        value = node.value.text if node.value else ""
        if node.first is None:
            return p.Pick("best", value)
        if not self._is_value(node.first):
            return None
        second = node.second
        if isinstance(second, syntax.Name) and not self._is_value(second):
            return None
        assert second is not None
        other = second.text if isinstance(second, syntax.Name) else second.value
        return p.Pick("best", value, p.PickCondition(node.first.text, node.sign, other))

    def _check_picks(
        self,
        picks: tuple[p.Pick, ...],
        nodes: list[syntax.PickBest | syntax.PickAny],
        search: p.Search,
    ) -> None:
        """A search looks ahead by one value, of the sort that it can use."""
        kind, place = p.KINDS[search.kind], self.first(syntax.Search) or self.first(syntax.Extends)
        bests = [pick for pick in picks if pick.how == "best"]
        if kind.values == "none" or place is None or self.scope.report.failed:
            return
        if self.evaluator is None and bests:
            message = f"the search `{search.kind}` needs values to choose by"
            self.scope.complain("missing-statement", place, message, "`use EVALUATOR`")
            return
        if kind.values == "position":
            bests = bests[self._asked_first(bests) :]
            picks = picks[len(picks) - len(bests) :]
        if kind.values != "any" and (len(picks) > 1 or picks[0].condition):
            message = f"the search `{search.kind}` goes by one value, so one plain `pick` is enough"
            self.scope.complain("misplaced", nodes[-1] if nodes else place, message)
        for pick in bests:
            value = self.evaluator.value(pick.value) if self.evaluator else None
            of = "move" if value is not None and value.of_move else "position"
            if value is not None and kind.values not in ("any", of):
                message = f"the search `{search.kind}` needs the value of a {kind.values}"
                message = f"{message}, and `{value.name}` is one of a {of}"
                self.scope.complain("wrong-type", nodes[-1] if nodes else place, message)

    def _asked_first(self, picks: list[p.Pick]) -> int:
        """How many picks go before the search: by values of moves, each if a condition holds."""
        assert self.evaluator is not None
        count = 0
        for pick in picks[:-1]:
            value = self.evaluator.value(pick.value)
            if pick.condition is None or value is None or not value.of_move:
                break
            count += 1
        return count

    def _prefer(self) -> tuple[str, ...]:
        node = self.first(syntax.Prefer)
        if node is None:
            return self.base.prefer if self.base else ()
        known = ("none", *(move.name for move in self.shelf.rules.moves))
        for name in node.moves:
            if name.text not in known:
                self.scope.unknown(name, "move", known)
            if [n.text for n in node.moves].count(name.text) > 1:
                self.scope.complain("same-twice", node, f"`{name.text}` stands here twice")
        return tuple(name.text for name in node.moves)

    def _ties(self) -> str:
        node = self.first(syntax.Ties)
        if node is None:
            return self.base.ties if self.base else "random"
        if node.how.text not in ("random", "first"):
            self.scope.unknown(node.how, "way to break ties", ("random", "first"))
        return node.how.text

    def _opening(self) -> p.Opening:
        book, chance = self.first(syntax.OpeningMoves), self.first(syntax.OpeningRandom)
        lines = self.first(syntax.OpeningLines)
        if book is not None:
            return p.Opening(turns=book.turns)
        if lines is not None:
            known = [line.name for line in self.evaluator.openings] if self.evaluator else []
            return p.Opening(lines=self._line_names(lines.names, known, "opening", "openings"))
        if chance is None:
            return self._inherited_opening()
        if chance.how.text != "random":
            self.scope.unknown(chance.how, "opening", ("random",), "`opening random 1 turn`")
        if chance.unit.text not in ("turn", "turns"):
            message = f"an opening is not counted in `{chance.unit.text}`"
            self.scope.complain("unit", chance.unit, message, "its unit is `turns`")
        number = chance.number.value
        if not isinstance(number, int) or not 0 <= number <= 1000:
            message = "an opening has from 0 to 1000 turns"
            self.scope.complain("out-of-range", chance.number, message)
            number = 0
        return p.Opening(random=number)

    def _inherited_opening(self) -> p.Opening:
        """What is inherited, without lines that another evaluator has."""
        opening = self.base.opening if self.base else p.Opening()
        kept = [n for n in opening.lines if self.evaluator and self.evaluator.opening(n)]
        return evolve(opening, lines=tuple(kept))
