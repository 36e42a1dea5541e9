"""`rulewright analyze`."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from rulewright.analysis.analyze import Judged, analyze, judge_of
from rulewright.cli.common import load_recorded, print_json, thinking
from rulewright.errors import RulewrightError
from rulewright.players.player import Limits
from rulewright.protocols.recorded import Recorded


def run(arguments: Namespace) -> int:
    """Print the rank, the loss and the reason of every decision of a recorded game."""
    path, number = Path(arguments.file), arguments.number
    recorded = load_recorded(path, arguments.game, arguments.set, number)
    first, last = arguments.first, arguments.last
    if last is not None and last < first:
        raise RulewrightError(f"--from {first} comes after --to {last}")
    limits = Limits(
        arguments.time, nodes=arguments.nodes, depth=arguments.depth, memory=arguments.memory
    )
    judge = judge_of(recorded.game, arguments.personality or "", limits, arguments.seed)
    for told in recorded.left_out:
        print(f"{arguments.file}: {told} left out", file=sys.stderr)
    number = min(last or len(recorded.end.decisions()), len(recorded.end.decisions()))
    found = _announced(analyze(recorded, judge, first, last), first, number)
    if arguments.format == "json":
        _print_data(recorded, judge.name, list(found))
    else:
        _print(recorded, judge.name, found)
    return 0


def _announced(found: Iterator[Judged], first: int, last: int) -> Iterator[Judged]:
    """The same decisions; at a terminal one reads which is looked at."""
    for number in range(first, last + 1):
        with thinking(f"decision {number} of {last}"):
            one = next(found, None)
        if one is None:
            return
        yield one


def _print_data(recorded: Recorded, judge: str, decisions: list[Judged]) -> None:
    print_json({
        "game": recorded.game.name,
        "options": dict(recorded.game.options),
        "names": list(recorded.names),
        "result": recorded.verdict or None,
        "judge": judge,
        "decisions": [one.as_data() for one in decisions],
        "sides": summary(decisions),
    })  # fmt: skip


def summary(decisions: list[Judged]) -> list[dict[str, object]]:
    """For each side: its judged decisions, the share of best ones, the mean loss."""
    found: list[dict[str, object]] = []
    for side in dict.fromkeys(one.side for one in decisions):
        mine = [one for one in decisions if one.side == side and one.rank is not None]
        losses = [one.loss for one in mine if one.loss is not None]
        found.append({
            "side": side,
            "decisions": len(mine),
            "best": sum(one.rank == 1 for one in mine),
            "mean_loss": round(sum(losses) / len(losses), 6) if losses else None,
        })  # fmt: skip
    return found


def _print(recorded: Recorded, judge: str, decisions: Iterator[Judged]) -> None:
    names = " against ".join(name or "?" for name in recorded.names)
    who = f", {names}" if any(recorded.names) else ""
    print(f"{recorded.game.name}{who}; bigger is better for the side that decides, by {judge}")
    shown = list[Judged]()
    width = max((len(move) for move in recorded.decisions), default=0)
    sides = max(len(side) for side in recorded.game.players)
    for one in decisions:
        shown.append(one)
        print(_line(one, width, sides), flush=True)
    for side in summary(shown):
        loss = side["mean_loss"]
        mean = f", mean loss {loss:.4g}" if isinstance(loss, int | float) else ""
        print(f"{side['side']}: best in {side['best']} of {side['decisions']}{mean}")
    if recorded.verdict:
        print(recorded.verdict)


def _line(one: Judged, width: int, sides: int) -> str:
    head = f"{one.number:>4} {one.side:<{sides}}  {one.move:<{width}}"
    if one.rank is None:
        return f"{head}  not judged, {one.choices} choices"
    among = f"{one.judged}" if one.judged == one.choices else f"{one.judged} of {one.choices}"
    text = f"{head}  {one.rank}/{among}  {one.worth}"
    if one.best is None:
        return text
    verb = "better" if one.rank > 1 else "next"
    text += f"  {verb}: {one.best} {one.best_worth}"
    if one.loss:
        text += f"  loss {one.loss:.4g}"
    if one.decided_by:
        text += f"  by {one.decided_by} ({one.margin:+.4g})"
    return text
