"""Commands about matches, tournaments and their records."""

from __future__ import annotations

from rulewright.cli.arguments.shared import (
    Command,
    Parser,
    form,
    from_zero,
    game,
    positive,
    whole,
)

PLAYER = (
    "a personality (name or path), computer or random; WHO@depth=2,nodes=500,time=0.1 limits it"
)


def _match(p: Parser) -> None:
    game(p)
    p.add_argument("first", metavar="A", help=PLAYER)
    p.add_argument("second", metavar="B", help="likewise")
    p.add_argument(
        "--sprt", type=float, nargs=2, metavar=("ELO0", "ELO1"),
        help="stop as soon as one of two differences in Elo is sure enough",
    )  # fmt: skip
    p.add_argument(
        "--errors", type=float, nargs=2, default=(0.05, 0.05), metavar=("A", "B"),
        help="how often --sprt may be wrong about either (default 0.05 0.05)",
    )  # fmt: skip
    _terms(p)


def _tournament(p: Parser) -> None:
    game(p)
    p.add_argument("players", metavar="P", nargs="+", help=PLAYER)
    p.add_argument("--gauntlet", action="store_true", help="the first against all others")
    _terms(p)


def _terms(p: Parser, games: int = 100, record: bool = True) -> None:
    """What matches and tournaments have in common."""
    p.add_argument(
        "--games", type=whole, default=games, metavar="N",
        help=f"of each pairing, both seats together; even (default {games})",
    )  # fmt: skip
    p.add_argument(
        "--both-seats", action="store_true",
        help="N games of each pairing in each order, a player against itself included",
    )  # fmt: skip
    p.add_argument("--time", type=positive, metavar="S", help="seconds for each decision")
    p.add_argument(
        "--clock", metavar="S+I", help="seconds for a whole game, I seconds back after each turn"
    )
    p.add_argument("--nodes", type=whole, metavar="N", help="of each search")
    p.add_argument("--depth", type=whole, metavar="N", help="of each search")
    p.add_argument("--memory", type=whole, default=64, metavar="MIB", help="(default 64)")
    p.add_argument(
        "--grace", type=positive, default=1.0, metavar="S",
        help="seconds by which a decision may be late (default 1)",
    )  # fmt: skip
    p.add_argument(
        "--openings", metavar="N|FILE",
        help="random turns at the beginning, or a file with an opening in each line (default: 2"
        " turns, or as many more as give every pair of games its own)",
    )  # fmt: skip
    p.add_argument(
        "--adjudicate", metavar="V:N",
        help="end a game when both players' values agree, by at least V, for N turns",
    )  # fmt: skip
    p.add_argument(
        "--longest", type=whole, default=2000, metavar="N", help="turns of a draw (default 2000)"
    )
    p.add_argument("--seed", type=int, default=0, help="of everything random (default 0)")
    if record:
        p.add_argument(
            "--record", metavar="FILE",
            help="keep every game, .jsonl or .db; the same command goes on where it stopped",
        )  # fmt: skip
    p.add_argument("--workers", type=whole, default=1, metavar="N", help="processes (default 1)")
    p.add_argument("--cluster", metavar="ADDRESS", help="play on a Dask cluster")
    form(p)


def _replay(p: Parser) -> None:
    p.add_argument(
        "file", metavar="FILE",
        help="a record of a match (.jsonl, .db), or cases that `test` has kept (.cases)",
    )  # fmt: skip
    p.add_argument(
        "--game", type=from_zero, metavar="N", help="of a record: show the game of this number"
    )
    p.add_argument(
        "--verify", action="store_true",
        help="of a record: play every game again; check results, and the hashes of all files",
    )  # fmt: skip
    p.add_argument("--case", type=whole, metavar="N", help="of cases: only this one, from 1")
    form(p)


def _export(p: Parser) -> None:
    p.add_argument("file", metavar="FILE", help="a record of a match, .jsonl or .db")
    p.add_argument(
        "--as", dest="form", choices=("csv", "text", "svg", "sgf"), default="csv",
        help="csv: a table of all games; else one file for each (default csv)",
    )  # fmt: skip
    p.add_argument("--game", type=from_zero, metavar="N", help="only the game of this number")
    p.add_argument(
        "--out", metavar="PLACE", default="-", help="a file for csv, else a folder; - is the output"
    )


def _report(p: Parser) -> None:
    p.add_argument("file", metavar="FILE", help="a record of a match, .jsonl or .db")
    p.add_argument(
        "--out", metavar="PAGE", default="", help="(default: FILE with .html); - is the output"
    )
    p.add_argument(
        "--games", type=from_zero, default=100, metavar="N",
        help="games that are drawn at the most, of all that are listed (default 100)",
    )  # fmt: skip


def _tune(p: Parser) -> None:
    game(p)
    p.add_argument("personality", metavar="P", help="what is tuned: a name, or a path")
    p.add_argument("--out", metavar="FILE", required=True, help="the new NAME.personality")
    p.add_argument("--factors", metavar="A,B", help="those that may change; unsaid: all")
    p.add_argument(
        "--versus", metavar="WHO", action="append",
        help="an opponent, may be repeated; unsaid: P as it is",
    )  # fmt: skip
    p.add_argument("--trials", type=whole, default=50, metavar="N", help="(default 50)")
    p.add_argument("--sampler", choices=("tpe", "cmaes"), default="tpe", help="(default tpe)")
    p.add_argument(
        "--study", metavar="FILE", help="keeps the trials; the same command goes on with them"
    )
    p.add_argument(
        "--confirm", type=whole, default=200, metavar="N",
        help="games of the best against P at the end (default 200)",
    )  # fmt: skip
    p.add_argument(
        "--force", action="store_true", help="write it also when that match shows it to be worse"
    )
    _terms(p, games=20, record=False)


COMMANDS: dict[str, Command] = {
    "match": ("let two players play many fair games", _match),
    "tournament": ("let everyone play against everyone", _tournament),
    "replay": ("play kept games again and say what they show now", _replay),
    "export": ("write games on record as CSV, text, SVG or SGF", _export),
    "report": ("write a record as one page to look at", _report),
    "tune": ("improve factors of a personality by matches", _tune),
}
