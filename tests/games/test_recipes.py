"""Recipes: each can be put into a game, which then is played by it."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from rulewright.app.service.document import Document
from rulewright.app.service.documents import Workspace
from rulewright.app.service.recipes import Recipe, insertion, recipes
from rulewright.games.files.games import RULES
from rulewright.games.files.kinds import FileContext, check_file

RULES_TEXT = """\
format 1
game base

players red blue
board square 5 by 5
pieces man "mw"

setup
  put red man at row(1)
  put blue man at row(4)

move walk
  choose a in own
  choose b in near(a) empty
  move a to b

turn walk  # as a king goes

draw when stuck
draw when ply = 60
"""
LOOK_TEXT = "format 1\nlook plain for tictactoe\n\nboard cells paper\n"


def written(document: Document, offset: int, recipe: Recipe) -> str:
    """The text with a recipe in it."""
    text = document.text
    for edit in reversed(insertion(document, offset, recipe)):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def wrong(path: Path, text: str) -> list[str]:
    """What stands wrong in a text."""
    workspace = Workspace()
    diagnostics = workspace.diagnostics(workspace.open(path, text))
    return [f"{d.code}: {d.message}" for d in diagnostics if d.severity == "error"]


def random_moves(text: str, games: int = 60) -> set[str]:
    """The kinds of moves that are made in random games; none ends in a fault."""
    context = FileContext(None, Path(), {})
    game = check_file(RULES, "base.rules", text.encode(), context).loaded()
    chance, seen = random.Random(7), set[str]()
    for _ in range(games):
        state = game.start()
        while not state.over:
            move = chance.choice(list(state.moves))
            seen.add(move.name)
            state = state.play_decision(move.text)
    return seen


RECIPES = recipes(Document(Path("base.rules"), RULES_TEXT))


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.title)
@pytest.mark.parametrize("word", ["format", "players", "walk", "put blue", "ply"])
def test_a_recipe_of_rules_is_put_in_anywhere_and_played(
    tmp_path: Path, recipe: Recipe, word: str
) -> None:
    document = Document(tmp_path / "base.rules", RULES_TEXT)
    text = written(document, RULES_TEXT.index(word), recipe)
    assert wrong(tmp_path / "base.rules", text) == []
    if word == "format":
        assert set(re.findall(r"^move (\w+)", recipe.text, re.M)) <= random_moves(text)


@pytest.mark.parametrize(
    "recipe", recipes(Document(Path("a.look"), LOOK_TEXT)), ids=lambda recipe: recipe.title
)
def test_a_recipe_of_looks_is_put_in(tmp_path: Path, recipe: Recipe) -> None:
    document = Document(tmp_path / "plain.look", LOOK_TEXT)
    assert wrong(tmp_path / "plain.look", written(document, len(LOOK_TEXT), recipe)) == []


def test_names_that_a_text_has_are_left_alone(tmp_path: Path) -> None:
    text = RULES_TEXT.replace("move walk", "move jump").replace("turn walk", "turn jump else jump")
    document = Document(tmp_path / "base.rules", text)
    jump = next(recipe for recipe in recipes(document) if recipe.title == "Jump and capture")
    longer = written(document, 0, jump)
    assert "move jump2" in longer
    assert "turn (jump else jump) or jump2  # as a king goes" in longer
    assert wrong(tmp_path / "base.rules", longer) == []


@pytest.mark.parametrize(
    ("board", "more", "missing"),
    [
        ("board rhombus 5 by 5", "", "Drop to the lowest hole"),
        ("board square 5 by 5", "after turn\n  clear a1\n", "Promote on the last row"),
        ("board square 5 by 5", "", ""),
        ("board", "", "Drop to the lowest hole"),
    ],
)
def test_what_does_not_fit_is_not_offered(
    tmp_path: Path, board: str, more: str, missing: str
) -> None:
    text = RULES_TEXT.replace("board square 5 by 5", board) + more
    titles = {recipe.title for recipe in recipes(Document(tmp_path / "base.rules", text))}
    assert missing not in titles
    assert "Jump and capture" in titles
    assert len(titles) == len(RECIPES) or missing


def test_an_empty_text_is_offered_whole_games(tmp_path: Path) -> None:
    document = Document(tmp_path / "mine.rules", "\n")
    games = recipes(document)
    assert len(games) > 5
    for game in games:
        text = written(document, 0, game)
        assert wrong(tmp_path / "mine.rules", text) == []
        assert random_moves(text.lstrip(), games=1)
