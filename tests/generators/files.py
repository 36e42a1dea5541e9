"""Random rules files: whole, small, and nearly all of them accepted by `check`.

Out: text in the one layout of rules files, with every part of the language: boards, kinds, options,
states, definitions, setups, moves, actions, turns and ends.
"""

from __future__ import annotations

from attrs import define, evolve, field
from hypothesis import strategies as st

from rulewright.model.expressions import Type
from tests.generators.bends import turned
from tests.generators.boards import WALKS, boards
from tests.generators.expressions import Expressions
from tests.generators.groups import groups, joining
from tests.generators.luck import THROW, dealt, eyes, throw
from tests.generators.moves import growth, move
from tests.generators.phrases import Name, Scope
from tests.generators.statements import ActionLine, Lines, StateLine, Statements, indented
from tests.generators.turns import course

_PLAYERS = (("red", "blue"), ("black", "white"))
_SEATED = (("red", "blue", "green"), ("solver",), ("red", "blue", "green", "white"))
_KINDS = (("stone",), ("man", "king"), ("stone", "wall"))
_SETS, _TRUTHS = "zone camp shore ring", "ready crowded lucky"
_FULL = ("win when no empty", "lose when count empty < 2", "draw when count empty < 3")
_NUMBERS, _FAMILIES = "tally lead weight", "rows parts"


@define
class _File:
    """A file under way: its sections so far, and what has been declared."""

    draw: st.DrawFn
    scope: Scope
    states: list[StateLine] = field(factory=list)
    actions: list[ActionLine] = field(factory=list)
    grows: bool = False
    """Whether pieces are only added, and who joins some sets wins."""
    lucky: bool = False
    """Whether chance decides something, and not all see everything."""

    @property
    def x(self) -> Expressions:
        return Expressions(self.draw, self.scope)

    @property
    def statements(self) -> Statements:
        return Statements(self.draw, self.scope, tuple(self.states), tuple(self.actions))

    def know(self, *names: Name) -> None:
        self.scope = self.scope.having(*names)

    # --- the board ---

    def board(self) -> Lines:
        """The board, in few files with another name for one of its sites, and the pieces."""
        shape, pieces = self.scope.board, f"pieces {', '.join(self._kinds())}"
        lines = shape.text.split("\n")
        if shape.shape != "graph" and self.x.chance(12):
            lines.append(f'label s in {shape.sites[0]} : "den"')
            self.scope = evolve(self.scope, board=evolve(shape, sites=shape.sites[1:]))
        return [*lines, pieces]

    def _kinds(self) -> Lines:
        """The kinds, with letters where there are none by default."""
        players = len(self.scope.players)
        if players < 3 or len(self.scope.kinds) == 1:
            return list(self.scope.kinds)
        letters = ("abcd", "wxyz")
        return [f'{k} "{s[:players]}"' for k, s in zip(self.scope.kinds, letters, strict=True)]

    def links(self) -> Lines:
        """A kind of link, in some files, and the steps along which it joins sites."""
        shape = self.scope.board
        if shape.layered or shape.wrapped or not self.x.chance(4):
            return []
        ways = [*WALKS[shape.shape], *(("leap(1, 2)",) if shape.shape == "square" else ())]
        way = self.x.pick([*ways, *([self.x.one_way()] * 2 if shape.steps else [])])
        self.scope = evolve(self.scope, links=("wire", "span"))
        return [f"let span = {way}", "links wire along span"]

    # --- definitions ---

    def options(self) -> Lines:
        """A number or a truth that is chosen when the game is loaded."""
        if not self.x.chance(5):
            return []
        if self.x.chance(2):
            self.know(Name("bold", Type.TRUTH))
            return [f"option bold = {self.x.pick(('true', 'false'))}"]
        self.know(Name("limit", Type.INT))
        return [f"option limit = {self.x.pick((2, 1, 3))} in 1..4"]

    def ways(self) -> Lines:
        """Directions and homes that differ between the players."""
        players = self.scope.players
        lines: Lines = []
        if self.scope.board.shape == "square" and self.x.chance(3):
            one, other = self.x.pick((("north", "south"), ("northeast", "southwest"),
                                      ("north or east", "south or west")))  # fmt: skip
            ways = (one, other, one, other)
            lines += [f"let ahead for {p} = {w}" for p, w in zip(players, ways, strict=False)]
            self.know(Name("ahead", Type.STEPS, sided=True))
        if self.scope.board.shape in ("square", "rhombus") and self.x.chance(3):
            homes = ("bottom", "top", "left", "right")
            lines += [f"let home for {p} = {h}" for p, h in zip(players, homes, strict=False)]
            self.know(Name("home", Type.SITES, sided=True))
        return lines

    def definitions(self) -> Lines:
        """Names for expressions, with and without parameters."""
        lines: Lines = []
        for _ in range(self.draw(st.integers(0, 3))):
            lines += self.x.pick((self._set, self._truth, self._number, self._family, self._near,
                                  self._good, self._turns))()  # fmt: skip
        return lines

    def _define(self, words: str, type_: Type, text: str, sided: bool, later: bool) -> Lines:
        word = self.scope.fresh(words)
        self.know(Name(word, type_, sided=sided, later=later))
        return [f"let {word} = {text}"]

    def _set(self) -> Lines:
        found = self.x.sites(2)
        return self._define(_SETS, Type.SITES, found.text, found.sided, found.later)

    def _truth(self) -> Lines:
        found = self.x.truth(2)
        return self._define(_TRUTHS, Type.TRUTH, found.text, found.sided, found.later)

    def _number(self) -> Lines:
        found = self.x.number(2)
        return self._define(_NUMBERS, Type.INT, found.text, found.sided, found.later)

    def _family(self) -> Lines:
        found = self.x.family(1)
        return self._define(_FAMILIES, Type.FAMILY, found.text, found.sided, found.later)

    def _near(self) -> Lines:
        """Sites by a parameter."""
        word = self.scope.fresh("beside beyond about")
        body = self.x.knowing(Name("s", Type.SITES)).sites(2)
        self.know(Name(word, Type.SITES, (Type.SITES,), body.sided, body.later))
        return [f"let {word}(s) = {body.text}"]

    def _good(self) -> Lines:
        """A condition with a parameter."""
        word = self.scope.fresh("good safe")
        body = self.x.knowing(Name("s", Type.SITE)).truth(2)
        self.know(Name(word, Type.TRUTH, (Type.SITE,), body.sided, body.later))
        return [f"let {word}(s) = {body.text}"]

    def _turns(self) -> Lines:
        """Steps with a parameter."""
        word = self.scope.fresh("turns bends")
        body = turned(self.x.knowing(Name("s", Type.SITE)))
        self.know(Name(word, Type.STEPS, (Type.SITE,), body.sided, body.later))
        return [f"let {word}(s) = {body.text}"]

    def memory(self) -> Lines:
        """States."""
        lines: Lines = []
        for _ in range(self.draw(st.integers(0, 2))):
            lines.append(self.x.pick((self._counter, self._flag, self._marked, self._table))())
        return lines

    def _declare(self, words: str, type_: Type, range_: tuple[int, int] | None = None) -> str:
        word = self.scope.fresh(words)
        each = self.x.chance(3)
        self.states.append(StateLine(word, type_, each, range_))
        self.know(Name(word, type_, sided=each, later=True))
        return f"{word}{' each' if each else ''}"

    def _kept(self) -> str:
        hidden = " hidden" if self.lucky and self.x.chance(4) else ""
        return self.x.pick(("", "", " within turn", " unseen")) + hidden

    def _carried(self, each: bool) -> str:
        """Of a state that says something of sites: what goes with pieces, in half of the files."""
        may_go = not each and not self.scope.board.stacked
        with_pieces = " with pieces" if may_go and self.x.chance(2) else ""
        return with_pieces + self._kept()

    def _counter(self) -> str:
        high = self.x.pick((3, 2, 9))
        bounded = not self.x.chance(4)
        word = self._declare("spent held bank", Type.INT, (0, high) if bounded else None)
        first = self.x.pick((0, 1, 2))
        return f"state {word} = {first}{f' in 0..{high}' if bounded else ''}{self._kept()}"

    def _table(self) -> str:
        """A table over the sites or over some numbers; the latter are asked modulo 4."""
        taken = {line.name for line in self.states}  # tables over numbers are no known names
        words = " ".join(word for word in ("heap", "pool", "stock") if word not in taken)
        word, each = self.scope.fresh(words), self.x.chance(3)
        over = self.x.pick(("sites", "sites", "numbers"))
        type_ = Type.TRUTH if over == "sites" and self.x.chance(3) else Type.INT
        self.states.append(StateLine(word, type_, each, None, over))
        if over == "sites":
            takes = Type.SITE if type_ is Type.TRUTH else Type.SITES
            self.know(Name(word, type_, (takes,), sided=each, later=True))
        site = self.scope.board.sites[0]
        truth = self.x.pick(("false", f"(s in {site})"))
        number = self.x.pick(("1", f"(2 if s in {site} else 0)"))
        first = {("sites", Type.TRUTH): truth, ("sites", Type.INT): f"{number} in 0..9"}
        index = "s in sites" if over == "sites" else "n in 0..3"
        head = f"state {word} each {'player, ' if each else ''}{index}"
        kept = self._carried(each) if over == "sites" else self._kept()
        return f"{head} = {first.get((over, type_), 'n in 0..9')}{kept}"

    def _flag(self) -> str:
        return f"state {self._declare('armed done', Type.TRUTH)} = false{self._kept()}"

    def _marked(self) -> str:
        first = self.x.pick(("nowhere", "nowhere", evolve(self, scope=evolve(
            self.scope, later=False)).x.sites(0).text))  # fmt: skip
        first = self.scope.kept(first)
        head = f"state {self._declare('last visited', Type.SITES)}"
        return f"{head} = {first}{self._carried(self.states[-1].each)}"

    # --- what is done ---

    def setup(self) -> Lines:
        """The first position; an empty board when shrunk."""
        if not self.draw(st.integers(0, 3)):
            return []
        lines = []
        for who in self.scope.players:
            lines.append(f"put {who} {self.x.pick(self.scope.kinds)} at {self._some_sites()}")
        if self.x.chance(4):
            lines.append(f"put nobody {self.scope.kinds[-1]} at {self.x.literal().text}")
        if self.scope.links and self.x.chance(2):
            way, site = self.scope.links[1], self.x.literal().text
            lines.append(f"link {site} to {way}({site})")
        if self.lucky and self.x.chance(2):
            lines = [*dealt(self.x, self.scope.players[0], self.scope.kinds[0]), *lines]
        return ["setup", *indented(lines)]

    def _some_sites(self) -> str:
        sites = self.draw(st.lists(st.sampled_from(self.scope.board.sites), min_size=1, max_size=3,
                                   unique=True))  # fmt: skip
        return " or ".join(sites)

    def doings(self) -> Lines:
        """An action, in some files."""
        if not self.x.chance(4):
            return []
        takes = self.x.pick(((Type.SITE,), (), (Type.SITES,), (Type.SITE, Type.INT)))
        words = {Type.SITE: "b", Type.SITES: "area", Type.INT: "n"}
        names = [Name(words[t], t) for t in takes]
        inner = self.statements.knowing(*names)
        body = [*inner.one(1), *inner.some(1)]
        if self.x.chance(6):
            body.append(f"need {inner.x.truth(1).text}")
        self.actions.append(ActionLine("arrive", takes))
        head = f"arrive({', '.join(n.text for n in names)})" if names else "arrive"
        return [f"action {head}", *indented(body)]

    def moves(self, names: list[str]) -> list[Lines]:
        """The moves; one that is marked writes its name's first letter."""
        marks = [self.x.pick(("", name[0])) if i else "" for i, name in enumerate(names)]
        pairs = enumerate(zip(names, marks, strict=True))
        return [move(self.statements, name, mark, i > 0) for i, (name, mark) in pairs]

    def growths(self, names: list[str]) -> list[Lines]:
        """Moves that only add pieces: what random games keep up to date can be kept."""
        return [growth(self.statements, name) for name in names]

    def closing(self) -> Lines:
        """What is done when a turn is over, in few files."""
        if self.grows or not self.x.chance(6):
            return []
        needs = (
            self.x.truth(1).text, "board_repeats < 2", "repeats = 0", "any own", "count own < 5",
        )  # fmt: skip
        body = [*self.statements.some(1), f"need {self.x.pick(needs)}"]
        return ["after turn", *indented(body if self.x.chance(2) else body[-1:])]

    def numbers(self) -> list[str]:
        """What `longest by` may compare: states and definitions that are numbers."""
        return [name.text for name in self.scope.of(Type.INT)]

    def together(self) -> Lines:
        """Whole turns written as one word, in few files."""
        return ["write turn together"] if self.x.chance(12) else []

    # --- ends ---

    def ends(self) -> Lines:
        """How the game ends, in any order; nearly always something is said of who is stuck."""
        ending = evolve(self, scope=evolve(self.scope, ends=True))
        race = [f"win when {joining(self.x).text}"] if self.grows else []
        lines = race + [ending._end() for _ in range(self.draw(st.integers(0, 3 - 2 * self.grows)))]
        if self.x.chance(4):
            lines.append(f"{self.x.pick(('win', 'lose'))} when stuck and {self.x.truth(1).text}")
        if not lines or not self.x.chance(20):
            last = (
                "draw when stuck",
                "lose when stuck",
                "score count own - count enemy when stuck",
            )
            lines.append(self.x.pick(last))
        if self.x.chance(5):
            back = f"repeats >= {self.x.pick((2, 1))}"
            claimed = self.x.pick((back, "no empty", "ply > 2", ending.x.truth(2).text))
            lines.insert(0, f"draw may be claimed when {claimed}")
        if self.x.chance(3):  # both an end and a player who is stuck come with a full board
            return [lines[-1], *lines[:-1], self.x.pick(_FULL)]
        return self.draw(st.permutations(lines))

    def _end(self) -> str:
        verdict = self.x.pick(("win", "lose", "draw", "score {}")).format(self.x.number(1).text)
        plain = (
            f"win when some(l in lines({self.x._length()}) : l in own)",
            f"draw when ply = {self.x.pick((12, 6))}",
            f"draw when repeats >= {self.x.pick((2, 1))}",
            "win when no enemy",
            "lose when no own",
            f"win when count own = {self.x.pick((4, 3))}",
            "score count own - count enemy when no empty",
            f"win when some(g in {groups(self.x, 0).text} : count g > 2)",
            f"win when {joining(self.x).text}",
            f"win when {joining(self.x).text}",
        )
        counters = [(s.name, s.range[1]) for s in self.states if s.range and not s.each]
        if counters and self.x.chance(3):
            name, most = self.x.pick(counters)
            return f"{verdict} when {name} = {most}"
        any_ = f"{verdict} when {self.x.truth(2).text}"
        late = f"{verdict} when ply > 3 and {self.x.truth(2).at(3)}"
        if self.x.chance(30):
            return "score count own / 2 - 1 when ply = 8"
        line = self.x.pick((*plain, late, late, any_))
        return line.replace(" when ", " after turn when ", 1) if self.x.chance(5) else line


@st.composite
def rule_files(
    draw: st.DrawFn,
    most_moves: int = 3,
    grows: bool | None = None,
    seated: bool = False,
    lucky: bool = False,
) -> str:
    """The text of a rules file with up to *most_moves* moves.

    *grows*: whether pieces are only added and joining sets wins; left open, one file in eight.
    *seated*: for one player, or for three or four.
    *lucky*: turns begin with a move of chance, set-ups are dealt, and states may be hidden.
    Nearly all are accepted; `rulewright.check` says why one is not.  Games may end at once, run
    for ever or meet a fault: a caller limits how far it plays.
    """
    players = draw(st.sampled_from(_SEATED if seated else _PLAYERS))
    kinds = draw(st.sampled_from(_KINDS))
    file = _File(draw, Scope(draw(boards()), players, kinds), lucky=lucky)
    file.grows = file.x.chance(8) if grows is None else grows
    names = ["go", "act", "leave"][: 1 if file.grows else draw(st.integers(1, most_moves))]
    sections = [
        ["format 1", "game sample"],
        [f"players {' '.join(players)}", *file.options()],
        [*file.board(), *file.links()],
        file.ways(),
        file.memory(),
        file.definitions(),
        file.setup(),
        file.doings(),
        eyes(file.x) if lucky else [],
        *(file.growths(names) if file.grows else file.moves(names)),
        throw(file.statements) if lucky else [],
        file.closing(),
        [*_thrown(course(draw, names, file.numbers()), lucky), *file.together()],
        file.ends(),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def _thrown(turns: Lines, lucky: bool) -> Lines:
    """Turn statements; chance makes the first move of each, where it decides anything."""
    heads = ("first turn ", "turn ")
    if not lucky:
        return turns
    parts = [next((h, line[len(h) :]) for h in heads if line.startswith(h)) for line in turns]
    return [
        f"{head}{THROW} ({rest})" if " " in rest else f"{head}{THROW} {rest}"
        for head, rest in parts
    ]
