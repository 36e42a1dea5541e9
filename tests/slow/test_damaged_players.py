"""Damaged evaluators and personalities: always a diagnosis, never an exception, never silence.

Also what can still be read is evaluated: formulas may only end in typed faults that have a place.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import Fault
from rulewright.games.engine.game import Game
from rulewright.games.files.catalog import EVALUATOR, PERSONALITY
from rulewright.games.files.games import load
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.language.diagnostics import Diagnostic
from rulewright.model.evaluation import Evaluator
from rulewright.reference.evaluation import StaticEvaluator, terms
from tests.shared.effort import tries
from tests.shared.places import RULESETS

LEXEME = re.compile(r'"[^"\n]*"|[A-Za-z_]\w*\(?|\d+%?|\.\.|:=|<>|<=|>=|\n *|[^\s\w]| +')
SIZES = {"spanit": {"size": 3}, "hex": {"size": 4}, "connect5": {"size": 6}, "pente": {"size": 5}}
FILES = sorted(
    path
    for path in RULESETS.glob("*/*")
    if path.suffix in (".eval", ".personality") and path.parent.name not in ("twixt", "chess")
)
WORDS = sorted({word for path in FILES for word in LEXEME.findall(path.read_text("utf-8"))})
STRANGE = ["-", "(", ")", "0", "own", "%", "9" * 20, " for enemy", "\t", "é", '"', " in ", "north"]


@cache
def game(name: str) -> Game:
    return load(name, **SIZES.get(name, {}))


def damaged(text: str, random: Random) -> str:
    words = LEXEME.findall(text)
    for _ in range(random.choice([1, 1, 2, 4])):
        at, other = random.randrange(len(words)), random.randrange(len(words))
        match random.randrange(5):
            case 0 if len(words) > 2:
                del words[at]
            case 1:
                words.insert(at, random.choice(WORDS))
            case 2:
                words[at] = random.choice(WORDS)
            case 3:
                words[at], words[other] = words[other], words[at]
            case _:
                words[at] = random.choice(STRANGE)
    return "".join(words)


@settings(deadline=None, max_examples=tries(120))
@given(st.sampled_from(FILES), st.randoms(use_true_random=False))
def test_whatever_is_damaged_is_diagnosed(path: Path, random: Random) -> None:
    board = game(path.parent.name)
    text, where = damaged(path.read_text("utf-8"), random), FileContext(board, path.parent)
    if path.suffix == ".eval":
        judged = check_file(EVALUATOR, path.name, text.encode(), where)
        assert (judged.model is None) == _wrong(judged.diagnostics)
        if judged.model is not None:
            _evaluate(board, judged.model)
    else:
        person = check_file(PERSONALITY, path.name, text.encode(), where)
        assert (person.model is None) == _wrong(person.diagnostics)


def _wrong(diagnostics: tuple[Diagnostic, ...]) -> bool:
    return any(d.severity == "error" for d in diagnostics)


def _evaluate(board: Game, evaluator: Evaluator) -> None:
    wise, position, places = StaticEvaluator(board.play, evaluator), board.play.first, list[str]()
    for value in evaluator.values:
        try:
            if not value.of_move:
                wise.of_position(value, position)
                terms(value, wise.at(value, position))
            for option in wise.play.options(position)[:3]:
                if option.move in value.moves:
                    choice = wise.choices(position, option)
                    assert choice is not None
                    wise.of_move(value, position, choice)
        except Fault as fault:
            places.append(evaluator.place(fault.origin))
    assert all(place.rpartition(":")[2].isdigit() for place in places)
