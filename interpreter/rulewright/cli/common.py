"""What several commands do alike: options, positions, output."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.disk import LARGEST, is_there, read_bytes, write_whole
from rulewright.engine.game import Game, State
from rulewright.errors import OptionError, PositionError, RulewrightError
from rulewright.files.games import load_with
from rulewright.printable import named, unguarded

if TYPE_CHECKING:
    from rulewright.matches.record_files import Match
    from rulewright.protocols.recorded import Recorded


def settings(pairs: list[str]) -> dict[str, str]:
    """The options of `--set NAME=VALUE`."""
    found: dict[str, str] = {}
    for pair in pairs:
        name, equal, value = pair.partition("=")
        if not equal or not name or not value:
            raise OptionError(f"--set takes OPTION=VALUE, not `{pair}`")
        found[name.strip()] = value.strip()
    return found


def load_game(arguments: Namespace) -> Game:
    """The game that a command is about."""
    use_cache = not getattr(arguments, "no_cache", False)
    return load_with(arguments.game, settings(arguments.set), use_cache)


def load_state(arguments: Namespace) -> State:
    """The position a command is about: a printed one, a board of rows, or the start; then moves."""
    sources = (arguments.board, arguments.position, arguments.load)
    if sum(source is not None for source in sources) > 1:
        raise RulewrightError("give only one of --board, --position and --load")
    if arguments.board is not None:
        state = _from_file(arguments.board, arguments, listed=True)
    elif arguments.position is not None:
        state = _from_file(arguments.position, arguments, listed=False)
    elif arguments.load is not None:
        state = load_recorded(Path(arguments.load), arguments.game, arguments.set).end
    else:
        state = load_game(arguments).start()
    return state.play(arguments.moves) if arguments.moves.strip() else state


def load_recorded(path: Path, game: str, options: list[str], number: int | None = None) -> Recorded:
    """A recorded game of *game* from a file of any format; says what of it is left out."""
    from rulewright.matches.game_files import Wanted, read_game

    recorded = read_game(path, Wanted(game, dict(settings(options)), number))
    refuse_other_options(path, recorded, options)
    for told in recorded.left_out:
        print(f"{named(path)}: {told} left out", file=sys.stderr)
    tell_damaged([recorded])
    return recorded


def refuse_other_options(path: str | Path, recorded: Recorded, pairs: list[str]) -> None:
    """Refuse options of `--set` other than those of a recorded game, whose file tells them."""
    asked = settings(pairs)
    wanted = load_with(recorded.source, dict(asked)).options if asked else {}
    for name in asked:
        its = recorded.game.options[name]
        if its != wanted[name]:
            told = f"{path} is a game with {name}={shown_option(its)}"
            raise OptionError(f"{told}, not {shown_option(wanted[name])}; leave --set {name} out")


def shown_option(value: float) -> str:
    """The value of an option, as `--set` takes it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def tell_damaged(read: Sequence[Match | Recorded]) -> int:
    """Say what of a record cannot be read and is left out; the exit status that follows."""
    damaged = [told for one in read for told in one.damaged]
    for told in damaged:
        print(f"rulewright: {told}; it is left out", file=sys.stderr)
    return int(bool(damaged))


def read_text(name: str) -> str:
    """The text of a file, or of the standard input for `-`."""
    try:
        if name != "-":
            return read_bytes(name).decode("utf-8-sig")
        data = sys.stdin.buffer.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise RulewrightError(f"the standard input has more than {LARGEST:,} bytes")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RulewrightError(f"{name} is not UTF-8 text") from None


def spare(name: str, force: bool) -> None:
    """Refuse to replace a file, unless told to."""
    if name != "-" and is_there(name) and not force:
        raise RulewrightError(f"{name} is there already; --force replaces it")


@contextmanager
def thinking(what: str) -> Iterator[None]:
    """Tell a person at a terminal what takes so long, until it is done."""
    if not sys.stderr.isatty():
        yield
        return
    terminal = unguarded(sys.stderr)
    print(f"\r\x1b[K{named(what)} ...", end="", file=terminal, flush=True)
    try:
        yield
    finally:
        print("\r\x1b[K", end="", file=terminal, flush=True)


def write_text(name: str, text: str) -> None:
    """Write a file, or the standard output for `-`."""
    if name == "-":
        sys.stdout.write(text)
        return
    write_whole(Path(name), text.encode("utf-8", "backslashreplace"))


def print_json(data: Mapping[str, Any]) -> None:
    """One JSON object, with the number of its format first."""
    print(json.dumps({"format": 1, **data}))


def _from_file(name: str, arguments: Namespace, listed: bool) -> State:
    """A position from a file, a list of rows or a printed one; mistakes are told with its name."""
    from rulewright.files.positions import GameSource, read_drawn, read_listed

    readers = (("--position", read_drawn), ("--board", read_listed))
    use_cache = not getattr(arguments, "no_cache", False)
    wanted = GameSource(arguments.game, settings(arguments.set), use_cache)
    text = read_text(name)
    try:
        return readers[listed][1](wanted, text)
    except PositionError as error:
        option, other = readers[not listed]
        hint = f"; {option} reads this file" if _can(lambda: other(wanted, text)) else ""
        raise PositionError(f"{'the input' if name == '-' else name}: {error}{hint}") from None


def _can(read: Callable[[], State]) -> bool:
    """Whether a file can be read, by an option other than the one it was given to."""
    try:
        read()
    except RulewrightError:
        return False
    return True
