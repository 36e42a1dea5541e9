"""Where games are played: a process that knows a plan, its game and its players.

In: a plan and pairs of games, as plain data that any process can read.  Out: records as lines.
The game and its players are loaded once and serve the tasks that follow.  A process of another
machine first compares what it has loaded with what whoever asks has: `play_checked` refuses.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from attrs import define, field

from rulewright import __version__
from rulewright.errors import Fault, RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files.catalog import KINDS
from rulewright.games.files.games import load_with
from rulewright.ground.disk import collect_paths, held_texts, is_file, read_bytes, root
from rulewright.matches.game_record import ORDINALS, GameRecord, plan_of
from rulewright.matches.plan import MatchPlan, Pair
from rulewright.matches.protocols.contestant import Contestant, OutsidePlayer
from rulewright.matches.referee import GameTerms, Lifeless, PlayedGame, play_game
from rulewright.matches.verify import file_hashes, rules_hash
from rulewright.players.player import REASONS, Failed, GameLimits, Player

Task = tuple[Mapping[str, Any], Sequence[tuple[int, tuple[int, ...], int, Sequence[str]]]]
"""The data of a plan, and pairs: number, players, round, opening."""


@define(eq=False)
class Arena:
    """A plan at work in one process; players are opened once for each seat."""

    plan: MatchPlan
    name: str = field(init=False)
    game: Game = field(init=False)
    contestants: list[Contestant] = field(init=False)
    lifeless: Lifeless | None = field(default=None, init=False)
    _players: dict[tuple[int, int], Player] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.name = self.plan.name
        self.game = load_with(self.plan.game, dict(self.plan.options))
        self._refuse_changed("", {"rules": rules_hash(self.plan.game)})
        self.contestants = [Contestant.parse(text) for text in self.plan.players]
        if self.plan.drawn:
            self.lifeless = Lifeless(self.game, self.plan.drawn)

    def player(self, index: int, seat: int) -> Player:
        """The player, opened when it is first asked for."""
        if (index, seat) not in self._players:
            contestant = self.contestants[index]
            opened = contestant.open(self.game, self.plan.limits)
            self._refuse_changed(contestant.text, file_hashes(contestant, self.game))
            self._players[index, seat] = opened
        return self._players[index, seat]

    def _refuse_changed(self, name: str, now: Mapping[str, str]) -> None:
        """Refuse texts that are no longer those of the plan, when they have just been read."""
        before = self.plan.hashes.get(name)
        if before is not None and before != now:
            owner = f"files of {name}" if name else "rules"
            digests_by_time = {"of the match": before, "now": now}
            digests = "; ".join(
                f"{moment}: {_digest_list(hashes)}" for moment, hashes in digests_by_time.items()
            )
            raise RulewrightError(
                f"the {owner} are not those with which the match began ({digests})"
            )

    def close(self) -> None:
        """Close every player."""
        for player in self._players.values():
            player.close()
        self._players.clear()

    def pair(self, pair: Pair, opening: Sequence[str]) -> list[GameRecord]:
        """The games of a pair, one for each seat."""
        return [self._game(pair, number, seats, opening) for number, seats in pair.games()]

    def _game(
        self, pair: Pair, number: int, seats: tuple[int, ...], opening: Sequence[str]
    ) -> GameRecord:
        plan, contestants = self.plan, [self.contestants[index] for index in seats]
        chance = Random(f"{plan.seed} {number}")
        limits = tuple(contestant.limits(plan.limits) for contestant in contestants)
        terms = GameTerms(
            limits, plan.longest, plan.adjudication, self.lifeless, plan.refused,
            Random(f"{plan.seed} luck of {pair.number}").getrandbits(62),
        )  # fmt: skip
        players = tuple(self.player(index, seat) for seat, index in enumerate(seats))
        seeds = [chance.getrandbits(62) for _ in seats]
        result = play_game(self.game, players, opening, seeds, terms)
        if result.reason in REASONS:
            for seat, place in enumerate(result.places):
                if place == plan.seats:
                    self._replace(seats[seat], seat)
        return self._record(pair, number, seats, result, len(opening))

    def _replace(self, index: int, seat: int) -> None:
        """A player that failed starts afresh for its next game."""
        self._players[index, seat].close()

    def _record(
        self, pair: Pair, number: int, seats: tuple[int, ...], result: PlayedGame, opening: int
    ) -> GameRecord:
        plan = self.plan
        names = tuple(plan.players[index] for index in seats)
        hashes = {
            f"{ordinal} {kind}": digest
            for ordinal, name in zip(ORDINALS, names, strict=False)
            for kind, digest in plan.hashes.get(name, {}).items()
        }
        hashes |= plan.hashes.get("", {})
        return GameRecord(
            self.name, number, pair.number, plan.game, plan.options, names, result.moves, opening,
            result.winner, result.reason, result.detail, result.turns, plan.seed,
            plan.limits.as_data(), hashes, __version__,
            datetime.now(UTC).isoformat(timespec="seconds"), result.fixed,
            result.places if plan.seats > 2 else (),
        )  # fmt: skip


_PLAYING = threading.Lock()
_ARENAS: dict[str, Arena] = {}
"""The arena of this process; another plan takes its place."""


def play(task: Task) -> tuple[list[str], float]:
    """The records of a task as lines of JSON, and its seconds; what an executor runs."""
    started = time.perf_counter()
    data, pairs = task
    lines: list[str] = []
    with _PLAYING:  # a worker of a cluster may have several threads, and players are for one
        arena = arena_of(plan_of(data))
        for number, players, turn, opening in pairs:
            records = arena.pair(Pair(number, players, turn), opening)
            lines += [record.line() for record in records]
    return lines, time.perf_counter() - started


# --- on another machine ---

_SUFFIXES = frozenset(kind.suffix for kind in KINDS)
_FEW = 300
"""Positions that are counted at the least, where a perft compares rules."""
_DEEPEST = 4

Loaded = dict[str, Any]
"""What a process has loaded, as plain data: `version`, `hashes` of all texts, `perft`.

Or `refusal`: why it can load nothing.
"""
Texts = Mapping[str, bytes | None]
"""The user's own texts by their paths, and None where one was looked for and none was."""


def texts_of(plan: MatchPlan) -> tuple[Texts, Loaded]:
    """The texts that a plan needs besides bundled ones, and what is loaded with them.

    Raises what is wrong, also where a text was changed since the match began.
    """
    with collect_paths() as names:
        _load_all(Arena(plan))
    paths = (path for path in map(Path, names) if path.suffix in _SUFFIXES)
    bundled = [root(folder) for folder in sorted({kind.folder for kind in KINDS})]
    texts = {
        str(path): read_bytes(path) if is_file(path) else None
        for path in paths
        if not any(path.is_relative_to(folder) for folder in bundled)
    }
    with held_texts(_by_path(texts)):
        arena = Arena(plan)
        _load_all(arena)
        return texts, loaded_versions(plan, arena.game)


def _load_all(arena: Arena) -> None:
    """Open every player, none of which is started, and let them go."""
    for index, _ in enumerate(arena.contestants):
        arena.player(index, 0)
    arena.close()


def _by_path(texts: Texts) -> dict[Path, bytes | None]:
    return {Path(path): text for path, text in texts.items()}


def _digest_list(hashes: Mapping[str, str]) -> str:
    return ", ".join(f"{kind} {digest}" for kind, digest in hashes.items()) or "none"


def loaded_versions(plan: MatchPlan, game: Game) -> Loaded:
    """List what this process has loaded for a plan, whose game it has: version, hashes, perft."""
    texts: dict[str, Mapping[str, str]] = {"": {"rules": rules_hash(plan.game)}}
    for text in plan.players:
        texts[text] = file_hashes(Contestant.parse(text), game)
    return {"version": __version__, "hashes": texts, "perft": _perft(game)}


def _perft(game: Game) -> list[int]:
    """Sequences of 1, 2, ... decisions from the start, until they are a few hundred."""
    counts = list[int]()
    with suppress(Fault):
        while len(counts) < _DEEPEST and (not counts or counts[-1] < _FEW):
            counts.append(game.start().perft(len(counts) + 1))
    return counts


def unlike(original: Loaded, loaded: Loaded) -> str:
    """Say what one process has loaded otherwise than another; empty where it is the same."""
    if "refusal" in loaded:
        return str(loaded["refusal"])
    if original["version"] != loaded["version"]:
        there, here = loaded["version"], original["version"]
        return f"rulewright {there} runs there, and the match began with {here}"
    for name, before in original["hashes"].items():
        for kind, digest in before.items():
            other = loaded["hashes"].get(name, {}).get(kind, "none")
            if other != digest:
                owner = f" of {name}" if name else ""
                return f"the {kind}{owner} there is {other}, and of the match {digest}"
    if original["perft"] != loaded["perft"]:
        counts = (" ".join(map(str, side["perft"])) for side in (loaded, original))
        return "sequences of decisions there are {}, and here {}".format(*counts)
    return ""


_LOADED: dict[str, Loaded] = {}
"""What this process has loaded for the plan that it plays."""


def play_checked(task: Task, original: Loaded, texts: Texts) -> tuple[list[str], float, Loaded]:
    """Play a task where this process has loaded *original*, else nothing; and what it has loaded.

    *texts* stand for the files of this machine at their paths.  What is loaded is compared before
    the first game of a plan; game and players stay as they were loaded.
    """
    plan = plan_of(task[0])
    with held_texts(_by_path(texts)):
        with _PLAYING:
            try:
                loaded = _loaded_here(plan)
            except RulewrightError as error:
                loaded = {"refusal": str(error)}
            if unlike(original, loaded):
                leave()
                _LOADED.clear()
                return [], 0.0, loaded
        lines, seconds = play(task)
    return lines, seconds, loaded


def _loaded_here(plan: MatchPlan) -> Loaded:
    """Return this process's players of a plan; load them at the first call."""
    arena = arena_of(plan)
    if plan.name not in _LOADED:
        _LOADED.clear()
        _LOADED[plan.name] = loaded_versions(plan, arena.game)
    return _LOADED[plan.name]


def arena_of(plan: MatchPlan) -> Arena:
    """The arena of a plan in this process."""
    if plan.name not in _ARENAS:
        leave()
        _ARENAS[plan.name] = Arena(plan)
    return _ARENAS[plan.name]


def leave() -> None:
    """Close the players of this process."""
    while _ARENAS:
        _, arena = _ARENAS.popitem()
        arena.close()


def meet(plan: MatchPlan) -> None:
    """Open and close every player once; raises what is wrong with game or players.

    Programs from outside are started.  One that cannot be started, or does not get ready, is a
    mistake of whoever named it; nobody wins a match by it.
    """
    arena = Arena(plan)
    try:
        for index, contestant in enumerate(arena.contestants):
            player = arena.player(index, 0)
            if isinstance(player, OutsidePlayer):
                _get_ready(player, arena.game, contestant.limits(plan.limits))
    finally:
        arena.close()


def _get_ready(player: OutsidePlayer, game: Game, limits: GameLimits) -> None:
    try:
        player.start(game, limits, 0)
    except Failed as failure:
        raise RulewrightError(f"{player.name} does not get ready to play: {failure}") from None


atexit.register(leave)
