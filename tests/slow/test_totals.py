"""The totals go on where they stand, and what they compare can differ."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler import layout as p
from rulewright.games.files.games import load
from tests.shared.backends import needs_llvm
from tests.tools.totals import __main__ as totals
from tests.tools.totals.forms import Forms


@needs_llvm
@pytest.mark.parametrize("name", ["connect4", "othello", "spanit"])
def test_fast_forms_play_what_the_general_form_lists(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    forms = Forms(load(name))
    assert all(forms.play(seed) > 0 for seed in range(1, 20))
    put = forms.engine.put

    def swapped(position: object, state: object, history: object) -> None:
        put(position, state, history)  # type: ignore[arg-type]
        if state is forms._plain["S"]:
            state[p.PLY] += 1

    monkeypatch.setattr(type(forms.engine), "put", lambda _, *given: swapped(*given))
    assert forms.play(1) == -1


@needs_llvm
def test_a_run_goes_on_where_the_last_one_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(totals, "PLACE", tmp_path / "totals.json")
    monkeypatch.setattr(totals, "PLAYED", 7)
    monkeypatch.setattr(totals, "TEXTS", 1500)
    monkeypatch.setattr(totals, "SLICE", 0.05)
    monkeypatch.setitem(totals.KINDS, "files", (totals.files, ["python"]))
    monkeypatch.setitem(totals.FILES, "python", 3)
    monkeypatch.setitem(totals.KINDS, "texts", (totals.fuzz, ["players"]))
    for kind in ("forms", "reference"):
        monkeypatch.setitem(totals.KINDS, kind, (totals.KINDS[kind][0], ["tictactoe"]))
    first = totals.Totals.read()
    totals.go_on(first, 1, ["forms"], lambda: first.write("one", "today"))
    again = totals.Totals.read()
    assert again.rows["forms"]["tictactoe"]["done"] == 7
    assert again.rows["forms"]["tictactoe"]["next"] == 8
    kinds = ["texts", "forms", "reference", "files"]
    totals.go_on(again, 1, kinds, lambda: again.write("two", "today"))
    told = totals.Totals.read()
    assert told.rows["forms"] == again.rows["forms"]
    assert told.rows["reference"]["tictactoe"]["done"] == 7
    assert told.done("texts") >= 50
    assert told.done("files") == 3
    assert told.rows["files"]["python"]["next"] == 4 + told.rows["files"]["python"].get("left", 0)
    assert [run["version"] for run in told.runs] == ["one", "two"]
    assert (told.runs[0]["forms"], told.runs[1]["forms"]) == (7, 0)
