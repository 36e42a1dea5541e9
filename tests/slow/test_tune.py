"""Tuning: it finds what is better, goes on where it stopped, and writes over nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

import rulewright
from rulewright.app.cli import main
from rulewright.errors import RulewrightError
from rulewright.games.files import catalog
from rulewright.games.files.catalog import load_personality
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.matches.tune import Trial, Tuner, TuningTask, no_worse
from tests.shared.tuning import EVALUATOR, PERSONALITY

pytest.importorskip("optuna")


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    rules = rulewright.load("tictactoe")
    evaluator = tmp_path / "lines.eval"
    evaluator.write_text(EVALUATOR)
    report = check_file(catalog.EVALUATOR, "lines.eval", evaluator.read_bytes(), FileContext(rules))
    assert [d.render() for d in report.diagnostics] == []
    path = tmp_path / "plain.personality"
    path.write_text(PERSONALITY)
    return path


def task(plain: Path, **more: Any) -> TuningTask:
    terms = {"games": 4, "openings": 1, "seed": 3}
    return TuningTask("tictactoe", str(plain), ("computer@nodes=40",), **more, terms=terms)  # type: ignore[arg-type]


def shares(trials: list[Trial]) -> list[tuple[float, dict[str, Any]]]:
    return [(t.share, dict(t.factors)) for t in trials]


@pytest.mark.parametrize("sampler", ["tpe", "cmaes"])
def test_the_best_trial_is_at_least_what_it_was(plain: Path, tmp_path: Path, sampler: Any) -> None:
    tuner = Tuner(task(plain, sampler=sampler), tmp_path / "study.db")
    trials = list(tuner.trials(6))
    assert [t.number for t in trials] == list(range(6))
    assert trials[0].factors == {"own_rows": 0, "bias": 0.5}  # first what it is
    assert tuner.best.share == max(t.share for t in trials) >= trials[0].share
    assert all(-5 <= t.factors["own_rows"] <= 5 for t in trials)


def test_a_study_goes_on(plain: Path, tmp_path: Path) -> None:
    whole = shares(list(Tuner(task(plain), tmp_path / "whole.db").trials(5)))
    begun = Tuner(task(plain), tmp_path / "study.db")
    trials = begun.trials(5)
    first = [next(trials), next(trials)]
    del trials
    again = Tuner(task(plain), tmp_path / "study.db")
    assert shares(again.played()) == shares(first) == whole[:2]
    rest = list(again.trials(5))
    assert [t.number for t in again.played()] == [0, 1, *(t.number for t in rest)]
    assert len(again.played()) == 5
    assert list(again.trials(5)) == []


def test_another_task_on_a_study_is_refused(plain: Path, tmp_path: Path) -> None:
    Tuner(task(plain), tmp_path / "study.db")
    with pytest.raises(RulewrightError, match="another command, which differs in factors"):
        Tuner(task(plain, factors=("bias",)), tmp_path / "study.db")
    (tmp_path / "other.db").write_text("Dear diary")
    with pytest.raises(RulewrightError, match="cannot be used as a study"):
        Tuner(task(plain), tmp_path / "other.db")


def test_mistakes_are_reported_before_the_first_trial(plain: Path, tmp_path: Path) -> None:
    with pytest.raises(RulewrightError, match="no factor `own_row`; did you mean `own_rows`"):
        Tuner(task(plain, factors=("own_row",)), tmp_path / "study.db")
    with pytest.raises(RulewrightError, match="name the opponents"):
        Tuner(TuningTask("tictactoe", str(plain), ()), tmp_path / "study.db")
    assert not (tmp_path / "study.db").exists()


def test_the_new_file_is_a_personality_with_its_provenance(plain: Path, tmp_path: Path) -> None:
    tuner = Tuner(task(plain), tmp_path / "study.db")
    list(tuner.trials(6))
    confirmed = tuner.confirm(6)
    assert confirmed["games"] == 6
    assert confirmed["seed"] == 4  # other openings than those of the trials
    new = tmp_path / "better.personality"
    tuner.write(new, confirmed)
    found = load_personality(rulewright.load("tictactoe"), new)
    evaluator = found.evaluator
    assert evaluator is not None
    known = dict(zip([f.name for f in evaluator.factors], found.factors, strict=True))
    assert known == pytest.approx(dict(tuner.best.factors), abs=1e-6)
    text = new.read_text("utf-8")
    told = text.replace("\n# ", " ")
    assert "by 6 trials (tpe)" in told
    assert "Confirmed on 6 other games" in told
    with pytest.raises(RulewrightError, match="is there already"):
        tuner.write(new)
    assert new.read_text("utf-8") == text
    with pytest.raises(RulewrightError, match=r"NAME\.personality"):
        tuner.write(tmp_path / "better.txt")


def test_the_command_tunes(plain: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = tmp_path / "new.personality"
    words = [
        "tune", "tictactoe", str(plain), "--out", str(new), "--versus", "computer@nodes=40",
        "--trials", "5", "--games", "6", "--openings", "1", "--confirm", "4", "--format", "json",
    ]  # fmt: skip
    status = main(words)
    out, err = capsys.readouterr()
    assert err.count("trial ") >= 5
    if "nothing is written" in err:
        assert (status, new.exists()) == (1, False)
        return
    data = json.loads(out)
    assert data["trials"] == 5
    assert set(data["factors"]) == {"own_rows", "bias"}
    won = no_worse(data["confirmation"])
    assert (status, new.exists()) == (int(not won), won)
    new.touch()
    assert main(words) == 2
    assert "is left as it is" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("pairs", "elo", "low", "high", "header"),
    [
        ([40, 10, 5, 3, 2], -263.0, -350.0, -190.0, "Elo -263, with 95 % -350..-190"),
        ([60, 0, 0, 0, 0], None, None, -500.0, "Elo -inf, with 95 % -inf..-500"),
        ([0, 0, 0, 0, 0], 0.0, None, None, "Elo +0, with 95 % -inf..+inf"),
    ],
)
@pytest.mark.parametrize("force", [False, True])
def test_what_is_worse_is_written_by_force_only(
    plain: Path, tmp_path: Path, pairs: list[int], elo: float | None, low: float | None,
    high: float | None, header: str, force: bool, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    told = {"games": 2 * sum(pairs), "elo": elo, "low": low, "high": high, "pairs": pairs}
    monkeypatch.setattr(Tuner, "confirm", lambda self, games: told)
    monkeypatch.setattr(Tuner, "unchanged", False)
    new = tmp_path / "new.personality"
    words = [
        "tune", "tictactoe", str(plain), "--out", str(new), "--versus", "random", "--trials", "1",
        "--games", "2", "--openings", "1", *(["--force"] if force else []),
    ]  # fmt: skip
    assert main(words) == 1
    assert new.exists() == force
    if force:
        assert header in new.read_text("utf-8").replace("\n# ", " ")
    else:
        assert "is not written" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("pairs", "found"), [([1, 0, 0, 0, 1], True), ([0, 0, 0, 0, 9], True), ([1, 0, 3, 0, 0], False)]
)
def test_half_of_the_points_is_not_worse(pairs: list[int], found: bool) -> None:
    assert no_worse({"games": 2 * sum(pairs), "pairs": pairs}) == found
