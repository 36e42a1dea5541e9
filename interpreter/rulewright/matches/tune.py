"""Factors improved by matches: trials proposed by Optuna, the extra `tune`.

In: a personality, the factors that may change, opponents.  Out: one trial after the other, the best
one, a match that confirms it, and a new file.  Every trial plays the same openings, so that their
scores can be compared; the confirming match plays others.  Trials are stored in a study, a database
from which the same call goes on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import wrap
from typing import Any, Literal

from attrs import define, evolve, field, frozen

from rulewright.disk import write_whole
from rulewright.engine.game import Game
from rulewright.errors import RulewrightError
from rulewright.files.games import load_with
from rulewright.language.diagnostics import did_you_mean
from rulewright.matches.api import Terms, match
from rulewright.matches.executors import Processes
from rulewright.matches.statistics import mean_and_variance
from rulewright.matches.summary import between, difference
from rulewright.model.evaluation import Factor
from rulewright.model.personality import Number
from rulewright.players.personality import Personality, whole_text
from rulewright.players.player import GameLimits
from rulewright.protocols.contestant import Contestant


@frozen
class Trial:
    """A trial that was played: its number, the values of the factors, the share of the points."""

    number: int
    factors: Mapping[str, Number]
    share: float


@frozen
class TuningTask:
    """What is tuned: `opponents` are contestants, `terms` those of every match."""

    game: str
    personality: str
    opponents: tuple[str, ...]
    factors: tuple[str, ...] = ()
    sampler: Literal["tpe", "cmaes"] = "tpe"
    terms: Terms = field(factory=Terms)

    def as_data(self) -> dict[str, Any]:
        """What must be the same when a study goes on."""
        fixed = {k: v for k, v in self.terms.items() if k not in ("workers", "executor", "cluster")}
        return {
            "game": self.game, "personality": self.personality, "opponents": list(self.opponents),
            "factors": list(self.factors), "sampler": self.sampler,
            "terms": json.loads(json.dumps(fixed, default=str)),
        }  # fmt: skip


class TuningStopped(RulewrightError):
    """Nobody waits for the trial that was under way; it does not count."""


@define(eq=False)
class Tuner:
    """Iterate over `trials` as long as you like; then `confirm` the best and `write` it.

    *stopped* is asked after each game; once it says so, `TuningStopped` is raised.
    """

    task: TuningTask
    study: Path
    stopped: Callable[[], bool] = lambda: False
    personality: Personality = field(init=False)
    chosen: list[Factor] = field(init=False)
    _study: Any = field(init=False)
    _pool: Processes | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        task = self.task
        game = _game(task)
        contestant = Contestant.parse(task.personality)
        self.personality = contestant.personality(game, GameLimits())
        self.chosen = _chosen(self.personality, task.factors)
        if not task.opponents:
            raise RulewrightError("a personality is tuned against others, and none is named")
        for opponent in task.opponents:
            Contestant.parse(opponent).open(game, GameLimits()).close()
        self._study = _open_study(task, self.study)
        workers = task.terms.get("workers", 1)
        self._pool = Processes(workers) if workers > 1 else None

    def trials(self, most: int) -> Iterator[Trial]:
        """Play trials until there are *most* in the study, earlier ones included."""
        import optuna

        with _readable(self.study):
            if not self._study.trials:
                self._study.enqueue_trial(self._values(self.personality))
        while len(self.played()) < most:
            with _readable(self.study):
                trial = self._study.ask()
                values = {f.name: _suggested(trial, f) for f in self.chosen}
            try:
                share = self._share(self._contestant(values), self.task.terms.get("seed", 0))
            except BaseException:
                self._study.tell(trial, state=optuna.trial.TrialState.FAIL)
                raise
            with _readable(self.study):
                self._study.tell(trial, share)
            yield Trial(trial.number, values, share)

    def played(self) -> list[Trial]:
        """The trials that were played, of this process and of those before."""
        with _readable(self.study):
            done = (t for t in self._study.trials if t.state.name == "COMPLETE")
            return [Trial(t.number, dict(t.params), float(t.value)) for t in done]

    @property
    def best(self) -> Trial:
        """The trial with the largest share; among equals the first, which changes least."""
        played = self.played()
        if not played:
            raise RulewrightError("no trial has been played yet")
        return max(played, key=lambda trial: (trial.share, -trial.number))

    @property
    def unchanged(self) -> bool:
        """Whether the best is the personality as it was."""
        return dict(self.best.factors) == self._values(self.personality)

    def confirm(self, games: int) -> dict[str, Any]:
        """The result of a match of the best against the personality as it was, on new openings."""
        terms = self._terms(self.task.terms.get("seed", 0) + 1)
        terms["games"] = games
        best = self._contestant(self.best.factors)
        with match(self.task.game, best, self.task.personality, **terms) as run:
            for _ in run:
                pass
        return run.result()

    def write(self, path: Path, confirmed: Mapping[str, Any] | None = None) -> str:
        """Write the best as a new personality, with where it comes from; never over a file."""
        name = path.stem
        if path.suffix != ".personality":
            raise RulewrightError(f"{path}: a personality is a file NAME.personality")
        tuned = self.personality.with_factors(**self.best.factors)
        text = whole_text(evolve(tuned.model, name=self.task.personality), name)
        head, _, rest = text.partition("\n\n")
        told = "\n".join(f"# {line}" for line in wrap(" ".join(self._provenance(confirmed)), 94))
        try:
            write_whole(path, f"{head}\n\n{told}\n#\n{rest}".encode(), new=True)
        except FileExistsError:
            raise RulewrightError(f"{path} is there already, and is left as it is") from None
        return text

    def close(self) -> None:
        """End the workers."""
        if self._pool is not None:
            self._pool.close()

    # --- within ---

    def _values(self, personality: Personality) -> dict[str, Number]:
        return {f.name: personality.factors[f.name] for f in self.chosen}

    def _contestant(self, values: Mapping[str, Number]) -> str:
        text = self.task.personality
        told = ",".join(f"{name}={value!r}" for name, value in values.items())
        return f"{text},{told}" if Contestant.parse(text).who != text else f"{text}@{told}"

    def _terms(self, seed: int) -> Terms:
        terms: Terms = {**self.task.terms, "seed": seed}
        if self._pool is not None:
            terms["executor"] = self._pool.executor
        return terms

    def _share(self, contestant: str, seed: int) -> float:
        """The share of the points against all opponents."""
        points = games = 0.0
        for opponent in self.task.opponents:
            with match(self.task.game, contestant, opponent, **self._terms(seed)) as run:
                for _ in run:
                    if self.stopped():
                        raise TuningStopped("the tuning was stopped")
            won, played = run.standing.score(contestant)
            points, games = points + won, games + played
        if not games:
            raise RulewrightError("no game of a trial counts: the rules went wrong in every one")
        return points / games

    def _provenance(self, confirmed: Mapping[str, Any] | None) -> Iterator[str]:
        task, best, played = self.task, self.best, self.played()
        terms = {k: v for k, v in task.as_data()["terms"].items() if v not in (None, False, {})}
        told = ", ".join(f"{name} {value}" for name, value in terms.items())
        yield f"Tuned from {task.personality} by {len(played)} trials ({task.sampler}),"
        yield f"each against {', '.join(task.opponents)}: {told}."
        yield f"Trial {best.number} was the best, with {best.share:.1%} of the points."
        if confirmed is not None:
            low, high = (confirmed[n] for n in ("low", "high"))
            yield (
                f"Confirmed on {confirmed['games']} other games against {task.personality}: "
                f"{difference(confirmed)}, with 95 % {between(low, high)}."
            )


def no_worse(confirmed: Mapping[str, Any]) -> bool:
    """Whether the new one won half of the points or more against the old one."""
    return bool(confirmed["games"]) and mean_and_variance(confirmed["pairs"])[0] >= 1 / 2


def _game(task: TuningTask) -> Game:
    options: dict[str, Any] = dict(task.terms.get("options", {}))
    return load_with(task.game, options)


def _chosen(personality: Personality, names: Sequence[str]) -> list[Factor]:
    """The factors that may change: those named, else all that formulas look at."""
    evaluator = personality.model.evaluator
    known = {f.name: f for f in evaluator.factors} if evaluator else {}
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f"it has {', '.join(known) or 'none'}"
            raise RulewrightError(f"{personality.name} has no factor `{name}`; {hint}")
    found = [known[name] for name in names] or [f for f in known.values() if not f.for_search]
    if not found:
        raise RulewrightError(f"{personality.name} has no factor to tune")
    return found


def _suggested(trial: Any, factor: Factor) -> Number:
    suggest: Callable[..., Number] = trial.suggest_int if factor.whole else trial.suggest_float
    return suggest(factor.name, factor.low, factor.high)


def _open_study(task: TuningTask, path: Path) -> Any:
    """The study in a database; one of another task is refused."""
    try:
        import optuna
    except ImportError:
        message = "tuning needs the package optuna: pip install 'rulewright[tune]'"
        raise RulewrightError(message) from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    mine = task.as_data()
    with _readable(path):
        study = optuna.create_study(
            storage=f"sqlite:///{path}", study_name="tune", direction="maximize",
            load_if_exists=True, sampler=_sampler(task),
        )  # fmt: skip
        told = study.user_attrs.get("task")
        if told is None:
            study.set_user_attr("task", mine)
    if told is not None and told != mine:
        known = told if isinstance(told, dict) else {}
        what = ", ".join(name for name in mine if mine[name] != known.get(name))
        message = f"{path} is the study of another command, which differs in {what}"
        raise RulewrightError(f"{message}; repeat that command, or choose another name")
    return study


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Say of a damaged study that it is one, whatever Optuna and its database make of it."""
    try:
        yield
    except RulewrightError:
        raise
    except Exception as error:
        told = str(error).strip().partition("\n")[0]
        raise RulewrightError(f"{path} cannot be used as a study: {told}") from None


def _sampler(task: TuningTask) -> Any:
    import optuna

    seed = task.terms.get("seed", 0)
    if task.sampler == "cmaes":
        return optuna.samplers.CmaEsSampler(seed=seed)
    return optuna.samplers.TPESampler(seed=seed)
