"""How strong players of a game are at fixed limits: the levels that the studio offers.

`python benchmarks/levels.py chess connect4:counter --write` lets the game's best player (or the one
named) play with ever more nodes.  A limit is a level where it wins enough against the level below;
the first is measured against random decisions.  `--write` puts the levels of these games into the
studio's data, and leaves those of others as they are.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

import rulewright
from rulewright.app.studio.levels import LEVELS_FILE, Level, levels_measured, levels_text
from rulewright.errors import RulewrightError
from rulewright.games.files.games import load
from rulewright.matches.protocols.format_settings import formats

NODES = (30, 300, 3000, 30000)
"""The limits that are tried, in nodes of a decision."""
ENOUGH = 0.6
"""The share of the points that makes a limit a level of its own."""
LONGEST = 300
"""Turns after which a game counts as a draw."""


def measure(game: str, who: str, games: int) -> Iterator[Level]:
    """The levels of a player, from the weakest on, as they are measured."""
    below = "random"
    for nodes in NODES:
        player = f"{who}@nodes={nodes}"
        wins, draws, losses = meet(game, player, below, games)
        print(f"{game}: {player} against {below}: {wins} won, {draws} drawn, {losses} lost")
        if wins + draws / 2 >= ENOUGH * (wins + draws + losses):
            yield Level(player, wins, draws, losses)
            below = player


def meet(game: str, player: str, below: str, games: int) -> tuple[int, int, int]:
    """The games that a player wins, draws and loses against another."""
    run = rulewright.match(game, player, below, games=games, seed=1, longest=LONGEST)
    for _ in run:
        pass
    won, drawn, lost = 0, 0, 0
    for cell in run.result()["pairings"]:
        first = cell["p1"] == player
        won += cell["p1_wins"] if first else cell["p2_wins"]
        lost += cell["p2_wins"] if first else cell["p1_wins"]
        drawn += cell["draws"]
    return won, drawn, lost


def measured(entry: str, games: int) -> tuple[str, tuple[Level, ...]]:
    """The name of a game and the levels of its player; the plain search where it has none."""
    name, _, who = entry.partition(":")
    who = who or formats(load(name)).play.best or "search"
    try:
        return name, tuple(measure(name, who, games))
    except RulewrightError as error:
        print(f"{entry}: {error}; the plain search plays instead")
        return name, tuple(measure(name, "search", games))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure games, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("entries", nargs="+", metavar="GAME[:PLAYER]")
    parser.add_argument("--games", type=int, default=20, help="of each two neighbours")
    parser.add_argument("--write", action="store_true", help="into the data of the studio")
    asked = parser.parse_args(arguments)
    for entry in asked.entries:
        name, levels = measured(entry, asked.games)
        if asked.write:
            LEVELS_FILE.write_text(levels_text({**levels_measured(), name: levels}))
            levels_measured.cache_clear()


if __name__ == "__main__":
    main()
