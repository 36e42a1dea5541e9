"""What commands about personalities, patterns and speed print with `--format json`.

In: nothing.  Out: a type for each object, as in `outputs.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

from rulewright.app.cli import outputs as o
from rulewright.learning.fit import FittedFactor
from rulewright.learning.strengths import Prediction

# --- personalities ---


class FactorData(TypedDict):
    """A factor of an evaluator, and what it may be set to."""

    name: str
    meaning: str
    low: o.Number
    high: o.Number
    default: o.Number
    unit: str | None
    for_search: bool
    evaluator: str


class ValueData(TypedDict):
    """A value of an evaluator: of positions, or of moves of these names; for which side."""

    name: str
    of: Sequence[str] | Literal["position"]
    side: str


class EvaluatorData(TypedDict):
    """An evaluator of a game."""

    name: str
    about: str
    values: Sequence[ValueData]
    factors: Sequence[FactorData]


class PersonalityData(TypedDict):
    """A personality of a game: its evaluator, its search, the factors that it sets."""

    name: str
    about: str
    evaluator: str | None
    search: str
    factors: Mapping[str, o.Number]


class FactorsOutput(TypedDict):
    """Evaluators and personalities; `values` are the factors of the one that was asked for."""

    game: str
    evaluators: Sequence[EvaluatorData]
    personalities: Sequence[PersonalityData]
    values: NotRequired[Mapping[str, o.Number]]


class FactorUseData(TypedDict):
    """How many decisions a factor changed."""

    name: str
    changed: int


class LintOutput(TypedDict):
    """The factors of a personality, and those that never changed a decision."""

    personality: str
    positions: int
    factors: Sequence[FactorUseData]
    idle: Sequence[str]


class ExplainedData(TypedDict):
    """A decision with its value taken apart; `value` is null where a result stands for it."""

    move: str
    value: o.Number | None
    parts: Mapping[str, o.Number]
    steps: Mapping[str, Mapping[str, o.Number]]
    terms: Mapping[str, o.Number]
    factors: Mapping[str, o.Number]
    line: Sequence[str]
    ends: o.EndName | None
    distance: int | None
    result: NotRequired[str]


class PickData(TypedDict):
    """A comparison of the best decisions: the values of both, and whether it decided."""

    pick: str
    decided: bool
    first: o.Number | None
    second: o.Number | None


class VersusData(TypedDict):
    """What another personality chose, and the factors that would have it choose alike."""

    personality: str
    chosen: str
    factors: Sequence[str]


class ExplainOutput(TypedDict):
    """The thoughts of a personality about each decision, the best first."""

    personality: str
    value: str
    side: str
    decision: str
    chosen: str
    decided_by: str | None
    runner_up: str | None
    margin: o.Number | None
    tied: Sequence[str]
    picks: Sequence[PickData]
    believed: Sequence[o.BeliefData]
    opening: str | None
    opened_by: str | None
    moves: Sequence[ExplainedData]
    versus: NotRequired[VersusData]


class BookDecision(TypedDict):
    """A decision of a book, with the points of the games that played it, or its value.

    `value` is null for a win or a loss by force.
    """

    move: str
    weight: int
    points: NotRequired[float]
    games: NotRequired[int]
    value: NotRequired[float | None]


class BookLineData(TypedDict):
    """The decisions of a book after some moves."""

    after: str
    decisions: Sequence[BookDecision]


class BookOutput(TypedDict):
    """The book that was written; `games` is null for a book by search."""

    file: str
    games: int | None
    lines: Sequence[BookLineData]


class FitOutput(TypedDict):
    """The result of a fit, losses in bits; `file` is null where it was not written."""

    file: str | None
    factors: Sequence[FittedFactor]
    scale: float
    positions: int
    games: int
    loss_before: float
    loss_after: float
    alike: Sequence[Sequence[str]]
    silent: Sequence[str]


# --- patterns ---


class PatternData(TypedDict):
    """A pattern: the sites of its move, from the reference point, and what must hold."""

    name: str
    kind: str
    symmetric: bool
    set: Sequence[int]
    conditions: Sequence[str]
    priority: o.Number
    about: str
    line: int


class PatternsOutput(TypedDict):
    """The patterns of a file."""

    patterns: Sequence[PatternData]


class PatternUseData(TypedDict):
    """A pattern at a place of the board; `failed` is its first condition that does not hold."""

    pattern: str
    kind: str
    player: str
    at: str
    direction: str
    mirrored: bool
    move: str
    failed: str
    line: int
    failing: int


class PassedUseData(PatternUseData):
    """A use that was not looked at, and why."""

    why: str


class PointData(TypedDict):
    """A reference point: whose, where, in which direction."""

    player: str
    at: str
    direction: str


class PatternMatchOutput(TypedDict):
    """The patterns that fire in a position, and those that nearly do."""

    mover: str
    references: Sequence[PointData]
    fired: Sequence[PatternUseData]
    near: Sequence[PatternUseData]


class PatternWhyOutput(TypedDict):
    """Every way in which patterns could propose a move."""

    move: str
    ways: Sequence[PatternUseData]
    not_looked_at: Sequence[PassedUseData]


class PatternCount(TypedDict):
    """How often a pattern fired, proposed the move played, and the best one."""

    name: str
    kind: str
    line: int
    fired: int
    chosen: int
    best: int
    covered_by: Sequence[str]


class PatternCoverOutput(TypedDict):
    """The use of patterns over games."""

    games: int
    positions: int
    empty: int
    played: int
    patterns: Sequence[PatternCount]


class MinedPatternData(TypedDict):
    """A pattern that was mined, and how often its move was proposed and played."""

    name: str
    kind: str
    priority: o.Number
    strength: float
    played: int
    proposed: int


class PatternMineOutput(TypedDict):
    """Mined patterns, and how well files predict the moves of games that were held out."""

    patterns: Sequence[MinedPatternData]
    predictions: Mapping[str, Prediction]


# --- speed ---


class BenchOutput(TypedDict):
    """Speeds of games: for each name a median, and the least and the most (`_min`, `_max`)."""

    machine: Mapping[str, str | int | None]
    games: Sequence[Mapping[str, o.Value | str | o.Options | None]]


class SignedGame(TypedDict):
    """What a fixed set of tasks counts in a game."""

    game: str
    perft_nodes: int
    search_nodes: int


class SignatureOutput(TypedDict):
    """The signature of the engine."""

    signature: int
    games: Sequence[SignedGame]
