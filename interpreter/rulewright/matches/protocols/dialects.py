"""The Universal Chess Interface and its dialects: USI of Shogi, UCCI of Xiangqi.

In: a game, and words of one of these interfaces.  Out: positions, decisions, and the words that
`uci_engine.py` works with, which are those of UCI; lines for what it answers.  After
https://backscattering.de/chess/uci/, http://hgm.nubati.net/usi.html and
https://www.xqbase.com/protocol/cchess_ucci.htm.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import ClassVar

from attrs import define

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.matches.protocols.engine_options import EngineOption, check
from rulewright.matches.protocols.fen import Fen, UciNotation
from rulewright.matches.protocols.format_settings import Usi, bundled_with, formats, uci_variants
from rulewright.matches.protocols.usi import UsiText
from rulewright.players.player import Clock
from rulewright.search.results import refuse_seats

_SURE = 10_000
"""The score of a win that is there, where an interface has no word for one."""
_SITE = re.compile(r"([a-z]+)(\d+)")


@define
class Dialect:
    """UCI for one game; other interfaces say some things otherwise."""

    game: Game
    greeting: ClassVar[str] = "uci"
    """The first command; with `ok` behind it, its answer."""
    new_game: ClassVar[str] = "ucinewgame"
    commands: ClassVar[tuple[str, ...]] = ()
    """Commands that UCI does not have."""
    fields: ClassVar[tuple[str, ...]] = (
        "depth", "multipv", "score", "nodes", "nps", "hashfull", "time", "currmove",
        "currmovenumber", "pv",
    )  # fmt: skip
    """What `info` may say."""
    note_field: ClassVar[str] = "string"
    """The field of `info` that is a text."""
    option_names: ClassVar[Mapping[str, str]] = {}
    """Names of options that differ from those of UCI; empty for those that are not offered."""
    no_move: ClassVar[str] = "bestmove 0000\n"
    """The answer where there is no legal move."""
    proves: ClassVar[bool] = False
    """Whether `go mate` asks for a proof, and not for a decision."""
    farewell: ClassVar[str] = ""
    """The answer to `quit`."""

    def __attrs_post_init__(self) -> None:
        refuse_seats(self.game.rules, self.greeting.upper())

    # --- positions and moves ---

    def position(self, words: list[str]) -> State:
        """Read where the moves of `position` begin; raises `RulewrightError`."""
        start = formats(self.game).uci.start
        if words == ["startpos"]:
            return Fen(self.game).read(start.split()) if start else self.game.start()
        if words[:1] == ["fen"]:
            return Fen(self.game).read(words[1:])
        raise RulewrightError("`position` takes `startpos` or `fen FEN`, then `moves`")

    def position_text(self, first: State) -> str:
        """Write where a game begins, for `position`."""
        is_start = first.situation.position == self.game.start().situation.position
        return "startpos" if is_start else self.written_position(first)

    def written_position(self, state: State) -> str:
        """Write a position, behind the word for its notation."""
        return f"fen {Fen(self.game).write(state)}"

    def read(self, text: str, state: State) -> str:
        """Read the decision that a move stands for; it need not be legal."""
        return UciNotation(formats(self.game).uci).read(text, state)

    def write(self, decision: str) -> str:
        """Write a decision."""
        return UciNotation(formats(self.game).uci).write(decision)

    # --- options ---

    @staticmethod
    def variants() -> dict[str, str]:
        """The games that may be played instead of each other, by their names outside."""
        return uci_variants()

    def option_name(self, name: str) -> str:
        """The name of an option that UCI calls *name*; empty if it is not offered."""
        return self.option_names.get(name, name)

    @staticmethod
    def option_line(name: str, kind: str) -> str:
        """The line that offers an option."""
        return f"option name {name} type {kind}\n"

    @staticmethod
    def setting(words: list[str]) -> tuple[str, str]:
        """The name and the value in `setoption`; raises `RulewrightError`."""
        match = re.fullmatch(r"name (.+?)(?: value (.*))?", " ".join(words))
        if match is None:
            raise RulewrightError("`setoption` takes `name NAME value VALUE`")
        return match[1], match[2] or ""

    def needs(self) -> dict[str, str]:
        """The options that an engine must have for this game."""
        return {"UCI_Chess960": "true"} if bundled_with("uci", "shuffled", self.game.name) else {}

    @staticmethod
    def setting_line(name: str, value: str) -> str:
        """The command that sets an option."""
        return f"setoption name {name} value {value}"

    def own_options(self, begin_again: Callable[[], None]) -> dict[str, EngineOption]:
        """Options that UCI does not have."""
        return {}

    # --- deciding ---

    def arguments(self, words: list[str], first: bool) -> list[str]:
        """The arguments of `go` with `time`, `inc` for the clock of whoever is to move.

        *first* says that it is the player who begins a game.
        """
        own, other = ("w", "b") if first else ("b", "w")
        names = {
            f"{own}time": "time", f"{own}inc": "inc",
            f"{other}time": "opptime", f"{other}inc": "oppinc",
        }  # fmt: skip
        return [names.get(word, word) for word in words]

    @staticmethod
    def limits(depth: int | None, nodes: int | None, clock: Clock) -> list[str]:
        """Write the limits of a decision, for `go`."""
        words = [] if depth is None else ["depth", str(depth)]
        words += [] if nodes is None else ["nodes", str(nodes)]
        if clock.seconds is not None:
            words += ["movetime", _thousandths(clock.seconds)]
        elif clock.reserve is not None:
            remainder, increment = _thousandths(clock.reserve), _thousandths(clock.increment)
            words += ["wtime", remainder, "btime", remainder, "winc", increment, "binc", increment]
        return words or ["movetime", "1000"]

    @staticmethod
    def mate(won: bool, plies: int) -> str:
        """The score of a forced end after so many plies."""
        moves = (plies + 1) // 2
        return f"mate {moves if won else -moves}"

    @staticmethod
    def centipawns(value: int) -> str:
        """The score of a value in hundredths of a pawn."""
        return f"cp {value}"

    @staticmethod
    def best(move: str, answer: str = "") -> str:
        """The answer to `go`: a move, and the one expected in return if there is any."""
        return f"bestmove {move} ponder {answer}\n" if answer else f"bestmove {move}\n"

    def info(self, **values: object) -> str:
        """A line of `info` with what the interface has fields for; empty values are left out."""
        words = [
            f"{name} {value}"
            for name, value in values.items()
            if name in self.fields and value not in ("", None)
        ]
        return f"info {' '.join(words)}\n"

    def note(self, text: str) -> str:
        """A line with a text for people."""
        return f"info {self.note_field} {text}\n"


@define
class UsiDialect(Dialect):
    """The Universal Shogi Interface, for games with a table `[usi]`; Black begins."""

    greeting = "usi"
    new_game = "usinewgame"
    commands = ("gameover",)
    option_names: ClassVar[Mapping[str, str]] = {
        "Hash": "USI_Hash", "Move Overhead": "MoveOverhead", "MultiPV": "USI_MultiPV",
        "Ponder": "USI_Ponder", "UCI_AnalyseMode": "USI_AnalyseMode", "UCI_ShowWDL": "",
        "UCI_Variant": "USI_Variant",
    }  # fmt: skip
    no_move = "bestmove resign\n"
    proves = True

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        _refuse_without_table(self.game, "usi")

    @property
    def _text(self) -> UsiText:
        return UsiText(self.game, formats(self.game).usi or Usi())

    def position(self, words: list[str]) -> State:
        """Read `startpos` or a position in SFEN."""
        if words == ["startpos"]:
            return self.game.start()
        if words[:1] == ["sfen"]:
            return self._text.read_position(words[1:])
        raise RulewrightError("`position` takes `startpos` or `sfen SFEN`, then `moves`")

    def written_position(self, state: State) -> str:
        """Write a position in SFEN."""
        return f"sfen {self._text.write_position(state.situation.position)}"

    def read(self, text: str, state: State) -> str:
        """Read a move such as `7g7f` or `P*5e`."""
        return self._text.decision(text)

    def write(self, decision: str) -> str:
        """Write a decision, with columns counted from the right."""
        return self._text.write(decision)

    @staticmethod
    def variants() -> dict[str, str]:
        """The games that have words for USI."""
        return {name: name for name in bundled_with("usi")}

    def arguments(self, words: list[str], first: bool) -> list[str]:
        """The arguments of `go`; it is Black who begins."""
        return super().arguments(words, not first)

    @staticmethod
    def mate(won: bool, plies: int) -> str:
        """The score of a forced end, counted in plies."""
        return f"mate {plies if won else -plies}"


@define
class UcciDialect(Dialect):
    """The Universal Chinese Chess Protocol, for games with a table `[ucci]`."""

    has_seconds: bool = False
    """Whether times are in seconds, and not in milliseconds."""
    greeting = "ucci"
    new_game = ""
    commands = ("banmoves", "probe")
    fields = ("depth", "score", "nodes", "time", "currmove", "pv")
    note_field = "message"
    option_names: ClassVar[Mapping[str, str]] = {
        "Hash": "hashsize", "Threads": "threads", "Move Overhead": "overhead", "MultiPV": "",
        "Ponder": "ponder", "UCI_AnalyseMode": "", "UCI_ShowWDL": "", "UCI_Variant": "",
        "Personality": "personality",
    }  # fmt: skip
    no_move = "nobestmove\n"
    farewell = "bye\n"

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        _refuse_without_table(self.game, "ucci")

    def position(self, words: list[str]) -> State:
        """Read `startpos` or a position in FEN; `r` is red as well."""
        if words[:1] == ["fen"] and words[2:3] == ["r"]:  # red, as older programs write it
            words = [*words[:2], formats(self.game).uci.colours[0], *words[3:]]
        return super().position(words)

    def read(self, text: str, state: State) -> str:
        """Read a move, whose first row has the number that the table says."""
        return super().read(self._with_rows(text, 1 - self._first_row), state)

    def write(self, decision: str) -> str:
        """Write a decision in the same way."""
        return self._with_rows(super().write(decision), self._first_row - 1)

    @property
    def _first_row(self) -> int:
        style = formats(self.game).ucci
        return 1 if style is None else style.row

    @staticmethod
    def _with_rows(text: str, more: int) -> str:
        """The text of a move whose rows have numbers that are larger by *more*."""
        return _SITE.sub(lambda site: f"{site[1]}{int(site[2]) + more}", text)

    @staticmethod
    def option_line(name: str, kind: str) -> str:
        """The line that offers an option, whose default stands last."""
        kind = re.sub(r"^(\w+) (default \S+) (.+)", r"\1 \3 \2", kind)
        return f"option {name} type {kind}\n"

    @staticmethod
    def setting_line(name: str, value: str) -> str:
        """The command that sets an option."""
        return f"setoption {name} {value}"

    def own_options(self, begin_again: Callable[[], None]) -> dict[str, EngineOption]:
        """The unit of times, and the button that begins a game."""

        def use_milliseconds(value: bool) -> None:
            self.has_seconds = not value

        return {
            "usemillisec": check(not self.has_seconds, use_milliseconds),
            "newgame": EngineOption("button", lambda _: begin_again()),
        }

    @staticmethod
    def setting(words: list[str]) -> tuple[str, str]:
        """The name and the value in `setoption NAME VALUE`."""
        if not words:
            raise RulewrightError("`setoption` takes `NAME VALUE`")
        return words[0], " ".join(words[1:])

    def arguments(self, words: list[str], first: bool) -> list[str]:
        """The arguments of `go`, whose times are those of whoever is to move."""
        names = {"increment": "inc", "oppincrement": "oppinc"}
        if "time" in words and not {"movestogo", "increment"} & {*words}:
            names["time"] = "movetime"  # a time alone is for this move
        if words[-2:] == ["depth", "infinite"]:
            words = [*words[:-2], "infinite"]
        renamed = [names.get(word, word) for word in words]
        timed = ("time", "inc", "movetime", "opptime", "oppinc")
        return [
            f"{word}000" if self.has_seconds and before in timed and word.isdecimal() else word
            for before, word in zip(["", *renamed], renamed, strict=False)
        ]

    @staticmethod
    def limits(depth: int | None, nodes: int | None, clock: Clock) -> list[str]:
        """Write the limit of a decision, of which there is only one."""
        if clock.seconds is not None:
            return ["time", _thousandths(clock.seconds), "movestogo", "1"]
        if clock.reserve is not None:
            increment = _thousandths(clock.increment)
            return ["time", _thousandths(clock.reserve), "increment", increment]
        if depth is None and nodes is None:
            return ["time", "1000", "movestogo", "1"]
        return ["nodes", str(nodes)] if depth is None else ["depth", str(depth)]

    @staticmethod
    def mate(won: bool, plies: int) -> str:
        """The score of a forced end: the less far, the larger."""
        return str(max(_SURE - plies, 1) * (1 if won else -1))

    @staticmethod
    def centipawns(value: int) -> str:
        """The score of a value, smaller than that of a forced end."""
        return str(max(-_SURE // 2, min(_SURE // 2, value)))


def _thousandths(seconds: float) -> str:
    return str(max(1, int(1000 * seconds)))


def _refuse_without_table(game: Game, table: str) -> None:
    """Refuse games that the interface has no words for."""
    if getattr(formats(game), table) is None:
        message = f"{game.name} has no moves in {table.upper()}: {game.name}.toml has no [{table}]"
        raise RulewrightError(message)
