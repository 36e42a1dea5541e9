"""Games in two texts each: both are accepted, and kernels take the same form for both."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler.engine import emitted_of
from rulewright.compiler.plan import plan_lines
from rulewright.games.files.games import check, load
from tests.shared.places import ROOT

TEXTS = sorted((ROOT / "benchmarks" / "writing").glob("*.rules"))
FORMS = {
    "catchup.sets": "all rounds of a loop share: worked out once",
    "domineering.both": "a random one is picked as a bit of a set",
    "domineering.one": "a random one is picked as a bit of a set",
    "uttt.rows": "a definition by site: a table",
    "uttt.sets": "a definition by site: a table",
}


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_text_is_accepted(path: Path) -> None:
    report = check(path.read_text("utf-8"), path.name)
    assert not [d for d in report.diagnostics if d.severity == "error"]


@pytest.mark.parametrize("name", FORMS)
def test_the_plan_names_the_form(name: str) -> None:
    (path,) = (path for path in TEXTS if path.stem == name)
    reasons = plan_lines(emitted_of(load(path).play).layout)
    assert any(line.endswith(FORMS[name]) for line in reasons)


@pytest.mark.parametrize("name", ["jumpers.step", "jumpers.target"])
def test_nothing_is_compared_where_the_text_tells_all(name: str) -> None:
    (path,) = (path for path in TEXTS if path.stem == name)
    layout = emitted_of(load(path).play).layout
    assert layout.row == 2 + 2, "the move, the rest of the turn, a site and a step"
