"""Cases, coverage, reasons, differences, the pytest plugin: what the commands around `test` do."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.app.cli import main
from rulewright.checks import cases
from rulewright.checks.cases import Case, Cases, CasesError
from rulewright.checks.compare import Comparison
from rulewright.checks.cover_rules import cover_rules
from rulewright.checks.instrument import instrumented_rules
from rulewright.checks.reasons import why_not
from rulewright.errors import Fault
from rulewright.games.engine.game import Game
from rulewright.games.files.games import bundled_games, load, load_with, loads
from rulewright.model.properties import RULES
from rulewright.reference.lookup import find
from tests.shared.bundled import GAMES, SMALL
from tests.shared.effort import tries
from tests.shared.playing import played_on
from tests.tools.mutants.faults import claimed, mutants, tried

pytest_plugins = ["pytester"]

SAMPLE = """format 1
game sample

players red blue
board square 3 by 3
pieces stone

move place
  choose cell in empty
  put stone at cell

turn place
win when some(l in lines(3) : l in own)
draw when stuck
"""


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "sample.rules"
    path.write_text(SAMPLE + "claim no draws\n", "utf-8")
    return path


# --- cases ---

texts = st.text("abcdefgh123-x/", min_size=1, max_size=6)
kept = st.builds(
    Case,
    st.sampled_from(sorted(RULES)),
    st.lists(texts, max_size=6).map(tuple),
    st.dictionaries(st.sampled_from(["size", "pie"]), st.sampled_from(["3", "true"])),
    st.text("abc `,.:=", max_size=20).map(str.strip),
)


@given(st.lists(kept, max_size=5))
def test_cases_read_back(known: list[Case]) -> None:
    file = Cases("sample", tuple(known))
    assert cases.parse(file.text()) == file
    assert file.text().startswith("format 1\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.cases:1: a file of cases begins with `format 1`"),
        ("format 1\ngame x\n", "x.cases:2: the second line is `cases for GAME`"),
        ("format 1\ncases for x\ncase exclsive\n", "x.cases:3: .*did you mean `exclusive`"),
        ("format 1\ncases for x\n  moves a1\n", "x.cases:3: a case begins with"),
        ("format 1\ncases for x\ncase ends\n  sett a = 1\n", "x.cases:4: expected `set"),
    ],
)
def test_cases_refuse_other_lines(text: str, message: str) -> None:
    with pytest.raises(CasesError, match=message):
        cases.parse(text, "x.cases")


def test_a_failing_game_is_kept_once_and_tried_first(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["test", str(sample), "--property", "draws", "--effort", "0.05"]
    assert main(command) == 1
    known = cases.read(cases.cases_path(sample))
    assert [(c.property, len(c.moves)) for c in known.cases] == [("draws", 9)]
    assert f"rulewright replay {cases.cases_path(sample)} --case 1" in capsys.readouterr().out
    assert main(command) == 1
    assert cases.read(cases.cases_path(sample)) == known
    assert main(["replay", str(cases.cases_path(sample))]) == 1
    sample.write_text(SAMPLE, "utf-8")  # nothing is claimed any more
    assert main(["replay", str(cases.cases_path(sample))]) == 0
    assert "1 case, 0 of them still broken" in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_is_said(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases.cases_path(sample).mkdir()
    with pytest.raises(CasesError, match=r"cannot be (written|read)"):
        cases.add(cases.cases_path(sample), "sample", [Case("ends", ())])
    assert main(["replay", str(sample)]) == 1
    assert "cannot be read" in capsys.readouterr().out


# --- the command `test` ---


def test_reports_as_json_and_junit(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    junit = sample.with_suffix(".xml")
    command = ["test", str(sample), "--effort", "0.05", "--no-cases", "--format", "json"]
    assert main([*command, "--junit", str(junit)]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["format"] == 1
    (report,) = data["reports"]
    assert [f["property"] for f in report["findings"]] == ["draws"]
    assert len(report["findings"][0]["moves"]) == 9
    suite = ElementTree.parse(junit).getroot()[0]
    assert suite.attrib["failures"] == "1"
    assert [c.attrib["name"] for c in suite if c.find("failure") is not None] == ["draws"]
    assert not cases.cases_path(sample).exists()


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["test"], 2, "name a file to test"),
        (["test", "--list"], 0, ""),
        (["test", "tictactoe", "--property", "exclsive"], 2, "did you mean `exclusive`?"),
        (["test", "nothing.rules"], 2, "there is no file"),
        (["test", "tictactoe", "--property", "decides"], 2, "is a property of .personality files"),
        (["test", "README.md"], 2, "reads these kinds of files: .rules"),
        (["replay", "nothing.cases"], 2, "cannot be read"),
        (["why-not", "tictactoe", "b2", "--moves", "b2"], 0, ""),
        (["why-not", "tictactoe", "b2"], 1, ""),
        (["why", "tictactoe", "b2"], 0, ""),
        (["why", "tictactoe", "b2", "--moves", "b2"], 1, ""),
        (["diff", "tictactoe", "tictactoe", "--effort", "0.05"], 0, ""),
        (["cover", "tictactoe", "--effort", "0.5", "--dead"], 0, ""),
    ],
)
def test_exit_status(
    arguments: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == status
    assert message in capsys.readouterr().err


def test_what_stands_in_a_file_of_cases_stays(sample: Path) -> None:
    place = cases.cases_path(sample)
    place.write_text("format 1\ncases for sample\n# mine\n\ncase exclusive\n  moves a1\n", "utf-8")
    assert cases.add(place, "sample", [Case("ends", ("a1", "a2"))]) == 1
    assert place.read_text("utf-8").startswith("format 1\ncases for sample\n# mine\n")
    assert [case.moves for case in cases.read(place).cases] == [("a1",), ("a1", "a2")]
    with pytest.raises(CasesError, match=":7: this case has its `moves` already"):
        cases.parse(place.read_text("utf-8").replace("moves a1\n\n", "moves a1\n  moves a2\n"))


def test_a_game_without_end_is_still_broken_when_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "forever.rules"
    text = SAMPLE.replace("turn place", 'move pass\n  write "p"\n\nturn place or pass')
    path.write_text(text.replace("draw when stuck\n", ""), "utf-8")
    place = cases.cases_path(path)
    known = "format 1\ncases for sample\n\ncase ends\n  moves p p p\n\ncase ends\n  moves p q\n"
    place.write_text(known.replace("sample", "forever"), "utf-8")
    assert main(["replay", str(place), "--case", "1"]) == 1
    assert "the game goes on after 3 decisions" in capsys.readouterr().out
    assert main(["replay", str(place), "--case", "2"]) == 1
    assert "1 cannot be played any more" in capsys.readouterr().out
    place.write_text(place.read_text("utf-8").replace("moves p q", "set size = 3\n  moves p"))
    assert main(["replay", str(place)]) == 1
    told = capsys.readouterr().out
    assert "has no option `size`" in told
    assert "the game goes on after 3 decisions" in told


def test_a_fault_that_both_files_have_is_no_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "part.rules"
    path.write_text(SAMPLE.replace("  put", "  need 6 div (1 - count own) >= 0\n  put"), "utf-8")
    assert main(["diff", str(path), str(path), "--effort", "0.05"]) == 0
    other = tmp_path / "other.rules"
    other.write_text(path.read_text("utf-8").replace("in empty", "in empty and not b2"), "utf-8")
    assert main(["diff", str(path), str(other), "--effort", "0.05"]) == 1
    assert "b2" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["4!", "!4!", "!4", "4"])
def test_whole_turns_have_reasons_too(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", "conniption", text]) == 0
    assert f"`{text}` is " in capsys.readouterr().out
    assert main(["why", "tictactoe", "A1"]) == 0
    assert "`a1` is legal" in capsys.readouterr().out


# --- finding a decision, notes in rules ---


@pytest.mark.parametrize("name", GAMES)
def test_a_text_names_the_decision_of_the_list(name: str) -> None:
    game = load_with(name, dict(SMALL.get(name, {})))
    random, state = Random(name), game.start()
    for _ in range(12):
        if state.over:
            break
        option = random.choice(state.situation.options)
        assert find(game.play, state.situation.position, option.text) == option
        assert find(game.play, state.situation.position, f"{option.text}?") is None
        state = state.play_decision(option.text)


@pytest.mark.parametrize("name", GAMES)
def test_rules_with_notes_play_alike(name: str) -> None:
    game = load_with(name, dict(SMALL.get(name, {})))
    noted = Game(instrumented_rules(game.rules)[0], backend="reference")
    random, one, other = Random(name), game.start(), noted.start()
    for _ in range(6):
        assert one.moves.texts == other.moves.texts
        assert one.text() == other.text()
        if one.over:
            break
        move = random.choice(one.moves.texts)
        one, other = one.play_decision(move), other.play_decision(move)


# --- coverage ---

DEAD = """
move fly
  need ply < 0
  choose cell in empty
  put stone at cell
"""


def test_a_dead_rule_is_named_with_its_proof() -> None:
    text = SAMPLE.replace("\nturn place", f"{DEAD}\nturn fly or place")
    text += "lose when stuck and ply > 1\n"
    found = {one.text: one for one in cover_rules(loads(text), effort=0.3).dead}
    assert found["need ply < 0"].why == "never true"
    assert "never reached" in found["choose cell in empty"].why
    last = found["lose when stuck and ply > 1"]
    assert last.proof == "<text>:19 comes first whenever this holds"


def test_a_small_game_is_looked_at_whole() -> None:
    text = SAMPLE.replace("3 by 3", "2 by 2").replace("lines(3)", "lines(2)")
    coverage = cover_rules(loads(text))
    assert coverage.whole
    (dead,) = coverage.dead
    assert (dead.text, dead.proof) == (
        "draw when stuck",
        "every position of the game was looked at",
    )
    assert any("<- never reached" in line for line in coverage.annotated(text))


# --- reasons ---


@pytest.mark.parametrize(
    ("game", "moves", "decision", "text", "value"),
    [
        ("tictactoe", "b2", "b2", "choose cell in empty", ""),
        ("connect4", "", "9", "", ""),
        ("othello", "", "a1", "need any turned", "turned = nowhere"),
        ("othello", "", "pass", "turn place else pass", ""),
        ("draughts", "c3-d4 b6-c5", "a3-b4", "turn jump+ else walk", ""),
        ("chess", "e2e4 e7e5 d2d3 f8b4", "a2a3", "need not attacked(own king)", ""),
        ("morris", "a7 b6", "a7-a4", "need hand = 0", "hand = 8"),
        ("conniption", "1!", "!", "need settled and flips > 0", "settled = false"),
        ("hex", "a1", "swap", "need pie and ply = 1", "ply = 1"),
    ],
)  # fmt: skip
def test_why_not(game: str, moves: str, decision: str, text: str, value: str) -> None:
    state = load(game).start()
    reason = why_not(state.play(moves) if moves else state, decision)
    assert not reason.legal
    assert (reason.clause.text if reason.clause else "") == text
    assert value in [f"{name} = {told}" for name, told in reason.values] + [""]


@settings(max_examples=tries(10), deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_a_decision_is_either_legal_or_has_a_reason(name: str, seed: int) -> None:
    random = Random(seed)
    state = load_with(name, dict(SMALL.get(name, {}))).start()
    texts = state.moves.texts
    state = played_on(state, random, random.randrange(4))
    text = random.choice(texts)
    reason = why_not(state, text)
    assert reason.legal is (text in state.moves)
    assert reason.message


# --- differences ---


@pytest.mark.parametrize(
    ("old", "new", "decisions"),
    [
        ("lines(3) : l in own", "lines(2) : l in own", 3),
        ("win when", "lose when", 5),
        ("choose cell in empty", "choose cell in empty and not b2", 0),
        ("draw when stuck", "lose when stuck", 9),
    ],
)
def test_the_first_difference(old: str, new: str, decisions: int) -> None:
    assert old in SAMPLE
    looked = Comparison(loads(SAMPLE), loads(SAMPLE.replace(old, new)), effort=1).run()
    assert looked.difference is not None
    assert len(looked.difference.moves) == decisions


def test_a_rewritten_rule_is_the_same_game() -> None:
    other = SAMPLE.replace("l in own", "every(s in l : s in own)").replace("empty", "not full")
    assert Comparison(loads(SAMPLE), loads(other), effort=0.1).run().difference is None


# --- faults put in on purpose ---


@pytest.mark.parametrize("name", ["the other player wins a row", "discs hang from the top"])
def test_a_seeded_fault_is_detected(name: str, tmp_path: Path) -> None:
    (mutant,) = [m for m in mutants() if m.name == name]
    assert claimed(mutant).found
    outcome = tried(mutant, tmp_path, effort=0.1)
    assert outcome.found
    assert outcome.moves is not None
    assert mutant.shortest is None or len(outcome.moves) <= mutant.shortest + 2


def test_the_list_of_faults_fits_the_rules(tmp_path: Path) -> None:
    known = mutants()
    assert {m.game for m in known} == set(bundled_games()), "every bundled game has planted faults"
    assert len({(m.game, m.name) for m in known}) == len(known)
    for number, mutant in enumerate(known):
        path = mutant.write(tmp_path / str(number))
        assert path.read_text("utf-8").count(mutant.new) >= 1


# --- the pytest plugin ---


def test_the_plugin_collects_files_of_games_only(pytester: pytest.Pytester) -> None:
    pytester.makefile(".rules", sample=SAMPLE + "claim no draws\n", alerts="groups:\n- name: a\n")
    pytester.makefile(".cases", sample="format 1\ncases for sample\ncase stuck\n  moves a1 b1\n")
    (pytester.path / "perft.txt").write_text(": decision : 9 71\n", "utf-8")
    plugins = ["-p", "no:rulewright", "-p", "rulewright.pytest_plugin"]
    result = pytester.runpytest_subprocess("-q", "-rA", *plugins, "--rulewright-effort", "0.05")
    result.stdout.fnmatch_lines(["*FAILED*sample.rules::draws*"])
    result.stdout.fnmatch_lines(["*FAILED*perft.txt::line1*"])
    result.stdout.fnmatch_lines(["*PASSED*sample.cases::1-stuck*"])
    assert "alerts" not in result.stdout.str()
    assert "Traceback" not in result.stdout.str()


def test_the_plugin_loads_nothing_before_it_is_needed(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import sys\ndef test_it():\n    assert 'rulewright.games.engine.game' not in sys.modules\n"
    )
    result = pytester.runpytest_subprocess("-p", "no:rulewright", "-p", "rulewright.pytest_plugin")
    result.assert_outcomes(passed=1)


def test_a_fault_on_the_way_is_no_traceback(sample: Path) -> None:
    text = SAMPLE.replace("draw when stuck", "draw when 1 div (ply - 4) = 5\ndraw when stuck")
    sample.write_text(text, "utf-8")
    with pytest.raises(Fault):
        loads(text).start().play("a1 b1 c2 a2 b2")
    assert main(["test", str(sample), "--no-cases", "--effort", "0.05"]) == 1
