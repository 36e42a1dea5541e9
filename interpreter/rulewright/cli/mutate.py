"""Rules that guard themselves: `mutate` puts faults into a file and says which nothing finds.

`claims` proposes what a file might claim, and writes what its author confirms.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulewright.checks.counts import FILE
from rulewright.checks.mutants import MutationSubject
from rulewright.checks.mutate import MutationReport, MutationRun, report_lines
from rulewright.checks.observing import Observer, ProposedClaim, added, lines_of_counts
from rulewright.cli import arguments as a
from rulewright.cli.common import print_json
from rulewright.disk import is_there, read_bytes, read_source, write_over
from rulewright.engine.game import Game
from rulewright.errors import RulewrightError
from rulewright.files import catalog
from rulewright.files.games import RULES, bundled, find
from rulewright.files.kinds import FileContext, check_file, shown
from rulewright.files.shelves import place_of
from rulewright.language.diagnostics import Collector, TextError
from rulewright.language.source import decode
from rulewright.matches.executors import InProcess, Processes
from rulewright.play.keyboard import EndOfInput, keyboard
from rulewright.printable import amount, named, unguarded

EFFORT = 0.2
"""How hard each fault is looked at: there are hundreds of them."""


def mutate(arguments: Namespace) -> int:
    """Try the faults of a file; 1 when one survives that plays otherwise."""
    path = rules_file(arguments.file)
    if arguments.add:
        refuse_of_others(arguments.file, path)
    seen = read_source(path)
    text, effort = text_of(path, seen), EFFORT * arguments.effort
    trial = MutationSubject(shown(path), str(path), text, arguments.seed, effort)
    report = _run(trial, arguments)
    if report.broken:
        told = ", ".join(sorted(report.broken))
        print(f"{trial.name}: does not hold as it is, and is left out: {told}", file=sys.stderr)
    if arguments.format == "json":
        print_json({"file": trial.name, **report.as_data()})
    else:
        print("\n".join(report_lines(trial, report)))
    if arguments.add and report.claims:
        _add(path, seen, report.claims)
    return int(bool(report.survivors))


def rules_file(name: str) -> Path:
    """The file of a name; refuses what is no file of rules."""
    path = find(name)
    if catalog.by_suffix().get(path.suffix, RULES) is not RULES:
        raise RulewrightError(f"{path} is no file of rules: only their claims are known here")
    return path


def refuse_of_others(name: str, path: Path) -> None:
    """Leave alone what comes with the package, and the files of packages that others have made."""
    if name in bundled():
        told = "comes with the package and is not written; name the file by its path, or copy it"
        raise RulewrightError(f"{name} {told}")
    place = place_of(path.absolute())
    if place.startswith(("installed: ", "added: ")):
        raise RulewrightError(f"{path} belongs to a package ({place}) and is not written; copy it")


def _add(path: Path, seen: bytes, claims: Sequence[str]) -> None:
    """Write claims into rules that still are what was *seen*; all else stays as it is."""
    mark = BOM_UTF8 if seen.startswith(BOM_UTF8) else b""
    text = seen.removeprefix(mark).decode()
    write_over(path, seen, mark + added(text, claims).encode())
    print(f"{amount(len(claims), 'claim')} added to {named(path)}", file=sys.stderr)


def text_of(path: Path, data: bytes) -> str:
    """The text of a file with this content; raises `TextError` where it is none."""
    collector = Collector()
    source = decode(shown(path), data, collector)
    if source is None:
        raise TextError(collector.diagnostics)
    return source.text


def _run(trial: MutationSubject, arguments: Namespace) -> MutationReport:
    workers = arguments.workers
    pool = InProcess() if workers == 1 else Processes(workers)
    try:
        return MutationRun(
            trial, pool.executor, workers, arguments.most, arguments.time, _progress(),
            again=arguments.again,
        ).run()  # fmt: skip
    finally:
        pool.close()
        _done()


def _progress() -> Callable[[int, int], None]:
    """Tells a person at a terminal how far it is."""
    if not sys.stderr.isatty():
        return lambda _done, _all: None
    terminal = unguarded(sys.stderr)

    def tell(done: int, whole: int) -> None:
        print(
            f"\r\x1b[K{done} of {amount(whole, 'fault')} tried", end="", file=terminal, flush=True
        )

    return tell


def _done() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=unguarded(sys.stderr), flush=True)


# --- claims ---


def claims(arguments: Namespace) -> int:
    """Propose claims; write those that are confirmed, or with --all every one."""
    path = rules_file(arguments.file)
    if arguments.all:
        refuse_of_others(arguments.file, path)
    seen, name = read_source(path), shown(path)
    text = text_of(path, seen)

    def read(text: str, options: Mapping[str, Any]) -> Game:
        where = FileContext(None, path.parent, dict(options))
        return check_file(RULES, name, text.encode(), where).loaded()

    beside = path.parent / FILE
    counts = read_bytes(beside) if is_there(beside) else None
    try:
        counted = (counts or b"").decode()
    except UnicodeDecodeError:
        raise RulewrightError(f"{beside} is not UTF-8 text") from None
    observer = Observer(text, read, arguments.seed, arguments.effort, counted)
    if arguments.format == "json":
        print_json({"file": name, "claims": [one.as_data() for one in observer.proposed()]})
        return 0
    asked = not arguments.all and sys.stdin.isatty() and sys.stdout.isatty()
    asked = asked and arguments.file not in bundled()
    chosen = list(_confirmed(observer) if asked else _shown(observer))
    if asked or arguments.all:
        _write(path, seen, chosen)
        _write_counts(path.parent / FILE, counts, observer, chosen)
    elif chosen:
        print("nothing is written: confirm at a terminal, or take --all", file=sys.stderr)
    return 0


def _shown(observer: Observer) -> Iterator[ProposedClaim]:
    for one in observer.proposed():
        print(_proposal(one), flush=True)
        yield one


def _proposal(one: ProposedClaim) -> str:
    where = f"{FILE}: " if one.counts else ""
    return f"{where}{one.text}  # {one.why}"


def _confirmed(observer: Observer) -> Iterator[ProposedClaim]:
    """Those that get a `y`; `a` takes all that follow, `q` leaves the rest out."""
    print("y: write it, n: do not, a: write all from here, q: no more", file=sys.stderr)
    every = False
    with keyboard() as keys:
        for one in observer.proposed():
            print(f"{_proposal(one)}  ", end="", flush=True)
            key = "y" if every else _key(keys)
            print({"y": "yes", "a": "all", "q": "no more"}.get(key, "no"))
            every = every or key == "a"
            if key == "q":
                return
            if key in ("y", "a"):
                yield one


def _key(keys: Any) -> str:
    try:
        while True:
            key = str(keys.press() or "").lower()
            if key in ("y", "n", "a", "q"):
                return key
    except EndOfInput:
        return "q"


def _write(path: Path, seen: bytes, chosen: Sequence[ProposedClaim]) -> None:
    """Write the claims that were confirmed into the rules."""
    lines = [one.text for one in chosen if not one.counts]
    if lines:
        _add(path, seen, lines)


def _write_counts(
    path: Path, seen: bytes | None, observer: Observer, chosen: Sequence[ProposedClaim]
) -> None:
    """Write the counts that were confirmed beside the rules."""
    counts = [one.text for one in chosen if one.counts]
    if counts:
        alone = len(list(path.parent.glob("*.rules"))) == 1
        longer = lines_of_counts(observer.counts, observer.game.name, alone, counts)
        write_over(path, seen, longer.encode())
        print(f"{amount(len(counts), 'line')} added to {named(path)}", file=sys.stderr)


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
        a.flag("--again", "try those too of which it is known what becomes of them"),
        a.flag("--add", "write the claims that would catch survivors into the file"),
        a.FORM,
    ]),
}  # fmt: skip
