"""Proposed claims: facts counted, proven by search, or seen in all positions; authors confirm them.

In: a game that is played, and how hard to look.  Out: claims as lines, each with what speaks for
it, the most certain first.  What was only seen in random games may still be wrong, and says so.
Claims that the file makes already are not proposed.  Those that are taken are put behind the last
one that stands there, nothing else changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from attrs import define, evolve, field, frozen

from rulewright.checks.catching import Read, with_claims
from rulewright.checks.claims import winner_of
from rulewright.checks.cover_rules import other_values
from rulewright.checks.playouts import Tally, is_fault, tally
from rulewright.checks.probes import PROBES
from rulewright.checks.sampling import STEPS, any_decision, cost_of, positions
from rulewright.checks.subject import Subject, option_text, symmetry
from rulewright.errors import Fault, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.ground.printable import amount
from rulewright.language import syntax
from rulewright.language.diagnostics import Collector
from rulewright.language.parse import parse
from rulewright.language.resolve.scope import SYMMETRIES
from rulewright.language.source import Source
from rulewright.model.rules import Claim, OptionValue

COUNTED = 20_000
"""Decisions that are counted for one line of perft, at the most."""
SOLVED = 300_000
"""Decisions that may be played to find out who wins a small board."""
GAMES = 1000
_FEW = 4
"""Decisions of a first position, below which a board is too small to say anything."""
_SMALLEST = 2
"""Values of an option, from the least on, whose boards are solved."""


@frozen
class ProposedClaim:
    """A claim, what speaks for it, and the file that it belongs to."""

    text: str
    why: str
    counts: bool = False
    """Whether it is a line of perft.txt."""

    def as_data(self) -> dict[str, object]:
        """The proposal as plain data."""
        return {"claim": self.text, "why": self.why, "counts": self.counts}


@define(eq=False)
class Observer:
    """Looks at one game; *read* gives that of its text with more claims, or with options."""

    text: str
    read: Read
    seed: int = 0
    effort: float = 1.0
    counts: str = ""
    """The text of perft.txt beside the file."""
    game: Game = field(init=False)
    subject: Subject = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.game = self.read(self.text, {})
        self.subject = Subject(self.game)

    def proposed(self) -> Iterator[ProposedClaim]:
        """The claims to propose, those that the file makes already left out."""
        lines, settings = claim_lines(self.text), _settings(self.counts)
        for claim in self._all():
            if claim.text not in lines and not (claim.counts and _settings(claim.text) <= settings):
                yield claim

    def _all(self) -> Iterator[ProposedClaim]:
        claims = self.game.rules.claims
        if not any(claim.kind == "perft" for claim in claims):
            counts = ", ".join(map(str, self._counts(self.game)))
            yield ProposedClaim(f"claim perft {counts}", "counted")
        states = self._sample()
        yield from self._symmetries(states)
        yield from self._winners()
        yield from self._always(states)
        yield from self._games()
        for option in self.game.rules.options:
            yield from self._with(option)

    # --- counts ---

    def _counts(self, game: Game) -> list[int]:
        """Sequences of one decision, of two and so on, as far as little work goes."""
        state, counts = game.start(), [1]
        while sum(counts) * _growth(counts) <= COUNTED * self.effort:
            counts.append(state.perft(len(counts)))
            if not counts[-1]:
                counts.pop()
                break
        return counts[1:]

    def _with(self, option: OptionValue) -> Iterator[ProposedClaim]:
        """Lines of perft.txt for other values of an option."""
        for value, game in islice(self._loaded(option, other_values(option)), _SMALLEST):
            counts = " ".join(map(str, self._counts(game)))
            line = f"{option.name}={value} : decision : {counts}"
            yield ProposedClaim(line, "counted", counts=True)

    def _loaded(self, option: OptionValue, values: Iterator[object]) -> Iterator[tuple[str, Game]]:
        for value in values:
            try:
                yield option_text(value), self.read(self.text, {option.name: value})
            except RulewrightError:
                continue

    # --- what is the same in every position ---

    def _sample(self) -> list[State]:
        """Positions of short and of random games."""
        cost = cost_of(self.game, self.seed)
        steps = round(STEPS * self.effort / 3)
        return list(positions(self.game, cost, steps, self.seed, any_decision))

    def _symmetries(self, states: Sequence[State]) -> Iterator[ProposedClaim]:
        plain: list[str] = []
        for swap in (False, True):
            names = [name for name in SYMMETRIES if name not in plain]
            held = plain = [name for name in names if self._holds(name, swap, states)]
            for name in held:
                if name == "half" and ("quarter" in held or {"mirror", "flip"} <= {*held}):
                    continue  # which these make
                tail = " swap sides" if swap else ""
                why = f"so it was in {amount(min(len(states), _TURNED), 'position')}"
                yield ProposedClaim(f"claim symmetric under {name}{tail}", why)

    def _holds(self, name: str, swap: bool, states: Sequence[State]) -> bool:
        if symmetry(self.game.play, name, swap) is None:
            return False
        claim = Claim("symmetric", name, None, (), swap)
        subject = Subject(evolve(self.game, rules=evolve(self.game.rules, claims=(claim,))))
        step = len(states) // _TURNED + 1
        sample = [*states[:1], *states[1::step]][:_TURNED]
        return all(PROBES["symmetric"](subject, state) is None for state in sample)

    def _always(self, states: Sequence[State]) -> Iterator[ProposedClaim]:
        """Claims `always`: of each family of facts about counts the first that holds everywhere."""
        for family in _families(self.game):
            lines = [f"claim always {truth}" for truth in family]
            try:
                game = self.read(with_claims(self.text, lines), {})
            except RulewrightError:
                continue
            claims = game.rules.claims[-len(lines) :]
            for line, claim in zip(lines, claims, strict=True):
                if self._true(Subject(game), claim, states):
                    yield ProposedClaim(line, f"true in {amount(len(states), 'position')}")
                    break

    def _true(self, subject: Subject, claim: Claim, states: Sequence[State]) -> bool:
        try:
            return all(subject.truth(claim, state) for state in states if not state.over)
        except Fault:
            return False

    # --- who wins, and how long it takes ---

    def _winners(self) -> Iterator[ProposedClaim]:
        """Claims about who wins, on the file's own board and on small ones."""
        claimed = [c for c in self.game.rules.claims if c.kind == "wins" and not c.moves]
        if not any(not c.settings for c in claimed):
            yield from self._winner(self.game, "")
        for option in self.game.rules.options:
            if isinstance(option.value, int) and not isinstance(option.value, bool):
                from_least = range(int(option.low or 0), int(option.high or 0) + 1)
                values = (value for value in from_least if value != option.value)
                loaded = self._loaded(option, islice(values, _SMALL))
                games = (g for g in loaded if len(g[1].start().moves) >= _FEW)
                for value, game in islice(games, _SMALLEST):
                    settings = ((option.name, int(value)),)
                    if not any(c.settings == settings for c in claimed):
                        yield from self._winner(game, f" with {option.name} = {value}")

    def _winner(self, game: Game, settings: str) -> Iterator[ProposedClaim]:
        state = game.start()
        try:
            alone = state.over or len(state.moves) < _FEW
            winner = None if alone else winner_of(state, round(SOLVED * self.effort))
        except RulewrightError:
            return
        if winner is not None:
            yield ProposedClaim(f"claim {winner} wins{settings}", "proven by search")

    def _games(self) -> Iterator[ProposedClaim]:
        """Claims about draws and the length of games, from random games."""
        number, steps = round(GAMES * self.effort), round(STEPS * self.effort)
        games = tally(self.subject, cost_of(self.game, self.seed), steps, number, self.seed)
        if not games.games or "endless" in games.ends or any(map(is_fault, games.ends)):
            return
        claimed = {claim.kind for claim in self.game.rules.claims}
        if "bound" not in claimed:
            yield from self._bounds(games)
        if "never" not in claimed and "draw" not in games.ends:
            yield ProposedClaim(
                "claim no draws", f"so it was in {amount(games.games, 'random game')}"
            )

    def _bounds(self, games: Tally) -> Iterator[ProposedClaim]:
        """A bound on the length of games that follows from the free sites of the first position."""
        start = self.game.start().situation.position
        empty = self.game.rules.board.sites.bit_count() - start.full.bit_count()
        for most in (empty, empty + 1, 2 * empty):
            if most // 2 < games.longest <= most:
                why = f"the longest of {amount(games.games, 'random game')} had {games.longest}"
                yield ProposedClaim(f"claim ends within {most}", why)
                return


_SMALL = 6
"""Values of an option, from the least on, among which these are looked for."""
_TURNED = 60
"""Positions that are turned to see whether a symmetry holds."""


def _growth(counted: Sequence[int]) -> int:
    """The factor by which the next count will be larger, about."""
    *_, before, last = 1, *counted
    return -(-last // max(before, 1)) if len(counted) > 1 else 1


def _families(game: Game) -> Iterator[list[str]]:
    """Facts about counts, of each kind the most telling first."""
    start = game.start().situation.position
    full = start.full.bit_count()
    own, enemy = (start.owned[player].bit_count() for player in (0, 1))
    yield ["count full = ply", f"count full = {full}", f"count full <= {full}",
           f"count full >= {full}"] if full else ["count full = ply"]  # fmt: skip
    yield ["count own = count enemy", "abs(count own - count enemy) <= 1",
           "abs(count own - count enemy) <= 2"]  # fmt: skip
    if own and own == enemy:
        yield [f"count own = {own}", f"count own <= {own}"]
    for number, kind in enumerate(game.rules.kinds if len(game.rules.kinds) > 1 else ()):
        sides = [(start.kinds[number] & start.owned[player]).bit_count() for player in (0, 1)]
        if sides[0] and sides[0] == sides[1]:
            name = kind.name
            yield [f"count own {name} = {sides[0]}", f"count own {name} <= {sides[0]}"]


def lines_of_counts(text: str, game: str, alone: bool, lines: Sequence[str]) -> str:
    """A text of perft.txt with more lines; *alone*: there are no other rules in the folder."""
    body = text.rstrip("\n") + "\n" if text.strip() else ""
    if not alone and text.rpartition("game ")[2].split("\n")[0].strip() != game:
        body += f"game {game}\n"
    return body + "".join(f"{line}\n" for line in lines)


def _settings(text: str) -> set[tuple[str, ...]]:
    """The options and the unit of lines of counts from the first position."""
    lines = (line.partition("#")[0].split(":") for line in text.splitlines())
    return {
        tuple(" ".join(part.split()) for part in parts[:2]) for parts in lines if len(parts) == 3
    }


# --- claims as they stand in a text ---


def _claims(text: str) -> list[syntax.Claim]:
    items = parse(Source("<text>", text), Collector()).items
    return [item for item in items if isinstance(item, syntax.Claim)]


def claim_lines(text: str) -> set[str]:
    """The claims of a text, each as one line."""
    return {" ".join(text[c.span.start : c.span.end].split()) for c in _claims(text)}


def text_with_claims(text: str, claims: Sequence[str]) -> str:
    """The text with *claims*; lines end as the others do."""
    there, lines_there = _claims(text), claim_lines(text)
    fresh = [claim for claim in dict.fromkeys(claims) if claim not in lines_there]
    end = "\r\n" if "\r\n" in text else "\n"
    lines = "".join(f"{claim}{end}" for claim in fresh)
    if not there:
        return f"{text.rstrip()}{end}{end}{lines}" if fresh else text
    at = text.find("\n", max(c.span.end for c in there)) + 1
    return text[:at] + lines + text[at:] if at else text + end + lines
