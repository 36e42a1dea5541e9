"""Recorded games in files: `analyze` judges their moves, `convert` gives them another format."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from attrs import frozen

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import (
    load_recorded,
    print_json,
    say,
    settings,
    spare,
    tell,
    thinking,
    write_text,
)
from rulewright.app.cli.patterns import convert_patterns
from rulewright.errors import RulewrightError
from rulewright.games.files.catalog import PATTERNS
from rulewright.ground.printable import amount, printable_name
from rulewright.ground.translation import translate
from rulewright.matches.game_files import FileHints, losses, read_games, write_game
from rulewright.matches.protocols import move_list
from rulewright.matches.protocols.contestant import Contestant
from rulewright.matches.protocols.format_settings import Pgn, formats
from rulewright.matches.protocols.recorded import Recorded
from rulewright.matches.protocols.san import San
from rulewright.matches.protocols.scored import SCORE, score_of
from rulewright.players.analyze import JudgedMove, analyze, judge_of
from rulewright.players.player import Clock, GameLimits, Player

# --- analyze ---


def analyze_game(arguments: Namespace) -> int:
    """Print the rank, the loss and the reason of every decision of a recorded game."""
    path, number = Path(arguments.file), arguments.number
    recorded = load_recorded(path, arguments.game, arguments.set, number)
    first, last = arguments.first, arguments.last
    if last is not None and last < first:
        raise RulewrightError(f"--from {first} comes after --to {last}")
    limits = GameLimits(
        arguments.time, nodes=arguments.nodes, depth=arguments.depth, memory=arguments.memory
    )
    judge = judge_of(recorded.game, arguments.personality or "", limits, arguments.seed)
    number = min(last or len(recorded.end.decisions()), len(recorded.end.decisions()))
    judged = _with_progress(analyze(recorded, judge, first, last), first, number)
    if arguments.format == "json":
        _print_data(recorded, judge.name, list(judged))
    else:
        _print(recorded, judge.name, judged)
    return int(bool(recorded.damaged))


def _with_progress(judged: Iterator[JudgedMove], first: int, last: int) -> Iterator[JudgedMove]:
    """Iterate over judged decisions, and show at a terminal which is being judged."""
    for number in range(first, last + 1):
        with thinking(f"decision {number} of {last}"):
            decision = next(judged, None)
        if decision is None:
            return
        yield decision


def _print_data(recorded: Recorded, judge: str, decisions: list[JudgedMove]) -> None:
    print_json({
        "game": recorded.game.name,
        "options": dict(recorded.game.options),
        "names": list(recorded.names),
        "result": recorded.verdict or None,
        "judge": judge,
        "decisions": [decision.as_data() for decision in decisions],
        "sides": summary(decisions),
    })  # fmt: skip


def summary(decisions: list[JudgedMove]) -> list[dict[str, object]]:
    """For each side: its judged decisions, the share of best ones, the mean loss."""
    sides: list[dict[str, object]] = []
    for side in dict.fromkeys(decision.side for decision in decisions):
        own = [d for d in decisions if d.side == side and d.rank is not None]
        losses = [decision.loss for decision in own if decision.loss is not None]
        sides.append({
            "side": side,
            "decisions": len(own),
            "best": sum(decision.rank == 1 for decision in own),
            "mean_loss": round(sum(losses) / len(losses), 6) if losses else None,
        })  # fmt: skip
    return sides


def _print(recorded: Recorded, judge: str, decisions: Iterator[JudgedMove]) -> None:
    names = " against ".join(name or "?" for name in recorded.names)
    players = f", {names}" if any(recorded.names) else ""
    tell(f"{recorded.game.name}{players}; bigger is better for the side that decides, by {judge}")
    judged = list[JudgedMove]()
    width = max((len(move) for move in recorded.decisions), default=0)
    sides = max(len(side) for side in recorded.game.players)
    for decision in decisions:
        judged.append(decision)
        print(_line(decision, width, sides), flush=True)
    for side in summary(judged):
        loss = side["mean_loss"]
        mean = f", mean loss {loss:.4g}" if isinstance(loss, int | float) else ""
        tell(f"{side['side']}: best in {side['best']} of {side['decisions']}{mean}")
    if recorded.verdict:
        tell(recorded.verdict)


def _line(decision: JudgedMove, width: int, sides: int) -> str:
    head = f"{decision.number:>4} {decision.side:<{sides}}  {decision.move:<{width}}"
    if decision.rank is None:
        return f"{head}  " + translate(f"not judged, {amount(decision.choices, 'choice')}")
    among = str(decision.judged)
    among += f" of {decision.choices}" * (decision.judged != decision.choices)
    text = f"{head}  {decision.rank}/{among}  {decision.worth}"
    if decision.best is None:
        return text
    verb = translate("better" if decision.rank > 1 else "next")
    text += f"  {verb}: {decision.best} {decision.best_worth}"
    if decision.loss:
        text += "  " + translate(f"loss {decision.loss:.4g}")
    if decision.decided_by:
        text += "  " + f"{translate('by')} {decision.decided_by} ({decision.margin:+.4g})"
    return text


# --- test positions ---


@frozen
class SolvedTest:
    """A test position: its name, the decision made, whether it is right, and the seconds taken."""

    name: str
    move: str
    right: bool
    expected: str
    seconds: float


def solve_tests(arguments: Namespace) -> int:
    """Let a player decide in test positions, and count where it plays `bm` and not `am`.

    In a list with scores it counts where the player sees the score.
    """
    path, seconds = Path(arguments.file), arguments.time or 1.0
    limits = GameLimits(None, nodes=arguments.nodes, memory=arguments.memory)
    hints = FileHints(arguments.game, dict(settings(arguments.set)))
    contestant = Contestant.parse(arguments.personality or "computer")
    tests, untested = list[SolvedTest](), 0
    player: Player | None = None
    try:
        for number, recorded in enumerate(read_games(path, hints), 1):
            if not {"bm", "am", SCORE} & set(recorded.notes) or recorded.end.over:
                untested += 1
                continue
            player = player or contestant.open(recorded.game, limits)
            player.start(recorded.game, limits, arguments.seed)
            solve = _scored if SCORE in recorded.notes else _solved
            tests.append(solve(number, recorded, player, seconds))
            if arguments.format == "text":
                print(_test_line(tests[-1]), flush=True)
    finally:
        if player is not None:
            player.close()
    _print_tests(arguments, tests, untested)
    return 0


def _scored(number: int, recorded: Recorded, player: Player, seconds: float) -> SolvedTest:
    """Compare the score that a player sees with that of a list."""
    state, began = recorded.end, perf_counter()
    decision = player.choose(state, Clock(seconds))
    score, expected = score_of(state, decision.result, decision.value), recorded.notes[SCORE][0]
    shown = f"{decision.move} {'' if score is None else score}".rstrip()
    right = score == int(expected)
    return SolvedTest(str(number), shown, right, f"{SCORE} {expected}", perf_counter() - began)


def _solved(number: int, recorded: Recorded, player: Player, seconds: float) -> SolvedTest:
    state, notes = recorded.end, recorded.notes
    san = San(recorded.game, formats(recorded.game).pgn or Pgn())
    best = [san.read(state, text) for text in notes.get("bm", ())]
    avoided = [san.read(state, text) for text in notes.get("am", ())]
    began = perf_counter()
    move = player.choose(state, Clock(seconds)).move
    right = (not best or move in best) and move not in avoided
    words = [*(["bm", *notes["bm"]] if best else []), *(["am", *notes["am"]] if avoided else [])]
    shown = san.write(state, state.play_decision(move))
    name = " ".join(notes.get("id", ())) or str(number)
    return SolvedTest(name, shown, right, " ".join(words), perf_counter() - began)


def _test_line(test: SolvedTest) -> str:
    mark = "solved" if test.right else "-"
    return f"{test.name:<24} {test.move:<8} {mark:<6}  {test.expected:<20} {test.seconds:6.2f} s"


def _print_tests(arguments: Namespace, tests: list[SolvedTest], untested: int) -> None:
    solved = sum(test.right for test in tests)
    if arguments.format == "json":
        rows = [
            {"id": t.name, "move": t.move, "solved": t.right, "expected": t.expected,
             "seconds": round(t.seconds, 6)} for t in tests
        ]  # fmt: skip
        print_json({"file": arguments.file, "solved": solved, "of": len(tests), "tests": rows})
        return
    tell(f"{solved} of {amount(len(tests), 'position')} solved")
    if untested:
        say(f"{amount(untested, 'position')} without `bm`, `am` or a score left out")


# --- convert: patterns of others too ---


def convert(arguments: Namespace) -> int:
    """Write a recorded game in the format of OUT's name, or patterns in today's words."""
    path, out = Path(arguments.file), arguments.to
    if path.suffix == PATTERNS.suffix:
        return convert_patterns(arguments.file, out, arguments.force)
    recorded = load_recorded(path, arguments.game, arguments.set, arguments.number)
    if out == "-":
        write_text(out, move_list.write(recorded))
    else:
        spare(out, arguments.force)
        write_game(out, recorded)
        say(f"{printable_name(out)} written")
    shown_out = "the output" if out == "-" else printable_name(out)
    for lost in losses(Path(out), recorded):
        say(f"{shown_out}: {lost} left out, for which this format has no room")
    return int(bool(recorded.damaged))


_RECORDED_GAME = (
    "a recorded game: SGF, PGN, FEN, T1j's, saved by play, a record of a match, a list of moves;"
    " - reads it"
)
_GAME_CHOICE = [
    a.value("--game", "GAME", "the game, where the file does not name it", default=""),
    a.SETTINGS,
    a.value("--number", "N", "which game of a record or a collection, from 0", type=a.from_zero),
]
COMMANDS: dict[str, a.Command] = {
    "analyze": (analyze_game, [
        a.value("file", "FILE", _RECORDED_GAME), *_GAME_CHOICE,
        a.value("--personality", "P", "the judge (default: the plain search)"),
        a.value("--from", "N", "decision N on", dest="first", type=a.whole, default=1),
        a.value("--to", "N", "up to decision N", dest="last", type=a.whole),
        a.each_time("seconds for each decision"),
        a.nodes("decisions that each search plays (default: 2000)"),
        a.depth("plies that each search looks ahead"),
        a.seed(), a.memory(), a.FORM,
    ]),
    "epd": (solve_tests, [
        a.value("file", "FILE", "EPD with `bm` or `am`, or a list with scores; - reads them"),
        a.value("--game", "GAME", "default: the game of positions in standard FEN", default=""),
        a.SETTINGS,
        a.value("--personality", "P", "the player: a name, a path, computer, uci:COMMAND"),
        a.each_time("seconds for each position (default 1)"),
        a.nodes("decisions that each search plays"),
        a.seed(), a.memory(), a.FORM,
    ]),
    "convert": (convert, [
        a.value("file", "FILE", f"{_RECORDED_GAME}; or patterns in T1's older dialect"),
        a.value(
            "to", "OUT",
            "game.sgf, game.pgn, or another ending that docs/formats.md lists; a list of moves as"
            " game.txt (default: a list of moves to the output)",
            nargs="?", default="-",
        ),
        a.FORCE, *_GAME_CHOICE,
    ]),
}  # fmt: skip
