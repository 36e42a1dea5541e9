"""Where a value is meant, the name of a player or a kind is no set of sites unsaid."""

from __future__ import annotations

import pytest

from rulewright import check

TEXT = """format 1
game values
players red blue
board square 3 by 3
pieces man "mw", king "KQ"
state kept = {first}
move place
  choose cell in empty
  put man at cell
  kept := {value}
move crown
  choose cell in own man
  put king at cell
turn place or crown
win when {end}
draw when stuck
"""
FINE = {"first": "nowhere", "value": "own king", "end": "any kept"}


def found(**parts: str) -> list[str]:
    return [d.message for d in check(TEXT.format(**{**FINE, **parts})).diagnostics]


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"first": "sites king", "value": "sites king"},
        {"first": "sites red", "value": "own or king"},
        {"value": "cell"},
        {"end": "own = red and mover = blue and any kept"},
        {"end": "own king = red and any kept"},
        {"end": "a1 in king and kept = own"},
        {"end": "some(k in [man, king] : k = king and any k) and no kept"},
    ],
)
def test_what_is_said_is_accepted(parts: dict[str, str]) -> None:
    assert found(**parts) == []


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"first": "red"}, "`red` is a player"),
        ({"first": "king"}, "`king` is a kind of piece"),
        ({"value": "mover"}, "`mover` is a player"),
        ({"value": "blue"}, "`blue` is a player"),
        ({"value": "king"}, "`king` is a kind of piece"),
        ({"end": "mover = kept"}, "a player is compared with a set of sites"),
        ({"end": "kept <> red"}, "a player is compared with a set of sites"),
        ({"end": "mover = own"}, "a player is compared with a set of sites"),
        ({"end": "a1 = king"}, "a kind is compared with a set of sites"),
        ({"end": "kept = king"}, "a kind is compared with a set of sites"),
    ],
)
def test_what_is_not_said_is_refused(parts: dict[str, str], message: str) -> None:
    assert any(said.startswith(message) for said in found(**parts))
