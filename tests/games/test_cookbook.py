"""The pages of the cookbook are what the recipes of the editor make."""

from __future__ import annotations

import rulewright
from rulewright.app.service import recipes
from tests.shared.places import RULESETS
from tests.tools import cookbook


def test_the_cookbook_is_what_the_recipes_make() -> None:
    stale = [path.name for path, page in cookbook.pages() if path.read_text("utf-8") != page]
    assert not stale, "python -m tests.tools.cookbook writes them anew"


def test_every_recipe_stands_in_a_chapter_of_a_page() -> None:
    chapters = cookbook.chapters()
    shown = [chapter for parts in cookbook.PAGES.values() for chapter in parts]
    assert sorted(shown) == sorted(chapters)
    titles = [title for of_chapter in chapters.values() for title in of_chapter]
    assert sorted(titles) == sorted(cookbook.raw())
    assert len(titles) >= 40
    assert all(len(recipe.text.splitlines()) <= 30 for recipe in cookbook.raw().values())
    assert {r.title for rows in recipes._all().values() for r in rows} == set(titles)


def test_three_sides_meet_on_cells_with_six_sides() -> None:
    """Who changes Hex so finds the recipe, and the other two sides do not matter."""
    recipe = next(r for r in recipes._all()["rules"] if r.title == "Three sides must meet")
    assert not recipe.square
    text = (RULESETS / "hex" / "hex.rules").read_text("utf-8").partition("win when")[0]
    lines = [line for line in text.splitlines() if "home" not in line and "goal" not in line]
    game = rulewright.loads("\n".join(lines) + "\n" + recipe.text, "hex.rules", size=3)
    three = game.start().play("a1 b2 a2 b1 a3")  # the left side, and both ends
    assert three.result is not None
    assert three.result.winner == "red"
