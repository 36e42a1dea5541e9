"""What commands about matches and files of games print with `--format json`.

In: nothing.  Out: a type for each object, as in `outputs.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

from rulewright.app.cli import outputs as o
from rulewright.learning.fit import Fit

# --- matches ---


class PairingData(TypedDict):
    """The games of two players, of which the first began."""

    p1: str
    p2: str
    games: int
    p1_wins: int
    p2_wins: int
    draws: int
    p1_score: float
    mean_turns: float
    mean_decisions: float


class RatingData(TypedDict):
    """A rating in Elo, and the interval that holds 95 %."""

    player: str
    elo: float
    low: float
    high: float


class EffortData(TypedDict):
    """The effort of a player; decisions that were not searched are among them."""

    player: str
    decisions: int
    seconds: float
    nodes: int
    failures: int
    unsearched: int


class SprtData(TypedDict):
    """A sequential test: its hypotheses, its log-likelihood ratio, its bounds."""

    elo0: float
    elo1: float
    alpha: float
    beta: float
    llr: float
    low: float
    high: float
    accepted: Literal["elo0", "elo1"] | None


class PlacingData(TypedDict):
    """How often an entrant had each place, in games of more than two players."""

    player: str
    games: int
    places: Mapping[str, int]


class MatchOutput(TypedDict):
    """The standing of a match or a tournament; `pairings` and what begins with `elo` of two alone.

    A difference in Elo is null where it has no bound; `pairs` counts pairs of games by the points
    of the first player, from 0 to 2 in halves.
    """

    game: str
    options: o.Options
    players: Sequence[str]
    both_seats: bool
    games: int
    distinct_games: int
    repeated_games: int
    faulty_games: int
    refused_games: int
    unsearched_games: int
    pairings: Sequence[PairingData]
    ratings: Sequence[RatingData]
    first_share: float | None
    draw_share: float | None
    mean_turns: float | None
    reasons: Mapping[str, int]
    effort: Sequence[EffortData]
    seed: int
    stopped: str
    seats: NotRequired[int]
    placings: NotRequired[Sequence[PlacingData]]
    elo: NotRequired[float | None]
    low: NotRequired[float | None]
    high: NotRequired[float | None]
    pairs: NotRequired[Sequence[int]]
    superiority: NotRequired[float]
    sprt: NotRequired[SprtData]


class TuneOutput(TypedDict):
    """The best trial and the match that confirms it; `file` is null where it was not written."""

    file: str | None
    trials: int
    trial: int
    share: float
    factors: Mapping[str, o.Number]
    confirmation: MatchOutput


class RoundData(TypedDict):
    """A round of `learn`: its fit, and the match that tested the candidate in `file`, if any."""

    round: int
    accepted: bool
    file: str | None
    fit: Fit
    match: MatchOutput | None


class LearnOutput(TypedDict):
    """The rounds of `learn`, the best personality, and the picture of its strength."""

    best: str
    plot: str | None
    rounds: Sequence[RoundData]


# --- games of files ---


class JudgedData(TypedDict):
    """A decision of a recorded game, its rank and worth, and the best of the others."""

    number: int
    side: str
    move: str
    rank: int | None
    of: int
    judged: int
    value: o.Number | None
    ends: str | None
    distance: int | None
    best: str | None
    best_value: o.Number | None
    best_ends: str | None
    best_distance: int | None
    loss: o.Number | None
    decided_by: str | None
    margin: o.Number


class SideData(TypedDict):
    """How a side played: decisions that were judged, the best among them, the mean loss."""

    side: str
    decisions: int
    best: int
    mean_loss: float | None


class AnalyzeOutput(TypedDict):
    """The decisions of a recorded game, judged."""

    game: str
    options: o.Options
    names: Sequence[str]
    result: str | None
    judge: str
    decisions: Sequence[JudgedData]
    sides: Sequence[SideData]


class TestPosition(TypedDict):
    """A test position, and the move that was played there."""

    id: str
    move: str
    solved: bool
    expected: str
    seconds: float


class EpdOutput(TypedDict):
    """Test positions, and how many of them were solved."""

    file: str
    solved: int
    of: int
    tests: Sequence[TestPosition]


class RecordedDecision(TypedDict):
    """A decision on record, with what its player said of it."""

    move: str
    seat: int
    value: NotRequired[float]
    depth: NotRequired[int]
    nodes: NotRequired[int]
    seconds: NotRequired[float]
    searched: NotRequired[Literal[False]]
    result: NotRequired[str]


class RecordedGameData(TypedDict):
    """A game on record; `winner` is a seat, null for a draw."""

    format: int
    kind: Literal["game"]
    match: str
    number: int
    pair: int
    game: str
    options: o.Options
    players: Sequence[str]
    winner: int | None
    reason: str
    detail: str
    turns: int
    opening: int
    decisions: Sequence[RecordedDecision]
    seed: int
    limits: o.Options
    hashes: Mapping[str, str]
    version: str
    date: str
    fixed: bool
    places: NotRequired[Sequence[int]]
    sum: NotRequired[str]


class OpeningsData(TypedDict):
    """The openings of a match: so many random turns, or lines of decisions."""

    turns: int
    lines: Sequence[str]
    deeper: NotRequired[bool]


class PlanData(TypedDict):
    """Everything that decides what a match plays."""

    game: str
    options: o.Options
    players: Sequence[str]
    games: int
    form: str
    both_seats: bool
    limits: o.Options
    seed: int
    longest: int
    openings: OpeningsData
    sprt: Sequence[float] | None
    adjudication: Sequence[float] | None
    hashes: Mapping[str, Mapping[str, str]]
    drawn: NotRequired[str]
    refused: NotRequired[str]


class RecordHead(TypedDict):
    """The line of a record before the games of a match."""

    format: int
    kind: Literal["match"]
    match: str
    version: str
    plan: PlanData
    openings: Sequence[str]
    sum: NotRequired[str]


class RecordOutput(TypedDict):
    """The games of a record."""

    file: str
    games: Sequence[RecordedGameData]


class VerifyOutput(TypedDict):
    """The complaints about a record; games without a checksum are counted apart."""

    file: str
    games: int
    complaints: Sequence[str]
    unchecked: int


class CountOutput(TypedDict):
    """The number of games of a file."""

    file: str
    games: int


class ListedRecording(TypedDict):
    """A game of a file; each stands on a line of its own."""

    number: int
    game: str
    names: Sequence[str]
    moves: Sequence[str]
    result: str | None


class CaseData(TypedDict):
    """A kept case with what it shows now; `stopped`: its first decision that is illegal today."""

    case: int
    property: str
    options: Mapping[str, str]
    moves: Sequence[str]
    broken: bool
    stopped: str | None
    finding: o.FindingData | None


class CasesOutput(TypedDict):
    """Kept cases; `lost` are those that cannot be read."""

    file: str
    game: str
    cases: Sequence[CaseData]
    lost: Sequence[str]
