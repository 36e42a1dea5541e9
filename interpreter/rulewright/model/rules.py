"""The rules of one game with its options fixed: moves, turns, ends, claims."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from attrs import field

from rulewright.ground.records import Record, record
from rulewright.model.board import Board, Step

# The parts of a turn belong to the rules: everybody names them `r.While` and the like.
from rulewright.model.courses import EMPTY as EMPTY  # noqa: PLC0414
from rulewright.model.courses import Course as Course  # noqa: PLC0414
from rulewright.model.courses import Either as Either  # noqa: PLC0414
from rulewright.model.courses import InOrder as InOrder  # noqa: PLC0414
from rulewright.model.courses import Longest as Longest  # noqa: PLC0414
from rulewright.model.courses import Maybe as Maybe  # noqa: PLC0414
from rulewright.model.courses import OneMove as OneMove  # noqa: PLC0414
from rulewright.model.courses import Otherwise as Otherwise  # noqa: PLC0414
from rulewright.model.courses import While as While  # noqa: PLC0414
from rulewright.model.expressions import (
    ENEMY,
    Expr,
    Function,
    Marked,
    Notation,
    OnSite,
    Ray,
    RayPattern,
    Sequence,
    Type,
    Value,
)
from rulewright.model.states import StateIndex as StateIndex  # noqa: PLC0414
from rulewright.model.states import StateVariable as StateVariable  # noqa: PLC0414

NOBODY = 2
"""The owner of neutral pieces in games of two players, who are 0 and 1; see `Rules.nobody`."""
IDLE = "nobody"
"""The second player of a puzzle: it owns no piece, never moves, and wins what is not solved."""
CHANCE = "chance"
"""Who decides where no player does."""
OWN = -1
"""As the owner in `Put`: the player who moves."""
OTHER = ENEMY
"""As the owner in `Put`: the opponent of the player who moves."""


@record
class Origin(Record):
    """A place in the text: what faults, coverage and `why-not` point at.

    `about` is the comment behind the line; that of an end rule says in words how games end by it.
    """

    file: str
    line: int
    text: str = ""
    about: str = field(default="", eq=False)


def place_of(origin: Origin) -> str:
    """`file:line` of an origin."""
    return f"{origin.file}:{origin.line}" if origin.line else origin.file


@record
class PieceKind(Record):
    """A kind of piece; `letters` by owner (players, then nobody), empty where none can be."""

    name: str
    letters: tuple[str, ...]


@record
class LinkKind(Record):
    """A kind of link: it may join sites one of `steps` apart."""

    name: str
    steps: tuple[Step, ...]


@record
class OptionValue(Record):
    """An option as it was set; `low` and `high` are None for a truth."""

    name: str
    value: Value
    default: Value
    low: int | float | None
    high: int | float | None
    origin: int = field(default=0, eq=False)


# --- effects ---


@record
class Statement(Record):
    """One line of a move, an action or `setup`."""

    origin: int = field(default=0, eq=False, kw_only=True)


@record
class Choose(Statement):
    """One branch for each member of `domain`, kept in `slot`.

    Where the choice is made `by_chance`, members are as likely as their `weight` says, or alike.
    """

    name: str
    slot: int
    domain: Expr
    weight: Expr | None = None
    by_chance: bool = False


@record
class ChooseRay(Statement):
    """One branch for each way the ray matches; the marked sites are kept in `slots`."""

    names: tuple[str, ...]
    slots: tuple[int, ...]
    source: Expr
    along: Expr
    pattern: RayPattern


def one_site(s: ChooseRay) -> Ray | None:
    """The set of sites that a choice of a ray chooses from, where it marks one site; else None."""
    items = s.pattern.items if isinstance(s.pattern, Sequence) else (s.pattern,)
    marked = [i for i in items if isinstance(i, Marked)]
    if len(s.slots) != 1 or len(marked) != 1 or not isinstance(marked[0].item, OnSite):
        return None
    return Ray(Type.SITES, s.source, s.along, s.pattern, 1)


@record
class Let(Statement):
    """A local `let`, evaluated once."""

    slot: int
    value: Expr
    name: str = field(default="", eq=False, kw_only=True)


@record
class Need(Statement):
    """Discards the branch unless the condition holds."""

    condition: Expr


@record
class Write(Statement):
    """Writes the notation of the decision, with the values as they are at this statement."""

    notation: Notation


@record
class Put(Statement):
    """Puts a piece on every site; `owner` is a player, nobody, OWN, OTHER or NEXT."""

    owner: int
    kind: Expr
    sites: Expr


@record
class Clear(Statement):
    """Removes pieces and the links that end there; of piles `number` from the top, or all."""

    sites: Expr
    number: Expr | None = None


@record
class MovePiece(Statement):
    """Moves one piece, capturing what stands on its target.

    Of piles `number` pieces from the top, or all, are laid on the target's, or `under` it.
    """

    source: Expr
    target: Expr
    number: Expr | None = None
    under: bool = False


@record
class MoveEach(Statement):
    """Moves all pieces of `domain` at once; no two to one site."""

    slot: int
    domain: Expr
    target: Expr


@record
class Link(Statement):
    """Adds (or removes) links from one site to each of others."""

    source: Expr
    target: Expr
    remove: bool


@record
class LinkEach(Statement):
    """Adds (or removes) links from every site of `domain` to the sites of `target`."""

    slot: int
    domain: Expr
    target: Expr
    remove: bool


@record
class Assign(Statement):
    """Sets a state, of player `player` (also ENEMY, NEXT) or, with OWN, of the one looked at.

    Of a table it sets the entry `at`, or those of every site of a set.
    """

    index: int
    player: int
    value: Expr
    at: tuple[Expr, ...] = ()


@record
class Perform(Statement):
    """An action with argument values."""

    action: int
    arguments: tuple[Expr, ...]


@record
class If(Statement):
    """`if` with both blocks."""

    condition: Expr
    then: tuple[Effect, ...]
    otherwise: tuple[Effect, ...]


@record
class Each(Statement):
    """The block for every member of `domain`, which is worked out once before."""

    slot: int
    domain: Expr
    body: tuple[Effect, ...]


@record
class Again(Statement):
    """The same player takes the next turn."""


@record
class SwapSides(Statement):
    """The persons exchange colours."""


Effect: TypeAlias = (
    Choose | ChooseRay | Let | Need | Write | Put | Clear | MovePiece | MoveEach | Link | LinkEach
    | Assign | Perform | If | Each | Again | SwapSides
)  # fmt: skip
CHOOSING = (Choose, ChooseRay, Let, Need, Write)
"""Statements that change nothing: what they look at is there before the decision."""


def block_of(s: Effect) -> tuple[Effect, ...]:
    """The statements in the blocks of an `if` or an `each`; nothing for others."""
    match s:
        case If(then=then, otherwise=otherwise):
            return (*then, *otherwise)
        case Each(body=body):
            return body
    return ()


@record
class Action(Record):
    """A named list of effects; parameters fill the first slots."""

    name: str
    slots: int
    body: tuple[Effect, ...]


@record
class MoveKind(Record):
    """A kind of move; its body says how a decision is written."""

    name: str
    slots: int
    body: tuple[Effect, ...]
    origin: int = field(default=0, eq=False)

    @property
    def by_chance(self) -> bool:
        """Whether chance makes its choices, and not the player to move."""
        return any(isinstance(s, Choose) and s.by_chance for s in self.body)


@record
class End(Record):
    """An end rule; `verdict` is win, lose, draw, score, or claim for a draw that may be claimed.

    `after_turn` says that it is tested when a turn is over only, not after every decision.
    """

    verdict: str
    condition: Expr
    score: Expr | None
    stuck: bool
    origin: int = field(default=0, eq=False)
    after_turn: bool = False


@record
class Claim(Record):
    """A claim of the file about its game; checked, never trusted."""

    kind: str
    what: str
    value: Expr | None
    numbers: tuple[int, ...]
    swap: bool
    origin: int = field(default=0, eq=False)
    moves: str = ""
    decision: str = ""
    settings: tuple[tuple[str, int | float | bool], ...] = ()


@record
class Untested(Record):
    """A property that `test` leaves out, and why."""

    what: str
    reason: str
    origin: int = field(default=0, eq=False)


@record
class Rules(Record):
    """A whole game; `looks_back` says that a rule counts earlier positions."""

    name: str
    players: tuple[str, ...]
    """Two to eight; the second one of a puzzle is IDLE."""
    options: tuple[OptionValue, ...]
    board: Board
    kinds: tuple[PieceKind, ...]
    links: tuple[LinkKind, ...]
    states: tuple[StateVariable, ...]
    functions: tuple[Function, ...]
    actions: tuple[Action, ...]
    setup: tuple[Effect, ...]
    setup_slots: int
    moves: tuple[MoveKind, ...]
    course: Course
    first_course: Course
    joined: bool
    ends: tuple[End, ...]
    claims: tuple[Claim, ...]
    looks_back: bool
    origins: tuple[Origin, ...] = field(eq=False, repr=False)
    untested: tuple[Untested, ...] = field(default=(), eq=False)
    turn: int = field(default=0, eq=False)
    """The origin of the course of a turn."""
    closing: int | None = None
    """The action that is done when a turn is over, which must succeed."""
    sees: Expr | None = None
    """Where a player sees what stands, beside the own pieces; None: everywhere."""
    bases: tuple[str, ...] = field(default=(), eq=False)
    """The games whose rules these build on, the nearest first."""
    absent: tuple[str, ...] = field(default=(), eq=False)
    """Those who play with other options."""

    @property
    def nobody(self) -> int:
        """The owner of neutral pieces."""
        return len(self.players)

    @property
    def is_puzzle(self) -> bool:
        """Whether one player plays alone."""
        return self.players[1] == IDLE

    @property
    def has_several(self) -> bool:
        """Whether there are more than two players."""
        return len(self.players) > 2

    @property
    def drops_out(self) -> bool:
        """Whether who loses is out, and the others play on."""
        return self.has_several and any(end.verdict == "lose" for end in self.ends)

    @property
    def views(self) -> range:
        """The players by number."""
        return range(len(self.players))

    @property
    def seats(self) -> range:
        """The players who decide, by number."""
        return range(1 if self.is_puzzle else len(self.players))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the games whose evaluators and players may serve: its own comes first."""
        return self.name, *self.bases

    @property
    def tested(self) -> tuple[End, ...]:
        """The end rules that are tested after a decision."""
        return tuple(end for end in self.ends if not end.stuck and end.verdict != "claim")

    @property
    def lots(self) -> frozenset[str]:
        """The names of the moves that chance makes."""
        return frozenset(move.name for move in self.moves if move.by_chance)

    @property
    def has_chance(self) -> bool:
        """Whether chance makes some of the decisions."""
        return bool(self.lots)

    @property
    def has_secrets(self) -> bool:
        """Whether some player does not see the whole position."""
        return self.sees is not None or any(state.hidden for state in self.states)

    @property
    def closes_turns(self) -> bool:
        """Whether something is asked or done when a turn is over."""
        return self.closing is not None or any(end.after_turn for end in self.ends)

    @property
    def claimable_ends(self) -> tuple[End, ...]:
        """The ends by which a draw may be claimed."""
        return tuple(end for end in self.ends if end.verdict == "claim")

    @property
    def stuck_above(self) -> dict[int, tuple[int, ...]]:
        """By the origin of each end without `stuck`: the origins of ends with `stuck` above it.

        Ends that have none above them are left out.
        """
        above, origins = list[int](), dict[int, tuple[int, ...]]()
        for end in self.ends:
            if end.stuck:
                above.append(end.origin)
            elif above and end.verdict != "claim":
                origins[end.origin] = tuple(above)
        return origins

    def piece_name(self, owner: int, kind: int) -> str:
        """The name of a piece: `white pawn`, or only its kind where nobody owns it."""
        word = self.kinds[kind].name
        return word if owner == self.nobody else f"{self.players[owner]} {word}"

    def entry_name(self, state: StateVariable, at: Iterable[int]) -> str:
        """The indices of an entry of a table, as a text asks for it: `b1`, or `b1,3`."""
        names = {Type.SITE: self.board.names, Type.KIND: tuple(k.name for k in self.kinds)}
        pairs = zip(state.indices, at, strict=True)
        return ",".join(
            names[i.type][place] if i.type in names else str(place + i.low) for i, place in pairs
        )

    def place(self, origin: int) -> str:
        """`file:line` of an origin."""
        return place_of(self.origins[origin])
