"""The scope of a file: its names, its board, its definitions, and the mistakes that are reported.

Functions of the other modules read syntax in a `Scope` and give expressions of the model.  Here
names are declared and found missing; an unknown name is reported with the name that was probably
meant.  Uses of names are found in the syntax, so that a mistake elsewhere cannot hide one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, Self, TypeAlias

from attrs import Factory, define, field

from rulewright.ground.records import Record, names_of, record
from rulewright.language import elsewhere, syntax
from rulewright.language.diagnostics import Collector, nearest, offer
from rulewright.language.resolve.cost import Measures, longest_line
from rulewright.language.source import Source, Span
from rulewright.model.board import Board
from rulewright.model.expressions import OPERATIONS, Const, Expr, Function, Local, Type, Value
from rulewright.model.rules import Origin, StateVariable
from rulewright.model.walk import content
from rulewright.reference.evaluate import evaluate
from rulewright.reference.position import Context

REGIONS = ("border", "corners", "top", "bottom", "left", "right")
_COMPASS = "north northeast east southeast south southwest west northwest"
STEP_NAMES = (*_COMPASS.split(), "up", "down", "orthogonal", "diagonal", "around", "near")

_WORDS = {name: row.takes for name, row in OPERATIONS.items() if row.word == "rules"}
VALUES = tuple(name for name, takes in _WORDS.items() if not takes)
"""Names that are an operation without arguments."""
CONSTANTS = ("sites", "nowhere", "sides", "true", "false", "mover", *REGIONS, *STEP_NAMES)

LEAPS = ("leap", "stride")
FUNCTIONS = (*(name for name, takes in _WORDS.items() if takes), *LEAPS)
"""Names that are an operation on arguments, and the leaps."""
DEFAULTS = {"groups": "near", "reach": "near", "crossed": "sites"}
"""What the last argument of a function stands for where it is left out."""
QUANTIFIERS = ("some", "every", "those", "count", "sum", "max", "min")
PLAYER_WORDS = ("own", "enemy", "mover", "nobody", "none")
PLAYER_LISTS = ("players", "others")
"""Lists of players that a local name may run over."""
SYMMETRIES = ("mirror", "flip", "half", "quarter", "diagonal")

NEVER_CALLED = frozenset({"to", "at", "by", "from", "along", "when", "where", "score"})
"""Words that may be names and are words of statements before a bracket: `move a to (b)`."""

_OF_PLAYERS = (*PLAYER_WORDS, *PLAYER_LISTS, "next")
BUILT_IN = frozenset((*VALUES, *CONSTANTS, *FUNCTIONS, *QUANTIFIERS, *_OF_PLAYERS))
"""Names that the language knows."""
YIELDING = frozenset({"height", "up", "down", "z", "layer", *PLAYER_LISTS, "next"})
"""Built-in names that a file may give to something else, as files did before there were these."""
RESERVED = BUILT_IN - YIELDING
"""Names that a file cannot give to something else."""


_MOST_VALUES = 5_000
"""Values of definitions that are kept."""
_SURELY = 0.8
"""How near a name of the file must be to be meant rather than a word of elsewhere."""
_VALUES = ("set, value or definition", "function")
"""What has too many names for a hint to list them, and names that other languages have, too."""
_SITE = re.compile(r"[a-z]{1,2}\d{1,3}")


@record
class Declared(Record):
    """A name of the file: its kind (`let`, `state`, ...), its number among those, its nodes."""

    kind: str
    index: int
    name: syntax.Name
    nodes: tuple[Any, ...]


@define(repr=False, eq=False)
class Locals(Record):
    """The local names of one body, and how many places it needs."""

    names: dict[str, Local] = field(factory=dict)
    spans: dict[str, Span] = field(factory=dict)
    size: int = 0

    def add(self, name: syntax.Name, type_: Type) -> Local:
        """A place for a new local name."""
        local = Local(type_, self.size)
        self.size += 1
        self.names[name.text] = local
        self.spans[name.text] = name.span
        return local


@record
class Home(Record):
    """Where a borrowed definition stands: its text, and the names that it can see."""

    source: Source
    declared: dict[str, Declared]


@define(eq=False)
class ReadingEffort:
    """What reading one text has taken so far; `limits` says how much it may take."""

    level: int = 0
    """Expressions inside each other, at this moment."""
    nodes: int = 0
    steps: int = 0
    """Elementary steps of the constants worked out."""
    tabulated: int = 0
    """Elementary steps of the tables of definitions."""
    is_too_deep: bool = False
    """Whether it is reported that expressions are nested too deeply."""


@define(eq=False)
class WorkedOut:
    """What definitions are worth without a position, by the contents of their expressions.

    A value is worked out once on one board for all texts that stand on it, and for all states of a
    text that is edited; definitions count by what they mean.
    """

    _values: dict[Any, Value] = field(factory=dict)
    _meanings: dict[Any, int] = field(factory=dict)

    def value(self, body: Expr, context: Context, numbers: dict[int, int]) -> Value:
        """The value of *body*; *numbers* are the meanings of the context's definitions so far.

        Raises the `Fault` of the expression.
        """

        def meaning(number: int) -> int:
            if number not in numbers:
                function = context.functions[number]
                bodies = tuple(content(part, meaning) for part in function.bodies)
                key = function.parameters, function.slots, bodies
                numbers[number] = self._meanings.setdefault(key, len(self._meanings))
            return numbers[number]

        key = context.view, tuple(context.frame), content(body, meaning)
        if key not in self._values:
            if len(self._values) > _MOST_VALUES:
                self._values.clear()
            self._values[key] = evaluate(body, context)
        return self._values[key]


@define(repr=False, eq=False)
class Scope(Record):
    """What is known of one file while it is read, and where its mistakes are reported."""

    source: Source
    report: Collector
    excused: set[str]
    mentioned: set[str]
    missing: set[str]
    """Statements that faulty lines were meant to be; their absence is not reported again."""
    readers: Readers
    """The functions that read expressions of the syntax, by their kind."""
    own_words: frozenset[str] = frozenset()
    """Built-in names that only this kind of file has."""
    homes: dict[str, Home] = field(factory=dict)
    """The names that are borrowed from other files."""
    declared: dict[str, Declared] = field(factory=dict)
    moves: dict[str, Declared] = field(factory=dict)
    uses: dict[str, dict[Span, None]] = field(factory=dict)
    """The places of names but those of moves, whose names others may have, too."""
    move_uses: dict[str, dict[Span, None]] = field(factory=dict)
    doubtful: set[str] = field(factory=set)
    """Names that are given to two things; which of them is meant nobody knows."""
    origins: list[Origin] = field(factory=list)
    """The places the model refers to."""
    _origin_at: dict[tuple[str, int], int] = field(factory=dict)

    board: Board | None = None
    whole: Board | None = None
    """The board before `where` cut sites out of it."""
    of_board: set[str] = field(factory=set)
    """Definitions that `where` used: on the whole board, which they may speak of."""
    board_known: bool = True
    shape_known: bool = True
    settings_given: bool = False
    """Whether a caller has set options: his board may be smaller than the lines of a file."""
    players: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    """Players of other numbers of players than the one that options have chosen."""
    bound_players: dict[str, int] = field(factory=dict)
    """Local names that stand for a player while what they run over is read once for each."""
    kinds: tuple[str, ...] = ()
    options: dict[str, Const] = field(factory=dict)
    """The values of options so far, of unknown type where that was reported."""
    states: dict[str, StateVariable] = field(factory=dict)
    state_types: dict[int, Type] = field(factory=dict)
    in_end: bool = False
    """Whether an end of the game is read, which may ask for `stuck` and `repeats`."""
    after_turn: bool = False
    """Whether the block `after turn` is read, which may ask for `repeats`."""
    stateless: str = ""
    """What is read just now that cannot look at a state."""

    functions: list[Function] = field(factory=list)
    measures: Measures = Factory(lambda self: Measures(self.functions), takes_self=True)
    instances: dict[Signature, tuple[int, Type]] = field(factory=dict)
    """Definitions by the types of their arguments: the function, and the type of its value."""
    instantiated: set[str] = field(factory=set)
    """Definitions that were read for some types."""
    resolving: list[str] = field(factory=list)
    """Definitions, scans and paths that are being read, each inside the one before."""
    leaps: set[tuple[int, int]] = field(factory=set)
    worked_out: WorkedOut = field(factory=WorkedOut)
    meanings: dict[int, int] = field(factory=dict)
    """What `worked_out` calls the functions of this file."""
    effort: ReadingEffort = field(factory=ReadingEffort)

    def __attrs_post_init__(self) -> None:
        self.origins.append(Origin(self.source.name, 0))

    @classmethod
    def of(cls, tree: Tree, source: Source, report: Collector, readers: Readers) -> Self:
        """The scope of a file; what cannot be read in it is excused."""
        excused, mentioned = {*tree.excused, ""}, {*tree.excused, *tree.mentioned}
        return cls(source, report, excused, mentioned, set(tree.missing), readers)

    @property
    def views(self) -> range:
        """The players by number; two where what is wrong with `players` is reported."""
        return range(len(self.players) or 2)

    @property
    def nobody(self) -> int:
        """The owner of neutral pieces."""
        return max(2, len(self.views))

    @contextmanager
    def binding(self, name: str, player: int) -> Iterator[None]:
        """Let a local name stand for a player."""
        outer = self.bound_players
        self.bound_players = {**outer, name: player}
        try:
            yield
        finally:
            self.bound_players = outer

    @contextmanager
    def unbound(self) -> Iterator[None]:
        """Read a definition, which sees no local names of where it is used."""
        outer, self.bound_players = self.bound_players, {}
        try:
            yield
        finally:
            self.bound_players = outer

    def stand_on(self, board: Board) -> None:
        """Take *board* as the board; what was worked out for another one is dropped."""
        if board is self.board:
            return
        self.board, self.worked_out = board, WorkedOut()
        self.functions.clear()
        for table in (self.instances, self.instantiated, self.leaps, self.meanings):
            table.clear()
        self.measures.forget()
        self.measures.sites, self.measures.longest = board.count, longest_line(board)
        self.measures.pile = board.stacked

    def complain(self, code: str, node: syntax.Node | Span, message: str, hint: str = "") -> None:
        """Report a mistake at *node*."""
        span = node if isinstance(node, Span) else node.span
        self.source.report(self.report, code, span, message, hint)

    def text_of(self, node: syntax.Node) -> str:
        """The text of *node* as it stands in the file."""
        return self.source.text[node.span.start : node.span.end]

    def origin(self, node: syntax.Node) -> int:
        """The number by which the model refers to the line of *node*."""
        place = self.source.place(node.span)
        key = (place.file, place.line)
        if key not in self._origin_at:
            self._origin_at[key] = len(self.origins)
            text, _, about = (part.strip() for part in place.excerpt.partition("#"))
            self.origins.append(Origin(place.file, place.line, text, about))
        return self._origin_at[key]

    @contextmanager
    def inside(self, name: str, node: syntax.Node) -> Iterator[None]:
        """Read a definition where it stands; *node* is where it is used."""
        home = self.homes.get(name)
        if home is None or home.source is self.source:
            yield
            return
        outer = self.source, self.declared, self.report
        self.source, self.declared, self.report = home.source, home.declared, Collector()
        yield
        inner = self.report
        self.source, self.declared, self.report = outer
        if inner.failed:
            first = inner.diagnostics[0]
            message = f"`{name}` cannot be used like this: {first.message}"
            self.complain(first.code, node, message, f"it is defined in {home.source.name}")

    @contextmanager
    def where(self, name: str) -> Iterator[None]:
        """Read a definition that nothing uses: mistakes are reported in the text it stands in."""
        home, outer = self.homes.get(name), self.source
        self.source = outer if home is None else home.source
        yield
        self.source = outer

    def declare(self, kind: str, name: syntax.Name, nodes: tuple[Any, ...], index: int) -> None:
        """Add a name of the file; report one that is taken."""
        names = self.moves if kind == "move" else self.declared
        if not name.text:
            return
        if name.text in self.own_words:
            message = f"`{name.text}` is a built-in name, so it cannot be given to something else"
            self.refuse("reserved-word", name, message)
        elif name.text in self.homes:
            message = f"`{name.text}` is a name of {self.homes[name.text].source.name} already"
            self.refuse("defined-twice", name, message)
        elif kind == "player" and name.text == "chance":
            message = "`chance` decides what no player decides, so no player is called `chance`"
            self.refuse("reserved-word", name, message)
        elif kind in ("let", "action") and name.text in NEVER_CALLED:
            message = f"`{name.text}` cannot be called: before a bracket it is a word of statements"
            self.refuse("reserved-word", name, message)
        elif kind != "move" and name.text in RESERVED:
            message = f"`{name.text}` is a built-in name, so it cannot be given to {a(kind)}"
            self.refuse("reserved-word", name, message)
        elif name.text in names:
            other = names[name.text]
            line = self.source.mention(other.name.span)
            message = f"`{name.text}` is already {a(other.kind)}, declared in {line}"
            self.refuse("defined-twice", name, message)
        else:
            names[name.text] = Declared(kind, index, name, nodes)

    def refuse(self, code: str, name: syntax.Name, message: str) -> None:
        """Report a name that cannot be declared; its later uses are not reported."""
        self.complain(code, name, message, "choose another name")
        self.doubtful.add(name.text)
        self.mentioned.add(name.text)

    def use(self, name: syntax.Name) -> None:
        """Note that *name* is used where it stands."""
        self.uses.setdefault(name.text, {})[name.span] = None

    def check_local(self, name: syntax.Name, frame: Locals) -> bool:
        """Whether *name* may be a new local name; reports it if not."""
        if name.text in RESERVED:
            message = f"`{name.text}` is a built-in name, so it cannot be a local name"
            self.complain("reserved-word", name, message, "choose another name")
            frame.add(name, Type.UNKNOWN)  # so that lines which use it are not complained of too
            return False
        hides = name.text in (*frame.names, *self.declared, *self.bound_players)
        if hides:
            message = f"`{name.text}` already means something here"
            self.complain("defined-twice", name, message, "choose another name")
        return not hides

    def unknown(self, name: syntax.Name, noun: str, names: Iterable[str], hint: str = "") -> None:
        """Report a name that stands for nothing, unless a faulty line may have defined it."""
        if name.text in self.excused or name.text in self.doubtful:
            return
        words = [] if self.report.hopeless else [*names]
        words = [] if name.text in words else words
        close = nearest(name.text, words)
        own = get_close_matches(name.text, self.declared, 1, _SURELY)
        habit = "" if own or noun not in _VALUES else elsewhere.of_name(name.text)
        self.mentioned.add(close)
        hint = habit or ("" if close else hint)
        if not hint and words and (close or noun not in _VALUES):
            hint = offer(name.text, words)
        self.complain("unknown-name", name, f"no {noun} is called `{name.text}`", hint)

    def visible(self, frame: Locals) -> set[str]:
        """Every name an expression could use."""
        return {*frame.names, *self.declared, *self.doubtful, *BUILT_IN, *self.own_words}


Tree: TypeAlias = "syntax.Rules | syntax.Evaluator | syntax.Personality | syntax.Look"
Signature: TypeAlias = tuple[str, tuple[Type, ...]]
Reader: TypeAlias = Callable[[Any, Any, Locals], Expr]
Readers: TypeAlias = Mapping[type[syntax.Node], Reader]

UNKNOWN = Const(Type.UNKNOWN, 0)
"""Stands in for an expression that was reported; its type fits everywhere."""


def a(kind: str) -> str:
    """A kind of name with its article: `a move`, `an option`."""
    if kind == "let":
        return "a definition"
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def looks_like_site(text: str) -> bool:
    """Whether *text* has the form of a site's name, such as `e4`."""
    return bool(_SITE.fullmatch(text))


def is_unknown(*expressions: Expr) -> bool:
    """Whether any expression stands in for one that was reported."""
    return any(e.type is Type.UNKNOWN for e in expressions)


def outside(value: object, low: int | None, high: int | None) -> bool:
    """Whether *value* is a number that lies outside a range that is known."""
    if not isinstance(value, int) or low is None or high is None:
        return False
    return not low <= value <= high


_FIELDS: dict[type[Any], tuple[str, ...]] = {}


def _fields(kind: type[syntax.Node]) -> tuple[str, ...]:
    """The fields of a node that can hold a use of a name."""
    if kind not in _FIELDS:
        roles = syntax.roles(kind)
        unused = {"span", "depth", *(name for name, role in roles.items() if not role.is_use)}
        _FIELDS[kind] = tuple(name for name in names_of(kind) if name not in unused)
    return _FIELDS[kind]


def in_chains(nodes: Sequence[Any]) -> Iterator[list[Any]]:
    """Each statement alone; an `if` together with the `else if` and `else` that follow it."""
    chains: list[list[Any]] = []
    for node in nodes:
        follows = isinstance(node, syntax.If) and node.word != "if" and chains
        if follows and isinstance(chains[-1][0], syntax.If):
            chains[-1].append(node)
        else:
            chains.append([node])
    yield from chains


def names_used(*nodes: object) -> Iterator[str]:
    """Every name that *nodes* look at."""
    todo: list[Any] = list(nodes)
    while todo:
        node = todo.pop()
        if isinstance(node, syntax.Name):
            yield node.text
        elif isinstance(node, tuple | list):
            todo += node
        elif isinstance(node, syntax.Call) and node.name.text in QUANTIFIERS:
            todo += [_domain(a) for a in node.arguments] if node.body else node.arguments
            todo.append(node.body)
        elif isinstance(node, syntax.Node):
            todo += [getattr(node, name) for name in _fields(type(node))]


def _domain(argument: syntax.Expr) -> syntax.Expr:
    """The set of `x in X`, without the variable."""
    binds = isinstance(argument, syntax.Binary) and isinstance(argument.left, syntax.Name)
    return argument.right if binds and isinstance(argument, syntax.Binary) else argument


def marks_of(pattern: syntax.RayPattern) -> Iterator[syntax.Name]:
    """The names that the marks of a ray declare."""
    for node in syntax.nodes(pattern):
        if isinstance(node, syntax.Marked) and node.name is not None:
            yield node.name


def moves_named(course: syntax.Course) -> Iterator[syntax.Name]:
    """The moves of a turn."""
    for node in syntax.nodes(course):
        if isinstance(node, syntax.OneMove):
            yield node.name


def players_named(*nodes: object) -> Iterator[str]:
    """Every word that stands where only a player can."""
    for node in syntax.nodes(*nodes):
        if isinstance(node, syntax.Viewed):
            yield node.player.text
        if isinstance(node, syntax.Put | syntax.Let | syntax.Assign) and node.player is not None:
            yield node.player.text


def kinds_named(*nodes: object) -> Iterator[str]:
    """Every word that stands where only a kind of piece can."""
    for node in syntax.nodes(*nodes):
        if isinstance(node, syntax.Put):
            yield node.kind.text


def declared_by(node: syntax.Effect) -> Iterator[str]:
    """The local names that a statement in the wrong place would have declared."""
    if isinstance(node, syntax.Choose | syntax.Let):
        yield node.name.text
    if isinstance(node, syntax.ChooseRay):
        yield from (mark.text for mark in marks_of(node.ray.pattern))
