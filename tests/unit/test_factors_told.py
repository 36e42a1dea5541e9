"""What is said of factors: in the units of their texts, `whole` where a whole number is meant."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulewright
from rulewright.app.cli import main
from rulewright.app.play.seats import Seat
from rulewright.errors import RulewrightError
from rulewright.matches.protocols.contestant import Contestant
from rulewright.players.personality import Personality, whole_text

SPANIT = rulewright.load("spanit")


@pytest.mark.parametrize(
    ("factors", "message"),
    [
        ({"GamePredictability": 50}, "5000% lies outside the range"),
        ({"GamePredictability": 50}, "is 50% meant?"),
        ({"NodeRandom": 2.5}, "`NodeRandom` takes a whole number, not 2.5"),
        ({"NodeRandom": -1}, "-1 lies outside the range 0..1000000 of `NodeRandom`"),
    ],
)
def test_a_value_is_refused_in_the_units_of_texts(factors: dict[str, float], message: str) -> None:
    with pytest.raises(RulewrightError) as caught:
        Personality.load("default", SPANIT).with_factors(**factors)
    assert message in str(caught.value)


@given(st.integers(-20_000, 20_000))
def test_the_report_of_a_share_is_what_a_text_says(hundredths: int) -> None:
    known = Personality.load("default", SPANIT)
    if abs(hundredths) > 10_000:
        with pytest.raises(RulewrightError, match=f"^{hundredths / 10:.10g}% lies outside"):
            known.with_factors(GamePredictability=hundredths / 1000)
        return
    changed = known.with_factors(GamePredictability=hundredths / 1000)
    told = changed.factor_texts()["GamePredictability"]
    assert told == f"{hundredths / 10:.10g}%"
    assert f"GamePredictability = {told} " in whole_text(changed.model, "mine")


def test_a_whole_text_says_ranges_as_texts_write_them() -> None:
    known = Personality.load("default", SPANIT)
    text = whole_text(known.model, "mine")
    for factor in known.model.evaluator.factors if known.model.evaluator else ():
        assert f"  # {factor.range}" in text


@pytest.mark.parametrize("text", ["default@NodeMajor=50%", "default@depth=50%"])
def test_a_percentage_of_what_is_none_is_refused(text: str) -> None:
    with pytest.raises(RulewrightError, match="no percentage"):
        Contestant.parse(text).alone(SPANIT)


def test_the_terminal_shows_the_same_units(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = Seat.of("default", SPANIT)
    seat.change("GamePredictability", 0.3, percent=True)
    assert seat.personality is not None
    assert seat.personality.factor_texts()["GamePredictability"] == "30%"
    with pytest.raises(RulewrightError, match="`NodeMajor` is no percentage"):
        seat.change("NodeMajor", 0.3, percent=True)
    typed = "set vertical GamePredictability 30%\nseats\nquit\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    main(["play", "spanit", "vertical=human:default", "horizontal=human", "--new"])
    assert "  GamePredictability = 30%\n" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--depth", "1.5"], ["--nodes", "few"]])
def test_an_argument_says_what_it_is(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["best", "tictactoe", *words])
    assert "whole number from 1" in capsys.readouterr().err
