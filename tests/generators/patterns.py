"""Random pattern files for a game: whole, accepted by `check`, with every part of the language.

Conditions of one pattern never contradict each other: a place is spoken of once, and where a link
must be possible there is a place.
"""

from __future__ import annotations

from hypothesis import strategies as st

from rulewright.games.engine.game import Game
from rulewright.model.board import Step
from rulewright.model.patterns import HERE

_PLACES = ("Own", "Opp", "Free", "Edge", "NStrong")
_FAR = 3


def pattern_files(
    game: Game, around: str = "own", most: int = 8, symmetries: tuple[str, ...] = ("mirror", "none")
) -> st.SearchStrategy[str]:
    """Texts of pattern files; *around* is `own` or `ends of PATH`."""

    @st.composite
    def files(draw: st.DrawFn) -> str:
        head = ["format 1", f"Patterns for {game.name}", f"Around {around}"]
        head.append(f"Symmetry {draw(st.sampled_from(symmetries))}")
        count = draw(st.integers(1, most))
        bodies = [_pattern(draw, game, number) for number in range(count)]
        return "\n".join([*head, *bodies]) + "\n"

    return files()


def _pattern(draw: st.DrawFn, game: Game, number: int) -> str:
    word = draw(st.sampled_from(("Off", "Def", "OffS", "DefS")))
    spots = [(x, y) for x in range(-_FAR, _FAR + 1) for y in range(-_FAR, _FAR + 1)]
    spots.remove(HERE)
    move, *places = draw(st.lists(st.sampled_from(spots), min_size=1, max_size=5, unique=True))
    lines = [f"{word} p{number}"]
    ends = _links(draw, game)
    linked = {(move[0] + dx, move[1] + dy) for dx, dy in ends}
    for x, y in places:
        tests = _PLACES[: 3 if (x, y) in linked else 5 if game.rules.links else 4]
        lines.append(f"  {draw(st.sampled_from(tests))} {x} {y}")
    x, y = move
    lines += [f"  BPoss {x} {y} {x + dx} {y + dy}" for dx, dy in ends]
    if game.rules.links and not ends and draw(st.booleans()):
        lines.append("  Strong 0 0")
    if draw(st.integers(0, 5)) == 0:
        ahead = max(0, *(y for _, y in (move, *places, *linked)))  # all of it is on the board
        lines.append(f"  Row {draw(st.integers(ahead, ahead + 3))}")
    counted = draw(st.sampled_from(("", "", "", "Left 1", "Left 2", "Middle 0", "Middle 1")))
    lines += [f"  {counted}"] if counted else []
    if draw(st.booleans()):
        lines.append(f"  Priority {draw(st.integers(0, 9))}")
    lines.append(f"  Set {move[0]} {move[1]}")
    return "\n".join(lines)


def _links(draw: st.DrawFn, game: Game) -> list[Step]:
    """Steps from the move along which links must be possible."""
    if not game.rules.links:
        return []
    steps = game.rules.links[0].steps
    return draw(st.lists(st.sampled_from(steps), max_size=2, unique=True))
