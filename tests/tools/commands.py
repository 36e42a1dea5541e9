"""The reference of commands, from the parsers that read them.

In: the head of docs/commands.md.  Out: the page, whose reference is written anew.
`python -m tests.tools.commands` writes it.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache

from rulewright.app.cli import COMMANDS, parser
from tests.shared.places import DOCS

PAGE = DOCS / "commands.md"
REFERENCE = "## Reference\n"
"""The line behind which nothing is written by hand."""
MANY = 4
"""Commands whose common argument is described only once."""


def page(text: str) -> str:
    """Write the reference of a page anew."""
    head, _, _ = text.partition(REFERENCE)
    return head + REFERENCE + "".join(reference())


def reference() -> Iterator[str]:
    """Write the arguments of many commands, then a section for each command."""
    yield "\n### Arguments of many commands\n\n"
    yield from sorted(f"- {line}\n" for line in shared())
    for name, (_, about) in sorted(COMMANDS.items()):
        yield f"\n### {name}\n{about[0].upper()}{about[1:]}.\n"
        yield from described(command(name), f"rulewright {name}")


def described(parser_: argparse.ArgumentParser, words: str) -> Iterator[str]:
    """Write the arguments of a command, then those of its subcommands."""
    lines = list(arguments(parser_))
    own = [f"- {line}\n" for line in lines if line not in shared()]
    usual = [name_of(line) for line in lines if line in shared()]
    yield from own
    if usual:
        yield f"- and {', '.join(f'`{name}`' for name in usual)}, as above\n"
    for name, tool in subparsers(parser_).items():
        yield f"\n`{words} {name}`: {tool.description or ''}\n"
        yield from described(tool, f"{words} {name}")


@cache
def shared() -> frozenset[str]:
    """Return the arguments that mean the same in many commands."""
    counts = Counter(line for name in COMMANDS for line in set(arguments(command(name))))
    usual = {name_of(line): line for line, count in reversed(counts.most_common()) if count >= MANY}
    return frozenset(usual.values())


def name_of(line: str) -> str:
    """Return the name of the argument that a line is about."""
    return re.split("[ `]", line)[1]


@cache
def command(name: str) -> argparse.ArgumentParser:
    """Return the parser of a command."""
    return subparsers(parser(name))[name]


def arguments(parser_: argparse.ArgumentParser) -> Iterable[str]:
    """Write each argument of a parser in a line."""
    for action in parser_._actions:
        if not isinstance(action, argparse._HelpAction | argparse._SubParsersAction):
            yield f"`{spelled(action)}`{meaning(action)}"


def subparsers(parser_: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the subcommands of a parser by name."""
    for action in parser_._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def spelled(action: argparse.Action) -> str:
    """Return an argument as it is written."""
    values = argparse.HelpFormatter("")._format_args(action, value_of(action))
    if action.option_strings:
        return f"{action.option_strings[-1]} {values}".rstrip()
    return values


def value_of(action: argparse.Action) -> str:
    """Return what stands for the value of an argument."""
    if action.choices is not None:
        return "{" + ",".join(map(str, action.choices)) + "}"
    return action.dest.upper()


def meaning(action: argparse.Action) -> str:
    """Return the help text of an argument, with the values it names."""
    text = (action.help or "") % {**vars(action), "prog": "rulewright"}
    safe = re.sub(r"([<>*_])", r"\\\1", text)
    return f": {safe}" if text else ""


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
