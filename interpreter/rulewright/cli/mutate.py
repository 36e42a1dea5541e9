"""Rules that guard themselves: `mutate` puts faults into a file and says which nothing finds."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from rulewright.checks.adding import added
from rulewright.checks.mutants import Trial, original
from rulewright.checks.mutate import Mutant, MutationReport, MutationRun
from rulewright.cli import arguments as a
from rulewright.cli.common import print_json
from rulewright.disk import read_source, write_whole
from rulewright.errors import RulewrightError
from rulewright.files.games import find
from rulewright.files.kinds import shown
from rulewright.language.diagnostics import Collector, TextError
from rulewright.language.source import decode
from rulewright.matches.executors import InProcess, Processes
from rulewright.printable import unguarded

EFFORT = 0.2
"""How hard each fault is looked at: there are hundreds of them."""


def mutate(arguments: Namespace) -> int:
    """Try the faults of a file; 1 when one survives that plays otherwise."""
    path = rules_file(arguments.file)
    trial = Trial(shown(path), str(path), text_of(path), arguments.seed, EFFORT * arguments.effort)
    broken = original(trial).broken
    if broken:
        told = ", ".join(sorted(broken))
        print(f"{trial.name}: does not hold as it is, and is left out: {told}", file=sys.stderr)
    report = _run(trial, arguments)
    if arguments.format == "json":
        print_json({"file": trial.name, **report.as_data()})
    else:
        _print(trial, report)
    if arguments.add and report.claims:
        write_whole(path, added(trial.text, report.claims).encode())
        print(f"{len(report.claims)} claims added to {path}", file=sys.stderr)
    return int(bool(report.survivors))


def rules_file(name: str) -> Path:
    """The file of a name; refuses what is no file of rules."""
    path = find(name)
    if path.suffix in (".eval", ".personality", ".patterns"):
        raise RulewrightError(f"{path} is no file of rules: only their claims are known here")
    return path


def text_of(path: Path) -> str:
    """The text of a file; raises `TextError` where it is none."""
    collector = Collector()
    source = decode(shown(path), read_source(path), collector)
    if source is None:
        raise TextError(collector.diagnostics)
    return source.text


def _run(trial: Trial, arguments: Namespace) -> MutationReport:
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
        print(f"\r\x1b[K{done} of {whole} faults tried", end="", file=terminal, flush=True)

    return tell


def _done() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=unguarded(sys.stderr), flush=True)


# --- telling ---


def _print(trial: Trial, report: MutationReport) -> None:
    told: set[str] = set()
    for mutant in report.survivors:
        print("\n".join(_survivor(trial, mutant, told)) + "\n")
    if report.alike:
        print("no game tells these from the file:")
        for mutant in report.alike:
            looked = mutant.survivor.looked if mutant.survivor else ""
            print(f"  {_head(trial, mutant)} ({looked})")
        print()
    print(_score(trial, report))


def _head(trial: Trial, mutant: Mutant) -> str:
    old, new = (" ".join(t.split()) for t in (mutant.old, mutant.mutation.new))
    change = f"`{old}` as `{new}`" if new else f"without `{old}`"
    return f"{trial.name}:{mutant.line}:{mutant.column}: {mutant.mutation.what}: {change}"


def _survivor(trial: Trial, mutant: Mutant, told: set[str]) -> list[str]:
    """What nothing found, the game that shows it, and the claim that would catch it."""
    known = mutant.survivor
    assert known is not None
    lines = [_head(trial, mutant)]
    if known.claim in told:
        return [*lines, f"  caught too by: {known.claim}"]
    moves = " ".join(known.moves or ()) or "(the first position)"
    options = f" with {known.settings}" if known.settings else ""
    lines.append(f"  plays otherwise{options} after: {moves}")
    if known.first or known.second:
        lines.append(f"    the file: {known.first}; changed so: {known.second}")
    if known.claim:
        told.add(known.claim)
        lines.append(f"  add: {known.claim}")
    return lines


def _score(trial: Trial, report: MutationReport) -> str:
    whole = report.found + len(report.survivors)
    parts = [f"{report.found} of {whole} found ({report.score:.0%})"]
    parts += [f"{len(report.alike)} play alike"] if report.alike else []
    parts += [f"{report.late} took too long"] if report.late else []
    parts += [f"{report.untried} not tried"] if report.untried else []
    return f"{trial.name}: {'; '.join(parts)}"


COMMANDS: dict[str, a.Command] = {
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
