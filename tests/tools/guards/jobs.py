"""What is done with machine code in guarded arrays: random games, searches, players.

In: a `Job`, in a process in which `guard()` was called.  Out: a line about it, empty when it was
done.  A SIGSEGV ends the process: who gave the job knows then which one it was.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress
from random import Random

from attrs import frozen

from rulewright.compiler import layout as p
from rulewright.compiler.backend import Linked
from rulewright.compiler.backend.native import Native
from rulewright.compiler.engine import Engine
from rulewright.compiler.layout import Unsupported
from rulewright.errors import Fault, RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.catalog import PERSONALITY
from rulewright.games.files.games import check, load_with
from rulewright.games.files.kinds import files_of
from rulewright.players.builtin import PersonalityPlayer, SearchPlayer
from rulewright.players.personality import Personality
from rulewright.players.player import Clock, GameLimits, Player
from rulewright.search.results import Limits
from rulewright.search.solve import solve
from tests.shared.bundled import SMALL
from tests.shared.playing import played_on
from tests.tools.agreement.pair import Pair
from tests.tools.guards import pages

MOST = 3000
"""Decisions of a random game at the most."""
CLOCK = Clock()


@frozen
class Job:
    """`kind` is a function here, `what` its game, file or kernel; `name` is for people."""

    kind: str
    name: str
    what: str
    seed: int = 0
    games: int = 100

    def __str__(self) -> str:
        return f"{self.kind} {self.name}, seed {self.seed}"


def do(job: Job) -> str:
    """Do a job; what is wrong or left out, in a line."""
    try:
        found = KINDS[job.kind](job)
    except Unsupported as reason:
        found = f"falls back: {reason}"
    wrong = pages.before_arrays()
    return f"WRONG: {wrong} arrays were written before their beginning" if wrong else found


# --- bundled games ---


def _random_play(job: Job) -> str:
    """Random games, and perft in both units, on the usual board and on a small one."""
    for options in ({}, SMALL.get(job.what)):
        if options is not None:
            _played(load_with(job.what, dict(options)), job)
    return ""


def _played(game: Game, job: Job) -> None:
    engine = load_engine(game, "native")
    if isinstance(engine, str):
        raise Unsupported(engine)
    engine.playouts(game.play.first, job.games, job.seed, MOST)
    _counts(engine)
    random = Random(job.seed)
    for _ in range(min(job.games, 10)):
        _by_lists(engine, random)


def _by_lists(engine: Engine, random: Random) -> None:
    """A random game that lists all decisions of every position."""
    engine.set(engine.play.first)
    for _ in range(MOST):
        count, words = engine.decisions(), engine.words()
        if words[p.FAULT] or words[p.RESULT] != p.RUNNING:
            return
        if not count:
            engine.outcome_when_stuck()
            return
        engine.step(random.randrange(count))


def _counts(engine: Engine) -> None:
    for unit in ("decision", "turn"):
        with suppress(RulewrightError):
            engine.perft(engine.play.first, 2, unit)


def _players(job: Job) -> str:
    """The search of results, a proof, and every bundled personality, each for a few decisions."""
    game = load_with(job.what, dict(SMALL.get(job.what, {})))
    players: list[Player] = [SearchPlayer()]
    players += [
        PersonalityPlayer(name, Personality.load(name, game))
        for name in files_of(PERSONALITY, game)
    ]
    for player in players:
        _decides(game, player, job)
    solve(game.start(), Limits(seconds=1.0))
    return ""


def _decides(game: Game, player: Player, job: Job) -> None:
    state, random = game.start(), Random(job.seed)
    try:
        player.start(game, GameLimits(nodes=300, memory=1), job.seed)
    except RulewrightError:  # a search that counts no nodes
        player.start(game, GameLimits(memory=1), job.seed)
    for _ in range(6):
        if state.over:
            break
        player.choose(state, CLOCK)
        state = played_on(state, random, random.randint(1, 5))
    player.close()


# --- random files ---


def _file(job: Job) -> str:
    """A rules file: agreement with the reference for some games, then more games alone."""
    game = check(job.what).game
    if game is None:
        return "refused"
    try:
        game.start()
    except Fault:
        return "cannot begin"
    engine = Engine(game.play, "native", use_cache=False, quick=job.seed % 2 == 0)
    pair = Pair(game.play, engine)
    pair.game(job.seed, 15)
    engine.playouts(game.play.first, job.games, job.seed, 300)
    _counts(engine)
    return ""


def _kernel(job: Job) -> str:
    """A kernel `f(A)` on a guarded array of eight words: what shows that the guard bites."""
    Native([Linked(job.what, {})], use_cache=False, quick=True)["f"](pages.array(ctypes.c_int64, 8))
    return ""


KINDS = {"play": _random_play, "players": _players, "file": _file, "kernel": _kernel}
