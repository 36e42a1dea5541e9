"""What the page is shown of a game with secrets, and which requests would tell more.

In: a tree, the chairs' players, requests.  Out: the part of the tree that the person at the page
sees, or a `RulewrightError`.  People hand the screen over: one of them is at it at a time.  The
game's record holds all; the page gets it when the game is over.
"""

from __future__ import annotations

from attrs import evolve, frozen

from rulewright.app.play.seats import Seat
from rulewright.app.studio import answers as a
from rulewright.app.studio import messages as m
from rulewright.app.studio.tree import GameTree, node_of
from rulewright.errors import RulewrightError
from rulewright.games.engine.sight import UNSEEN, Sight, sight
from rulewright.search.results import person

ALLOWED = frozenset({
    "hello", "gallery", "learn", "open", "table", "play", "resign", "claim_draw", "sit", "think",
    "hurry", "search", "records", "personalities", "files", "read", "write", "texts", "check",
    "hover", "complete", "define", "format", "rename", "diff", "recipes", "recipe", "compare",
    "tournament", "read_game", "stop", "hand_over",
})  # fmt: skip
"""Methods that tell nothing of the game on the desk but what its person sees."""


@frozen
class Secrecy:
    """Keeps the secrets of the game that a tree holds from the person at the page."""

    tree: GameTree
    seats: tuple[Seat, ...]
    ended: bool
    """Whether somebody has resigned, or claimed a draw."""
    holder: int
    """The chair of the person who is at the screen, where people sit on several."""

    @property
    def holds(self) -> bool:
        """Whether something is still to be kept: not when the game is over."""
        state = self.tree.places[self.tree.end].state
        return state.game.rules.has_secrets and not (state.over or self.ended)

    def check(self, request: m.Request) -> None:
        """Raise `RulewrightError` for a request that would tell what the person does not see."""
        if not self.holds:
            return
        method = request.method
        own = self._chair == person(self.tree.state)
        if method not in ALLOWED or (method in ("play", "search") and not own):
            raise RulewrightError("this would show what a player does not see; ask after the game")
        if method == "play" and len(request.params.text.split()) > 1:
            raise RulewrightError("one decision at a time, where not everything is seen")

    def check_seat(self, old: Seat, new: Seat) -> None:
        """Raise `RulewrightError` where a person would change the chair, and see both parts."""
        if self.holds and (old.human or new.human):
            raise RulewrightError(
                "a change of chairs would show both hidden parts; begin a new game"
            )

    @property
    def sight(self) -> Sight:
        """The shown state as the person at the page sees it."""
        return sight(self.tree.state, self.player)

    @property
    def player(self) -> str | None:
        """The player whose part is shown; None where everything is."""
        if not self.holds or self._chair is None:
            return None
        state = self.tree.state
        return state.game.players[self._chair ^ state.position.swapped]

    @property
    def _chair(self) -> int | None:
        """The chair of the person at the page; None where computers sit on all."""
        people = [number for number, seat in enumerate(self.seats) if seat.human]
        return self.holder if self.holder in people else next(iter(people), None)

    def shown(self) -> tuple[a.SceneJson, tuple[a.Node, ...], int, int]:
        """The scene that the page is sent, the nodes, which is shown, and where the game stands.

        Of decisions of others only that there were some, one after the own ones.
        """
        tree, part = self.tree, self.sight
        if not part.partial:
            nodes = tuple(node_of(place, tree) for place in tree.places[1:])
            return tree.scene.as_json(), nodes, tree.at, tree.end
        moments = self._moments(part)
        return part.scene.as_json(), moments, len(moments), len(moments)

    def _moments(self, part: Sight) -> tuple[a.Node, ...]:
        """The own decisions as nodes, and one for all of others between two of them."""
        tree = self.tree
        nodes = list[a.Node]()
        for number in tree.path()[1:]:
            node = node_of(tree.places[number], tree)
            text = part.decision(tree.places[number].state)
            if text != UNSEEN or not nodes or nodes[-1].text != UNSEEN:
                at = len(nodes) + 1
                nodes.append(evolve(node, node=at, parent=at - 1, turn=at - 1, text=text, shown=""))
        return tuple(nodes)
