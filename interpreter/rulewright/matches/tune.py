"""Factors improved by matches: trials proposed by Optuna, the extra `tune`, or near the best one.

In: a personality, the factors that may change, opponents.  Out: one trial after the other, the best
one, a match that confirms it, and a new file.  Every trial plays the same openings, so that their
scores can be compared; the confirming match plays others.  Trials are stored in a study, a database
from which the same call goes on; those of the sampler `near`, which needs nothing but Python, last
as long as the process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from random import Random
from textwrap import wrap
from typing import Any, Literal, TypeAlias

from attrs import define, evolve, field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files.games import load_with
from rulewright.ground.disk import write_whole
from rulewright.ground.printable import amount
from rulewright.language.diagnostics import offer
from rulewright.matches.api import Terms, match
from rulewright.matches.executors import Processes
from rulewright.matches.protocols.contestant import Contestant
from rulewright.matches.statistics import mean_and_variance
from rulewright.matches.summary import between, difference
from rulewright.model.evaluation import Factor
from rulewright.model.personality import Number
from rulewright.players.personality import Personality, whole_text
from rulewright.players.player import GameLimits
from rulewright.search.results import refuse_seats

Sampler: TypeAlias = Literal["tpe", "cmaes", "near"]
_ANYWHERE = 4
"""Trials of the sampler `near`, the first included, before it looks about the best."""
_WIDTH = 0.3
"""How far about, as a share of what a factor may be; it shrinks."""


@frozen
class _Ended:
    """Whether a trial counts, by the name that Optuna has for it."""

    name: str


_COMPLETE = _Ended("COMPLETE")


@frozen
class Trial:
    """A trial that was played: its number, the values of the factors, the share of the points."""

    number: int
    factors: Mapping[str, Number]
    share: float


@frozen
class TuningTask:
    """The task of a study: `opponents` are contestants, `terms` those of every match."""

    game: str
    personality: str
    opponents: tuple[str, ...]
    factors: tuple[str, ...] = ()
    sampler: Sampler = "tpe"
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
    factors: list[Factor] = field(init=False)
    _study: Any = field(init=False)
    _pool: Processes | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        task = self.task
        game = _game(task)
        refuse_seats(game.rules, "tuning")
        contestant = Contestant.parse(task.personality)
        self.personality = contestant.personality(game, GameLimits())
        self.factors = _tuned_factors(self.personality, task.factors)
        if not task.opponents:
            raise RulewrightError("name the opponents of the tuning")
        for opponent in task.opponents:
            Contestant.parse(opponent).open(game, GameLimits()).close()
        near = task.sampler == "near"
        self._study = _Near(task.terms.get("seed", 0)) if near else _open_study(task, self.study)
        workers = task.terms.get("workers", 1)
        self._pool = Processes(workers) if workers > 1 else None

    def trials(self, most: int) -> Iterator[Trial]:
        """Play trials until there are *most* in the study, earlier ones included."""
        with _readable(self.study):
            if not self._study.trials:
                self._study.enqueue_trial(self._values(self.personality))
        while len(self.played()) < most:
            with _readable(self.study):
                trial = self._study.ask()
                values = {f.name: _suggested(trial, f) for f in self.factors}
            try:
                share = self._share(self._contestant(values), self.task.terms.get("seed", 0))
            except BaseException:
                self._study.tell(trial, state=_failed(self.task))
                raise
            with _readable(self.study):
                self._study.tell(trial, share)
            yield Trial(trial.number, values, share)

    def played(self) -> list[Trial]:
        """The trials that were played, of this process and of those before."""
        with _readable(self.study):
            complete = (t for t in self._study.trials if t.state.name == "COMPLETE")
            return [Trial(t.number, dict(t.params), float(t.value)) for t in complete]

    @property
    def best(self) -> Trial:
        """The trial with the largest share; among equals the first, which changes least."""
        trials = self.played()
        if not trials:
            raise RulewrightError("no trial has been played yet")
        return max(trials, key=lambda trial: (trial.share, -trial.number))

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
        tuned = self.personality.with_factors(**self.best.factors)
        provenance = " ".join(self._provenance(confirmed))
        return write_personality(tuned, path, self.task.personality, provenance)

    def close(self) -> None:
        """End the workers."""
        if self._pool is not None:
            self._pool.close()

    # --- within ---

    def _values(self, personality: Personality) -> dict[str, Number]:
        return {f.name: personality.factors[f.name] for f in self.factors}

    def _contestant(self, values: Mapping[str, Number]) -> str:
        text = self.task.personality
        settings = ",".join(f"{name}={value!r}" for name, value in values.items())
        sign = "@" if Contestant.parse(text).player_name == text else ","
        return f"{text}{sign}{settings}"

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
            score, count = run.standing.score(contestant)
            points, games = points + score, games + count
        if not games:
            raise RulewrightError("no game of a trial counts: each ended in a fault of the rules")
        return points / games

    def _provenance(self, confirmed: Mapping[str, Any] | None) -> Iterator[str]:
        task, best, trials = self.task, self.best, self.played()
        terms = {k: v for k, v in task.as_data()["terms"].items() if v not in (None, False, {})}
        settings = ", ".join(f"{name} {value}" for name, value in terms.items())
        yield f"Tuned from {task.personality} by {amount(len(trials), 'trial')} ({task.sampler}),"
        yield f"each against {', '.join(task.opponents)}: {settings}."
        yield f"Trial {best.number} was the best, with {best.share:.1%} of the points."
        if confirmed is not None:
            low, high = (confirmed[n] for n in ("low", "high"))
            games = amount(confirmed["games"], "other game")
            yield (
                f"Confirmed on {games} against {task.personality}: "
                f"{difference(confirmed)}, with 95 % {between(low, high)}."
            )


def write_personality(personality: Personality, path: Path, source: str, comment: str) -> str:
    """Write a personality that was made from the one called *source*; never over a file.

    *comment* says where its numbers come from.
    """
    if path.suffix != ".personality":
        raise RulewrightError(f"{path}: a personality is a file NAME.personality")
    text = whole_text(evolve(personality.model, name=source), path.stem)
    head, _, rest = text.partition("\n\n")
    lines = "\n".join(f"# {line}" for line in wrap(comment, 94))
    try:
        write_whole(path, f"{head}\n\n{lines}\n#\n{rest}".encode(), new=True)
    except FileExistsError:
        raise RulewrightError(f"{path} is there already, and is left as it is") from None
    return text


def no_worse(confirmed: Mapping[str, Any]) -> bool:
    """Whether the new one won half of the points or more against the old one."""
    return bool(confirmed["games"]) and mean_and_variance(confirmed["pairs"])[0] >= 1 / 2


def _game(task: TuningTask) -> Game:
    options: dict[str, Any] = dict(task.terms.get("options", {}))
    return load_with(task.game, options)


def _tuned_factors(personality: Personality, names: Sequence[str]) -> list[Factor]:
    """The factors that may change: those named, else all that formulas look at."""
    evaluator = personality.model.evaluator
    factors = {f.name: f for f in evaluator.factors} if evaluator else {}
    for name in names:
        if name not in factors:
            hint = offer(name, factors)
            raise RulewrightError(f"{personality.name} has no factor `{name}`; {hint}")
    choice = [factors[name] for name in names] or [f for f in factors.values() if not f.for_search]
    if not choice:
        raise RulewrightError(f"{personality.name} has no factor to tune")
    return choice


def _suggested(trial: Any, factor: Factor) -> Number:
    suggest: Callable[..., Number] = trial.suggest_int if factor.whole else trial.suggest_float
    return suggest(factor.name, factor.low, factor.high)


@define(eq=False)
class _NearTrial:
    """Values near those of the best trial so far, nearer the more there are."""

    number: int
    chance: Random
    around: Mapping[str, Number]
    width: float
    params: dict[str, Number] = field(factory=dict)
    value: float = 0.0
    state: _Ended = field(default=_Ended("RUNNING"))

    def suggest_float(self, name: str, low: float, high: float) -> float:
        """A number within limits: anywhere, or about the best one."""
        if name not in self.around:
            value = self.chance.uniform(low, high)
        else:
            value = self.chance.gauss(self.around[name], self.width * (high - low))
        return self._noted(name, min(high, max(low, value)))

    def suggest_int(self, name: str, low: int, high: int) -> int:
        """A whole number likewise."""
        return round(self._noted(name, round(self.suggest_float(name, low, high))))

    def _noted(self, name: str, value: Number) -> Number:
        self.params[name] = value
        return value


@define(eq=False)
class _Near:
    """A study without a database: the values there are, some of anywhere, then near the best."""

    seed: int
    trials: list[_NearTrial] = field(factory=list)
    _first: Mapping[str, Number] = field(factory=dict, init=False)

    def enqueue_trial(self, values: Mapping[str, Number]) -> None:
        """Set the values of the first trial."""
        self._first = values

    def ask(self) -> _NearTrial:
        """The next trial."""
        trials = [trial for trial in self.trials if trial.state == _COMPLETE]
        number, chance = len(self.trials), Random(f"{self.seed} {len(self.trials)}")
        anywhere = 0 < len(trials) < _ANYWHERE
        best = max(trials, key=lambda trial: (trial.value, -trial.number)).params if trials else {}
        around = self._first if not trials else {} if anywhere else best
        width = 0.0 if not trials else _WIDTH / (1 + len(trials) / _ANYWHERE)
        self.trials.append(_NearTrial(number, chance, around, width))
        return self.trials[-1]

    def tell(self, trial: _NearTrial, value: float = 0.0, state: _Ended = _COMPLETE) -> None:
        """Note the value and the state of a trial."""
        trial.value, trial.state = value, state


def optuna_is_there() -> bool:
    """Whether the samplers of Optuna can be used here."""
    return find_spec("optuna") is not None


def _failed(task: TuningTask) -> Any:
    """The state that a study gives a trial that does not count."""
    if task.sampler == "near":
        return _Ended("FAIL")
    import optuna

    return optuna.trial.TrialState.FAIL


def _open_study(task: TuningTask, path: Path) -> Any:
    """The study in a database; one of another task is refused."""
    try:
        import optuna
    except ImportError:
        message = "tuning needs the package optuna: pip install 'rulewright[tune]'"
        raise RulewrightError(message) from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    settings = task.as_data()
    with _readable(path):
        study = optuna.create_study(
            storage=f"sqlite:///{path}", study_name="tune", direction="maximize",
            load_if_exists=True, sampler=_sampler(task),
        )  # fmt: skip
        record = study.user_attrs.get("task")
        if record is None:
            study.set_user_attr("task", settings)
    if record is not None and record != settings:
        fields = record if isinstance(record, dict) else {}
        differences = ", ".join(name for name in settings if settings[name] != fields.get(name))
        message = f"{path} is the study of another command, which differs in {differences}"
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
        reason = str(error).strip().partition("\n")[0]
        raise RulewrightError(f"{path} cannot be used as a study: {reason}") from None


def _sampler(task: TuningTask) -> Any:
    import optuna

    seed = task.terms.get("seed", 0)
    if task.sampler == "cmaes":
        return optuna.samplers.CmaEsSampler(seed=seed)
    return optuna.samplers.TPESampler(seed=seed)
