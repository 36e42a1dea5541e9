"""Standard algebraic notation, for any game whose decisions name two sites.

In: a state, and a decision or its text in this notation.  Out: the text, or the decision.  Letters
of pieces are those of the rules, in capitals; what a game has words for (castling) and when it is
check says its table `[pgn]`.  Reads long notation and old habits too (`0-0`, `e7e8Q`, `Ng1-f3`).
Refuses texts that mean no legal decision, or several.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Self

from attrs import field, frozen

from rulewright.errors import GameOver, IllegalMove, MoveError, RulewrightError, UnreadableMove
from rulewright.games.engine.game import Game, State
from rulewright.matches.protocols.format_settings import Pgn, formats
from rulewright.model.board import Mask, bits
from rulewright.reference.evaluate import evaluate
from rulewright.reference.position import Position

_SITE = "[a-z]+[0-9]+"
_DECISION = re.compile(rf"({_SITE})({_SITE})(?:=(\w+))?|(\w+)@({_SITE})")
"""Matches a decision: two sites and what the piece becomes, or what is dropped where."""
_DROP = re.compile(rf"([A-Z]?)@({_SITE})")
_LETTER = re.compile(r"[^\Wa-z\d_]\w?|[\u2654-\u265f]")
"""Matches the letter of a piece in any language, and the sign behind it."""
_SIGNS = re.compile(r"[+#!?]*$|(?:e\.?p\.?)[+#]*$")
_DASHES = dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2212), "-")
"""Signs that stand for a hyphen."""
_SHOWN = 8
"""Moves that a message shows."""


@frozen
class _Step:
    """A decision taken apart: the kind that moves, from where (empty for a drop), to where."""

    decision: str
    kind: int
    start: str
    end: str
    becomes: str = ""


@frozen
class San:
    """Writes and reads decisions of a game."""

    game: Game
    style: Pgn = field(factory=Pgn)
    language: str = ""

    @cached_property
    def _foreign(self) -> Mapping[str, str]:
        """The letters of another language, with those that they stand for."""
        return self.style.languages.get(self.language, {})

    @cached_property
    def _letters(self) -> list[str]:
        """The letter of each kind; empty for the one that is written without."""
        plain = self.style.plain
        return [
            "" if k.name == plain else next(filter(None, k.letters), "").upper()
            for k in self.game.rules.kinds
        ]

    @cached_property
    def _names(self) -> dict[str, str]:
        """The letters of kinds by their names."""
        return {k.name: c for k, c in zip(self.game.rules.kinds, self._letters, strict=True)}

    @cached_property
    def _text(self) -> re.Pattern[str]:
        """Matches a letter, where from as far as it is said, where to, and what it becomes."""
        board = self.game.rules.board
        sites = "|".join(sorted((board.names[s] for s in bits(board.sites)), key=len, reverse=True))
        columns = "|".join(sorted({_parts(name)[0] for name in sites.split("|")}))
        start = rf"((?:{columns})?)([0-9]*)"
        return re.compile(rf"([A-Z]?){start}[x:-]?({sites})(?:[=/(]?([A-Za-z])\)?)?")

    def _word(self, state: State, decision: str) -> str:
        """The word that the game has for a decision; empty for none."""
        for word, text in self.style.words.items():
            name, *decisions = text.split()
            if decision in decisions and state.moves[decision].name == name:
                return word
        return ""

    # --- lines of play, in which a move is a decision ---

    def played(self, state: State, text: str) -> list[State]:
        """The state after the decision that a text stands for; raises `MoveError`."""
        return [state.play_decision(self.read(state, text))]

    def move_at(self, states: list[State], number: int) -> tuple[str, int]:
        """The text of the decision in a state of a line, and that it is one."""
        return self.write(states[number], states[number + 1]), 1

    # --- writing ---

    def write(self, state: State, after: State) -> str:
        """Write the decision that leads from a state to the one *after* it."""
        decision = after.move
        text = self._word(state, decision) or self._plain_text(state, decision)
        return text + self._sign(after)

    def _plain_text(self, state: State, decision: str) -> str:
        step = self._step(state.situation.position, decision)
        if step is None:
            return decision
        letter, becomes = self._letters[step.kind], self._names.get(step.becomes, "")
        if not step.start:
            return f"{letter}@{step.end}"
        promotion = f"={becomes}" if step.becomes else ""
        takes = "x" if self._takes(state, step) else ""
        start = self._start_text(state, step, bool(takes))
        return f"{letter}{start}{takes}{step.end}{promotion}"

    def _takes(self, state: State, step: _Step) -> bool:
        """Whether something is taken: it stands there, or a plain piece leaves its column."""
        board, full = self.game.rules.board, state.situation.position.full
        start, end = (board.by_name[name] for name in (step.start, step.end))
        aslant = not self._letters[step.kind] and board.columns[start] != board.columns[end]
        return bool(full >> end & 1) or aslant

    def _start_text(self, state: State, step: _Step, takes: bool) -> str:
        """As much of the site where a move begins as tells it from all others."""
        column, row = _parts(step.start)
        if not self._letters[step.kind]:
            return column if takes else ""
        others = [
            _parts(other.start)
            for other in self._steps(state, step.end)
            if other.kind == step.kind and other.start not in ("", step.start)
        ]
        if not others:
            return ""
        if all(c != column for c, _ in others):
            return column
        return row if all(r != row for _, r in others) else step.start

    def _sign(self, after: State) -> str:
        if after.result is not None and after.result.winner:
            return "#"
        return "+" if self._in_check(after) else ""

    def _in_check(self, state: State) -> bool:
        """Whether the piece that `check` speaks of is attacked, for whoever is to move."""
        if not self.style.check:
            return False
        name, kind = self.style.check
        rules, position = self.game.rules, state.situation.position
        number = next(i for i, k in enumerate(rules.kinds) if k.name == kind)
        function = next(f for f in rules.functions if f.name == name and f.parameters == 1)
        context = self.game.play.context(position, slots=function.slots)
        mask: Mask = position.kinds[number] & position.owned[position.mover]
        if not mask:
            return False
        context.frame[0] = mask
        return bool(evaluate(function.body(position.mover), context))

    # --- reading ---

    def read(self, state: State, text: str) -> str:
        """Read the decision that a text stands for; raises `MoveError` unless it is exactly one."""
        if state.over:
            raise GameOver(f"the game is over ({state.result}), and `{text[:40]}` follows")
        plain = _SIGNS.sub("", _translated(text.translate(_DASHES), self._foreign))
        meant = self._by_word(state, plain) or self._meant(state, plain)
        if len(meant) == 1:
            return meant[0]
        if meant:
            raise IllegalMove(f"`{text[:40]}` is {' or '.join(meant)}: say which is meant")
        raise self._refusal(state, text)

    def _by_word(self, state: State, text: str) -> list[str]:
        text = self.style.words.get(text.replace("0", "O").replace("o", "O"), "")
        name, *decisions = text.split() or [""]
        return [d for d in decisions if (m := state.moves.find(d)) is not None and m.name == name]

    def _meant(self, state: State, text: str) -> list[str]:
        drop = _DROP.fullmatch(text)
        if drop is not None:
            return [
                step.decision
                for step in self._steps(state, drop[2])
                if not step.start and self._is(step.kind, drop[1])
            ]
        match = self._text.fullmatch(text)
        if match is None:
            return [text] if text in state.moves else []
        letter, column, row, end, becomes = match.groups()
        return [
            step.decision
            for step in self._steps(state, end)
            if step.start
            and (self._letters[step.kind] == letter or (not letter and step.start == column + row))
            and step.start.startswith(column)
            and (not row or _parts(step.start)[1] == row)
            and self._names.get(step.becomes, "") == (becomes or "").upper()
        ]

    def _is(self, kind: int, letter: str) -> bool:
        own = next(filter(None, self.game.rules.kinds[kind].letters), "").upper()
        return letter == self._letters[kind] or letter == own

    def _refusal(self, state: State, text: str) -> IllegalMove | UnreadableMove:
        step = self._text.fullmatch(_SIGNS.sub("", text))
        if step is None and _DROP.fullmatch(text) is None:
            return UnreadableMove(f"`{text[:40]}` is no move of {self.game.name}")
        ends = {step[4]} if step else set()
        near = [s for s in self._steps(state) if s.end in ends] or list(self._steps(state))
        shown = [self._plain_text(state, s.decision) for s in near[:_SHOWN]]
        more = f", ... ({len(near)} in all)" if len(near) > _SHOWN else ""
        place = f" to {step[4]}" if step and any(s.end in ends for s in near) else ""
        legal = f"legal{place}: {', '.join(shown)}{more}"
        return IllegalMove(f"`{text[:40]}` is not legal for {state.mover} here; {legal}")

    # --- decisions ---

    def _steps(self, state: State, end: str = "") -> Iterator[_Step]:
        """The decisions of a state that are steps, to a site; those that have words are none."""
        words = {d for text in self.style.words.values() for d in text.split()[1:]}
        position = state.situation.position
        for decision in state.moves.texts:
            if end not in decision or (decision in words and self._word(state, decision)):
                continue
            step = self._step(position, decision)
            if step is not None and end in ("", step.end):
                yield step

    def _step(self, position: Position, decision: str) -> _Step | None:
        match, board = _DECISION.fullmatch(decision), self.game.rules.board
        if match is None:
            return None
        start, end, becomes, dropped, place = match.groups()
        if dropped:
            names = [kind.name for kind in self.game.rules.kinds]
            is_drop = dropped in names and place in board.by_name
            return _Step(decision, names.index(dropped), "", place) if is_drop else None
        if start not in board.by_name or end not in board.by_name:
            return None
        piece = position.piece(1 << board.by_name[start])
        return None if piece is None else _Step(decision, piece[1], start, end, becomes or "")


@frozen
class WrittenMoves:
    """Moves as people write them, and as they type them; a game without a notation has its texts.

    Where *san* is None there is no notation.
    """

    san: San | None = None

    @classmethod
    def of(cls, game: Game) -> Self:
        """The standard notation of a game whose table says how its moves are written."""
        with suppress(RulewrightError):
            style = formats(game).pgn
            return cls(San(game, style) if style and style.plain else None)
        return cls()

    def move(self, before: State, after: State) -> str:
        """The decision that leads from one state to another; empty without a notation."""
        return self.san.write(before, after) if self.san else ""

    def line(self, state: State, texts: Sequence[str]) -> tuple[str, ...]:
        """The decisions of a line; from one that cannot be played on, their own texts."""
        shown = list[str]()
        with suppress(RulewrightError):
            for text in texts if self.san else ():
                after = state.play_decision(text)
                shown.append(self.move(state, after))
                state = after
        return (*shown, *texts[len(shown) :])

    def text(self, state: State, decision: str) -> str:
        """A decision of a state as people write it; its own text where the game has no notation."""
        return self.line(state, (decision,))[0]

    def played(self, state: State, typed: str, refusal: MoveError) -> State:
        """The state after moves that are typed as people write them.

        Raises *refusal* where they are not written so, `IllegalMove` where the rules forbid one.
        """
        if self.san is None:
            raise refusal
        for word in typed.split():
            try:
                state = state.play_decision(self.san.read(state, word))
            except UnreadableMove:
                raise refusal from None
        return state


def languages_of(style: Pgn, texts: Iterable[str]) -> Iterator[str]:
    """The languages that have a letter for each move that begins with one."""
    starts = {m[0] for text in texts if (m := _LETTER.match(text)) and m[0] not in ("O", "0")}
    for language, letters in style.languages.items():
        if starts and all(any(start.startswith(c) for c in letters) for start in starts):
            yield language


def _translated(text: str, letters: Mapping[str, str]) -> str:
    """A move with letters of another language, in those of the rules."""
    if not letters:
        return text
    longest_first = sorted(letters, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, longest_first)), lambda m: letters[m[0]], text)


def _parts(site: str) -> tuple[str, str]:
    """The letters and the digits of the name of a site."""
    row = site.lstrip("abcdefghijklmnopqrstuvwxyz")
    return site[: len(site) - len(row)], row
