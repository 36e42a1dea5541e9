"""Commands that try what rules say: properties, coverage, reasons, differences."""

from __future__ import annotations

from rulewright.cli.arguments.shared import (
    Command,
    Parser,
    form,
    from_zero,
    positive,
    settings,
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
    p.add_argument("--junit", metavar="FILE", help="write a JUnit report too; - writes it out")
    p.add_argument(
        "--no-cases", action="store_true", help="do not keep what is found beside the rules"
    )
    form(p)


COMMANDS: dict[str, Command] = {
    "test": ("try the properties of rules, evaluators and personalities", _test),
}
