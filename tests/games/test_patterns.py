"""Patterns: the document's examples, what fires, the files that are bundled, their layout."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rulewright.app.cli import main
from rulewright.checks.properties_of_players import failing_patterns
from rulewright.games.files.catalog import PATTERNS
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.language.diagnostics import Collector, TextError
from rulewright.language.parse_patterns import CONDITIONS, OLD, parse_patterns
from rulewright.language.reprint import formatted
from rulewright.language.reprint_patterns import converted_patterns, is_older
from rulewright.language.source import Source
from rulewright.model import patterns as m
from rulewright.model.board_shapes import lattice
from rulewright.model.patterns import Patterns
from rulewright.players.pattern_use import Workbench, cover
from rulewright.reference.matching import Matcher, ReferencePoint, can_place, placements
from rulewright.strategies import positions
from tests.generators import pattern_files
from tests.shared.backends import needs_llvm
from tests.shared.effort import tries
from tests.shared.places import ROOT
from tests.shared.proposals import TWO, figure, game, proposed, read

BUNDLED = sorted((ROOT / "patterns").glob("*/*.patterns"))


# --- the document ---


def test_the_reference_points_of_the_figure() -> None:
    bench = Workbench(game("twixt"), read(TWO, game("twixt")))
    points = {point for point in bench.references(figure()) if point[1] != "x20"}
    assert points == {
        ("red", "h5", "north"), ("red", "g7", "south"), ("blue", "h9", "west"),
        ("blue", "j8", "east"),
    }  # fmt: skip


def test_pattern_two_proposes_f4() -> None:
    assert proposed(TWO, figure()) == {"f4": {"h5 north"}}


def test_a_symmetric_pattern_fires_once() -> None:
    for word in ("Off", "OffS"):
        text = f"{word} ahead\n  Free 1 1\n  Free -1 1\n  Set 0 4\n"
        fired = Workbench(game("twixt"), read(text, game("twixt"))).fired(figure())
        assert len([use for use in fired if use.site == "h5"]) == 1


def test_a_file_in_any_case_with_comments_and_blanks() -> None:
    loud = "# T1\n\n  oFF   2 # second\nOWN  3   3\n set 2 1\n\tbposs -0 0 2 1\nBPOSS 3 3 2 1"
    assert read(loud, game("twixt")).patterns == tuple(
        m.Pattern(p.name, p.defends, p.symmetric, p.conditions, p.move, 0, "second", 3)
        for p in read(TWO, game("twixt")).patterns
    )


def test_the_older_dialect_says_the_same() -> None:
    old = "# mine\nO 2   # two\n\nE 3 3\n  S 2 1\nB -0 0 2 1\nb 3 3 2 1\n"
    old += "D 3\nG 0 1\nR 3\nF 1 1\nS 1 2\n"
    new = converted_patterns(old)
    assert "Off 2  # two" in new
    assert "# mine" in new
    found = read(new, game("twixt")).patterns
    assert found[0].conditions == read(TWO, game("twixt")).patterns[0].conditions
    assert [str(c) for c in found[1].conditions] == ["Opp 0 1", "Row 2", "Free 1 1"]
    with pytest.raises(TextError) as caught:
        converted_patterns("O 1\nX 1 1\nS 1 2\n")
    assert [d.code for d in caught.value.diagnostics] == ["unknown-statement"]


def test_a_file_of_today_is_not_taken_for_the_older_dialect() -> None:
    with pytest.raises(TextError) as caught:
        converted_patterns(TWO)
    assert all("read as they are" in d.hint for d in caught.value.diagnostics)
    assert not is_older(TWO)
    assert not is_older("# a comment alone\n")


def test_check_says_how_the_older_dialect_is_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "t1.txt"
    path.write_text("O # two links\nE 3 3\nS 2 1\n")
    assert main(["check", str(path)]) == 2
    assert "`rulewright patterns convert" in capsys.readouterr().err


def test_every_old_word_has_a_new_one() -> None:
    assert {OLD[w] for w in OLD} - {"off", "def"} <= CONDITIONS.keys()


# --- single conditions ---


@pytest.mark.parametrize(
    ("condition", "moves", "fires"),
    [
        ("Own 1 2", "h5 x20 g3", True), ("Own 1 2", "h5 g3 m20", False),
        ("Opp 1 2", "h5 g3 m20", True), ("Opp 1 2", "h5 x20 g3", False),
        ("Free 1 2", "h5 x20 m20", True), ("Free 1 2", "h5 g3 m20", False),
        ("Edge 0 5", "h5 x20 m20", True), ("Edge 0 4", "h5 x20 m20", False),
        ("Row 4", "h5 x20 m20", True), ("Row 3", "h5 x20 m20", False),
        ("Left 4", "h5 x20 m20", True), ("Left 5", "h5 x20 m20", False),
        ("Middle 4", "h5 x20 m20", True), ("Middle 3", "h5 x20 m20", False),
        ("Strong 0 0", "h5 x20 g7", True), ("Strong 0 0", "h5 x20 m20", False),
        ("NStrong 0 0", "h5 x20 m20", True), ("NStrong 0 0", "h5 x20 g7", False),
        ("BExist 0 0 1 -2", "h5 x20 g7", True), ("BExist 0 0 1 -2", "h5 x20 i7", False),
        ("BPoss 0 0 1 2", "h5 x20 m20", True), ("BPoss 0 0 1 2", "h5 f4 m20 h3", False),
        ("BPoss 0 0 1 2", "h5 x20 g3", False), ("BPoss 1 5 2 3", "h5 x20 m20", False),
    ],
)  # fmt: skip
def test_a_condition(condition: str, moves: str, fires: bool) -> None:
    text = f"OffS one\n  {condition}\n  Set 3 3\n"
    board = game("twixt", pie=False)
    state = board.start().play(moves)
    state = state if state.mover == "red" else state.play("w20")
    file = read(text, board)
    matcher, names = Matcher(board.play, file), board.rules.board.by_name
    at = ReferencePoint(names["h5"], m.NORTH)
    assert matcher.fires(file.patterns[0], at, names["e2"], state.situation.position) == fires


@pytest.mark.parametrize("size", [24, 25])
def test_left_of_the_middle_is_right_of_it_in_a_mirror(size: int) -> None:
    board = game("twixt", size=size, pie=False).rules.board
    for north, site in product((1, -1), range(0, size * size, 7)):
        left = m.aside(board, site, (0, -north))
        column = board.columns[site] if north == 1 else size - 1 - board.columns[site]
        others = size - 1 - 2 * column  # columns that are nearer to the middle, on both sides
        assert left == (others // 2 if others > 0 else -(-others // 2))
        assert m.aside(board, site, (0, north)) == -left


@settings(deadline=None, max_examples=tries(15))
@given(st.data())
def test_patterns_propose_legal_decisions_and_narrow_nothing_else(data: st.DataObject) -> None:
    board = game("twixt", size=6)
    state = data.draw(positions(board, 14))
    assume(not state.over)
    text = data.draw(pattern_files(board, "ends of rows"))
    matcher, position = Matcher(board.play, read(text, board)), state.situation.position
    legal = placements(board.play, position)
    assert set(matcher.proposals(position)) <= set(legal)
    assert set(legal.values()) == set(state.by_kind()["place"])
    sites = range(len(board.rules.board.names))
    assert {s for s in sites if can_place(board.play, position, s)} == set(legal)


@needs_llvm
@settings(deadline=None, max_examples=tries(20))
@given(st.data(), st.sampled_from(["rows in t1", "chain in racer as next"]))
def test_reference_points_by_machine_code_are_those_of_the_reference(
    data: st.DataObject, around: str
) -> None:
    board = game("twixt", size=8)
    position = data.draw(positions(board, 24)).situation.position
    file = read(f"format 1\nPatterns for twixt\nAround ends of {around}\nOff a\n  Set 0 1\n", board)
    bench = Workbench(board, file)
    for player in (0, 1):
        points = bench.points(position, player)
        assert set(points) == set(bench.matcher.references(position, player))
        assert len(points) == len(set(points))


@settings(deadline=None, max_examples=tries(12))
@given(st.data())
def test_a_mirrored_position_has_mirrored_proposals(data: st.DataObject) -> None:
    board = game("connect5", size=7)
    state = data.draw(positions(board, 12))
    assume(not state.over)
    text = data.draw(pattern_files(board, symmetries=("all",))).replace("S p", " p")
    whole = Matcher(board.play, read(text, board))  # those that are symmetric are used once
    flipped = board.start()
    for move in state.decisions():
        flipped = flipped.play_decision(_mirrored(move))
    names = board.rules.board.names
    here = {_mirrored(names[s]) for s in whole.proposals(state.situation.position)}
    assert here == {names[s] for s in whole.proposals(flipped.situation.position)}


def _mirrored(name: str) -> str:
    return "gfedcba"["abcdefg".index(name[0])] + name[1:]


# --- frames ---


@pytest.mark.parametrize(("shape", "count"), [("square", 8), ("rhombus", 12)])
def test_frames_are_the_symmetries_of_the_lattice(shape: str, count: int) -> None:
    board = lattice(shape, 5, 5, row_one_on_top=True)
    found = m.frames(board)
    assert len(set(found)) == count
    assert found[0]((2, 3)) == (-2, -3)
    steps = set(board.compass.values())
    for frame in found:
        assert {frame.left, frame.ahead} <= steps or shape == "square"
    for step in {frame.ahead for frame in found}:
        written, mirrored = m.frames_towards(board, step)
        assert (written.ahead, mirrored.ahead) == (step, step)
        assert (written.mirrored, mirrored.mirrored) == (False, True)


# --- files ---


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_a_bundled_file_is_in_order(path: Path) -> None:
    text, board = path.read_text("utf-8"), game(path.parent.name)
    report = check_file(PATTERNS, path.name, path.read_bytes(), FileContext(board, path.parent))
    assert report.diagnostics == ()
    assert report.model is not None
    assert report.source is not None
    assert list(failing_patterns(board, report.model, report.source)) == []
    assert formatted(text) == text
    assert all(p.examples for p in report.model.patterns)
    assert report.model.about


def test_a_wrong_example_is_reported() -> None:
    said = {
        "own h5, e2 at h5 north set f4": "",
        "own h5 at h5 north set f4": "`Own 3 3` does not hold",
        "own h5, e2 opp f4 at h5 north set f4": "the move is not legal",
        "own h5, e2 at h5 north set g4": "its `Set` lies elsewhere",
        "own h5, e2 at h5 set f4": "in which direction",
        "own e2 at h5 north set f4": "holds no own piece",
        "own h5, e2 opp g4, h4 link g4 h4 at h5 north set f4": "no link can join",
        "own h5, e2 opp e4, g3 link e4 g3 at h5 north set f4": "does not hold",
    }
    for example, message in said.items():
        report = check_file(PATTERNS, "x.patterns", f"{TWO}  Example {example}\n".encode())
        assert report.model is not None
        assert report.game is not None
        assert report.source is not None
        found = list(failing_patterns(report.game, report.model, report.source))
        assert [d.code for d in found] == (["claim-fails"] if message else [])
        assert all(message in d.message and d.place.line == 6 for d in found)


def mangled(text: str, random: Random) -> str:
    """The same lines in other letters, with other blanks and with comments."""
    lines = []
    for line in text.splitlines():
        words = [random.choice((str, str.upper, str.title))(w) for w in line.split()]
        if words and words[0].casefold() in ("format", "patterns", "around"):
            words = line.split()
        blanks = random.choice((" ", "   ", "\t"))
        comment = random.choice(("", "", " # a note", "# tight"))
        lines.append(" " * random.randrange(5) + blanks.join(words) + comment)
        lines += random.choice(([], [], [""], ["  # alone"], ["", ""]))
    return "\n".join(lines)


@settings(deadline=None, max_examples=tries(60))
@given(st.data(), st.randoms(use_true_random=False))
def test_the_layout_changes_nothing(data: st.DataObject, random: Random) -> None:
    board = game("twixt", size=6)
    text = mangled(data.draw(pattern_files(board, "ends of rows")), random)
    result = formatted(text)
    assert formatted(result) == result
    assert "\n\n\n" not in result
    assert result.count("#") == text.count("#")
    old, new = (parse_patterns(Source("t", t), Collector()) for t in (text, result))
    assert [type(i) for i in old.items] == [type(i) for i in new.items]
    assert _conditions(read(text, board)) == _conditions(read(result, board))


def _conditions(file: Patterns) -> list[object]:
    return [(p.kind, p.conditions, p.move, p.priority) for p in file.patterns]


PIECES = "Off Def Own Set BPoss Row Example Priority own at set north 0 -1 99 | @ o + . x , # \n \n"


@settings(deadline=None, max_examples=tries(150))
@given(st.lists(st.sampled_from(PIECES.split(" ")), max_size=40), st.booleans())
def test_any_text_is_diagnosed_and_never_an_exception(words: list[str], headed: bool) -> None:
    head = "format 1\nPatterns for twixt\nAround ends of rows\n" if headed else ""
    report = check_file(
        PATTERNS, "t", (head + " ".join(words)).encode(), FileContext(game("twixt", size=6))
    )
    errors = [d for d in report.diagnostics if d.severity == "error"]
    assert (report.model is None) == bool(errors)


def test_equal_priorities_go_by_the_order_of_the_file() -> None:
    text = "Off a\n  Set 1 1\n  Priority 3\nOff b\n  Set 2 1\nOff c\n  Set 3 1\n  Priority 3\n"
    assert read(text, game("twixt")).ranks == [3, 1, 2]


# --- over games ---


def test_coverage_counts_what_was_played() -> None:
    board = game("twixt", pie=False)
    text = (
        "Off steep\n  BPoss 0 0 1 2\n  Set 1 2\n"
        "Off shy\n  BPoss 0 0 1 2\n  Free 0 1\n  Set 1 2\n"
        "Off never\n  Own 9 9\n  Set 1 1\n"
    )
    bench = Workbench(board, read(text, board))
    found = cover(bench, [board.start().play("l12 x20 k10 x10 j8")], lambda _, moves: moves[0])
    steep, shy, never = found.counts
    assert (found.games, found.positions, found.proposed) == (1, 5, 2)
    assert (steep.matches, shy.matches, never.fired) == (2, 2, 0)
    assert steep.fired >= shy.fired > 0
    assert shy.covered == {0}
    assert 0 < steep.best <= steep.fired


# --- the commands ---
