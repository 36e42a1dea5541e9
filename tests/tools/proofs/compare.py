"""What is claimed of small games beside what is true: `solve`, searches, and words that lead.

In: the text of a rules file.  Out: a `Comparison`: how many claims were looked at, and those that
are wrong.  A claim is looked at in the first position and in a few others, drawn at random.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

from attrs import define, field

from rulewright.errors import Fault, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import check, load
from rulewright.players.machine import proving
from rulewright.players.personality import Personality
from rulewright.search.best import best
from rulewright.search.results import Limits, SearchResult, Solved
from rulewright.search.solve import NAMES, solve
from tests.tools.proofs.force import DRAW, Graph, TooManyPositions, Truth, graph
from tests.tools.proofs.words import led, value_for

POSITIONS = 700
"""A game of more is not gone through."""
SITES = 12
"""Boards of more are not tried at all."""
NODES = 6_000
"""A search may play so many decisions; with more positions to come back to it may need more."""
OTHERS = 2
"""Positions that are looked at beside the first."""
VALUES = {name: value for value, name in NAMES.items()}
METHODS: tuple[tuple[str, bool, int], ...] = (
    ("auto", False, 1), ("alphabeta", False, 1), ("alphabeta", True, 1), ("proof", False, 1),
    ("alphabeta", False, 2),
)  # fmt: skip
"""Ways to solve: the method, whether the shortest win is asked for, and threads."""
SEARCHES = ("auto", "exact", "montecarlo")


@define
class Comparison:
    """What became of a game: why it was left out, how many claims were tried, the wrong ones."""

    left: str = ""
    positions: int = 0
    claims: int = 0
    open: int = 0
    """Claims that a limit kept from being made."""
    led: int = 0
    """Claims of searches that words lead."""
    wrong: list[str] = field(factory=list)

    def note(self, what: str, state: State, truth: Truth, found: object) -> None:
        """Keep a wrong claim."""
        true = f"from {NAMES[truth.least]} to {NAMES[truth.most]}, {truth.distance} decisions"
        self.wrong.append(f"{what}: {found!r}, but it is {true} of\n{state.text()}")


def compared(text: str) -> Comparison:
    """Solve a game by force, and look at what is claimed of it."""
    report = check(text)
    if report.game is None:
        return Comparison("refused")
    game = report.game
    if game.rules.board.sites.bit_count() > SITES:
        return Comparison("large")
    try:
        known = graph(game.play, POSITIONS)
    except TooManyPositions:
        return Comparison("large")
    except Fault:
        return Comparison("faulty")
    if known.nodes[0].winner is not None:
        return Comparison("over")
    found = Comparison(positions=len(known.nodes))
    random = Random(text)
    inner = [n for n, node in enumerate(known.nodes) if node.winner is None]
    chosen = [0, *random.sample(inner, min(OTHERS, len(inner)))]
    for number in chosen:
        _solved(found, game, known, number)
        _searched(found, game, known, number)
    _led(found, game, text, known, chosen, random)
    return found


def state_at(game: Game, known: Graph, number: int) -> State:
    """A state of a game where its graph has that number."""
    situation = known.nodes[number].situation
    return game.state(game.play.resume(situation.position, situation.ended))


# --- solving ---


def _solved(found: Comparison, game: Game, known: Graph, number: int) -> None:
    """Every way to solve."""
    state = state_at(game, known, number)
    for method, shortest, threads in METHODS:
        if method == "proof" and game.rules.looks_back:
            continue
        limits = Limits(None, nodes=NODES, threads=threads)
        try:
            claim = solve(state, limits, method=method, shortest=shortest)
        except Fault:
            raise
        except RulewrightError:
            return  # no kernels: the reference plays
        found.claims += 1
        what = f"solve by {method}{' shortest' * shortest}, {threads} threads"
        # where games can go round for ever a draw may stay open, by proof numbers all may
        sharp = known.truth(number).value != DRAW and method != "proof"
        must = sharp or not known.endless
        _tried(found, what, known, number, state, claim, must)


def _tried(
    found: Comparison, what: str, known: Graph, number: int, state: State, claim: Solved,
    must: bool,
) -> None:  # fmt: skip
    """Whether a claim of `solve` is true, and one is made where it *must* be."""
    truth = known.truth(number)
    least, most = VALUES[claim.least], VALUES[claim.most]
    wrong = least > truth.least or most < truth.most
    if claim.value is None:
        found.open += 1
        early = claim.nodes < NODES // 2
        wrong = wrong or (must and truth.value is not None and early)
    elif claim.distance is not None:
        wrong = wrong or claim.distance != truth.distance
    if claim.value is not None and claim.move is not None:
        wrong = wrong or not _keeps(known, number, claim.move, VALUES[claim.value])
    if wrong:
        found.note(what, state, truth, claim)


def _keeps(known: Graph, number: int, move: str, value: int) -> bool:
    """Whether a decision leads to what was claimed."""
    node = known.nodes[number]
    texts = [option.text for option in node.situation.options]
    if node.situation.position.claimable and value == DRAW:
        return True  # by the claim, whatever is decided
    return value_for(known, node.following[texts.index(move)], node.person) == value


# --- searching ---


def _searched(found: Comparison, game: Game, known: Graph, number: int) -> None:
    """What a search calls proven, and the decision that it makes then."""
    state, truth = state_at(game, known, number), known.truth(number)
    for algorithm in SEARCHES:
        try:
            claim = best(state, Limits(None, nodes=NODES // 10), algorithm=algorithm)
        except Fault:
            raise
        except RulewrightError:
            continue  # no kernels: this search is not there
        found.claims += 1
        if claim.proven is None:
            found.open += 1
        elif not _right(known, number, claim):
            found.note(f"search {algorithm}", state, truth, claim)


def _right(known: Graph, number: int, claim: SearchResult) -> bool:
    """Whether what is proven is so; a win may take longer than it need."""
    truth, value = known.truth(number), VALUES[claim.proven or "draw"]
    if truth.value != value or not _keeps(known, number, claim.move, value):
        return False
    if claim.distance is None or truth.distance is None:
        return True
    return claim.distance >= truth.distance if value > 0 else True


# --- words that lead ---


def _led(
    found: Comparison, game: Game, text: str, known: Graph, chosen: list[int], random: Random
) -> None:
    """The same claims where right words lead."""
    told = led(game.name, game.rules, known, random)
    if told is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, what in (
            (f"{game.name}.rules", text), ("known.eval", told.evaluator),
            ("knowing.personality", told.personality),
        ):  # fmt: skip
            (Path(folder) / name).write_text(what, "utf-8")
        same = load(Path(folder) / f"{game.name}.rules")
        player = Personality.load(Path(folder) / "knowing.personality", same)
    leading = proving(player.model)
    for number, (method, shortest) in _ways(chosen, same):
        state = state_at(same, known, number)
        limits = Limits(None, nodes=NODES)
        ask = partial(solve, state, limits, method=method, shortest=shortest, leading=leading)
        try:
            claim = ask()
        except Fault:
            raise
        except RulewrightError:
            return
        found.led += 1
        truth = known.truth(number)
        if not truth.allows(VALUES[claim.least], VALUES[claim.most]):
            what = f"led by\n{told.evaluator}{told.personality}\n{method}{' shortest' * shortest}"
            found.note(what, state, truth, claim)


def _ways(chosen: list[int], game: Game) -> Iterator[tuple[int, tuple[str, bool]]]:
    for number in chosen:
        yield number, ("alphabeta", False)
        yield number, ("alphabeta", True)
        if not game.rules.looks_back:
            yield number, ("proof", False)
