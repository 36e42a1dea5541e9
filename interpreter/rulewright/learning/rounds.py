"""Learning in rounds: games against itself, factors fitted to them, a match that decides.

In: a personality, a folder, how many rounds and games.  Out: one `LearningRound` after the other; a
candidate that the sequential test takes for stronger goes on in the next round.  All games and all
candidates stay in the folder: the same call goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isclose
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.files.games import load_with
from rulewright.ground.disk import write_whole
from rulewright.learning.fit import Fit, FitTerms, fit, write
from rulewright.matches.api import Terms, match, tournament
from rulewright.matches.report import intervals
from rulewright.matches.run import Run
from rulewright.matches.summary import between, difference
from rulewright.players.personality import Personality
from rulewright.search.results import refuse_seats

_STYLE = "<style>.line{stroke:#555;stroke-width:2}.bar{fill:#26c}.text{fill:#333}</style>"


@frozen
class RoundTerms:
    """What a round is.

    So many different `games` are played against itself, and `tested` games at most decide between
    the differences in Elo of `sprt`.  `terms` are those of all matches; `fitting` says what is
    fitted, and how.
    """

    games: int = 200
    tested: int = 400
    sprt: tuple[float, float] = (0.0, 20.0)
    terms: Terms = field(factory=Terms)
    fitting: FitTerms = field(factory=FitTerms)


@frozen
class LearningRound:
    """What a round has given.  `match` is the result of the test, None where there was none."""

    number: int
    path: Path
    fit: Fit
    match: Mapping[str, Any] | None

    @property
    def accepted(self) -> bool:
        """Whether the candidate is stronger, as far as the test can be sure."""
        return self.match is not None and self.match["sprt"]["accepted"] == "elo1"

    def row(self) -> tuple[str, ...]:
        """The row of the table: round, positions, losses, games, Elo, what follows."""
        fitted, result = self.fit, self.match
        losses = (f"{fitted.loss_before:.4f}", f"{fitted.loss_after:.4f}")
        head = (str(self.number), f"{fitted.games:,}", f"{fitted.positions:,}", *losses)
        if result is None:
            return *head, "0", "", "no better on games held out"
        elo = f"{difference(result)} ({between(result['low'], result['high'])})"
        verdicts = {"elo1": "accepted", "elo0": "rejected", None: "undecided, not taken"}
        return *head, f"{result['games']:,}", elo, verdicts[result["sprt"]["accepted"]]


HEADINGS = ("round", "games", "positions", "loss", "after", "tested", "Elo, with 95 %", "candidate")


@define(eq=False)
class RoundLearner:
    """Iterate over `rounds` as long as you like; `best` is the path or name of the best so far."""

    game: str
    personality: str
    folder: Path
    terms: RoundTerms = field(factory=RoundTerms)
    best: str = field(init=False)
    rounds: list[LearningRound] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self.best = self.personality
        personality = self._load(self.personality)
        refuse_seats(personality.game.rules, "learning from games against itself")
        if personality.model.evaluator is None:
            raise RulewrightError(f"{personality.name} has no evaluator that could learn")
        self.folder.mkdir(parents=True, exist_ok=True)

    def run(self, most: int) -> Iterator[LearningRound]:
        """Play rounds until there are *most*."""
        while len(self.rounds) < most:
            self.rounds.append(self._round(len(self.rounds) + 1))
            yield self.rounds[-1]

    def _round(self, number: int) -> LearningRound:
        """Play against itself, fit to all games so far, and test the candidate."""
        self._play_itself(number)
        files = [str(self._file("games", before)) for before in range(1, number + 1)]
        personality = self._load(self.best)
        fitted = fit(personality, files, self.terms.fitting)
        path = self.folder / f"round{number}.personality"
        result = None
        if fitted.better:
            self._keep(personality, fitted, path)
            result = self._test(number, path)
        done = LearningRound(number, path, fitted, result)
        self.best = str(path) if done.accepted else self.best
        return done

    def _keep(self, personality: Personality, fitted: Fit, path: Path) -> None:
        """Write a candidate, unless an earlier call has; raises `RulewrightError` for another."""
        if not path.exists():
            write(personality, fitted, path, self.best)
        factors = self._load(str(path)).factors
        if any(not isclose(factors[f.name], f.after, rel_tol=1e-6) for f in fitted.factors):
            raise RulewrightError(f"{path} is not the candidate of these games; name a new folder")

    def _play_itself(self, number: int) -> None:
        terms = self._match_terms("games", number)
        # The same player in both seats plays the same game in both of a pair, but remembers it.
        terms |= {"games": 2 * self.terms.games, "both_seats": True}
        _finish(tournament(self.game, [self.best], **terms))

    def _test(self, number: int, path: Path) -> Mapping[str, Any]:
        """Return the result of a match of a candidate against the best so far."""
        terms = self._match_terms("test", number)
        terms["games"] = self.terms.tested
        return _finish(match(self.game, str(path), self.best, self.terms.sprt, **terms))

    def _match_terms(self, name: str, number: int) -> Terms:
        """Return the terms of a match, with a record, and openings that no other match has."""
        seed = self.terms.terms.get("seed", 0) + 2 * number + (name == "test")
        return {**self.terms.terms, "seed": seed, "record": self._file(name, number)}

    def _file(self, name: str, number: int) -> Path:
        return self.folder / f"round{number}-{name}.db"

    def _load(self, personality: str) -> Personality:
        options = dict(self.terms.terms.get("options", {}))
        return Personality.load(personality, load_with(self.game, options))

    def plot(self) -> Path | None:
        """Draw the difference in Elo of each candidate that was tested; returns the file."""
        ratings = [*_ratings(self.rounds)]
        if not ratings:
            return None
        path = self.folder / "elo.svg"
        head, sign, rest = intervals(ratings).partition(">")
        write_whole(path, f"{head}{sign}{_STYLE}{rest}\n".encode())
        return path


def _finish(run: Run) -> Mapping[str, Any]:
    """Play all games of a run that are left, and return its result."""
    with run:
        for _ in run:
            pass
    return run.result()


def _ratings(rounds: Sequence[LearningRound]) -> Iterator[dict[str, Any]]:
    """Yield a rating of each candidate against what it was fitted from, where that is finite."""
    for done in rounds:
        result = done.match
        if result and None not in (result["elo"], result["low"], result["high"]):
            verdict = "accepted" if done.accepted else "not taken"
            yield {
                "player": f"round {done.number}, {verdict}",
                "elo": round(result["elo"]), "low": result["low"], "high": result["high"],
            }  # fmt: skip
