"""Records replayed and exported: what is verified is verified, and every format tells the game."""

import csv
import io
import json
import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from attrs import evolve

from rulewright.app.cli import main
from rulewright.app.cli.best import _root_data
from rulewright.games.files import games
from rulewright.matches.api import match as played_match
from rulewright.matches.api import tournament
from rulewright.matches.export import after_turns, csv_text, game_text, sgf_bytes, svg_page
from rulewright.matches.game_record import GameRecord, RecordedMove
from rulewright.matches.protocols import move_list
from rulewright.matches.record_files import Match, read_matches
from rulewright.matches.verify import game_of_plan, recorded_states, verify
from rulewright.model.personality import Pick
from rulewright.players.choose import PickTrial
from rulewright.players.explain import Explanation
from rulewright.players.terms import ExplainedMove
from rulewright.search.results import Line, person, told_result

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "conniption.db"
    players = ["random", "flip@depth=1", "dice@depth=1"]
    with tournament("conniption", players, games=2, record=path) as run:
        assert len(list(run)) == 6
    return path


@pytest.fixture(scope="module")
def match(record: Path) -> Match:
    return read_matches(record)[0]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    def run(*words: str) -> tuple[int, str, str]:
        status = main(words)
        out, err = capsys.readouterr()
        return status, out, err

    return run


def test_a_record_is_as_it_says(match: Match) -> None:
    assert list(verify(match)) == []


FORGED: dict[str, tuple[Callable[[GameRecord], GameRecord], str]] = {
    "winner": (lambda g: evolve(g, winner=1 - (g.winner or 0)), "and the record says: the"),
    "draw": (lambda g: evolve(g, winner=None), "and the record says: nobody"),
    "moves": (lambda g: evolve(g, moves=g.moves[:-1]), "it is not over"),
    "more": (lambda g: evolve(g, moves=(*g.moves, RecordedMove("4", 0))), "the game is over"),
    "illegal": (lambda g: evolve(g, moves=(RecordedMove("9", 0), *g.moves[1:])), "decision 1: `9`"),
    "seat": (
        lambda g: evolve(g, moves=(evolve(g.moves[0], seat=1), *g.moves[1:])),
        "decision 1: it was the other seat's turn",
    ),
    "turns": (lambda g: evolve(g, turns=g.turns + 1), "and the record says"),
    "detail": (lambda g: evolve(g, detail="win when lucky (x:1)"), "it ended by `"),
    "reason": (lambda g: evolve(g, reason="time"), "it ended by the rules"),
    "match": (lambda g: evolve(g, match="00"), "names the match 00"),
}


@pytest.mark.parametrize("forged", FORGED)
def test_every_forgery_is_detected(match: Match, forged: str) -> None:
    change, told = FORGED[forged]
    number = next(i for i, g in enumerate(match.games) if g.winner is not None)
    games = [change(g) if i == number else g for i, g in enumerate(match.games)]
    complaints = list(verify(evolve(match, games=games)))
    assert len(complaints) in (1, 2)
    assert complaints[0].startswith(f"game {match.games[number].number}: ")
    assert any(told in complaint for complaint in complaints)


def _ended(reason: str, **terms: Any) -> Match:
    """A match on record whose games end so."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "record.db"
        players = ("flip@depth=1", "hybrid@depth=1")
        with played_match("conniption", *players, games=4, record=path, **terms) as run:
            assert reason in {game.reason for game in run}
        return read_matches(path)[0]


ENDED: dict[str, dict[str, Any]] = {
    "adjudicated": {"adjudicate": (0.0, 2)},
    "long": {"longest": 3},
    "rules": {},
}


@pytest.mark.parametrize("reason", ENDED)
def test_an_inverted_result_is_detected(reason: str) -> None:
    """However a game has ended: its decisions, their values and who was to decide tell who won."""
    match = _ended(reason, **ENDED[reason])
    assert list(verify(match)) == []
    for number, game in enumerate(match.games):
        for winner in {0, 1, None} - {game.winner}:
            forged = [*match.games]
            forged[number] = evolve(game, winner=winner)
            (complaint, *_) = verify(evolve(match, games=forged))
            assert complaint.startswith(f"game {game.number}: ")


@pytest.mark.parametrize("reason", ["crash", "hang", "illegal", "time"])
def test_who_failed_has_lost(reason: str) -> None:
    """Who was to decide has failed, and nobody else."""
    match = _ended("long", longest=3)
    seats = [game.moves[0].seat for game in match.games]
    assert seats == [0] * len(seats)
    right = [evolve(g, reason=reason, winner=person_to_lose(match, g)) for g in match.games]
    assert list(verify(evolve(match, games=right))) == []
    wrong = [evolve(g, winner=1 - (g.winner or 0)) for g in right]
    assert len(list(verify(evolve(match, games=wrong)))) == len(wrong)


def person_to_lose(match: Match, game: GameRecord) -> int:
    """Who wins where whoever was to decide has failed."""
    return 1 - person(recorded_states(game_of_plan(match.plan), game)[-1])


def test_changed_files_are_detected(tmp_path: Path, command: Command) -> None:
    rules = tmp_path / "lines.rules"
    rules.write_text(games.find("tictactoe").read_text("utf-8"))
    path = tmp_path / "record.db"
    with tournament(str(rules), ["random", "computer@nodes=9"], games=2, record=path) as run:
        list(run)
    assert command("replay", str(path), "--verify") == (0, "2 games, 0 complaints\n", "")
    rules.write_text(rules.read_text("utf-8").replace("lines(run)", "lines(2)"))
    status, out, _ = command("replay", str(path), "--verify")
    assert status == 1
    assert "the rules changed since" in out
    assert "game 0: decision" in out  # two in a row end the game too early


def test_replay_lists_and_shows(record: Path, match: Match, command: Command) -> None:
    status, out, _ = command("replay", str(record))
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == [str(n) for n in range(6)]
    status, out, _ = command("replay", str(record), "--number", "3")
    game = match.games[3]
    assert f"game 3: {' - '.join(game.players)}" in out
    assert out.rstrip().endswith(game.verdict())
    assert out.count("turn ") >= game.turns
    status, out, _ = command("replay", str(record), "--game", "3", "--format", "json")
    assert json.loads(out)["decisions"] == [move.as_data() for move in game.moves]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["replay", "nothing.db"], "is no file"),
        (["replay", "nothing.txt"], "cannot be read: No such file"),
        (["replay", "{record}", "--number", "99"], "has no game 99"),
        (["export", "{record}", "--as", "svg"], "give --number N, or --out FOLDER"),
        (["export", "{record}", "--as", "svg", "--game", "99"], "has no game 99"),
        (["export", "{record}", "--as", "text", "--out", "{record}"], "cannot be written"),
    ],
)
def test_wrong_usage_is_reported(
    record: Path, command: Command, words: list[str], message: str
) -> None:
    status, out, err = command(*[word.format(record=record) for word in words])
    assert (status, out) == (2, "")
    assert message in err


def test_the_table_holds_every_game(match: Match) -> None:
    rows = list(csv.DictReader(io.StringIO(csv_text([match]))))
    assert [int(row["number"]) for row in rows] == [game.number for game in match.games]
    for row, game in zip(rows, match.games, strict=True):
        told = row["moves"].removeprefix("'")  # which keeps spreadsheets from reading a formula
        assert told.split() == game.decisions
        assert float(row["first_points"]) == game.points[0]
        assert (row["winner"] == row["first"]) == (game.winner == 0)


def test_the_text_holds_every_turn(match: Match) -> None:
    for game in match.games:
        text = game_text(match, game)
        end = recorded_states(game_of_plan(match.plan), game)[-1]
        again = move_list.read(text.encode(), "game.txt")
        assert again.end.decisions() == end.decisions()
        assert again.game.rules == end.game.rules
        shown = "".join(f"# {line}".rstrip() + "\n" for line in end.board().splitlines())
        assert text.endswith(f"{shown}# {game.verdict()}\n")


def test_the_page_shows_the_board_after_every_turn(match: Match) -> None:
    game = match.games[0]
    page = ET.fromstring(svg_page(match, game))
    inner = [e for e in page if e.tag.endswith("}svg")]
    assert len(inner) == game.turns + 1
    places = {(e.get("x"), e.get("y")) for e in inner}
    assert len(places) == len(inner)
    width, height = float(page.get("width", 0)), float(page.get("height", 0))
    for e in inner:
        assert float(e.get("x", 0)) + float(e.get("width", 0)) <= width
        assert float(e.get("y", 0)) + float(e.get("height", 0)) <= height


def test_a_game_that_ends_in_mid_turn_is_shown_to_its_end(match: Match) -> None:
    game = game_of_plan(match.plan)
    cut = evolve(match.games[0], moves=match.games[0].moves[:4])
    shown = list(after_turns(game, cut))
    assert [state.ply for _, state in shown] == [0, 1, 1]
    assert shown[-1][0].endswith("...")


def test_games_with_a_number_are_written_as_sgf(tmp_path: Path) -> None:
    pytest.importorskip("sgfmill")
    from rulewright.matches.protocols import sgf

    path = tmp_path / "hex.db"
    with tournament(
        "hex", ["random", "computer@nodes=50"], games=2, record=path, options={"size": 5}
    ) as run:
        list(run)
    (match,) = read_matches(path)
    for game in match.games:
        again = sgf.read(sgf_bytes(match, game), "game.sgf")
        assert list(again.decisions) == game.decisions
        assert again.names == game.players


def test_export_writes_a_file_for_each_game(
    record: Path, match: Match, command: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "games"
    status, out, err = command("export", str(record), "--as", "svg", "--out", str(folder))
    assert (status, out) == (0, "")
    assert "6 games written" in err
    assert sorted(f.name for f in folder.iterdir()) == [f"{n:05}.svg" for n in range(6)]
    status, out, _ = command("export", str(record))
    assert out == csv_text([match])
    table = tmp_path / "games.csv"
    command("export", str(record), "--out", str(table))
    assert table.read_text() == out


def test_files_of_others_are_not_replaced(record: Path, command: Command, tmp_path: Path) -> None:
    """Those whose names nobody has given: of games in a folder, and of a page beside a record."""
    folder, own = tmp_path / "games", Path(shutil.copy(record, tmp_path / "own.db"))
    words = ("export", str(record), "--as", "text", "--out", str(folder))
    assert command(*words)[0] == command(*words)[0] == 0  # what is the same may be written again
    (folder / "00003.txt").write_text("mine")
    status, _, err = command(*words)
    assert (status, (folder / "00003.txt").read_text()) == (2, "mine")
    assert "00003.txt is there already; --force replaces it" in err
    assert command(*words, "--force")[0] == 0
    assert (folder / "00003.txt").read_text() != "mine"
    page = own.with_suffix(".html")
    page.write_text("<!doctype html>mine")
    status, _, err = command("report", str(own))
    assert (status, page.read_text()) == (2, "<!doctype html>mine")
    assert "is no report; choose a name with --out" in err
    page.unlink()
    assert command("report", str(own))[0] == command("report", str(own))[0] == 0


def test_reading_changes_nothing(record: Path, command: Command) -> None:
    def everything() -> dict[str, Any]:
        return {f.name: f.read_bytes() for f in record.parent.iterdir()}

    before = everything()
    command("replay", str(record), "--verify")
    command("export", str(record))
    assert everything() == before


def test_proofs_are_reported_as_results(tmp_path: Path, command: Command) -> None:
    """A result and its distance stand in records and lists, no number of fifteen figures."""
    path, players = tmp_path / "record.db", ("solver@depth=12", "counter@depth=4")
    small = {"width": 4, "height": 4}
    with played_match("connect4", *players, games=2, options=small, record=path) as run:
        told = {move.result for game in run for move in game.moves if move.result}
    assert told
    assert all(re.fullmatch(r"(win|loss) (in \d+|as far as considered)", one) for one in told)
    (match,) = read_matches(path)
    assert list(verify(match)) == []
    for game in match.games:
        assert all(move.value is None or abs(move.value) < 10**5 for move in game.moves)
        _, out, _ = command("replay", str(path), "--game", str(game.number))
        assert all(move.result in out for move in game.moves)
        assert not re.search(r"\d{6}|e\+\d\d", out)


OLD = {
    4.5e14: "win as far as considered", -4.5e14: "loss as far as considered",
    1e15 - 5: "win in 5", 4 - 1e15: "loss in 4", 999_995: "win in 5", -999_996: "loss in 4",
    12.5: "value 12.5", 0: "value 0",
}  # fmt: skip


@pytest.mark.parametrize("value", OLD)
def test_numbers_of_older_records_are_reported_as_results(value: float) -> None:
    assert RecordedMove("a1", 0, value).worth == OLD[value]


def test_a_value_of_what_was_left_out_is_reported_in_words() -> None:
    """As `best` and `explain` print it."""
    assert told_result((0, -4.5e14)) == "loss as far as considered"
    assert told_result((0, 12.5)) == ""
    assert told_result((999_995, 0)) == "win in 5"


def test_no_number_of_best_and_explain_stands_for_a_result(command: Command) -> None:
    """Their JSON has a result in words beside the distance."""
    small = "connect4", "--set", "width=4", "--set", "height=4"
    asked = (
        ("best", "tictactoe", "--moves", "a1 b1 a2 b2"),
        ("explain", *small, "--moves", "1 2 3 4 1 2"),
    )
    for words in asked:
        _, out, _ = command(*words, "--personality", "solver", "--format", "json")
        told = json.loads(out)
        assert not re.search(r"\d{7}|e\+\d\d", re.sub(r'"seconds": \S+', "", out)), out
        proven = [one for one in told.get("moves", told.get("root")) if one.get("distance")]
        assert proven
        for one in proven:
            how = one.get("ends") or one["proven"]
            assert one["result"] == f"{how} in {one['distance']}"


@pytest.mark.parametrize(("value", "result"), [(4.5e14, "win"), (-4.5e14, "loss")])
def test_a_result_of_what_was_left_out_is_no_number_in_json(value: float, result: str) -> None:
    told = ExplainedMove("a1", value, {}, {}, ()).as_data()
    assert told["value"] is None
    assert told["result"] == f"{result} as far as considered"
    root = _root_data("a1", Line((0, value), ("a1",)))
    assert root == {"move": "a1", "value": None, "result": f"{result} as far as considered"}
    pick = PickTrial(Pick("best", "value"), True, value, 3)
    why = Explanation("few", "value", "red", "a1", (), "value", "a2", value - 3, tried=(pick,))
    assert not re.search(r"\d{7}|e\+\d\d", json.dumps(why.as_data()))
    assert why.as_data()["margin"] is None


def test_a_plain_value_stays_in_json() -> None:
    told = ExplainedMove("a1", 12.5, {}, {}, ()).as_data()
    assert told["value"] == 12.5
    assert "result" not in told
    assert _root_data("a1", Line((0, 12.5), ("a1",))) == {"move": "a1", "value": 12.5}
