"""The Universal Chess Interface, both sides, for chess and for games that are written like it.

In: as an engine, lines; as a controller, a running engine, games and positions.  Out: as an engine,
what the interface asks for, and `info string` for every mistake; as a controller, the decisions of
the engine.  An engine thinks beside: `stop`, `isready` and `quit` are heard meanwhile.  An engine
that answers what is no move fails.  After https://backscattering.de/chess/uci/.

What FEN and moves look like is the game's to say, see `fen.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise

from attrs import define, evolve, field

from rulewright.engine.game import Game, State
from rulewright.errors import RulewrightError
from rulewright.players.player import Clock, Decision, Failed, GameLimits
from rulewright.protocols.fen import Fen, UciNotation
from rulewright.protocols.formats import formats
from rulewright.protocols.process import Program
from rulewright.protocols.serving import GameService, less_answering, one_line
from rulewright.search.results import SearchResult

NO_MOVE = "0000"
"""What stands for a move where there is none."""
_HUNDREDTHS = 100
"""What a win is worth where results alone are values, in hundredths of a pawn."""

# --- the controller ---


@define
class UciController:
    """Speaks to one engine; `options` are set before its first game."""

    options: Mapping[str, str] = field(factory=dict)
    farewell: tuple[str, ...] = ("quit",)
    _limits: GameLimits = field(factory=GameLimits, init=False)
    _offered: list[str] | None = field(default=None, init=False)
    _moves: UciNotation | None = field(default=None, init=False)

    def begin(
        self, program: Program, game: Game, limits: GameLimits, seed: int, deadline: float
    ) -> None:
        """Greet the engine, set its options, and begin a game."""
        self._limits, self._moves = limits, UciNotation(formats(game).uci)
        if self._offered is None:
            self._offered = _offered(program, deadline)
            self._set("Hash", str(limits.memory), program, must=False)
            for name, value in self.options.items():
                self._set(name, value, program)
        program.say("ucinewgame", "isready")
        _hear(program, "readyok", deadline)

    def _set(self, name: str, value: str, program: Program, must: bool = True) -> None:
        """Set an option that the engine offers."""
        known = {one.casefold(): one for one in self._offered or ()}
        if name.casefold() in known:
            program.say(f"setoption name {known[name.casefold()]} value {value}")
        elif must:
            raise Failed("crash", f"has no option `{name}`: {', '.join(known.values()) or 'none'}")

    def ask(self, program: Program, state: State, clock: Clock, deadline: float) -> Decision:
        """The whole way here, the limits of this decision, and what the engine says."""
        assert self._moves is not None
        moves = [self._moves.write(move) for move in state.decisions()]
        first = state.states()[0]
        start = first.game.start()
        known = first.situation.position == start.situation.position
        told = "startpos" if known else f"fen {Fen(state.game).write(first)}"
        program.say(" ".join(["position", told, *(["moves", *moves] if moves else [])]))
        program.say(" ".join(["go", *self._go(state, clock)]))
        told_last = dict[str, float]()
        while True:
            word, *rest = program.hear(deadline).split() or [""]
            if word == "info":
                told_last |= _information(rest)
            elif word == "bestmove":
                return self._decision(rest, state, told_last)

    def _decision(self, rest: list[str], state: State, told: dict[str, float]) -> Decision:
        assert self._moves is not None
        if not rest or rest[0] in (NO_MOVE, "(none)"):
            raise Failed("illegal", "answers no move")
        move = self._moves.read(rest[0], state)
        if move not in state.moves:
            raise Failed("illegal", f"answers `{rest[0][:80]}`, which is no legal decision here")
        depth, nodes = told.get("depth"), told.get("nodes")
        return Decision(
            move, told.get("score"), None if depth is None else int(depth),
            None if nodes is None else int(nodes),
        )  # fmt: skip

    def _go(self, state: State, clock: Clock) -> list[str]:
        """The words that limit a decision."""
        words = []
        limits = self._limits
        if limits.depth is not None:
            words += ["depth", str(limits.depth)]
        if limits.nodes is not None:
            words += ["nodes", str(limits.nodes)]
        if clock.seconds is not None:
            words += ["movetime", _thousandths(clock.seconds)]
        elif clock.left is not None:
            left, more = _thousandths(clock.left), _thousandths(clock.increment)
            words += ["wtime", left, "btime", left, "winc", more, "binc", more]
        return words or ["movetime", "1000"]


def _thousandths(seconds: float) -> str:
    return str(max(1, int(1000 * seconds)))


def _offered(program: Program, deadline: float) -> list[str]:
    """The names of the options that an engine offers."""
    program.say("uci")
    found = []
    while True:
        line = program.hear(deadline)
        option = re.match(r"option\s+name\s+(.+?)\s+type\s", line)
        if option:
            found.append(option[1])
        if line.split()[:1] == ["uciok"]:
            return found


def _hear(program: Program, wanted: str, deadline: float) -> None:
    """Pass over all lines until one that begins with a word."""
    while program.hear(deadline).split()[:1] != [wanted]:
        pass


def _information(words: list[str]) -> dict[str, float]:
    """The numbers of an `info` line: depth, nodes, and the score in hundredths or as a mate."""
    found = dict[str, float]()
    if words[:1] == ["string"]:
        return found
    for name, value in pairwise(words):
        if re.fullmatch(r"-?\d{1,15}", value) and name in ("depth", "nodes", "cp"):
            found["score" if name == "cp" else name] = float(value)
        elif re.fullmatch(r"-?\d{1,6}", value) and name == "mate":
            found["score"] = (100_000.0 - abs(int(value))) * (-1 if value.startswith("-") else 1)
        elif name == "pv":
            break
    return found


# --- the engine ---

_SHARE = 0.02
"""The share of a move's time that answering may take besides thinking."""
_ENDLESS = 10**15
"""Nodes of a search that ends when it is told to."""


@define
class UciEngine:
    """Answers a program for games, playing as the host does; what it thinks goes to `tell`."""

    host: GameService
    tell: Callable[[str], None] = field(default=lambda _: None)
    done: bool = False
    _moves: UciNotation = field(init=False)
    _hung_up: bool = field(default=False, init=False)
    _commands: dict[str, Callable[[list[str]], str]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._moves = UciNotation(formats(self.host.game).uci)
        self._commands = {
            "uci": self._hello, "isready": self._ready, "ucinewgame": self._new,
            "setoption": self._set, "position": self._position, "go": self._go, "quit": self._quit,
            "stop": lambda _: "", "ponderhit": lambda _: "", "debug": lambda _: "",
            "register": lambda _: "", "d": lambda _: f"{self.host.state.board()}\n",
        }  # fmt: skip

    def answer(self, line: str) -> str:
        """The answer to a line; words before the first command that is known are passed over."""
        words = line.split()
        while words and words[0] not in self._commands:
            words.pop(0)
        if not words:
            return f"info string `{line[:80]}` is not known\n" if line else ""
        try:
            return self._commands[words[0]](words[1:])
        except RulewrightError as error:
            return f"info string {one_line(error)}\n"

    def urgent(self, line: str) -> str | None:
        """The answer to a line that cannot wait for what is thought about; None: it waits."""
        word = line.split()[:1]
        if word == ["go"]:
            self.host.halt.clear()
        if word in (["stop"], ["quit"]):
            self.host.halt.set()
            return "" if word == ["stop"] else None
        return "readyok\n" if word == ["isready"] and self.host.thinking else None

    def hang_up(self) -> None:
        """No more lines will come, so nobody will say `stop`."""
        self._hung_up = True

    # --- about the engine ---

    def _hello(self, _: list[str]) -> str:
        names = ["computer", *self.host.personalities]
        choices = " ".join(f"var {name}" for name in names)
        return (
            f"id name rulewright {self.host.game.name} {self.host.who}\n"
            "id author the authors of rulewright\n"
            f"option name Hash type spin default {self.host.memory} min 1 max 65536\n"
            f"option name Personality type combo default {self.host.who} {choices}\n"
            "uciok\n"
        )

    def _ready(self, _: list[str]) -> str:
        self.host.ready()
        return "readyok\n"

    def _set(self, words: list[str]) -> str:
        found = re.fullmatch(r"name (.+?)(?: value (.*))?", " ".join(words))
        if found is None:
            raise RulewrightError("`setoption` takes `name NAME value VALUE`")
        name, value = found[1].casefold(), found[2] or ""
        if name == "hash":
            if not value.isdecimal() or not 1 <= int(value) <= 65536:
                raise RulewrightError("`Hash` is a whole number of MiB from 1")
            self.host.memory = int(value)
        elif name == "personality":
            self.host.seat(value)
        else:
            raise RulewrightError(f"there is no option `{found[1][:40]}`: Hash, Personality")
        return ""

    def _new(self, _: list[str]) -> str:
        self.host.state = self.host.game.start()
        self.host.reseed(self.host.seed)
        return ""

    def _quit(self, _: list[str]) -> str:
        self.done = True
        return ""

    # --- positions ---

    def _position(self, words: list[str]) -> str:
        at = words.index("moves") if "moves" in words else len(words)
        what, moves = words[:at], words[at + 1 :]
        if what == ["startpos"]:
            state = self.host.game.start()
        elif what[:1] == ["fen"]:
            state = Fen(self.host.game).read(what[1:])
        else:
            raise RulewrightError("`position` takes `startpos` or `fen FEN`, then `moves`")
        for move in moves:
            state = state.play_decision(self._moves.read(move, state))
        self.host.state = state
        return ""

    # --- deciding ---

    def _go(self, words: list[str]) -> str:
        state = self.host.state
        if state.over:
            return f"info string the game is over ({state.result})\nbestmove {NO_MOVE}\n"
        clock, nodes, depth, endless = self._limits(words)
        stop = self.host.halt.is_set
        if endless:
            stop = lambda: self.host.halt.is_set() or self._hung_up  # noqa: E731
            found = self._found(lambda: self.host.decide(clock, _ENDLESS, None, self._inform, stop))
            while not self.host.halt.wait(0.05) and not self._hung_up:
                pass  # whoever asks for it says when the answer is wanted
        else:
            found = self._found(lambda: self.host.decide(clock, nodes, depth, self._inform, stop))
        return f"bestmove {self._moves.write(found)}\n"

    def _found(self, think: Callable[[], Decision]) -> str:
        """The move, whatever happens: a program that gets none waits for ever."""
        try:
            return think().move
        except RulewrightError as error:
            self.tell(f"info string {one_line(error)}\n")
            return self.host.state.moves.texts[0]

    def _limits(self, words: list[str]) -> tuple[Clock, int | None, int | None, bool]:
        """The clock, nodes, depth, and whether the search ends only when it is told to."""
        given = {
            name: int(value)
            for name, value in pairwise(words)
            if re.fullmatch(r"-?\d{1,12}", value)
        }
        first = self.host.state.situation.position.mover == 0
        left, more = ("wtime", "winc") if first else ("btime", "binc")
        seconds = _seconds(given.get("movetime"))
        clock = Clock(seconds, _seconds(given.get(left)), _seconds(given.get(more)) or 0.0)
        if clock.left is not None and given.get("movestogo", 0) > 0:
            share = clock.left / given["movestogo"]
            clock = evolve(clock, seconds=min(share, seconds or share))
        nodes, depth = _positive(given.get("nodes")), _positive(given.get("depth"))
        mate = _positive(given.get("mate"))
        if mate is not None:
            depth = 2 * mate - 1
        free = nodes is None and depth is None and clock.seconds is None and clock.left is None
        return less_answering(clock, _SHARE), nodes, depth, free or "infinite" in words

    def _inform(self, found: SearchResult) -> bool:
        """Tell what is known after an iteration."""
        spent = max(found.seconds, 1e-6)
        pv = " ".join(self._moves.write(move) for move in found.pv)
        self.tell(
            f"info depth {max(found.depth, 1)} score {self._score(found)} nodes {found.nodes} "
            f"nps {int(found.nodes / spent)} time {int(1000 * spent)} pv {pv}\n"
        )
        return False

    def _score(self, found: SearchResult) -> str:
        """In hundredths, as evaluators count; moves to a forced end, negative for the loser's."""
        if found.proven in ("win", "loss") and found.distance is not None:
            moves = (found.distance + 1) // 2
            return f"mate {moves if found.proven == 'win' else -moves}"
        plain = self.host.who == "computer"
        return f"cp {round(found.value * (_HUNDREDTHS if plain else 1))}"


def _seconds(thousandths: int | None) -> float | None:
    return None if thousandths is None else max(thousandths, 1) / 1000


def _positive(number: int | None) -> int | None:
    return number if number is not None and number > 0 else None
