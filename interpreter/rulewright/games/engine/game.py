"""`Game` and `State`: games and positions, played by machine code or by the reference.

A game is a rules file with its options set; a state is an immutable position of it that knows the
decisions before it.  Machine code plays it where there is some, else the reference; they agree.
Mistakes of a caller are a `MoveError` or a `PositionError`, those of the rules a `Fault`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from attrs import evolve, field

from rulewright.errors import Fault, GameOver, IllegalMove, UnreadableMove
from rulewright.games.engine import parcels
from rulewright.games.engine.chooser import Chooser
from rulewright.games.engine.counting import WORTH, Counter, count, ways
from rulewright.games.engine.interpreted import (
    GamePosition,
    ReferencePosition,
    Result,
    placed,
    result,
)  # fmt: skip
from rulewright.games.engine.moves import Move, Moves
from rulewright.games.engine.parcels import ReplayedHistory, Rereadable
from rulewright.ground import budget
from rulewright.ground.limits import LINE
from rulewright.ground.records import Brief, Unchanging, record
from rulewright.model.rules import CHANCE, Rules
from rulewright.reference.decisions import NONE
from rulewright.reference.loading import loaded_situation
from rulewright.reference.play import Outcome, ReferencePlay, Situation
from rulewright.reference.position import Position

if TYPE_CHECKING:
    from fractions import Fraction

    from rulewright.games.engine.packed import Machine
    from rulewright.games.render.scene import Scene
    from rulewright.language.resolve.scope import Scope

Dresser: TypeAlias = "Callable[[State, Scene], Scene]"
_SHOWN = 40
"""Decisions that the `repr` of a state lists at most."""
BACKENDS = ("llvm", "wasm", "python", "reference")
"""What plays positions: machine code, WebAssembly, kernels as plain Python, or no kernels."""


@record
class Game(Brief):
    """A playable game."""

    rules: Rules
    names: Scope | None = field(default=None, repr=False)
    """The scope of the rules, in whose names evaluators are resolved."""
    place: Path | None = field(default=None, repr=False)
    """The path of the cached model; what is compiled from it is cached beside it."""
    again: Rereadable | None = field(default=None, repr=False)
    """Reads the text again, for a model that was cached without its names."""
    folder: Path | None = field(default=None, repr=False)
    """The folder of the rules and their evaluators, if they are the user's own."""
    backend: str | float | bool | None = None
    dresser: Dresser | None = field(default=None, repr=False, eq=False)
    """Gives a scene the drawing and the marks of the game's look."""
    lots: frozenset[str] = field(init=False, repr=False, eq=False)
    """The names of the moves that chance makes."""
    play: ReferencePlay = field(init=False, repr=False)
    _chooser: Chooser = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        if self.backend not in (None, *BACKENDS):
            raise ValueError(f"no backend is called {self.backend!r}: {', '.join(BACKENDS)}")
        object.__setattr__(self, "lots", self.rules.lots)
        object.__setattr__(self, "play", ReferencePlay(self.rules))
        object.__setattr__(self, "_chooser", Chooser(self.backend))

    def __repr__(self) -> str:
        changes = [f"{o.name}={o.value}" for o in self.rules.options if o.value != o.default]
        return f"<Game {' '.join([self.name, *changes])}>"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the text of the rules, if there is one; a process reads the same text once."""
        text = self.again
        if text is not None and text.rules is self.rules:
            return parcels.reduction(self, text)
        return Game, (self.rules, self.names, self.place, None, self.folder, self.backend)

    @property
    def name(self) -> str:
        """The name that the file gives the game."""
        return self.rules.name

    @property
    def players(self) -> tuple[str, ...]:
        """The colours in the order of turns; the second one of a puzzle is `nobody`."""
        return self.rules.players

    @property
    def options(self) -> Mapping[str, int | float | bool]:
        """The options with their values."""
        return {o.name: o.value for o in self.rules.options}  # type: ignore[misc]

    def start(self, backend: str | None = None) -> State:
        """The position before the first move; *backend* as for `load`."""
        if backend != self.backend and backend is not None:
            return evolve(self, backend=backend).start()
        with self.located():
            return self.state(self.play.start())

    def read(self, text: str) -> State:
        """The position that `State.text` printed."""
        from rulewright.games.render.position_text import read_position

        with self.located():
            return self.state(loaded_situation(self.play, *read_position(self.play, text)))

    def at(self, position: Position) -> State:
        """The state at a position of the reference; a rule may end the game there."""
        return self.state(loaded_situation(self.play, position))

    def state(
        self, situation: Situation, before: State | ReplayedHistory | None = None, move: str = ""
    ) -> State:
        """The state of a situation of the reference, which *move* in the state *before* led to."""
        return State(self, ReferencePosition(situation, self._chooser.effort), before, move)

    @property
    def compiles(self) -> bool:
        """Whether kernels may be compiled: no time or step limit holds that they would ignore."""
        return self.backend != "reference" and budget.current() is None

    @property
    def machine(self) -> Machine | None:
        """The machine code that plays positions; None while the reference plays them."""
        return self._chooser.machine(self)

    @contextmanager
    def located(self) -> Iterator[None]:
        """Give faults that are raised inside the place of their clause."""
        try:
            yield
        except Fault as fault:
            raise self.placed(fault) from None

    def placed(self, fault: Fault) -> Fault:
        """A fault with the place of its clause."""
        return placed(fault, self.rules)


class State(Brief, Unchanging):
    """A position of a game, between two decisions; a class with slots, as one is made each ply."""

    __slots__ = (
        "__weakref__", "_before", "_game", "_move", "_moves", "_position", "_result", "_scene"
    )  # fmt: skip
    _result: Result | None
    _scene: Scene

    def __init__(
        self,
        game: Game,
        position: GamePosition,
        before: State | ReplayedHistory | None = None,
        move: Move | str = "",
    ) -> None:
        """A position that a decision in the state *before* led to."""
        self._game, self._position, self._before, self._move = game, position, before, move
        self._moves: Moves | None = None

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._game

    @property
    def position(self) -> GamePosition:
        """The position, in the form of what plays it: machine code or the reference."""
        return self._position

    @property
    def before(self) -> State | None:
        """The state before the last decision; None for the first state."""
        before = self._before
        if isinstance(before, ReplayedHistory):
            before = self._before = before.before()
        return before

    def __repr__(self) -> str:
        """The game, the decisions played and the player to move; lists no legal decisions."""
        moves, position = self.decisions(), self.position
        way = " ".join(moves[:_SHOWN]) + f" ... ({len(moves)} in all)" * (len(moves) > _SHOWN)
        after = f" after {way}" if moves else ""
        mover = "ended" if position.ended else self.game.players[position.mover]
        return f"<State {self.game!r}{after}: {mover}>"

    @property
    def move(self) -> str:
        """The decision that led here from `before`; empty for the first state."""
        return str(self._move)

    @property
    def situation(self) -> Situation:
        """The position in the form of the reference."""
        return self.position.situation

    def _fastest(self) -> GamePosition:
        """The position, in the form of machine code if that is compiled by now."""
        position = self._position
        if not isinstance(position, ReferencePosition):
            return position
        if not (position.begun or position.ended):
            machine = self.game.machine
            if machine is not None and machine.may_play():
                self._position = machine.packed(position.situation)  # another form, same position
        return self._position

    @property
    def moves(self) -> Moves:
        """The legal decisions, in the order of the turn and of the board; texts are made lazily."""
        if self._moves is None:
            try:
                self._moves = Moves(self._fastest().listing)
            except Fault as fault:
                raise self.game.placed(fault) from None
        return self._moves

    def by_kind(self) -> dict[str, list[str]]:
        """The legal decisions by the name of their move; `none` for the decision not to move."""
        return self.moves.by_kind()

    def letters(self) -> dict[str, str]:
        """A letter for each decision that is the only one of its move: `f` flip, `p` none."""
        return self.moves.letters()

    @property
    def mover(self) -> str | None:
        """The colour that decides, None when the game is over."""
        return None if self.over else self.game.players[self.position.mover]

    @property
    def by_chance(self) -> bool:
        """Whether chance makes the next decision, and not the player to move."""
        lots = self.game.lots
        return bool(lots) and not self.over and self.moves.listing.name(0) in lots

    @property
    def chooser(self) -> str | None:
        """Who decides: the player to move, or `chance`; None when the game is over."""
        return CHANCE if self.by_chance else self.mover

    def probabilities(self) -> dict[str, Fraction]:
        """How likely each decision of chance is, exactly; nothing where a player decides."""
        with self.game.located():
            return self.situation.probabilities

    @property
    def result(self) -> Result | None:
        """How the game ended, None while it goes on."""
        try:
            return self._result
        except AttributeError:
            outcome = self._outcome()
            self._result = None if outcome is None else result(outcome, self.game.rules)
            return self._result

    def _outcome(self) -> Outcome | None:
        try:
            return self._fastest().outcome
        except Fault as fault:
            raise self.game.placed(fault) from None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self._position.running and self._outcome() is not None

    @property
    def ply(self) -> int:
        """How many turns are finished."""
        return self.position.ply

    @property
    def turn_begins(self) -> bool:
        """Whether the next decision is the first of a turn."""
        return self.position.fresh

    @property
    def swapped(self) -> bool:
        """Whether the persons have exchanged colours."""
        return self.position.swapped

    @property
    def claimable(self) -> bool:
        """Whether the player to move may claim a draw instead of deciding."""
        return self.situation.position.claimable and not self.over

    # --- playing ---

    def play(self, moves: str | Move) -> State:
        """The state after *moves*: decisions or whole turns, separated by blanks."""
        texts = str(moves).split()
        if not texts:
            raise UnreadableMove("a move is expected, and the text is empty")
        state = self
        for text in texts:
            state = state._play_text(text)
        return state

    def _play_text(self, text: str) -> State:
        if self.over:
            raise GameOver(f"`{text}` cannot be played: the game is over ({self.result})")
        move = self.moves.find(text)
        if move is not None:
            return self.follow(move.number, move)
        if self.turn_begins and self.game.rules.joined:
            return self._whole_turn(text)
        raise self._refusal(text)

    def play_decision(self, move: str | Move) -> State:
        """The state after one of `moves`, given exactly as it is written there."""
        listing = self.moves.listing
        if isinstance(move, Move) and move.listing is listing:
            return self.follow(move.number, move)
        text = str(move)
        number = listing.find(text)
        if number < 0:
            raise self._refusal(text)
        return self.follow(number, text)

    def follow(self, number: int, move: Move | str) -> State:
        """The state after decision *number*, whose text is *move*."""
        position = self._position
        try:
            if isinstance(position, ReferencePosition):
                position = self._fastest()
            return State(self._game, position.after(number), self, move)
        except Fault as fault:
            raise self._game.placed(fault) from None

    def _whole_turn(self, text: str) -> State:
        """The state after a whole turn, whose decisions are written together as *text*."""
        from rulewright.games.engine.whole_turns import read_turn, refuse_unclear

        with self.game.located():
            reading = read_turn(self._fastest(), text)
        refuse_unclear(reading, text)
        if not reading.numbers:
            raise self._refusal(text)
        state = self
        for number in reading.numbers:
            state = state.follow(number, state.moves[number])
        return state

    def _refusal(self, text: str) -> IllegalMove | UnreadableMove:
        from rulewright.games.engine.whole_turns import refusal

        return refusal(text, self.moves.texts, self.mover)

    # --- history ---

    def states(self) -> list[State]:
        """Every state from the first to this one."""
        states, state = [self], self.before
        while state is not None:
            states.append(state)
            state = state.before
        return states[::-1]

    def decisions(self) -> list[str]:
        """The decisions that led here, the first first."""
        return self._way()[1]

    def _way(self) -> tuple[State | ReplayedHistory, list[str]]:
        """The first state and the decisions since; a pickled history is not played again."""
        moves, state = list[str](), self
        while (before := state._before) is not None:
            if isinstance(before, ReplayedHistory):
                return before, [*before.decisions, *reversed(moves)]
            moves.append(state.move)
            state = before
        return state, moves[::-1]

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
        alike = len(decisions) > 1 and together in self.moves
        return together if self.game.rules.joined and not alike else " ".join(decisions)

    # --- counting ---

    def perft(self, depth: int, unit: str = "decision") -> int:
        """How many sequences of exactly *depth* decisions (or whole turns) there are from here."""
        return self.count(depth, unit)[0]

    def count(self, depth: int, unit: str = "decision") -> tuple[int, int]:
        """Perft, and the number of decisions counted on the way (the leaves' own included)."""
        with self.game.located():
            return count(self, depth, unit, self._counter)

    def _counter(self, depth: int) -> Counter | None:
        """The counter by kernels, where it is faster at *depth*; None elsewhere."""
        if self.position.ended is not None:
            return None
        machine, game = self.game.machine, self.game
        has_machine = machine is not None and machine.may_play()
        if not (has_machine or (game.compiles and len(self.moves) ** (depth - 1) >= WORTH)):
            return None
        from rulewright.games.engine.kernels import load_engine  # with it comes LLVM

        engine, position = load_engine(game, quick=True), self.situation.position
        return None if isinstance(engine, str) else partial(engine.count, position)

    def whole_turns(self) -> Iterator[tuple[list[str], State]]:
        """Every way to finish the turn from here: its decisions, and the state after them."""
        yield from ways(self, LINE)

    # --- pictures ---

    def text(self) -> str:
        """The position as text: board, mover, states, links; `Game.read` reads it back."""
        from rulewright.games.render.position_text import position_text

        return position_text(self.game.play, self.situation.position, self.situation.ended)

    @property
    def scene(self) -> Scene:
        """The scene, for whoever draws it: sites, links, the last turn, what won."""
        if not hasattr(self, "_scene"):
            from rulewright.games.engine.clicks import last_turn, scene_moves
            from rulewright.games.render.scene_building import undrawn_scene, usual_scene

            rules, position = self.game.rules, self.situation.position
            with self.game.located():
                scene = undrawn_scene(
                    self.game.play, position, self._outcome(), last_turn(rules, self),
                    lambda: scene_moves(rules, self.moves),
                )  # fmt: skip
                dresser = self.game.dresser or (lambda s, scene: usual_scene(s.game.play, scene))
                self._scene = dresser(self, scene)
        return self._scene

    def svg(self) -> str:
        """The position as a drawing: a self-contained SVG document."""
        from rulewright.games.render.svg import scene_svg  # loaded where it is used

        return scene_svg(self.scene)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """The forms in which a notebook shows the state."""
        return {"text/plain": repr(self), "image/svg+xml": self.svg()}

    def board(self) -> str:
        """The picture of the board alone."""
        from rulewright.games.render.position_text import board_text

        return board_text(self.game.play, self.situation.position)

    def __str__(self) -> str:
        return self.text()

    def __eq__(self, other: object) -> bool:
        """Whether positions and rules are equal, also in what `repeats` sees of those before."""
        if not isinstance(other, State):
            return NotImplemented
        if self is other:
            return True
        return self.position.same(other.position) and self.game.rules == other.game.rules

    def __hash__(self) -> int:
        return hash(self.position.digest)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the position with its history."""
        base, decisions = self._way()
        first = base.first if isinstance(base, ReplayedHistory) else parcels.first(base.situation)
        parcel = parcels.plain(self.situation)
        return parcels.unpickle_state, (self.game, parcel, first, tuple(decisions))

    def same(self, other: State) -> bool:
        """Whether both are the same position of the same rules; their histories may differ."""
        here, there = self.situation.position, other.situation.position
        return here == there and self.game.rules == other.game.rules
