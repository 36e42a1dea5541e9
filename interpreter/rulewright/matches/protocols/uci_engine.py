"""An engine of the Universal Chess Interface, for chess and for games that are written like it.

In: lines of an interface, UCI or a dialect of it (`dialects.py`).  Out: what it asks for, and
`info string` for every mistake.  An engine thinks beside: `stop`, `ponderhit`, `isready` and `quit`
are heard meanwhile.  Every `go` is answered by one `bestmove`, with a score before it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import dropwhile, pairwise, takewhile
from math import exp

from attrs import define, evolve, field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.matches.protocols import serving
from rulewright.matches.protocols.dialects import Dialect
from rulewright.matches.protocols.engine_options import EngineOption, check, choices, spin
from rulewright.matches.protocols.format_settings import bundled_with, formats
from rulewright.matches.protocols.host import ANSWERING, COMPUTER, GameService, less_answering
from rulewright.matches.protocols.uci_answers import (
    LONGEST,
    ReportSoFar,
    error_text,
    mate_line,
    mate_seconds,
    perft_lines,
)
from rulewright.players.builtin import DECISIONS_LEFT, budget
from rulewright.players.player import Clock, Decision
from rulewright.search.kernels.thread import SURE, WIN
from rulewright.search.results import SearchResult, Watch

_HUNDREDTHS = 100
"""Hundredths of a pawn that a win counts where results alone are values."""
_KEPT_SHARE = 0.02
"""The share of a move's time that is kept for answering."""
_MOVE_SECONDS = 1.0
"""Seconds for a move whose limits cannot be read."""
_LAST_MOVE = 0.25
"""Moves that are counted beyond those to the next time control, so that time is left there."""
_LOOK_SECONDS = 0.02
"""Seconds between two looks whether the search was stopped."""
_QUIET_SECONDS = 1.0
"""Seconds before it is said which move is being searched."""
_THREADS, _LINES, _OVERHEAD = 64, 256, 5000
"""The largest values of options: threads, lines, milliseconds."""
_NUMBERS = {
    "movetime": LONGEST, "time": LONGEST, "opptime": LONGEST, "inc": LONGEST,
    "oppinc": LONGEST, "byoyomi": LONGEST, "movestogo": serving.NODES,
    "nodes": serving.NODES, "depth": serving.DEPTH, "mate": serving.DEPTH,
}  # fmt: skip
"""The numeric arguments of `go`, as `Dialect.arguments` has them, with their largest values."""
_WORDS = (*_NUMBERS, "searchmoves", "ponder", "infinite", "perft")
"""The arguments of `go`."""


@frozen
class _Limits:
    """The limits of a decision; `endless`: it ends at a `stop`, or some time after `ponderhit`."""

    clock: Clock
    nodes: int | None = None
    depth: int | None = None
    endless: bool = False
    only: frozenset[str] | None = None
    """The decisions that may be made; None means all of them."""


@define
class UciEngine:
    """Answers a program for games by the decisions of a host; sends `info` lines by `tell`."""

    host: GameService
    tell: Callable[[str], None] = field(default=lambda _: None)
    has_ended: bool = False
    overhead: float = ANSWERING
    """Seconds that an answer takes on its way."""
    lines: int = 1
    """Of how many of the best moves the line is told."""
    analysing: bool = False
    shows_wdl: bool = False
    interface: type[Dialect] = Dialect
    _dialect: Dialect = field(init=False)
    _banned: tuple[str, ...] = field(default=(), init=False)
    """Moves that the next decision may not be."""
    _refused: str = field(default="", init=False)
    """The error of the last `position`; empty if it was accepted."""
    _answered: tuple[State, str] | None = field(default=None, init=False)
    """The last position that was answered with a move, and the move."""
    _hung_up: bool = field(default=False, init=False)
    _hit: tuple[int, float] = field(default=(0, 0.0), init=False)
    """The last request for which `ponderhit` was said, and when."""
    _report: ReportSoFar = field(factory=ReportSoFar, init=False)
    _commands: dict[str, Callable[[list[str]], str]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        dialect = self._dialect = self.interface(self.host.game)
        commands = {
            dialect.greeting: self._hello, "isready": self._ready, dialect.new_game: self._new,
            "setoption": self._set, "position": self._position, "go": self._go, "quit": self._quit,
            "stop": lambda _: "", "ponderhit": lambda _: "", "debug": lambda _: "",
            "register": lambda _: "", "d": lambda _: f"{self.host.state.board()}\n",
        }  # fmt: skip
        further = {"banmoves": self._ban, "gameover": lambda _: "", "probe": self._probe}
        commands |= {name: further[name] for name in dialect.commands}
        self._commands = {name: command for name, command in commands.items() if name}

    def answer(self, line: str) -> str:
        """Answer a line; words before the first known command are skipped."""
        word, *words = self._command(line) or [""]
        if not word:
            return self._dialect.note(f"`{line[:80]}` is not known") if line else ""
        try:
            if word != "go":
                serving.refuse_long(line)
            return self._commands[word](words)
        except RulewrightError as error:
            if word == "position":
                self._refused = serving.one_line(error)
            return self._dialect.note(serving.one_line(error))

    def _command(self, line: str) -> list[str]:
        return [*dropwhile(lambda word: word not in self._commands, line.split())]

    def urgent(self, line: str) -> str | None:
        """Answer `stop`, and `isready` during a search, at once; None for lines that wait."""
        word, requests = self._command(line)[:1], self.host.requests
        if word == ["go"]:
            requests.hear()
        if word == ["ponderhit"]:
            self._hit = requests.heard, time.perf_counter()
        if word in (["stop"], ["quit"], ["gameover"]):
            requests.stop()
            self.host.leaving |= word == ["quit"]
        if word in (["stop"], ["ponderhit"], ["gameover"]):
            return ""
        return "readyok\n" if word == ["isready"] and self.host.thinking else None

    def hang_up(self) -> None:
        """Notice that no more lines will come, so that nobody will send `stop`."""
        self._hung_up = True

    # --- about the engine ---

    def _hello(self, _: list[str]) -> str:
        options = "".join(
            self._dialect.option_line(name, option.kind) for name, option in self._options().items()
        )
        return (
            f"id name rulewright {self.host.game.name} {self.host.player_name}\n"
            f"id author the authors of rulewright\n{options}{self._dialect.greeting}ok\n"
        )

    def _options(self) -> dict[str, EngineOption]:
        """The options that there are for this game."""
        host, overhead = self.host, round(1000 * self.overhead)
        options = {
            "Hash": spin("`Hash` in MiB", host.memory, 1, serving.MEMORY, host.use_memory),
            "Threads": spin("`Threads`", host.threads, 1, _THREADS, host.use_threads),
            "Move Overhead": spin("`Move Overhead`", overhead, 0, _OVERHEAD, self._allow_overhead),
            "MultiPV": spin("`MultiPV`", self.lines, 1, _LINES, partial(setattr, self, "lines")),
            "Ponder": check(value=False, use=lambda _: None),
            "UCI_AnalyseMode": check(self.analysing, partial(setattr, self, "analysing")),
        }
        if formats(host.game).uci.wdl:
            options["UCI_ShowWDL"] = check(self.shows_wdl, partial(setattr, self, "shows_wdl"))
        variants = self._dialect.variants()
        names = {game: name for name, game in variants.items()}
        if host.game.name in names:
            variant_choices = choices(names[host.game.name], variants)
            options["UCI_Variant"] = EngineOption(variant_choices, self._play_variant)
        if self._other_start():
            options["UCI_Chess960"] = check(not formats(host.game).uci.shuffled, self._shuffle)
        players = [COMPUTER, *host.personalities]
        options["Personality"] = EngineOption(choices(host.player_name, players), host.seat)
        named = {self._dialect.option_name(name): option for name, option in options.items()}
        named.pop("", None)
        return named | self._dialect.own_options(self._begin_again)

    def _allow_overhead(self, milliseconds: int) -> None:
        self.overhead = milliseconds / 1000

    def _play_variant(self, name: str) -> None:
        variants = self._dialect.variants()
        game = variants.get(name.casefold())
        if game is None:
            raise RulewrightError(f"there is no variant `{name[:40]}`: {', '.join(variants)}")
        self._change(game)

    def _change(self, game: str) -> None:
        self.host.change(game)
        self._dialect, self._refused = self.interface(self.host.game), ""

    def _other_start(self) -> str:
        """The game whose first row is in another order than in this one, or in the usual one."""
        game = self.host.game
        return formats(game).uci.shuffled or "".join(bundled_with("uci", "shuffled", game.name)[:1])

    def _shuffle(self, value: bool) -> None:
        if value == bool(formats(self.host.game).uci.shuffled):
            self._change(self._other_start())

    def _ready(self, _: list[str]) -> str:
        """Answer at once; code is compiled in a thread."""
        self.host.prepare()
        return "readyok\n"

    def _set(self, words: list[str]) -> str:
        name, value = self._dialect.setting(words)
        options = self._options()
        option = next((o for n, o in options.items() if n.casefold() == name.casefold()), None)
        if option is None:
            raise RulewrightError(f"there is no option `{name[:40]}`: {', '.join(options)}")
        option.use(value)
        return ""

    def _new(self, _: list[str]) -> str:
        self._begin_again()
        return ""

    def _begin_again(self) -> None:
        self.host.state, self._refused, self._banned = self.host.game.start(), "", ()
        self.host.reseed(self.host.seed)

    def _quit(self, _: list[str]) -> str:
        self.has_ended = True
        return self._dialect.farewell

    # --- positions ---

    def _position(self, words: list[str]) -> str:
        at = words.index("moves") if "moves" in words else len(words)
        start = self._dialect.position(words[:at])
        self._banned = ()
        self.host.follow(start, words[at + 1 :], self._state_after)
        self._refused = ""
        return ""

    def _state_after(self, state: State, move: str) -> State:
        return state.play_decision(self._dialect.read(move, state))

    def _ban(self, words: list[str]) -> str:
        """Keep the moves that the next decision may not be."""
        self._banned = tuple(self._dialect.read(word, self.host.state) for word in words)
        return ""

    # --- deciding ---

    def _go(self, words: list[str]) -> str:
        """Answer with a move, whatever fails: a program that gets none waits for ever."""
        self.host.requests.begin()
        self._report = ReportSoFar()
        proves = self._dialect.proves and "mate" in words
        if self._refused:
            note = self._dialect.note(f"there is no position: {self._refused}")
            return note + (mate_line(None, str) if proves else self._dialect.no_move)
        if words[:1] == ["perft"]:
            return perft_lines(self.host.state, words[1:], self._dialect.write)
        if proves:
            return self._prove(words)
        decision = None
        try:
            if not self._over():
                decision = self._decide(self._limits(words))
        except Exception as error:  # a fault of ours must not lose a game either
            self.tell(self._dialect.note(error_text(error)))
        if decision is None:
            move = self.host.any_decision()
            decision = Decision(move) if move else None
        self._finish(decision)
        if decision is None:
            return self._dialect.no_move
        self._answered = self.host.state, decision.move
        return self._dialect.best(self._dialect.write(decision.move), self._expected(decision.move))

    def _expected(self, move: str) -> str:
        """The answer that is expected to a move."""
        last = self._report.last
        if last is None or last.pv[:1] != (move,) or len(last.pv) == 1:
            return ""
        return self._dialect.write(last.pv[1])

    def _prove(self, words: list[str]) -> str:
        """Look for a win that can be forced, until the time is over or somebody stops it."""
        number, solved = self.host.requests.begun, None
        try:
            seconds = mate_seconds(words)
            if self._over():
                return "checkmate nomate\n"
            solved = self.host.prove(seconds, lambda: self._is_stopped(number, seconds is None))
        except Exception as error:  # whoever asks waits for an answer, whatever fails
            self.tell(self._dialect.note(error_text(error)))
        return mate_line(solved, self._dialect.write)

    def _probe(self, words: list[str]) -> str:
        """Say the move that was answered last, where the position is the same."""
        at = words.index("moves") if "moves" in words else len(words)
        state = self._dialect.position(words[:at])
        for move in words[at + 1 :]:
            state = self._state_after(state, move)
        if self._answered is None or not self._answered[0].same(state):
            return "pophash\n"
        return f"pophash bestmove {self._dialect.write(self._answered[1])}\n"

    def _over(self) -> bool:
        """Whether the game is over, which a note reports."""
        if self.host.state.over:
            self.tell(self._dialect.note(f"the game is over ({self.host.state.result})"))
        return self.host.state.over

    def _decide(self, limits: _Limits) -> Decision:
        """Let the host decide; an endless search waits for its `stop` even when it has ended."""
        requests, seconds = self.host.requests, budget(limits.clock)
        number = requests.begun

        def is_over() -> bool:
            hit, when = self._hit
            if hit >= number and seconds is not None and time.perf_counter() - when >= seconds:
                return True
            return self._is_stopped(number, limits.endless)

        analysing = self.analysing or limits.only is not None or self.lines > 1
        watch = Watch(self._inform, is_over, limits.only, self.lines, self._look, analysing)
        clock = Clock() if limits.endless else limits.clock
        decision = self.host.decide(clock, limits.nodes, limits.depth, watch=watch)
        while limits.endless and not is_over():
            time.sleep(_LOOK_SECONDS)
        if self.host.stand_in:
            self.tell(self._dialect.note(self.host.stand_in))
        return decision

    def _is_stopped(self, number: int, endless: bool) -> bool:
        """Whether request *number* was stopped; an endless one is where nobody would stop it."""
        requests = self.host.requests
        nobody_stops = requests.heard > number or self._hung_up
        return requests.stopped >= number or (endless and nobody_stops)

    def _limits(self, words: list[str]) -> _Limits:
        """Read the limits of a decision; numbers that cannot be read are reported and ignored."""
        nouns, terms, wrong = words, dict[str, int](), False
        words = self._dialect.arguments(nouns, self.host.state.situation.position.mover == 0)
        for (name, value), noun in zip(pairwise(words), nouns, strict=False):
            if name in _NUMBERS:
                try:
                    most = _NUMBERS[name]
                    terms[name] = serving.whole_number(value, f"`{noun}`", -most, most)
                except RulewrightError as error:
                    self.tell(self._dialect.note(serving.one_line(error)))
                    wrong = True
        limited = evolve(self._limited(terms), only=self._legal_moves(words))
        if "infinite" in words or "ponder" in words:
            clock = Clock() if "infinite" in words else limited.clock
            nodes = serving.NODES
            return evolve(limited, clock=clock, nodes=nodes, depth=None, endless=True)
        limits = limited.nodes, limited.depth, limited.clock.seconds, limited.clock.reserve
        if any(limit is not None for limit in limits):
            return limited
        if wrong:
            return evolve(limited, clock=Clock(_MOVE_SECONDS))
        return evolve(limited, nodes=serving.NODES, endless=True)

    def _legal_moves(self, words: list[str]) -> frozenset[str] | None:
        """The moves behind `searchmoves` that are legal, less those banned; None for all."""
        state, moves = self.host.state, set[str]()
        at = words.index("searchmoves") + 1 if "searchmoves" in words else len(words)
        for text in takewhile(lambda word: word not in _WORDS, words[at:]):
            move = self._dialect.read(text, state)
            if move in state.moves:
                moves.add(move)
            else:
                self.tell(self._dialect.note(f"`{text[:40]}` is not legal here, nor searched"))
        if self._banned:
            moves = (moves or {*state.moves.texts}).difference(self._banned)
        return frozenset(moves) or None

    def _limited(self, terms: Mapping[str, int]) -> _Limits:
        """The limits that numbers set; a time below 0 is as short as possible."""
        seconds = _seconds(terms.get("movetime"))
        clock = Clock(seconds, _seconds(terms.get("time")), _seconds(terms.get("inc")) or 0.0)
        if terms.get("byoyomi", 0) > 0:  # what a move does not use of it is lost
            share = terms["byoyomi"] / 1000 + (clock.reserve or 0) / DECISIONS_LEFT
            clock = Clock(min(share, seconds or share))
        if clock.reserve is not None and terms.get("movestogo", 0) > 0:
            share = clock.reserve / (terms["movestogo"] + _LAST_MOVE)
            clock = Clock(min(share, seconds or share))
        nodes, depth = _positive(terms.get("nodes")), _positive(terms.get("depth"))
        mate = _positive(terms.get("mate"))
        if mate is not None:
            depth = 2 * mate - 1
        return _Limits(less_answering(clock, _KEPT_SHARE, self.overhead), nodes, depth)

    # --- what is told meanwhile ---

    def _inform(self, result: SearchResult) -> bool:
        """Send the result of an iteration: a line for each of the moves that are wanted."""
        report = self._report
        report.last, report.depth = result, max(result.depth, 1)
        values = dict(result.root)
        lines = [line for line in result.lines if line and values.get(line[0]) is not None]
        if self.lines == 1 or not lines:
            self._tell_line(self._score(result), result.pv, result)
            return False
        for number, line in enumerate(lines, 1):
            value = values[line[0]]
            assert value is not None
            self._tell_line(self._score_of(value), line, result, number)
        return False

    def _tell_line(
        self, score: str, line: tuple[str, ...], result: SearchResult, number: int = 0
    ) -> None:
        seconds, dialect = max(result.seconds, 1e-6), self._dialect
        info = dialect.info(
            depth=max(result.depth, 1), multipv=number or "", score=score, nodes=result.nodes,
            nps=int(result.nodes / seconds), hashfull=result.filled, time=int(1000 * seconds),
            pv=" ".join(map(dialect.write, line)),
        )  # fmt: skip
        if line and number <= 1:
            self._report.best = line[0]
        self.tell(info)

    def _look(self, move: str, number: int) -> None:
        """Say which move is being searched, where an iteration takes long."""
        report = self._report
        if move != report.current and report.seconds > _QUIET_SECONDS:
            report.current = move
            current, depth = self._dialect.write(move), report.depth + 1
            number = max(number, 1)
            self.tell(self._dialect.info(depth=depth, currmove=current, currmovenumber=number))

    def _finish(self, decision: Decision | None) -> None:
        """Send a score, where the last best line does not begin with the move; also without one."""
        report = self._report
        if decision is None:
            result = self.host.state.result
            lost = result is not None and result.winner is not None
            score = self._dialect.mate(False, 0) if lost else self._dialect.centipawns(0)
            self.tell(self._dialect.info(depth=0, score=score))
        elif report.best != decision.move:
            info = self._dialect.info(
                depth=decision.depth or 1, multipv=1 if self.lines > 1 else "",
                score=self._score_told(decision), nodes=decision.nodes or 0,
                time=int(1000 * report.seconds), pv=self._dialect.write(decision.move),
            )  # fmt: skip
            self.tell(info)

    def _score_told(self, decision: Decision) -> str:
        """The score of a decision for which no iteration was told."""
        match = re.fullmatch(r"(win|loss) in (\d+)", decision.result)
        if match:
            return self._mate(match[1] == "win", int(match[2]))
        if decision.value is not None:
            return self._score_of(decision.value)
        return self._centipawns(0)

    def _score(self, result: SearchResult) -> str:
        """The score in hundredths, or the moves to a forced end, negative for a loss."""
        if result.proven in ("win", "loss") and result.distance is not None:
            return self._mate(result.proven == "win", result.distance)
        return self._score_of(result.value)

    def _score_of(self, value: float) -> str:
        if abs(value) >= SURE:
            return self._mate(value > 0, max(1, round(WIN - abs(value))))
        plain = self.host.player_name == COMPUTER
        return self._centipawns(round(value * (_HUNDREDTHS if plain else 1)))

    def _mate(self, won: bool, distance: int) -> str:
        return self._dialect.mate(won, distance) + self._wdl(1000 * won, 1000 * (not won))

    def _centipawns(self, value: int) -> str:
        model = formats(self.host.game).uci.wdl
        if not (self.shows_wdl and model):
            return self._dialect.centipawns(value)
        middle, width = model
        if self.host.player_name == COMPUTER:  # a value is wins less losses
            won, lost = (round(1000 * max(0, x) / _HUNDREDTHS) for x in (value, -value))
        else:
            won, lost = (round(1000 / (1 + exp((middle - x) / width))) for x in (value, -value))
        return self._dialect.centipawns(value) + self._wdl(won, lost)

    def _wdl(self, won: int, lost: int) -> str:
        return f" wdl {won} {1000 - won - lost} {lost}" if self.shows_wdl else ""


def _seconds(thousandths: int | None) -> float | None:
    return None if thousandths is None else max(thousandths, 1) / 1000


def _positive(number: int | None) -> int | None:
    return number if number is not None and number > 0 else None
