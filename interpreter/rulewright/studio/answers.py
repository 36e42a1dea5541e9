"""What the service of the studio answers: classes whose JSON the page knows.

In: values of these classes.  Out: JSON.  The page's types are made from them (`typescript.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from attrs import frozen
from cattrs import Converter

from rulewright.render.scene import Scene

Json: TypeAlias = Any  # what JSON can say
SceneJson: TypeAlias = Annotated[Any, Scene]
"""A scene as its `as_json` has it."""
Value: TypeAlias = "int | float | bool"


@frozen
class Done:
    """Nothing to say."""


@frozen
class Greeting:
    """What there is: *places* of games that are not bundled, *own* rules in the folder."""

    version: str
    process: str
    games: dict[str, str]
    places: dict[str, str]
    own: tuple[str, ...]
    opened: str | None
    folder: str | None


@frozen
class Option:
    """An option of the rules: a number within limits, or yes and no."""

    name: str
    value: Value


@frozen
class Chair:
    """Who sits on a chair, what a page calls that, and the colour played now."""

    player: str
    called: str
    human: bool
    colour: str


@frozen
class Node:
    """A decision of the game's tree; *turn* counts finished turns before it, *by* says whose."""

    node: int
    parent: int | None
    text: str
    turn: int
    mover: str
    by: str = ""


@frozen
class Table:
    """The game as it is to be seen: the scene, where it stands in the tree, who plays."""

    game: str
    source: str
    options: tuple[Option, ...]
    scene: SceneJson
    nodes: tuple[Node, ...]
    at: int
    chairs: tuple[Chair, Chair]
    thinking: bool
    over: bool
    verdict: str
    folder: str = ""
    warning: str = ""
    claimable: bool = False


@frozen
class Candidate:
    """A decision with its value for the player who is to move; proven is win, loss or draw."""

    move: str
    value: float | None
    site: int | None = None


@frozen
class Found:
    """What a search knows: the best first, and the line that it expects, as texts."""

    side: str
    move: str
    value: float
    proven: str | None
    line: tuple[str, ...]
    depth: int
    nodes: int
    seconds: float
    candidates: tuple[Candidate, ...]
    arrows: tuple[tuple[int, ...], ...] = ()


@frozen
class FactorShown:
    """A factor of a personality: its value, default and limits, what it means."""

    name: str
    value: float
    default: float
    low: float
    high: float
    whole: bool
    percent: bool
    unit: str
    meaning: str


@frozen
class PersonalityShown:
    """A personality of the game; *about* is its file's first sentence."""

    name: str
    about: str


@frozen
class Explained:
    """An explanation: as `explain --format json`, and its heat by site."""

    explanation: Json
    texts: dict[str, str]
    shares: dict[str, float]
    chosen: int | None
    notes: tuple[str, ...]


@frozen
class Lit:
    """The board where a number is worked out, and the sites that it is about."""

    scene: SceneJson
    sites: tuple[int, ...]


@frozen
class Versus:
    """What two personalities decide, and the factors of the second that alone make the first agree.

    `terms`: what speaks for the first one's decision there is in its explanation.
    """

    first: str
    second: str
    factors: tuple[str, ...]


@frozen
class LaidCondition:
    """What a pattern asks of a site (-1: beyond the board), or of two, and whether it is so.

    `test` is its word (`Set` for the move), `text` the condition as it is written.
    """

    test: str
    site: int
    other: int | None
    text: str
    holds: bool
    line: int


@frozen
class Fired:
    """A pattern at a point: from where it looks, what it proposes, in words why (or why not)."""

    pattern: str
    at: int
    site: int
    told: str
    fires: bool
    conditions: tuple[LaidCondition, ...] = ()


@frozen
class PatternShown:
    """A pattern of a text on the board: around which site, in which of the frames, what it asks.

    `points` are the sites around which it is tried here, `fired` those with the sites it proposes
    from there; both are only known of a text without mistakes (`sound`).
    """

    title: str
    line: int
    at: int
    frame: int
    frames: tuple[str, ...]
    conditions: tuple[LaidCondition, ...]
    points: tuple[int, ...]
    fired: tuple[tuple[int, int], ...]
    sound: bool


@frozen
class Matched:
    """The files of patterns that the game has, and what those of one do here."""

    files: tuple[str, ...]
    points: tuple[int, ...]
    uses: tuple[Fired, ...]


@frozen
class Reason:
    """Why a decision is legal or not, as the command says it; the sites that it names."""

    text: str
    sites: tuple[int, ...]


@frozen
class JudgedNode:
    """A position of a game, judged: from -1 to 1 for whoever began, and what is sure of it."""

    node: int
    value: float
    proven: str | None


@frozen
class PlayedGame:
    """A game of a match; `players` in the order of their seats, no `winner` where it is drawn."""

    number: int
    players: tuple[str, str]
    winner: str
    reason: str
    turns: int
    moves: str


@frozen
class Measured:
    """Where a match stands: `lines` for people, and the course of what was counted.

    `course`: after each game the share of the points of the first player, from 0 to 1; `ratios`
    after each pair the log-likelihood ratio of a sequential test, which ends at one of `bounds`;
    `table`: rows of a tournament, headings first; `record`: all games as lines, once it is over.
    """

    played: int
    wanted: int
    lines: tuple[str, ...]
    course: tuple[float, ...]
    ratios: tuple[float, ...]
    bounds: tuple[float, float] | None
    games: tuple[PlayedGame, ...]
    over: bool
    table: tuple[tuple[str, ...], ...] = ()
    record: str = ""


@frozen
class RecordedGame:
    """A game on record: `source` is what is played, `opening` how many moves were given."""

    number: int
    source: str
    options: dict[str, str]
    players: tuple[str, str]
    winner: str
    reason: str
    turns: int
    opening: int
    moves: str
    date: str


@frozen
class Records:
    """The games of a file of records, and what of it cannot be read."""

    games: tuple[RecordedGame, ...]
    damaged: tuple[str, ...]


@frozen
class TrialShown:
    """A trial: the values of the factors, and the share of the points, from 0 to 1."""

    number: int
    factors: dict[str, float]
    share: float


@frozen
class Tuned:
    """How a tuning stands: its trials, the number of the best, and what the end of it says."""

    trials: tuple[TrialShown, ...]
    wanted: int
    best: int | None
    lines: tuple[str, ...]
    over: bool


@frozen
class FileShown:
    """A text of the opened folder; a bundled one may only be read."""

    path: str
    kind: str
    writable: bool = True


@frozen
class FileText:
    """The text of a file, and the digest of what is on the disk."""

    path: str
    text: str
    digest: str


@frozen
class Edit:
    """*text* instead of what stands from one code point to another."""

    start: int
    end: int
    text: str


@frozen
class Mend:
    """What a hint says to write: edits, and the number of the mistake that they mend."""

    title: str
    problem: int
    edits: tuple[Edit, ...]


@frozen
class Checked:
    """Mistakes of a text, as `check --format json` has them, each with its `start` and `end`.

    `colours` are the words: from, to, and what they are.
    """

    diagnostics: Json
    mends: tuple[Mend, ...]
    colours: tuple[tuple[int, int, str], ...]


@frozen
class StudyNote:
    """What was found out about a line (0: about the whole), and what can be done with it.

    `moves` is the game that shows it, with `options`, None where no game does; `claim` would answer
    it; `other` is the text with the fault that nothing noticed; `dead`: nothing uses the line.
    """

    line: int
    text: str
    claim: str
    dead: bool
    moves: str | None
    options: dict[str, str]
    other: str | None = None


@frozen
class Study:
    """What is known of a text so far, in words, by notes, and how often lines were reached.

    `rows` are properties, each with whether it holds and how much was looked at; `told` alone where
    nothing new is known (not `whole`).
    """

    what: str
    told: str
    notes: tuple[StudyNote, ...]
    counts: dict[str, int]
    rows: tuple[tuple[str, str, str], ...]
    whole: bool = True


@frozen
class Differed:
    """Where two games part: in words, after which decisions, both scenes, what only one has.

    `endings` say how the two go on; there are no scenes where no difference was found.
    """

    told: list[str]
    moves: str
    first: SceneJson | None
    second: SceneJson | None
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    endings: tuple[str, str]


@frozen
class Renamed:
    """The edits of the text that is open, and the other files that were written."""

    edits: tuple[Edit, ...]
    files: tuple[str, ...]


@frozen
class Meaning:
    """What the word from one place to another means, as Markdown."""

    text: str
    start: int
    end: int


@frozen
class Item:
    """Something that may stand at a place; a snippet has stops `${1:name}` in what is inserted."""

    label: str
    kind: str
    detail: str
    about: str
    insert: str
    snippet: bool


@frozen
class Completions:
    """What may stand in the place of a word that begins at `start`."""

    start: int
    items: tuple[Item, ...]


@frozen
class Where:
    """A place in a file."""

    path: str
    start: int
    end: int


@frozen
class GameText:
    """A game as a file."""

    name: str
    text: str


@frozen
class Archive:
    """All texts of the opened folder as a zip archive, in base64."""

    name: str
    data: str


ANSWERS: Mapping[str, type[Any]] = {
    **dict.fromkeys(("open", "table", "play", "goto", "resign", "claim_draw",
                     "sit", "think", "follow", "read_game"), Table),
    "hello": Greeting, "search": Found, "explain": Explained, "compare": Measured,
    "tournament": Measured, "records": Records, "tune": Tuned, "patterns": Matched,
    "why_not": Reason, "why": Reason, "save_personality": FileShown, "read": FileText,
    "texts": Archive, "write": FileText, "check": Checked, "hover": Meaning,
    "complete": Completions, "write_game": GameText, "stop": Done, "pattern": PatternShown,
    "lit": Lit, "versus": Versus, "study": Study, "diff": Differed, "rename": Renamed,
}  # fmt: skip
"""The class of an answer; those of `personalities` and `files` are lists."""
LISTS: Mapping[str, type[Any]] = {
    "personalities": PersonalityShown, "files": FileShown, "curve": JudgedNode, "define": Where,
    "format": Edit, "draw": Edit, "claim": Edit, "factors": FactorShown,
}  # fmt: skip

_WRITER = Converter()
_WRITER.register_unstructure_hook_func(  # what is JSON
    lambda kind: kind in (Any, SceneJson, SceneJson | None), lambda told: told
)


def as_json(answer: object) -> Json:
    """An answer as JSON has it."""
    return _WRITER.unstructure(answer)
