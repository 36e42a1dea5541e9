"""Help texts of commands, and argparse's errors, in other languages: nothing missing or stale."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from rulewright.app.cli import COMMANDS, main, parser
from rulewright.app.cli.arguments import NumberType, from_zero, positive, share, whole
from rulewright.ground.translation import entries
from tests.tools.commands import command, subparsers

FORM = re.compile(r"%(?:\(\w+\))?[a-z]|\b[A-Z]{3,}\b")
"""What argparse fills in, and the names of values, which every language has alike."""
TYPES: tuple[NumberType, ...] = (positive, share, whole, from_zero)


def helps(parser_: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the help texts of a parser and of its subcommands."""
    for action in parser_._actions:
        if action.help:
            yield action.help
        if isinstance(action, argparse._SubParsersAction):
            yield from (choice.help or "" for choice in action._choices_actions)
    for tool in subparsers(parser_).values():
        yield from helps(tool)


@cache
def said() -> set[str]:
    """Return what commands say of themselves: helps, the two texts around them, and types."""
    top = parser("")
    texts = {text for name in COMMANDS for text in helps(command(name))} | {*helps(top)}
    types = {str(vars(kind)["_name"]) for kind in TYPES}
    return texts | types | {str(top.description), str(top.epilog)}


def test_each_help_text_is_german() -> None:
    german = dict([*entries("de"), *entries("de", helps=True)])
    assert sorted(said() - german.keys()) == []


def test_the_catalogue_has_no_help_that_no_command_gives() -> None:
    standard = Path(argparse.__file__).read_text("utf-8").replace("'\n", "").replace('"\n', "")
    texts = [text for text, _ in entries("de", helps=True) if text not in said()]
    assert len(texts) > 15  # the sentences of argparse itself
    assert [text for text in texts if text.strip("\n") not in standard] == []


def test_what_is_filled_in_is_the_same_in_german() -> None:
    """A help whose `%(default)s` or FILE is lost would end in a traceback, or mean nothing."""
    for text, other in entries("de", helps=True):
        assert sorted(FORM.findall(text)) == sorted(FORM.findall(other)), text


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["best", "--help"], ["Aufruf: rulewright best", "Optionen:", "Lässt den Computer"]),
        (["--help"], ["Schreibe die Regeln", "prüft", "zeigt alle Fehler von Dateien"]),
        (["patterns", "mine", "--help"], ["Lernt Muster aus aufgezeichneten Partien."]),
    ],
)
def test_help_is_german(
    words: list[str], parts: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--language", "de", *words])
    printed = capsys.readouterr().out
    assert [part for part in parts if part not in printed] == []


@pytest.mark.parametrize(
    ("words", "english", "german"),
    [
        (["best", "hex", "--nodes", "few"],
         "argument --nodes: invalid whole number from 1 value: 'few'",
         "Argument --nodes: 'few' ist kein Wert dieser Art: ganze Zahl ab 1"),
        (["best"], "the following arguments are required: GAME", "diese Argumente fehlen: GAME"),
        (["best", "hex", "--nodes"], "argument --nodes: expected one argument",
         "Argument --nodes: braucht einen Wert"),
        (["match", "hex", "a", "b", "--sprt", "1"], "argument --sprt: expected 2 arguments",
         "Argument --sprt: braucht 2 Werte"),
        (["best", "hex", "--every a way"], "unrecognized arguments: --every a way",
         "unbekannte Argumente: --every a way"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused_in_the_language(
    words: list[str], english: str, german: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The English text is argparse's own, and what was typed is never taken for English."""
    for language, message in (("en", english), ("de", german)):
        with pytest.raises(SystemExit):
            main(["--language", language, *words])
        printed = capsys.readouterr().err
        assert message in printed
        assert ("usage: " in printed) == (language == "en")
