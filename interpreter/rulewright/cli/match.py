"""`rulewright match`, and what it has in common with `rulewright tournament`."""

from __future__ import annotations

import sys
from argparse import Namespace

from rulewright.cli.common import print_json, settings
from rulewright.errors import RulewrightError
from rulewright.matches.api import Terms, match
from rulewright.matches.run import Run
from rulewright.matches.summary import summary_lines, watched


def run(arguments: Namespace) -> int:
    """Play a match."""
    errors = (arguments.errors[0], arguments.errors[1])
    test = (arguments.sprt[0], arguments.sprt[1], *errors) if arguments.sprt else None
    return play(
        match(arguments.game, arguments.first, arguments.second, test, **terms(arguments)),
        arguments,
    )


def play(run: Run, arguments: Namespace) -> int:
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
