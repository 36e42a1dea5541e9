"""Nobody waits for a position or for a compiler: matches, tournaments, play, protocols, analyze.

The texts of `tests/data/waiting` took minutes before a first game with `--time 1`.  What a position
costs is counted in steps, so no clock is asked here; a test that hangs is one that fails.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from random import Random
from threading import Event

import pytest
from attrs import evolve

import rulewright
from rulewright.app.cli import main
from rulewright.checks.sampling import random_step
from rulewright.errors import Fault, OutOfBudget
from rulewright.ground import budget
from rulewright.matches import openings
from rulewright.matches.api import match
from rulewright.matches.protocols.contestant import Contestant
from rulewright.matches.protocols.host import GameService
from rulewright.matches.protocols.recorded import Recorded
from rulewright.matches.record_files import read_matches
from rulewright.matches.referee import GameTerms, play_game
from rulewright.players import builtin
from rulewright.players.analyze import analyze, judge_of
from rulewright.players.builtin import PersonalityPlayer, RandomPlayer, WarmUp, within_time
from rulewright.players.personality import Personality
from rulewright.players.player import Clock, GameLimits
from rulewright.search.background import BackgroundWork
from rulewright.search.listing import followed, listed_decisions
from rulewright.search.reference_search import SearchBudget, one_ply
from rulewright.search.results import Limits
from tests.shared.places import WAITING

LATER = (WAITING / "needc.rules").read_text("utf-8")
"""Slow from the first site of one's own on, and not before."""
COMMANDS = (
    ("match", "computer", "random", "--games", "2", "--time", "0.1"),
    ("play", "red=random", "blue=random", "--new", "--time", "0.1"),
    ("engine",),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: words[0])
@pytest.mark.parametrize(("text", "line"), [("many", 10)])
def test_what_check_refuses_is_not_played(
    command: tuple[str, ...],
    text: str,
    line: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))  # kept code lists without steps
    monkeypatch.setattr("sys.stdin", StringIO("quit\n"))
    name, *more = command
    path = str(WAITING / f"{text}.rules")
    assert main([name, path, *more]) == 1
    said = capsys.readouterr().err
    assert (
        f"{path}:{line}: listing the decisions takes more than 200,000 steps at the start" in said
    )


def test_a_position_that_is_too_slow_is_named_with_its_line() -> None:
    state = rulewright.loads(LATER, "needc.rules").start()
    assert len(listed_decisions(state)) == 81
    after = state.play_decision("a1").play_decision("a2")
    with pytest.raises(Fault, match=r"needc.rules:12: listing .* after `a1 a2` \[too-slow\]"):
        listed_decisions(after)
    with pytest.raises(Fault, match="too-slow"):
        followed(state.play_decision("a1"), "a2")


def test_the_listing_is_not_blamed_for_an_outer_limit() -> None:
    state = rulewright.load(WAITING / "many.rules").start()
    with budget.within_seconds(0, 0, "late"), pytest.raises(rulewright.errors.OutOfBudget):
        listed_decisions(state)


def test_a_slow_position_in_a_game_is_nobodys_loss() -> None:
    game = rulewright.loads(LATER, "needc.rules")
    played = play_game(game, (RandomPlayer(), RandomPlayer()))
    assert (played.winner, played.reason) == (None, "fault")
    assert "[too-slow]" in played.detail


def test_a_program_outside_hears_of_a_slow_position() -> None:
    host = GameService(str(WAITING / "needc.rules"), "random")
    host.state = host.state.play_decision("a1").play_decision("a2")
    with pytest.raises(Fault, match="too-slow"):
        host.decide(Clock(0.1))


def test_analyze_refuses_a_slow_position() -> None:
    game = rulewright.load(WAITING / "many.rules", backend="reference")
    end = random_step(game.start(), Random(0))
    assert end is not None
    found = analyze(Recorded("", end), judge_of(game, limits=GameLimits(seconds=0.1)))
    with pytest.raises(Fault, match="too-slow"):
        next(iter(found))


def test_judging_openings_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Openings that nobody has judged count as even; there are as many as with judging."""
    monkeypatch.setattr(openings, "best", _endless)
    game = rulewright.load("tictactoe")
    lines = openings.generate(game, 4, 2)
    assert len(lines) == 4
    assert all(len(line) == 2 for line in lines)


def _endless(*_: object, **__: object) -> None:
    holding = budget.current()
    assert holding is not None, "nothing limits the work"
    while True:
        holding.spend()


@pytest.mark.parametrize("who", ["connect4/counter", "computer"])
def test_a_compiler_that_does_not_end_is_played_without(
    who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both decide by the reference, and one of them sees the win in one."""
    never, native, warming = Event(), list[str](), WarmUp(limit=0.01)
    monkeypatch.setattr(builtin, "load_engine", lambda *_, **__: never.wait())
    monkeypatch.setattr(builtin, "warming", warming)
    monkeypatch.setattr(builtin, "best", lambda *_: native.append("by machine code"))
    monkeypatch.setattr("rulewright.players.machine.full_width", lambda *_: native.append("root"))
    game = rulewright.load("connect4")
    limits = GameLimits(seconds=1.0, grace=60.0)
    player = Contestant.parse(who).open(game, limits)
    terms = GameTerms((limits, limits), longest=8)
    opening = ("1", "7", "1", "7", "1", "7")
    played = play_game(game, (player, RandomPlayer()), opening, terms=terms)
    assert native == []
    never.set()
    assert warming.wait(60), "what goes on beside would run in the next test"
    assert played.reason in ("rules", "long")
    if who == "computer":
        assert (played.moves[6].text, played.winner) == ("1", 0)


def test_code_is_not_waited_for_longer_than_a_player_thinks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A page gives an hour to a player whose file says how long it thinks."""
    never, warming = Event(), WarmUp(limit=0.01)
    monkeypatch.setattr(builtin, "load_engine", lambda *_, **__: never.wait())
    monkeypatch.setattr(builtin, "warming", warming)
    brief = Personality.load("chess/club")
    brief = evolve(brief, model=within_time(brief.model, 0.2))
    player, hour, begun = PersonalityPlayer("club", brief), 3600.0, time.monotonic()
    player.start(brief.game, GameLimits(seconds=hour), 1)
    assert player.choose(brief.game.start(), Clock(hour)).move
    assert time.monotonic() - begun < hour / 100
    never.set()
    assert warming.wait(60), "what goes on beside would run in the next test"


def late(*_: object, **__: object) -> None:
    raise OutOfBudget("late")


@pytest.mark.parametrize(
    "who", ["chess/club", "othello/gardener", "breakthrough/marcher", "spanit/blocker"]
)
def test_a_decision_without_a_search_is_the_best_of_single_ones(
    who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reference judges nothing in time: what leads the search decides, the same every time."""
    monkeypatch.setattr(Personality, "_by_reference", late)
    player = Personality.load(who)
    state, told = player.game.start(), player.model.guidance
    found = [player.stopgap(state, Random(seed), 60.0) for seed in range(3)]
    assert {one.searched for one in found} == {False}
    lines = one_ply(
        state,
        player.scorer(state, told.order or told.policy, Random(0)),
        SearchBudget(Limits(None)),
    )
    best = max(line.score for line in lines.values() if line)
    scores = [line.score for one in found if (line := lines[one.move])]
    assert scores == [best] * 3


@pytest.mark.parametrize("who", ["chess/club", "hex/dreamer", "connect5/keen"])
def test_there_is_a_decision_when_the_time_is_over(who: str) -> None:
    player = Personality.load(who)
    state = player.game.start()
    with budget.within_seconds(0, 0, "late"):
        found = player.stopgap(state, Random(1), 0.0)
    assert found.move == state.moves.texts[0]
    assert not found.searched


def test_what_is_played_without_a_search_is_on_record(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Code that never comes: a chess player with a thousandth of a second decides all the same."""
    never, warming = Event(), WarmUp(limit=0.01)
    monkeypatch.setattr(builtin, "load_engine", lambda *_, **__: never.wait())
    monkeypatch.setattr(builtin, "warming", warming)
    monkeypatch.setattr("rulewright.players.machine.full_width", lambda *_: None)
    monkeypatch.setattr(Personality, "_by_reference", late)
    record = tmp_path / "games.db"
    run = match("chess", "club@time=0.001", "random", games=2, longest=3, grace=60.0, record=record)
    games = list(run)
    never.set()
    assert warming.wait(60), "what goes on beside would run in the next test"
    mine = [m for g in games for m in g.moves if g.players[m.seat] != "random" and m.seconds]
    assert mine
    assert not any(move.searched for move in mine)
    kept = [move for game in read_matches(record)[0].games for move in game.moves]
    assert sum(not move.searched for move in kept) == len(mine)
    told = run.result()
    assert (told["games"], told["unsearched_games"]) == (0, 2)
    assert told["effort"][0]["unsearched"] == len(mine)


def test_who_gets_ready_next_waits_for_the_one_before() -> None:
    """Two who compile at once would share what neither may share."""
    warming, first, order = WarmUp(limit=0.01), Event(), list[str]()

    def slowly(name: str, event: Event) -> Callable[[], None]:
        def work() -> None:
            event.wait()
            order.append(name)

        return work

    ready = Event()
    ready.set()
    warming.do(slowly("first", first))
    warming.do(slowly("second", ready))
    assert (order, warming.wait(0)) == ([], False)
    first.set()
    assert warming.wait(60)
    assert order == ["first", "second"]


def test_another_who_gets_ready_meanwhile_takes_nothing_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two threads share what gets players ready: one that was done first left the other nothing."""
    warming, order, is_done = WarmUp(), list[str](), WarmUp._is_done

    def overtaken(self: WarmUp, work: BackgroundWork[None]) -> bool:
        if len(begun) == 1:
            begun.append("second")
            self.do(lambda: order.append("second"))
        return is_done(self, work)

    begun = ["first"]
    monkeypatch.setattr(WarmUp, "_is_done", overtaken)
    warming.do(lambda: order.append("first"))
    assert order == begun == ["first", "second"]
    assert warming.wait(0)


def test_what_goes_wrong_while_getting_ready_is_reported() -> None:
    with pytest.raises(ZeroDivisionError):
        WarmUp().do(lambda: print(1 // 0))


def test_matches_of_ordinary_games_are_as_they_were() -> None:
    run = match("tictactoe", "computer@nodes=50", "random", games=4, seed=3)
    assert [game.reason for game in run] == ["rules"] * 4


@pytest.mark.parametrize("who", ["conniption/sols", "computer"])
def test_who_would_be_late_plays_what_is_known(who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: object, **__: object) -> None:
        holding = budget.current()
        assert holding is not None, "nothing limits the work"
        while True:
            holding.spend()

    conniption = rulewright.load("conniption")
    limits = GameLimits(seconds=0.02, grace=2.0)
    player = Contestant.parse(who).open(conniption, limits)
    monkeypatch.setattr(Personality, "decide", endless)
    monkeypatch.setattr(builtin, "best", endless)
    players = (player, RandomPlayer())
    played = play_game(conniption, players, terms=GameTerms((limits, limits), longest=2))
    assert (played.reason, played.fixed) == ("long", False)


def test_a_player_by_random_games_decides_by_a_clock() -> None:
    """It has no value whose searches could be counted."""
    game, limits = rulewright.load("hex"), GameLimits(seconds=0.05)
    player = Contestant.parse("dreamer").open(game, limits)
    player.start(game, limits, 1)
    state = game.start()
    for _ in range(4):
        state = state.play_decision(player.choose(state, Clock(0.05)).move)
    player.close()
