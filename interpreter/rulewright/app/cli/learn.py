"""`learn`: a personality plays itself, is fitted to the games, and is tested, round after round."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import answer, say, settings
from rulewright.ground.printable import columns, printable_name
from rulewright.learning.fit import PENALTY, FitTerms
from rulewright.learning.rounds import HEADINGS, LearningRound, RoundLearner, RoundTerms
from rulewright.matches.api import Terms


def learn(arguments: Namespace) -> int:
    """Learn in rounds; 1 when no candidate was taken."""
    learner = RoundLearner(
        arguments.game, arguments.personality, Path(arguments.folder), _terms(arguments)
    )
    for entry in learner.run(arguments.rounds):
        say(f"round {entry.number}: {entry.row()[-1]}")
    plot = learner.plot()
    lines = list(columns([list(HEADINGS), *(list(entry.row()) for entry in learner.rounds)]))
    lines.append(f"the best: {printable_name(learner.best)}")
    lines += [f"plot: {printable_name(str(plot))}"] if plot else []
    data = {
        "best": learner.best, "plot": str(plot) if plot else None,
        "rounds": [_data(entry) for entry in learner.rounds],
    }  # fmt: skip
    answer(arguments, data, lines)
    return int(not any(entry.accepted for entry in learner.rounds))


def _terms(arguments: Namespace) -> RoundTerms:
    terms: Terms = {
        "options": settings(arguments.set), "nodes": arguments.nodes,
        "workers": arguments.workers, "seed": arguments.seed,
    }  # fmt: skip
    names = tuple(arguments.factors.split(",")) if arguments.factors else ()
    fitting = FitTerms(names, arguments.skip, penalty=arguments.penalty)
    sprt = (arguments.sprt[0], arguments.sprt[1])
    return RoundTerms(arguments.games, arguments.tested, sprt, terms, fitting)


def _data(entry: LearningRound) -> dict[str, object]:
    return {
        "round": entry.number, "accepted": entry.accepted,
        "file": str(entry.path) if entry.match else None,
        "fit": entry.fit.as_data(), "match": entry.match,
    }  # fmt: skip


COMMANDS: dict[str, a.Command] = {
    "learn": (learn, [
        *a.GAME, a.value("personality", "P", "the personality that learns: a name, or a path"),
        a.value(
            "--folder", "DIR", "the folder of all games; the same command continues there",
            required=True,
        ),
        a.value("--rounds", "N", "rounds (default 3)", type=a.whole, default=3),
        a.value(
            "--games", "N", "different games of a round against itself (default 200)",
            type=a.whole, default=200,
        ),
        a.value(
            "--tested", "N", "games that test a candidate at most; even (default 400)",
            type=a.whole, default=400,
        ),
        a.value(
            "--sprt", ("ELO0", "ELO1"),
            "differences in Elo between which a test decides (default 0 20)",
            type=float, nargs=2, default=(0.0, 20.0),
        ),
        a.value(
            "--nodes", "N", "decisions that each search plays (default 300)", type=a.whole,
            default=300,
        ),
        a.value("--factors", "A,B", "factors that may change (default: all)"),
        a.value(
            "--skip", "N", "decisions at the beginning of each game that are left out",
            type=a.whole, default=0,
        ),
        a.value(
            "--penalty", "X", f"how strongly first values hold factors (default {PENALTY:g})",
            type=a.positive, default=PENALTY,
        ),
        a.value("--workers", "N", "processes (default 1)", type=a.whole, default=1),
        a.seed(), a.FORM,
    ]),
}  # fmt: skip
