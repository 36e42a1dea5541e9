"""`rulewright tune`: factors of a personality improved by matches."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from rulewright.cli.common import print_json
from rulewright.cli.match import terms
from rulewright.disk import is_there
from rulewright.errors import RulewrightError
from rulewright.matches.summary import between, difference
from rulewright.matches.tune import Tuner, TuningTask, no_worse


def run(arguments: Namespace) -> int:
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
