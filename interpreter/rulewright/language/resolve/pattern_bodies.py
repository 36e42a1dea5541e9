"""The lines of one pattern: from syntax to the model.

In: what begins a pattern and the lines below it.  Out: the pattern, or None when it cannot fire or
any of its lines was reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from attrs import define, field

from rulewright.ground.printable import amount
from rulewright.ground.records import Record, record
from rulewright.language.diagnostics import Collector, did_you_mean
from rulewright.language.source import Source, Span
from rulewright.language.syntax import Name, Node
from rulewright.language.syntax import patterns as syntax
from rulewright.model import patterns as m
from rulewright.model.board import cross
from rulewright.model.patterns import Condition, Spot, Test
from rulewright.model.rules import Rules

MOST_PRIORITY = 99
_TESTS = {test.value: test for test in Test}
_SIGNS = {"o": Test.OWN, "x": Test.OPP, ".": Test.FREE, "#": Test.EDGE}
_PLACES = ("own", "opp", "free", "edge")
_FITS: dict[Test, frozenset[str]] = {
    Test.OWN: frozenset({"own"}), Test.OPP: frozenset({"opp"}), Test.FREE: frozenset({"free"}),
    Test.EDGE: frozenset({"edge"}), Test.STRONG: frozenset({"own", "opp"}),
    Test.WEAK: frozenset({"own", "opp", "free"}), Test.EXISTS: frozenset({"own", "opp"}),
    Test.POSSIBLE: frozenset({"own", "opp", "free"}),
}  # fmt: skip
"""What may stand on a place for a condition about it to hold."""
_COUNTED = {
    Test.ROW: (0, "rows from the border"), Test.LEFT: (1, "places left of the middle"),
    Test.MIDDLE: (0, "places from the middle"),
}  # fmt: skip
"""The least number of a condition that counts, and from where it does."""


@record
class Reporter(Record):
    """Complains about lines of one file."""

    source: Source
    report: Collector

    def __call__(self, code: str, node: Node | Span, message: str, hint: str = "") -> None:
        """Report a mistake at *node*."""
        span = node if isinstance(node, Span) else node.span
        self.source.report(self.report, code, span, message, hint)

    @property
    def failed(self) -> bool:
        """Whether any error was reported."""
        return self.report.failed

    def line(self, node: Node) -> int:
        """The line of *node*."""
        return self.source.line_of(node.span.start)


@define(repr=False, eq=False)
class Body(Record):
    """A pattern under way; `conditions` stand with the lines that say them."""

    reporter: Reporter
    rules: Rules
    begin: syntax.Begin | None
    lines: list[syntax.PatternItem]
    conditions: list[tuple[Condition, Node]] = field(factory=list)
    moves: list[tuple[Spot, Node]] = field(factory=list)
    faulty: bool = False
    _earlier_conditions: set[frozenset[Condition]] = field(factory=set, init=False)

    def resolve(self) -> m.Pattern | None:
        """The pattern; all its lines are read even when some cannot be used."""
        self.faulty = any(isinstance(line, syntax.Unread) for line in self.lines)
        self._picture([i for i in self.lines if isinstance(i, syntax.PictureRow)])
        for item in self.lines:
            if isinstance(item, syntax.Condition):
                self._condition(item)
        examples = tuple(self._examples())
        priority = self._priority()
        self._check_move()
        if self.begin is None or self.faulty or not self._can_fire():
            return None
        return m.Pattern(
            self.begin.name.text,
            self.begin.word.startswith("Def"),
            self.begin.word.endswith("S"),
            tuple(condition for condition, _ in self.conditions),
            self.moves[0][0],
            priority,
            self._about(self.begin),
            self.reporter.line(self.begin),
            examples,
        )

    def _fault(self, code: str, node: Node | Span, message: str, hint: str = "") -> None:
        self.faulty = True
        self.reporter(code, node, message, hint)

    def _about(self, begin: syntax.Begin) -> str:
        text = self.reporter.source.line(self.reporter.line(begin))
        return text.partition("#")[2].strip()

    # --- conditions ---

    def _condition(self, item: syntax.Condition) -> None:
        numbers = item.numbers
        line = self.reporter.line(item)
        test = _TESTS.get(item.word)
        if test is not None and test.counts:
            spot = m.ASIDE if test is Test.LEFT else m.HERE
            self._counted(item, Condition(test, spot, number=numbers[0], line=line))
            return
        spot = (numbers[0], numbers[1])
        reach = max(self.rules.board.width, self.rules.board.height)
        if max(map(abs, numbers)) >= reach and not self._smaller:
            message = f"{self.rules.name} has no two places so far apart"
            self._fault("out-of-range", item, message)
        elif item.word == "Set":
            self.moves.append((spot, item))
        elif len(numbers) == 4:
            self._link(
                item, Condition(_TESTS[item.word], spot, (numbers[2], numbers[3]), line=line)
            )
        else:
            self._add(Condition(_TESTS[item.word], spot, line=line), item)

    def _counted(self, item: syntax.Condition, condition: Condition) -> None:
        across = max(self.rules.board.width, self.rules.board.height) - 1
        least, whence = _COUNTED[condition.test]
        most = across if condition.test is Test.ROW else across // 2
        if not least <= condition.number <= most and not self._smaller:
            message = f"no site of {self.rules.name} is {condition.number} {whence}"
            hint = f"`{item.word}` counts from {least} to {most}"
            self._fault("out-of-range", item, message, hint)
            return
        self._add(condition, item)

    def _link(self, item: syntax.Condition, condition: Condition) -> None:
        (x, y), (u, v) = condition.spot, condition.other
        if not self.rules.links:
            self._fault("bad-link", item, f"{self.rules.name} has no links")
            return
        steps = self.rules.links[0].steps
        if (u - x, v - y) not in steps and (x - u, y - v) not in steps:
            shown = f"({x}, {y}) and ({u}, {v})"
            name = self.rules.links[0].name
            dx, dy = steps[0]
            hint = f"a {name} joins places that are {abs(dx)} and {abs(dy)} apart"
            self._fault("bad-link", item, f"no {name} can join {shown}", hint)
            return
        self._add(condition, item)

    def _add(self, condition: Condition, node: Node) -> None:
        alike = m.meaning([condition])
        if alike in self._earlier_conditions:
            message = f"`{condition}` is said here a second time"
            self._fault("repeated-statement", node, message)
            return
        self._earlier_conditions.add(alike)
        self.conditions.append((condition, node))

    def _picture(self, rows: list[syntax.PictureRow]) -> None:
        if not rows:
            return
        for row in rows[1:]:
            if len(row.cells) != len(rows[0].cells):
                places, width = amount(len(row.cells), "place"), len(rows[0].cells)
                message = f"this row has {places}, and the first has {width}"
                self._fault("bad-picture", row, message, "write `?` where anything may stand")
                return
        here = [(r, c) for r, row in enumerate(rows) for c, s in enumerate(row.cells) if s == "@"]
        if len(here) != 1:
            message = "a picture has one `@`, the reference point"
            place = rows[0] if not here else rows[here[1][0]]
            self._fault("bad-picture", place, f"{message}; here are {len(here) or 'none'}")
            return
        (top, left), line = here[0], self.reporter.line(rows[0])
        for r, row in enumerate(rows):
            for c, sign in enumerate(row.cells):
                spot = (left - c, top - r)
                if sign == "+":
                    self.moves.append((spot, row))
                elif sign in _SIGNS:
                    self._add(Condition(_SIGNS[sign], spot, line=line + r), row)

    def _check_move(self) -> None:
        if not self.moves and not self.faulty and self.begin is not None:
            hint = "`Set x y`, or `+` in a picture"
            message = f"`{self.begin.word} {self.begin.name.text}` proposes no move"
            self._fault("missing-statement", self.begin, message, hint)
        for _, node in self.moves[1:]:
            line = self.reporter.line(self.moves[0][1])
            message = f"a pattern proposes one move; this one has its move in line {line}"
            self._fault("repeated-statement", node, message, "write a pattern for each move")

    def _priority(self) -> int:
        priorities = [item for item in self.lines if isinstance(item, syntax.Priority)]
        for again in priorities[1:]:
            self._fault("repeated-statement", again, "a pattern has one `Priority`")
        for item in priorities:
            if not 0 <= item.number.value <= MOST_PRIORITY:
                message = f"{item.number.value} lies outside the range 0..{MOST_PRIORITY}"
                self._fault("out-of-range", item.number, message)
        return priorities[0].number.value if priorities else 0

    # --- contradictions ---

    def _can_fire(self) -> bool:
        """Whether no two conditions contradict each other; reports the first that does."""
        assert self.begin is not None
        spot, node = self.moves[0]
        here = Test.OPP if self.begin.word.startswith("Def") else Test.OWN
        conditions: dict[Spot, tuple[frozenset[str], str]] = {
            m.HERE: (_FITS[here], "the reference point")
        }
        positive: list[Condition] = []
        more: list[Condition] = []  # what says more than what stands on a place
        pairs = [(Condition(Test.FREE, spot), node), *self.conditions]
        for number, (condition, where) in enumerate(pairs):
            name = "the move" if number == 0 else f"`{condition}`"
            plain = condition.test.value.lower() in _PLACES
            against = _clash(condition, more if plain else positive)
            against = against or _place_clash(condition, name, conditions)
            if against:
                message = f"{name} contradicts {against}, so this pattern can never fire"
                self._fault("never-fires", where, message)
                return False
            positive.append(condition)
            more += () if plain else (condition,)
        return True

    # --- examples ---

    @cached_property
    def _directions(self) -> dict[str, tuple[int, int]]:
        return self.rules.board.compass

    def _examples(self) -> Iterator[m.Example]:
        for item in self.lines:
            if isinstance(item, syntax.PatternExample):
                example = self._example(item)
                if example is not None:
                    yield example

    def _example(self, item: syntax.PatternExample) -> m.Example | None:
        parts: dict[str, list[Name]] = {}
        last = ""
        for word in item.words:
            if word.text in ("own", "opp", "free", "link", "at", "set"):
                last = word.text
                parts.setdefault(last, [])
            elif not last:
                message = f"`{word.text}` stands before `own`, `opp`, `link`, `at` or `set`"
                self._fault("syntax", word, message)
                return None
            else:
                parts[last].append(word)
        lacking = next((w for w in ("at", "set") if not parts.get(w)), "")
        if lacking:
            message = f"this example does not say `{lacking}`"
            hint = "`Example own h5, e2 at h5 north set f4`"
            self._fault("unfinished", item, message, hint)
            return None
        direction = self._direction(parts["at"])
        links = parts.get("link", [])
        if len(links) % 2:
            self._fault("unfinished", links[-1], "a link has two ends")
            return None
        sites = [parts["at"][0], *parts["set"], *links]
        sites += [n for w in ("own", "opp", "free") for n in parts.get(w, [])]
        places = [self._site(name) for name in sites]  # all of them, so that each is reported
        if not all(places):
            return None
        names = {word: tuple(self._named(n.text) for n in parts[word]) for word in parts}
        pairs = tuple(zip(names.get("link", ())[::2], names.get("link", ())[1::2], strict=True))
        line = self.reporter.line(item)
        return m.Example(
            names.get("own", ()), names.get("opp", ()), pairs,
            names["at"][0], direction, names["set"][0], line,
        )  # fmt: skip

    def _named(self, text: str) -> str:
        """A site as the board names it, whatever case it is written in."""
        sites = self.rules.board.by_name
        folded = (name for name in sites if name.casefold() == text.casefold())
        return text if text in sites else next(folded, text)

    def _direction(self, words: list[Name]) -> tuple[int, int] | None:
        if len(words) < 2:
            return None
        if words[1].text not in self._directions:
            message = f"`{words[1].text}` is no direction"
            hint = did_you_mean(words[1].text, self._directions)
            self._fault("unknown-word", words[1], message, hint)
            return None
        return self._directions[words[1].text]

    def _site(self, name: Name) -> bool:
        if self._named(name.text) in self.rules.board.by_name:
            return True
        if not self._smaller:
            message = f"`{name.text}` is not on the board"
            self._fault("off-board", name, message)
        return self._smaller

    @cached_property
    def _smaller(self) -> bool:
        """Whether options have changed the board: then what the file says may lie beyond it."""
        return any(option.value != option.default for option in self.rules.options)


def _place_clash(
    condition: Condition, name: str, conditions: dict[Spot, tuple[frozenset[str], str]]
) -> str:
    """What is said elsewhere of a place of *condition* that does not fit it; notes what it says."""
    if condition.test.counts:
        return ""
    spots = (condition.spot, condition.other) if condition.test.joins else (condition.spot,)
    for spot in spots:
        fits, by = conditions.get(spot, (frozenset(_PLACES), ""))
        if not fits & _FITS[condition.test]:
            return by
        narrower = fits & _FITS[condition.test]
        conditions[spot] = (narrower, name if narrower != fits else by)
    return ""


def _clash(condition: Condition, others: list[Condition]) -> str:
    """One of *others* that contradicts *condition* whatever stands on the board."""
    for other in others:
        if _against(condition, other) or _against(other, condition):
            return f"`{other}`"
    return ""


def _against(condition: Condition, other: Condition) -> bool:
    tests = (condition.test, other.test)
    ends, others = {condition.spot, condition.other}, {other.spot, other.other}
    if tests == (Test.STRONG, Test.WEAK):
        return condition.spot == other.spot
    if tests == (Test.ROW, Test.ROW):
        return condition.number != other.number
    if tests == (Test.EXISTS, Test.WEAK):
        return other.spot in ends
    if tests == (Test.LEFT, Test.MIDDLE):
        return condition.number > other.number
    if condition.test is Test.ROW and not other.test.counts and other.test is not Test.EDGE:
        spots = others if other.test.joins else {other.spot}
        return max(y for _, y in spots) > condition.number  # beyond the border
    if tests == (Test.EXISTS, Test.POSSIBLE):
        return ends == others or cross((condition.spot, condition.other), (other.spot, other.other))
    return False
