"""Commands that let the computer think."""

from __future__ import annotations

from rulewright.cli.arguments.shared import (
    Command,
    Parser,
    form,
    game,
    limits,
    memory,
    position,
    positive,
    settings,
    whole,
    whole_time,
)

WHO = """WHO is human, human:NAME (hints by a personality), computer (the game's best player),
search (the plain search), random, the name or path of a personality, or a program:
gomocup:COMMAND, gtp:COMMAND, engine:COMMAND; WHO:SECONDS and WHO@depth=2,FACTOR=N change it"""


def _play(p: Parser) -> None:
    p.add_argument(
        "game", metavar="GAME", nargs="?", default="", help="a bundled name or a path to rules"
    )
    p.add_argument(
        "players", metavar="PLAYER=WHO", nargs="*",
        help=f"{WHO}; unsaid: the first is human, the second the computer",
    )  # fmt: skip
    settings(p)
    position(p)
    p.add_argument("--time", type=positive, metavar="S", help="seconds for each decision")
    p.add_argument(
        "--pace", default="", metavar="S|step",
        help="between two computers: seconds after each decision, or wait for a key",
    )  # fmt: skip
    p.add_argument(
        "--series", metavar="WHO", nargs="+", help="play against one after the other, with a score"
    )
    p.add_argument(
        "--games", type=whole, default=1, metavar="N", help="against each of a series (default 1)"
    )
    p.add_argument(
        "--replay", metavar="FILE", nargs="?", const="",
        help="look through a finished game; without FILE the last one that was kept",
    )  # fmt: skip
    p.add_argument("--new", action="store_true", help="do not offer the game that was left last")
    p.add_argument("--kept", action="store_true", help="list the games that are kept")
    p.add_argument(
        "--seed", type=int, metavar="N", help="of everything random; unsaid: new in each game"
    )


def _best(p: Parser) -> None:
    game(p)
    position(p, "+")
    limits(p)
    p.add_argument("--personality", metavar="P", help="who decides: a name, a path, NAME@depth=2")
    p.add_argument("--turn", action="store_true", help="decide a whole turn")
    p.add_argument(
        "--algorithm",
        choices=("auto", "alphabeta", "exact", "montecarlo"),
        default="auto",
        help="auto: forced results, then random games; exact: every decision with a full window",
    )
    p.add_argument("--roots", action="store_true", help="a value for every decision")
    p.add_argument("--unit", choices=("decision", "turn"), default="decision", help="of --depth")
    p.add_argument("--threads", type=whole, default=1, metavar="N", help="(default 1)")
    p.add_argument("--format", choices=("text", "json"), default="json", help="how data is printed")


def _bench(p: Parser) -> None:
    p.add_argument(
        "games", metavar="GAME", nargs="*", help="bundled names or paths; unsaid: all bundled games"
    )
    settings(p)
    p.add_argument(
        "--seconds", type=positive, default=0.3, metavar="S", help="of a measurement (default 0.3)"
    )
    p.add_argument("--rounds", type=whole, default=5, metavar="N", help="how often (default 5)")
    p.add_argument("--seed", type=int, default=1, help="of everything random (default 1)")
    p.add_argument("--playouts", action="store_true", help="measure random games only")
    p.add_argument("--scaling", action="store_true", help="random games on growing boards")
    p.add_argument(
        "--signature", action="store_true", help="count a fixed set of tasks, measure nothing"
    )
    form(p)


def _solve(p: Parser) -> None:
    game(p)
    position(p)
    p.add_argument("--shortest", action="store_true", help="find the shortest win too")
    p.add_argument(
        "--method",
        choices=("alphabeta", "proof"),
        default="alphabeta",
        help="proof: proof numbers, for sharp positions with many decisions",
    )
    p.add_argument(
        "--time",
        type=positive,
        metavar="S",
        help="seconds for the whole command (unsaid: as long as it takes)",
    )
    p.add_argument("--nodes", type=whole, metavar="N", help="decisions played at the most")
    memory(p)
    form(p)


def _explain(p: Parser) -> None:
    game(p)
    p.add_argument("move", metavar="MOVE", nargs="?", default="", help="explain this decision only")
    p.add_argument(
        "--personality", metavar="P", required=True, help="its name, a path, or NAME@depth=2"
    )
    p.add_argument("--versus", metavar="P2", help="what makes this personality decide otherwise")
    position(p)
    p.add_argument(
        "--most", type=whole, default=8, metavar="N", help="decisions shown as text (default 8)"
    )
    p.add_argument(
        "--svg", metavar="FILE", help="draw the values on the board; - writes it to the output"
    )
    whole_time(p)
    p.add_argument("--seed", type=int, default=0, help="of everything random (default 0)")
    form(p)


def _lint(p: Parser) -> None:
    game(p)
    p.add_argument("personality", metavar="P", help="its name, or a path")
    p.add_argument(
        "--positions", type=whole, default=20, metavar="N", help="positions tried (default 20)"
    )
    p.add_argument("--seed", type=int, default=0, help="of everything random (default 0)")
    form(p)


def _factors(p: Parser) -> None:
    game(p)
    form(p)


def _demo(p: Parser) -> None:
    p.add_argument("--time", type=positive, default=0.1, metavar="S", help="seconds a decision")
    p.add_argument("--seed", type=int, default=1, help="of everything random (default 1)")


COMMANDS: dict[str, Command] = {
    "play": ("play a game at the terminal", _play),
    "best": ("let the computer decide", _best),
    "bench": ("measure how fast games are", _bench),
    "solve": ("prove the value of a position", _solve),
    "explain": ("show what a personality thinks of each decision, and why", _explain),
    "lint": ("say which factors of a personality never change a decision", _lint),
    "factors": ("list the evaluators of a game, their factors, and its personalities", _factors),
    "demo": (
        "check every bundled text, let personalities play four games, explain one move",
        _demo,
    ),
}
