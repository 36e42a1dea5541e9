"""`rulewright play`: a game at the terminal.

At a terminal the screen is drawn in place, and a decision that is one key needs no Enter.
Otherwise commands and moves are read line by line, so that a file can play too.  Every game is
kept, however it is left, and offered when the same game is played again.
"""

from __future__ import annotations

import os
import signal
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import load_recorded, load_state, say, settings
from rulewright.app.cli.explained import explanation_lines
from rulewright.app.play.dialogue import Helpers
from rulewright.app.play.game_table import GameTable, Series, fresh_seed
from rulewright.app.play.keyboard import EndOfInput, keyboard
from rulewright.app.play.saved_games import (
    Autosave,
    SavedGame,
    StoredGame,
    last_unfinished,
    read_saved_game,
    stored_games,
)
from rulewright.app.play.seats import COMPUTER, HUMAN, Seat
from rulewright.app.play.session import Session
from rulewright.app.play.terminal import LineTerminal, Terminal
from rulewright.errors import RulewrightError
from rulewright.games.files.games import load_with
from rulewright.ground.disk import is_file, is_there, open_file
from rulewright.ground.printable import amount, printable_name
from rulewright.ground.translation import translate
from rulewright.matches.game_files import INPUT
from rulewright.matches.protocols.format_settings import formats
from rulewright.matches.protocols.saved_game import DRAW
from rulewright.matches.record_files import SUFFIXES
from rulewright.search.results import refuse_seats

_START = 64
"""Bytes by which a saved game is recognised."""
_PACE = 0.7
"""Seconds between decisions of two computers at a terminal, where nothing is said."""


class _Ended(Exception):
    """Raised when a signal ends the program."""


def play(arguments: Namespace) -> int:
    """Play a game to its end, or until it is left; 130 if Ctrl-C leaves it."""
    if "=" in arguments.game and not is_there(arguments.game):
        arguments.players.insert(0, arguments.game)
        arguments.game = ""
    if arguments.kept:
        return _list_kept(arguments.game)
    screen = sys.stdin.isatty() and sys.stdout.isatty()
    with _signals():
        try:
            return _play(_table(arguments, screen), arguments, screen)
        except _Ended as ended:
            # Without cleaning up: the terminal may be gone, and players may still be thinking.
            os._exit(128 + int(str(ended)))


def _play(table: GameTable, arguments: Namespace, screen: bool) -> int:
    status = 0
    try:
        finished = _at_terminal(table, arguments) if screen else LineTerminal(table).play()
    except EndOfInput:
        finished = False
    except KeyboardInterrupt:
        finished, status = False, 130
    finally:
        table.close()
    _farewell(table, finished)
    return status


def _at_terminal(table: GameTable, arguments: Namespace) -> bool:
    alone = not any(seat.human for seat in table.session.seats)
    pace = _pace(arguments.pace, alone)
    with keyboard() as keys:
        return Terminal(table, keys, pace=pace or 0.0, paused=pace is None).play()


def _pace(text: str, alone: bool) -> float | None:
    """Parse `--pace`: seconds between two decisions; None to wait for a key each time."""
    if text == "step":
        return None
    try:
        value = float(text) if text else _PACE * alone
    except ValueError:
        value = -1
    if not 0 <= value <= 60:
        raise RulewrightError(f"--pace is a number of seconds from 0 to 60, or step; not {text}")
    return value


def _farewell(table: GameTable, finished: bool) -> None:
    standing = table.score_text()
    if standing:
        say(standing)
    if not finished and table.autosave.path.exists():
        source = table.session.source
        say(f"kept; `rulewright play {printable_name(source)}` goes on with it")
    elif not finished:
        say("good-bye")


# --- signals ---


@contextmanager
def _signals() -> Iterator[None]:
    """Raise `_Ended` in this block if the terminal is closed or SIGTERM comes."""
    numbers = {name: getattr(signal, name, None) for name in ("SIGHUP", "SIGTERM")}
    before = {number: signal.signal(number, _end) for number in numbers.values() if number}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(number: int, _: FrameType | None) -> None:
    raise _Ended(str(int(number)))


# --- what is played ---


def _table(arguments: Namespace, screen: bool) -> GameTable:
    start = _beginning(arguments, screen)
    saved, autosave = start if isinstance(start, tuple) else (start, Autosave.fresh(start.source))
    series = Series.of_data(saved.series)
    if arguments.series:
        series = Series(tuple(arguments.series), arguments.games)
    texts = _texts(arguments.players, saved, series)
    game, seconds = saved.state.game, arguments.time
    seats = tuple(Seat.of(text, game, seconds) for text in texts)
    seed = arguments.seed if arguments.seed is not None else saved.seed
    session = Session(
        saved.source,
        saved.state,
        seats,
        fresh_seed() if seed is None else seed,
        saved.resigned,
        series=series.as_data() if series else {},
        undone=list(saved.undone),
    )
    if arguments.replay is not None:
        session.refuse_telling("a replay")
        session.looking = True
        session.to(0)
    helpers = Helpers(explanation_lines, lambda path: _read(path, arguments), _export)
    return GameTable(session, helpers, autosave, series, seconds, arguments.seed)


def _texts(words: list[str], game: SavedGame, series: Series | None) -> tuple[str, ...]:
    """The texts of all players: from the command line, else saved, else the game's defaults."""
    colours = game.state.game.players
    if series:
        refuse_seats(game.state.game.rules, "a series of opponents")
    seats = formats(game.state.game).play.seats
    usual = tuple(seats.get(colour, HUMAN) for colour in colours) if seats else _usual(colours)
    texts = list(game.players or (series.players if series else usual))
    for word in words:
        colour, equal, text = word.partition("=")
        if not equal or colour not in colours:
            players = " and ".join(f"{colour}=WHO" for colour in colours)
            raise RulewrightError(f"players are {players}, not {word}")
        texts[colours.index(colour) ^ game.state.swapped] = text
    return tuple(texts)


def _usual(colours: tuple[str, ...]) -> tuple[str, ...]:
    """A person who begins, against the computer."""
    return (HUMAN, *[COMPUTER] * (len(colours) - 1))


def _beginning(arguments: Namespace, screen: bool) -> SavedGame | tuple[SavedGame, Autosave]:
    """The game to play: one from a file, an unfinished saved one, or a new one."""
    if arguments.replay is not None:
        return _to_replay(arguments)
    if arguments.load:
        return _loaded(arguments)
    if not arguments.game:
        raise RulewrightError("name a game; `rulewright games` lists all names")
    placed = arguments.board is not None or arguments.position is not None
    is_new = placed or arguments.moves.strip() or arguments.new or arguments.series
    if screen and not is_new:
        entry = last_unfinished(arguments.game)
        if entry is not None and _fits(entry, arguments) and _accepts(entry):
            return entry.saved, Autosave(entry.path)
    return SavedGame(arguments.game, load_state(arguments))


def _fits(entry: StoredGame, arguments: Namespace) -> bool:
    """Whether a saved game has the options of the command line."""
    options = settings(arguments.set)
    if not options:
        return True
    return entry.saved.state.game.options == load_with(arguments.game, dict(options)).options


def _accepts(entry: StoredGame) -> bool:
    """Ask whether to go on with a saved game."""
    game = entry.saved
    players, turns = " against ".join(game.players or ()), amount(len(game.state.turns()), "turn")
    print(
        translate(f"A game of {game.source} from {entry.when} is kept: {players}, {turns} played.")
    )
    question = "Enter goes on with it, n begins a new one (it stays kept)> "
    print(translate(question), end="", flush=True)
    with keyboard() as keys:
        key = keys.press() or ""
    print()
    return key.casefold() != "n"


def _loaded(arguments: Namespace) -> SavedGame:
    saved = _read(Path(arguments.load), arguments)
    if arguments.game not in ("", saved.source):
        message = f"{arguments.load} is a saved game of {saved.source}, not of {arguments.game}"
        raise RulewrightError(message)
    if not arguments.moves.strip():
        return saved
    state = saved.state.play(arguments.moves)
    return SavedGame(saved.source, state, None, saved.players, saved.seed)


def _to_replay(arguments: Namespace) -> SavedGame:
    if arguments.replay:
        return _read(Path(arguments.replay), arguments)
    entry = next((k for k in stored_games(arguments.game) if k.saved.over), None)
    if entry is None:
        game = f" of {arguments.game}" if arguments.game else ""
        raise RulewrightError(f"no finished game{game} is kept; --replay FILE looks through a file")
    return entry.saved


def _read(path: Path, arguments: Namespace) -> SavedGame:
    """Read a game saved by this program, or recorded by another one."""
    if str(path) != INPUT and _is_saved(path):
        game = read_saved_game(path)
        if arguments.set:
            raise RulewrightError("a saved game has its options already; leave --set out")
        return game
    recorded = load_recorded(path, arguments.game, arguments.set, arguments.number)
    resigned = recorded.ending.loser if recorded.ending else None
    return SavedGame(recorded.source, recorded.end, resigned)


def _is_saved(path: Path) -> bool:
    """Whether a file, which need not be there, is a game saved by this program."""
    if not is_file(path) or path.suffix == ".json":
        return True
    if path.suffix in SUFFIXES:
        return False
    with open_file(path) as file:
        return file.read(_START).lstrip()[:1] == b"{"


def _export(path: Path, saved: SavedGame) -> None:
    """Write the game in a format that other programs read."""
    from rulewright.matches.game_files import write_game
    from rulewright.matches.protocols.recorded import Ending, Recorded

    ending = Ending("resigned", saved.resigned) if saved.resigned else None
    ending = Ending(DRAW) if saved.resigned == DRAW else ending
    write_game(path, Recorded(saved.source, saved.state, ending=ending))


def _list_kept(source: str) -> int:
    """List the saved games, the latest first."""
    for entry in stored_games(source):
        game = entry.saved
        state = "over" if game.over else amount(len(game.state.turns()), "turn")
        players = " - ".join(game.players or ())
        source, path = printable_name(game.source), printable_name(entry.path)
        print(f"{entry.when}  {source}  {players}  {state}  {path}")
    return 0


_WHO = """WHO is human, human:NAME (hints by a personality), computer (the game's best player),
search (the plain search), random, the name or path of a personality, or a program:
gomocup:COMMAND, gtp:COMMAND, uci:COMMAND, usi:COMMAND, ucci:COMMAND, engine:COMMAND;
WHO:SECONDS and WHO@depth=2,FACTOR=N change it"""
COMMANDS: dict[str, a.Command] = {
    "play": (play, [
        a.value("game", "GAME", "a bundled name or a path to rules", nargs="?", default=""),
        a.value(
            "players", "PLAYER=WHO",
            f"{_WHO} (default: as the game says, else the first is human, others the computer)",
            nargs="*",
        ),
        a.SETTINGS, *a.position(),
        a.each_time("seconds for each decision"),
        a.value(
            "--pace", "S|step",
            "between two computers: seconds after each decision, or wait for a key", default="",
        ),
        a.value(
            "--series", "WHO", "play against several opponents in turn, with a score", nargs="+"
        ),
        a.value("--games", "N", "games against each (default 1)", type=a.whole, default=1),
        a.value(
            "--replay", "FILE",
            "look through a finished game; without FILE the last game that was kept",
            nargs="?", const="",
        ),
        a.flag("--new", "do not offer the game that was interrupted last"),
        a.flag("--kept", "list the games that are kept"),
        a.value("--seed", "N", "the seed (default: new in each game)", type=int),
    ]),
}  # fmt: skip
