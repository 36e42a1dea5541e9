"""What commands about rules and positions print with `--format json`: a type for each object.

In: nothing.  Out: types with the names of all fields and what they hold; those that may be missing
are marked.  The schemas of the package are made from them (`schemas.py`), and a test compares what
every command prints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypeAlias, TypedDict

Number: TypeAlias = int | float
Value: TypeAlias = int | float | bool
Options: TypeAlias = Mapping[str, Value]
EndName: TypeAlias = Literal["win", "loss"]
Proof: TypeAlias = Literal["win", "loss", "draw"]

# --- texts ---


class ListedGame(TypedDict):
    """A game that can be named; `place` and `path` of one that is not bundled."""

    name: str
    about: str
    options: Options
    place: NotRequired[str]
    path: NotRequired[str]


class GamesOutput(TypedDict):
    """The games that can be named."""

    games: Sequence[ListedGame]


class DiagnosticData(TypedDict):
    """A mistake in a text, or a warning; lines and columns count from 1."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    severity: Literal["error", "warning"]
    message: str
    hint: str


class PlayedBy(TypedDict):
    """What plays the rules of a file, and why that is no machine code; empty where it is."""

    file: str
    backend: str
    reason: str


class ClaimUntried(TypedDict):
    """A claim that `check` leaves to `test`, and which part of it."""

    file: str
    line: int
    claim: str
    what: str


class CheckLeftOut(TypedDict):
    """A check for which the budget of steps did not suffice."""

    file: str
    what: str


class CheckOutput(TypedDict):
    """The mistakes of files."""

    files: Sequence[str]
    diagnostics: Sequence[DiagnosticData]
    played_by: Sequence[PlayedBy]
    untried: Sequence[ClaimUntried]
    left_out: Sequence[CheckLeftOut]


# --- positions ---


class EndData(TypedDict):
    """The end of a game: the winner, null for a draw, the rule, and the place of the rule."""

    winner: str | None
    rule: str
    place: str


class MovesOutput(TypedDict):
    """The legal decisions of a position; `chances` are fractions, where chance decides."""

    mover: str | None
    moves: Sequence[str]
    result: EndData | None
    over: bool
    chances: NotRequired[Mapping[str, str]]


class PerftOutput(TypedDict):
    """Counts of sequences of moves; `divide` has those behind each first move."""

    game: str
    options: Options
    depth: int
    unit: Literal["decision", "turn"]
    leaves: int
    nodes: int
    seconds: float
    backend: str
    divide: NotRequired[Mapping[str, int]]


class RootMoveData(TypedDict):
    """A decision with its value, null where none is known, or how the game ends by force."""

    move: str
    value: NotRequired[Number | None]
    proven: NotRequired[Proof]
    distance: NotRequired[int]
    result: NotRequired[str]


class BeliefData(TypedDict):
    """A word of a personality that a proof rests on."""

    word: str
    value: str
    personality: str


class BestOutput(TypedDict):
    """The decision of the computer; `board` is the file of the position where several are given.

    `value` is null where the game ends by force, which `proven`, `distance` and `result` tell.
    """

    board: NotRequired[str]
    move: str
    value: NotRequired[Number | None]
    side: str
    proven: NotRequired[Proof]
    distance: NotRequired[int]
    result: NotRequired[str]
    believed: NotRequired[Sequence[BeliefData]]
    pv: Sequence[str]
    nodes: int
    depth: int
    seconds: float
    root: Sequence[RootMoveData]
    searched: bool
    personality: NotRequired[str]


class SolveOutput(TypedDict):
    """The value of a position: null when a limit came first, for the `reason`."""

    game: str
    options: Options
    checked: int | None
    unchecked: str | None
    believed: Sequence[BeliefData]
    value: Proof | None
    side: str
    least: Proof
    most: Proof
    move: str | None
    distance: int | None
    pv: Sequence[str]
    nodes: int
    depth: int
    seconds: float
    reason: str | None


class SecretSolveOutput(TypedDict):
    """What a player of a game with secrets gets on the average: a fraction, or bounds of it."""

    game: str
    options: Options
    side: str
    least: float
    most: float
    value: str | None
    simplest: str
    rounds: int
    sets: int
    positions: int
    seconds: float


class ExpectedSolveOutput(TypedDict):
    """What each player gets on the average, by chance or among several, as fractions.

    `sure` is what the others cannot take; `each` where all of several play for themselves, null
    where that is not worked out.
    """

    game: str
    options: Options
    players: Sequence[str]
    sure: Sequence[str]
    each: Sequence[str] | None
    move: str | None
    positions: int
    seconds: float


class ClauseData(TypedDict):
    """A line of a file: `file:line`, and its text."""

    place: str
    text: str


class WhyOutput(TypedDict):
    """Why a decision is legal or not: the clause, the values that it saw, further clauses."""

    move: str
    legal: bool
    message: str
    clause: ClauseData | None
    values: Mapping[str, str]
    others: Sequence[ClauseData]
    words: str


# --- checks ---


class FindingData(TypedDict):
    """A property that does not hold: the shortest game that shows it, null where none does."""

    property: str
    message: str
    moves: Sequence[str] | None
    board: str
    clause: ClauseData | None
    acted: Sequence[ClauseData]
    replay: str


class PropertyData(TypedDict):
    """A property that was tried, or why it was not."""

    name: str
    status: Literal["failed", "left out", "held"]
    looked: str
    skipped: str


class TestReport(TypedDict):
    """The properties of a file; hints may be meant so."""

    file: str
    game: str
    options: Options
    seed: int
    properties: Sequence[PropertyData]
    findings: Sequence[FindingData]
    hints: Sequence[FindingData]


class TestOutput(TypedDict):
    """The properties of files."""

    reports: Sequence[TestReport]


class ClauseUse(TypedDict):
    """How often a part of a text was reached, and how often it was true."""

    place: str
    text: str
    kind: str
    reached: int
    true: int
    why: str | None
    proof: str | None
    only: str | None


class DeadLine(TypedDict):
    """A line that nothing used, and the proof that nothing can, if there is one."""

    place: str
    text: str
    why: str
    proof: str | None


class CoverReport(TypedDict):
    """The use of a file; `whole`: every position of the game was looked at."""

    file: str
    game: str
    options: Options
    positions: int
    games: int
    whole: bool
    clauses: Sequence[ClauseUse]
    dead: Sequence[DeadLine]


class CoverOutput(TypedDict):
    """The use of files."""

    reports: Sequence[CoverReport]


FaultData = TypedDict(
    "FaultData",
    {
        "line": int, "column": int, "from": str, "to": str, "fault": str, "claim": str,
        "moves": Sequence[str] | None, "options": Mapping[str, str],
    },
)  # fmt: skip
"""A fault that nothing noticed, and the claim that would."""


class MutateOutput(TypedDict):
    """Faults put into rules: how many were tried and noticed, and those that were not."""

    file: str
    mutants: int
    found: int
    score: float
    survivors: Sequence[FaultData]
    alike: Sequence[FaultData]
    refused: int
    late: int
    untried: int


class ClaimProposal(TypedDict):
    """A claim and what speaks for it; `counts`: it is a line of perft.txt."""

    claim: str
    why: str
    counts: bool


class ClaimsOutput(TypedDict):
    """Claims that a text could make."""

    file: str
    claims: Sequence[ClaimProposal]


class DifferenceData(TypedDict):
    """The first difference of two games: decisions of one alone, or how each stands then."""

    moves: Sequence[str]
    only_first: Sequence[str]
    only_second: Sequence[str]
    first: str
    second: str
    board: str


class DiffOutput(TypedDict):
    """The comparison of two texts; null where they play alike as far as was looked."""

    first: str
    second: str
    difference: DifferenceData | None
    positions: int
    depth: int
    games: int
