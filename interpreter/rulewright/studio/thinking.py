"""What is thought of a position, as the page shows it: searches, explanations, patterns.

In: a state, a limit of seconds, and a `Telling`.  Out: decisions with values, the expected line as
sites to draw arrows between, heat.  What is known so far is told four times a second at most.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from attrs import define, field

from rulewright.disk import read_text
from rulewright.engine.game import Game, State
from rulewright.errors import MoveError, RulewrightError
from rulewright.files.catalog import PATTERNS, PERSONALITY
from rulewright.files.kinds import files_of, load_file, summary
from rulewright.players.explain import explain
from rulewright.players.heat import heat
from rulewright.players.pattern_use import Workbench
from rulewright.players.personality import Personality
from rulewright.search.best import best
from rulewright.search.results import MEBIBYTE, Limits, SearchResult
from rulewright.studio import answers as a
from rulewright.studio.drawing import laid

_BETWEEN = 0.25
"""Seconds between two reports."""
MOST_SECONDS = 600.0
_SMALL = 4 * MEBIBYTE
"""The memory of a short search: more would take longer to clear than to use."""
_SHOWN = 12
"""Candidates of a search that are shown."""


@define
class Telling:
    """Where a long request tells what it knows, and asks whether it shall end."""

    tell: Callable[[object], None]
    ended: Callable[[], bool]
    _last: float = field(default=0.0, init=False)

    def sometimes(self, make: Callable[[], object]) -> None:
        """Tell, unless something has been told just now."""
        now = time.monotonic()
        if now - self._last >= _BETWEEN:
            self._last = now
            self.tell(make())


def refuse_endless(seconds: float) -> None:
    """A page asks for a time that ends."""
    if not 0 < seconds <= MOST_SECONDS:
        raise RulewrightError(f"thinking takes up to {MOST_SECONDS:.0f} seconds")


def searched(state: State, seconds: float, telling: Telling) -> a.Found:
    """What a search by the rules alone finds; every decision has a value."""
    refuse_endless(seconds)

    def progress(found: SearchResult) -> bool:
        telling.sometimes(lambda: _found(state, found))
        return telling.ended()

    found = best(state, Limits(seconds), 0, roots=True, progress=progress, cancelled=telling.ended)
    return _found(state, found)


def _found(state: State, found: SearchResult) -> a.Found:
    known = [(move, value) for move, value in found.root if value is not None]
    known.sort(key=lambda pair: -pair[1])
    sites = _sites(state)
    candidates = tuple(a.Candidate(move, value, sites.get(move)) for move, value in known[:_SHOWN])
    return a.Found(
        found.side, found.move, found.value, found.proven, found.pv, found.depth, found.nodes,
        found.seconds, candidates, tuple(_arrows(state, found.pv)),
    )  # fmt: skip


def curve(line: list[tuple[int, State]], seconds: float, telling: Telling) -> list[a.JudgedNode]:
    """How each position of a game stands, judged by a short search; the last ones first."""
    refuse_endless(seconds)
    found: list[a.JudgedNode] = []
    until = time.monotonic() + seconds
    for done, (node, state) in enumerate(reversed(line)):
        share = (until - time.monotonic()) / (len(line) - done)
        if share <= 0 or telling.ended():
            break
        found.append(_standing(node, state, share))
        telling.sometimes(lambda: found[::-1])
    return found[::-1]


def _standing(node: int, state: State, seconds: float) -> a.JudgedNode:
    """A position for whoever began the game."""
    first = state.game.players[0] if not state.swapped else state.game.players[1]
    if state.result is not None:
        winner = state.result.winner
        value = 0.0 if winner is None else 1.0 if winner == first else -1.0
        return a.JudgedNode(node, value, "draw" if winner is None else f"{winner} has won")
    judged = best(state, Limits(seconds, memory=_SMALL), 0)
    sign = 1 if judged.side == first else -1
    if judged.proven is None:
        return a.JudgedNode(node, sign * max(-1.0, min(1.0, judged.value)), None)
    sure = {"win": 1.0, "loss": -1.0}.get(judged.proven, 0.0)
    return a.JudgedNode(node, sign * sure, f"{judged.side}: {judged.proven}")


def _sites(state: State) -> dict[str, int]:
    """The last site that each decision names, where it names one."""
    return {
        one.text: one.clicks[-1][-1] for one in state.scene.moves if one.clicks and one.clicks[-1]
    }


def _arrows(state: State, line: tuple[str, ...]) -> Iterator[tuple[int, ...]]:
    """The sites of each decision of a line, in the order of its clicks."""
    for text in line[:6]:
        clicks = next((one.clicks for one in state.scene.moves if one.text == text), ())
        yield tuple(click[-1] for click in clicks if click)
        try:
            state = state.play_decision(text)
        except MoveError:
            return


def explained(state: State, personality: Personality, seed: int) -> a.Explained:
    """What a personality thinks, and the heat map of it."""
    found = explain(state, personality, seed)
    warm = heat(state, found)
    texts = {str(site): text for site, text in warm.texts.items()}
    shares = {str(site): share for site, share in warm.shares.items()}
    return a.Explained(found.as_data(), texts, shares, warm.chosen, warm.notes)


def personalities(game: Game) -> Iterator[a.PersonalityShown]:
    """The personalities of a game; none is looked into, as a page asks for them at once."""
    for name, path in sorted(files_of(PERSONALITY, game).items()):
        yield a.PersonalityShown(name, summary(read_text(path, "replace")))


def factors(known: Personality) -> list[a.FactorShown]:
    """The factors of a personality, with the values that it gives them."""
    judge = known.model.evaluator
    pairs = zip(judge.factors if judge else (), known.model.factors, strict=True)
    return [
        a.FactorShown(
            f.name, float(value), float(f.default), float(f.low), float(f.high),
            f.whole, f.percent, f.unit, f.meaning,
        )
        for f, value in pairs
    ]  # fmt: skip


def whole_where_needed(known: Personality, factors: dict[str, float]) -> dict[str, int | float]:
    """Values of factors, whole where the factor is."""
    judge = known.model.evaluator
    whole = {f.name for f in judge.factors if f.whole} if judge else set()
    return {n: round(v) if n in whole else v for n, v in factors.items()}


def matched(state: State, name: str) -> a.Matched:
    """What the patterns of a file propose, and which nearly do; without a name only the files."""
    game = state.game
    files = tuple(sorted(files_of(PATTERNS, game)))
    if not name or state.over:
        return a.Matched(files, (), ())
    if name not in files:
        raise RulewrightError(f"{game.name} has no patterns `{name}`")
    bench = Workbench(game, load_file(PATTERNS, game, name))
    sites = game.rules.board.by_name
    points = tuple(dict.fromkeys(sites[at] for _, at, _ in bench.references(state)))
    uses = [(use, True) for use in bench.fired(state)]
    uses += [(use, False) for use in bench.near(state)]
    shown = (
        a.Fired(
            use.pattern.title, sites[use.site], sites[use.move], str(use), fires,
            laid(state, sites[use.site], use.frame, use.pattern) if use.frame else (),
        )
        for use, fires in uses
    )  # fmt: skip
    return a.Matched(files, points, tuple(shown))
