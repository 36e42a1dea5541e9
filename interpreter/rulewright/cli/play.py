"""`rulewright play`: a game at the terminal.

At a terminal the screen is redrawn in place after each decision, and a decision that is one key
needs no Enter.  Otherwise commands and moves are read line by line, so that a file can play too.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from attrs import define, field

from rulewright.cli.common import load_recorded, settings
from rulewright.cli.explained import explained
from rulewright.errors import Fault, MoveError, RulewrightError
from rulewright.game import State
from rulewright.loading import load_with
from rulewright.play.session import MOST_SECONDS, Player, Session, read_record
from rulewright.reference.play import NONE

_CLEAR = "\x1b[H\x1b[2J\x1b[3J"
_HELP = (
    "a move, or: ? (legal moves), undo [N], redo [N], hint [SECONDS], why, save FILE, load FILE, "
    "moves (played so far), resign, help, quit"
)


_EXPLAINED = 3
"""Decisions that `why` tells of."""


class _Quit(Exception):
    pass


def run(arguments: Namespace) -> int:
    """Play a game to its end, or until `quit` or the end of the input."""
    table = _Table(_session(arguments), sys.stdin.isatty() and sys.stdout.isatty())
    try:
        table.play()
    except _Quit:
        print("good-bye", file=sys.stderr)
    finally:
        table.session.close()
    return 0


def _session(arguments: Namespace) -> Session:
    source, resigned = arguments.game, None
    if arguments.load:
        source, state, resigned = _read(Path(arguments.load), arguments)
        if source != arguments.game:
            message = f"{arguments.load} is a saved game of {source}, not of {arguments.game}"
            raise RulewrightError(message)
        if arguments.set:
            raise RulewrightError("a saved game has its options already; leave --set out")
    else:
        state = load_with(source, dict(settings(arguments.set))).start()
    if arguments.moves.strip():
        state = state.play(arguments.moves)
    players = _players(arguments.players, state.game.players)
    session = Session(source, state, players, arguments.seed)
    session.meet()
    session.resigned = resigned
    return session


def _read(path: Path, arguments: Namespace) -> tuple[str, State, str | None]:
    """A game saved here, or recorded by another program."""
    if not path.is_file() or path.suffix == ".json" or path.read_bytes().lstrip()[:1] == b"{":
        return read_record(path)
    recorded = load_recorded(path, arguments.game, arguments.set)
    return recorded.source, recorded.end, recorded.ending.loser if recorded.ending else None


def _players(words: list[str], colours: tuple[str, str]) -> tuple[Player, Player]:
    chosen = {colours[0]: Player("human"), colours[1]: Player("computer")}
    for word in words:
        colour, equal, who = word.partition("=")
        if not equal or colour not in colours:
            raise RulewrightError(f"players are {colours[0]}=WHO and {colours[1]}=WHO, not {word}")
        chosen[colour] = Player.parse(who)
    return chosen[colours[0]], chosen[colours[1]]


def keys(state: State) -> dict[str, str]:
    """A single key for every decision, or nothing when some decision has none.

    A decision of one character is its own key.  A kind of move with one decision here also has
    its first letter, and `none` has `p` (pass).
    """
    found = {text: text for text in state.moves() if len(text) == 1}
    if len(found) < len(state.moves()):
        return {}
    for text, letter in state.letters().items():
        found.setdefault(letter, text)
    return found


@define
class _Table:
    session: Session
    screen: bool
    message: str = ""
    commands: dict[str, Callable[[list[str]], None]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.commands = {
            "?": self._legal, "undo": self._undo, "redo": self._redo, "hint": self._hint,
            "why": self._why,
            "save": self._save, "load": self._load, "moves": self._played,
            "resign": self._resign, "help": self._help, "quit": self._quit, "exit": self._quit,
        }  # fmt: skip

    def play(self) -> None:
        """Ask, decide and draw until the game is over."""
        while True:
            self._draw()
            if self.session.over:
                if not self._after_the_end():
                    return
            elif self.session.player.kind == "human":
                self._ask()
            else:
                self._decide()

    def _after_the_end(self) -> bool:
        """At a terminal a finished game can still be undone or saved."""
        if not self.screen:
            return False
        line = self._line("the game is over; undo, save FILE or Enter to leave> ")
        if not line:
            return False
        self._do(line)
        return True

    def _decide(self) -> None:
        mover, move = self.session.state.mover, self.session.choose()
        self.session.play(move)
        self.message = f"{mover} plays {move}"
        if not self.screen:
            print(self.message)

    # --- output ---

    def _draw(self) -> None:
        state = self.session.state
        lines = [state.board(), ""]
        turns = state.turns()
        if turns and self.screen:
            lines.append(f"played: {' '.join(turns[-12:])}")
        lines += self._facts(state)
        if self.session.over:
            lines.append(self.session.verdict())
        text = "\n".join(lines)
        if self.screen:
            print(_CLEAR + text)
            if self.message:
                print(self.message)
            self.message = ""
        else:
            print(text, flush=True)

    @staticmethod
    def _facts(state: State) -> list[str]:
        """The states and links that the rules keep, as the position's text has them."""
        rules = state.game.rules
        names = [f"{s.name}: " for s in rules.states if not s.within_turn]
        names += [f"{link.name}: " for link in rules.links]
        return [line for line in state.text().splitlines() if line.startswith(tuple(names))]

    def _say(self, text: str) -> None:
        if self.screen:
            self.message = f"{self.message}\n{text}".strip()
        else:
            print(text, flush=True)

    # --- input ---

    def _ask(self) -> None:
        state = self.session.state
        single = keys(state) if self.screen else {}
        prompt = f"{state.mover} ({self._wanted(state)})> "
        line = self._key(single, prompt) if single else self._line(prompt)
        if line:
            self._do(single.get(line, line))

    @staticmethod
    def _wanted(state: State) -> str:
        """What the turn expects now: the kinds of moves, with their letters where keys will do."""
        letters = state.letters()
        parts = []
        for name, texts in state.by_kind().items():
            only = texts[0] if len(texts) == 1 else ""
            key = f" {letters[only]}" if only in letters else f" {only}" if only else ""
            parts.append(f"{name}{key}" if only else f"{name} {_some(texts)}")
        return ", ".join(parts) + "; ? lists moves"

    def _key(self, single: dict[str, str], prompt: str) -> str:
        """One key; any other letter begins a command, which Enter ends."""
        print(prompt, end="", flush=True)
        key = _pressed()
        if key in single or key == "?":
            print(key)
            return key
        return self._typed(key)

    def _line(self, prompt: str) -> str:
        if self.screen:
            print(prompt, end="", flush=True)
            return self._typed(_pressed())
        line = sys.stdin.readline()
        if not line:
            raise _Quit
        return line.strip()

    @staticmethod
    def _typed(key: str) -> str:
        """A line that begins with *key*, typed key by key with backspace."""
        text = ""
        while key not in ("\r", "\n"):
            if key in ("\x7f", "\b"):
                print("\b \b" if text else "", end="", flush=True)
                text = text[:-1]
            elif key.isprintable() and len(key) == 1:
                print(key, end="", flush=True)
                text += key
            key = _pressed()
        print()
        return text.strip()

    def _do(self, line: str) -> None:
        word, *arguments = line.split()
        command = self.commands.get(word.casefold())
        try:
            if command is not None and line not in self.session.state.moves():
                command(arguments)
            else:
                self.session.play(line)
        except (MoveError, RulewrightError) as error:
            if isinstance(error, Fault):
                raise
            self._say(str(error))

    # --- commands ---

    @staticmethod
    def _times(arguments: list[str]) -> int:
        text = arguments[0] if arguments else "1"
        if not text.isdecimal() or int(text) < 1:
            raise RulewrightError(f"a number from 1 is expected, not {text}")
        return int(text)

    def _legal(self, _: list[str]) -> None:
        for name, texts in self.session.state.by_kind().items():
            self._say(f"{name}: {' '.join(texts)}")

    def _undo(self, arguments: list[str]) -> None:
        done = self.session.undo(self._times(arguments))
        self._say(f"{done} taken back" if done else "there is nothing to take back")

    def _redo(self, arguments: list[str]) -> None:
        done = self.session.redo(self._times(arguments))
        self._say(f"{done} played again" if done else "there is nothing to play again")

    def _hint(self, arguments: list[str]) -> None:
        own = MOST_SECONDS if self.session.player.name else 1.0
        seconds = Player.parse(f"computer:{arguments[0]}").seconds if arguments else own
        if not self.session.over:
            self._say(f"hint: {self.session.hint(seconds)}")

    def _why(self, _: list[str]) -> None:
        self._say("\n".join(explained(*self.session.why(), _EXPLAINED)))

    def _path(self, arguments: list[str], word: str) -> Path:
        if len(arguments) != 1:
            raise RulewrightError(f"{word} needs the name of a file")
        return Path(arguments[0])

    def _save(self, arguments: list[str]) -> None:
        path = self._path(arguments, "save")
        if path.suffix.casefold() in (".sgf", ".t1", ".txt"):
            self._export(path)
        else:
            self.session.save(path)
        self._say(f"saved in {path}")

    def _export(self, path: Path) -> None:
        """Write the game as other programs read it."""
        from rulewright.analysis.files import write_game
        from rulewright.protocols.recorded import Ending, Recorded

        if path.exists():
            raise RulewrightError(f"{path} is there already; choose another name")
        session = self.session
        ending = Ending("resigned", session.resigned) if session.resigned else None
        write_game(path, Recorded(session.source, session.state, ending=ending))

    def _load(self, arguments: list[str]) -> None:
        path = self._path(arguments, "load")
        self.session.restore(path)
        self._say(f"loaded {path}")

    def _played(self, _: list[str]) -> None:
        self._say(" ".join(self.session.state.turns()) or "nothing is played yet")

    def _resign(self, _: list[str]) -> None:
        self.session.resign()

    def _help(self, _: list[str]) -> None:
        self._say(_HELP)

    def _quit(self, _: list[str]) -> None:
        raise _Quit


def _pressed() -> str:
    """The next key; Ctrl-C interrupts, Ctrl-D quits."""
    import readchar

    key: str = readchar.readkey()
    if key == "\x04":
        raise _Quit
    return key


def _some(texts: list[str]) -> str:
    """A few of many decisions."""
    if texts == [NONE]:
        return NONE
    return f"{texts[0]}-{texts[-1]}" if len(texts) < 10 else f"such as {texts[0]}"
