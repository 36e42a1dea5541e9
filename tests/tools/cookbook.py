"""The cookbook, from the recipes that the editor and the studio offer.

In: `recipes.toml`, and the heads of the pages in docs/, which are written by hand; the first holds
a game.  Out: the pages.  Each recipe is put into that game, which is played at random until the
recipe acts: the position is its board.  `python -m tests.tools.cookbook` writes the pages.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import rulewright
from rulewright.app.service import recipes
from rulewright.app.service.document import Document
from rulewright.app.service.recipes import Recipe, insertion
from rulewright.games.files.games import RULES
from rulewright.games.files.kinds import FileContext, check_file
from tests.shared.documents import blocks
from tests.shared.places import DOCS

CAPTURES = ("near(a) empty", "around(a) and not own")
"""What `walk` chooses from, without captures and with them."""
SHOWN = {"The third time is a draw": "b2-c2 d4-c4 c2-b2 c4-d4 " * 2}
"""Games that hardly come by chance."""
ALWAYS = {"mover", "ply", "rest", "over"}
"""What every position remembers, and no board shows."""
GAMES, LONGEST, FIRST = 40, 60, 2
"""Random games for each recipe, their length, and how many decisions stand before it at least."""

PAGES = {
    "cookbook": ("moving",),
    "cookbook-capturing": ("capturing",),
    "cookbook-turns": ("turns and memory", "ends"),
    "cookbook-games": ("whole games, offered for an empty text", "looks"),
}
"""Pages of the cookbook, with the chapters of `recipes.toml` that each shows."""


def base() -> str:
    """Return the game that recipes are put into."""
    head = (DOCS / "cookbook.md").read_text("utf-8")
    return next(block.text for block in blocks(head) if block.language == "rules")


def chapters() -> dict[str, list[str]]:
    """Return the titles of the recipes by chapter, in the order of the file."""
    text = Path(recipes.__file__).with_name("recipes.toml").read_text("utf-8")
    parts = re.split(r"^# --- (.+) ---$", text, flags=re.MULTILINE)[1:]
    titles = [re.findall(r'^title = "(.+)"$', part, re.MULTILINE) for part in parts[1::2]]
    return dict(zip(parts[::2], titles, strict=True))


def raw() -> dict[str, Recipe]:
    """Return every recipe by its title, in its own words."""
    text = Path(recipes.__file__).with_name("recipes.toml").read_text("utf-8")
    return {row["title"]: Recipe(**row) for rows in tomllib.loads(text).values() for row in rows}


def pages() -> Iterator[tuple[Path, str]]:
    """Write each page of the cookbook, with the file that keeps it."""
    by_title, titles = raw(), chapters()
    for name, parts in PAGES.items():
        text = (DOCS / f"{name}.md").read_text("utf-8").partition("\n## ")[0].rstrip() + "\n"
        for chapter in parts:
            heading = chapter.partition(",")[0]
            text += f"\n## {heading[0].upper()}{heading[1:]}\n"
            text += "".join(section(by_title[title], chapter) for title in titles[chapter])
        yield DOCS / f"{name}.md", text


def section(recipe: Recipe, chapter: str) -> str:
    """Write the section of a recipe: what it does, its lines, its board."""
    whole = recipe.text.startswith("format 1\n")
    language = "look recipe" if chapter == "looks" else "rules" if whole else "rules recipe"
    text = f"\n### {recipe.title}\n\n{recipe.about}\n\n```{language}\n{recipe.text}```\n"
    if recipe.turn:
        text += f"\nThe turn becomes `turn {recipe.turn.replace('TURN', '...')}`."
        text += f"  A further kind of piece: `{recipe.piece}`.\n" if recipe.piece else "\n"
    elif recipe.piece:
        text += f"\nA further kind of piece: `{recipe.piece}`.\n"
    if chapter != "looks":
        rules = recipe.text if whole else with_recipe(recipe, chapter)
        text += f"\n```text\n{board(rules, recipe)}```\n"
    return text


def with_recipe(recipe: Recipe, chapter: str) -> str:
    """Return the base game with a recipe in it; for ends, a game in which pieces are captured."""
    text = base().replace(*CAPTURES) if chapter == "ends" else base()
    document = Document(Path("base.rules"), text)
    named = next(r for r in recipes.recipes(document) if r.title == recipe.title)
    for edit in reversed(insertion(document, text.index("walk"), named)):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def board(text: str, recipe: Recipe) -> str:
    """Show the shortest of some random games in which a recipe acts, with its last position."""
    context = FileContext(None, Path(), {})
    game = check_file(RULES, "base.rules", text.encode(), context).loaded()
    chance, shortest, best = random.Random(7), LONGEST, None
    if recipe.title in SHOWN:
        state = game.start().play(SHOWN[recipe.title])
        return shown(state, SHOWN[recipe.title].strip())
    for _ in range(GAMES):
        moves, state = random_game(game.start(), recipe, shortest, chance)
        if acts(state, moves, recipe):
            shortest, best = len(moves), (moves, state)
    assert best is not None, f"no random game uses the recipe {recipe.title}"
    moves, state = best
    return shown(state, " ".join(move.text for move in moves))


def shown(state: rulewright.State, moves: str) -> str:
    """Show a position with what it remembers, the moves before it and the result."""
    decisions = moves.split()
    many = f"{len(decisions)} decisions, the last {decisions[-1]}"
    memory = state.text().partition("\n\n")[2].splitlines()
    lines = [
        f"after {moves if len(decisions) <= 10 else many}",
        state.board().rstrip(),
        *(line for line in memory if line and line.partition(":")[0] not in ALWAYS),
        *([f"{state.result}".rpartition(" (")[0].removeprefix("draw: ")] if state.over else []),
    ]
    return "".join(f"{line}\n" for line in lines)


def random_game(
    state: rulewright.State, recipe: Recipe, most: int, chance: random.Random
) -> tuple[list[rulewright.Move], rulewright.State]:
    """Play until a recipe acts, for fewer decisions than `most`; its own moves come first."""
    moves = list[rulewright.Move]()
    while not state.over and len(moves) < most - 1 and not acts(state, moves, recipe):
        legal = list(state.moves)
        own = [move for move in legal if move.name in named_moves(recipe)[-1:]]
        moves.append(chance.choice(own if own and len(moves) >= FIRST else legal))
        state = state.play_decision(moves[-1].text)
    return moves, state


def acts(state: rulewright.State, moves: list[rulewright.Move], recipe: Recipe) -> bool:
    """Whether what a recipe is about is seen in a position."""
    if recipe.text.startswith("format 1\n"):
        return state.over or len(moves) == 8
    if names := named_moves(recipe):
        early = re.search("^first turn |ply = 1", recipe.text, re.MULTILINE)
        made = len(moves) > (0 if early else FIRST) and moves[-1].name == names[-1]
        return made and ("clear" not in recipe.text or captures(state))
    if recipe.piece:
        return bool(set(state.board()) & set("Qq"))
    if re.search("^(win|draw|score) ", recipe.text, re.MULTILINE):
        verdict = f"{state.result}".partition(": ")[2].rpartition(" (")[0]
        return state.over and len(moves) > FIRST and verdict in recipe.text
    return len(moves) == 6


def captures(state: rulewright.State) -> bool:
    """Whether the last decision has left a player fewer pieces."""
    assert state.before is not None
    now, before = state.board(), state.before.board()
    return any(now.count(letter) < before.count(letter) for letter in "mw")


def named_moves(recipe: Recipe) -> list[str]:
    """Return the moves that a recipe brings."""
    return re.findall(r"^move (\w+)", recipe.text, re.MULTILINE)


if __name__ == "__main__":
    for path, page in pages():
        path.write_text(page, "utf-8")
