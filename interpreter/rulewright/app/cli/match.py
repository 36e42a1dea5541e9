"""Games of players against each other: `match`, `tournament`, and `tune`, which learns of them."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import cast

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import answer, load_game, new_path, say, settings
from rulewright.errors import RulewrightError
from rulewright.ground.printable import amount, plural, printable_name
from rulewright.matches.api import Terms, match, tournament
from rulewright.matches.plan import REFUSALS, Form
from rulewright.matches.run import Run
from rulewright.matches.summary import between, difference, summary_lines, watch_games
from rulewright.matches.tune import Tuner, TuningTask, no_worse
from rulewright.players.player import REASONS

# --- match ---


def play_match(arguments: Namespace) -> int:
    """Play a match."""
    entrants = (arguments.first, arguments.second, *arguments.more)
    if load_game(arguments).rules.has_several:
        if arguments.sprt:
            raise RulewrightError("--sprt is for two players, and more play this game")
        return _run_games(tournament(arguments.game, entrants, **terms(arguments)), arguments)
    if arguments.more:
        raise RulewrightError("a match is between two players here; `tournament` takes more")
    errors = (arguments.errors[0], arguments.errors[1])
    test = (arguments.sprt[0], arguments.sprt[1], *errors) if arguments.sprt else None
    return _run_games(
        match(arguments.game, arguments.first, arguments.second, test, **terms(arguments)),
        arguments,
    )


def _run_games(run: Run, arguments: Namespace) -> int:
    """Play all games and print where it stands; an interruption prints that too.

    The status is 1 where the rules went wrong in a game, or in openings.
    """
    interrupted = False
    if run.store.notice:
        say(f"rulewright: {run.store.notice}")
    for complaint in run.store.damaged:
        say(f"rulewright: {complaint}; it is played again")
    if run.fault:
        say(f"rulewright: the rules go wrong in openings: {run.fault}")
    if run.resumed:
        were = plural(run.resumed, "was", "were")
        say(f"{amount(run.resumed, 'game')} {were} on record already")
    with run:
        try:
            for record in watch_games(run):
                _complain(record.reason, record.detail, record.number)
        except KeyboardInterrupt:
            run.cancel()
            interrupted = True
        finally:
            for worker, reason in run.pool.refusals.items():
                say(f"rulewright: {worker} played no games: {reason}")
    result = run.result()
    answer(arguments, result, summary_lines(result))
    return 130 if interrupted else int(bool(run.fault or result["faulty_games"]))


def _complain(reason: str, detail: str, number: int) -> None:
    if reason in (*REASONS, "fault"):
        say(f"game {number}: {reason}: {detail}")


def terms(arguments: Namespace) -> Terms:
    """The terms that the arguments say."""
    values = {name: getattr(arguments, name, None) for name in Terms.__annotations__}
    files = {
        "options": settings(arguments.set),
        "clock": _clock(arguments.clock),
        "openings": int(text) if (text := arguments.openings or "").isdecimal() else text or None,
        "adjudicate": _adjudicate(arguments.adjudicate),
    }
    return cast(Terms, values | files)


def _clock(text: str | None) -> tuple[float, float] | None:
    """`60+1`: seconds of a game and seconds of a turn."""
    if text is None:
        return None
    base, plus, more = text.partition("+")
    try:
        clock = (float(base), float(more) if plus else 0.0)
    except ValueError:
        raise RulewrightError(f"--clock takes SECONDS+INCREMENT, not `{text}`") from None
    if not (0 < clock[0] < float("inf") and 0 <= clock[1] < float("inf")):
        raise RulewrightError(f"--clock takes a time above 0, not `{text}`")
    return clock


def _adjudicate(text: str | None) -> tuple[float, int] | None:
    """`100:4`: a value, and for how many turns."""
    if text is None:
        return None
    value, _, turns = text.partition(":")
    try:
        agreement = (float(value), int(turns))
    except ValueError:
        raise RulewrightError(f"--adjudicate takes VALUE:TURNS, not `{text}`") from None
    if not agreement[0] > 0 or agreement[1] < 1:
        raise RulewrightError(f"--adjudicate takes a value and turns above 0, not `{text}`")
    return agreement


# --- tournament ---


def play_tournament(arguments: Namespace) -> int:
    """Play everyone against everyone, or the first against all others."""
    form: Form = "gauntlet" if arguments.gauntlet else "round robin"
    players: list[str] = arguments.players
    return _run_games(tournament(arguments.game, players, form, **terms(arguments)), arguments)


# --- tune ---


def tune(arguments: Namespace) -> int:
    """Play trials, confirm the best, write it; 1 when it did worse than what it was."""
    out = new_path(arguments.out)
    task = TuningTask(
        arguments.game,
        arguments.personality,
        tuple(arguments.versus or [arguments.personality]),
        tuple(arguments.factors.split(",")) if arguments.factors else (),
        arguments.sampler,
        terms(arguments),
    )
    tuner = Tuner(task, Path(arguments.study or out.with_suffix(".study.db")))
    try:
        return _tuned(tuner, arguments, out)
    finally:
        tuner.close()


def _tuned(tuner: Tuner, arguments: Namespace, out: Path) -> int:
    for trial in tuner.trials(arguments.trials):
        values = ", ".join(f"{name} {value:.4g}" for name, value in trial.factors.items())
        say(f"trial {trial.number}: {trial.share:.1%} with {values}")
    if tuner.unchanged:
        message = f"no trial of {len(tuner.played())} did better than {tuner.task.personality}"
        say(f"{message} as it is; nothing is written")
        return 1
    confirmed = tuner.confirm(arguments.confirm)
    best, worse = tuner.best, not no_worse(confirmed)
    is_written = not worse or arguments.force
    if is_written:
        tuner.write(out, confirmed)
    data = {
        "file": str(out) if is_written else None, "trials": len(tuner.played()),
        "trial": best.number, "share": best.share,
        "factors": dict(best.factors), "confirmation": confirmed,
    }  # fmt: skip
    interval = between(confirmed["low"], confirmed["high"])
    answer(arguments, data, [
        f"{printable_name(out)}: trial {best.number} of {data['trials']}, {best.share:.1%} there;",
        f"against {tuner.task.personality}: {difference(confirmed)}, 95 % {interval}",
    ])  # fmt: skip
    if not is_written:
        message = f"{out} is not written: the best trial did worse when it was confirmed"
        say(f"{message}; --force writes it all the same")
    return int(worse)


def _terms_arguments(games: int = 100) -> list[a.Argument]:
    """The arguments that all commands of matches share."""
    return [
        a.value(
            "--games", "N", f"games of each pairing, both seats together; even (default {games})",
            type=a.whole, default=games,
        ),
        a.flag(
            "--both-seats",
            "N games of each pairing in each order, a player against itself included",
        ),
        a.each_time("seconds for each decision"),
        a.value(
            "--clock", "S+I", "seconds for a whole game, I seconds back after each turn"
        ),
        a.nodes("decisions that each search plays"),
        a.depth("plies that each search looks ahead"), a.memory("memory of a player (default 64)"),
        a.value(
            "--grace", "S", "seconds by which a decision may be late (default 1)",
            type=a.positive, default=1.0,
        ),
        a.value(
            "--openings", "N|FILE",
            "random turns at the beginning, or a file with an opening in each line (default: 2"
            " turns, or as many more as give every pair of games its own)",
        ),
        a.value(
            "--adjudicate", "V:N",
            "end a game when both players' values agree, by at least V, for N turns",
        ),
        a.value(
            "--drawn", "EVALUATOR:VALUE",
            "end a game as a draw where that value of a position is not 0: nobody can win",
        ),
        a.choice(
            "--refused", REFUSALS, REFUSALS[0],
            "how a game counts in which a program refuses a legal decision: not at all, as lost by"
            " it, as drawn",
        ),
        a.value("--longest", "N", "turns until a draw (default 2000)", type=a.whole, default=2000),
        a.seed(),
    ]  # fmt: skip


_PLAYER = (
    "a personality (name or path), computer or random; WHO@depth=2,nodes=500,time=0.1 limits it"
)
_RECORD = a.value(
    "--record", "FILE",
    "keep every game in a database (.db); the same command continues an interrupted match",
)  # fmt: skip
_WORKERS = [
    a.value("--workers", "N", "processes (default 1)", type=a.whole, default=1),
    a.value("--cluster", "ADDRESS", "play on a Dask cluster"),
    a.FORM,
]
COMMANDS: dict[str, a.Command] = {
    "match": (play_match, [
        *a.GAME, a.value("first", "A", _PLAYER), a.value("second", "B", "the other player"),
        a.value("more", "C", "more entrants, where a game has more than two players", nargs="*"),
        a.value(
            "--sprt", ("ELO0", "ELO1"),
            "stop as soon as the games favour one of two differences in Elo", type=float, nargs=2,
        ),
        a.value(
            "--errors", ("A", "B"),
            "the two error rates of --sprt (default 0.05 0.05)",
            type=float, nargs=2, default=(0.05, 0.05),
        ),
        *_terms_arguments(), _RECORD, *_WORKERS,
    ]),
    "tournament": (play_tournament, [
        *a.GAME, a.value("players", "P", _PLAYER, nargs="+"),
        a.flag("--gauntlet", "let the first player play against all others"),
        *_terms_arguments(), _RECORD, *_WORKERS,
    ]),
    "tune": (tune, [
        *a.GAME, a.value("personality", "P", "the personality to tune: a name, or a path"),
        a.value("--out", "FILE", "the new NAME.personality", required=True),
        a.value("--factors", "A,B", "factors that may change (default: all)"),
        a.value(
            "--versus", "WHO", "an opponent, may be repeated (default: P as it is)", action="append"
        ),
        a.value("--trials", "N", "trials (default 50)", type=a.whole, default=50),
        a.choice("--sampler", ("tpe", "cmaes"), "tpe", "the sampler of Optuna (default tpe)"),
        a.value("--study", "FILE", "keep the trials in this file; the same command continues them"),
        a.value(
            "--confirm", "N", "games of the best trial against P at the end (default 200)",
            type=a.whole, default=200,
        ),
        a.flag("--force", "write the personality even if that match shows it to be worse"),
        *_terms_arguments(20), *_WORKERS,
    ]),
}  # fmt: skip
