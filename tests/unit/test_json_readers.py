"""What is read from outside as JSON: a record of its class, or a message, whatever stands there."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any

import pytest
from attrs import asdict, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.app.cli import main
from rulewright.app.play.game_table import Series
from rulewright.app.play.saved_games import SavedGame, read_saved_game
from rulewright.app.studio.export import LIST, _earlier_files
from rulewright.app.studio.reply import WorkerDesk
from rulewright.checks import mutate
from rulewright.checks.mutants import SURVIVED, MutationSubject, Survivor, Verdict
from rulewright.errors import RulewrightError
from rulewright.games.render.scene import Scene
from rulewright.ground.records import DataError, from_json, read_json
from rulewright.matches.game_files import read_game
from tests.shared.effort import tries
from tests.shared.json_values import damaged
from tests.shared.tiny import RULES

SERIES = Series(("computer", "search"), 2, "human", (1.0, 0.5))
PLAYED = SavedGame(
    "tictactoe", rulewright.load("tictactoe").start().play("a1 b2"), "cross", ("human", "search"),
    7, SERIES.as_data(), ("c3",),
)  # fmt: skip
SAVED = json.loads(PLAYED.text())
SCENE = PLAYED.state.scene.as_json()
TRIAL = MutationSubject("tiny.rules", "tiny.rules", RULES)
KEY = next(mutate.mutants_of(TRIAL)).key


def written(folder: Path, name: str, data: Any) -> Path:
    path = folder / name
    path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("json")


def tried(read: Any, path: Path) -> tuple[Any, str]:
    try:
        return read(path), ""
    except RulewrightError as error:
        return None, str(error)


@given(damaged(SAVED) | st.text(max_size=9))
def test_a_saved_game_is_read_or_refused_by_its_path(folder: Path, data: Any) -> None:
    path = written(folder, "game.json", data)
    for read in (read_saved_game, read_game):
        game, message = tried(read, path)
        assert game.source == data["game"] if game else str(path) in message


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 2}, "has the unknown format 2"),
        ({"moves": 3}, "is no saved game of rulewright (3 is no str @ game.moves)"),
        ({"players": ["human"]}, "the players are not those of tictactoe"),
        ({"undone": [1]}, "(1 is no str @ game.undone)"),
        ({"undone": ["a1"]}, "`a1` is not legal"),
        ({"options": {"size": "3"}}, "\"3\" is no number @ game.options['size']"),
    ],
)
def test_what_is_wrong_in_a_saved_game_is_reported(
    folder: Path, changes: dict[str, Any], message: str
) -> None:
    path = written(folder, "game.json", SAVED | changes)
    with pytest.raises(RulewrightError) as error:
        read_saved_game(path)
    assert message in str(error.value)


@settings(max_examples=tries(30))
@given(damaged(SAVED))
def test_a_command_ends_with_a_message(folder: Path, data: Any) -> None:
    path, err = written(folder, "game.json", data), io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(err):
        status = main(["convert", str(path)])
    assert (status == 0) == (err.getvalue() == "")
    assert status in (0, 1, 2)
    assert "Traceback" not in err.getvalue()


@given(damaged(SERIES.as_data()))
def test_a_series_goes_on_or_is_refused(data: Any) -> None:
    with suppress(RulewrightError):
        series = Series.of_data(data)
        assert series is None or series.score()


@given(damaged({"version": "1", "files": ["index.html"]}))
def test_a_list_of_files_is_read_or_empty(folder: Path, data: Any) -> None:
    files = _earlier_files(written(folder, LIST, data))
    assert files == ({LIST, *data["files"]} if files else set())


@given(damaged(SCENE))
def test_a_scene_is_read_or_refused(data: Any) -> None:
    if isinstance(data, dict):
        with suppress(DataError):
            Scene.from_json(data)


@given(damaged({"tiny.rules": RULES}))
def test_texts_of_a_page_are_read_or_refused(folder: Path, data: Any) -> None:
    inside = WorkerDesk(folder / "texts", lambda _: None)
    with suppress(RulewrightError):
        inside.put(json.dumps(data))
        assert json.loads(inside.files()).keys() >= data.keys()


def kept(data: bytes) -> mutate.MutationReport | None:
    """The report of `mutate` where its file holds these bytes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rulewright.ground.cache.read", lambda _: data)
        return mutate.kept_report(TRIAL)


RESULT = mutate.MutantResult("", Verdict(SURVIVED), Survivor("claim perft 1", ("a1",)))
RESULTS = mutate.KeptResults(mutate._program(), {KEY: RESULT})


def test_results_of_mutants_are_read_again() -> None:
    report = kept(json.dumps(asdict(RESULTS)).encode())
    assert report is not None
    assert [mutant.survivor for mutant in report.mutants] == [RESULT.survivor]


@given(damaged(asdict(RESULTS)) | damaged(asdict(RESULTS)["mutants"]))
def test_damaged_results_of_mutants_are_none(data: Any) -> None:
    report = kept(json.dumps(data).encode())
    assert report is None or [m.key for m in report.mutants] in ([], [KEY])


@frozen
class Box:
    name: str
    sizes: dict[int, float]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "this is no JSON text"), (None, "this is no JSON text"),
        ("[" * 99_999, "this is no JSON text"), ("[]", "[] is no object"),
        ('{"sizes": {}}', "it is missing @ record.name"),
        ('{"name": "a", "sizes": {"b": 1}}', "that is no dict @ record.sizes"),
        ('{"name": "a", "sizes": {}, "more": 1}', "there is no field `more` @ record"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_reported_with_its_place(text: str | None, message: str) -> None:
    with pytest.raises(DataError) as error:
        read_json(text, Box, strict=True)
    assert str(error.value) == message


def test_keys_may_be_numbers_and_fields_more() -> None:
    data = {"name": "a", "sizes": {"3": 1.5}, "more": 1}
    assert from_json(data, Box) == Box("a", {3: 1.5})
    with pytest.raises(DataError, match="that is no dict"):
        from_json([1], dict[str, float])


def test_commands_start_without_cattrs() -> None:
    """It takes a twentieth of a second to load."""
    modules = "rulewright.app.cli.best, rulewright.app.cli.play, rulewright.matches.game_files"
    code = f"import sys, rulewright, {modules}; print('cattrs' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
