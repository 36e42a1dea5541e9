"""`rulewright watch`: what each saved state of a file shows, and what changed since the last."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.app.service.watching import FileWatch
from rulewright.errors import MoveError
from rulewright.games.files.games import bundled_games

ENOUGH = 60.0
"""Seconds for tests of one save, on a machine that has other work."""
RULES = bundled_games()["tictactoe"].read_text("utf-8")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "t.rules"
    found.write_text(RULES)
    return found


def test_the_game_under_way_is_replayed_as_far_as_it_is_legal(path: Path) -> None:
    watch = FileWatch(path, ("b2", "a1", "c3"), seconds=ENOUGH)
    view = watch.look()
    assert view.fine
    assert view.played == ("b2", "a1", "c3")
    assert view.changes == ()
    path.write_text(RULES.replace("choose cell in empty", "choose cell in empty border"))
    view = watch.look()
    assert view.played == ()
    assert "`b2` is not legal" in view.stopped
    fails = {change for change in view.changes if change.endswith("fails")}
    assert "`claim perft 9, 72, 504, 3024, 15120` fails" in fails
    path.write_text(RULES)
    view = watch.look()
    assert view.played == ("b2", "a1", "c3")
    assert {c.replace("holds", "fails") for c in view.changes} >= fails


def test_what_cannot_be_read_shows_the_last_board_that_could(path: Path) -> None:
    watch = FileWatch(path, seconds=ENOUGH)
    assert not watch.look().stale
    path.write_text(RULES.replace("empty", "empti"))
    view = watch.look()
    assert (view.fine, view.stale) == (False, True)
    assert {d.code for d in view.diagnostics} >= {"unknown-name"}
    assert view.state is not None
    assert len(view.state.moves) == 9


def test_only_a_save_is_a_change_and_a_claim_that_goes_is_reported(path: Path) -> None:
    watch = FileWatch(path, seconds=ENOUGH)
    assert watch.changed()
    assert not watch.changed()
    watch.look()
    path.write_text(
        "\n".join(n for n in RULES.splitlines() if not n.startswith("claim perft")) + "\n"
    )
    assert watch.changed()
    assert "`claim perft 9, 72, 504, 3024, 15120` is gone" in watch.look().changes


def test_moves_that_are_typed_go_on_from_where_the_game_stands(path: Path) -> None:
    watch = FileWatch(path, seconds=ENOUGH)
    watch.look()
    watch.play(["b2", "a1"])
    with pytest.raises(MoveError):
        watch.play(["c3", "b2", "a2"])
    assert watch.moves == ("b2", "a1", "c3")


def test_once_shows_the_board_and_says_by_its_status_whether_all_is_well(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", str(path), "--once", "--moves", "b2", "--svg", "--time", "60"]) == 0
    told = capsys.readouterr().out
    assert "t.rules: fine" in told
    assert "nought to move, 8 decisions" in told
    assert path.with_suffix(".svg").read_text().startswith("<svg")
    path.write_text(RULES.replace("win when", "draw when"))
    assert main(["watch", str(path), "--once", "--time", "60"]) == 1
    assert "fails" in capsys.readouterr().out


def test_a_drawing_of_others_is_not_replaced_unless_it_is_named(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture, words = path.with_suffix(".svg"), ["watch", str(path), "--once", "--time", "60"]
    picture.write_text("<svg>mine</svg>")
    assert main([*words, "--svg"]) == 2
    assert "is there already and is no board" in capsys.readouterr().err
    assert picture.read_text() == "<svg>mine</svg>"
    assert main([*words, "--svg", str(picture)]) == 0
    assert main([*words, "--svg"]) == 0  # this one is ours
