"""Tables in docs/strength.md and docs/benchmarks.md are made by commands, in benchmarks/."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import ModuleType

import pytest

from tests.shared.places import ROOT


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import match_figures

    return match_figures


def match(first: str, wins: int, draws: int, losses: int) -> dict[str, object]:
    """A pairing as `rulewright match --format json` writes it, *first* in the first seat."""
    second = "b" if first == "a" else "a"
    return {"p1": first, "p2": second, "p1_wins": wins, "draws": draws, "p2_wins": losses}


def test_the_table_of_the_page_is_what_the_data_give(figures: ModuleType) -> None:
    rows = json.loads(figures.DATA.read_text("utf-8"))
    page = figures.PAGE.read_text("utf-8")
    for name in figures.NAMES:
        own = figures.rows_of(rows, name)
        assert len(own) > 10
        assert figures.written(page, name, figures.table(own)) == page, "--write writes it anew"
    assert len({row["name"] for row in rows}) == len(rows)


def test_a_row_is_counted_for_its_first_player_in_both_seats(figures: ModuleType) -> None:
    played = {"players": ["a", "b"], "pairings": [match("a", 5, 1, 2), match("b", 3, 0, 4)]}
    assert figures.outcome(played) == (9, 1, 5)
    assert figures.interval(7.2, float("inf")) == "Elo +7 and more"
    assert figures.interval(-7.2, 8.0) == "Elo -7..+8"


def test_a_row_has_points_a_date_and_a_machine(figures: ModuleType) -> None:
    result = {"date": "2026-11-28", "machine": "x", "won": 2, "drawn": 1, "lost": 1, "interval": ""}
    row = {"game": "G", "player": "a", "opponent": "b", "limits": "", "matches": []}
    lines = figures.table([{**row, "result": result}, {**row, "result": result}]).splitlines()
    assert lines[2] == "| G | a | b | | 4 | 2, 1, 1: 0.625 | | 2026-11-28, x |"
    assert lines[3].startswith("| | a |")


def test_writing_keeps_the_rest_of_the_page(
    figures: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rows = json.loads(figures.DATA.read_text("utf-8"))
    before = figures.PAGE.read_text("utf-8")
    page, data = tmp_path / "page.md", tmp_path / "data.json"
    page.write_text(before, "utf-8")
    monkeypatch.setattr(figures, "PAGE", page)
    monkeypatch.setattr(figures, "DATA", data)
    figures.write(rows)
    assert page.read_text("utf-8") == before
    assert json.loads(data.read_text("utf-8")) == rows


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import page_figures

    return page_figures


def test_every_table_has_its_marks_its_day_and_its_command(pages: ModuleType) -> None:
    for name, (page, command) in pages.TABLES.items():
        begin, end = pages.marks(name)
        _, _, rest = page.read_text("utf-8").partition(begin)
        text, has_end, _ = rest.partition(end)
        caption, *_, last = text.strip().splitlines()
        assert has_end, name
        assert re.match(r"2\d{3}-\d\d-\d\d, ", caption), name
        assert caption.endswith(f": `python {command}`."), name
        assert last.startswith("|"), name
        assert (ROOT / command.split()[0]).is_file()


def test_a_command_that_prints_no_table_is_refused(pages: ModuleType) -> None:
    with pytest.raises(SystemExit, match="no table"):
        pages.measured("-c 'print(1)'")
    assert pages.measured('-c \'print("x", *3 * ["| 1 |"], sep=chr(10))\'') == 3 * ["| 1 |\n"]
    with pytest.raises(SystemExit, match="no marks for x"):
        pages.written("a page", "x", "text")
    page = "a\n<!-- x -->\nold\n<!-- end of x -->\nb\n"
    assert pages.written(page, "x", "new\n") == page.replace("old\n", "\nnew\n\n")
