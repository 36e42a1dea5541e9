"""Commands that try what rules say: properties, coverage, reasons, differences."""

from __future__ import annotations

from rulewright.cli.arguments.shared import (
    Command,
    Parser,
    form,
    from_zero,
    game,
    position,
    positive,
    settings,
    whole_time,
)


def _test(p: Parser) -> None:
    p.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="rules, evaluators, personalities, or bundled games",
    )
    settings(p)
    p.add_argument(
        "--property",
        metavar="NAME",
        action="append",
        default=[],
        help="try only this property; may be repeated",
    )
    p.add_argument("--list", action="store_true", help="list the properties and what they mean")
    p.add_argument(
        "--effort",
        type=positive,
        default=1.0,
        metavar="X",
        help="so many times as much (default 1)",
    )
    p.add_argument(
        "--games", type=from_zero, metavar="N", help="random games by kernels (default 1000)"
    )
    p.add_argument("--seed", type=int, default=0, help="of everything random (default 0)")
    whole_time(p)
    p.add_argument("--junit", metavar="FILE", help="write a JUnit report too; - writes it out")
    p.add_argument(
        "--no-cases", action="store_true", help="do not keep what is found beside the rules"
    )
    form(p)


def _cover(p: Parser) -> None:
    p.add_argument("files", metavar="FILE", nargs="+", help="files of any kind, or bundled games")
    settings(p)
    p.add_argument(
        "--effort",
        type=positive,
        default=1.0,
        metavar="X",
        help="so many times as much (default 1)",
    )
    p.add_argument("--seed", type=int, default=0, help="of everything random (default 0)")
    whole_time(p)
    p.add_argument("--dead", action="store_true", help="list only what nothing has used")
    form(p)


def _why(p: Parser) -> None:
    game(p)
    p.add_argument("move", metavar="MOVE", help="a decision")
    position(p)
    form(p)


def _diff(p: Parser) -> None:
    p.add_argument("first", metavar="A", help="a rules file, or a bundled game")
    p.add_argument("second", metavar="B", help="another one")
    settings(p)
    p.add_argument(
        "--effort",
        type=positive,
        default=1.0,
        metavar="X",
        help="so many times as much (default 1)",
    )
    p.add_argument("--seed", type=int, default=0, help="of everything random (default 0)")
    form(p)


COMMANDS: dict[str, Command] = {
    "test": ("try the properties of rules, evaluators and personalities", _test),
    "cover": ("show what games use of a file, and what nothing ever does", _cover),
    "why-not": ("say which clause forbids a decision, and the values that it saw", _why),
    "why": ("say which clauses let a decision be made, and what it does", _why),
    "diff": ("find the first position in which two rules files differ", _diff),
}
