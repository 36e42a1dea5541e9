"""Games of players against each other: `match`, `tournament`, and `tune`, which learns of them."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from rulewright.cli import arguments as a
from rulewright.cli.common import print_json, settings
from rulewright.disk import is_there
from rulewright.errors import RulewrightError
from rulewright.matches.api import Terms, match, tournament
from rulewright.matches.plan import Form
from rulewright.matches.run import Run
from rulewright.matches.summary import between, difference, summary_lines, watched
from rulewright.matches.tune import Tuner, TuningTask, no_worse

# --- match ---


def play_match(arguments: Namespace) -> int:
    """Play a match."""
    errors = (arguments.errors[0], arguments.errors[1])
    test = (arguments.sprt[0], arguments.sprt[1], *errors) if arguments.sprt else None
    return _played(
        match(arguments.game, arguments.first, arguments.second, test, **terms(arguments)),
        arguments,
    )


def _played(run: Run, arguments: Namespace) -> int:
    """Play all games and print where it stands; an interruption prints that too.

    The status is 1 where the rules went wrong in a game.
    """
    interrupted = False
    for told in run.store.damaged:
        print(f"rulewright: {told}; it is played again", file=sys.stderr)
    if run.resumed:
        print(f"{run.resumed} games were on record already", file=sys.stderr)
    with run:
        try:
            for record in watched(run):
                _complain(record.reason, record.detail, record.number)
        except KeyboardInterrupt:
            run.cancel()
            interrupted = True
    result = run.result()
    if arguments.format == "json":
        print_json(result)
    else:
        print("\n".join(summary_lines(result)))
    return 130 if interrupted else int(bool(result["faulty_games"]))


def _complain(reason: str, detail: str, number: int) -> None:
    if reason in ("crash", "hang", "illegal", "time", "fault"):
        print(f"game {number}: {reason}: {detail}", file=sys.stderr)


def terms(arguments: Namespace) -> Terms:
    """The terms that the arguments say."""
    return {
        "options": settings(arguments.set),
        "games": arguments.games,
        "both_seats": arguments.both_seats,
        "time": arguments.time,
        "clock": _clock(arguments.clock),
        "nodes": arguments.nodes,
        "depth": arguments.depth,
        "memory": arguments.memory,
        "grace": arguments.grace,
        "openings": int(text) if (text := arguments.openings or "").isdecimal() else text or None,
        "adjudicate": _adjudicate(arguments.adjudicate),
        "longest": arguments.longest,
        "seed": arguments.seed,
        "record": getattr(arguments, "record", None),
        "workers": arguments.workers,
        "cluster": arguments.cluster,
    }


def _clock(text: str | None) -> tuple[float, float] | None:
    """`60+1`: seconds of a game and seconds of a turn."""
    if text is None:
        return None
    base, plus, more = text.partition("+")
    try:
        found = (float(base), float(more) if plus else 0.0)
    except ValueError:
        raise RulewrightError(f"--clock takes SECONDS+INCREMENT, not `{text}`") from None
    if not (0 < found[0] < float("inf") and 0 <= found[1] < float("inf")):
        raise RulewrightError(f"--clock takes a time above 0, not `{text}`")
    return found


def _adjudicate(text: str | None) -> tuple[float, int] | None:
    """`100:4`: a value, and for how many turns."""
    if text is None:
        return None
    value, _, turns = text.partition(":")
    try:
        found = (float(value), int(turns))
    except ValueError:
        raise RulewrightError(f"--adjudicate takes VALUE:TURNS, not `{text}`") from None
    if not found[0] > 0 or found[1] < 1:
        raise RulewrightError(f"--adjudicate takes a value and turns above 0, not `{text}`")
    return found


# --- tournament ---


def play_tournament(arguments: Namespace) -> int:
    """Play everyone against everyone, or the first against all others."""
    form: Form = "gauntlet" if arguments.gauntlet else "round robin"
    players: list[str] = arguments.players
    return _played(tournament(arguments.game, players, form, **terms(arguments)), arguments)


# --- tune ---


def tune(arguments: Namespace) -> int:
    """Play trials, confirm the best, write it; 1 when it did worse than what it was."""
    out = Path(arguments.out)
    if is_there(out):
        raise RulewrightError(f"{out} is there already, and is left as it is")
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
        told = ", ".join(f"{name} {value:.4g}" for name, value in trial.factors.items())
        print(f"trial {trial.number}: {trial.share:.1%} with {told}", file=sys.stderr)
    if tuner.unchanged:
        message = f"no trial of {len(tuner.played())} did better than {tuner.task.personality}"
        print(f"{message} as it is; nothing is written", file=sys.stderr)
        return 1
    confirmed = tuner.confirm(arguments.confirm)
    best, worse = tuner.best, not no_worse(confirmed)
    written = not worse or arguments.force
    if written:
        tuner.write(out, confirmed)
    if arguments.format == "json":
        print_json({
            "file": str(out) if written else None, "trials": len(tuner.played()),
            "trial": best.number, "share": best.share,
            "factors": dict(best.factors), "confirmation": confirmed,
        })  # fmt: skip
    else:
        interval = between(confirmed["low"], confirmed["high"])
        print(f"{out}: trial {best.number} of {len(tuner.played())}, {best.share:.1%} there;")
        print(f"against {tuner.task.personality}: {difference(confirmed)}, 95 % {interval}")
    if not written:
        message = f"{out} is not written: the best trial did not hold what it promised"
        print(f"{message}; --force writes it all the same", file=sys.stderr)
    return int(worse)


# --- arguments ---

PLAYER = (
    "a personality (name or path), computer or random; WHO@depth=2,nodes=500,time=0.1 limits it"
)


def _match_arguments(p: a.Parser) -> None:
    a.game(p)
    p.add_argument("first", metavar="A", help=PLAYER)
    p.add_argument("second", metavar="B", help="likewise")
    p.add_argument(
        "--sprt", type=float, nargs=2, metavar=("ELO0", "ELO1"),
        help="stop as soon as one of two differences in Elo is sure enough",
    )  # fmt: skip
    p.add_argument(
        "--errors", type=float, nargs=2, default=(0.05, 0.05), metavar=("A", "B"),
        help="how often --sprt may be wrong about either (default 0.05 0.05)",
    )  # fmt: skip
    _add_terms(p)


def _tournament_arguments(p: a.Parser) -> None:
    a.game(p)
    p.add_argument("players", metavar="P", nargs="+", help=PLAYER)
    p.add_argument("--gauntlet", action="store_true", help="the first against all others")
    _add_terms(p)


def _tune_arguments(p: a.Parser) -> None:
    a.game(p)
    p.add_argument("personality", metavar="P", help="what is tuned: a name, or a path")
    p.add_argument("--out", metavar="FILE", required=True, help="the new NAME.personality")
    p.add_argument("--factors", metavar="A,B", help="those that may change; unsaid: all")
    p.add_argument(
        "--versus", metavar="WHO", action="append",
        help="an opponent, may be repeated; unsaid: P as it is",
    )  # fmt: skip
    p.add_argument("--trials", type=a.whole, default=50, metavar="N", help="(default 50)")
    p.add_argument("--sampler", choices=("tpe", "cmaes"), default="tpe", help="(default tpe)")
    p.add_argument(
        "--study", metavar="FILE", help="keeps the trials; the same command goes on with them"
    )
    p.add_argument(
        "--confirm", type=a.whole, default=200, metavar="N",
        help="games of the best against P at the end (default 200)",
    )  # fmt: skip
    p.add_argument(
        "--force", action="store_true", help="write it also when that match shows it to be worse"
    )
    _add_terms(p, games=20, record=False)


def _add_terms(p: a.Parser, games: int = 100, record: bool = True) -> None:
    """What all of them have in common."""
    p.add_argument(
        "--games", type=a.whole, default=games, metavar="N",
        help=f"of each pairing, both seats together; even (default {games})",
    )  # fmt: skip
    p.add_argument(
        "--both-seats", action="store_true",
        help="N games of each pairing in each order, a player against itself included",
    )  # fmt: skip
    p.add_argument("--time", type=a.positive, metavar="S", help="seconds for each decision")
    p.add_argument(
        "--clock", metavar="S+I", help="seconds for a whole game, I seconds back after each turn"
    )
    a.limits(p, "of each search", "of each search")
    a.memory(p, "(default 64)")
    p.add_argument(
        "--grace", type=a.positive, default=1.0, metavar="S",
        help="seconds by which a decision may be late (default 1)",
    )  # fmt: skip
    p.add_argument(
        "--openings", metavar="N|FILE",
        help="random turns at the beginning, or a file with an opening in each line (default: 2"
        " turns, or as many more as give every pair of games its own)",
    )  # fmt: skip
    p.add_argument(
        "--adjudicate", metavar="V:N",
        help="end a game when both players' values agree, by at least V, for N turns",
    )  # fmt: skip
    p.add_argument(
        "--longest", type=a.whole, default=2000, metavar="N", help="turns of a draw (default 2000)"
    )
    a.seed(p)
    if record:
        p.add_argument(
            "--record", metavar="FILE",
            help="keep every game, .jsonl or .db; the same command goes on where it stopped",
        )  # fmt: skip
    p.add_argument("--workers", type=a.whole, default=1, metavar="N", help="processes (default 1)")
    p.add_argument("--cluster", metavar="ADDRESS", help="play on a Dask cluster")
    a.form(p)


COMMANDS: dict[str, a.Command] = {
    "match": (_match_arguments, play_match),
    "tournament": (_tournament_arguments, play_tournament),
    "tune": (_tune_arguments, tune),
}
