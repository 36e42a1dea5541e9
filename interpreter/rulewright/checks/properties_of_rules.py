"""All properties of one rules file: what `rulewright test` does with it.

In: what is under test, a seed, an effort, and which properties.  Out: a report, with the shortest
game that could be found for each property that does not hold.  The same seed gives the same report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain

from attrs import define, field

from rulewright.checks.blindness import PROVEN, proves_blind
from rulewright.checks.cases import Case, shown_options
from rulewright.checks.claims import FACTS, FailedClaim
from rulewright.checks.findings import Finding, PropertyResult, clause
from rulewright.checks.playouts import OF_FAULTS, Tally, hashes, is_fault, replayed_state, tally
from rulewright.checks.probes import PROBES, finding, violation_of
from rulewright.checks.sampling import LONGEST, Cost, Workload, any_decision, cost_of, positions
from rulewright.checks.shrinking import Moves, OutOfTries, shortest
from rulewright.checks.subject import Probe, Subject, fault_in
from rulewright.errors import Fault, OutOfBudget
from rulewright.games.engine.game import State
from rulewright.ground import budget
from rulewright.ground.printable import amount, plural
from rulewright.model.properties import RULES
from rulewright.search.background import in_time

CANDIDATES = 4
"""Games that show the same fault, of which the one that shrinks furthest is shown."""
SHRINKING = 100_000
"""Steps of the reference for making one of these games shorter: about a second."""
TRIES = 2_000
"""Shorter games that are tried at the most, however little they cost."""
SLOW = ("agreement", "blind", "printed", "symmetric", "undo")
"""Properties that take the reference or a drawing, however fast positions are played."""
LOOKING = 100
"""The cost of looking at a position, in steps, where machine code plays."""
COMPARED = 0.25
"""The work that goes into these, as a share of what listing on the reference would take."""
DRAWN = 0.5
"""The work that goes into drawing positions that look the same, as a share of listing all."""
FEW = 300
"""Games of which each player should win one."""
NOT_TRIED = "not tried: "
"""The beginning of the text on claims that a property left alone."""
LATE = "the time was over"
"""The reason for leaving out a property of which nothing was looked at."""
_AT_ONCE = {*FACTS, "hashes"}
"""Properties of which nothing is known until all of their work is done."""
_WHERE_CLAIMED = {
    "always": "always", "symmetric": "symmetric", "within": "bound", "draws": "never",
    "start": "start", "after": "after illegal", "wins": "wins",
}  # fmt: skip
"""Properties that only files have which claim something of a kind."""


def property_of_claim(kind: str) -> str:
    """The property that tries claims of a kind."""
    return next((name for name, kinds in _WHERE_CLAIMED.items() if kind in kinds.split()), kind)


@define(eq=False)
class RulesProperties:
    """The properties of one file under test."""

    subject: Subject
    seed: int = 0
    effort: Workload = field(factory=Workload)
    properties: Sequence[str] = tuple(RULES)
    cases: Sequence[Case] = ()
    _counts: dict[str, int] = field(factory=dict, init=False)
    """Positions, or facts, that were looked at, by property."""
    _failing: dict[str, list[State]] = field(factory=dict, init=False)
    """States in which a property does not hold."""
    _untried: dict[str, list[str]] = field(factory=dict, init=False)
    """Messages on claims that would take too long to try, by property."""
    _cost: Cost = field(init=False)

    def run(self) -> tuple[PropertyResult, ...]:
        """Try everything; in the order of `RULES`."""
        left_out = {u.what: u.reason for u in self.subject.game.rules.untested}
        names = [n for n in RULES if n in self.properties and n not in left_out]
        played = self._played(names)
        findings = {n: self._findings_in_time(n, played) for n in names if self._claimed(n)}
        if findings and all(result is None for result in findings.values()):
            raise OutOfBudget(budget.why())
        left_out |= {n: LATE for n, result in findings.items() if result is None}
        return tuple(
            PropertyResult(n, findings.get(n) or (), self._extent(n, played), left_out.get(n, ""))
            for n in RULES
            if n in self.properties and (n in left_out or self._claimed(n))
        )

    def broken(self) -> str:
        """A property that does not hold, empty where all do: nothing is made shorter or told."""
        left_out = {u.what for u in self.subject.game.rules.untested}
        names = [n for n in RULES if n in self.properties and n not in left_out]
        played = self._played(names)
        failing = (n for n in names if n in self._failing)
        late = (n for n in ("ends", "outcomes") if n in names and any(self._findings(n, played)))
        return next(chain(failing, late), "")

    def _played(self, names: Sequence[str]) -> Tally:
        """Try old cases, random games and positions; the tally of the games."""
        with budget.share(1):
            self._cost = cost_of(self.subject.game, self.seed)
        probes = {n: PROBES[n] for n in names if n in PROBES and self._claimed(n)}
        if self._is_proven("blind"):
            probes.pop("blind", None)
        played = Tally()
        with suppress(OutOfBudget), budget.share(1):  # what was looked at by then counts
            self._old_cases(probes)
            with suppress(OutOfBudget), budget.share(0.5):
                played = self._tally(names)
            self._explore({n: p for n, p in probes.items() if n not in self._failing})
        return played

    def _findings_in_time(self, name: str, played: Tally) -> tuple[Finding, ...] | None:
        """The findings of a property; None where the time was over before it was tried."""
        if self._is_proven(name):
            return ()
        number = self._counts.get(name) if name in PROBES else played.games
        if budget.over() and (name in _AT_ONCE or not (number or name in self._failing)):
            return None
        try:
            return tuple(self._findings(name, played))
        except OutOfBudget:
            return None

    def _is_proven(self, name: str) -> bool:
        """Whether the text alone proves a property."""
        return name == "blind" and proves_blind(self.subject.game.rules)

    def _claimed(self, name: str) -> bool:
        if name == "blind":
            return self.subject.game.rules.has_secrets
        if name == "outcomes":  # chance hardly ever solves a puzzle
            return not self.subject.game.rules.is_puzzle
        kinds = _WHERE_CLAIMED.get(name, "").split()
        return not kinds or bool(self.subject.claims(*kinds))

    # --- looking ---

    def _old_cases(self, probes: dict[str, Probe]) -> None:
        """Try first what was found before."""
        for case in self.cases:
            if case.property in probes and case.fits(self.subject.game):
                state = self.subject.played(case.moves)
                self._look(state, {case.property: probes[case.property]})

    def _explore(self, probes: dict[str, Probe]) -> None:
        """Look at positions until the steps are used up or every property has failed.

        What is worked out by the reference too, or printed, is so in some of the positions only.
        """
        open_probes = dict(probes)
        weight = 2 + 2 * len(self.subject.symmetries) * ("symmetric" in probes)
        spent = compared = 0
        states = self._positions()
        for state in states if open_probes else ():
            if budget.over():
                return
            spent += self._cost.listing
            slowly = compared <= COMPARED * spent
            compared += self._cost.listing * weight * slowly
            left_out = {*SLOW} if not slowly else {*self._drawn_enough(spent)}
            self._look(state, {n: p for n, p in open_probes.items() if n not in left_out})
            for name in [n for n in open_probes if len(self._failing.get(n, ())) >= CANDIDATES]:
                del open_probes[name]
            if not open_probes:
                return

    def _drawn_enough(self, spent: int) -> Iterator[str]:
        """The property `blind`, where drawing positions has taken its share of the steps so far."""
        if self.subject.draws * self._cost.listing > DRAWN * spent:
            yield "blind"

    def _positions(self) -> Iterator[State]:
        """Played by machine code, where there is some: then only what looks at them costs."""
        game, steps = self.subject.game, self.effort.steps
        if self.subject.engine is None:
            return positions(game, self._cost, steps, self.seed)
        cost = Cost(self._cost.listing + LOOKING, 0)
        return positions(game, cost, steps // 3, self.seed, any_decision)

    def _look(self, state: State, probes: dict[str, Probe]) -> None:
        for name in probes:
            if violation_of(name, self.subject, state) is not None:
                self._failing.setdefault(name, []).append(state)
            self._counts[name] = self._counts.get(name, 0) + 1

    def _tally(self, names: Iterable[str]) -> Tally:
        """Random games, and those of them that show something."""
        checks = {"ends", "outcomes", "within", "draws", "stuck", "ranges", "faults"} & set(names)
        if not checks:
            return Tally()
        steps, games = self.effort.steps // 3, self.effort.games
        counts = tally(self.subject, self._cost, steps, games, self.seed)
        kinds = [("long", "within"), ("draw", "draws")]
        kinds += [(k, OF_FAULTS.get(k, "faults")) for k in counts.first if is_fault(k)]
        for kind, name in kinds:
            if kind in counts.first and name in checks and self._claimed(name):
                most = self.subject.bound[0] if kind == "long" and self.subject.bound else LONGEST
                state = replayed_state(self.subject, counts.first[kind], most)
                if state is not None:
                    self._note(name, state, names)
        return counts

    def _note(self, name: str, state: State, names: Iterable[str]) -> None:
        """Keep a state that shows something: a fault of its own, where it has one."""
        fault = fault_in(state)
        if fault is not None:
            name = OF_FAULTS.get(fault.code, "faults")
        if name in names:
            self._failing.setdefault(name, []).append(state)

    # --- findings ---

    def _findings(self, name: str, played: Tally) -> Iterator[Finding]:
        if name in FACTS:
            for wrong in FACTS[name](self.subject):
                if wrong.unknown:
                    self._untried.setdefault(name, []).append(self._unknown_text(wrong))
                else:
                    yield self._of_wrong(name, wrong)
        elif name == "ends":
            yield from self._endless(played)
        elif name == "outcomes":
            yield from self._outcomes(played)
        elif name == "hashes":
            yield from self._collisions()
        elif name in self._failing:
            yield self._smallest(name)

    def _unknown_text(self, wrong: FailedClaim) -> str:
        place = clause(self.subject.game.rules, wrong.origin).place if wrong.origin else ""
        return f"{place}: {wrong.message}" if place else wrong.message

    def _of_wrong(self, name: str, wrong: FailedClaim) -> Finding:
        about = clause(self.subject.game.rules, wrong.origin) if wrong.origin else None
        board = wrong.state.board() if wrong.state is not None and wrong.moves is not None else ""
        options = tuple(shown_options(wrong.state.game).items()) if wrong.state else ()
        return Finding(name, wrong.message, wrong.moves, board, about, options=options)

    def _endless(self, played: Tally) -> Iterator[Finding]:
        number = played.ends.get("endless", 0)
        if number:
            of = f"{number:,} of {amount(played.games, 'random game')}"
            message = f"{of} {plural(number, 'goes', 'go')} on after {LONGEST:,} decisions"
            state = replayed_state(self.subject, played.first["endless"], 40)
            moves = tuple(state.decisions()) if state else None
            yield Finding("ends", message, moves, state.board() if state else "")

    def _outcomes(self, played: Tally) -> Iterator[Finding]:
        finished = sum(n for k, n in played.ends.items() if not is_fault(k))
        if finished < FEW or self.subject.changed:
            return
        for player in self.subject.game.players:
            if not played.ends.get(player):
                yield Finding(
                    "outcomes", f"{player} wins none of {amount(finished, 'random game')}"
                )

    def _collisions(self) -> Iterator[Finding]:
        work = partial(hashes, self.subject, self.effort.games, self.seed)
        counts = in_time(work, budget.seconds_left())  # kernels that are late cost no other finding
        self._counts["hashes"] = counts.different if counts else 0
        if counts and counts.collisions:
            share = plural(counts.collisions, "shares", "share")
            message = (
                f"{counts.collisions} of {amount(counts.different, 'position')} {share} a hash"
            )
            yield Finding("hashes", message)

    def _smallest(self, name: str) -> Finding:
        """The shortest game among those that were found, after making each shorter."""
        candidates = sorted(self._failing[name], key=lambda s: len(s.decisions()))[:CANDIDATES]
        games = [self._shrunk(name, state) for state in candidates]
        best = min(games, key=lambda moves: (len(moves), games.index(moves)))
        return finding(self.subject, name, self.subject.played(best))

    def _shrunk(self, name: str, state: State) -> tuple[str, ...]:
        subject, remaining_steps = self.subject, SHRINKING
        moves = tuple(state.decisions())

        def shows(candidate: Moves) -> Moves | None:
            nonlocal remaining_steps
            remaining_steps -= (len(candidate) + 1) * self._cost.playing
            if remaining_steps < 0 or budget.over():
                raise OutOfTries
            try:
                here = subject.played(candidate)
            except (Fault, OutOfBudget):
                return None
            return tuple(here.decisions()) if violation_of(name, subject, here) else None

        return shortest(moves, shows, TRIES) if moves else moves

    def _extent(self, name: str, played: Tally) -> str:
        """How much was looked at for a property, in words."""
        if name in ("ends", "outcomes"):
            return f"{amount(played.games, 'random game')} by {played.by}"
        if name in ("within", "draws"):
            positions = amount(self._counts.get(name, 0), "position")
            return f"{amount(played.games, 'random game')}, {positions}"
        if self._is_proven(name):
            return PROVEN
        if name == "blind" and name in self._counts:
            positions = amount(self._counts[name], "position")
            return f"{positions}, {amount(self.subject.twins, 'other')} that look the same"
        if name in self._untried:
            return f"{NOT_TRIED}{'; '.join(self._untried[name])}"
        return amount(self._counts[name], "position") if name in self._counts else ""
