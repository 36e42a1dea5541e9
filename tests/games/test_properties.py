"""Each property finds the rules that break it, with a shortest game; bundled rules break none."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.checks.claims import FACTS
from rulewright.checks.findings import Finding, PropertyResult
from rulewright.checks.probes import PROBES
from rulewright.checks.properties_of_rules import RulesProperties
from rulewright.checks.remembering import memory_hints
from rulewright.checks.run import CHECKS, CheckRequest, try_file
from rulewright.checks.sampling import Workload
from rulewright.checks.shrinking import shortest
from rulewright.checks.subject import Subject, symmetry
from rulewright.games.files.catalog import KINDS
from rulewright.games.files.games import bundled_games, load, loads
from rulewright.model.properties import ALL, RULES
from tests.shared.effort import tries
from tests.shared.places import DOCS, RULESETS

HEAD = """format 1
game sample

players red blue
board square 3 by 3
pieces stone
"""
PLACE = """
move place
  choose cell in empty
  put stone at cell
"""
LINE = "win when some(l in lines(3) : l in own)\n"
FULL = "draw when stuck\n"
# property, the rest of the file, decisions of the shortest game that shows it (None: no game does)
BROKEN: list[tuple[str, str, int | None]] = [
    ("start", PLACE + "turn place\n" + FULL + "claim start any own\n", 0),
    ("perft", PLACE + "turn place\n" + FULL + "claim perft 9, 71\n", 0),
    ("after", PLACE + "turn place\n" + FULL + 'claim after "a1 b2" any own b2\n', 2),
    ("after", PLACE + "turn place\n" + FULL + 'claim after "a1 a1" any own\n', 1),
    ("wins", PLACE + "turn place\n" + LINE + FULL + "claim blue wins\n", 0),
    ("stuck", PLACE + "turn place\n" + LINE, 9),
    (
        "blind",
        "\nstate met each = nowhere hidden\n\nsees met\n"
        "\nmove place\n  choose cell in sites and not (own or met)\n  met := met\n"
        "  need not cell in enemy\n  put stone at cell\n\nturn place\n" + FULL,
        None,
    ),
    (
        "notation",
        "\nmove place\n  choose cell in empty\n  put stone at cell\n"
        '  write "x"\n\nturn place\n' + FULL,
        0,
    ),
    (
        "ranges",
        "state rest = 2 in 0..2\n\nmove place\n  choose cell in empty\n  put stone at cell\n"
        "  if cell in top\n    rest := rest - 1\n\nturn place\ndraw when rest = 3 or stuck\n",
        2,
    ),
    (
        "faults",
        "\nmove place\n  choose cell in empty\n  put stone at cell\n"
        "\nturn place\nwin when max(s in empty : x(s)) < 2\n" + FULL,
        8,
    ),
    ("turns", PLACE + "  again\n\nturn place\n" + FULL, None),
    ("exclusive", PLACE + "turn place\n" + LINE + "lose when own meets b2\n" + FULL, None),
    ("always", PLACE + "turn place\n" + FULL + "claim always count full < 4\n", 4),
    (
        "symmetric",
        "\nmove place\n  choose cell in empty\n  need not cell in a2 or any full a1\n"
        "  put stone at cell\n\nturn place\n" + FULL + "claim symmetric under mirror\n",
        0,
    ),
    ("within", PLACE + "turn place\n" + FULL + "claim ends within 8\n", 8),
    ("draws", PLACE + "turn place\n" + LINE + FULL + "claim no draws\n", 9),
    ("ends", "\nmove pass\n\nturn pass\nwin when ply < 0\n", 40),
    ("outcomes", PLACE + "turn place\nwin when ply = 0 and any own a1\n" + FULL, None),
]  # fmt: skip
IDS = [f"{name}-{number}" for number, (name, _, _) in enumerate(BROKEN)]


def tried(text: str, *names: str, seed: int = 0) -> dict[str, PropertyResult]:
    subject = Subject(loads(text), None, lambda options: loads(text, **options))  # type: ignore[arg-type]
    run = RulesProperties(subject, seed, Workload.of(0.1, 400), names or tuple(RULES)).run()
    return {one.name: one for one in run}


def found(text: str, name: str) -> tuple[Finding, ...]:
    return tried(text, name)[name].findings


@pytest.mark.parametrize(("name", "text", "length"), BROKEN, ids=IDS)
def test_a_broken_property_comes_with_a_shortest_game(
    name: str, text: str, length: int | None
) -> None:
    head = HEAD.replace("3 by 3", "5 by 5") if name == "turns" else HEAD
    findings = found(head + text, name)
    assert findings
    if length is not None:
        assert findings[0].moves is not None
        assert len(findings[0].moves) == length


def test_every_property_that_a_file_can_break_is_broken_here() -> None:
    ours = {name for name, _, _ in BROKEN}
    of_the_interpreter = {"undo", "printed", "agreement", "hashes"}  # these rules cannot break
    assert ours | of_the_interpreter == set(RULES)


def test_the_tables_of_properties_agree() -> None:
    assert set(FACTS) | set(PROBES) <= set(RULES)
    assert {kind.name: set(kind.properties) for kind in KINDS} == {k: {*ALL[k]} for k in ALL}
    assert {"rules", *CHECKS} == {kind for kind in ALL if ALL[kind]}


def test_the_document_lists_every_property() -> None:
    text = (DOCS / "testing.md").read_text("utf-8")
    known = [(name, told) for kind in ALL.values() for name, told in kind.items()]
    assert [name for name, told in known if f"| `{name}` | {told} |" not in text] == []


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "conniption", "morris", "spanit", "y"])
def test_bundled_rules_break_nothing(name: str) -> None:
    report = try_file(bundled_games()[name], CheckRequest(effort=0.04))
    assert [f.render("") for f in report.findings] == []
    assert all(t.looked or t.name in FACTS for t in report.tried if t.status == "held")


def test_the_same_seed_tries_the_same() -> None:
    text = HEAD + PLACE + "turn place\n" + LINE + FULL + "claim no draws\n"
    assert tried(text, "draws", "printed", seed=3) == tried(text, "draws", "printed", seed=3)


def test_a_property_can_be_left_out_with_a_reason() -> None:
    text = HEAD + PLACE + "turn place\n" + LINE + FULL + "claim no draws\n"
    left = tried(text + 'untested draws "full boards are rare"\n', "draws")["draws"]
    assert (left.status, left.skipped, left.findings) == ("left out", "full boards are rare", ())


def test_a_finding_names_the_clauses_that_acted() -> None:
    (finding,) = found(HEAD + PLACE + "turn place\n" + LINE + FULL + "claim no draws\n", "draws")
    assert [c.text for c in finding.clauses] == ["choose cell in empty", "put stone at cell"]
    assert finding.board.count("R") == 5
    assert finding.about is not None
    assert finding.about.text == "claim no draws"


# --- evaluators and personalities ---

EVALUATOR = """format 1
evaluator mine for connect4

factor Weight = 2 in 0..9 "how much a disc of the middle counts"
let good = Weight * count (own column(4)) - (count (enemy column(4))) * Weight
value of position for yellow = good
"""


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ("claim antisymmetric", ""),
        ("claim symmetric under mirror", ""),
        ("claim symmetric under flip", "symmetric"),
        ('claim after "4" good = 5', "after"),
    ],
)
def test_laws_of_evaluators(change: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.eval"
    text = EVALUATOR.replace(
        "column(4)) -", "column(4)) + count (own row(1)) - count (enemy row(1)) -"
    )
    path.write_text(text + change + "\n", "utf-8")
    report = try_file(path, CheckRequest(effort=0.5))
    assert [f.name for f in report.findings] == ([name] if name else [])


def test_an_evaluator_that_is_not_antisymmetric(tmp_path: Path) -> None:
    path = tmp_path / "mine.eval"
    text = EVALUATOR.replace("let good = ", "let good = 1 + ")
    path.write_text(text + "claim antisymmetric\n", "utf-8")
    (finding,) = try_file(path, CheckRequest(effort=0.3)).findings
    assert (finding.name, finding.moves) == ("antisymmetric", ())


def test_a_fault_of_an_evaluator(tmp_path: Path) -> None:
    path = tmp_path / "mine.eval"
    path.write_text(EVALUATOR.replace("= good", "= 12 / (3 - count (full column(4)))"), "utf-8")
    (finding,) = try_file(path, CheckRequest()).findings
    assert finding.name == "finite"
    assert "divide-by-zero" in finding.message


PATTERNS = """
format 1
Patterns for connect5
Around own
Symmetry all

Off beside
  Own 1 0
  Free 2 0
  Set 2 0
  Example own h8, i8 at h8 set j8
"""


@pytest.mark.parametrize(
    ("change", "name"),
    [("", ""), ("Symmetry all", "turned"), ("i8 at h8 set j8", "examples")],
)
def test_laws_of_patterns(change: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.patterns"
    wrong = {"Symmetry all": "", "i8 at h8 set j8": "i9 at h8 set j8"}
    path.write_text(PATTERNS.replace(change, wrong[change]) if change else PATTERNS, "utf-8")
    found = try_file(path, CheckRequest(effort=0.5)).findings
    assert {one.name for one in found} == ({name} if name else set())


def test_a_factor_that_changes_nothing_is_detected(tmp_path: Path) -> None:
    text = EVALUATOR.replace("= good\n", "= good + Idle\n")
    idle = 'factor Idle = 3 in 0..9 "is the same everywhere"\n'
    (tmp_path / "mine.eval").write_text(text.replace("let good", f"{idle}let good"), "utf-8")
    path = tmp_path / "me.personality"
    text = "format 1\npersonality me for connect4\nuse mine\nsearch one_ply\nties first\n"
    path.write_text(text, "utf-8")
    assert [f.message.split()[0] for f in try_file(path, CheckRequest()).findings] == ["`Idle`"]
    path.write_text(text + 'untested factors "Idle is for later"\n', "utf-8")
    assert try_file(path, CheckRequest()).findings == ()


# --- states that are remembered too long ---

TRAIL = """format 1
game trail

players red blue
board square 6 by 2
pieces stone "RB"

state left_behind = nowhere

setup
  put red stone at a1
  put blue stone at f1

move step
  choose a in own
  choose b in near(a) empty and not left_behind
  move a to b
  left_behind := a

turn step
draw when repeats >= 2
lose when stuck
untested outcomes "nobody gets stuck"
"""
KEPT = "  left_behind := a\n"
FORGOTTEN = "  left_behind := a and near(enemy)\n"


@pytest.mark.parametrize(
    ("text", "states"),
    [
        (TRAIL, ["left_behind"]),  # nobody stands near what was left
        (TRAIL.replace(KEPT, FORGOTTEN), []),
        (TRAIL.replace("= nowhere\n", "= nowhere unseen\n"), []),
        (TRAIL.replace("draw when repeats >= 2", "draw when ply = 40"), []),  # nobody asks
    ],
)
def test_a_state_that_is_remembered_too_long_is_a_hint(
    text: str, states: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "trail.rules"
    path.write_text(text, "utf-8")
    report = try_file(path, CheckRequest(effort=0.5))
    assert [hint.message.split("`")[1] for hint in report.hints] == states
    assert not report.findings
    assert len(report.as_data()["hints"]) == len(states)  # type: ignore[arg-type]
    for hint in report.hints:
        assert hint.about is not None
        assert hint.about.text == "state left_behind = nowhere"


@pytest.mark.parametrize("name", ["chess", "draughts", "loa", "morris", "go"])
def test_bundled_games_remember_what_can_matter(name: str) -> None:
    assert memory_hints(load(name), 0.2, 0) == ()


def test_a_right_that_chess_keeps_too_long_is_detected() -> None:
    text = bundled_games()["chess"].read_text("utf-8").split("claim perft")[0]
    line = "  if no (takers(b) for enemy)\n    ghost := nowhere\n"
    assert line in text
    kept = loads(text.replace(line, ""))
    (hint,) = memory_hints(kept, 0.5, 0)
    assert hint.message.startswith("`ghost` is ")
    assert len(hint.moves or ()) == 1


# --- making games shorter ---


@settings(max_examples=tries(15), deadline=None, suppress_health_check=[HealthCheck.nested_given])
@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=20), st.data())
def test_shrinking_keeps_the_fault_and_nothing_else(texts: list[str], data: st.DataObject) -> None:
    needed = data.draw(st.lists(st.sampled_from(texts), max_size=3, unique=True))
    least = shortest(tuple(texts), lambda m: m if set(needed) <= set(m) else None, 2000)
    assert sorted(least) == sorted(needed)


def test_shrinking_stops_when_its_tries_are_used_up() -> None:
    tries: list[int] = []

    def shows(moves: tuple[str, ...]) -> tuple[str, ...]:
        tries.append(len(moves))
        return moves

    shortest(tuple("abcdefgh"), shows, 2)
    assert len(tries) <= 2


@pytest.mark.parametrize(
    "name", ["connect4", "othello", "hex", "twixt", "spanit", "loa", "draughts"]
)
@settings(max_examples=tries(5), deadline=None)
@given(seed=st.integers(0, 10**6))
def test_symmetries_undo_themselves(name: str, seed: int) -> None:
    from random import Random

    from rulewright.checks.sampling import random_step

    game, random = load(name), Random(seed)
    state = game.start()
    for _ in range(seed % 12):
        state = random_step(state, random) or state
    for claim in game.rules.claims:
        found = symmetry(game.play, claim.what, claim.swap) if claim.kind == "symmetric" else None
        if found is not None:
            times, position = (4 if claim.what == "quarter" else 2), state.situation.position
            for _ in range(times):
                position = found.position(position)
            assert position == state.situation.position
            assert position.history == state.situation.position.history


def test_a_fault_met_in_a_kernels_game_costs_no_other_finding(tmp_path: Path) -> None:
    """Tiles float, so that several decisions are written alike: kernels play on, texts are made."""
    text = (RULESETS / "conniption" / "conniption.rules").read_text("utf-8")
    floating = text.replace("  need no south(slot) empty\n", "")
    assert floating != text
    path = tmp_path / "conniption.rules"
    path.write_text(floating)
    report = try_file(path, CheckRequest(effort=0.05))
    found = {one.name: one for one in report.findings}
    assert "two different decisions are written" in found["notation"].message
    assert found["notation"].moves == ("-",)
    assert "perft" in found
    assert {one.name for one in report.tried} >= {"ends", "symmetric", "ranges", "faults"}
