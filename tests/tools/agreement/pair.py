"""One semantics, three executions: reference, kernels in Python, kernels as machine code.

`python -m tests.tools.agreement --files 2000 --games 20 --seed 1` writes random rules files and
plays them, and the bundled games, on the reference and on kernels side by side.  A difference is a
finding: the file, cut down to what shows it, is kept in `agreement_findings/`, and the exit status
is 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import TypeAlias

from attrs import define, field

from rulewright.compiler import layout as p
from rulewright.compiler.engine import Engine
from rulewright.compiler.faults import FAULTS
from rulewright.compiler.seats import result_word
from rulewright.errors import Fault
from rulewright.model.rules import EMPTY
from rulewright.reference.play import ReferencePlay, Situation
from rulewright.reference.position import Key

Words: TypeAlias = tuple[int, ...]
UNTESTED = ("same-notation",)
"""Faults that kernels leave to the reference, see docs/kernels.md."""


class DisagreementError(AssertionError):
    """Two executions differ, at the position that the message shows."""


@define
class Counts:
    """What was compared."""

    games: int = 0
    positions: int = 0
    decisions: int = 0
    faults: Counter[str] = field(factory=Counter)


@define
class Pair:
    """A game on the reference and on kernels."""

    play: ReferencePlay
    kernels: Engine
    counts: Counts = field(factory=Counts)
    keys: dict[Key, Words] = field(factory=dict, repr=False)
    keyed: dict[Words, Key] = field(factory=dict, repr=False)

    def game(self, seed: int, most: int) -> None:
        """Play a random game of up to *most* decisions, comparing every position on the way."""
        random, situation = Random(seed), self.play.start()
        self.counts.games += 1
        for _ in range(most):
            following = self.position(situation)
            if not following:
                return
            situation = random.choice(following)

    def sampled(self, seed: int, most: int, begin: Situation | None = None) -> None:
        """Follow a random game of the kernels' own; each of its decisions must be legal."""
        situation, self.counts.games = begin or self.play.start(), self.counts.games + 1
        plies = self.kernels.random_plies(situation.position, seed)
        for words in islice(plies, most):
            try:
                after = [situation.after(option) for option in situation.options]
            except Fault:
                return
            by_words = {self.encoded(one): one for one in after}
            found = visible(words)
            self._need(found in by_words, situation, "random decision", [found])
            situation = by_words[found]
            if situation.ended:
                return
        try:
            over = not situation.options
        except Fault:
            return
        if over:
            self._need(next(plies, None) is None, situation, "end of random play", [])

    def position(self, situation: Situation) -> list[Situation]:
        """Compare everything about one position; the situations that follow, where none faults."""
        self.counts.positions += 1
        self.same_key(situation)
        self.kernels.set(situation.position)
        before = tuple(self.kernels.words())
        try:
            options = situation.options
        except Fault as fault:
            self._fault_of_options(situation, before, fault)
            return []
        if not options:
            self._stuck(situation, before)
            return []
        return self._options(situation, before)

    # --- decisions ---

    def _options(self, situation: Situation, before: Words) -> list[Situation]:
        following, expected, faults = [], list[Words](), set[str]()
        for option in situation.options:
            try:
                after = situation.after(option)
            except Fault as fault:
                faults.add(fault.code)
                continue
            following.append(after)
            expected.append(self.encoded(after))
        self.counts.decisions += len(situation.options)
        found = list(self.rows(before))
        self._need(len(found) == len(situation.options), situation, "decisions", found)
        plain = Counter(words for words in found if not words[p.FAULT])
        codes = {FAULTS[words[p.FAULT]] for words in found} - {""}
        self._need(not Counter(expected) - plain, situation, "effects", found)
        for late in plain - Counter(expected):  # a fault may be met one decision later
            codes |= self._codes_from(late) if faults else {"none"}
        self._need(
            codes <= faults and faults - codes <= {*UNTESTED}, situation, f"faults {faults}", found
        )
        if not faults:
            leaves = self.kernels.perft(situation.position, 1)
            self._need(leaves == len(expected), situation, "number of decisions", [leaves])
        self.counts.faults.update(faults)
        return [] if faults else [s for s in following if not s.ended]

    def encoded(self, situation: Situation) -> Words:
        """A position of the reference as words, with its result."""
        words = self.kernels.encode(situation.position)
        if situation.ended is not None:
            players = len(self.play.rules.players)
            words[p.RESULT] = result_word(situation.ended, players)
        return visible(words)

    def rows(self, before: Words) -> Iterator[Words]:
        """The words after every decision that the kernels find, or those with the fault."""
        count = self.kernels.decisions()
        now = self.kernels.words()
        if now[p.FAULT]:
            yield visible(now)
            return
        assert tuple(now) == before, "listing decisions changed the position"
        for number in range(count):
            self.kernels.step(number)
            yield visible(self.kernels.words())
            self.kernels.restore(list(before))

    def _codes_from(self, words: Words) -> set[str]:
        """The faults that kernels meet in one decision from *words*."""
        self.kernels.restore([*words[: p.PAST], 0, *words[p.PAST :]])
        before = tuple(self.kernels.words())
        return {FAULTS[found[p.FAULT]] for found in self.rows(before)} - {""}

    # --- faults and ends ---

    def _fault_of_options(self, situation: Situation, before: Words, fault: Fault) -> None:
        """The reference does all effects when it lists decisions; kernels when they play them.

        What kernels leave out, because another decision is written alike, the reference lists.
        """
        self.counts.faults[fault.code] += 1
        found = list(self.rows(before))
        codes = {FAULTS[words[p.FAULT]] for words in found}
        self.kernels.restore(list(before))
        deferred = self.kernels.decisions() >= 0 and self.kernels.left_out > 0
        is_met = fault.code in codes or fault.code in UNTESTED or deferred
        self._need(is_met, situation, f"the fault {fault.code}", found)

    def _stuck(self, situation: Situation, before: Words) -> None:
        if situation.ended is not None:
            return
        found = list(self.rows(before))
        self._need(not found, situation, "no decision", found)
        try:
            outcome, code = situation.outcome, ""
        except Fault as fault:
            outcome, code = None, fault.code
            self.counts.faults[code] += 1
        result = self.kernels.outcome_when_stuck()
        met = FAULTS[self.kernels.words()[p.FAULT]]
        if outcome is None:
            self._need((met or "stuck") == code, situation, f"the fault {code}", [met])
            return
        expected = result_word(outcome, len(self.play.rules.players))
        self._need(result == expected and not met, situation, f"result {expected}", [result, met])

    # --- keys, perft ---

    def same_key(self, situation: Situation) -> None:
        """Equal positions have equal keys; where `repeats` asks, different ones differ."""
        position = situation.position
        key, words = self.play.key(position), self.kernels.encode(position)
        found = tuple(self.kernels.earlier.read(words, over=position.rest == EMPTY))
        same = self.keys.setdefault(key, found) == found
        if self.play.rules.looks_back:
            same = same and self.keyed.setdefault(found, key) == key
        self._need(same, situation, "keys", found)

    def perft(self, depth: int, most: int = 20_000) -> None:
        """Compare how many sequences of decisions there are, where no fault cuts them short."""
        try:
            expected = count(self.play.start(), depth, most)
        except Fault:
            return
        if expected is not None:
            first = self.play.start().position
            before = self.kernels.encode(first)
            found = self.kernels.perft(first, depth)
            if found != expected:
                raise DisagreementError(f"perft {depth}: {expected} of the reference, {found}")
            if self.kernels.words() != before:
                raise DisagreementError(f"perft {depth} did not undo what it played")

    def _need(self, true: bool, situation: Situation, what: str, found: object) -> None:
        if not true:
            raise DisagreementError(_message(self, situation, what, found))


def visible(words: Words | list[int]) -> Words:
    """The words without how much history there is: a game that has ended notes no more of it."""
    return (*words[: p.PAST], *words[p.HEAD :])


def count(situation: Situation, depth: int, most: int) -> int | None:
    """Perft of the reference; None where it would take more than *most* decisions."""
    found, layer = 0, [situation]
    for _ in range(depth):
        layer = [s.after(o) for s in layer for o in (s.options if s.outcome is None else ())]
        found = len(layer)
        if found > most:
            return None
    return found


def _message(pair: Pair, situation: Situation, what: str, found: object) -> str:
    from rulewright.games.render.position_text import position_text

    picture = position_text(pair.play, situation.position, situation.ended)
    try:
        options = [o.text for o in situation.options]
    except Fault as fault:
        options = [str(fault)]
    return f"{what} differ at\n{picture}\nthe reference: {options}\nkernels: {found}"
