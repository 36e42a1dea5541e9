"""Functions that several commands share: options, positions, reading and writing."""

from __future__ import annotations

import json
import re
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.errors import OptionError, PositionError, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import check, find, flat_text, load_with
from rulewright.ground.disk import LARGEST, is_there, read_bytes, write_whole
from rulewright.ground.printable import printable_name, shown_option, unguarded
from rulewright.ground.translation import translate
from rulewright.language.diagnostics import Collector, TextError
from rulewright.language.source import decode

if TYPE_CHECKING:
    from rulewright.matches.protocols.recorded import Recorded
    from rulewright.matches.record_files import Match
    from rulewright.model.personality import Belief


def say(text: object) -> None:
    """Print a message for people in their language, to standard error."""
    print(translate(str(text)), file=sys.stderr)


def tell(text: object) -> None:
    """Print a text for people in their language, to standard output."""
    print(translate(str(text)), flush=True)


def settings(pairs: list[str]) -> dict[str, str]:
    """Parse the options of `--set NAME=VALUE`; raises `OptionError`."""
    options: dict[str, str] = {}
    for pair in pairs:
        name, equal, value = pair.partition("=")
        if not equal or not name or not value:
            raise OptionError(f"--set takes OPTION=VALUE, not `{pair}`")
        options[name.strip()] = value.strip()
    return options


def load_game(arguments: Namespace) -> Game:
    """Load the game of a command."""
    use_cache = not getattr(arguments, "no_cache", False)
    return load_with(arguments.game, settings(arguments.set), use_cache)


def load_state(arguments: Namespace) -> State:
    """Load the position of a command: a printed one, a board of rows, or the start; then moves."""
    sources = (arguments.board, arguments.position, arguments.load)
    if sum(source is not None for source in sources) > 1:
        raise RulewrightError("give only one of --board, --position and --load")
    if arguments.number is not None and arguments.load is None:
        raise RulewrightError("--number needs --load FILE, from which it chooses a game")
    if arguments.board is not None:
        state = _from_file(arguments.board, arguments, of_rows=True)
    elif arguments.position is not None:
        state = _from_file(arguments.position, arguments, of_rows=False)
    elif arguments.load is not None:
        path, number = Path(arguments.load), arguments.number
        state = load_recorded(path, arguments.game, arguments.set, number).end
    else:
        state = load_game(arguments).start()
    return state.play(arguments.moves) if arguments.moves.strip() else state


def load_recorded(path: Path, game: str, options: list[str], number: int | None = None) -> Recorded:
    """Read a recorded game of *game* from a file of any format; reports what is left out of it."""
    from rulewright.matches.game_files import FileHints, read_game, shown_name

    recorded = read_game(path, FileHints(game, dict(settings(options)), number))
    refuse_other_options(path, recorded, options)
    name = printable_name(shown_name(path))
    for message in recorded.left_out:
        say(f"{name}: {message} left out")
    for doubt in recorded.doubts:
        say(f"{name}: {doubt}")
    tell_damaged([recorded])
    return recorded


def refuse_other_options(path: str | Path, recorded: Recorded, pairs: list[str]) -> None:
    """Raise `OptionError` if `--set` contradicts the options of a recorded game."""
    texts = settings(pairs)
    options = load_with(recorded.source, dict(texts)).options if texts else {}
    for name in texts:
        value = recorded.game.options[name]
        if value != options[name]:
            real, text = shown_option(value), shown_option(options[name])
            message = f"{path} is a game with {name}={real}, not {text}"
            raise OptionError(f"{message}; leave --set {name} out")


def tell_damaged(records: Sequence[Match | Recorded]) -> int:
    """Report the parts of records that cannot be read; returns the exit status."""
    damaged = [message for record in records for message in record.damaged]
    for message in damaged:
        say(f"rulewright: {message}; it is left out")
    return int(bool(damaged))


def read_text(name: str) -> str:
    """Read the text of a file, or of the standard input for `-`."""
    try:
        if name != "-":
            return read_bytes(name).decode("utf-8-sig")
        data = sys.stdin.buffer.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise RulewrightError(f"the standard input has more than {LARGEST:,} bytes")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RulewrightError(f"{name} is not UTF-8 text") from None


def decoded(name: str, data: bytes) -> str:
    """Decode the text of a file called *name*; raises `TextError` at the place of a mistake."""
    collector = Collector()
    source = decode(name, data, collector)
    if source is None:
        raise TextError(collector.diagnostics)
    return source.text


def renamed_rules(source: str, name: str, path: Path) -> str:
    """The rules of a game under a new name, for a file at *path*; raises `TextError`."""
    head = re.compile(r"^game\s+\w+", flags=re.MULTILINE)
    text = head.sub(f"game {name}", read_text(str(find(source))), count=1)
    if not check(text, str(path)).ok:  # it builds on rules that stand beside it
        text = head.sub(f"game {name}", flat_text(find(source)), count=1)
    check(text, str(path)).loaded()
    return text


def spare(name: str | Path, force: bool) -> None:
    """Refuse to replace a file, unless *force* is set."""
    if name != "-" and is_there(name) and not force:
        raise RulewrightError(f"{name} is there already; --force replaces it")


def new_path(name: str) -> Path:
    """Return the path of a file that is to be written; refuses one that is there."""
    if is_there(name):
        raise RulewrightError(f"{name} is there already, and is left as it is")
    return Path(name)


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Show texts at a terminal, each over the last, on a line that is erased at the end."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    terminal = unguarded(sys.stderr)

    def show(text: str) -> None:
        print(f"\r\x1b[K{text}", end="", file=terminal, flush=True)

    try:
        yield show
    finally:
        show("")


@contextmanager
def thinking(activity: str) -> Iterator[None]:
    """Show at a terminal what the command is doing, until it is done."""
    with progress() as show:
        show(f"{printable_name(activity)} ...")
        yield


def write_text(name: str, text: str) -> None:
    """Write a text to a file, or to the standard output for `-`."""
    if name == "-":
        sys.stdout.write(text)
        return
    write_whole(Path(name), text.encode("utf-8", "backslashreplace"))


def print_json(data: Mapping[str, Any]) -> None:
    """Print a JSON object, with the number of its format first."""
    print(json.dumps({"format": 1, **data}))


def answer(arguments: Namespace, data: Mapping[str, Any], lines: Iterable[object]) -> None:
    """Print what a command has found, as a JSON object or as lines in the person's language."""
    if arguments.format == "json":
        print_json(data)
    else:
        print("\n".join(translate(str(line)) for line in lines))


def _from_file(name: str, arguments: Namespace, of_rows: bool) -> State:
    """Read a position from a file, a list of rows or a printed one; errors name the file."""
    from rulewright.games.files.positions import GameSource, read_drawn, read_listed
    from rulewright.matches.protocols import epd

    readers = (("--position", read_drawn), ("--board", read_listed))
    use_cache = not getattr(arguments, "no_cache", False)
    source = GameSource(arguments.game, settings(arguments.set), use_cache)
    text = read_text(name)
    try:
        if not of_rows and epd.FIRST.match(text.strip()):
            return epd.state_of(source.load(), text)
        return readers[of_rows][1](source, text)
    except PositionError as error:
        option, reader = readers[not of_rows]
        hint = f"; {option} reads this file" if _can(lambda: reader(source, text)) else ""
        raise PositionError(f"{'the input' if name == '-' else name}: {error}{hint}") from None


def _can(read_state: Callable[[], State]) -> bool:
    """Whether reading raises no `RulewrightError`."""
    try:
        read_state()
    except RulewrightError:
        return False
    return True


def believed_lines(beliefs: tuple[Belief, ...]) -> list[str]:
    """The line `believed: must, drawn of solver`, if the proof rests on beliefs."""
    words = ", ".join(belief.word for belief in beliefs)
    return [f"believed: {words} of {beliefs[0].personality}"] if beliefs else []
