"""The tables of docs/coming-from.md: what stands beside the words of others can be written."""

from __future__ import annotations

import re
from functools import cache

import pytest

from rulewright.app.service.words import table
from rulewright.games.files.games import check
from tests.shared.places import DOCS

PAGE = (DOCS / "coming-from.md").read_text("utf-8").partition("## How long")[0]
COMMANDS = (DOCS / "commands.md").read_text("utf-8")
PARTS = {
    "players": "players red blue",
    "board": "board square 8 by 8",
    "pieces": 'pieces stone "XO", crate "CK", cross "+#"',
    "item": "",
    "chosen": "",
    "effect": "",
    "turn": "turn step or slide or jump or push",
    "end": "draw when stuck",
}
TEXT = """\
format 1
game small
{players}
{board}
{pieces}
state pieces_left = 5 in 0..9
state seeds each s in sites = 0 in 0..99
let target = corners
{item}
setup
  put red stone at a1
move step
  choose a in own
  choose b in near(a) empty
  move a to b
move slide
{chosen}
  {effect}
  clear c3
move jump
  choose p in empty
  put stone at p
move push
  choose p in empty
  put stone at p
{turn}
{end}
"""
CHOSEN = {
    "p": "  choose p in empty",
    "a": "  choose a in own",
    "numbers": "  choose k in own\n  choose n in 1..3",
    "all": "  choose a in own\n  choose b in near(a) empty\n  choose k in own\n"
    "  choose n in 1..3\n  choose i in 1..3",
}
PLACEHOLDERS = (  # what the page leaves open, filled in
    (r"^(choose \w+ in) \.\.\.$", r"\1 empty"),
    (r"^(state \w+ each \w+ in sites =) \.\.\.$", r"\1 0 in 0..9"),
    (r"^(board) \.\.\.", r"\1 square 8 by 8"),
    (r"^state \.\.\. hidden$", "state secret each = 0 in 0..9 hidden"),
    (r" \.\.\.$", " 1"),
    (r"a1 b1 1$", "a1 b1 c1"),
    (r"\bSET\b", "own"),
    (r"\bNAME\b", "other"),
    (r"\bBASE\b", "tictactoe"),
    (r"\bpieces\b(?= :?=)", "pieces_left"),
)  # fmt: skip
OTHER_SIDE = ("let ahead for black = south", "let ahead for white = north")
TRACK = f"{PARTS['board']}\n  line onward: a1 b1 c1 d1"
PILES = f"{PARTS['board']} stacked 9"
SMALL = """\
format 1
game small
players {players}
board square 3 by 3
pieces stone "{letters}"
{before}
{moves}
turn {turn}
win when count own = 9
draw when stuck
"""
PUT = "move place\n  choose p in {}\n  put stone at p\n"
PUSH = """\
move push
  choose p in corners empty
  put stone at p
move slide
  choose a in own
  choose b in north(a) empty
  move a to b"""
ROLL = "move roll\n  chance {}\n  let p = {}\n  put stone at p"
FILL = """\
state seeds = 2 in 0..3
move fill
  let n = seeds
  each i in 1..n
    put stone at site(i, 1)
  seeds := 0"""
WHOLE: dict[str, dict[str, str]] = {  # for these, other lines must make room
    "chance n in 1..6": {"moves": ROLL.format("n in 1..6", "site(1, 1) if n < 4 else site(2, 2)")},
    "chance c in empty": {"moves": ROLL.format("c in empty", "c")},
    "sees SET": {"before": "sees own", "moves": PUT.format("not own")},
    "players solver": {"players": "solver", "moves": PUT.format("empty")},
    "players red blue green": {"players": "red blue green", "moves": PUT.format("empty")},
    "turn push slide*": {"moves": PUSH, "turn": "push slide*"},
    "each i in 1..n": {"moves": FILL},
}  # fmt: skip
HEADS = ("players", "board", "pieces", "turn", "first turn")


def phrases() -> list[str]:
    """Find what stands in the column `here` of each table, each phrase once."""
    names, inside = dict[str, None](), False
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        inside = len(cells) == 2 and (inside or cells[1] == "here")
        names |= dict.fromkeys(re.findall(r"`([^`]+)`", cells[1]) if inside else ())
    return list(names)


@cache
def words() -> frozenset[str]:
    """The words of rules; of entries of several words, each."""
    ours = (row for (language, _), row in table().items() if language in ("rules", "expressions"))
    return frozenset(word for row in ours for entry in row for word in entry.split())


def small(parts: dict[str, str]) -> str:
    """Write one of the whole texts, with a letter for each of its players."""
    whole = {"players": "red blue", "before": ""} | parts
    move = re.search(r"^move (\w+)", whole["moves"], re.MULTILINE)
    assert move
    letters = "XOZ"[: len(whole["players"].split())]
    return SMALL.format(**{"turn": move[1]} | whole, letters=letters)


def written(changes: dict[str, str]) -> str:
    """Write the rules with changed parts: a turn of all their moves, pieces of their players."""
    parts = PARTS | changes
    players = parts["players"].split()[1:]
    if parts["players"] != PARTS["players"]:
        parts["players"] += "\nlet unused = nowhere"
    text = TEXT.format(**parts)
    if "turn" in changes and "roll" in changes["turn"]:
        text = text.replace("move jump", "move roll").replace("move push", "move walk")
    moves = [m for m in re.findall(r"^move (\w+)", text, re.MULTILINE) if m not in parts["turn"]]
    rest = "".join(f" or {move}" for move in moves)
    text = (
        text.replace(parts["turn"], f"turn ({parts['turn'].removeprefix('turn ')}){rest}")
        if moves
        else text
    )
    return text.replace("put red", f"put {players[0]}")


def texts(phrase: str) -> list[str]:
    """Write rules that say the phrase, once for each place where it may stand."""
    filled = phrase
    for pattern, value in PLACEHOLDERS:
        filled = re.sub(pattern, value, filled)
    if phrase in WHOLE:
        return [small(WHOLE[phrase])]
    if filled.startswith("game "):
        return [f"format 1\n{filled}\n"]
    changes: list[dict[str, str]] = [{head: filled} for head in HEADS if filled.startswith(head)]
    if filled.startswith("pieces"):
        changes = [{"pieces": f"{filled}, {PARTS['pieces'].removeprefix('pieces ')}"}]
    changes += [{"board": f"{PARTS['board']} {filled}"}, {"board": f"{PARTS['board']}\n  {filled}"}]
    both = filled.replace("red", "blue").replace("white", "black")
    changes += [{"board": f"{PARTS['board']}\n  {filled}\n  {both}"}]
    changes += [
        {"players": "players white black", "item": f"{filled}\n{other}"} for other in OTHER_SIDE
    ]
    changes += [{"item": filled}, {"end": filled}, {"item": f"{filled}\n  need no own cross"}]
    changes += [
        {"item": f"{filled}\n  put stone at a"},
        {"players": f"{PARTS['players']}\n{filled}"},
    ]
    for chosen in ("", *CHOSEN.values()):
        for board in (PARTS["board"], TRACK, PILES):
            place = {"chosen": chosen, "board": board}
            effects = [
                filled,
                f"{filled}\n    seeds(a1) := 1",
                f"choose ray from a along orthogonal {filled}",
            ]
            effects += [f"need {form}" for form in (filled, f"any ({filled})", f"{filled} = 0")]
            changes += [{**place, "effect": effect} for effect in effects]
    rules = [written(change) for change in changes]
    if filled.startswith("state seeds"):
        return [text.replace("state seeds each s in sites = 0 in 0..99\n", "") for text in rules]
    return rules


@pytest.mark.parametrize("phrase", phrases())
def test_what_stands_beside_the_words_of_others_can_be_written(phrase: str) -> None:
    if set(re.findall(r"[a-z]+", phrase)) <= words() and not re.search(r"[^a-z ]", phrase):
        return  # words alone, which the page explains
    if phrase.startswith("rulewright "):
        assert {"show", "--position"} <= set(re.findall(r"[\w-]+", COMMANDS))
        return
    reports = (check(text) for text in texts(phrase))
    assert any(report.model is not None for report in reports), phrase
