"""The kernels of batches as PTX: NVIDIA's assembler takes them, without a card."""

from __future__ import annotations

import json
import re
import subprocess
from typing import Any

import pytest

from rulewright.games.files.games import bundled_games
from tests.shared.places import ROOT
from tests.shared.sample import chosen, of_the_day


@pytest.fixture
def assemble(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return pytest.importorskip("assemble")


@pytest.mark.parametrize("name", chosen())
def test_the_assembler_takes_the_kernels_of_a_step(name: str, assemble: Any) -> None:
    """Without a spill where the table has none; or the game is refused as the table says."""
    pytest.importorskip("nvidia.cuda_nvcc", reason="has the assembler")
    row = json.loads(assemble.FIGURES.read_text("utf-8")).get(name, {"spills": 0})
    if "refused" in row:
        assert assemble.figures_of(name) == row
        return
    text = assemble.plan_of(name).group((assemble.STEP,)).ptx()
    assert ".visible .entry card_act_on_card(" in text
    assert ".extern" not in text, "everything that is called is there"
    kernel = assemble.assembled(text)
    assert 0 < kernel.registers <= 255
    assert (kernel.spills == 0) is (row["spills"] == 0)


@pytest.mark.parametrize("name", of_the_day("leduc", "dvonn", "twixt"))
def test_the_assembler_takes_all_other_kernels(name: str, assemble: Any) -> None:
    """Those of secrets and chance, of piles, of links."""
    pytest.importorskip("nvidia.cuda_nvcc", reason="has the assembler")
    plan = assemble.plan_of(name)
    for names in plan.groups()[1:]:
        text = plan.group(names).ptx()
        assert re.findall(r"\.entry card_(\w+)\(", text) == [*names]
        assert assemble.assembled(text).registers > 0


def test_what_is_no_ptx_is_refused(assemble: Any) -> None:
    pytest.importorskip("nvidia.cuda_nvcc", reason="has the assembler")
    with pytest.raises(subprocess.CalledProcessError):
        assemble.assembled(".version 8.0 .target sm_90 nonsense")


def test_the_table_has_no_other_game(assemble: Any) -> None:
    figures = json.loads(assemble.FIGURES.read_text("utf-8"))
    assert set(figures) <= set(bundled_games())
    assert assemble.table(figures) in assemble.PAGE.read_text("utf-8")
