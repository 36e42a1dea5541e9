"""The table of the kinds of files: a further kind is one row, and every command knows it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.app.cli.mutate import rules_file
from rulewright.checks.run import mistakes
from rulewright.errors import MoveError, RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files import catalog
from rulewright.games.files.games import load
from rulewright.games.files.kinds import FileKind, Reading, check_file, files_of, load_file
from rulewright.language.diagnostics import Collector, TextError, offer
from rulewright.language.source import Source, Span
from rulewright.language.syntax import Name
from rulewright.pytest_plugin import KINDS as COLLECTED

HEAD = re.compile(r"^ *opening +(\w+) +for +(\w+)$", re.MULTILINE)
TEXT = "format 1\nopening centre for tictactoe\nb2 a1\n"


def parsed(source: Source, report: Collector) -> re.Match[str] | None:
    found = HEAD.search(source.text)
    if found is None:
        source.report(report, "bad-head", Span(0, 1), "an opening begins with its name")
    return found


def game_of(tree: re.Match[str], reading: Reading) -> Game | None:
    return catalog.game_for(Name(tree[2], span=Span(*tree.span(2))), reading)


def resolved(tree: re.Match[str], reading: Reading) -> tuple[str, ...] | None:
    assert reading.game is not None
    moves = reading.source.text[tree.end() :].split()
    try:
        return tuple(reading.game.start().play(" ".join(moves)).decisions())
    except MoveError as error:
        reading.complain("illegal-move", Span(tree.end() + 1, len(reading.source.text)), str(error))
        return None


def formatted(text: str) -> str:
    return "".join(f"{' '.join(line.split())}\n" for line in text.splitlines())


OPENING: FileKind[tuple[str, ...]] = FileKind(
    "opening", ".opening", HEAD, parsed, game_of, resolved, formatted, {}
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an opening, while there is one kind more."""
    monkeypatch.setattr(catalog, "KINDS", (*catalog.KINDS, OPENING))
    (tmp_path / "centre.opening").write_text(TEXT)
    return tmp_path


def test_a_further_kind_is_checked_and_formatted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "centre.opening"
    assert main(["check", str(path)]) == 0
    assert mistakes(path) == []
    path.write_text(TEXT.replace("b2 a1", "b2   b2"))
    assert main(["fmt", str(path)]) == 0
    assert path.read_text() == TEXT.replace("a1", "b2")
    capsys.readouterr()
    assert main(["check", str(path), "--format", "json"]) == 1
    (told,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (told["code"], told["line"]) == ("illegal-move", 3)
    path.write_text(TEXT.replace("tictactoe", "tictactow"))
    assert main(["check", str(path)]) == 1
    assert "did you mean `tictactoe`?" in capsys.readouterr().out


def test_a_further_kind_loads_by_name(folder: Path) -> None:
    game = load("tictactoe")
    (folder / "other.opening").write_text("format 1\nopening other for hex\na1\n")
    assert set(files_of(OPENING, game, folder)) == {"centre"}
    for name in ("centre", "tictactoe/centre", folder / "centre.opening"):
        assert load_file(OPENING, game, name, folder) == ("b2", "a1")
    with pytest.raises(RulewrightError, match="tictactoe has no opening `center`; did you mean"):
        load_file(OPENING, game, "center", folder)
    (folder / "centre.opening").write_text("format 1\n")
    with pytest.raises(TextError, match="an opening begins with its name"):
        load_file(OPENING, game, "centre", folder)


def test_a_further_kind_is_listed_and_tested(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["test", "--list"]) == 0
    assert ".opening files:" in capsys.readouterr().out
    assert main(["test", str(folder / "centre.opening")]) == 0
    assert main(["cover", str(folder / "centre.opening")]) == 2
    assert main(["check", str(folder / "nothing.else")]) == 2
    (folder / "nothing.else").write_text("opening x for hex\n")
    capsys.readouterr()
    assert main(["check", str(folder / "nothing.else")]) == 2
    assert ".look, .opening" in capsys.readouterr().err


def test_a_further_kind_is_no_rules_to_be_changed(folder: Path) -> None:
    with pytest.raises(RulewrightError, match="is no file of rules"):
        rules_file(str(folder / "centre.opening"))


@pytest.mark.parametrize("kind", catalog.KINDS, ids=lambda kind: str(kind.name))
def test_every_kind_knows_its_own_texts(kind: FileKind[object]) -> None:
    """By its head alone, and no other kind claims them."""
    texts = [path for name in ("rulesets", "patterns") for path in bundled_texts(name, kind)]
    assert texts
    for path in texts:
        assert catalog.of_text(path.read_text("utf-8")) is kind, path
        assert kind.of(load(path.parent.name), path.read_text("utf-8"))


def bundled_texts(folder: str, kind: FileKind[object]) -> list[Path]:
    root = Path(__file__).parents[2] / folder
    return sorted(root.glob(f"*/*{kind.suffix}"))


def test_pytest_collects_every_kind() -> None:
    assert {kind.suffix for kind in catalog.KINDS} == {*COLLECTED}


def test_a_text_of_another_game_gives_way_to_one_of_this(tmp_path: Path) -> None:
    """An evaluator that stands in the folder under the name of a bundled one, for another game."""
    game = load("connect4")
    (name, bundled), *_ = files_of(catalog.EVALUATOR, game).items()
    (tmp_path / bundled.name).write_text(f"format 1\nevaluator {name} for hex\nvalue v = 1\n")
    found = load_file(catalog.EVALUATOR, game, name, tmp_path)
    assert found == load_file(catalog.EVALUATOR, game, name)


def test_a_report_without_a_model_raises_all_its_mistakes() -> None:
    report = check_file(catalog.EVALUATOR, "x.eval", b"format 1\nevaluator x for hex\nfoo\nbar\n")
    assert not report.ok
    with pytest.raises(TextError) as raised:
        report.loaded()
    assert len(raised.value.diagnostics) == 2


def test_every_unknown_evaluator_gets_its_hint() -> None:
    text = b"format 1\nevaluator x for connect5\nuse conect5\nuse connekt5\n"
    report = check_file(catalog.EVALUATOR, "x.eval", text)
    unknown = [d for d in report.diagnostics if d.code == "unknown-name"]
    assert [d.hint for d in unknown] == ["did you mean `connect5`?"] * 2


def test_hints_list_names_and_of_many_the_nearest_first() -> None:
    few = ["west", "north", "east"]
    assert offer("up", few) == "there is `west`, `north`, `east`"
    assert offer("up", []) == "there is none"
    assert offer("nroth", few) == "did you mean `north`?"
    many = [f"{letter}{letter}" for letter in "abcdefghijklmnop"] + ["pawn_count"]
    hint = offer("pawns_beside", many)
    assert hint.startswith("there is `pawn_count`, ")
    assert hint.endswith(" ...")
    assert hint.count("`") == 2 * 12
