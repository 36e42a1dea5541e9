"""What the page is shown of a game with secrets, and which requests would tell more.

In: a tree, the chairs' players, requests.  Out: the part of the tree that the person at the page
sees, or a `RulewrightError`.  The game's record holds all; the page gets it when the game is over.
"""

from __future__ import annotations

from attrs import evolve, frozen

from rulewright.app.play.seats import HUMAN, SEARCH, Seat
from rulewright.app.studio import answers as a
from rulewright.app.studio import messages as m
from rulewright.app.studio.tree import GameTree, node_of
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.engine.sight import UNSEEN, Sight, sight
from rulewright.search.results import refuse_seats

ALLOWED = frozenset({
    "hello", "gallery", "learn", "open", "table", "play", "resign", "claim_draw", "sit", "think",
    "hurry", "search", "records", "personalities", "files", "read", "write", "texts", "check",
    "hover", "complete", "define", "format", "rename", "diff", "recipes", "recipe", "compare",
    "tournament", "read_game", "stop",
})  # fmt: skip
"""Methods that tell nothing of the game on the desk but what its person sees."""


def chairs_of(state: State, players: tuple[str, str]) -> tuple[str, str]:
    """The players of a game: two people at one page would see each other's part."""
    refuse_seats(state.game.rules, "the page")
    both = all(player.partition(":")[0] == HUMAN for player in players)
    is_secret = state.game.rules.has_secrets and not state.over
    return (players[0], SEARCH) if both and is_secret else players


@frozen
class Secrecy:
    """Keeps the secrets of the game that a tree holds from the person at the page."""

    tree: GameTree
    seats: tuple[Seat, Seat]
    ended: bool
    """Whether somebody has resigned, or claimed a draw."""

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
        own = self.seats[self.tree.state.position.mover].human
        if method not in ALLOWED or (method in ("play", "search") and not own):
            raise RulewrightError("this would tell what a player does not see; after the game")
        if method == "play" and len(request.params.text.split()) > 1:
            raise RulewrightError("one decision at a time, where not everything is seen")

    def check_seat(self, old: Seat, new: Seat) -> None:
        """Raise `RulewrightError` where a person would change the chair, and see both parts."""
        if self.holds and (old.human or new.human):
            raise RulewrightError("who changes the chair would see both parts; begin a new game")

    @property
    def sight(self) -> Sight:
        """The shown state as the person at the page sees it."""
        human = next((n for n, seat in enumerate(self.seats) if seat.human), None)
        players = self.tree.state.game.players
        return sight(self.tree.state, players[human] if self.holds and human is not None else None)

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
                nodes.append(evolve(node, node=at, parent=at - 1, turn=at - 1, text=text))
        return tuple(nodes)
