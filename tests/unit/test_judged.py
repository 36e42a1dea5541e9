"""Games that programs of others have written (tests/tools/judges.py): ours read them alike.

`python -m tests.unit.test_judged FILE ...` compares larger files.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.matches.game_files import read_games
from rulewright.matches.protocols.formats import formats
from rulewright.matches.protocols.pdn import PdnNotation
from rulewright.matches.protocols.recorded import Recorded
from rulewright.model.board import bits

FILES = sorted((Path(__file__).parents[1] / "data" / "judged").iterdir())


def pdn_pieces(text: str) -> set[str]:
    """The pieces of a position in PDN's FEN: colour, `K` for a king, site."""
    pieces = set()
    for part in text.split(":")[1:]:
        if part[:1] in ("W", "B"):
            pieces |= {part[0] + piece for piece in part[1:].split(",") if piece}
    return pieces


def own_pieces(game: Recorded) -> set[str]:
    """The pieces at the end of a game, in the same words."""
    style = formats(game.game).pdn
    assert style is not None
    notation, position = PdnNotation(game.game, style), game.end.situation.position
    names = game.game.rules.board.names
    king = next(n for n, kind in enumerate(game.game.rules.kinds) if kind.name == style.king)
    letters = (notation.first, "WB".replace(notation.first, ""))
    return {
        letter + "K" * (position.kinds[king] >> site & 1) + notation.number(names[site])
        for letter, owned in zip(letters, position.owned[:2], strict=True)
        for site in bits(owned)
    }


def differences(path: Path) -> Iterator[str]:
    """What is not alike at the ends of games; raises for games that cannot be read."""
    for number, game in enumerate(read_games(path)):
        (last,) = game.notes["Last"]
        if pdn_pieces(last) != own_pieces(game):
            yield f"{path}, game {number}: {last}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_games_of_others_end_alike(path: Path) -> None:
    assert len(list(read_games(path))) >= 10
    assert list(differences(path)) == []


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        count = sum(1 for _ in read_games(argument))
        print(f"{argument}: {count} games", *differences(Path(argument)), sep="\n")
