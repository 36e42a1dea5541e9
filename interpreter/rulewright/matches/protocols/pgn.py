"""Games in PGN: tags, moves in standard notation, comments, assessments and variations.

In: the text of a game, or a recorded game.  Out: the recorded game, or the bytes.  `pgn_text.py`
reads tokens, `san.py` moves; which game a tag `Variant` means, and what it calls things, stands in
the table `[pgn]` of `GAME.toml`.  Refuses, each at its place: variants without rules, positions
that the rules cannot go on from, moves that are not legal.  A variation that cannot be played is
left out, and the record says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import takewhile
from typing import TypeAlias

from attrs import define, field

from rulewright.errors import Fault, MoveError, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.language.source import Span
from rulewright.matches.protocols.fen import Fen
from rulewright.matches.protocols.formats import Pgn, bundled_with, formats
from rulewright.matches.protocols.pgn_text import RESULTS, Token, games, tokens
from rulewright.matches.protocols.recorded import (
    Ending,
    Recorded,
    RecordReading,
    UnreadGame,
    Variation,
)
from rulewright.matches.protocols.san import San

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""Tags that every game has, in their order."""
OPTIONS = "RulewrightOptions"
"""The tag of this program for options of the rules."""
ASSESSED = "NAG"
"""The key of assessments among the marks of a board."""
_UNKNOWN = re.compile(r"[?.*]*")
_SPECIAL = ("White", "Black", "Result", "FEN", "SetUp", "Variant", OPTIONS)
_TAG = re.compile(r"\w{1,255}")
_STANDARD = "Standard"
_HOW = {"time forfeit": "time", "rules infraction": "forfeit", "abandoned": "forfeit"}
_TERMINATION = {"time": "time forfeit", "forfeit": "rules infraction"}
_DEEPEST = 100
"""Variations inside each other."""
_WIDTH = 80
Marks: TypeAlias = dict[int, dict[str, tuple[str, ...]]]


# --- reading ---


def parts(
    lines: Iterable[bytes], name: str, source: str = "", options: Mapping[str, object] | None = None
) -> Iterator[UnreadGame]:
    """The games of a file called *name*, one after another, none of them read yet.

    *source* names the game, else the tag `Variant` does.  Reading raises `TextError` at the place
    of a mistake.
    """
    for reading in games(name, lines):
        yield UnreadGame(partial(_read, reading, source, options), partial(_head, reading))


def _head(reading: RecordReading) -> Mapping[str, str]:
    """The tags of a game, whose moves are not looked at."""
    tags = takewhile(lambda token: token.kind == "tag", tokens(reading))
    return {token.name: token.text for token in tags}


def _read(reading: RecordReading, source: str, options: Mapping[str, object] | None) -> Recorded:
    """Read the text of one game."""
    stream = list(tokens(reading))
    tags = {token.name: token for token in stream if token.kind == "tag"}
    source = source or _source(reading, tags)
    options_there = dict(
        pair.partition("=")[::2] for pair in _text(tags, OPTIONS).split(",") if pair
    )
    span = tags[OPTIONS].span if options_there else Span(0, 1)
    game = reading.load(source, {**(options or {}), **options_there}, span)
    style = formats(game).pgn
    if style is None:
        message = f"{game.name} has no games in PGN: {game.name}.toml has no [pgn]"
        reading.fail("bad-record", Span(0, 1), message)
    _check_variant(reading, tags, style, game)
    reader = _Reader(reading, San(game, style), [_Line(0, [_start(reading, tags, game)])])
    return reader.read(source, tags, [token for token in stream if token.kind != "tag"])


def _text(tags: Mapping[str, Token], name: str) -> str:
    return tags[name].text.strip() if name in tags else ""


def _source(reading: RecordReading, tags: Mapping[str, Token]) -> str:
    variant = _text(tags, "Variant") or _STANDARD
    names = bundled_with("pgn", "variants", variant)
    if not names:
        message = f"no game that is bundled is the variant `{variant[:40]}`"
        reading.fail("bad-record", tags["Variant"].span, message, "name the game")
    return names[0]


def _check_variant(
    reading: RecordReading, tags: Mapping[str, Token], style: Pgn, game: Game
) -> None:
    variant = _text(tags, "Variant")
    if variant and style.variants and variant.casefold() not in map(str.casefold, style.variants):
        message = f"this is a game of the variant `{variant[:40]}`, which {game.name} is not"
        reading.fail("bad-record", tags["Variant"].span, message)


def _start(reading: RecordReading, tags: Mapping[str, Token], game: Game) -> State:
    if "FEN" not in tags:
        return game.start()
    try:
        return Fen(game).read(tags["FEN"].text.split())
    except (RulewrightError, Fault) as error:
        reading.fail("bad-record", tags["FEN"].span, str(error))


@define
class _Line:
    """A line of play while it is read: its states from the one in which it begins."""

    at: int
    states: list[State]
    comments: dict[int, str] = field(factory=dict)
    marks: Marks = field(factory=dict)
    variations: list[Variation] = field(factory=list)
    broken: str = ""

    @property
    def length(self) -> int:
        """The decisions from the beginning of the game."""
        return self.at + len(self.states) - 1

    def variation(self) -> Variation:
        """The line as a variation."""
        decisions = tuple(state.move for state in self.states[1:])
        return Variation(self.at, decisions, self.comments, self.marks, tuple(self.variations))


@define
class _Reader:
    reading: RecordReading
    san: San
    lines: list[_Line]
    """The main line, and the variations that are open."""
    result: str = ""
    left_out: list[str] = field(factory=list)

    def read(self, source: str, tags: Mapping[str, Token], stream: list[Token]) -> Recorded:
        """Read the recorded game from its tokens."""
        for token in stream:
            if self.result and token.kind != "comment":
                self._fail(token, "the game has ended, and this follows")
            self._token(token)
        if len(self.lines) > 1:
            self._fail(stream[-1], "a variation is not closed: `)` is missing")
        (main,) = self.lines
        end = main.states[-1]
        stated = self.result if self.result not in ("", "*") else _text(tags, "Result")
        names = [re.sub(r"^\?$", "", _text(tags, name)) for name in ("White", "Black")]
        notes = {
            name: (token.text,)
            for name, token in tags.items()
            if name not in _SPECIAL and not (name in ROSTER and _UNKNOWN.fullmatch(token.text))
        }
        return Recorded(
            source, end, (names[0], names[1]), _ending(end, stated, _text(tags, "Termination")),
            main.comments, notes, tuple(self.left_out), marks=main.marks,
            variations=tuple(main.variations), doubts=tuple(_doubts(end, stated)),
        )  # fmt: skip

    def _fail(self, token: Token, message: str) -> None:
        self.reading.fail("bad-record", token.span, message)

    def _token(self, token: Token) -> None:
        line = self.lines[-1]
        match token.kind:
            case "open":
                self._open(token, line)
            case "close":
                self._close(token)
            case _ if line.broken:
                pass
            case "comment":
                before = line.comments.get(line.length, "")
                if token.text:
                    line.comments[line.length] = f"{before}\n{token.text}".strip("\n")
            case "number":
                marks = line.marks.setdefault(line.length, {})
                marks[ASSESSED] = (*marks.get(ASSESSED, ()), token.text)
            case "result" if len(self.lines) == 1:
                self.result = token.text
            case "move":
                self._move(token, line)

    def _open(self, token: Token, line: _Line) -> None:
        if len(self.lines) > _DEEPEST:
            self._fail(token, f"more than {_DEEPEST} variations stand inside each other")
        if len(line.states) < 2 and not line.broken:
            self._fail(token, "a variation stands behind the move that it replaces")
        at, states = line.length - 1, line.states[-2:-1]
        self.lines.append(_Line(at, states or line.states[-1:], broken=line.broken))

    def _close(self, token: Token) -> None:
        if len(self.lines) == 1:
            self._fail(token, "no variation begins before this `)`")
        line = self.lines.pop()
        if not line.broken and len(line.states) > 1:
            self.lines[-1].variations.append(line.variation())
        elif not self.lines[-1].broken:
            self.left_out.append(line.broken or "an empty variation")

    def _move(self, token: Token, line: _Line) -> None:
        state = line.states[-1]
        try:
            line.states.append(state.play_decision(self.san.read(state, token.text)))
        except (MoveError, Fault) as error:
            if len(self.lines) == 1:
                self.reading.fail("illegal-move", token.span, str(error))
            place = self.reading.place(token.span)
            line.broken = (
                f"a variation in line {place.line}, whose `{token.text[:20]}` is not legal,"
            )


def _loser(end: State, stated: str) -> str | None:
    """Who lost by a result; None for a draw, and where there is none."""
    players = end.game.players
    return {"1-0": players[1], "0-1": players[0]}.get(stated)


def _ending(end: State, stated: str, termination: str) -> Ending | None:
    if end.over or stated not in RESULTS[:3]:
        return None
    loser = _loser(end, stated)
    how = _HOW.get(termination.casefold(), "lost")
    return Ending(how, loser) if loser else Ending("draw")


def _doubts(end: State, stated: str) -> Iterator[str]:
    if end.result is None or stated not in RESULTS[:3]:
        return
    winner = end.result.winner
    if stated != _result_of(end, winner):
        yield f"the file says {stated}, and by the rules it is: {end.result}"


def _result_of(end: State, winner: str | None) -> str:
    return "1/2-1/2" if winner is None else RESULTS[end.game.players.index(winner)]


# --- writing ---


def write(recorded: Recorded) -> bytes:
    """Write the game as PGN; reading it gives the same game again."""
    style = formats(recorded.game).pgn
    if style is None:
        name = recorded.game.name
        raise RulewrightError(f"{name} has no games in PGN: {name}.toml has no [pgn]")
    result = _result(recorded)
    tags = [f'[{name} "{_escaped(value)}"]' for name, value in _tags(recorded, style, result)]
    words = [*_Writer(San(recorded.game, style)).main(recorded), result]
    return ("\n".join(tags) + "\n\n" + _filled(words) + "\n").encode()


def _escaped(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace('"', '\\"').split())


def _result(recorded: Recorded) -> str:
    end, ending = recorded.end, recorded.ending
    if end.result is not None:
        return _result_of(end, end.result.winner)
    if ending is None:
        return "*"
    winners = [name for name in recorded.game.players if name != ending.loser]
    return _result_of(end, winners[0] if ending.loser else None)


def _tags(recorded: Recorded, style: Pgn, result: str) -> Iterator[tuple[str, str]]:
    notes = {name: "; ".join(v) for name, v in recorded.notes.items() if _TAG.fullmatch(name)}
    unknown = dict.fromkeys(ROSTER, "?") | {"Date": "????.??.??"}
    names = {n: t for n, t in zip(("White", "Black"), recorded.names, strict=True) if t}
    values = {**unknown, **notes, **names, "Result": result}
    yield from ((name, values.pop(name)) for name in ROSTER)
    ending = recorded.ending
    if ending is not None and ending.how in _TERMINATION:
        values["Termination"] = _TERMINATION[ending.how]
    if style.variants and style.variants[0] != _STANDARD:
        values["Variant"] = style.variants[0]
    changed = recorded.changed_options()
    if changed:
        values[OPTIONS] = ",".join(f"{n}={str(v).lower()}" for n, v in changed.items())
    if recorded.is_set_up:
        values |= {"SetUp": "1", "FEN": Fen(recorded.game).write(recorded.first)}
    yield from values.items()


def _filled(words: list[str]) -> str:
    """Words in lines of the standard's width; a comment keeps its own lines."""
    lines, line = list[str](), ""
    for word in words:
        if (line and len(line) + 1 + len(word) > _WIDTH) or line.endswith("\n"):
            lines.append(line.rstrip("\n"))
            line = ""
        line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


@define
class _Writer:
    san: San
    numbered: bool = False
    """Whether the next move of the second player needs its number."""

    def main(self, recorded: Recorded) -> list[str]:
        """The words of a game."""
        states = recorded.end.states()
        self.numbered = True
        line = Variation(0, (), recorded.comments, recorded.marks, recorded.variations)
        return [*self._annotations(line, 0), *self._line(states, line)]

    def _line(self, states: list[State], line: Variation) -> Iterator[str]:
        """The words of a line of play, whose first state is that in which it begins."""
        for number, state in enumerate(states[1:], line.at + 1):
            before = states[number - line.at - 1]
            yield from self._move(before, state)
            yield from self._annotations(line, number)
            for branch in line.variations:
                if branch.at == number - 1:
                    yield from self._variation(before, branch)

    def _move(self, before: State, after: State) -> Iterator[str]:
        second = before.situation.position.mover == 1
        if not second or self.numbered:
            yield f"{before.ply // 2 + 1}.{'..' * second}"
        self.numbered = False
        yield self.san.write(before, after)

    def _annotations(self, line: Variation, number: int) -> Iterator[str]:
        yield from (f"${nag}" for nag in line.marks.get(number, {}).get(ASSESSED, ()))
        text = line.comments.get(number, "")
        if text:
            self.numbered = True
        if "}" in text:
            yield from (f"; {row}\n" for row in text.split("\n"))
        elif text:
            yield f"{{{text}}}"

    def _variation(self, start: State, branch: Variation) -> Iterator[str]:
        states = [start]
        for decision in branch.decisions:
            states.append(states[-1].play_decision(decision))
        self.numbered = True
        words = [*self._annotations(branch, branch.at), *self._line(states, branch)]
        words[0], words[-1] = f"({words[0]}", f"{words[-1]})"
        self.numbered = True
        yield from words
