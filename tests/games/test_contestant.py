"""One text for a player: `best`, `explain`, `play` and matches read it alike."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulewright
from rulewright.app.cli import main
from rulewright.errors import RulewrightError
from rulewright.matches.protocols.contestant import Contestant
from rulewright.players.player import GameLimits

NAMES = st.from_regex(r"[a-z][a-z_0-9/.-]{0,12}", fullmatch=True)


@given(NAMES, st.integers(1, 3600))
def test_seconds_behind_a_colon_are_a_limit_of_time(name: str, seconds: int) -> None:
    short = Contestant.parse(f"{name}:{seconds}")
    long = Contestant.parse(f"{name}@time={seconds}")
    assert (short.player_name, short.own, short.seconds) == (name, long.own, seconds)
    assert short.limits(GameLimits(nodes=5)) == GameLimits(nodes=5, seconds=seconds)


def test_commands_of_programs_keep_their_colons() -> None:
    assert Contestant.parse("gtp:./brain:7").player_name == "gtp:./brain:7"


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(RulewrightError):
        assert Contestant.parse(text).text == text


def test_best_and_explain_take_depths_and_factors(capsys: pytest.CaptureFixture[str]) -> None:
    shallow = ["--personality", "flip@depth=1,flip_cost=0"]
    assert main(["best", "conniption", *shallow, "--moves", "4 -"]) == 0
    best = json.loads(capsys.readouterr().out)
    assert main(["explain", "conniption", *shallow, "--moves", "4 -", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert best["move"] in {one["move"] for one in told["moves"]}
    assert max(len(one["line"]) for one in told["moves"]) <= 3  # one turn
    assert all("flip_cost" not in one["factors"] for one in told["moves"])
    assert main(["explain", "conniption", "--personality", "flip@flip_cots=1"]) == 2
    assert "did you mean `flip_cost`?" in capsys.readouterr().err


def test_best_answers_for_several_boards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    win = tmp_path / "win.txt"
    win.write_text("((X X X X -) (O O O - -) (- - - - O) (- - - - -) (- - - - -))")
    block = tmp_path / "block.txt"
    block.write_text("((O O O O -) (X X - - -) (- - X - -) (- - - - -) (- - - - X))")
    words = ["best", "connect5", "--personality", "basic", "--board", str(win), str(block)]
    assert main(words) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["board"], first["move"]) == (str(win), "e1")
    assert (second["board"], second["move"]) == (str(block), "e1")
    assert main(["best", "connect5", "--board", "-", "-"]) == 2


def test_factors_of_spanit_take_what_its_document_does_not_forbid() -> None:
    game = rulewright.load("spanit", size=3)
    text = "default@PathMajorSpan=2.5,PathIsWinner=-5,GameTreeMaxDepth=25,GameTreeMaxBreadth=1"
    odd = Contestant.parse(text).alone(game)
    assert odd.factors["PathMajorSpan"] == 2.5
    assert odd.factors["PathIsWinner"] == -5
    assert odd.factors["GameTreeMaxDepth"] == 25
    state = game.start().play("M00 M11 M20 m00")
    shy = Contestant.parse("hasty@PathIsWinner=-500,NodeRandom=0").alone(game)
    keen = Contestant.parse("hasty@NodeRandom=0").alone(game)
    assert keen.choose(state) == "M10"
    assert shy.choose(state) != "M10"
