"""`rulewright demo`: a tour without questions.

Checks every bundled text, plays one game between personalities for each of Connect 5, Conniption,
Span-It! and TwixT, and explains a decision.
"""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from random import Random

from attrs import frozen

from rulewright.app.cli import arguments as a
from rulewright.app.cli.check import diagnostics_of
from rulewright.app.cli.common import tell
from rulewright.app.cli.explained import print_explanation
from rulewright.games.engine.game import State
from rulewright.games.files.catalog import by_suffix
from rulewright.games.files.games import load
from rulewright.ground import disk
from rulewright.ground.printable import amount
from rulewright.players.explain import explain
from rulewright.players.personality import Personality
from rulewright.search.results import person


@frozen
class _Meeting:
    """Two personalities of a game, and its options."""

    game: str
    first: str
    second: str
    options: dict[str, int]


_MEETINGS = (
    _Meeting("connect5", "smart", "basic", {"size": 11}),
    _Meeting("conniption", "hybrid_steady", "flip_steady", {}),
    _Meeting("spanit", "runner", "blocker", {}),
    _Meeting("twixt", "turns", "t1", {"size": 12}),
)


def demo(arguments: Namespace) -> int:
    """Check all texts, play four games, explain a decision; 1 if a text has a mistake."""
    start = time.perf_counter()
    failed = _check()
    for meeting in _MEETINGS:
        _play(meeting, arguments.time, arguments.seed)
    _explain(arguments.seed)
    tell(f"\ndone in {time.perf_counter() - start:.0f} s")
    return 1 if failed else 0


def _check() -> int:
    """Print the mistakes of all bundled texts; returns the number of texts with mistakes."""
    counts, failed = dict.fromkeys(by_suffix(), 0), 0
    for file in _texts():
        diagnostics = diagnostics_of(str(file), {})
        counts[file.suffix] += 1
        failed += bool(diagnostics)
        for diagnostic in diagnostics:
            print(diagnostic.render())
    checked = ", ".join(f"{count} {suffix}" for suffix, count in counts.items())
    tell(f"checked {checked}: {f'{failed} with mistakes' if failed else 'all fine'}")
    return failed


def _texts() -> Iterator[Path]:
    for root in ("rulesets", "patterns"):
        for file in sorted(disk.root(root).glob("*/*")):
            if file.suffix in by_suffix():
                yield file


def _play(meeting: _Meeting, seconds: float, seed: int) -> None:
    """Let two personalities finish a game, and show it."""
    options = "".join(f" {k}={v}" for k, v in meeting.options.items())
    tell(f"\n{meeting.game}{options}: {meeting.first} against {meeting.second}")
    game = load(meeting.game, **meeting.options)
    players = [Personality.load(name, game) for name in (meeting.first, meeting.second)]
    state: State = game.start()
    random = Random(seed)
    while not state.over:
        state = state.play_decision(players[person(state)].choose(state, random, seconds))
    tell(f"{amount(len(state.turns()), 'turn')}: {' '.join(state.turns())}")
    print(state.board())
    tell(state.result)


def _explain(seed: int) -> None:
    """Explain the decision of a personality in the middle of a game."""
    state = load("connect4").start().play("4 4 4 4 3 5")
    explanation = explain(state, Personality.load("counter", state.game), seed)
    tell("\nconnect4 after 4 4 4 4 3 5:")
    print_explanation(explanation, explanation.moves, 3)


COMMANDS: dict[str, a.Command] = {
    "demo": (demo, [a.each_time("seconds a decision", 0.1), a.seed(1)]),
}
