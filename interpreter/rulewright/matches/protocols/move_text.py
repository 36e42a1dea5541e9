"""Lines of play as text: moves with comments, assessments and variations, as PGN and PDN have them.

In: the tokens of a game, or a recorded game; how moves are written.  Out: the states,
comments, marks and variations of the game, or its words.  Refuses, each at its place: moves that
are not legal, brackets without their other half, what follows the result.  A variation that cannot
be played is left out, and the record says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, TypeAlias

from attrs import define, field

from rulewright.errors import Fault, MoveError
from rulewright.games.engine.game import State
from rulewright.matches.protocols.pgn_text import Token
from rulewright.matches.protocols.recorded import Recorded, RecordReading, Variation
from rulewright.matches.protocols.turn_sites import whole_branch

ASSESSED = "NAG"
"""The key of assessments among the marks of a board."""
_DEEPEST = 100
"""Variations inside each other."""
_WIDTH = 80
Marks: TypeAlias = dict[int, dict[str, tuple[str, ...]]]


class MoveNotation(Protocol):
    """How moves are written; a move is a decision, or a turn of several."""

    def played(self, state: State, text: str) -> list[State]:
        """The states after each decision of a move; raises `MoveError` unless it is legal."""

    def move_at(self, states: list[State], number: int) -> tuple[str, int]:
        """The text of the move that begins in a state of a line, and how many decisions it has."""


# --- reading ---


@define
class PlayLine:
    """A line of play while it is read: its states from the one in which it begins."""

    at: int
    states: list[State]
    comments: dict[int, str] = field(factory=dict)
    marks: Marks = field(factory=dict)
    variations: list[Variation] = field(factory=list)
    broken: str = ""
    last: int = 0
    """The decisions of the last move."""

    @property
    def length(self) -> int:
        """The decisions from the beginning of the game."""
        return self.at + len(self.states) - 1

    def variation(self) -> Variation:
        """The line as a variation."""
        decisions = tuple(state.move for state in self.states[1:])
        return Variation(self.at, decisions, self.comments, self.marks, tuple(self.variations))


@define
class MoveTextReader:
    """Reads the tokens of a game; `lines` are the main line and the variations that are open."""

    reading: RecordReading
    notation: MoveNotation
    lines: list[PlayLine]
    result: str = ""
    left_out: list[str] = field(factory=list)

    def read(self, stream: list[Token]) -> PlayLine:
        """The main line."""
        for token in stream:
            if self.result and token.kind != "comment":
                self._fail(token, "the game has ended, and this follows")
            self._token(token)
        if len(self.lines) > 1:
            self._fail(stream[-1], "a variation is not closed: `)` is missing")
        return self.lines[0]

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

    def _open(self, token: Token, line: PlayLine) -> None:
        if len(self.lines) > _DEEPEST:
            self._fail(token, f"more than {_DEEPEST} variations stand inside each other")
        if len(line.states) < 2 and not line.broken:
            self._fail(token, "a variation stands behind the move that it replaces")
        start = len(line.states) - 1 - line.last
        self.lines.append(PlayLine(line.at + start, [line.states[start]], broken=line.broken))

    def _close(self, token: Token) -> None:
        if len(self.lines) == 1:
            self._fail(token, "no variation begins before this `)`")
        line = self.lines.pop()
        if not line.broken and len(line.states) > 1:
            self.lines[-1].variations.append(line.variation())
        elif not self.lines[-1].broken:
            self.left_out.append(line.broken or "an empty variation")

    def _move(self, token: Token, line: PlayLine) -> None:
        try:
            states = self.notation.played(line.states[-1], token.text)
            line.states += states
            line.last = len(states)
        except (MoveError, Fault) as error:
            if len(self.lines) == 1:
                self.reading.fail("illegal-move", token.span, str(error))
            place = self.reading.place(token.span)
            line.broken = (
                f"a variation in line {place.line}, whose `{token.text[:20]}` is not legal,"
            )


# --- writing ---


def fill_lines(words: list[str]) -> str:
    """Words in lines of the standard's width; a comment keeps its own lines."""
    lines, line = list[str](), ""
    for word in words:
        if (line and len(line) + 1 + len(word) > _WIDTH) or line.endswith("\n"):
            lines.append(line.rstrip("\n"))
            line = ""
        line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


@define
class MoveTextWriter:
    """Writes the words of a game."""

    notation: MoveNotation
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
        number = 0
        while number + 1 < len(states):
            text, count = self.notation.move_at(states, number)
            yield from self._move(states[number], text)
            inside = range(line.at + number, line.at + number + count)
            for at in inside:
                yield from self._annotations(line, at + 1)
            for branch in line.variations:
                if branch.at in inside:
                    whole = whole_branch(branch, states, line.at, inside[0])
                    yield from self._variation(states[number], whole)
            number += count

    def _move(self, before: State, text: str) -> Iterator[str]:
        second = before.situation.position.mover == 1
        if not second or self.numbered:
            yield f"{before.ply // 2 + 1}.{'..' * second}"
        self.numbered = False
        yield text

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
