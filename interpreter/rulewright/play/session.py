"""A game under way: who plays, what was played, undo and redo, what is kept of it.

Knows nothing of screens and files: `dialogue.py` reads what is typed, `terminal.py` shows it.
Players belong to persons, not to colours, so an exchange of colours moves nobody to another chair.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from attrs import define, field

from rulewright.engine.game import State
from rulewright.errors import MoveError, RulewrightError
from rulewright.play.saved_games import DRAW, SavedGame
from rulewright.play.seats import COMPUTER, SEARCH, Seat
from rulewright.players.explain import Explanation, explain_played
from rulewright.players.player import Decision
from rulewright.players.terms import ExplainedMove
from rulewright.reference.play import NONE
from rulewright.search.listing import listed
from rulewright.search.results import person

OFFER = "a draw may be claimed: `claim`"


def given_up(players: tuple[str, str], resigned: str) -> str:
    """How a game ended that a player gave up, or claimed as a draw."""
    if resigned == DRAW:
        return "draw: it was claimed"
    other = next(player for player in players if player != resigned)
    return f"{other} wins: {resigned} resigned"


@define
class Session:
    """One game between two seats; `source` is the name or path that loads the game again.

    `undone` are decisions that were taken back, the next one last.  `looking` is set while a
    finished game is looked through: then decisions of a seat are not asked for.  `resigned` is the
    colour that gave up, or `DRAW` where a draw was claimed.
    """

    source: str
    state: State
    seats: tuple[Seat, Seat]
    seed: int = 0
    resigned: str | None = None
    looking: bool = False
    series: Mapping[str, Any] = field(factory=dict)
    undone: list[str] = field(factory=list)
    number: int = field(default=1, init=False)
    """Which game this is; another one is loaded as the next."""
    _makers: list[Seat | None] = field(factory=list, init=False)
    """Who has made each decision, as far as it was made in this session."""

    def __attrs_post_init__(self) -> None:
        listed(self.state)
        self._forced()

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self.state.over or self.resigned is not None

    @property
    def seat(self) -> Seat:
        """Who decides now."""
        return self.seats[person(self.state)]

    @property
    def thinking(self) -> bool:
        """Whether somebody who is no human has to decide now."""
        return not self.over and not self.looking and not self.seat.human

    def seat_of(self, colour: str) -> int:
        """The number of the person who plays *colour* now."""
        colours = self.state.game.players
        if colour not in colours:
            raise RulewrightError(f"the players are {colours[0]} and {colours[1]}, not {colour}")
        return colours.index(colour) ^ self.state.swapped

    def colour_of(self, number: int) -> str:
        """The colour that a person plays now."""
        return self.state.game.players[number ^ self.state.swapped]

    def verdict(self) -> str:
        """How the game ended, in a sentence."""
        if self.resigned is not None:
            return given_up(self.state.game.players, self.resigned)
        return self.state.result.told if self.state.result else ""

    def winner(self) -> int | None:
        """The person who has won; None for a draw, or while the game goes on."""
        result = self.state.result
        if self.resigned == DRAW:
            return None
        if self.resigned is not None:
            return 1 - self.seat_of(self.resigned)
        return self.seat_of(result.winner) if result and result.winner else None

    # --- playing ---

    def play(self, text: str) -> None:
        """Play decisions or a whole turn; what was undone is forgotten."""
        self._refuse_the_end(text)
        self._played(self._after(text), self.seat)
        self.undone.clear()
        self._forced()

    def _after(self, text: str) -> State:
        """The state after *text*, which may be a whole turn with a `none` that was forced."""
        try:
            return self.state.play(text)
        except MoveError:
            before = self._unforced()
            if before is self.state:
                raise
            with suppress(MoveError):
                return before.play(text)
            raise

    def turns(self) -> list[str]:
        """The turns that were played; one that has only begun by itself is none."""
        begun = self._unforced()
        return begun.turns() if begun.turn_begins else self.state.turns()

    def _unforced(self) -> State:
        """The state before what was played by itself."""
        state = self.state
        while state.before is not None and state.before.moves.texts == [NONE]:
            state = state.before
        return state

    def play_decision(self, decision: Decision, seat: Seat) -> None:
        """Play what *seat* has decided."""
        self._played(self.state.play_decision(decision.move), seat)
        self.undone.clear()
        self._forced()

    def _refuse_the_end(self, text: str) -> None:
        if self.resigned is not None:
            message = f"`{text}` cannot be played: {self.verdict()}"
            raise RulewrightError(f"{message}; undo takes it back")

    def _played(self, after: State, seat: Seat | None) -> None:
        if not self.looking:
            listed(after)
        fresh = len(after.decisions()) - len(self.state.decisions())
        before = len(self.state.decisions())
        self._makers = [*self._makers[:before], *[None] * (before - len(self._makers))]
        self._makers += [seat] * fresh
        self.state = after

    def _forced(self) -> None:
        """Play `none` where nothing else can be decided."""
        while not self.over and not self.looking and self.state.moves.texts == [NONE]:
            self._played(self.state.play_decision(NONE), self.seat)

    def choose(self) -> Decision:
        """The decision of a player who is no human; the state stays as it is."""
        return self.seat.decide(self.state, self.seed)

    def hint(self, seconds: float | None = None) -> str:
        """What the adviser of whoever is to move would play here."""
        return self.seat.decide(self.state, self.seed, seconds).move

    def why(self) -> tuple[Explanation, tuple[ExplainedMove, ...]]:
        """Why the last decision of a player who is no human was made; it comes first."""
        states = self.state.states()
        for number in range(len(states) - 1, 0, -1):
            maker = self._maker(number, states[number - 1])
            if not maker.human:
                by = maker.personality or {SEARCH: COMPUTER}.get(maker.who, maker.who)
                found = explain_played(states[number], by, maker.seconds, self.seed)
                return found, tuple(sorted(found.moves, key=lambda j: j.move != found.chosen))
        raise RulewrightError("nobody but a human has played yet; `hint` says what is good here")

    def _maker(self, number: int, before: State) -> Seat:
        """Who made a decision, counted from 1; of an older session, whoever sits there now."""
        known = self._makers[number - 1] if number <= len(self._makers) else None
        return known or self.seats[person(before)]

    # --- back and forth ---

    def undo(self, times: int = 1) -> int:
        """Take back *times* decisions of a human, and what followed them; returns how many."""
        done = 0
        self.resigned = None
        while done < times and self.state.before is not None:
            self._back()
            done += self._counts()
        return done

    def _back(self) -> None:
        before = self.state.before
        assert before is not None
        self.undone.append(self.state.move)
        self.state = before

    def _counts(self) -> bool:
        """Whether a human decides here, or there is none; a forced `none` is nobody's decision."""
        humans = any(seat.human for seat in self.seats)
        return (self.looking or not humans or self.seat.human) and self.state.moves.texts != [NONE]

    def redo(self, times: int = 1) -> int:
        """Play again what was taken back, up to the next decision of a human; returns how many."""
        done = 0
        while self.undone and (done < times or not (self.over or self._counts())):
            done += self._counts()
            self._played(self.state.play_decision(self.undone.pop()), None)
        return done

    def to(self, number: int) -> int:
        """Go to the position after *number* decisions, or as near as it was played; returns it."""
        if not self.looking:
            self.resigned = None
        while len(self.state.decisions()) > number:
            self._back()
        while self.undone and len(self.state.decisions()) < number:
            self._played(self.state.play_decision(self.undone.pop()), None)
        return len(self.state.decisions())

    def resign(self) -> None:
        """The player to move gives up."""
        if not self.over:
            self.resigned = self.state.mover

    def claim(self) -> None:
        """The player to move claims a draw."""
        if not self.claimable:
            raise RulewrightError("no draw may be claimed here")
        self.resigned = DRAW

    @property
    def claimable(self) -> bool:
        """Whether the player to move may claim a draw."""
        return not self.over and self.state.claimable

    # --- seats and files ---

    def sit(self, number: int, seat: Seat) -> None:
        """Let somebody else take a chair."""
        self.seats[number].close()
        self.seats = (seat, self.seats[1]) if number == 0 else (self.seats[0], seat)

    def saved(self) -> SavedGame:
        """What has to be kept; of a game that is looked through, all of it."""
        state, undone = self.state, tuple(self.undone)
        if self.looking:
            for move in reversed(undone):
                state = state.play_decision(move)
            undone = ()
        players = (self.seats[0].text, self.seats[1].text)
        return SavedGame(self.source, state, self.resigned, players, self.seed, self.series, undone)

    def restore(self, saved: SavedGame) -> None:
        """Go on with another game of the same rules; the seats stay."""
        if saved.source != self.source:
            raise RulewrightError(f"this is a saved game of {saved.source}, not of {self.source}")
        if saved.state.game.options != self.state.game.options:  # personalities know their board
            first, second = (Seat.of(seat.text, saved.state.game) for seat in self.seats)
            self.close()
            self.seats = (first, second)
        self.state, self.resigned, self.looking = saved.state, saved.resigned, False
        self.undone = list(saved.undone)
        self.number += 1
        self._makers.clear()
        self._forced()

    def close(self) -> None:
        """End the programs that play."""
        for seat in self.seats:
            seat.close()
