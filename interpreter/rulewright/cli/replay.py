"""What a file of games shows now: records of matches (`.jsonl`, `.db`) and cases of `test`.

`KINDS` says what replays each kind of file.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path

from rulewright.checks import cases
from rulewright.checks.cases import CasesError, ReplayedCase, game_of, replayed
from rulewright.cli import arguments as a
from rulewright.cli.common import print_json, tell_damaged
from rulewright.errors import RulewrightError
from rulewright.matches.game_record import GameRecord
from rulewright.matches.record_store import Match, read_matches
from rulewright.matches.verify import game_of_plan, recorded_states, verify
from rulewright.model.properties import RULES

# --- records of matches ---


Result = tuple[int, dict[str, object], str]
"""Exit status, plain data, text."""


def _records(path: Path, arguments: Namespace) -> Result:
    """List the games, show one of them, or check them all."""
    matches = read_matches(path)
    if arguments.verify:
        return _verified(path, matches)
    status = tell_damaged(matches)
    if arguments.game is not None:
        return _shown(*_found(matches, arguments.game, path))
    games = [game for match in matches for game in match.games]
    text = "\n".join(f"{g.number:>6}  {' - '.join(g.players)}: {g.verdict()}" for g in games)
    return status, {"file": str(path), "games": [game.as_data() for game in games]}, text


def _verified(path: Path, matches: list[Match]) -> Result:
    complaints = [complaint for match in matches for complaint in verify(match)]
    games = sum(len(match.games) for match in matches)
    unchecked = sum(not game.checked for match in matches for game in match.games)
    told = f"{games} games, {len(complaints)} complaints"
    older = [f"{unchecked} games without a checksum, as 0.1 wrote them"] if unchecked else []
    text = "\n".join([*complaints, told, *older])
    data: dict[str, object] = {
        "file": str(path), "games": games, "complaints": complaints, "unchecked": unchecked,
    }  # fmt: skip
    return int(bool(complaints)), data, text


def _found(matches: list[Match], number: int, path: Path) -> tuple[Match, GameRecord]:
    for match in reversed(matches):  # of several matches the last one was meant
        for game in match.games:
            if game.number == number:
                return match, game
    raise RulewrightError(f"{path} has no game {number}")


def _shown(match: Match, record: GameRecord) -> Result:
    return 0, record.as_data(), "\n".join(_lines(match, record))


def _lines(match: Match, record: GameRecord) -> Iterator[str]:
    game = game_of_plan(match.plan)
    way = recorded_states(game, record)
    yield f"game {record.number}: {' - '.join(record.players)}"
    number = 0
    for before, move in zip(way, record.moves, strict=False):
        if before.turn_begins:
            number += 1
            yield f"turn {number}, {before.mover} ({record.players[move.seat]})"
        told = [
            f"value {move.value:g}" if move.value is not None else "",
            f"depth {move.depth}" if move.depth is not None else "",
            f"{move.nodes:,} nodes" if move.nodes is not None else "",
            f"{move.seconds:.3f} s" if move.seconds is not None else "opening",
        ]
        yield f"  {move.text:<8} {', '.join(t for t in told if t)}"
    yield way[-1].board()
    yield record.verdict()


# --- cases that `test` has kept ---


def _cases(path: Path, arguments: Namespace) -> Result:
    """Each case (or one) with what it shows now; 1 when one is broken or cannot be played."""
    known = cases.read(path)
    numbered = list(enumerate(known.cases, 1))
    if arguments.case is not None:
        numbered = [one for one in numbered if one[0] == arguments.case]
        if not numbered:
            raise RulewrightError(f"{path} has {len(known.cases)} cases, and no {arguments.case}")
    shown, lost = list[tuple[int, ReplayedCase]](), list[str]()
    for number, case in numbered:
        try:
            shown.append((number, replayed(case, game_of(path, known.game, case))))
        except CasesError as error:
            lost.append(str(error))
    texts = [*(_text(path, number, one) for number, one in shown), *lost]
    broken = sum(one.finding is not None for _, one in shown)
    stopped = len(lost) + sum(not one.whole for _, one in shown)
    told = f"{len(numbered)} cases, {broken} of them still broken"
    texts.append(told + (f", {stopped} cannot be played any more" if stopped else ""))
    data: dict[str, object] = {
        "file": str(path),
        "game": known.game,
        "cases": [{"case": number, **one.as_data()} for number, one in shown],
        "lost": lost,
    }
    return int(broken + stopped > 0), data, "\n\n".join(texts)


def _text(path: Path, number: int, one: ReplayedCase) -> str:
    head = f"{path}:{one.case.line}: case {number}, "
    if one.finding is not None:
        return head + one.finding.render(RULES[one.case.property])
    told = (
        "holds now" if one.whole else f"cannot be played to its end: `{one.stopped}` is not legal"
    )
    return f"{head}{one.case.property}: {told}"


# --- the command ---


KINDS: dict[str, Callable[[Path, Namespace], Result]] = {
    ".jsonl": _records,
    ".db": _records,
    ".cases": _cases,
}


def replay(arguments: Namespace) -> int:
    """Replay a file of a known kind."""
    path = Path(arguments.file)
    kind = KINDS.get(path.suffix)
    if kind is None:
        known = ", ".join(KINDS)
        raise RulewrightError(f"{path} cannot be replayed; these kinds of files can: {known}")
    status, data, text = kind(path, arguments)
    if arguments.format == "json":
        print_json(data)
    else:
        print(text)
    return status


COMMANDS: dict[str, a.Command] = {
    "replay": (replay, [
        a.value(
            "file", "FILE",
            "a record of a match (.jsonl, .db), or cases that `test` has kept (.cases)",
        ),
        a.value("--game", "N", "of a record: show the game of this number", type=a.from_zero),
        a.flag(
            "--verify",
            "of a record: play every game again; check results, and the hashes of all files",
        ),
        a.value("--case", "N", "of cases: only this one, from 1", type=a.whole),
        a.FORM,
    ]),
}  # fmt: skip
