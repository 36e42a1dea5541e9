"""Commands on pattern files: what authors do wrong, and what must not be lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.language.reprint_patterns import formatted_patterns
from tests.shared.proposals import said

HEAD = "format 1\nPatterns for {}\nAround own\n"
GOOD = "Off ahead\n  Free 0 1\n  Set 0 2\n"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("Off a\n  Row 99\n  Set 0 2\n", "no site of connect5 is 99 rows from the border"),
        ("Off a\n  Row -1\n  Set 0 2\n", "rows from the border"),
        ("Off a\n  Row 3\n  Set 0 5\n", "can never fire"),
        ("Off a\n  Left 0\n  Set 0 2\n", "no site of connect5 is 0 places left of the middle"),
        ("Off a\n  Middle 8\n  Set 0 2\n", "no site of connect5 is 8 places from the middle"),
        ("Off a\n  Left 4\n  Middle 3\n  Set 0 1\n", "can never fire"),
        ("Off a\n  Row 3\n  Free 1 4\n  Set 0 1\n", "can never fire"),
        ("Use nowhere\nOff a\n  Set 0 2\n", "there is no pattern file `nowhere`"),
    ],
)
def test_what_can_never_fire_is_refused(
    body: str, message: str, write: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (write / "a.patterns").write_text(HEAD.format("connect5") + body, "utf-8")
    status, _, told = said(capsys, "check", "a.patterns")
    assert (status, message in told) == (1, True), told


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("chess", "no decision of chess puts a piece on one site"),
        ("morris", "the board of morris is no lattice"),
    ],
)
def test_games_without_a_place_for_patterns_are_refused(
    game: str, message: str, write: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (write / "a.patterns").write_text(HEAD.format(game) + GOOD, "utf-8")
    status, _, told = said(capsys, "check", "a.patterns")
    assert status == 1
    assert message in told


def test_what_a_used_file_says_is_reported_at_its_place(
    write: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = HEAD.format("connect5") + "\n" * 30 + GOOD + "  Example own e5 at e5 set e9\n"
    (write / "inner.patterns").write_text(wrong, "utf-8")
    outer = HEAD.format("connect5") + "Use inner\nOff mine\n  Free 1 1\n  Set 1 2\n"
    (write / "outer.patterns").write_text(outer, "utf-8")
    assert said(capsys, "check", "inner.patterns")[0] == 1
    assert said(capsys, "check", "outer.patterns")[0] == 0
    near = said(
        capsys, "patterns", "why", "connect5", "e3", "--moves", "e5 e4", "--with", "outer.patterns"
    )[1]
    assert "(inner.patterns:35)" in near
    (write / "inner.patterns").write_text(wrong + "Off ahead\n  Set 0 2\n", "utf-8")
    status, _, told = said(capsys, "check", "outer.patterns")
    assert status == 1
    assert "inner.patterns:38" in told


def test_a_file_may_aim_the_patterns_of_another_anew(
    write: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "format 1\nPatterns for twixt\nUse basics\nAround ends of chain in chains\n"
    (write / "a.patterns").write_text(text, "utf-8")
    assert said(capsys, "check", "a.patterns")[0] == 0


def test_symmetric_patterns_that_mirror_each_other_are_both_needed(
    write: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = HEAD.format("connect5") + "OffS a\n  Set 2 5\nOffS b\n  Set -2 5\n"
    (write / "a.patterns").write_text(text, "utf-8")
    assert "leave out one of the two patterns" not in said(capsys, "check", "a.patterns")[2]
    (write / "a.patterns").write_text(text.replace("OffS", "Off"), "utf-8")
    assert "leave out one of the two patterns" in said(capsys, "check", "a.patterns")[2]
    # one-sided on purpose: no property is broken by it
    (write / "a.patterns").write_text(text.replace("OffS b\n  Set -2 5\n", ""), "utf-8")
    assert said(capsys, "test", "a.patterns", "--effort", "0.3")[0] == 0


def test_names_may_be_numbers_and_sites_in_capitals(
    write: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (write / "007.patterns").write_text(HEAD.format("spanit") + GOOD, "utf-8")
    text = HEAD.format("spanit") + "Use 007\nOff a\n  Set 2 2\n  Example own V12 at V12 set V01\n"
    (write / "a.patterns").write_text(text.replace("Use 007", "Use  007"), "utf-8")
    assert said(capsys, "fmt", "a.patterns")[0] == 0
    assert "Use 007\n" in (write / "a.patterns").read_text("utf-8")
    assert "is not on the board" not in said(capsys, "check", "a.patterns")[2]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("AROUND ENDS  OF Next IN As AS NEXT", "Around ends of Next in As as next"),
        ("around Ends OF In As NEXT", "Around ends of In as next"),
        ("around OWN", "Around own"),
    ],
)
def test_names_that_are_words_keep_their_capitals(line: str, shown: str) -> None:
    text = f"format 1\nPatterns for twixt\n{line}\n"
    assert shown in formatted_patterns(text).splitlines()


def test_nothing_is_replaced_or_lost(write: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = write / "old.patterns", write / "new.patterns"
    old.write_text("O 2 # two\nE 3 3\nS 2 1\n", "utf-8")
    for command in (("convert", str(old), str(new)), ("patterns", "convert", str(old), "--to")):
        words = command if command[0] == "convert" else (*command, str(new))
        new.write_text("mine\n", "utf-8")
        status, _, told = said(capsys, *words)
        assert (status, new.read_text("utf-8")) == (2, "mine\n")
        assert "--force replaces it" in told
        assert said(capsys, *words, "--force")[0] == 0
        assert new.read_text("utf-8").startswith("Off 2  # two\n")
    old.write_bytes(b"O 2 # two\rE 3 3\rS 2 1\r")
    told = said(capsys, "patterns", "convert", str(old))[1]
    assert told == "Off 2  # two\n  Own 3 3\n  Set 2 1\n"
    game = write / "game.txt"
    game.write_text("game twixt\nl12 x20\n", "utf-8")
    assert said(capsys, "convert", str(game), str(write / "game.db"))[0] == 2


def test_a_finished_game_proposes_nothing(write: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (write / "a.patterns").write_text(HEAD.format("tictactoe") + GOOD, "utf-8")
    moves = ("--moves", "a1 a2 b1 b2 c1", "--with", "a.patterns")
    for words in (("match", "tictactoe"), ("why", "tictactoe", "c3")):
        status, _, told = said(capsys, "patterns", *words, *moves)
        assert status == 2
        assert "the game is over (cross wins" in told


def test_rotations_are_distinguished(write: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (write / "a.patterns").write_text(
        HEAD.format("hex") + "Symmetry all\nOffS a\n  Free 0 1\n  Set 0 1\n", "utf-8"
    )
    out = said(
        capsys, "patterns", "match", "hex", "--set", "size=5", "--moves", "c3 a1", "--with",
        "a.patterns", "--fired",
    )[1]  # fmt: skip
    named = [line.split("'s ")[1] for line in out.splitlines() if "'s " in line]
    assert len(named) == len(set(named)) == 6


T1_OWN = """\
# T1's own
O   # two ahead
E 3 3
S 2 1
B 0 0 2 1
R 4 0

O
E -3 3
S -2 1
B -2 1 0 0
R 4 0
# straight
D
F 0 2
S 0 4
O
S 1 2   # alone
"""
TODAYS = """\
# T1's own
Off 1  # two ahead
  Own 3 3
  Set 2 1
  BPoss 0 0 2 1
  Row 3

# straight
DefS 2
  Free 0 2
  Set 0 4
OffS 3
  Set 1 2  # alone
"""


def test_t1s_own_file_is_converted_whole(write: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (write / "pattern.txt").write_text(T1_OWN, "utf-8")
    assert said(capsys, "patterns", "convert", "pattern.txt", "--to", "new.patterns")[0] == 0
    assert (write / "new.patterns").read_text("utf-8") == TODAYS
    assert said(capsys, "check", "new.patterns")[0] == 0


def test_a_mirror_image_with_another_row_is_none(
    write: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (write / "old").write_text(T1_OWN.replace("R 4 0\n#", "R 5 0\n#"), "utf-8")
    told = said(capsys, "patterns", "convert", "old")[1]
    assert [line for line in told.splitlines() if line.startswith(("Off", "Def"))] == [
        "OffS 1  # two ahead", "OffS 2", "DefS 3", "OffS 4",
    ]  # fmt: skip


def test_mistakes_of_the_older_dialect_keep_their_place(
    write: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (write / "old").write_text("O\nS 1 2\nR 4 0\nO\n  E 3\nR x\n", "utf-8")
    status, _, told = said(capsys, "patterns", "convert", "old")
    assert status == 1
    assert "old:5:3: `E` takes 2 numbers" in told
    assert "old:6:3: `R` takes numbers" in told


def test_other_files_are_no_patterns(write: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (write / "other.txt").write_text("nothing of the kind\n", "utf-8")
    status, _, told = said(capsys, "check", "other.txt")
    assert (status, "cannot be checked" in told) == (2, True)
