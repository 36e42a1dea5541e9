"""Faults put into rules: what finds them, what they leave, and the claims that would catch them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from rulewright.app.cli import main
from rulewright.checks.mutants import MutationSubject, judge, tell
from rulewright.checks.mutate import Mutant, MutationReport, MutationRun, mutants_of
from rulewright.checks.mutations import mutations
from rulewright.checks.observing import Observer, ProposedClaim, text_with_claims
from rulewright.checks.run import CheckRequest, try_file
from rulewright.games.engine.game import Game
from rulewright.games.files.games import bundled_games, check, loads
from rulewright.language import syntax as s
from rulewright.language.diagnostics import Collector
from rulewright.language.parse import parse
from rulewright.language.source import Source
from tests.generators.files import rule_files
from tests.shared.effort import tries

pytest_plugins = ["pytester"]

RULES = """format 1
game threes

players red blue
option wide = 4 in 4..5
board square wide by 3
pieces stone

state laid = 0 in 0..30

move place
  choose cell in empty and not corners
  need laid < 2 or own meets near(cell)
  put stone at cell
  laid := laid + 1

turn place
win when some(l in lines(3) : l in own)
draw when stuck
"""
CLAIMS = """
claim perft 8
"""


class Counting(Executor):
    """Does everything at once, and counts what was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def submit(self, work: Any, /, *given: Any, **more: Any) -> Future[Any]:
        self.asked.append(work.__name__)
        found: Future[Any] = Future()
        found.set_result(work(*given, **more))
        return found


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))


def trial(folder: Path, text: str) -> MutationSubject:
    path = folder / "threes.rules"
    path.write_text(text, "utf-8")
    return MutationSubject(path.name, str(path), text, effort=0.02)


def run(one: MutationSubject, **more: Any) -> tuple[MutationReport, list[str]]:
    executor = Counting()
    return MutationRun(one, executor, **more).run(), executor.asked


def change(one: MutationSubject, old: str, new: str) -> Mutant:
    return next(m for m in mutants_of(one) if (m.old.strip(), m.mutation.new.strip()) == (old, new))


# --- changes ---


@settings(max_examples=tries(15), deadline=None)
@given(rule_files())
def test_every_change_can_be_judged(text: str) -> None:
    """A change gives a text of its own, which checks or has located mistakes."""
    one = MutationSubject("some.rules", "some.rules", text)
    texts = [m.mutation.of(text) for m in mutants_of(one)]
    assert len({*texts, text}) == len(texts) + 1
    for changed in texts[:: 1 + len(texts) // 12]:
        report = check(changed)
        assert report.ok or all(d.place.line for d in report.diagnostics)


def test_faults_of_every_kind_are_made(tmp_path: Path) -> None:
    made = {m.mutation.what for m in mutants_of(trial(tmp_path, RULES + CLAIMS))}
    assert made >= {
        "another number", "another word", "another sign", "another verdict", "clause left out",
        "part left out", "ends in another order", "`not` left out", "`or` for `and`",
    }  # fmt: skip


_LEFT_ALONE = s.Let | s.Choose | s.ChooseRay | s.Need | s.Write | s.PerformMove
"""Lines that do nothing by themselves, and the lines of a base's move, which it has faults for."""


def _effects(block: tuple[s.Effect, ...]) -> Iterator[s.Effect]:
    """Everything that a block does, in branches and loops too."""
    for effect in block:
        if isinstance(effect, s.If | s.Loop):
            yield from _effects(effect.block)
        if isinstance(effect, s.If):
            continue
        if not isinstance(effect, _LEFT_ALONE):
            yield effect


@pytest.mark.parametrize("name", sorted(bundled_games()))
def test_every_effect_is_left_out_in_a_text_that_checks(name: str) -> None:
    """A move's only effect too, and that by which the letters of a piece are known."""
    path = bundled_games()[name]
    source = Source(name, path.read_text("utf-8"))
    rules = parse(source, Collector())
    made = [m for m in mutations(source, rules) if m.what == "clause left out"]
    blocks = [
        item.block for item in rules.items if isinstance(item, s.MoveKind | s.Action | s.Setup)
    ]
    for effect in (one for block in blocks for one in _effects(block)):
        without = [m for m in made if m.start <= effect.span.start and effect.span.end <= m.end]
        assert any(check(m.of(source.text)).ok for m in without), source.place(effect.span)


def test_claims_are_not_changed(tmp_path: Path) -> None:
    last = RULES.count("\n")
    assert all(m.line <= last for m in mutants_of(trial(tmp_path, RULES + CLAIMS)))


# --- verdicts ---


def test_a_claim_finds_a_fault(tmp_path: Path) -> None:
    one = trial(tmp_path, RULES + CLAIMS)
    found = judge(one, change(one, "and not corners", "").mutation)
    assert (found.kind, found.by) == ("found", "claim perft 8")


def test_a_survivor_is_shown_with_the_claim_that_catches_it(tmp_path: Path) -> None:
    one = trial(tmp_path, RULES + CLAIMS)
    mutant = change(one, "1", "2")
    assert judge(one, mutant.mutation).kind == "survived"
    known = tell(one, mutant.mutation, ())
    assert len(known.moves or ()) == 1
    better = trial(tmp_path, text_with_claims(one.text, [known.claim]))
    assert judge(better, change(better, "1", "2").mutation).by == known.claim
    assert not try_file(Path(better.path), CheckRequest(("after", "start"))).findings


def test_an_option_is_set_where_only_that_tells_games_apart(tmp_path: Path) -> None:
    text = RULES.replace(
        "choose cell in empty and", "choose cell in empty if wide = 4 else empty and"
    )
    one = trial(tmp_path, text + CLAIMS.replace("8", "12"))
    mutant = change(one, "and not corners", "")
    assert judge(one, mutant.mutation).kind == "survived"
    known = tell(one, mutant.mutation, ())
    assert known.settings == "wide = 5"
    assert " with wide = 5" in known.claim


# --- whole files ---


def test_claims_that_are_added_raise_the_score(tmp_path: Path) -> None:
    one = trial(tmp_path, RULES + CLAIMS)
    before, _ = run(one, most=20)
    assert before.survivors
    after, _ = run(trial(tmp_path, text_with_claims(one.text, before.claims)), most=20)
    assert after.score > before.score
    known = {m.key for m in before.survivors if m.survivor and not m.survivor.claim}
    assert {m.key for m in after.survivors} <= known


def test_results_are_kept_and_changed_lines_tried_again(tmp_path: Path) -> None:
    one = trial(tmp_path, RULES + CLAIMS)
    first, asked = run(one, most=16)
    again, nothing = run(one, most=16)
    assert asked
    assert nothing == []
    assert again.as_data() == first.as_data()
    other = trial(tmp_path, one.text.replace("perft 8\n", "perft 8\n# a remark\n"))
    found = [m for m in first.mutants if m.verdict and m.verdict.kind == "found"]
    _, tried = run(other, most=16)
    assert tried.count("judge") == len(first.mutants) - len(found)
    changed = trial(tmp_path, one.text.replace("need laid < 2", "need laid < 3"))
    _, tried = run(changed, most=16)
    more = [m for m in found if "laid <" in one.text.splitlines()[m.line - 1]]
    assert tried.count("judge") == len(first.mutants) - len(found) + len(more)


def test_no_time_tries_nothing_and_says_so(tmp_path: Path) -> None:
    report, asked = run(trial(tmp_path, RULES + CLAIMS), seconds=1e-9)
    assert asked == []
    assert report.untried > 0
    assert report.mutants == ()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = trial(tmp_path, RULES + CLAIMS)
    words = ["mutate", one.path, "--most", "12", "--workers", "1", "--effort", "0.1"]
    assert main([*words, "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["mutants"] == data["found"] + len(data["survivors"])
    assert {"line", "column", "from", "to", "claim"} <= data["survivors"][0].keys()
    assert main([*words, "--add"]) == 1
    told = capsys.readouterr()
    assert f"{data['found']} of {data['mutants']} found" in told.out
    claims = [s["claim"] for s in data["survivors"] if s["claim"]]
    assert Path(one.path).read_text("utf-8") == text_with_claims(one.text, report_order(claims))


def report_order(claims: list[str]) -> list[str]:
    return sorted(dict.fromkeys(claims), key=lambda claim: -claims.count(claim))


def test_other_files_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mutate", "rulesets/twixt/t1.eval"]) == 2
    assert "no file of rules" in capsys.readouterr().err


# --- claims written into files ---


def test_claims_stand_behind_the_last_one() -> None:
    text = "format 1\nclaim no draws  # never\n\n# the end"
    assert text_with_claims(text, ["claim perft 2", "claim no draws"]) == (
        "format 1\nclaim no draws  # never\nclaim perft 2\n\n# the end"
    )
    assert text_with_claims("format 1\r\ngame x", ["claim perft 2"]) == (
        "format 1\r\ngame x\r\n\r\nclaim perft 2\r\n"
    )


# --- claims that are proposed ---


def proposed(text: str, effort: float = 0.1) -> list[ProposedClaim]:
    def read(text: str, options: Mapping[str, Any]) -> Game:
        return loads(text, "threes.rules", **options)

    return list(Observer(text, read, 0, effort).proposed())


def test_what_is_proposed_holds_and_is_proposed_once(tmp_path: Path) -> None:
    claims = [one.text for one in proposed(RULES) if not one.counts]
    assert {"claim symmetric under half", "claim always count full = ply"} & {*claims}
    one = trial(tmp_path, text_with_claims(RULES, claims))
    assert not try_file(Path(one.path), CheckRequest(effort=0.1)).findings
    again = [p.text for p in proposed(one.text) if not p.counts]
    assert not {*again} & {*claims}


def test_no_symmetry_is_proposed_that_a_rule_breaks() -> None:
    text = RULES.replace("not corners", "not (corners or b1)")
    claims = [one.text for one in proposed(text)]
    assert not any(
        c in claims for c in ("claim symmetric under half", "claim symmetric under flip")
    )


def test_proposals_are_written_where_they_belong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = trial(tmp_path, RULES)
    words = ["claims", one.path, "--effort", "0.05"]
    assert main(words) == 0
    assert Path(one.path).read_text("utf-8") == RULES
    assert main([*words, "--all"]) == 0
    shown = capsys.readouterr().out
    text = Path(one.path).read_text("utf-8")
    assert text.startswith(RULES)
    claims = text.removeprefix(RULES).split("\n")[1:-1]
    assert all(f"{claim}  #" in shown for claim in claims)
    assert main(["fmt", "--check", one.path]) == 0
    counts = (tmp_path / "perft.txt").read_text("utf-8")
    assert counts.startswith("wide=5 : decision : 11 ")
    capsys.readouterr()
    assert main([*words, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert not [c for c in data["claims"] if c["counts"] or c["claim"] in claims]


# --- under pytest ---


def test_faults_and_coverage_under_pytest(pytester: pytest.Pytester) -> None:
    pytester.makefile(".rules", threes=RULES + CLAIMS)
    words = ["-q", "--rulewright-effort=0.01", "--rulewright-cover", "-k", "cover or mutate"]
    found = pytester.runpytest(*words, "--rulewright-mutate=99")
    found.assert_outcomes(passed=1, failed=1)
    found.stdout.fnmatch_lines(["*found (*%)*"])
    pytester.runpytest(*words, "--rulewright-mutate=1").assert_outcomes(passed=2)
