"""The Universal Chess Interface, both sides, for chess and for games that are written like it.

In: as an engine, lines; as a controller, a running engine, games and positions.  Out: as an engine,
what the interface asks for, and `info string` for every mistake; as a controller, the decisions of
the engine.  An engine thinks beside: `stop`, `isready` and `quit` are heard meanwhile.  An engine
that answers what is no move fails.  After https://backscattering.de/chess/uci/.

What FEN and moves look like is the game's to say, see `fen.py`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from itertools import dropwhile, pairwise

from attrs import define, evolve, field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.matches.protocols import serving
from rulewright.matches.protocols.fen import Fen, UciNotation
from rulewright.matches.protocols.formats import formats
from rulewright.matches.protocols.host import COMPUTER, GameService, less_answering
from rulewright.matches.protocols.process import Program
from rulewright.players.player import Clock, Decision, Failed, GameLimits
from rulewright.search.results import SearchResult

NO_MOVE = "0000"
"""The move of a position without moves."""
_HUNDREDTHS = 100
"""Hundredths of a pawn that a win counts where results alone are values."""

# --- the controller ---


@define
class UciController:
    """Controls an engine; `options` are set before its first game."""

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
        names = {option.casefold(): option for option in self._offered or ()}
        if name.casefold() in names:
            program.say(f"setoption name {names[name.casefold()]} value {value}")
        elif must:
            raise Failed("crash", f"has no option `{name}`: {', '.join(names.values()) or 'none'}")

    def ask(self, program: Program, state: State, clock: Clock, deadline: float) -> Decision:
        """Send all decisions played and the limits, and read the engine's decision."""
        assert self._moves is not None
        moves = [self._moves.write(move) for move in state.decisions()]
        first = state.states()[0]
        start = first.game.start()
        is_start = first.situation.position == start.situation.position
        start_words = "startpos" if is_start else f"fen {Fen(state.game).write(first)}"
        program.say(" ".join(["position", start_words, *(["moves", *moves] if moves else [])]))
        program.say(" ".join(["go", *self._go(state, clock)]))
        last_info = dict[str, float]()
        while True:
            word, *rest = program.hear(deadline).split() or [""]
            if word == "info":
                last_info |= _information(rest)
            elif word == "bestmove":
                return self._decision(rest, state, last_info)

    def _decision(self, rest: list[str], state: State, info: dict[str, float]) -> Decision:
        assert self._moves is not None
        if not rest or rest[0] in (NO_MOVE, "(none)"):
            raise Failed("illegal", "answers no move")
        move = self._moves.read(rest[0], state)
        if move not in state.moves:
            raise Failed("illegal", f"answers `{rest[0][:80]}`, which is no legal decision here")
        depth, nodes = info.get("depth"), info.get("nodes")
        return Decision(
            move, info.get("score"), None if depth is None else int(depth),
            None if nodes is None else int(nodes),
        )  # fmt: skip

    def _go(self, state: State, clock: Clock) -> list[str]:
        """The arguments of `go`: the limits of a decision."""
        words = []
        limits = self._limits
        if limits.depth is not None:
            words += ["depth", str(limits.depth)]
        if limits.nodes is not None:
            words += ["nodes", str(limits.nodes)]
        if clock.seconds is not None:
            words += ["movetime", _thousandths(clock.seconds)]
        elif clock.reserve is not None:
            remainder, increment = _thousandths(clock.reserve), _thousandths(clock.increment)
            words += ["wtime", remainder, "btime", remainder, "winc", increment, "binc", increment]
        return words or ["movetime", "1000"]


def _thousandths(seconds: float) -> str:
    return str(max(1, int(1000 * seconds)))


def _offered(program: Program, deadline: float) -> list[str]:
    """The names of the options that an engine offers."""
    program.say("uci")
    names = []
    while True:
        line = program.hear(deadline)
        option = re.match(r"option\s+name\s+(.+?)\s+type\s", line)
        if option:
            names.append(option[1])
        if line.split()[:1] == ["uciok"]:
            return names


def _hear(program: Program, word: str, deadline: float) -> None:
    """Skip lines up to the first that begins with a word."""
    while program.hear(deadline).split()[:1] != [word]:
        pass


def _information(words: list[str]) -> dict[str, float]:
    """Read the numbers of an `info` line: depth, nodes, and the score (a mate as about 100,000)."""
    numbers = dict[str, float]()
    if words[:1] == ["string"]:
        return numbers
    for name, value in pairwise(words):
        if re.fullmatch(r"-?\d{1,15}", value) and name in ("depth", "nodes", "cp"):
            numbers["score" if name == "cp" else name] = float(value)
        elif re.fullmatch(r"-?\d{1,6}", value) and name == "mate":
            numbers["score"] = (100_000.0 - abs(int(value))) * (-1 if value.startswith("-") else 1)
        elif name == "pv":
            break
    return numbers


# --- the engine ---

_KEPT_SHARE = 0.02
"""The share of a move's time that is kept for answering."""
_MOVE_SECONDS = 1.0
"""Seconds for a move whose limits cannot be read."""
_LOOK_SECONDS = 0.02
"""Seconds between two looks whether the search was stopped."""
_DEEPEST_PERFT = 20
"""Moves in a sequence that `go perft` counts."""
_LONGEST = 10**12
"""The longest time that is accepted, in milliseconds."""
_NUMBERS = {
    "movetime": _LONGEST, "wtime": _LONGEST, "btime": _LONGEST, "winc": _LONGEST,
    "binc": _LONGEST, "movestogo": serving.NODES, "nodes": serving.NODES,
    "depth": serving.DEPTH, "mate": serving.DEPTH,
}  # fmt: skip
"""The numeric arguments of `go`, with their largest values."""


@frozen
class _Limits:
    """The limits of a decision; `endless`: it ends at a `stop`."""

    clock: Clock
    nodes: int | None = None
    depth: int | None = None
    endless: bool = False


@define
class UciEngine:
    """Answers a program for games by the decisions of a host; sends `info` lines by `tell`."""

    host: GameService
    tell: Callable[[str], None] = field(default=lambda _: None)
    done: bool = False
    _moves: UciNotation = field(init=False)
    _refused: str = field(default="", init=False)
    """The error of the last `position`; empty if it was accepted."""
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
        """Answer a line; words before the first known command are skipped."""
        word, *words = self._command(line) or [""]
        if not word:
            return _note(f"`{line[:80]}` is not known") if line else ""
        try:
            if word != "go":
                serving.refuse_long(line)
            return self._commands[word](words)
        except RulewrightError as error:
            if word == "position":
                self._refused = serving.one_line(error)
            return _note(serving.one_line(error))

    def _command(self, line: str) -> list[str]:
        return [*dropwhile(lambda word: word not in self._commands, line.split())]

    def urgent(self, line: str) -> str | None:
        """Answer `stop`, and `isready` during a search, at once; None for lines that wait."""
        word, requests = self._command(line)[:1], self.host.requests
        if word == ["go"]:
            requests.hear()
        if word in (["stop"], ["quit"]):
            requests.stop()
            self.host.leaving |= word == ["quit"]
            return "" if word == ["stop"] else None
        return "readyok\n" if word == ["isready"] and self.host.thinking else None

    def hang_up(self) -> None:
        """Notice that no more lines will come, so that nobody will send `stop`."""
        self._hung_up = True

    # --- about the engine ---

    def _hello(self, _: list[str]) -> str:
        names = [COMPUTER, *self.host.personalities]
        choices = " ".join(f"var {name}" for name in names)
        return (
            f"id name rulewright {self.host.game.name} {self.host.player_name}\n"
            "id author the authors of rulewright\n"
            f"option name Hash type spin default {self.host.memory} min 1 max {serving.MEMORY}\n"
            f"option name Personality type combo default {self.host.player_name} {choices}\n"
            "uciok\n"
        )

    def _ready(self, _: list[str]) -> str:
        """Answer at once; code is compiled in a thread."""
        self.host.prepare()
        return "readyok\n"

    def _set(self, words: list[str]) -> str:
        match = re.fullmatch(r"name (.+?)(?: value (.*))?", " ".join(words))
        if match is None:
            raise RulewrightError("`setoption` takes `name NAME value VALUE`")
        name, value = match[1].casefold(), match[2] or ""
        if name == "hash":
            self.host.use_memory(serving.whole_number(value, "`Hash` in MiB", 1, serving.MEMORY))
        elif name == "personality":
            self.host.seat(value)
        else:
            raise RulewrightError(f"there is no option `{match[1][:40]}`: Hash, Personality")
        return ""

    def _new(self, _: list[str]) -> str:
        self.host.state, self._refused = self.host.game.start(), ""
        self.host.reseed(self.host.seed)
        return ""

    def _quit(self, _: list[str]) -> str:
        self.done = True
        return ""

    # --- positions ---

    def _position(self, words: list[str]) -> str:
        at = words.index("moves") if "moves" in words else len(words)
        start_words, moves = words[:at], words[at + 1 :]
        if start_words == ["startpos"]:
            start = self.host.game.start()
        elif start_words[:1] == ["fen"]:
            start = Fen(self.host.game).read(start_words[1:])
        else:
            raise RulewrightError("`position` takes `startpos` or `fen FEN`, then `moves`")
        self.host.follow(start, moves, self._state_after)
        self._refused = ""
        return ""

    def _state_after(self, state: State, move: str) -> State:
        return state.play_decision(self._moves.read(move, state))

    # --- deciding ---

    def _go(self, words: list[str]) -> str:
        """Answer with a move, whatever fails: a program that gets none waits for ever."""
        self.host.requests.begin()
        if self._refused:
            return _note(f"there is no position: {self._refused}") + _best(NO_MOVE)
        if words[:1] == ["perft"]:
            return self._perft(words[1:])
        try:
            move = None if self._over() else self._decide(self._limits(words))
        except Exception as error:  # a fault of ours must not lose a game either
            self.tell(_note(_error_text(error)))
            move = None
        move = move or self.host.any_decision()
        return _best(self._moves.write(move) if move else NO_MOVE)

    def _perft(self, words: list[str]) -> str:
        """Count the sequences of moves behind each move, and all of them."""
        text = words[0] if words else ""
        try:
            depth = serving.whole_number(text, "`perft`", 1, _DEEPEST_PERFT)
        except RulewrightError as error:
            return _note(serving.one_line(error))
        state, counts = self.host.state, dict[str, int]()
        for move in [] if state.over else state.moves.texts:
            counts[move] = state.play_decision(move).perft(depth - 1)
        lines = [f"{self._moves.write(move)}: {count}\n" for move, count in counts.items()]
        return "".join([*lines, f"\nNodes searched: {sum(counts.values())}\n"])

    def _over(self) -> bool:
        """Whether the game is over, which a note reports."""
        if self.host.state.over:
            self.tell(_note(f"the game is over ({self.host.state.result})"))
        return self.host.state.over

    def _decide(self, limits: _Limits) -> str:
        """Let the host decide; an endless search waits for its `stop` even when it has ended."""
        requests, number = self.host.requests, self.host.requests.begun

        def is_over() -> bool:
            nobody_stops = requests.heard > number or self._hung_up
            return requests.stopped >= number or (limits.endless and nobody_stops)

        decision = self.host.decide(limits.clock, limits.nodes, limits.depth, self._inform, is_over)
        while limits.endless and not is_over():
            time.sleep(_LOOK_SECONDS)
        if self.host.stand_in:
            self.tell(_note(self.host.stand_in))
        return decision.move

    def _limits(self, words: list[str]) -> _Limits:
        """Read the limits of a decision; numbers that cannot be read are reported and ignored."""
        terms, wrong = dict[str, int](), False
        for name, value in pairwise(words):
            if name in _NUMBERS:
                try:
                    most = _NUMBERS[name]
                    terms[name] = serving.whole_number(value, f"`{name}`", -most, most)
                except RulewrightError as error:
                    self.tell(_note(serving.one_line(error)))
                    wrong = True
        limited = self._limited(terms)
        if "infinite" in words:
            return evolve(limited, nodes=serving.NODES, depth=None, endless=True)
        limits = limited.nodes, limited.depth, limited.clock.seconds, limited.clock.reserve
        if any(limit is not None for limit in limits):
            return limited
        if wrong:
            return _Limits(Clock(_MOVE_SECONDS))
        return _Limits(limited.clock, serving.NODES, endless=True)

    def _limited(self, terms: Mapping[str, int]) -> _Limits:
        """The limits that numbers set; a time below 0 is as short as possible."""
        first = self.host.state.situation.position.mover == 0
        base, gain = ("wtime", "winc") if first else ("btime", "binc")
        seconds = _seconds(terms.get("movetime"))
        clock = Clock(seconds, _seconds(terms.get(base)), _seconds(terms.get(gain)) or 0.0)
        if clock.reserve is not None and terms.get("movestogo", 0) > 0:
            share = clock.reserve / terms["movestogo"]
            clock = evolve(clock, seconds=min(share, seconds or share))
        nodes, depth = _positive(terms.get("nodes")), _positive(terms.get("depth"))
        mate = _positive(terms.get("mate"))
        if mate is not None:
            depth = 2 * mate - 1
        return _Limits(less_answering(clock, _KEPT_SHARE), nodes, depth)

    def _inform(self, result: SearchResult) -> bool:
        """Send the result of an iteration."""
        seconds = max(result.seconds, 1e-6)
        pv = " ".join(self._moves.write(move) for move in result.pv)
        self.tell(
            f"info depth {max(result.depth, 1)} score {self._score(result)} nodes {result.nodes} "
            f"nps {int(result.nodes / seconds)} time {int(1000 * seconds)} pv {pv}\n"
        )
        return False

    def _score(self, result: SearchResult) -> str:
        """The score in hundredths, or the moves to a forced end, negative for a loss."""
        if result.proven in ("win", "loss") and result.distance is not None:
            moves = (result.distance + 1) // 2
            return f"mate {moves if result.proven == 'win' else -moves}"
        plain = self.host.player_name == COMPUTER
        return f"cp {round(result.value * (_HUNDREDTHS if plain else 1))}"


def _note(text: str) -> str:
    return f"info string {text}\n"


def _best(move: str) -> str:
    return f"bestmove {move}\n"


def _error_text(error: Exception) -> str:
    """The message of an error in one line; errors of other classes are faults of this program."""
    if isinstance(error, RulewrightError):
        return serving.one_line(error)
    return f"a fault of this program: {type(error).__name__} {' '.join(str(error).split())[:200]}"


def _seconds(thousandths: int | None) -> float | None:
    return None if thousandths is None else max(thousandths, 1) / 1000


def _positive(number: int | None) -> int | None:
    return number if number is not None and number > 0 else None
