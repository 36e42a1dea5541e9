"""The command line: a thin skin over the library.

Exit status: 0 fine, 1 findings, 2 wrong usage or a file that cannot be read, 130 interrupted.  Data
goes to standard output, everything else to standard error; a user's mistake never ends in a
traceback.

A command whose `--time` is that of the whole command has a budget while it runs, and in a process
of its own a last resort, as nothing else stops a compiler: status 1 and a message, in time.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
import threading
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import (
    AbstractContextManager,
    ExitStack,
    contextmanager,
    nullcontext,
    redirect_stderr,
    redirect_stdout,
    suppress,
)
from contextvars import copy_context
from importlib import import_module
from io import TextIOWrapper
from itertools import pairwise
from pathlib import Path
from threading import Timer
from typing import NoReturn, TextIO, cast

from rulewright import __version__
from rulewright.app.cli.arguments import Command, CommandParser, sentence
from rulewright.errors import Fault, OutOfBudget, RulewrightError
from rulewright.ground.budget import LONGEST, within_seconds
from rulewright.ground.printable import Printable
from rulewright.ground.translation import ENGLISH, LANGUAGES, speaking, translate
from rulewright.search.background import compile_ahead, compilers, load_library, wait_for_compilers

COMMANDS: dict[str, tuple[str, str]] = {
    "games": ("show", "list all games by their names"),
    "new": ("check", "write a commented starting point for a game"),
    "add": ("packages", "unpack an archive of games, so that their names are known"),
    "check": ("check", "show every mistake of files"),
    "fmt": ("check", "write files in the standard layout"),
    "flat": ("check", "print the whole text of rules that build on others"),
    "show": ("show", "show a position as text or SVG"),
    "moves": ("show", "list the legal moves of a position"),
    "perft": ("perft", "count sequences of moves"),
    "kernels": ("perft", "show the kernels that a game is compiled to"),
    "build": ("build", "write an engine to take away: WebAssembly, a library or C"),
    "play": ("play", "play a game at the terminal"),
    "best": ("best", "let the computer decide"),
    "bench": ("bench", "measure how fast games are"),
    "solve": ("solve", "prove the value of a position"),
    "explain": ("explain", "show what a personality thinks of each decision, and why"),
    "lint": ("factors", "list the factors of a personality that never change a decision"),
    "factors": ("factors", "list the evaluators of a game, their factors, and its personalities"),
    "demo": ("demo", "check every bundled text, let personalities play four games, explain a move"),
    "patterns": ("patterns", "work on patterns that propose moves"),
    "test": ("test", "try the properties of rules, evaluators and personalities"),
    "cover": ("test", "show which parts of a file games use, and which parts no game uses"),
    "why-not": ("explain", "show which clause forbids a decision, and the values in it"),
    "why": ("explain", "show which clauses allow a decision, and what the decision does"),
    "mutate": ("mutate", "put faults into rules, and list the faults that no claim finds"),
    "claims": ("mutate", "propose claims by counting and by random games, and write them"),
    "diff": ("test", "find the first position in which two rules files differ"),
    "match": ("match", "let two players play many fair games"),
    "tournament": ("match", "let all players play against all others"),
    "replay": ("replay", "list recorded games, show one, or check them all"),
    "epd": ("analyze", "count the test positions of a file that a player solves"),
    "import": ("replay", "put games of files into a database of matches"),
    "export": ("replay", "write games on record as CSV, lines of JSON, text, SVG or SGF"),
    "report": ("replay", "write a recorded match as a page for a browser"),
    "tune": ("match", "improve factors of a personality by matches"),
    "book": ("book", "make an opening book, from recorded games or by search, for a personality"),
    "fit": ("fit", "fit factors of a personality to the results of recorded games"),
    "learn": ("learn", "let a personality learn from games against itself, round after round"),
    "gomocup": ("serve", "play as a brain by the protocol of Gomocup"),
    "gtp": ("serve", "play as an engine by the Go Text Protocol"),
    "uci": ("serve", "play as an engine by the Universal Chess Interface"),
    "usi": ("serve", "play as an engine by the Universal Shogi Interface"),
    "ucci": ("serve", "play as an engine by the Universal Chinese Chess Protocol"),
    "convert": ("analyze", "write a recorded game in another format"),
    "analyze": ("analyze", "judge the moves of a recorded game"),
    "engine": ("serve", "play as an engine by the text protocol, any game"),
    "schemas": ("schemas", "print the JSON schema of what a command prints"),
    "watch": ("watch", "check, play and test a file at every save"),
    "lsp": ("lsp", "serve an editor by the Language Server Protocol"),
    "mcp": ("mcp", "give an assistant tools to write rules with, by the Model Context Protocol"),
    "studio": ("studio", "show the board beside the text, as a page in a browser"),
}
"""The module and the description of each command; a process loads the module of its own alone."""
LIMITED = ("best", "cover", "explain", "lint", "solve", "test")
"""Commands whose `--time` is that of the whole command."""
_TOO_LATE = "the time was over ({:g} s) before there was an answer; give more with --time"
_SEARCHING = ("best", "play")
"""Commands that need the compiled search at once."""
_ALLOCATIONS = 400_000
"""Allocations between two collections of garbage: objects made at the start are seldom garbage,
and searching them takes an eighth of the time to a first move."""
_BEGUN = time.perf_counter()
_STARTING = 0.5
"""Processor seconds for the start of a process."""
_PATIENCE = 10.0
"""Seconds beyond the time limit to wait for a first answer, on a busy machine."""
_LOOK = 0.02
"""Seconds between two looks whether there is an answer."""
_ALL = 0.85
"""Seconds beyond the time limit after which the process exits; the rest of 1 is for exiting."""
_GRACE = 0.6
"""Seconds beyond the time limit for ending the search."""
_WRITING = 0.15
"""Seconds kept for writing the answer."""
_STARTTIME = 19
"""The index of the start time in /proc/self/stat, behind the name of the process."""
_KEEPING = 0.6
"""Seconds beyond the time limit in which code that is compiled late is still cached."""
_late: float | None = None
"""The time up to which that may be, in a process whose command has a time limit."""


def run() -> NoReturn:
    """Run one command as a process of its own, and exit with its status.

    Compilers that still run are abandoned, unless they may soon be done: then the next command has
    their code.  Memory is not freed piece by piece, which would take a tenth of a start.
    """
    statuses: list[int] = []
    atexit.register(_leave, statuses)  # registered first, so it runs last
    gc.set_threshold(_ALLOCATIONS, 20, 20)
    status = main(alone=True)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # the output is complete: exit at once
    if _late is not None:
        wait_for_compilers(min(_late, time.perf_counter() + _KEEPING))
    if _late is not None or compilers():
        sys.stderr.flush()  # `main` has flushed standard output
        os._exit(status)
    statuses.append(status)
    sys.exit(status)


def _leave(statuses: Sequence[int]) -> None:
    """Exit at once, as the last exit handler, without freeing memory."""
    if not statuses:  # Python still has to report an exception
        return
    with suppress(OSError, ValueError):  # else Python reports what is wrong with the output
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(statuses[0])


def main(argv: Sequence[str] | None = None, alone: bool = False) -> int:
    """Run one command and return its exit status; *alone*: the process runs nothing else."""
    _open_streams()
    with ExitStack() as streams:
        for stream, redirected in ((sys.stdout, redirect_stdout), (sys.stderr, redirect_stderr)):
            streams.enter_context(redirected(cast(TextIO, Printable(stream))))
        words = sys.argv[1:] if argv is None else argv
        name, words = _language(words)
        if name not in LANGUAGES:
            _say(f"rulewright: there is no language {name}; choose {' or '.join(LANGUAGES)}")
            return 2
        with speaking(name):
            return _main(words, alone)


def _language(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The language that people are spoken to in, and the words without the option for it.

    It is never that of the system: what a script reads must not depend on where the script runs.
    """
    first = next(iter(words), "")
    if first.startswith("--language="):
        return first.partition("=")[2], words[1:]
    if first == "--language" and len(words) > 1:
        return words[1], words[2:]
    return os.environ.get("RULEWRIGHT_LANGUAGE") or ENGLISH, words


def _main(words: Sequence[str], alone: bool) -> int:
    searching = next(iter(words), "") in _SEARCHING
    if searching:
        load_library()
    try:
        _hear_interruptions()
        with _last_resort(words) if alone else nullcontext():
            arguments = _arguments(words)
            if searching:
                compile_ahead()
            with _deadline(arguments, alone), _workers(arguments, alone):
                status: int = arguments.run(arguments)
                sys.stdout.flush()
    except KeyboardInterrupt:
        _say("interrupted")
        return 130
    except BrokenPipeError:
        _forget_output()
        return 0
    except RulewrightError as error:
        _say(str(error) if _located(error) else f"rulewright: {error}")
        return 1 if _located(error) or isinstance(error, OutOfBudget) else 2
    except (OSError, MemoryError, RecursionError, UnicodeError) as error:
        if isinstance(error, OSError):
            _forget_output()
        _say(f"rulewright: {_reason(error)}")
        return 2
    return status


def _workers(arguments: Namespace, alone: bool) -> AbstractContextManager[None]:
    """A block in which SIGTERM ends the worker processes of a command."""
    if getattr(arguments, "workers", 1) == 1:
        return nullcontext()
    from rulewright.matches.executors import ended_at_once

    return ended_at_once(lasting=alone)


@contextmanager
def _deadline(arguments: Namespace, alone: bool) -> Iterator[None]:
    """A block with the time limit of `--time`; *alone*: the process may exit at its end."""
    seconds = arguments.time if getattr(arguments, "whole", False) else None
    if seconds is None:
        yield
        return
    global _late  # noqa: PLW0603  (there is one process)
    why = _TOO_LATE.format(seconds)
    started = _since_start() if alone else 0.0
    _late = time.perf_counter() - started + seconds + _KEEPING if alone else None
    thinking, grace, rest = shares(seconds, started)
    with (
        _ended_after(thinking + grace + rest, why, _own(seconds)) if alone else nullcontext(),
        within_seconds(thinking, grace, why),
    ):
        yield


@contextmanager
def _last_resort(words: Sequence[str]) -> Iterator[None]:
    """A block at whose time limit the process exits, even before its arguments are parsed.

    On a busy machine loading modules may take longer than the limit, which is read off the words.
    """
    limits = [text for name, text in pairwise((*words, "")) if name == "--time"]
    limits += [word.partition("=")[2] for word in words if word.startswith("--time=")]
    seconds = max(map(_seconds, limits), default=0.0)
    if not seconds or words[0] not in LIMITED:
        yield
        return
    last_word.expected = words[0] == "best"
    seconds_left = max(seconds + _ALL - _since_start(), 2 * _WRITING)
    with _ended_after(seconds_left, _TOO_LATE.format(seconds), _own(seconds)):
        yield


def _own(seconds: float) -> float:
    """Processor seconds in which a process with a time limit should know any answer."""
    return seconds + _ALL + _STARTING


def _seconds(text: str) -> float:
    """The number in a word; 0 if it is none, which the parser reports later."""
    try:
        return max(0.0, float(text))
    except ValueError:
        return 0.0


class LastWord:
    """The answer that a process prints when its time is over."""

    def __init__(self) -> None:
        self.expected = False
        """Whether the command has to answer in any case."""
        self._saying = threading.RLock()
        self._say: Callable[[], None] | None = None

    def is_known(self, say: Callable[[], None]) -> None:
        """Set the function that prints the answer, or what is not printed of it yet."""
        self._say = say

    @contextmanager
    def spoken(self) -> Iterator[None]:
        """A block in which the command itself prints its answer."""
        with self._saying:
            yield

    def wait(self, most: float) -> bool:
        """Wait for an answer, up to *most* processor seconds; whether there is one."""
        until = time.perf_counter() + _PATIENCE
        while self.expected and self._say is None and time.process_time() < most:
            if time.perf_counter() > until:
                break
            time.sleep(_LOOK)
        return self._say is not None

    def say(self) -> NoReturn:
        """Print the answer and exit."""
        with self._saying:
            status = 0
            try:
                if self._say is not None:
                    self._say()
            except RulewrightError as error:
                _say(f"rulewright: {error}")
                status = 2
            sys.stdout.flush()
            wait_for_compilers(time.perf_counter() + _KEEPING)
            os._exit(status)


last_word = LastWord()
"""The last word of this process."""


@contextmanager
def _ended_after(seconds: float, why: str, most: float = 0.0) -> Iterator[None]:
    """A block after whose time limit the process prints its last word, or a message, and exits.

    It waits for a last word until it has used *most* processor seconds.
    """
    speaking_so = copy_context()  # a thread begins in English
    last = Timer(min(seconds, LONGEST), speaking_so.run, (_end_process, why, most))
    last.daemon = True
    last.start()
    try:
        yield
    finally:
        last.cancel()


def shares(seconds: float, started: float) -> tuple[float, float, float]:
    """Divide a time limit into seconds for thinking, for ending the search, and for writing.

    The process has *started* that many seconds ago.  At least half of the limit is for thinking,
    if the process can still exit in time.
    """
    whole = max(seconds + _ALL - started, 2 * _WRITING)
    thinking = min(max(seconds - started, seconds / 2), whole - _WRITING)
    grace = min(_GRACE, whole - _WRITING - thinking)
    return thinking, grace, whole - thinking - grace


def _since_start() -> float:
    """Seconds since the process was started, as Linux tells; else since this module was loaded."""
    loaded = time.perf_counter() - _BEGUN
    if sys.platform != "linux":
        return loaded
    try:
        ticks = Path("/proc/self/stat").read_text("ascii").rpartition(")")[2].split()[_STARTTIME]
    except (OSError, ValueError, IndexError):
        return loaded
    start = int(ticks) / os.sysconf("SC_CLK_TCK")
    return max(loaded, time.clock_gettime(time.CLOCK_BOOTTIME) - start)


def _end_process(why: str, most: float) -> None:
    if last_word.wait(most):
        last_word.say()
    sys.stdout.flush()
    _say(f"rulewright: {why}")
    sys.stderr.flush()
    os._exit(1)


def _hear_interruptions() -> None:
    """Let Ctrl-C raise `KeyboardInterrupt` again, which the entry point has switched off."""
    is_main = threading.current_thread() is threading.main_thread()
    if is_main and signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _reason(error: Exception) -> str:
    """The message of an error that any command may meet."""
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    if isinstance(error, RecursionError):
        return "this is nested too deeply"
    if isinstance(error, UnicodeError):
        return f"a text cannot be read or written as {getattr(error, 'encoding', 'UTF-8')}"
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return f"cannot write: {getattr(error, 'strerror', None) or error}"


def _say(text: str) -> None:
    with suppress(OSError):  # nobody listens any more
        print(translate(text), file=sys.stderr)


def _open_streams() -> None:
    """Replace streams that the caller has closed; write escapes for letters without encoding."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _forget_output() -> None:
    """Redirect the output to nothing after an error, so that flushing it at exit succeeds."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def parser(only: str | None = None) -> CommandParser:
    """Make the parser of the command line, with the arguments of *only* alone if it is given."""
    top = CommandParser(
        prog="rulewright",
        description=translate("Write a board game's rules as text and play them."),
        epilog=translate(
            "GAME is a name that `rulewright games` lists or a path to a .rules file."
        ),
    )
    top.add_argument(
        "--language", choices=LANGUAGES, metavar="L",
        help="before the command: speak to people in en or de (also: RULEWRIGHT_LANGUAGE)",
    )  # fmt: skip
    top.add_argument("--version", action="version", version=f"rulewright {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for name, (module, text) in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=sentence(text))
        if only in (None, name):
            table: dict[str, Command] = import_module(f"rulewright.app.cli.{module}").COMMANDS
            run_it, arguments = table[name]
            for argument in arguments:
                argument(command)
            command.set_defaults(run=run_it)
    return top


def _arguments(words: Sequence[str]) -> Namespace:
    """Parse the command line; `red=human`, or a move, may also stand behind options."""
    top = parser(next(iter(words), ""))
    more: list[str]
    arguments: Namespace
    arguments, more = top.parse_known_args(words)
    if len(more) == 1 and getattr(arguments, "move", None) == "" and not more[0].startswith("--"):
        arguments.move, more = more[0], []  # argparse takes it only in front of options
    players = [word for word in more if "=" in word and not word.startswith("-")]
    if len(players) < len(more) or (players and not hasattr(arguments, "players")):
        top.error(translate("unrecognized arguments: %s") % " ".join(more))
    if players:
        arguments.players += players
    return arguments


def _located(error: RulewrightError) -> bool:
    """Whether an error is about the content of a file, so that its message begins with a place."""
    return hasattr(error, "diagnostics") or isinstance(error, Fault)
