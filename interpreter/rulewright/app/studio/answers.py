"""Answers of the studio's service: classes whose JSON the page knows.

In: values of these classes.  Out: JSON.  The page's types are made from them (`typescript.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from attrs import field, frozen
from cattrs import Converter

from rulewright.app.service.recipes import Recipe
from rulewright.app.studio import menu
from rulewright.app.studio import results as r
from rulewright.games.render.scene import Scene

Json: TypeAlias = Any  # a value of JSON
SceneJson: TypeAlias = Annotated[Any, Scene]
"""A scene as its `as_json` has it."""
Value: TypeAlias = "int | float | bool"


@frozen
class Done:
    """An empty answer."""


@frozen
class Option:
    """An option of the rules: a number within limits, or yes and no; *about* is its comment."""

    name: str
    value: Value
    low: int | float | None = None
    high: int | float | None = None
    about: str = ""


@frozen
class Chair:
    """A chair: the player, the player's name for people, and the colour played now."""

    player: str
    label: str
    human: bool
    colour: str


@frozen
class Node:
    """A decision of the game's tree; *turn* counts finished turns before it, *by* is the player.

    *shown* is the decision in standard notation, empty where the game has none.
    """

    node: int
    parent: int | None
    text: str
    turn: int
    mover: str
    by: str = ""
    shown: str = ""


@frozen
class Table:
    """The game to show: its scene, its tree with the current node, its players."""

    game: str
    source: str
    options: tuple[Option, ...]
    scene: SceneJson
    nodes: tuple[Node, ...]
    at: int
    end: int
    """The node where the game stands; another one is only looked at."""
    chairs: tuple[Chair, ...]
    thinking: bool
    over: bool
    verdict: str
    folder: str = ""
    warning: str = ""
    claimable: bool = False
    given_up: bool = False
    """Whether a person ended it, not a rule: then it may be gone on with."""
    viewer: str | None = None
    """The player whose part of a game with secrets is shown; None where everything is."""


@frozen
class Doing:
    """What is done before there is an answer: `compiling`, `waiting` or `thinking`.

    `parts` are those compiled so far; a player that thinks tells its depth, its value, the line it
    expects as people write it, and the decision it would make now.
    """

    what: str
    parts: int = 0
    seconds: float = 0.0
    depth: int = 0
    value: float | None = None
    proven: str | None = None
    line: tuple[str, ...] = ()
    move: str = ""


@frozen
class Candidate:
    """A decision with its value for the player to move, and a site to show it at.

    `shown` is the decision as people write it, empty where that is its text.
    """

    move: str
    value: float | None
    site: int | None = None
    shown: str = ""


@frozen
class Analysis:
    """The result of a search: best decision, principal variation as people write it, candidates.

    `proven` is win, loss or draw; `arrows` are the sites of each decision of the line; `by` is the
    player who judges, empty for a search by the rules alone.
    """

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
    by: str = ""


@frozen
class FactorShown:
    """A factor of a personality: its value, default and limits, and its meaning."""

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
    """An explanation, as `explain --format json` prints it, and its heat map by site.

    `lines` has the line of each decision as people write it, where that is not its texts.
    """

    explanation: Json
    texts: dict[str, str]
    shares: dict[str, float]
    decision_site: int | None
    notes: tuple[str, ...]
    lines: dict[str, tuple[str, ...]] = field(factory=dict)


@frozen
class Lit:
    """The board that a number is evaluated on, and the sites that it is about."""

    scene: SceneJson
    sites: tuple[int, ...]


@frozen
class Versus:
    """The decisions of two personalities as people write them.

    Each of `factors` of the second makes the first agree.
    """

    first: str
    second: str
    factors: tuple[str, ...]


@frozen
class LaidCondition:
    """A condition of a pattern on the board: its site (-1: beyond the board), and if it holds.

    `test` is its word (`Set` for the move), `other` a second site, `text` the condition as written.
    """

    test: str
    site: int
    other: int | None
    text: str
    holds: bool
    line: int


@frozen
class Fired:
    """A pattern at a point: the site it is placed at, the site it proposes, the reason in words."""

    pattern: str
    at: int
    site: int
    reason: str
    fires: bool
    conditions: tuple[LaidCondition, ...] = ()


@frozen
class PatternShown:
    """A pattern of a text on the board: the site it is placed at, its frame, its conditions.

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
    """The files of patterns of the game, and the uses of those of one file in the position."""

    files: tuple[str, ...]
    points: tuple[int, ...]
    uses: tuple[Fired, ...]


@frozen
class Reason:
    """The reason why a decision is legal or not, in words, and the sites that these name.

    `words` is what a player needs of it, empty where the author of the rules wrote nothing.
    """

    text: str
    sites: tuple[int, ...]
    words: str = ""


@frozen
class JudgedNode:
    """A position of a game with its value, from -1 to 1 for whoever began, and what is proven.

    `best` would have been played in the place of the decision that led there, `shown` is how people
    write it, empty where that is its text.  `drop` is the share of a point that this decision cost,
    `name` an inaccuracy, a mistake or a blunder, empty for none.
    `refutation` is the line that is expected after it, as people write it; `depth` is how far the
    search looked that says what was better.
    """

    node: int
    value: float
    proven: str | None
    best: str = ""
    shown: str = ""
    drop: float = 0.0
    name: str = ""
    refutation: tuple[str, ...] = ()
    depth: int = 0


@frozen
class FileShown:
    """A text of the opened folder; a bundled one may only be read."""

    path: str
    kind: str
    writable: bool = True


@frozen
class FileText:
    """The text of a file, and the digest of the file on the disk."""

    path: str
    text: str
    digest: str


@frozen
class Edit:
    """*text* replaces the code points from *start* to *end*."""

    start: int
    end: int
    text: str


@frozen
class Mend:
    """A quick fix: edits, and the number of the diagnostic that they mend."""

    title: str
    problem: int
    edits: tuple[Edit, ...]


@frozen
class Checked:
    """Mistakes of a text, as `check --format json` has them, each with its `start` and `end`.

    `colours` are the words: start, end, kind.
    """

    diagnostics: Json
    mends: tuple[Mend, ...]
    colours: tuple[tuple[int, int, str], ...]


@frozen
class StudyNote:
    """A result about a line (0: about the whole text).

    `moves` is the game that shows it, with `options`, None if no game does; `claim` would answer
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
    """The results of a study so far: a summary, notes, how often lines were reached.

    `rows` are properties, each with its status and how much was tried, `holding` the lines of
    claims that hold; only `summary` counts where nothing new is known (not `whole`).
    """

    what: str
    summary: str
    notes: tuple[StudyNote, ...]
    counts: dict[str, int]
    rows: tuple[tuple[str, str, str], ...]
    holding: tuple[int, ...] = ()
    whole: bool = True


@frozen
class Differed:
    """The first difference of two games: `lines` of words, the decisions before it, both scenes.

    `only_first` and `only_second` are decisions that only one has, `endings` how the two go on;
    there are no scenes if no difference was found.
    """

    lines: list[str]
    moves: str
    first: SceneJson | None
    second: SceneJson | None
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    endings: tuple[str, str]


@frozen
class Renamed:
    """The edits of the open text, and the other files that were written."""

    edits: tuple[Edit, ...]
    files: tuple[str, ...]


@frozen
class Named:
    """The path that a new text gets, or the refusal of its name."""

    path: str
    refusal: str


@frozen
class Meaning:
    """The meaning of the word from *start* to *end*, as Markdown."""

    text: str
    start: int
    end: int


@frozen
class Item:
    """A completion; the `insert` of a snippet has stops `${1:name}`."""

    label: str
    kind: str
    detail: str
    about: str
    insert: str
    snippet: bool


@frozen
class Completions:
    """Completions for the word that begins at `start`."""

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


@frozen
class Parcel:
    """A game for whoever has other files: a zip in base64, its name, the texts that are in it."""

    name: str
    data: str
    game: str
    texts: dict[str, str]


ANSWERS: Mapping[str, type[Any]] = {
    **dict.fromkeys(("open", "table", "play", "goto", "play_on", "resign", "claim_draw",
                     "hand_over", "sit", "think", "follow", "read_game"), Table),
    "hello": menu.Greeting, "search": Analysis, "explain": Explained, "compare": r.Measured,
    "tournament": r.Measured, "records": r.Records, "tune": r.Tuned, "patterns": Matched,
    "why_not": Reason, "why": Reason, "save_personality": FileShown, "read": FileText,
    "texts": Archive, "write": FileText, "check": Checked, "hover": Meaning,
    "complete": Completions, "write_game": GameText, "stop": Done, "hurry": Done,
    "pattern": PatternShown, "lit": Lit, "versus": Versus, "study": Study, "diff": Differed,
    "rename": Renamed, "new_name": Named, "learn": menu.Introduced, "parcel": Parcel,
}  # fmt: skip
"""The class of an answer; those of `personalities` and `files` are lists."""
LISTS: Mapping[str, type[Any]] = {
    "personalities": PersonalityShown, "files": FileShown, "curve": JudgedNode, "define": Where,
    "format": Edit, "draw": Edit, "claim": Edit, "recipe": Edit,
    "recipes": Recipe, "factors": FactorShown, "gallery": menu.GameCard,
}  # fmt: skip

_WRITER = Converter()
_WRITER.register_unstructure_hook_func(  # these are JSON already
    lambda kind: kind in (Any, SceneJson, SceneJson | None), lambda value: value
)


def as_json(answer: object) -> Json:
    """Convert an answer to JSON data."""
    return _WRITER.unstructure(answer)
