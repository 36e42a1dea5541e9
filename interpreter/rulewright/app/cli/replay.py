"""Games on record: `replay` shows them (and cases of `test`), `export` and `report` write them.

`import` puts them into a database.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from attrs import define, field

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import answer, print_json, say, spare, tell, tell_damaged, write_text
from rulewright.checks import cases
from rulewright.checks.cases import CasesError, ReplayedCase, game_of, replay_case
from rulewright.errors import RulewrightError
from rulewright.ground.disk import FileError, is_file, is_there, read_bytes, write_whole
from rulewright.ground.printable import amount, printable_name
from rulewright.ground.translation import translate
from rulewright.language.diagnostics import offer
from rulewright.matches.export import csv_text, game_text, lines_text, sgf_bytes, svg_page
from rulewright.matches.game_files import ENDINGS, shown_name, unread_games
from rulewright.matches.game_record import GameRecord
from rulewright.matches.protocols.recorded import UnreadGame
from rulewright.matches.record_files import STORED, SUFFIXES, Match, import_matches, read_matches
from rulewright.matches.report import report
from rulewright.matches.verify import game_of_plan, recorded_states, verify
from rulewright.model.properties import RULES

# --- records of matches ---


Result = tuple[int, dict[str, object], Iterable[str]]
"""Exit status, plain data, lines."""


def _records(path: Path, arguments: Namespace) -> Result:
    """List the games, show one of them, or check them all."""
    if arguments.where or arguments.count:
        option = "--where" if arguments.where else "--count"
        raise RulewrightError(f"{option} is for files of games; {path} is a record of matches")
    matches = read_matches(path)
    if arguments.verify:
        return _verified(path, matches)
    status = tell_damaged(matches)
    if arguments.number is not None:
        match, record = _recorded_game(matches, arguments.number, path)
        return 0, record.as_data(), [*_lines(match, record)]
    games = [game for match in matches for game in match.games]
    lines = [f"{g.number:>6}  {' - '.join(g.players)}: {translate(g.verdict())}" for g in games]
    return status, {"file": str(path), "games": [game.as_data() for game in games]}, lines


def _verified(path: Path, matches: list[Match]) -> Result:
    complaints = [complaint for match in matches for complaint in verify(match)]
    games = sum(len(match.games) for match in matches)
    unchecked = sum(not game.checked for match in matches for game in match.games)
    counts = f"{amount(games, 'game')}, {amount(len(complaints), 'complaint')}"
    lines = [*complaints, counts]
    if unchecked:
        lines.append(f"{amount(unchecked, 'game')} without a checksum, as 0.1 wrote them")
    data: dict[str, object] = {
        "file": str(path), "games": games, "complaints": complaints, "unchecked": unchecked,
    }  # fmt: skip
    return int(bool(complaints)), data, lines


def _recorded_game(matches: list[Match], number: int, path: Path) -> tuple[Match, GameRecord]:
    for match in reversed(matches):  # of several matches the last one was meant
        for game in match.games:
            if game.number == number:
                return match, game
    raise RulewrightError(_no_game(path, number))


def _no_game(path: Path, number: int) -> str:
    return f"{path} has no game {number}; games are numbered from 0"


def _lines(match: Match, record: GameRecord) -> Iterator[str]:
    game = game_of_plan(match.plan)
    way = recorded_states(game, record)
    yield f"game {record.number}: {' - '.join(record.players)}"
    number = 0
    for before, move in zip(way, record.moves, strict=False):
        if before.turn_begins:
            number += 1
            yield f"turn {number}, {before.mover} ({record.players[move.seat]})"
        yield f"  {move.text:<8} {', '.join(move.facts)}"
    yield way[-1].board()
    yield record.verdict()


# --- cases that `test` has kept ---


def _cases(path: Path, arguments: Namespace) -> Result:
    """Each case (or one) with what it shows now; 1 when one is broken or cannot be played."""
    file = cases.read(path)
    numbered = list(enumerate(file.cases, 1))
    if arguments.case is not None:
        numbered = [entry for entry in numbered if entry[0] == arguments.case]
        if not numbered:
            raise RulewrightError(
                f"{path} has {amount(len(file.cases), 'case')}, and no {arguments.case}"
            )
    replays, lost_lines = list[tuple[int, ReplayedCase]](), list[str]()
    for number, case in numbered:
        try:
            replays.append((number, replay_case(case, game_of(path, file.game, case))))
        except CasesError as error:
            lost_lines.append(str(error))
    texts = [*(_text(path, number, case) for number, case in replays), *lost_lines]
    broken = sum(case.finding is not None for _, case in replays)
    stopped = len(lost_lines) + sum(not case.whole for _, case in replays)
    summary = f"{amount(len(numbered), 'case')}, {broken} of them still broken"
    texts.append(summary + (f", {stopped} cannot be played any more" if stopped else ""))
    data: dict[str, object] = {
        "file": str(path),
        "game": file.game,
        "cases": [{"case": number, **case.as_data()} for number, case in replays],
        "lost": lost_lines,
    }
    return int(broken + stopped > 0), data, ["\n\n".join(texts)]


def _text(path: Path, number: int, case: ReplayedCase) -> str:
    head = f"{path}:{case.case.line}: case {number}, "
    if case.finding is not None:
        return head + case.finding.render(RULES[case.case.property])
    outcome = (
        "holds now" if case.whole else f"cannot be played to its end: `{case.stopped}` is not legal"
    )
    return f"{head}{case.case.property}: {outcome}"


# --- files of games, of any format and size ---


def _list_games(path: Path, arguments: Namespace) -> int:
    """Print a line for each game of a file, or count those whose tags hold some texts."""
    count, damaged, search = 0, 0, TagSearch.parse(arguments.where)
    for number, part in enumerate(unread_games(path)):
        if arguments.number not in (None, number) or not search.fits(part):
            continue
        count += 1
        if not arguments.count:
            damaged += _tell_game(number, part, arguments)
    for message in search.unknown():
        say(f"{printable_name(shown_name(path))}: {message}")
    if arguments.number is not None and not count:
        raise RulewrightError(_no_game(path, arguments.number))
    if arguments.format == "text":
        tail = f", {damaged} of them cannot be read" if damaged else ""
        tell(f"{amount(count, 'game')}{tail}")
    elif arguments.count:
        print_json({"file": str(path), "games": count})
    return int(damaged > 0)


@define
class TagSearch:
    """Looks for games whose tags hold some texts; capitals do not matter, in tags neither.

    `tag_names` are the tags of all games so far, by their small letters.
    """

    texts: dict[str, list[str]]
    tag_names: dict[str, str] = field(factory=dict)

    @classmethod
    def parse(cls, texts: Sequence[str]) -> TagSearch:
        """The search for texts `TAG=TEXT`."""
        by_tag = dict[str, list[str]]()
        for tag, equal, text in (text.partition("=") for text in texts):
            if not tag or not equal:
                raise RulewrightError("--where takes TAG=TEXT")
            by_tag.setdefault(tag, []).append(text.casefold())
        return cls(by_tag)

    def fits(self, part: UnreadGame) -> bool:
        """Whether the tags of a game hold every text."""
        if not self.texts:
            return True
        tags = {name.casefold(): text.casefold() for name, text in part.tags().items()}
        self.tag_names |= {name.casefold(): name for name in part.tags()}
        return all(
            text in tags.get(tag.casefold(), "") for tag, texts in self.texts.items()
            for text in texts
        )  # fmt: skip

    def unknown(self) -> Iterator[str]:
        """What is said of each tag that no game has."""
        for tag in self.texts:
            if tag.casefold() not in self.tag_names:
                names = sorted(self.tag_names.values())
                yield f"no game has the tag `{tag}`: {offer(tag, names)}"


def _tell_game(number: int, part: UnreadGame, arguments: Namespace) -> bool:
    """Print a game; whether it cannot be read."""
    try:
        recorded = part.read()
    except RulewrightError as error:
        say(error)
        return True
    names = " - ".join(name or "?" for name in recorded.names)
    moves = amount(len(recorded.decisions), "decision")
    if arguments.format == "json":
        data = {"number": number, "game": recorded.game.name, "names": list(recorded.names)}
        print_json({**data, "moves": list(recorded.decisions), "result": recorded.verdict or None})
        return False
    outcome = translate(f"{moves}; {recorded.verdict or 'not ended'}")
    print(f"{number:>6}  {names}: {outcome}")
    for doubt in recorded.doubts:
        tell(f"        {doubt}")
    if arguments.number is not None:
        print(" ".join(recorded.end.turns()), recorded.end.board(), sep="\n")
    return False


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
        return _list_games(path, arguments)
    status, data, lines = kind(path, arguments)
    answer(arguments, data, lines)
    return status


# --- import ---


def import_records(arguments: Namespace) -> int:
    """Put the matches of files into one database; 1 where something of them cannot be read."""
    sources = [Path(file) for file in arguments.files]
    for source in sources:
        if source.suffix.casefold() in ENDINGS:
            message = f"{source} is no record of matches ({' or '.join(SUFFIXES)})"
            raise RulewrightError(f"{message}; `replay` and `convert` read games of other files")
    path = Path(arguments.into or sources[0].with_suffix(STORED))
    if path.suffix != STORED:
        raise RulewrightError(f"{path}: matches are kept in a database, `{STORED}`")
    if path in sources:
        raise RulewrightError(f"{path} is a database already; choose another with --into")
    matches, games = import_matches(path, sources)
    read = f"{amount(games, 'game')} of {amount(len(matches), 'match', 'matches')}"
    say(f"{read} imported into {printable_name(path)}")
    return tell_damaged(matches)


# --- export ---


FORMS: dict[str, Callable[[Match, GameRecord], bytes]] = {
    "text": lambda match, game: game_text(match, game).encode(),
    "svg": lambda match, game: svg_page(match, game).encode(),
    "sgf": sgf_bytes,
}
"""What writes one game."""
TABLES: dict[str, Callable[[list[Match]], str]] = {"csv": csv_text, "jsonl": lines_text}
"""What writes all games into one file."""


def export(arguments: Namespace) -> int:
    """Write all games into one table, or each into a file of its own."""
    path, form = Path(arguments.file), arguments.form
    matches = read_matches(path)
    status = tell_damaged(matches)
    if form in TABLES:
        write_text(arguments.out, TABLES[form](matches))
        return status
    games = [(match, game) for match in matches for game in match.games]
    if arguments.number is not None:
        games = [entry for entry in games if entry[1].number == arguments.number][-1:]
        if not games:
            raise RulewrightError(_no_game(path, arguments.number))
    if arguments.out == "-":
        _to_output(games, form)
        return status
    folder = Path(arguments.out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for match, game in games:
            several = f"{match.plan.name[:6]}-" if len(matches) > 1 else ""
            suffix = {"text": "txt"}.get(form, form)
            file, data = folder / f"{several}{game.number:05}.{suffix}", FORMS[form](match, game)
            if not is_file(file) or read_bytes(file) != data:
                spare(str(file), arguments.force)
            write_whole(file, data)
    except FileError:
        raise
    except OSError as error:
        raise RulewrightError(f"{folder} cannot be written: {error.strerror}") from None
    say(f"{amount(len(games), 'game')} written to {printable_name(folder)}")
    return status


def _to_output(games: list[tuple[Match, GameRecord]], form: str) -> None:
    if form != "text" and len(games) > 1:
        raise RulewrightError(f"{form} needs a file a game: give --number N, or --out FOLDER")
    for match, game in games:
        sys.stdout.write(FORMS[form](match, game).decode())


# --- report ---


_OURS = b'<meta name="generator" content="rulewright report">'
"""What tells our pages from others, which are not replaced unless they are named."""


def write_report(arguments: Namespace) -> int:
    """Write the page of the last match of a record."""
    path = Path(arguments.file)
    matches = read_matches(path)
    status = tell_damaged(matches)
    out = arguments.out or str(path.with_suffix(".html"))
    if out == arguments.file:
        raise RulewrightError(f"{out} is the record; choose another name with --out")
    if not arguments.out and is_there(out) and _OURS not in read_bytes(out):
        raise RulewrightError(f"{out} is there already and is no report; choose a name with --out")
    write_text(out, report(matches[-1], arguments.games))
    if out != "-":
        say(f"{printable_name(out)} written")
    return status


_WHERE = a.value(
    "--where", "TAG=TEXT", "list only games whose tag holds this text; may be repeated",
    action="append", default=[],
)  # fmt: skip
COMMANDS: dict[str, a.Command] = {
    "replay": (replay, [
        a.value(
            "file", "FILE",
            "a record of matches (.db, .jsonl), cases that `test` has kept (.cases), or games of"
            " any format; - reads them",
        ),
        _WHERE,
        a.flag("--count", "print only the number of games"),
        a.game_number("show the game of this number"),
        a.flag(
            "--verify",
            "play every game of a recorded match again; check results, and the hashes of all files",
        ),
        a.value("--case", "N", "show only this case, from 1", type=a.whole),
        a.FORM,
    ]),
    "import": (import_records, [
        a.value("files", "FILE", "records of matches, .jsonl or .db", nargs="+"),
        a.value("--into", "DATABASE", "the database (default: the first .db); its games stay"),
    ]),
    "export": (export, [
        a.RECORD,
        lambda p: p.add_argument(
            "--as", dest="form", choices=(*TABLES, *FORMS), default="csv",
            help="csv: a table of all games; jsonl: lines that `import` reads; else one file for"
            " each (default csv)",
        ),
        a.game_number("only the game of this number"),
        a.value(
            "--out", "PLACE", "a file for csv and jsonl, else a folder; - is the output",
            default="-",
        ),
        a.flag("--force", "replace files of the folder that hold something else"),
    ]),
    "report": (write_report, [
        a.RECORD,
        a.value("--out", "PAGE", "page (default: FILE with .html); - is the output", default=""),
        a.value(
            "--games", "N",
            "games that are drawn at the most, of all that are listed (default 100)",
            type=a.from_zero, default=100,
        ),
    ]),
}  # fmt: skip
