"""What people know from elsewhere: every hint is given, and what it suggests can be read."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from rulewright.games.files.catalog import EVALUATOR, PERSONALITY
from rulewright.games.files.games import check, load
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.language.diagnostics import Diagnostic
from rulewright.language.elsewhere import Habit, habits
from tests.shared.tiny import RULES as TINY

RULES = """\
format 1
game small
{players}
{board}
pieces stone "XO", king "KQ"
state tally = 0
{item}
move place
  choose cell in empty
  {effect}
  tally := tally + 1
  put stone at cell
move take
  choose cell in enemy
  need tally > 0
  put king at cell
{turn}
win when some(l in lines(3) : l in own)
{end}
"""
RULES_AS_THEY_ARE = {
    "players": "players red blue",
    "board": "board square 5 by 5",
    "item": "",
    "effect": "",
    "turn": "turn place or take",
    "end": "draw when stuck",
}
JUDGE = """\
format 1
evaluator small for othello
{item}
{row}
value other of position for mover = count own
"""
PERSON = """\
format 1
personality small for connect4
use connect4
{search}
{item}
"""


class Case(NamedTuple):
    """A habit, and the lines it is about."""

    language: str
    block: str
    habit: Habit


CASES = [Case(*place, habit) for place, some in habits().lines.items() for habit in some]


def filled(case: Case, line: str) -> str:
    """A file with *line* where it belongs, in place of the statement it stands for."""
    first = (case.habit.here or case.habit.example).split()[0]
    if case.language == "rules":
        ends = dict.fromkeys(("win", "lose", "draw", "tie"), "end")
        places = {"players": "players", "board": "board", "turn": "turn", **ends}
        place = "effect" if case.block == "effect" else places.get(first, "item")
        return RULES.format(**{**RULES_AS_THEY_ARE, place: line})
    if case.language == "an evaluator":
        row = f"table weights\n  {line}" if case.block == "table_row" else ""
        return JUDGE.format(item="" if row else line, row=row)
    whole = {"search": "search minimax, depth 2", "item": line}
    if line.startswith("search "):
        whole = {"search": line, "item": ""}
    return PERSON.format(**whole)


def said(case: Case, text: str) -> list[Diagnostic]:
    """The errors of a file."""
    if case.language == "rules":
        found = check(text, "small.rules").diagnostics
    elif case.language == "an evaluator":
        found = check_file(
            EVALUATOR, "e.eval", text.encode(), FileContext(load("othello"))
        ).diagnostics
    else:
        game = load("connect4")
        found = check_file(
            PERSONALITY, "p.personality", text.encode(), FileContext(game)
        ).diagnostics
    return [d for d in found if d.severity == "error"]


@pytest.mark.parametrize("case", CASES, ids=[case.habit.example for case in CASES])
def test_a_line_from_elsewhere_gets_one_message_with_its_hint(case: Case) -> None:
    (told,) = said(case, filled(case, case.habit.example))
    assert told.hint.startswith(case.habit.message)
    shown = re.findall(r"`([^`]*)`$", told.hint)
    assert bool(shown) is bool(case.habit.here)


@pytest.mark.parametrize("case", CASES, ids=[case.habit.example for case in CASES])
def test_what_a_hint_suggests_can_be_read(case: Case) -> None:
    (told,) = said(case, filled(case, case.habit.example))
    if case.habit.here:
        line = told.hint.rpartition(": ")[2].strip("`")
        at_the_margin = JUDGE.format(item=line, row="")
        text = at_the_margin if case.block == "table_row" else filled(case, line)
        assert said(case, text) == []


@pytest.mark.parametrize("name", habits().names)
def test_a_name_from_elsewhere_gets_its_hint_and_that_can_be_read(name: str) -> None:
    whole = {**RULES_AS_THEY_ARE, "end": f"draw when some(s in {name} : s in own)"}
    (told,) = check(RULES.format(**whole), "small.rules").diagnostics
    assert told.hint == habits().names[name]
    (suggested, *_) = re.findall(r"`([^`]*)`", told.hint) or ["own"]
    ways = (
        f"{suggested}",
        f"any ({suggested})",
        f"any {suggested}(own)",
        f"{suggested} > 2",
        f"some(g in groups(own, {suggested}) : any g)",
    )
    found = [check(RULES.format(**{**whole, "end": f"draw when {way}"})).ok for way in ways]
    assert any(found)


def test_a_name_of_the_file_is_nearer_than_one_from_elsewhere() -> None:
    whole = {**RULES_AS_THEY_ARE, "item": "let edges_ = border"}
    text = RULES.format(**{**whole, "end": "draw when any edges and edges_ in own"})
    (told,) = check(text).diagnostics
    assert told.hint == "did you mean `edges_`?"


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("own for enemy full", "(own for enemy) full"),
        ("any own for enemy full", "any (own for enemy)"),
        ("any own for red", "any (own for red)"),
    ],
)
def test_what_another_player_sees_is_bracketed(wrong: str, right: str) -> None:
    texts = [RULES.format(**{**RULES_AS_THEY_ARE, "end": f"draw when {e}"}) for e in (wrong, right)]
    (told,) = check(texts[0]).diagnostics
    assert f"`{right}`" in told.hint
    assert check(texts[1].replace("draw when (", "draw when any (")).ok


@pytest.mark.parametrize(
    ("turn", "warned"),
    [
        ("turn place or take place", True),
        ("turn place take or place", True),
        ("turn (place or take) place", False),
        ("turn place or (take place)", False),
        ("turn ( place or take ) place", False),
        ("turn (place) or (take) place", True),
        ("turn place or take", False),
    ],
)
def test_an_or_beside_moves_that_follow_is_warned_of(turn: str, warned: bool) -> None:
    report = check(RULES.format(**{**RULES_AS_THEY_ARE, "turn": turn}))
    assert [d.code for d in report.diagnostics] == ["unbracketed-or"] * warned


@pytest.mark.parametrize("word", ["along", "to", "at", "by", "from", "when", "where", "score"])
def test_a_definition_that_could_not_be_called_is_refused(word: str) -> None:
    item = f"let {word} = north"
    end = f"draw when any {word}(own)" if word == "along" else "draw when stuck"
    (told,) = check(RULES.format(**{**RULES_AS_THEY_ARE, "item": item, "end": end})).diagnostics
    assert told.code == "reserved-word"


@pytest.mark.parametrize(
    "item",
    ["state stone = 0", "let stone = own", "option own = 1 in 0..2", "let king = stone"],
)
def test_a_name_given_twice_is_one_mistake(item: str) -> None:
    end = "draw when any (stone king own)" if "stone" in item else "draw when own > 3 or own = 0"
    whole = {**RULES_AS_THEY_ARE, "item": item, "end": end}
    assert len([d for d in check(RULES.format(**whole)).diagnostics if d.severity == "error"]) == 1


@pytest.mark.parametrize("name", ["disc", "own", "mobility", "corners"])
def test_a_factor_with_a_taken_name_is_one_mistake(name: str) -> None:
    text = JUDGE.format(item=f'factor {name} = 1 in 0..9 "it"', row="")
    text = text.replace("= count own", f"= {name} * count own + {name}")
    report = check_file(EVALUATOR, "e.eval", text.encode(), FileContext(load("othello")))
    assert len(report.diagnostics) == 1


def test_a_table_of_factors_is_one_mistake() -> None:
    text = JUDGE.format(item="factors\n  corner = 40\n  edge 10", row="")
    text = text.replace("count own", "corner * count own + edge")
    (told,) = check_file(
        EVALUATOR, "e.eval", text.encode(), FileContext(load("othello"))
    ).diagnostics
    assert told.hint.startswith("each factor is a statement at the margin: `factor corner = 40 in ")


def test_misspelt_mobility() -> None:
    text = JUDGE.format(item="", row="").replace("count own", "mobilty")
    (told,) = check_file(
        EVALUATOR, "e.eval", text.encode(), FileContext(load("othello"))
    ).diagnostics
    assert told.hint == "did you mean `mobility`?"


@pytest.mark.parametrize(
    ("item", "told"),
    [
        (
            "let slow = some(a in own, b in own, c in own, d in own, e in own, f in own : a = e)",
            " x 25 sites x 25 sites x 25 sites x 25 sites are tried, each in 4 steps",
        ),
        ("let slow = any ray from own along around /([a: own] | [b: full] | own)*/", "this ray is"),
    ],
)
def test_what_is_too_slow_is_reported_by_the_part_that_makes_it_so(item: str, told: str) -> None:
    board = "board square 5 by 5" if "some" in item else "board square 30 by 30"
    whole = {**RULES_AS_THEY_ARE, "item": item, "board": board, "end": "draw when slow"}
    (found,) = check(RULES.format(**whole)).diagnostics
    assert found.code == "too-large"
    assert told in found.message
    assert found.hint


@pytest.mark.parametrize("family", ["sides", "[left, right, top, bottom]"])
def test_the_sets_of_a_list_are_as_many_as_they_are(family: str) -> None:
    item = f"let joined = some(s in {family}, t in {family}, u in {family} : s t meets own u)"
    whole = {**RULES_AS_THEY_ARE, "item": item, "board": "board square 30 by 30"}
    assert check(RULES.format(**{**whole, "end": "draw when joined"})).ok


@pytest.mark.parametrize("shape", habits().boards)
def test_a_board_from_elsewhere_gets_its_hint_and_that_can_be_read(shape: str) -> None:
    whole = {**RULES_AS_THEY_ARE, "board": f"board {shape}"}
    (told, *_) = check(RULES.format(**whole), "small.rules").diagnostics
    assert told.hint == habits().boards[shape]
    (first, *_) = re.findall(r"`([^`]*)`", told.hint)
    line = {"square": "square 3 by 3", "rhombus": "rhombus 3 by 3", "graph": "graph\n  line a b c"}
    assert check(TINY.replace("square 3 by 1", line[first.partition(" ")[0]])).ok


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("need cell in own and cell not in enemy", "write `not cell in ...`"),
        ("need not cell in own and cell not in enemy", "write `not cell in ...`"),
        ("need any own not any enemy", "write `and not`"),
        (
            "tally := random(1..6)",
            "chance chooses in a move of its own, by the statement that begins with chance",
        ),
        ("  put stone at cell", "lines of a block stand under each other; `if` and `else`"),
    ],
)
def test_the_usual_slips_get_the_word_that_they_lack(line: str, hint: str) -> None:
    found = check(RULES.format(**{**RULES_AS_THEY_ARE, "effect": f"tally := tally\n  {line}"}))
    (told, *_) = [d for d in found.diagnostics if d.severity == "error"]
    assert told.hint.startswith(hint)
