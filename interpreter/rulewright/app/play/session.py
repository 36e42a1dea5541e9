"""A game in progress: its players, its moves, undo and redo, and what is saved of it.

Knows nothing of screens and files: `dialogue.py` reads what is typed, `terminal.py` shows it.
Players belong to persons, not to colours, so an exchange of colours moves nobody to another chair.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from itertools import pairwise
from typing import Any

from attrs import define, evolve, field

from rulewright.app.play.saved_games import SavedGame
from rulewright.app.play.seats import COMPUTER, SEARCH, Seat
from rulewright.errors import MoveError, RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.engine.luck import throw
from rulewright.games.engine.sight import Sight, sight
from rulewright.matches.protocols.san import WrittenMoves
from rulewright.matches.protocols.saved_game import DRAW
from rulewright.model.rules import CHANCE
from rulewright.players.explain import Explanation, explain_played
from rulewright.players.player import Decision
from rulewright.players.terms import ExplainedMove
from rulewright.reference.decisions import NONE
from rulewright.search.listing import listed_decisions
from rulewright.search.results import person

OFFER = "a draw may be claimed: `claim`"


def resignation_text(players: tuple[str, ...], resigned: str, late: bool = False) -> str:
    """Say how a game ended by resignation, by time (*late*), or by a claimed draw (`DRAW`)."""
    if resigned == DRAW:
        return "draw: it was claimed"
    winners = [player for player in players if player != resigned]
    win = f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'}"
    return f"{win}: {resigned} {'has no time left' if late else 'resigned'}"


def written_explanation(
    explanation: Explanation, state: State, notation: WrittenMoves
) -> Explanation:
    """An explanation of a decision in a state, with its moves as people write them."""
    shown = partial(notation.text, state)
    moves = (
        evolve(move, move=shown(move.move), line=notation.line(state, move.line))
        for move in explanation.moves
    )
    return evolve(
        explanation,
        decision=shown(explanation.decision),
        moves=tuple(moves),
        runner_up=explanation.runner_up and shown(explanation.runner_up),
        opening=explanation.opening and shown(explanation.opening),
        again=explanation.again and shown(explanation.again),
        tied=tuple(map(shown, explanation.tied)),
        unjudged=tuple(map(shown, explanation.unjudged)),
    )


@define
class Session:
    """A game between seats; `source` is the name or path that loads its rules again.

    `undone` are decisions that were taken back, the next to redo last.  `looking` is set during a
    replay: then no seat is asked for decisions.  `resigned` is the colour that resigned, or `DRAW`
    where a draw was claimed.
    """

    source: str
    state: State
    seats: tuple[Seat, ...]
    seed: int = 0
    resigned: str | None = None
    looking: bool = False
    series: Mapping[str, Any] = field(factory=dict)
    undone: list[str] = field(factory=list)
    number: int = field(default=1, init=False)
    """Counts the games of this session: loading another game adds 1."""
    notation: WrittenMoves = field(init=False)
    """How people write its moves."""
    _shown: list[tuple[State, str]] = field(factory=list, init=False)
    """The states after decisions, with these as people write them."""
    _makers: list[Seat | None] = field(factory=list, init=False)
    """The seat that made each decision; None for decisions of an earlier session."""

    def __attrs_post_init__(self) -> None:
        self._refuse_two_humans()
        self.notation = WrittenMoves.of(self.state.game)
        listed_decisions(self.state)
        self._play_forced()

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self.state.over or self.resigned is not None

    @property
    def secret(self) -> bool:
        """Whether something of the game is still to be kept from a player."""
        return self.state.game.rules.has_secrets and not (self.over or self.looking)

    def refuse_telling(self, what: str) -> None:
        """Refuse what would tell a player more than he sees."""
        if self.secret:
            raise RulewrightError(f"{what} would show what a player does not see; after the game")

    def _refuse_two_humans(self) -> None:
        if self.secret and sum(seat.human for seat in self.seats) > 1:
            message = "two people at one screen would see each other's part"
            raise RulewrightError(f"{message}: let computer or random play one of the colours")

    @property
    def sight(self) -> Sight:
        """The state as the human sees it; all after the game, and where only computers play."""
        human = next((n for n, seat in enumerate(self.seats) if seat.human), None)
        is_open = human is None or not self.secret
        return sight(self.state, None if is_open or human is None else self.colour_of(human))

    @property
    def seat(self) -> Seat:
        """The seat to move."""
        return self.seats[person(self.state)]

    @property
    def thinking(self) -> bool:
        """Whether a player who is no human is to move."""
        return not self.over and not self.looking and not self.seat.human

    def seat_of(self, colour: str) -> int:
        """The number of the seat that plays *colour* now; raises `RulewrightError`."""
        colours = self.state.game.players
        if colour not in colours:
            raise RulewrightError(f"the players are {' and '.join(colours)}, not {colour}")
        return colours.index(colour) ^ self.state.swapped

    def colour_of(self, number: int) -> str:
        """The colour that seat *number* plays now."""
        return self.state.game.players[number ^ self.state.swapped]

    def verdict(self) -> str:
        """Say how the game ended, in a sentence; empty while it goes on."""
        if self.resigned is not None:
            return resignation_text(self.state.game.players, self.resigned)
        return self.state.result.description if self.state.result else ""

    def winner(self) -> int | None:
        """The number of the winning seat; None for a draw, or while the game goes on.

        None also where one of more than two players has resigned.
        """
        result = self.state.result
        if self.resigned == DRAW:
            return None
        if self.resigned is not None:
            return 1 - self.seat_of(self.resigned) if len(self.seats) == 2 else None
        return self.seat_of(result.winner) if result and result.winner else None

    # --- playing ---

    def play(self, text: str) -> None:
        """Play decisions or a whole turn; forgets what could be redone.  Raises `MoveError`."""
        if self.resigned is not None:
            message = f"`{text}` cannot be played: {self.verdict()}"
            raise RulewrightError(f"{message}; undo takes it back")
        if len(text.split()) > 1:
            self.refuse_telling("several decisions at once")
        self._go_to(self._after(text), self.seat)
        self.undone.clear()
        self._play_forced()

    def _after(self, text: str) -> State:
        """The state after *text*, also where it begins with a `none` that was played already."""
        try:
            return self.state.play(text)
        except MoveError as error:
            # A text of a whole turn counts the forced decisions that this session has played.
            before = self._unforced()
            if before is not self.state:
                with suppress(MoveError):
                    return before.play(text)
            return self.notation.played(self.state, text, error)

    def turns(self) -> list[str]:
        """The turns played, without a turn of which only a forced `none` is played."""
        if self.secret:
            return self.sight.turns()
        state = self._unforced()
        turns = state.turns() if state.turn_begins else self.state.turns()
        return self._move_texts() if len(turns) == len(self.state.decisions()) else turns

    def _move_texts(self) -> list[str]:
        """The decisions as people write them; what was written before is not written again."""
        states = self.state.states()
        for number, (before, after) in enumerate(pairwise(states)):
            if number >= len(self._shown) or self._shown[number][0] is not after:
                text = self.notation.move(before, after) or after.move
                self._shown[number:] = [(after, text)]
        return [text for _, text in self._shown[: len(states) - 1]]

    def _unforced(self) -> State:
        """The state before the decisions `none` that were forced."""
        state = self.state
        while state.before is not None and state.before.moves.texts == [NONE]:
            state = state.before
        return state

    def play_decision(self, decision: Decision, seat: Seat) -> None:
        """Play a decision that *seat* has made."""
        self._go_to(self.state.play_decision(decision.move), seat)
        self.undone.clear()
        self._play_forced()

    def _go_to(self, after: State, seat: Seat | None) -> None:
        """Go to a state, and note which seat has made the decisions that led there."""
        if not self.looking:
            listed_decisions(after)
        fresh = len(after.decisions()) - len(self.state.decisions())
        before = len(self.state.decisions())
        self._makers = [*self._makers[:before], *[None] * (before - len(self._makers))]
        self._makers += [seat] * fresh
        self.state = after

    def _play_forced(self) -> None:
        """Play what no player decides: `none` where it is the only decision, and chance."""
        while not self.over and not self.looking and not self._is_free():
            move = throw(self.state, self.seed) if self.state.by_chance else NONE
            self._go_to(self.state.play_decision(move), self.seat)

    def _is_free(self) -> bool:
        """Whether a player has something to decide."""
        return self.state.moves.texts != [NONE] and not self.state.by_chance

    def luck(self) -> str:
        """What chance has decided since a player did: `chance: 3 1`; empty for nothing."""
        throws, state = list[str](), self.state
        if self.sight.partial:
            return ""
        while state.before is not None and state.before.by_chance:
            throws.append(state.move)
            state = state.before
        return f"{CHANCE}: {' '.join(reversed(throws))}" if throws else ""

    def choose(self) -> Decision:
        """Let the player to move decide; the state does not change."""
        return self.seat.decide(self.state, self.seed)

    def hint(self, seconds: float | None = None) -> str:
        """The decision that the adviser of the seat to move recommends."""
        return self.notation.text(self.state, self.seat.decide(self.state, self.seed, seconds).move)

    def why(self) -> tuple[Explanation, tuple[ExplainedMove, ...]]:
        """Explain the last decision that no human made; its move comes first in the list."""
        self.refuse_telling("why")
        states = self.state.states()
        for number in range(len(states) - 1, 0, -1):
            maker = self._maker(number, states[number - 1])
            if not maker.human:
                name = maker.player_name
                by = maker.personality or {SEARCH: COMPUTER}.get(name, name)
                explanation = explain_played(states[number], by, maker.seconds, self.seed)
                explanation = written_explanation(explanation, states[number - 1], self.notation)
                return explanation, tuple(
                    sorted(explanation.moves, key=lambda j: j.move != explanation.decision)
                )
        raise RulewrightError("no computer has decided yet; `hint` shows a good decision")

    def _maker(self, number: int, before: State) -> Seat:
        """The seat that made decision *number* (from 1), or sits there now if nobody is noted."""
        maker = self._makers[number - 1] if number <= len(self._makers) else None
        return maker or self.seats[person(before)]

    # --- back and forth ---

    def undo(self, times: int = 1) -> int:
        """Take back *times* decisions of humans, with what followed; returns how many."""
        self.refuse_telling("undo")
        count = 0
        self.resigned = None
        while count < times and self.state.before is not None:
            self._back()
            count += self._counts()
        while self.undone and not self._is_free():  # what chance has decided at first stands
            self._go_to(self.state.play_decision(self.undone.pop()), None)
        return count

    def _back(self) -> None:
        before = self.state.before
        assert before is not None
        self.undone.append(self.state.move)
        self.state = before

    def _counts(self) -> bool:
        """Whether undo and redo stop at this state: a human is to move, or nobody is human.

        A forced `none` is nobody's decision, so they never stop there.
        """
        humans = any(seat.human for seat in self.seats)
        return (self.looking or not humans or self.seat.human) and self._is_free()

    def redo(self, times: int = 1) -> int:
        """Redo *times* decisions of humans, with what followed; returns how many."""
        count = 0
        while self.undone and (count < times or not (self.over or self._counts())):
            count += self._counts()
            self._go_to(self.state.play_decision(self.undone.pop()), None)
        return count

    def to(self, number: int) -> int:
        """Go to the state after *number* decisions, or the last one; returns its number."""
        self.refuse_telling("an earlier position")
        if not self.looking:
            self.resigned = None
        while len(self.state.decisions()) > number:
            self._back()
        while self.undone and len(self.state.decisions()) < number:
            self._go_to(self.state.play_decision(self.undone.pop()), None)
        return len(self.state.decisions())

    def resign(self) -> None:
        """Resign for the player to move."""
        if not self.over:
            self.resigned = self.state.mover

    def claim(self) -> None:
        """Claim a draw for the player to move; raises `RulewrightError` where it may not."""
        if not self.claimable:
            raise RulewrightError("no draw may be claimed here")
        self.resigned = DRAW

    @property
    def claimable(self) -> bool:
        """Whether the player to move may claim a draw."""
        return not self.over and self.state.claimable

    # --- seats and files ---

    def sit(self, number: int, seat: Seat) -> None:
        """Replace the player of seat *number*."""
        if seat.human or self.seats[number].human:
            self.refuse_telling("another seat for a person")
        self.seats[number].close()
        self.seats = (*self.seats[:number], seat, *self.seats[number + 1 :])

    def saved(self) -> SavedGame:
        """The game to save; during a replay the whole game."""
        state, undone = self.state, tuple(self.undone)
        if self.looking:
            for move in reversed(undone):
                state = state.play_decision(move)
            undone = ()
        players = tuple(seat.text for seat in self.seats)
        return SavedGame(self.source, state, self.resigned, players, self.seed, self.series, undone)

    def restore(self, saved: SavedGame) -> None:
        """Continue a saved game of the same rules; the seats stay."""
        if saved.source != self.source:
            raise RulewrightError(f"this is a saved game of {saved.source}, not of {self.source}")
        if saved.state.game.options != self.state.game.options:  # personalities know their board
            texts = [seat.text for seat in self.seats]
            texts += [COMPUTER] * (len(saved.state.game.players) - len(texts))
            seats = tuple(
                Seat.of(t, saved.state.game) for t in texts[: len(saved.state.game.players)]
            )
            self.close()
            self.seats = seats
        self.state, self.resigned, self.looking = saved.state, saved.resigned, False
        self.notation = WrittenMoves.of(self.state.game)
        self.undone = list(saved.undone)
        self.number += 1
        self._makers.clear()
        self._play_forced()

    def close(self) -> None:
        """End the programs that play."""
        for seat in self.seats:
            seat.close()
