"""The settings of a game for files and programs from outside: `GAME.toml`.

In: a game.  Out: `Formats`, how files and programs write its moves and which personality plays it
best, with defaults for what the file does not set.  Refuses unknown keys, values of a wrong kind,
options and colours that the game does not have, each with the file and the table.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from typing import Any, TypeAlias, TypeVar

from attrs import field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files.games import bundled_games
from rulewright.games.files.kinds import file_beside
from rulewright.ground.disk import read_bytes, read_text
from rulewright.language.diagnostics import did_you_mean, offer
from rulewright.model.expressions import Type

Options: TypeAlias = Mapping[str, int | float | bool]
_Value = TypeVar("_Value")
_Read: TypeAlias = Callable[[str, object], _Value]
"""Reads a value at a place; raises `RulewrightError`."""
POINTS = ("cells", "letters")
PDN_BOARD = re.compile(r"([WB]),(\d+),(\d+),([AN])([0-3]),[01]")
"""Matches what follows the number in the tag `GameType`."""


@frozen
class Sgf:
    """Settings for SGF: the game's number, or the ending of files without one, and its notation.

    `words` stand for decisions that name no site; so do those of `turned`, but after them moves are
    given for the board mirrored along its diagonal.  `options` are properties that set an option of
    the rules, `rules` the values of the property RU that set options, `values` what the values of
    a property stand for, `needs` the options without which a decision does not exist.  `size` is
    that of the board where a file has no `SZ`.  With `turns` a move is a whole turn, told by its
    sites one behind the other.
    """

    game: int | None = None
    ending: str = ""
    size: int | None = None
    colours: tuple[str, str] = ("B", "W")
    points: str = "letters"
    turns: bool = False
    words: Mapping[str, str] = field(factory=dict)
    turned: Mapping[str, str] = field(factory=dict)
    options: Mapping[str, str] = field(factory=dict)
    rules: Mapping[str, Options] = field(factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(factory=dict)
    needs: Mapping[str, Options] = field(factory=dict)


@frozen
class Gtp:
    """Settings for GTP: colours, letters that columns skip, words as in `Sgf`, option commands.

    `handicap` says that stones may be placed before the first move, `dead` that pieces which
    cannot be saved after the end are taken off before the score is counted.
    """

    colours: tuple[str, str] = ("black", "white")
    skip: str = ""
    words: Mapping[str, str] = field(factory=dict)
    turned: Mapping[str, str] = field(factory=dict)
    options: Mapping[str, str] = field(factory=dict)
    handicap: bool = False
    dead: bool = False


@frozen
class Gomocup:
    """Settings for Gomocup: the options that `INFO rule N` sets."""

    rules: Mapping[str, Options] = field(factory=dict)


@frozen
class Uci:
    """Settings for UCI: colours, endings of decisions that are written differently, and FEN.

    `fields` are the states that stand behind the colour; `letters` say, for one that is a set of
    sites, which sites each letter of its field stands for, and behind `if` which pieces must stand
    there; `R east of K` is the last such piece on one side of another.  `matters` names the move
    that asks for a state: where no such move is legal, its field is read as nothing.  `variant` is
    what `UCI_Variant` calls the game, unsaid its own name; `shuffled` the game that `UCI_Chess960`
    stands for; `start` the position that `startpos` means where chance makes the first.  `wdl` are
    the value at which as many games are won as not, and the width of that curve.
    """

    colours: tuple[str, str] = ("w", "b")
    endings: Mapping[str, str] = field(factory=dict)
    fields: tuple[str, ...] = ()
    letters: Mapping[str, Mapping[str, str]] = field(factory=dict)
    matters: Mapping[str, str] = field(factory=dict)
    variant: str = ""
    shuffled: str = ""
    start: str = ""
    wdl: tuple[float, ...] = ()


@frozen
class Pgn:
    """Settings for PGN: the names of the game in the tag `Variant`, and what SAN has words for.

    The first variant is the one that is written.  `plain` is the kind of pieces that moves are
    written without; `words` stand for a move by its name and the decisions that are meant, as in
    `castle e1g1 e8g8`; `check` is a definition and the kind that it is asked about.  `languages`
    have letters of pieces, each with the rules' own that it stands for.
    """

    variants: tuple[str, ...] = ()
    plain: str = ""
    words: Mapping[str, str] = field(factory=dict)
    check: tuple[str, ...] = ()
    languages: Mapping[str, Mapping[str, str]] = field(factory=dict)


@frozen
class Pdn:
    """Settings for PDN: the tag `GameType`, as its number and what follows, and kinds of pieces.

    `board` has the letter of who begins, the size, and how sites are written: `N` by numbers or `A`
    by names, with the corner where counting begins, seen by who begins (0 to 3: left and right at
    the bottom, left and right at the top).  `king` is the kind that stands behind a `K`.
    """

    type: int = 0
    board: str = "W,8,8,A0,0"
    plain: str = ""
    king: str = ""


@frozen
class Ggf:
    """Settings for GGF: the name in `GM[...]`, and words for decisions that name no site."""

    name: str = ""
    words: Mapping[str, str] = field(factory=dict)


@frozen
class Psq:
    """Settings for records of Piskvork: the options that a rule at their end sets."""

    rules: Mapping[str, Options] = field(factory=dict)


@frozen
class Scored:
    """Settings for lists with scores: a win by the winner's first move has *end* less 1."""

    end: int = 0


@frozen
class Usi:
    """Settings for USI and SFEN: the states of pieces in hand, and of those that are promoted."""

    hand: str = ""
    promoted: str = ""


@frozen
class Ucci:
    """Settings for UCCI, whose positions are those of `Uci`: the number of the first row."""

    row: int = 0


@frozen
class Kif:
    """Settings for KIF: the signs of kinds, plain and promoted, positions of handicaps, ends.

    `ends` are words in place of a move: `resigned`, `time`, `lost` and `won` (by a foul) say it of
    whoever is to move; `draw` and `none` of the game.
    """

    pieces: Mapping[str, str] = field(factory=dict)
    turned: Mapping[str, str] = field(factory=dict)
    handicaps: Mapping[str, str] = field(factory=dict)
    ends: Mapping[str, str] = field(factory=dict)


@frozen
class T1:
    """Settings for files of T1j: the option of the pie rule, and the decision to swap, if any."""

    pie: str = ""
    swap: str = ""


@frozen
class PlaySettings:
    """Settings for play: `best` is the personality that a bare `computer` stands for.

    `seats` are the default players by colour.
    """

    best: str = ""
    seats: Mapping[str, str] = field(factory=dict)


@frozen
class Formats:
    """All settings of a game; those that are None by default are so if it has no such files."""

    sgf: Sgf = Sgf()
    gtp: Gtp = Gtp()
    gomocup: Gomocup = Gomocup()
    uci: Uci = Uci()
    pgn: Pgn | None = None
    pdn: Pdn | None = None
    ggf: Ggf | None = None
    psq: Psq | None = None
    scored: Scored | None = None
    usi: Usi | None = None
    ucci: Ucci | None = None
    kif: Kif | None = None
    t1: T1 | None = None
    play: PlaySettings = PlaySettings()


_HANDED_DOWN = ("uci", "pgn")
"""Tables that hold for games which build on a game, as far as these have what they speak of."""
NO_STATE = "-"
"""A field of FEN for which a game has no state."""


def formats(game: Game) -> Formats:
    """Read the settings of a game from the file beside its rules, and from those that it builds on.

    Without any file all are defaults.
    """
    inherited = dict[str, Mapping[str, Any]]()
    for name in reversed(game.rules.bases):
        for table, values in _tables_beside(game, name).items():
            if table in _HANDED_DOWN:
                inherited[table] = {**inherited.get(table, {}), **values}
    return _Reader(game, f"{game.name}.toml").formats(
        _joined(_fitting(game, inherited), _tables_beside(game, game.name))
    )


def _tables_beside(game: Game, name: str) -> Mapping[str, Any]:
    path = file_beside(game, f"{name}.toml")
    return {} if path is None else _parsed(path.name, read_bytes(path))


def _joined(inherited: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of a game, whose values come before those that it inherits."""
    tables = dict(own)
    for table, values in inherited.items():
        mine = own.get(table, {})
        tables[table] = {**values, **mine} if isinstance(mine, dict) else mine
    return tables


def _fitting(game: Game, tables: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """What inherited tables say of states, moves, kinds and sites that a game has."""
    rules = game.rules
    states, moves = {s.name for s in rules.states}, {m.name for m in rules.moves}
    kinds, functions = {k.name for k in rules.kinds}, {f.name for f in rules.functions}
    uci, pgn = (dict(tables.get(name, {})) for name in _HANDED_DOWN)
    for own in ("variant", "wdl", "shuffled", "start"):
        uci.pop(own, None)
    if "fields" in uci:
        uci["fields"] = [name if name in states else NO_STATE for name in uci["fields"]]
    uci["letters"] = {
        state: {c: text for c, text in letters.items() if _on_board(game, text)}
        for state, letters in uci.get("letters", {}).items()
        if state in states
    }
    matters = uci.get("matters", {}).items()
    uci["matters"] = {state: m for state, m in matters if state in states and m in moves}
    words = pgn.get("words", {}).items()
    pgn["words"] = {w: text for w, text in words if text.split()[:1] and text.split()[0] in moves}
    pgn.pop("variants", None)
    if pgn.get("plain") not in kinds:
        pgn.pop("plain", None)
    definition, kind = [*pgn.get("check", ()), "", ""][:2]
    if definition not in functions or kind not in kinds:
        pgn.pop("check", None)
    return {name: values for name, values in (("uci", uci), ("pgn", pgn)) if name in tables}


def _on_board(game: Game, text: str) -> bool:
    """Whether a board has the sites that stand before `if` in the text of a letter, if any do."""
    sites, _, _ = text.partition(" if ")
    return all(name in game.rules.board.by_name for name in sites.split())


@cache
def _bundled_tables() -> Mapping[str, Mapping[str, Any]]:
    """The tables of the files beside the rules of bundled games, by the game's name."""
    files = {name: path.with_suffix(".toml") for name, path in bundled_games().items()}
    return {
        name: tomllib.loads(read_text(path)) if path.is_file() else {}
        for name, path in files.items()
    }


def bundled_with(table: str, key: str = "", value: str = "") -> list[str]:
    """The bundled games that have a table, whose *key*, if one is named, is or holds a value."""
    names = []
    for name, tables in _bundled_tables().items():
        values = tables.get(table)
        if values is None:
            continue
        held = values.get(key, ())
        texts = map(str, held) if isinstance(held, list) else [str(held)]
        if not key or value.casefold() in map(str.casefold, texts):
            names.append(name)
    return names


def uci_variants() -> dict[str, str]:
    """The bundled games that are chess or build on it, by what `UCI_Variant` calls them."""
    tables = _bundled_tables()
    return {tables[name].get("uci", {}).get("variant", name): name for name in bundled_with("pgn")}


def read(game: Game, name: str, data: bytes) -> Formats:
    """Read the settings of a game from a file called *name*; raises `RulewrightError`."""
    return _Reader(game, name).formats(_parsed(name, data))


def _parsed(name: str, data: bytes) -> Mapping[str, Any]:
    try:
        return tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulewrightError(f"{name} is no TOML text: {error}") from None
    except RecursionError:
        raise RulewrightError(f"{name} is no TOML text: it is nested too deeply") from None


@frozen
class _Reader:
    game: Game
    name: str

    def formats(self, tables: Mapping[str, Any]) -> Formats:
        kinds = {
            "sgf": Sgf, "gtp": Gtp, "gomocup": Gomocup, "uci": Uci, "pgn": Pgn, "pdn": Pdn,
            "ggf": Ggf, "psq": Psq, "scored": Scored, "usi": Usi, "ucci": Ucci, "kif": Kif,
            "t1": T1, "play": PlaySettings,
        }  # fmt: skip
        self._refuse_unknown("", tables, kinds)
        parts = {name: self._table(name, kinds[name], values) for name, values in tables.items()}
        return Formats(**parts)

    def _table(self, table: str, kind: type[Any], values: object) -> Any:
        values = self._mapping(table, values)
        fields = [a.name for a in kind.__attrs_attrs__]
        self._refuse_unknown(table, values, fields)
        return kind(**{k: self._value(f"{table}.{k}", k, v) for k, v in values.items()})

    def _value(self, place: str, key: str, value: object) -> object:
        table_of, text, option = self._table_of, self._text, self._option
        texts, settings = table_of(text, text), table_of(text, table_of(option, lambda _, v: v))
        readers: dict[str, _Read[object]] = {
            "game": self._number, "size": self._number, "type": self._number, "colours": self._pair,
            "points": self._points, "words": texts, "turned": texts, "endings": texts,
            "options": table_of(text, option), "rules": settings, "needs": settings,
            "values": table_of(text, texts),
            "pie": option, "fields": self._states, "letters": table_of(self._state, texts),
            "matters": table_of(self._state, self._move), "seats": self._seats,
            "variants": self._texts, "plain": self._kind, "king": self._kind, "check": self._check,
            "board": self._pdn_board, "turns": self._truth, "handicap": self._truth,
            "dead": self._truth, "hand": self._state, "promoted": self._state,
            "pieces": table_of(self._kind, text), "handicaps": texts, "ends": texts,
            "wdl": self._curve, "row": self._row, "end": self._number,
            "languages": table_of(text, texts),
        }  # fmt: skip
        return readers.get(key, text)(place, value)

    def _curve(self, place: str, value: object) -> tuple[float, ...]:
        if value == []:
            return ()
        numbers = value if isinstance(value, list) else []
        if len(numbers) != 2 or not all(isinstance(n, int | float) for n in numbers):
            raise self._fail(place, "are two numbers, a value and a width")
        if numbers[0] < 0 or numbers[1] <= 0:
            raise self._fail(place, "has a value of at least 0 and a width of more than 0")
        return tuple(map(float, numbers))

    def _texts(self, place: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise self._fail(place, "is a list of texts")
        return tuple(self._text(place, text) for text in value)

    def _kind(self, place: str, value: object) -> str:
        names = [kind.name for kind in self.game.rules.kinds]
        return self._name(place, value, names, f"kind of {self.game.name}")

    def _check(self, place: str, value: object) -> tuple[str, ...]:
        if value == []:
            return ()
        if not isinstance(value, list) or len(value) != 2:
            raise self._fail(place, "are two names, of a definition and of a kind of pieces")
        names = [f.name for f in self.game.rules.functions if f.parameters == 1]
        definition = self._name(place, value[0], names, "definition of something that is a site")
        return definition, self._kind(place, value[1])

    def _seats(self, place: str, value: object) -> Mapping[str, str]:
        texts = self._table_of(self._text, self._text)(place, value)
        self._refuse_unknown(place, texts, self.game.players)
        return texts

    def _fail(self, place: str, message: str) -> RulewrightError:
        return RulewrightError(f"{self.name}: {place} {message}".replace(":  ", ": "))

    def _refuse_unknown(
        self, place: str, values: Mapping[str, Any], names: Collection[str]
    ) -> None:
        for name in values:
            if name not in names:
                hint = offer(name, names)
                raise self._fail(f"[{place}]" * bool(place), f"has no `{name}`; {hint}")

    def _mapping(self, place: str, value: object) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise self._fail(place, "is a table")
        return value

    def _number(self, place: str, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self._fail(place, "is a whole number from 1")
        return value

    def _row(self, place: str, value: object) -> int:
        return 0 if value == 0 and value is not False else self._number(place, value)

    def _truth(self, place: str, value: object) -> bool:
        if not isinstance(value, bool):
            raise self._fail(place, "is true or false")
        return value

    def _text(self, place: str, value: object) -> str:
        if not isinstance(value, str):
            raise self._fail(place, "is a text")
        return value

    def _pair(self, place: str, value: object) -> tuple[str, str]:
        if not isinstance(value, list) or len(value) != 2 or value[0] == value[1]:
            raise self._fail(place, "are two texts, of who begins and of the other")
        return self._text(place, value[0]), self._text(place, value[1])

    def _points(self, place: str, value: object) -> str:
        if value not in POINTS:
            raise self._fail(place, f"is one of {', '.join(POINTS)}")
        return str(value)

    def _pdn_board(self, place: str, value: object) -> str:
        text = self._text(place, value)
        if not PDN_BOARD.fullmatch(text):
            raise self._fail(place, "is written as `W,8,8,A0,0`")
        return text

    def _table_of(self, read_name: _Read[str], read: _Read[_Value]) -> _Read[Mapping[str, _Value]]:
        """Read a table by what reads its names and its values."""

        def read_table(place: str, value: object) -> Mapping[str, _Value]:
            return {
                read_name(place, name): read(f"{place}.{name}", inner)
                for name, inner in self._mapping(place, value).items()
            }

        return read_table

    def _name(self, place: str, value: object, names: Iterable[str], kind: str) -> str:
        """A name that is among those known of a kind."""
        name = self._text(place, value)
        if name not in names:
            message = f"names `{name}`, which is no {kind}; {did_you_mean(name, names)}"
            raise self._fail(place, message.rstrip("; "))
        return name

    def _option(self, place: str, value: object) -> str:
        return self._name(place, value, self.game.options, f"option of {self.game.name}")

    def _states(self, place: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise self._fail(place, "is a list of states")
        return tuple(n if n == NO_STATE else self._state(place, n) for n in value)

    def _state(self, place: str, value: object) -> str:
        names = [s.name for s in self.game.rules.states if s.type in (Type.INT, Type.SITES)]
        return self._name(place, value, names, "number or set of sites that is a state")

    def _move(self, place: str, value: object) -> str:
        names = [move.name for move in self.game.rules.moves]
        return self._name(place, value, names, f"move of {self.game.name}")
