"""`Game` and `State`: games and positions as the reference plays them.

A game is a rules file with its options set; a state is an immutable position of it that knows how
it came about.  Every mistake of a caller is a `MoveError` or a `PositionError` with a readable
message; every fault of the rules is a `Fault` that names the line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import field, frozen

from rulewright.engine.clicks import scene_moves
from rulewright.engine.interpreted import Interpreted
from rulewright.engine.moves import Move, Moves
from rulewright.errors import Fault, GameOver, IllegalMove, TooLong, UnreadableMove
from rulewright.language.diagnostics import did_you_mean
from rulewright.language.limits import LINE
from rulewright.model.rules import Rules
from rulewright.records import Brief
from rulewright.reference.lookup import read_turn
from rulewright.reference.play import NONE, Option, Play, Situation
from rulewright.reference.position import Position
from rulewright.render.position_text import board_text, position_text, read_position
from rulewright.render.scene import Scene, SceneMove
from rulewright.render.scene_building import PlayedDecision, scene_of

SHOWN = 60
"""Letters of a move that messages show."""

if TYPE_CHECKING:
    from rulewright.resolve.effects import EffectResolver


@frozen
class Result:
    """How a game ended.  `winner` is a colour, None for a draw; `rule` is the line that said so.

    `about` says it in words: the comment behind that line, empty where there is none.
    """

    winner: str | None
    rule: str
    place: str
    about: str = ""

    def __str__(self) -> str:
        return f"{self.verdict}: {self.rule} ({self.place})"

    @property
    def verdict(self) -> str:
        """Who wins."""
        return f"{self.winner} wins" if self.winner else "draw"

    @property
    def told(self) -> str:
        """How it ended in words, with the rule behind them."""
        return f"{self.verdict}: {self.about} ({self.rule})" if self.about else str(self)


_SHOWN = 40
"""Decisions that the `repr` of a state names."""


@frozen(eq=False, repr=False)
class Game(Brief):
    """A playable game."""

    rules: Rules
    names: EffectResolver | None = field(default=None, repr=False)
    """What has read the text of the rules; evaluators find its names there."""
    place: Path | None = field(default=None, repr=False)
    """Where the model is kept between runs; what is made of it may be kept beside it."""
    again: Callable[[], Game] | None = field(default=None, repr=False)
    """Reads the text anew, for a model that was kept without its names."""
    folder: Path | None = field(default=None, repr=False)
    """Where the rules stand, when they are the user's own; their evaluators stand there."""
    play: Play = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "play", Play(self.rules))

    def __repr__(self) -> str:
        changed = [f"{o.name}={o.value}" for o in self.rules.options if o.value != o.default]
        return f"<Game {' '.join([self.name, *changed])}>"

    @property
    def name(self) -> str:
        """The name that the file gives the game."""
        return self.rules.name

    @property
    def players(self) -> tuple[str, str]:
        """The two colours; the first begins."""
        return self.rules.players

    @property
    def options(self) -> Mapping[str, int | float | bool]:
        """The options with their values."""
        return {o.name: o.value for o in self.rules.options}  # type: ignore[misc]

    def start(self) -> State:
        """The position before the first move."""
        with self.located():
            return State(self, self.play.start())

    def read(self, text: str) -> State:
        """The position that `State.text` printed."""
        with self.located():
            return State(self, self.play.resume(*read_position(self.play, text)))

    def at(self, position: Position) -> State:
        """A state at a position of the reference, which must not be over."""
        return State(self, Situation(self.play, position))

    @contextmanager
    def located(self) -> Iterator[None]:
        """Give faults that arise inside the place of their clause."""
        try:
            yield
        except Fault as fault:
            if fault.place or fault.origin >= len(self.rules.origins):
                raise  # the place is known, or is one of an evaluator
            place = self.rules.place(fault.origin)
            raise Fault(fault.code, fault.message, fault.origin, place) from None


@frozen(eq=False, repr=False)
class State(Brief):
    """A position of a game, between two decisions."""

    game: Game
    situation: Situation
    before: State | None = None
    move: str = ""
    """The decision that led here from `before`."""

    def __repr__(self) -> str:
        """The game, the way here and who is next, without listing or testing anything."""
        moves, situation = self.decisions(), self.situation
        way = " ".join(moves[:_SHOWN]) + f" ... ({len(moves)} in all)" * (len(moves) > _SHOWN)
        after = f" after {way}" if moves else ""
        told = "ended" if situation.ended else self.game.players[situation.position.mover]
        return f"<State {self.game!r}{after}: {told}>"

    @cached_property
    def _options(self) -> tuple[Option, ...]:
        with self.game.located():
            return () if self.situation.outcome else self.situation.options

    @property
    def moves(self) -> Moves:
        """The legal decisions, in the order of the turn and of the board: texts are made late."""
        return Moves(Interpreted(self.game.rules, self._options))

    def by_kind(self) -> dict[str, list[str]]:
        """The legal decisions by the name of their move; `none` for the decision not to move."""
        found: dict[str, list[str]] = {}
        for move in self.moves:
            found.setdefault(move.name, []).append(move.text)
        return found

    def letters(self) -> dict[str, str]:
        """A letter for each decision that is the only one of its move: `f` flip, `p` none."""
        texts = set(self.moves.texts)
        found: dict[str, str] = {}
        for name, decisions in self.by_kind().items():
            letter = "p" if name == "none" else name[0]
            if len(decisions) == 1 and letter not in texts and letter not in found.values():
                found[decisions[0]] = letter
        return found

    @property
    def mover(self) -> str | None:
        """The colour that decides, None when the game is over."""
        return None if self.over else self.game.players[self.situation.position.mover]

    @cached_property
    def result(self) -> Result | None:
        """How the game ended, None while it goes on."""
        with self.game.located():
            outcome = self.situation.outcome
        if outcome is None:
            return None
        winner = None if outcome.winner is None else self.game.players[outcome.winner]
        origin = self.game.rules.origins[outcome.origin]
        return Result(winner, origin.text, self.game.rules.place(outcome.origin), origin.about)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.result is not None

    @property
    def ply(self) -> int:
        """How many turns are finished."""
        return self.situation.position.ply

    @property
    def turn_begins(self) -> bool:
        """Whether the next decision is the first of a turn."""
        return self.situation.position.fresh

    @property
    def swapped(self) -> bool:
        """Whether the persons have exchanged colours."""
        return self.situation.position.swapped

    # --- playing ---

    def play(self, moves: str | Move) -> State:
        """The state after *moves*: decisions or whole turns, separated by blanks."""
        texts = str(moves).split()
        if not texts:
            raise UnreadableMove("a move is expected, and the text is empty")
        state = self
        for text in texts:
            state = state._play_one(text)
        return state

    def _play_one(self, text: str) -> State:
        if self.over:
            raise GameOver(f"`{text}` cannot be played: the game is over ({self.result})")
        option = self._find(text)
        if option is not None:
            return self._after(option)
        if self.turn_begins and self.game.rules.joined:
            return self._whole_turn(text)
        raise self._refusal(text)

    def play_decision(self, move: str | Move) -> State:
        """The state after one of `moves`, given exactly as it is written there."""
        option = self.by_text.get(str(move))
        if option is None:
            raise self._refusal(str(move))
        return self._after(option)

    @cached_property
    def by_text(self) -> dict[str, Option]:
        """The legal decisions by their texts."""
        return {option.text: option for option in self._options}

    def _find(self, text: str) -> Option | None:
        exact = [o for o in self._options if o.text == text]
        folded = [o for o in self._options if o.text.casefold() == text.casefold()]
        found = exact or folded
        return found[0] if len(found) == 1 else None

    def _after(self, option: Option) -> State:
        with self.game.located():
            return State(self.game, self.situation.after(option), self, option.text)

    def _whole_turn(self, text: str) -> State:
        """The state after the turn whose decisions, written together, are *text*."""
        with self.game.located():
            found = read_turn(self.situation, text)
        if found.why:
            hint = "write its decisions apart, with blanks"
            raise UnreadableMove(f"`{shortened(text)}` is not clear: {found.why}; {hint}")
        if not found.options:
            raise self._refusal(text)
        state = self
        for option in found.options:
            state = state._after(option)
        return state

    def _refusal(self, text: str) -> IllegalMove | UnreadableMove:
        legal = counted(self.moves.texts)
        some = ", ".join(legal[:8]) + (f", ... ({len(legal)} in all)" if len(legal) > 8 else "")
        hint = did_you_mean(shortened(text), legal)
        tail = f"{hint or 'legal:'} {'legal: ' if hint else ''}{some}"
        if not any(_form(text) == _form(move) for move in legal):
            example = next((m for m in legal if m != NONE), NONE)
            return UnreadableMove(
                f"`{shortened(text)}` is no move of this position, which are written like "
                f"`{example}`; {tail}"
            )
        return IllegalMove(f"`{shortened(text)}` is not legal for {self.mover} here; {tail}")

    # --- the way here ---

    def states(self) -> list[State]:
        """Every state from the first to this one."""
        found: list[State] = []
        state: State | None = self
        while state is not None:
            found.append(state)
            state = state.before
        return found[::-1]

    def decisions(self) -> list[str]:
        """The decisions that led here."""
        return [state.move for state in self.states()[1:]]

    def turns(self) -> list[str]:
        """The decisions that led here, turn by turn as whole turns are written."""
        turns: list[tuple[State, list[str]]] = []
        for state in self.states()[1:]:
            assert state.before is not None
            if state.before.turn_begins or not turns:
                turns.append((state.before, []))
            turns[-1][1].append(state.move)
        return [start.turn_text(decisions) for start, decisions in turns]

    def turn_text(self, decisions: Sequence[str]) -> str:
        """The decisions of a turn that begins here, as they are written together.

        They stay apart when together they would read as a single decision.
        """
        together = "".join(d for d in decisions if d != NONE) or NONE
        alike = len(decisions) > 1 and together in self.by_text
        return together if self.game.rules.joined and not alike else " ".join(decisions)

    # --- counting ---

    def perft(self, depth: int, unit: str = "decision") -> int:
        """How many sequences of exactly *depth* decisions (or whole turns) there are from here.

        Counted by the reference; `rulewright perft` counts the same with kernels.
        """
        return self.count(depth, unit)[0]

    def count(self, depth: int, unit: str = "decision") -> tuple[int, int]:
        """Perft, and the number of decisions counted on the way (the leaves' own included)."""
        if unit not in ("decision", "turn"):
            raise ValueError(f"perft counts by decision or by turn, not by {unit}")
        if depth < 0:
            raise ValueError(f"perft counts from depth 0, not {depth}")
        if depth > LINE:
            raise TooLong(LINE)
        if depth == 0:
            return 1, 0
        if unit == "turn":
            return self._count_turns(depth, LINE)
        if depth == 1 or self.over:
            return len(self._options), len(self._options)
        counts = [self._after(option).count(depth - 1) for option in self._options]
        counts.append((0, len(self._options)))
        return sum(c[0] for c in counts), sum(c[1] for c in counts)

    def _count_turns(self, depth: int, most: int) -> tuple[int, int]:
        """`count` by turns, along lines of so many decisions."""
        leaves, nodes = 0, 0
        for way, after in self._ways(most):
            inner = after._count_turns(depth - 1, most - len(way)) if depth > 1 else (1, 0)
            leaves, nodes = leaves + inner[0], nodes + inner[1] + len(way)
        return leaves, nodes

    def whole_turns(self) -> Iterator[tuple[list[str], State]]:
        """Every way to finish the turn from here: its decisions, and the state after them."""
        yield from self._ways(LINE)

    def _ways(self, most: int) -> Iterator[tuple[list[str], State]]:
        """The same, for turns of so many decisions; `TooLong` for a longer one."""
        if most == 0 and self._options:
            raise TooLong(LINE)
        for option in self._options:
            after = self._after(option)
            if after.turn_begins or after.over:
                yield [option.text], after
            else:
                for way, end in after._ways(most - 1):
                    yield [option.text, *way], end

    # --- pictures ---

    def text(self) -> str:
        """The position as text: board, mover, states, links; `Game.read` reads it back."""
        return position_text(self.game.play, self.situation.position, self.situation.ended)

    @cached_property
    def scene(self) -> Scene:
        """What is to be seen, for whoever draws it: sites, links, the last turn, what won."""
        with self.game.located():
            position, outcome = self.situation.position, self.situation.outcome
            listed = partial(_scene_moves, self)
            return scene_of(self.game.play, position, outcome, self._last_turn(), listed)

    def _last_turn(self) -> list[PlayedDecision]:
        """The decisions of the turn under way, or of the one before when none is made yet."""
        steps: list[PlayedDecision] = []
        state = self
        while state.before is not None:
            before = state.before
            positions = before.situation.position, state.situation.position
            steps.append(PlayedDecision(state.move, before.by_text[state.move].move, *positions))
            if before.turn_begins:
                break
            state = before
        return steps[::-1]

    def svg(self) -> str:
        """The position as a drawing: a self-contained SVG document."""
        from rulewright.render.svg import scene_svg  # loaded where it is used

        return scene_svg(self.scene)

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg()

    def board(self) -> str:
        """The picture of the board alone."""
        return board_text(self.game.play, self.situation.position)

    def __str__(self) -> str:
        return self.text()

    def same(self, other: State) -> bool:
        """Whether both are the same position of the same rules, however they came about."""
        return (
            self.game.rules == other.game.rules
            and self.situation.position == other.situation.position
            and self.swapped == other.swapped
        )


def _scene_moves(state: State) -> tuple[SceneMove, ...]:
    return scene_moves(state.game.rules, state.moves)


def counted(decisions: list[str]) -> list[str]:
    """Decisions that are numbers by their size, others as the rules have them."""
    return sorted(decisions, key=int) if all(map(str.isdecimal, decisions)) else decisions


def shortened(text: str) -> str:
    """A text as messages show it: so many letters of it."""
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def _form(text: str) -> str:
    """The form of a move: letters and figures without their values."""
    form = ""
    for character in text:
        kind = "a" if character.isalpha() else "9" if character.isdigit() else character
        form += kind if not form.endswith(kind) else ""
    return form
