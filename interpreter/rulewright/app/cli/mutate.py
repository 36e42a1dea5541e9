"""Tests of claims: `mutate` puts faults into rules and lists those that no claim notices.

`claims` proposes claims for rules, and writes those that the author confirms.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import answer, decoded, print_json, progress, say
from rulewright.app.play.keyboard import EndOfInput, keyboard
from rulewright.checks.counts import FILE
from rulewright.checks.mutants import MutationSubject
from rulewright.checks.mutate import MutationReport, MutationRun, report_lines
from rulewright.checks.observing import Observer, ProposedClaim, lines_of_counts, text_with_claims
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files import catalog
from rulewright.games.files.games import RULES, bundled_games, find
from rulewright.games.files.kinds import FileContext, check_file, message_name
from rulewright.games.files.shelves import place_of
from rulewright.ground.disk import is_there, read_bytes, read_source, write_over
from rulewright.ground.printable import amount, printable_name
from rulewright.ground.translation import translate
from rulewright.matches.executors import InProcess, Pool, Processes

EFFORT = 0.2
"""The effort for each fault, of which there are hundreds."""


def mutate(arguments: Namespace) -> int:
    """Try the faults of a file; 1 if one survives that plays differently."""
    path = rules_file(arguments.file)
    if arguments.add:
        refuse_of_others(arguments.file, path)
    data = read_source(path)
    text, effort = decoded(message_name(path), data), EFFORT * arguments.effort
    trial = MutationSubject(message_name(path), str(path), text, arguments.seed, effort)
    report = _run(trial, arguments)
    if report.broken:
        broken = ", ".join(sorted(report.broken))
        say(f"{trial.name}: does not hold as it is, and is left out: {broken}")
    answer(arguments, {"file": trial.name, **report.as_data()}, report_lines(trial, report))
    if arguments.add and report.claims:
        _add(path, data, report.claims)
    return int(bool(report.survivors))


def rules_file(name: str) -> Path:
    """The file of a name; raises `RulewrightError` for files other than rules."""
    path = find(name)
    if catalog.by_suffix().get(path.suffix, RULES) is not RULES:
        raise RulewrightError(f"{path} is no file of rules: only their claims are known here")
    return path


def refuse_of_others(name: str, path: Path) -> None:
    """Refuse to write bundled files, and files of other people's packages."""
    if name in bundled_games():
        reason = "comes with the package and is not written; name the file by its path, or copy it"
        raise RulewrightError(f"{name} {reason}")
    place = place_of(path.absolute())
    if place.startswith(("installed: ", "added: ")):
        raise RulewrightError(f"{path} belongs to a package ({place}) and is not written; copy it")


def _add(path: Path, data: bytes, claims: Sequence[str]) -> None:
    """Add claims to rules, if these are still the bytes *data*."""
    mark = BOM_UTF8 if data.startswith(BOM_UTF8) else b""
    text = data.removeprefix(mark).decode()
    write_over(path, data, mark + text_with_claims(text, claims).encode())
    say(f"{amount(len(claims), 'claim')} added to {printable_name(path)}")


def _run(trial: MutationSubject, arguments: Namespace) -> MutationReport:
    workers = arguments.workers
    pool: Pool = InProcess() if workers == 1 else Processes(workers)
    with closing(pool), progress() as show:
        return MutationRun(
            trial, pool.executor, workers, arguments.most, arguments.time,
            lambda count, total: show(f"{count} of {amount(total, 'fault')} tried"),
            again=arguments.again,
        ).run()  # fmt: skip


# --- claims ---


def claims(arguments: Namespace) -> int:
    """Propose claims; write those that are confirmed, or all of them with --all."""
    path = rules_file(arguments.file)
    if arguments.all:
        refuse_of_others(arguments.file, path)
    data, name = read_source(path), message_name(path)
    text = decoded(name, data)

    def read(text: str, options: Mapping[str, Any]) -> Game:
        context = FileContext(None, path.parent, dict(options))
        return check_file(RULES, name, text.encode(), context).loaded()

    beside = path.parent / FILE
    counts = read_bytes(beside) if is_there(beside) else None
    try:
        counted = (counts or b"").decode()
    except UnicodeDecodeError:
        raise RulewrightError(f"{beside} is not UTF-8 text") from None
    observer = Observer(text, read, arguments.seed, arguments.effort, counted)
    if arguments.format == "json":
        print_json({"file": name, "claims": [claim.as_data() for claim in observer.proposed()]})
        return 0
    by_hand = not arguments.all and sys.stdin.isatty() and sys.stdout.isatty()
    by_hand = by_hand and arguments.file not in bundled_games()
    choice = list(_confirmed(observer) if by_hand else _printed(observer))
    if by_hand or arguments.all:
        _write(path, data, choice)
        _write_counts(path.parent / FILE, counts, observer, choice)
    elif choice:
        say("nothing is written: confirm at a terminal, or take --all")
    return 0


def _printed(observer: Observer) -> Iterator[ProposedClaim]:
    for claim in observer.proposed():
        print(_proposal(claim), flush=True)
        yield claim


def _proposal(claim: ProposedClaim) -> str:
    prefix = f"{FILE}: " if claim.counts else ""
    return f"{prefix}{claim.text}  # {translate(claim.why)}"


def _confirmed(observer: Observer) -> Iterator[ProposedClaim]:
    """The claims confirmed by `y`; `a` confirms all that follow, `q` none of them."""
    say("y: write it, n: do not, a: write all from here, q: no more")
    all_others = False
    with keyboard() as keys:
        for claim in observer.proposed():
            print(f"{_proposal(claim)}  ", end="", flush=True)
            key = "y" if all_others else _key(keys)
            print({"y": "yes", "a": "all", "q": "no more"}.get(key, "no"))
            all_others = all_others or key == "a"
            if key == "q":
                return
            if key in ("y", "a"):
                yield claim


def _key(keys: Any) -> str:
    try:
        while True:
            key = str(keys.press() or "").lower()
            if key in ("y", "n", "a", "q"):
                return key
    except EndOfInput:
        return "q"


def _write(path: Path, data: bytes, proposals: Sequence[ProposedClaim]) -> None:
    """Write the confirmed claims into the rules."""
    lines = [claim.text for claim in proposals if not claim.counts]
    if lines:
        _add(path, data, lines)


def _write_counts(
    path: Path, data: bytes | None, observer: Observer, proposals: Sequence[ProposedClaim]
) -> None:
    """Write the confirmed counts beside the rules."""
    counts = [claim.text for claim in proposals if claim.counts]
    if counts:
        alone = len(list(path.parent.glob("*.rules"))) == 1
        longer = lines_of_counts(observer.counts, observer.game.name, alone, counts)
        write_over(path, data, longer.encode())
        say(f"{amount(len(counts), 'line')} added to {printable_name(path)}")


COMMANDS: dict[str, a.Command] = {
    "claims": (claims, [
        a.value("file", "FILE", "a rules file, or a bundled game"),
        a.flag("--all", "write every claim that is proposed"),
        a.EFFORT, a.seed(), a.FORM,
    ]),
    "mutate": (mutate, [
        a.value("file", "FILE", "a rules file, or a bundled game"),
        a.value("--most", "N", "faults that are tried at the most", type=a.whole),
        a.each_time("seconds after which no more faults are tried; another run goes on"),
        a.EFFORT, a.seed(),
        a.value(
            "--workers", "N", "processes that try faults (default: one a core)",
            type=a.whole, default=os.cpu_count() or 1,
        ),
        a.flag("--again", "try also the faults that an earlier run has tried"),
        a.flag("--add", "write the claims that would catch survivors into the file"),
        a.FORM,
    ]),
}  # fmt: skip
