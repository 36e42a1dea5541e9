"""Personalities: an evaluator with factor values, a search, and how a decision is chosen."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import field, frozen

from rulewright.ground.records import Unchanging
from rulewright.model.evaluation import Evaluator, Factor
from rulewright.model.patterns import Patterns
from rulewright.model.rules import Origin, Untested, place_of

Number = int | float


@frozen
class SearchKind(Unchanging):
    """A kind of search and the settings it takes; those `needed` must be given."""

    settings: tuple[str, ...]
    needed: tuple[str, ...] = ()
    values: str = "any"
    """The values that it takes: of `position`s, of `move`s, `any` of them, or `none`."""


KINDS: dict[str, SearchKind] = {
    "one_ply": SearchKind(("time", "ends")),
    "minimax": SearchKind(("depth", "time", "nodes", "ends"), ("depth",), "position"),
    "alphabeta": SearchKind(("depth", "time", "nodes", "prove", "ends"), ("depth",), "position"),
    "maxn": SearchKind(("depth", "time", "nodes"), ("depth",), "position"),
    "paranoid": SearchKind(("depth", "time", "nodes"), ("depth",), "position"),
    "beam": SearchKind(("breadth", "depth", "trim", "fade", "time"), ("breadth", "depth"), "move"),
    "mcts": SearchKind(("time", "nodes", "rave", "explore"), (), "none"),
    "random": SearchKind((), (), "none"),
}
"""The searches there are."""
FOR_TWO = ("minimax", "alphabeta", "beam")
"""Those that know of one or two players."""
FOR_SEVERAL = ("maxn", "paranoid")
"""Those that know of more; of two alone they are alpha-beta."""


@frozen
class SettingKind(Unchanging):
    """The units of a setting, the one meant where none is said first, and its range."""

    units: tuple[str, ...] = ()
    least: Number = 0
    most: Number = 0


SETTINGS: dict[str, SettingKind] = {
    "depth": SettingKind(("decisions", "turns"), 1, 100),
    "time": SettingKind(("s",), 0.001, 86_400),
    "trim": SettingKind(("%",), -1, 1),
    "fade": SettingKind(("%",), -1, 1),
    "breadth": SettingKind(("nodes",), 1, 100_000),
    "nodes": SettingKind(("nodes",), 1, 10**15),
    "prove": SettingKind(("%",), 0.01, 0.9),
    "rave": SettingKind(("games",), 0, 1_000_000),
    "explore": SettingKind(("%",), 0, 10),
    "ends": SettingKind(),
}
"""The settings that searches take."""


@frozen
class Setting(Unchanging):
    """A setting of a search: a number, a word, or (`factor`) what a factor says."""

    name: str
    value: Number | str
    unit: str = ""
    factor: int | None = None


@frozen
class Search(Unchanging):
    """A kind of search with its settings."""

    kind: str
    settings: tuple[Setting, ...] = ()

    def setting(self, name: str) -> Setting | None:
        """The setting of that name, if it is given."""
        return next((s for s in self.settings if s.name == name), None)


@frozen
class PickCondition(Unchanging):
    """`if VALUE >= n`: compares the first part of best values; `second` is a number or a value."""

    first: str
    sign: str
    second: Number | str

    def __str__(self) -> str:
        second = self.second if isinstance(self.second, str) else number_text(self.second)
        return f"{self.first} {self.sign} {second}"


@frozen
class Pick(Unchanging):
    """One way to choose: `best` by a value, `first` or `random`, if a condition holds."""

    how: str
    value: str = ""
    condition: PickCondition | None = None

    def __str__(self) -> str:
        when = f"if {self.condition}" if self.condition is not None else ""
        return " ".join(word for word in ("pick", self.how, self.value, when) if word)


def number_text(number: Number) -> str:
    """A number as files have it: one that is not whole never looks whole, nor has an exponent."""
    return str(number) if isinstance(number, int) else f"{number:f}".rstrip("0") + "0"


MOST_CONSIDERED = 1000
"""Decisions that patterns may leave at the most."""


@frozen
class Consider(Unchanging):
    """Patterns that narrow the decisions to the best `most`.

    Where none fires the first `fallback` decisions are looked at, all if that is 0.
    """

    patterns: Patterns
    most: int = MOST_CONSIDERED
    fallback: int = 0

    @property
    def otherwise(self) -> str:
        """The word for the decisions that are searched where no pattern fires."""
        return "one" if self.fallback else "all"


MOST_FOLLOWED = 32
"""Forcing decisions that are followed one behind the other, at the most."""


HEAVIEST = 1000
"""The largest weight of a decision in random games."""


@frozen
class Guidance(Unchanging):
    """How the text leads a search: names of values of its evaluator, empty where it names none."""

    forcing: str = ""
    """Decisions worth more than 0 extend the search at its horizon (quiescence search)."""
    reach: int = 8
    """Plies of that extension, at the most."""
    order: str = ""
    """Move ordering: decisions worth more are searched first."""
    passing: str = ""
    """Null move: where the position is worth more than 0, a pass may already exceed beta."""
    late: bool = False
    """Late move reductions: decisions late in the order are searched less deep at first."""
    bold: bool = False
    """Near the horizon late decisions, and those that the evaluator gives no hope, are left out."""
    must: str = ""
    """Where decisions are worth more than 0, no others are searched."""
    threats: str = ""
    """A threat-space search, before all else, looks for a win by decisions worth more than 0."""
    consider: str = ""
    """Where decisions are worth more than 0, only the best `most` of them are searched."""
    most: int = MOST_CONSIDERED
    policy: str = ""
    """The weight of a decision in random games (playouts), from 0 to `heaviest`."""
    heaviest: int = 1
    replies: tuple[str, ...] = ()
    """Lines of the evaluator that playouts ask before they draw a decision by weight."""
    drawn: str = ""
    """A position with another value than 0 is a draw, and is not searched."""
    decided: str = ""
    """A position is won for the value's player where it is above 0, lost where it is below."""
    hopeless: str = ""
    """In proofs: above 0 the value's player can no longer win, below 0 the other one cannot."""


BELIEVED = ("must", "drawn", "decided", "hopeless")
"""The words of a text that a proof may take for true."""


@frozen
class Belief(Unchanging):
    """A word of a personality that a proof rests on: its value, and where it stands."""

    word: str
    value: str
    personality: str
    place: str = ""

    def as_data(self) -> dict[str, str]:
        """The belief as plain data, without its place."""
        return {"word": self.word, "value": self.value, "personality": self.personality}


HEAVIEST = 1_000_000
"""The greatest weight of a decision in a book."""


@frozen
class BookLine(Unchanging):
    """The decisions of a book after some moves, each with its weight."""

    after: str
    choices: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        choices = ", ".join(f'"{decision}" {weight}' for decision, weight in self.choices)
        return f'book after "{self.after}" {choices}'


@frozen
class Opening(Unchanging):
    """The first turns of a player: so many `random` ones, given ones, or lines of the evaluator.

    The lines of a `book` go before all others.
    """

    random: int = 0
    unit: str = "turns"
    turns: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    book: tuple[BookLine, ...] = ()


RESERVED = {
    "random": "the player that plays any legal decision",
    "computer": "the search that knows the rules alone",
    "search": "the plain search",
    "human": "a player at the keyboard",
}
"""Names of players that every game has; no personality of a file may be called so."""


@frozen
class Personality(Unchanging):
    """A whole personality; `given` are the factors that it or what it extends has set."""

    name: str
    game: str
    evaluator: Evaluator | None
    factors: tuple[Number, ...]
    search: Search
    picks: tuple[Pick, ...]
    prefer: tuple[str, ...]
    ties: str
    opening: Opening
    factor_settings: dict[str, Number] = field(factory=dict, eq=False)
    about: str = ""
    untested: tuple[Untested, ...] = field(default=(), eq=False)
    places: tuple[Origin, ...] = field(default=(), eq=False, repr=False)
    consider: Consider | None = None
    guidance: Guidance = Guidance()
    leading: dict[str, Origin] = field(factory=dict, eq=False, repr=False)
    """The places of the words in `BELIEVED`, those of extended personalities included."""

    def beliefs(self, words: Iterable[str]) -> tuple[Belief, ...]:
        """These words as it has them."""
        words_by_role = ((word, str(getattr(self.guidance, word))) for word in words)
        return tuple(
            Belief(word, value, self.name, self._place(word))
            for word, value in words_by_role
            if value
        )

    def _place(self, word: str) -> str:
        origin = self.leading.get(word)
        return place_of(origin) if origin else ""

    @property
    def believed_in_play(self) -> tuple[Belief, ...]:
        """The words on which a win or loss may rest that its search finds in a game.

        A search does not take the others for proofs: it values what they name, and no more.
        """
        led = self.search.kind in ("minimax", "alphabeta")
        return self.beliefs(("must",)) if led else ()

    @property
    def values_asked(self) -> set[str]:
        """The values for which a decision may be searched: those of its picks."""
        named = {pick.value for pick in self.picks if pick.how == "best"}
        conditions = [pick.condition for pick in self.picks if pick.condition is not None]
        return named | {v for c in conditions for v in (c.first, c.second) if isinstance(v, str)}

    def factor_values(self) -> tuple[tuple[Factor, Number], ...]:
        """Return each factor of the evaluator with its value; empty without an evaluator."""
        return (
            tuple(zip(self.evaluator.factors, self.factors, strict=True)) if self.evaluator else ()
        )

    def number(self, name: str) -> Number | None:
        """The value of a numeric setting of the search."""
        setting = self.search.setting(name)
        if setting is None or (isinstance(setting.value, str) and setting.factor is None):
            return None
        if setting.factor is not None:
            return self.factors[setting.factor]
        assert not isinstance(setting.value, str)
        return setting.value


def any_decision(game: str) -> Personality:
    """The player `random` of a game."""
    picks, search = (Pick("random"),), Search("random")
    return Personality("random", game, None, (), search, picks, (), "random", Opening())
