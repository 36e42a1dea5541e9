"""How a personality leads its search: what forces, what has to be answered, what is tried first.

In: syntax, and the evaluator whose values are named.  Out: a `Guidance`.  Refuses values that are
not there or of the wrong kind, and words that the search has no use for.
"""

from __future__ import annotations

from typing import TypeAlias

from attrs import define

from rulewright.ground.printable import amount
from rulewright.language import syntax
from rulewright.language.resolve.personality_searches import Searches
from rulewright.model import personality as p
from rulewright.model.rules import Origin

_LED = ("minimax", "alphabeta")
"""The searches that look deeper than a text says, and in an order."""
_SELECTIVE = ("alphabeta",)
"""Those that may overlook something: the others give every decision its exact value."""
_GROWN = ("mcts",)
"""Those that play random games."""
_ORDERED = (*_LED, *_GROWN)
_Named: TypeAlias = (
    syntax.Forcing | syntax.Order | syntax.Passing | syntax.Must | syntax.Threats
    | syntax.ConsiderValue | syntax.Policy | syntax.Drawn | syntax.Decided
    | syntax.Hopeless
)  # fmt: skip
_Word: TypeAlias = _Named | syntax.Reduce | syntax.Replies
_FORM = "`consider VALUE, most 14 else all`"


@define
class Guided(Searches):
    """The statements of one file, with those that lead its search."""

    def _guidance(self, search: p.Search) -> p.Guidance:
        base = self._inherited(search)
        forcing, reach = base.forcing, base.reach
        node = self.first(syntax.Forcing)
        if node is not None:
            forcing, reach = self._named(node, "move", search, _LED), self._reach(node.reach)
        order, passing = base.order, base.passing
        first = self.first(syntax.Order)
        if first is not None:
            order = self._named(first, "move", search, _ORDERED)
        passes = self.first(syntax.Passing)
        if passes is not None:
            passing = self._named(passes, "position", search, _SELECTIVE)
        late, bold = self._reduced(search, base)
        if search.kind not in _SELECTIVE:
            passing = ""
        must, threats = self._answers(search, base)
        consider, most = self._considered_value(search, base)
        policy, heaviest = self._policy(search, base)
        drawn, decided, hopeless = (
            base_name if node is None else self._named(node, "position", search, _LED)
            for base_name, node in (
                (base.drawn, self.first(syntax.Drawn)),
                (base.decided, self.first(syntax.Decided)),
                (base.hopeless, self.first(syntax.Hopeless)),
            )
        )
        return p.Guidance(
            forcing, reach, order, passing, late, bold, must, threats, consider, most, policy,
            heaviest, self._replies(search, base), drawn, decided, hopeless,
        )  # fmt: skip

    def _led_from(self) -> dict[str, Origin]:
        """Where the words stand that a proof may believe."""
        values = dict(self.base.leading) if self.base else {}
        for kind in (syntax.Must, syntax.Drawn, syntax.Decided, syntax.Hopeless):
            node = self.first(kind)
            if node is not None:
                values[self.once[kind]] = self.scope.origins[self.scope.origin(node)]
        return values

    def _reduced(self, search: p.Search, base: p.Guidance) -> tuple[bool, bool]:
        """Whether decisions are searched less deep, and boldly so."""
        node, kinds = self.first(syntax.Reduce), ("late", "boldly")
        late, bold = base.late, base.bold
        if node is not None:
            late, bold = True, node.what.text == "boldly"
            self._fits_search(node, search, _SELECTIVE)
            if node.what.text not in kinds:
                self.scope.unknown(node.what, "way to reduce", kinds, "`reduce late`")
        return (late, bold) if search.kind in _SELECTIVE else (False, False)

    def _inherited(self, search: p.Search) -> p.Guidance:
        """What it extends says, where that search and its own are led by the same words."""
        base = self.base
        if base is None or search.kind not in _ORDERED:
            return p.Guidance()
        alike = (search.kind in _GROWN) == (base.search.kind in _GROWN)
        return base.guidance if alike else p.Guidance()

    def _policy(self, search: p.Search, base: p.Guidance) -> tuple[str, int]:
        """The value of moves by which random games decide, and its most."""
        node = self.first(syntax.Policy)
        if node is None:
            return base.policy, base.heaviest
        heaviest = self._whole(node.most, "most", "policy VALUE, most 4", p.HEAVIEST, 1)
        return self._named(node, "move", search, _GROWN), heaviest

    def _replies(self, search: p.Search, base: p.Guidance) -> tuple[str, ...]:
        """The lines by which random games answer the last decisions."""
        node = self.first(syntax.Replies)
        if node is None:
            return tuple(n for n in base.replies if self.evaluator and self.evaluator.reply(n))
        self._fits_search(node, search, _GROWN)
        known = [line.name for line in self.evaluator.replies] if self.evaluator else []
        return self._line_names(node.names, known, "reply", "replies")

    def _answers(self, search: p.Search, base: p.Guidance) -> tuple[str, str]:
        """What has to be answered, and what threatens; the second needs the first."""
        must, threats = base.must, base.threats
        answer, threat = self.first(syntax.Must), self.first(syntax.Threats)
        if answer is not None:
            must = self._named(answer, "move", search, _LED)
        if threat is not None:
            threats = self._named(threat, "move", search, _SELECTIVE)
            if answer is None and not must:
                message = "`threats` needs to know what answers them"
                self.scope.complain("missing-statement", threat, message, "`must VALUE`")
        return must, threats if search.kind in _SELECTIVE else ""

    def _considered_value(self, search: p.Search, base: p.Guidance) -> tuple[str, int]:
        """The value of moves that narrows decisions, and to how many."""
        node = self.first(syntax.ConsiderValue)
        if node is None:
            patterns = self.first(syntax.Consider) is not None
            return ("", p.MOST_CONSIDERED) if patterns else (base.consider, base.most)
        if node.otherwise is not None and node.otherwise.text != "all":
            message = "where nothing is worth more than 0 `all` decisions are looked at"
            self.scope.complain("unknown-word", node.otherwise, message, _FORM)
        again = self.first(syntax.Consider)
        if again is not None:
            message = "patterns or a value narrow a search, not both"
            self.scope.complain("repeated-statement", again, message)
        most = self._most(node.most) if node.most is not None else p.MOST_CONSIDERED
        return self._named(node, "move", search, _ORDERED), most

    def _named(
        self,
        node: _Named,
        of: str,
        search: p.Search,
        kinds: tuple[str, ...],
    ) -> str:
        """The value that a statement names; it must be one of moves or of positions."""
        self._fits_search(node, search, kinds)
        if not self._is_value(node.value):
            return ""
        assert self.evaluator is not None
        value = self.evaluator.value(node.value.text)
        assert value is not None
        if value.of_move != (of == "move"):
            has = "move" if value.of_move else "position"
            word = self.once[type(node)]
            message = f"`{word}` needs the value of a {of}, and `{value.name}` is one of a {has}"
            self.scope.complain("wrong-type", node.value, message)
        elif len(value.parts) > 1:
            message = (
                f"`{value.name}` has {amount(len(value.parts), 'part')}; one number is needed here"
            )
            self.scope.complain("wrong-type", node.value, message)
        return value.name

    def _fits_search(self, node: _Word, search: p.Search, kinds: tuple[str, ...]) -> None:
        if search.kind not in kinds:
            word, known = self.once[type(node)], " or ".join(f"`{kind}`" for kind in kinds)
            message = f"the search `{search.kind}` has no use for `{word}`"
            self.scope.complain("misplaced", node, message, f"it leads {known}")

    def _reach(self, node: syntax.Limit | None) -> int:
        """How many forcing decisions are followed one behind the other."""
        default = p.Guidance().reach
        return self._whole(node, "depth", "forcing VALUE, depth 8", p.MOST_FOLLOWED, default)

    def _whole(
        self, node: syntax.Limit | None, word: str, form: str, most: int, default: int
    ) -> int:
        """The number behind a word, from 1 to *most*, without a unit."""
        if node is None:
            return default
        value = node.value
        if node.name.text != word:
            message = f"`{word}` is expected here, not `{node.name.text}`"
            self.scope.complain("unknown-word", node.name, message, f"`{form}`")
        elif isinstance(value, syntax.Name) or value.percent or not isinstance(value.value, int):
            self.scope.complain("wrong-type", value, f"`{word}` is a whole number")
        elif node.unit is not None:
            self.scope.complain("unit", node.unit, f"`{word}` has no unit here", f"`{form}`")
        elif not 1 <= value.value <= most:
            message = f"{value.value} lies outside the range 1..{most} of `{word}`"
            self.scope.complain("out-of-range", value, message)
        else:
            return value.value
        return default

    def _line_names(
        self, names: tuple[syntax.Name, ...], known: list[str], what: str, whats: str
    ) -> tuple[str, ...]:
        """Lines that the evaluator has."""
        for number, name in enumerate(names):
            if name.text in [earlier.text for earlier in names[:number]]:
                self.scope.complain("same-twice", name, f"`{name.text}` stands here twice")
            if name.text not in known and not self._evaluator_lost():
                advice = "say which evaluator: `use NAME`"
                if self.evaluator is not None and not known:
                    advice = f"`{self.evaluator.name}` has no {whats}"
                self.scope.unknown(name, what, known, advice if not known else "")
        return tuple(name.text for name in names)

    def _evaluator_lost(self) -> bool:
        """Whether what is wrong with the evaluator is reported elsewhere."""
        said = self.first(syntax.Use) or self.first(syntax.Extends)
        return bool({"use", "extends"} & self.tree.missing) or (
            self.evaluator is None and said is not None
        )

    def _is_value(self, name: syntax.Name) -> bool:
        if self.evaluator is None:
            advice = "say which evaluator: `use NAME`"
            if not (self.first(syntax.Use) or self.first(syntax.Extends)):
                self.scope.unknown(name, "value", (), advice)
            return False
        if self.evaluator.value(name.text) is None:
            known = [v.name for v in self.evaluator.values]
            there = ", ".join(f"`{k}`" for k in known)
            self.scope.unknown(name, "value", known, f"`{self.evaluator.name}` has {there}")
            return False
        return True
