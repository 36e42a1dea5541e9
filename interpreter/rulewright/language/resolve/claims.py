"""Claims: what a file says of itself, and which properties it leaves untested.

In: the statements, and what has read the rest of the file.  Out: the model's claims.  Refuses words
that nothing can be claimed with, options that are not there or out of their range, players that
do not play; properties that there are not, or that are left out twice or without a reason.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rulewright.errors import OptionError
from rulewright.ground.records import Record, record
from rulewright.language import syntax
from rulewright.language.diagnostics import Collector, did_you_mean
from rulewright.language.resolve.options import setting_of
from rulewright.language.resolve.scope import SYMMETRIES, Scope, is_unknown
from rulewright.language.resolve.values import constant_value, read_closed
from rulewright.model import rules as r
from rulewright.model.expressions import Expr, Type

NOBODY = "nobody"
_WORDS: dict[str, tuple[str, ...]] = {
    "never": ("draws",), "bound": ("ends",), "symmetric": SYMMETRIES,
    "perft": ("turns", "decisions"),
}  # fmt: skip
OFF_BOARD = "off-board"


@record
class Claims(Record):
    """Reads the claims of one file."""

    scope: Scope
    options: Sequence[r.OptionValue]

    def read(self, nodes: Sequence[syntax.Claim]) -> tuple[r.Claim, ...]:
        """The claims that can be understood."""
        return tuple(claim for claim in map(self._claim, nodes) if claim)

    def _claim(self, node: syntax.Claim) -> r.Claim | None:
        scope, what = self.scope, node.what.text if node.what else ""
        if not self._names_known_words(node, what):
            return None
        if any(number < 0 for number in node.numbers):
            message = "perft counts decisions: its numbers are whole, and below 10^18"
            scope.complain("out-of-range", node, message)
            return None
        settings = tuple(filter(None, map(self._setting, node.chosen)))
        value = None
        if node.value is not None:
            type_ = Type.INT if node.kind == "bound" else Type.TRUTH
            value = self._value(node.value, type_, elsewhere=bool(settings))
            if is_unknown(value) and not settings:
                return None
        origin = scope.origin(node)
        return r.Claim(
            node.kind, what, value, node.numbers, node.swap, origin, node.moves, node.decision,
            settings,
        )  # fmt: skip

    def _value(self, node: syntax.Expr, type_: Type, *, elsewhere: bool) -> Expr:
        """What is claimed.  It may name sites of other boards where it is about one (*elsewhere*).

        With options of a caller nothing is complained of: the file as it stands is told.
        """
        scope, report = self.scope, self.scope.report
        scope.report = aside = Collector()
        value = read_closed(scope, node, type_)
        scope.report = report
        if not self.scope.settings_given:
            for diagnostic in aside.diagnostics:
                if not (elsewhere and diagnostic.code == OFF_BOARD):
                    report(diagnostic)
        return value

    def _names_known_words(self, node: syntax.Claim, what: str) -> bool:
        """Whether the words of a claim are known; reports it if not."""
        if node.swap and len(self.scope.players) == 1:
            message = "a puzzle has one player, who has nobody to exchange sides with"
            self.scope.complain("misplaced", node, message, "leave `swap sides` out")
            return False
        wins = node.kind == "wins"
        words = (*self.scope.players, NOBODY) if wins else _WORDS.get(node.kind, ())
        if node.what is not None and what not in words:
            return self._unclaimed(node.what, words)
        if node.verb is not None and node.verb.text != "wins":
            return self._unclaimed(node.verb, ("wins",))
        return True

    def _unclaimed(self, word: syntax.Name, words: Sequence[str]) -> bool:
        advice = did_you_mean(word.text, words) or f"expected {' or '.join(words)}"
        message = f"`{word.text}` cannot be claimed here"
        self.scope.complain("unknown-word", word, message, advice)
        return False

    def _setting(self, node: syntax.WithOption) -> tuple[str, int | float | bool] | None:
        """An option that a claim sets, with its value."""
        scope, name = self.scope, node.name.text
        option = next((o for o in self.options if o.name == name), None)
        if option is None:
            scope.unknown(node.name, "option", [o.name for o in self.options])
            return None
        value = constant_value(scope, read_closed(scope, node.value, Type.UNKNOWN), node.value)
        if value is None:
            return None
        try:
            low, high = option.low, option.high
            return name, setting_of(name, value, option.default, low, high)  # type: ignore[arg-type]
        except OptionError as error:
            scope.complain("out-of-range", node.value, str(error))
            return None


def left_out(
    nodes: Sequence[syntax.Untested], properties: Collection[str], scope: Scope
) -> tuple[r.Untested, ...]:
    """The properties that the statements name; reports what is wrong with them."""
    untested: dict[str, r.Untested] = {}
    for node in nodes:
        name = node.what.text
        if name not in properties:
            scope.unknown(node.what, "property", sorted(properties))
        elif name in untested:
            scope.complain("repeated-statement", node, f"`{name}` is left out already")
        elif not node.reason.strip():
            message = f"say why `{name}` is not tested"
            scope.complain("notation", node, message, f'`untested {name} "the reason"`')
        else:
            untested[name] = r.Untested(name, node.reason.strip(), scope.origin(node))
    return tuple(untested.values())
