"""`learn`: rounds of games, fits and tests, of which a second call repeats none."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulewright import Personality, load
from rulewright.app.cli import main
from rulewright.errors import RulewrightError
from rulewright.learning import rounds
from rulewright.learning.fit import Fit, FittedFactor, FitTerms
from rulewright.learning.rounds import LearningRound, RoundLearner, RoundTerms
from tests.shared.backends import needs_llvm

pytestmark = needs_llvm
TERMS = RoundTerms(2, 2, (0.0, 200.0), {"nodes": 5}, FitTerms(("freedom",)))


def learner(folder: Path) -> RoundLearner:
    return RoundLearner("othello", "gardener", folder, TERMS)


def pretend_to_fit(monkeypatch: pytest.MonkeyPatch, freedom: float, loss: float) -> list[list[str]]:
    """Let every fit say the same; returns the files of each call."""
    calls = list[list[str]]()
    factor = FittedFactor("freedom", 9.0, freedom, None)

    def pretended(personality: Personality, files: list[str], terms: FitTerms) -> Fit:
        calls.append([Path(file).name for file in files])
        assert terms == TERMS.fitting
        return Fit((factor,), 1.0, 9, 30, 0.9, loss, (), ())

    monkeypatch.setattr(rounds, "fit", pretended)
    return calls


def test_rounds_are_on_record_and_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = pretend_to_fit(monkeypatch, 12.0, 0.8)
    (first,) = learner(tmp_path).run(1)
    again = learner(tmp_path)
    after = [*again.run(2)]
    assert after[0].match == first.match
    assert calls == [[GAMES[0]], [GAMES[0]], GAMES]
    assert [done.path.exists() for done in after] == [True, True]
    assert Personality.load(str(first.path), load("othello")).factors["freedom"] == 12


GAMES = ["round1-games.db", "round2-games.db"]


def test_a_candidate_of_other_games_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_to_fit(monkeypatch, 12.0, 0.8)
    list(learner(tmp_path).run(1))
    pretend_to_fit(monkeypatch, 13.0, 0.8)
    with pytest.raises(RulewrightError, match="is not the candidate of these games"):
        list(learner(tmp_path).run(1))


def test_a_worse_fit_is_not_tested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_to_fit(monkeypatch, 12.0, 0.95)
    learning = learner(tmp_path)
    (done,) = learning.run(1)
    assert done.match is None
    assert not done.path.exists()
    assert done.row()[-1] == "no better on games held out"
    assert learning.best == "gardener"
    assert learning.plot() is None


def test_an_accepted_candidate_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It plays the games of the next round, and the plot shows it."""
    pretend_to_fit(monkeypatch, 12.0, 0.8)
    learning, players = learner(tmp_path), list[str]()

    def play_itself(_: RoundLearner, __: int) -> None:
        players.append(learning.best)

    def test(_: RoundLearner, __: int, ___: Path) -> object:
        return result("elo1").match

    monkeypatch.setattr(RoundLearner, "_play_itself", play_itself)
    monkeypatch.setattr(RoundLearner, "_test", test)
    list(learning.run(2))
    assert players == ["gardener", str(tmp_path / "round1.personality")]
    plot = learning.plot()
    assert plot is not None
    assert "round 2, accepted" in "".join(ElementTree.parse(plot).getroot().itertext())


def result(accepted: str | None) -> LearningRound:
    fitted = Fit((), 1.0, 9, 30, 0.9, 0.8, (), ())
    data = {
        "games": 12, "elo": 10.0, "low": -5.0, "high": 25.0, "sprt": {"accepted": accepted},
    }  # fmt: skip
    return LearningRound(1, Path("round1.personality"), fitted, data)


@pytest.mark.parametrize(
    ("accepted", "verdict"),
    [("elo1", "accepted"), ("elo0", "rejected"), (None, "undecided, not taken")],
)
def test_a_candidate_is_taken_where_the_test_is_sure(accepted: str | None, verdict: str) -> None:
    done = result(accepted)
    assert done.accepted is (accepted == "elo1")
    assert done.row()[-1] == verdict


def test_the_command_tells_each_round(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "learn", "othello", "gardener", "--folder", str(tmp_path / "learnt"), "--rounds", "1",
        "--games", "30", "--tested", "4", "--nodes", "10", "--format", "json",
    ]  # fmt: skip
    status = main(arguments)
    data = json.loads(capsys.readouterr().out)
    assert [entry["round"] for entry in data["rounds"]] == [1]
    assert status == int(not data["rounds"][0]["accepted"])
    assert data["best"] == ("gardener" if status else data["rounds"][0]["file"])
