"""Texts of any kind: `check` shows every mistake, `fmt` gives one layout, `new` begins one."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from attrs import frozen

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import (
    print_json,
    read_text,
    renamed_rules,
    say,
    settings,
    spare,
    tell,
    write_text,
)  # fmt: skip
from rulewright.checks.claims import UntriedClaim, untried_claims, untried_text
from rulewright.checks.tried import try_claims
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.engine.kernels import PlayingBackend
from rulewright.games.files import catalog
from rulewright.games.files.catalog import PERSONALITY, by_suffix, load_personality, of_text
from rulewright.games.files.games import RULES, find, flat_text, load, load_with
from rulewright.games.files.kinds import FileContext, FileKind, check_file, files_of, message_name
from rulewright.ground.disk import read_source, write_whole
from rulewright.ground.limits import REPORTED
from rulewright.ground.printable import printable_name
from rulewright.ground.records import as_json
from rulewright.language.diagnostics import Diagnostic, TextError, errors, numbers, with_file_name
from rulewright.language.reprint_patterns import is_older


def check_files(arguments: Namespace) -> int:
    """Show every mistake of every file; 1 when there is an error, 2 when a file cannot be read.

    Rules that are not played by machine code are named with the reason.
    """
    status, diagnostics, rows = 0, list[Diagnostic](), list[dict[str, str]]()
    claims, passed_over = list[UntriedClaim](), list[dict[str, str]]()
    for name in arguments.files:
        try:
            checked = checked_file(name, dict(settings(arguments.set)), arguments.game or "")
        except RulewrightError as error:
            say(f"rulewright: {error}")
            status = 2
            continue
        diagnostics += checked.diagnostics
        if errors(checked.diagnostics):
            status = max(status, 1)
        if checked.played is not None:
            by = checked.played
            rows.append({"file": name, "backend": by.backend, "reason": by.reason})
        if arguments.format == "text":
            _print(name, checked)
        claims += checked.untried
        passed_over += [{"file": name, "what": missed} for missed in checked.left_out]
    if arguments.format == "json":
        data = {"files": arguments.files, "diagnostics": [d.as_data() for d in diagnostics]}
        print_json({**data, "played_by": rows, "untried": as_json(claims), "left_out": passed_over})
    return status


@frozen
class CheckedFile:
    """The diagnostics of a file; if it is rules without errors, what plays it and was not tried."""

    diagnostics: list[Diagnostic]
    played: PlayingBackend | None = None
    untried: tuple[UntriedClaim, ...] = ()
    left_out: tuple[str, ...] = ()
    """Checks that were skipped because the budget of steps was used up."""


def diagnostics_of(name: str, options: dict[str, str]) -> list[Diagnostic]:
    """The diagnostics of a file, a bundled game, or the input (`-`)."""
    return checked_file(name, options).diagnostics


def checked_file(name: str, options: dict[str, str], game: str = "") -> CheckedFile:
    """Check a file, a bundled game, or the input (`-`); *game* is for patterns that name none."""
    if name == "-":
        data, path = sys.stdin.buffer.read(), None
        kind = catalog.of_text(data.decode("utf-8", "replace"))
    else:
        path = find(name)
        data = read_source(path)
        kind = _kind(path, data)
    own: dict[str, Any] = {**options}
    patterns_game = load_with(game, own) if game and kind is catalog.PATTERNS else None
    context = FileContext(patterns_game, path.parent if path else None, own)
    report = check_file(kind, message_name(path) if path else "<input>", data, context)
    if report.guessed and report.game is not None:
        say(guessed_game(name, report.game))
    left_out = list[str]()
    more, backend = try_claims(kind.name, report, left_out)
    claims = untried_claims(report.game, path) if kind is RULES and report.game is not None else ()
    return CheckedFile([*report.diagnostics, *more], backend, tuple(claims), tuple(left_out))


def _kind(path: Path, data: bytes) -> FileKind[Any]:
    """The kind of a file, by its ending or its text; raises `RulewrightError` for others."""
    kind = catalog.by_suffix().get(path.suffix) or catalog.of_text(data.decode("utf-8", "replace"))
    if path.suffix != kind.suffix and not kind.any_suffix:
        if is_older(data.decode("utf-8", "replace")):
            convert = (
                f"`rulewright patterns convert {printable_name(path)}` writes it in today's words"
            )
            raise RulewrightError(f"{path} is in T1's older dialect; {convert}")
        suffixes = ", ".join(catalog.by_suffix())
        raise RulewrightError(
            f"{path} cannot be checked; `check` reads these kinds of files: {suffixes}"
        )
    return kind


def guessed_game(name: str, game: Game) -> str:
    """The warning about a file whose game is guessed."""
    sentence = f"{name} names no game and is read for {game.name}"
    return f"rulewright: warning: {sentence}; name the game with --game NAME"


def _print(name: str, checked: CheckedFile) -> None:
    diagnostics, by = checked.diagnostics, checked.played
    for diagnostic in diagnostics[:REPORTED]:
        print(diagnostic.render())
    if len(diagnostics) > REPORTED:
        tell(f"... and {len(diagnostics) - REPORTED} more")
    say(f"{printable_name(name)}: {numbers(diagnostics)}")
    if checked.left_out:
        missed = f"{', '.join(checked.left_out)}: too many steps were taken before"
        say(f"{printable_name(name)}: not looked at: {missed}")
    if checked.untried:
        say(f"{printable_name(name)}: {untried_text(checked.untried)}")
    if by is not None and by.reason:
        say(f"{printable_name(name)}: played by the {by.backend}, which is slow: {by.reason}")


# --- new ---


def new(arguments: Namespace) -> int:
    """Copy the rules of a game under a new name, as a starting point."""
    if arguments.package is not None:
        if arguments.personality is not None or arguments.force:
            raise RulewrightError("--package goes with neither --personality nor --force")
        from rulewright.app.cli.packages import new_package

        return new_package(arguments)
    if arguments.name is None or arguments.source is None:
        copies = "`rulewright new NAME --from GAME` copies a game"
        raise RulewrightError(f"{copies}; `rulewright games` lists all names")
    if arguments.personality is not None:
        return _new_personality(arguments)
    name = arguments.name.removesuffix(".rules")
    word = Path(name).name
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", word):
        raise RulewrightError(f"a game's name has letters, digits and `_`, not {word!r}")
    path = Path(f"{name}.rules")
    spare(path, arguments.force)
    write_whole(path, renamed_rules(arguments.source, word, path).encode())
    file = printable_name(path)
    say(f"{file} written; `rulewright check {file}` and `rulewright play {file}` use it")
    return 0


def _new_personality(arguments: Namespace) -> int:
    """Write a personality with every factor and what it means, as a starting point."""
    from rulewright.players.personality import whole_text

    name = arguments.name.removesuffix(".personality")
    word = Path(name).name
    path = Path(f"{name}.personality")
    spare(path, arguments.force)
    game = load(arguments.source)
    source = arguments.personality or next(iter(files_of(PERSONALITY, game)), "")
    write_text(str(path), whole_text(load_personality(game, source), word))
    say(f"{printable_name(path)} written; `rulewright check {printable_name(path)}` tests it")
    return 0


# --- fmt ---


def fmt(arguments: Namespace) -> int:
    """Rewrite files in the one layout, or say which would change."""
    status = 0
    for name in arguments.files:
        text = read_text(name)
        try:
            kind = by_suffix().get(Path(name).suffix) or of_text(text)
            new = kind.formatted(text)
        except TextError as error:
            raise TextError(with_file_name(error.diagnostics, printable_name(name))) from None
        if name == "-" and not arguments.check:
            write_text("-", new)
        elif new != text and arguments.check:
            say(f"{printable_name(name)} would change")
            status = 1
        elif new != text:
            write_text(name, new)
            say(f"{printable_name(name)} formatted")
    return status


# --- flat ---


def flat(arguments: Namespace) -> int:
    """Print the whole text of rules that build on others; it needs no other file."""
    if arguments.out != "-":
        spare(arguments.out, arguments.force)
    write_text(arguments.out, flat_text(find(arguments.game)))
    return 0


COMMANDS: dict[str, a.Command] = {
    "check": (check_files, [
        a.value(
            "files", "FILE",
            "rules, evaluators, personalities, patterns, or bundled games; - reads the input",
            nargs="+",
        ),
        a.value("--game", "GAME", "the game, where patterns name no game"),
        a.SETTINGS, a.FORM,
    ]),
    "fmt": (fmt, [
        a.value(
            "files", "FILE",
            "rules, evaluators, personalities, patterns; - formats the input to the output",
            nargs="+",
        ),
        a.flag("--check", "change nothing; exit with 1 if a file would change"),
    ]),
    "flat": (flat, [
        a.value("game", "GAME", "a bundled name or a path to a .rules file"),
        a.value("--out", "FILE", "where to write it (default: the output)", default="-"),
        a.FORCE,
    ]),
    "new": (new, [
        a.value("name", "NAME", "the name of the game or personality, and of its file", nargs="?"),
        a.value("--from", "GAME", "the game to start from", dest="source"),
        a.value(
            "--personality", "P",
            "write a personality for GAME, with all its factors; it starts as a copy of P",
            nargs="?", const="",
        ),
        a.value("--package", "NAME", "begin a project for a package of games, with a first game"),
        a.FORCE,
    ]),
}  # fmt: skip
