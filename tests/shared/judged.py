"""Games that programs of others have written, read by ours: what is not alike at their ends.

`python -m tests.shared.judged FILE ...` compares files of tests/tools/judges.py.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from rulewright.matches.game_files import FileHints, read_data, read_games
from rulewright.matches.protocols.format_settings import formats
from rulewright.matches.protocols.pdn import PdnNotation
from rulewright.matches.protocols.recorded import Recorded
from rulewright.matches.protocols.usi import UsiText
from rulewright.model.board import bits


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


def sfen_differences(path: Path) -> Iterator[str]:
    """What is not alike at the ends of the games of Shogi in a list of texts."""
    for number, row in enumerate(json.loads(path.read_text("utf-8"))):
        game = read_data(Path(row["name"]), row["text"].encode(), FileHints())
        style = formats(game.game).usi
        assert style is not None
        notation, position = UsiText(game.game, style), game.end.situation.position
        if notation.write_position(position).split()[:3] != row["last"].split()[:3]:
            yield f"{path}, game {number}: {row['last']}"


def differences(path: Path) -> Iterator[str]:
    """What is not alike at the ends of games; raises for games that cannot be read."""
    if path.suffix == ".json":
        yield from sfen_differences(path)
        return
    for number, game in enumerate(read_games(path)):
        (last,) = game.notes["Last"]
        if pdn_pieces(last) != own_pieces(game):
            yield f"{path}, game {number}: {last}"


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        print(argument, *differences(Path(argument)), sep="\n")
