"""What a position is: each part changed alone, and every comparison notices it or says why not.

The table in docs/design.md says the same in words.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
from attrs import evolve, fields, frozen

import rulewright
from rulewright.compiler.engine import Engine
from rulewright.errors import Fault
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.kernels import load_engine
from rulewright.games.engine.mirror_images import canonical, symmetries
from rulewright.games.engine.packed import PackedPosition
from rulewright.games.engine.position_words import Words
from rulewright.games.files.games import load, loads
from rulewright.model.rules import EMPTY
from rulewright.players.personality import Personality
from rulewright.reference.position import Position
from rulewright.search.solve import solve
from rulewright.search.thread_arrays import ThreadArrays
from tests.shared.backends import needs_llvm

RULES = """format 1
game parts
players red blue
board square 2 by 2 stacked 3
pieces man "mw", king "KQ"
links wire along near
state marked = nowhere
state mine each = 0 in 0..9
state hidden = 0 in 0..9 unseen
state passing = 0 in 0..9 within turn
move place
  choose cell in empty
  put man at cell
  marked := cell
  mine := mine + 1
  hidden := hidden + 1
  passing := passing + 1
move crown
  choose cell in own man
  put king at cell
  link cell to near(cell)
  again
move exchange
  swap sides
turn place (crown or exchange)?
draw when repeats >= 5 or ply > 30
draw may be claimed when repeats >= 3
draw when stuck
claim symmetric under mirror
"""
MARKED, MINE, HIDDEN, PASSING = range(4)


@cache
def game() -> Game:
    return loads(RULES)


@cache
def engine() -> Engine:
    found = load_engine(game(), "native")
    assert not isinstance(found, str)
    return found


def state_part(index: int, values: tuple[int, int]) -> Callable[[Position], Position]:
    def changed(position: Position) -> Position:
        states = (*position.states[:index], values, *position.states[index + 1 :])
        return evolve(position, states=states)

    return changed


def begun() -> Position:
    """A position in the middle of a turn, where a game could come to."""
    return game().start("reference").play("a1 - b2").situation.position


def earlier(position: Position) -> Position:
    """The position with one more that stood before it."""
    key = game().play.key(evolve(position, rest=EMPTY))
    return evolve(position, history=(key, position.history), past=position.past + 1)


CHANGES: dict[str, Callable[[Position], Position]] = {
    "owned": lambda p: evolve(p, owned=(p.owned[1], p.owned[0], p.owned[2])),
    "kinds": lambda p: evolve(p, kinds=(p.kinds[1], p.kinds[0])),
    "links": lambda p: evolve(p, links=(p.links[0] ^ 1,)),
    "piles": lambda p: evolve(p, piles=(p.piles[0], ((0, 0), *p.piles[1]), *p.piles[2:])),
    "states": state_part(MINE, (7, 1)),
    "states: of the other player": state_part(MINE, (1, 7)),
    "states: sites": state_part(MARKED, (3, 3)),
    "states: unseen": state_part(HIDDEN, (7, 7)),
    "states: within turn": state_part(PASSING, (7, 7)),
    "mover": lambda p: evolve(p, mover=1 - p.mover),
    "ply": lambda p: evolve(p, ply=p.ply + 1),
    "rest": lambda p: evolve(p, rest=game().rules.course),
    "fresh": lambda p: evolve(p, fresh=not p.fresh),
    "again": lambda p: evolve(p, again=not p.again),
    "swapped": lambda p: evolve(p, swapped=not p.swapped),
    "claimable": lambda p: evolve(p, claimable=not p.claimable),
    "history": earlier,
}
OF_HISTORY = {"history"}
"""What stood before is compared where the rules look back; else a position is known by itself."""


@frozen
class Comparison:
    """A comparison by what it makes of a position, and the parts that it leaves out on purpose."""

    of: Callable[[Position], Hashable]
    leaves_out: frozenset[str] = frozenset()


def state_of(position: Position, packed: bool = False) -> State:
    """A state of the reference, or one of machine code."""
    if not packed:
        return game().state(game().play.resume(position))
    engine()  # else the reference may play still: nothing says that compiling pays
    machine = game().machine
    assert machine is not None
    return State(game(), PackedPosition(machine, *machine.words.packed(position)), None, "")


def texts(position: Position) -> str:
    return state_of(position).text()


def table_key(position: Position, results: int = 0) -> int:
    worker = ThreadArrays(engine(), 1 << 10)
    worker.control.results = results
    worker.place(position)
    return int(worker.kernels["table_key"](*worker.arrays, 0))


COMPARISONS: dict[str, Comparison] = {
    "positions": Comparison(lambda p: p, frozenset(OF_HISTORY)),
    "`repeats`": Comparison(
        game().play.key,
        frozenset({"ply", "fresh", "swapped", "states: unseen", "claimable", *OF_HISTORY}),
    ),
    "`repeats` after a turn": Comparison(
        lambda p: game().play.key(evolve(p, rest=EMPTY)),
        frozenset({
            "ply", "fresh", "swapped", "states: unseen", "states: within turn", "rest", "claimable",
            *OF_HISTORY,
        }),
    ),
    "texts": Comparison(texts, frozenset(OF_HISTORY)),
    "openings": Comparison(
        lambda p: canonical(state_of(p), symmetries(game())), frozenset(OF_HISTORY)
    ),
    "words": Comparison(lambda p: tuple(engine().encode(p))),
    "packed words": Comparison(lambda p: Words(engine()).packed(p)[0]),
    "hashes of values": Comparison(table_key, frozenset({"claimable", *OF_HISTORY})),
    "hashes of results": Comparison(
        lambda p: table_key(p, 1), frozenset({"claimable", *OF_HISTORY})
    ),
}  # fmt: skip
"""What each leaves out does not matter to what it is for; docs/design.md says why."""


def test_every_part_of_a_position_is_changed() -> None:
    named = {name.partition(":")[0] for name in CHANGES}
    assert {one.name for one in fields(Position)} - {"past", "out"} == named  # `out` has its own


THREE = """format 1
game three
players red blue green
board square 2 by 2
pieces man
move place
  choose cell in empty
  put man at cell
turn place
lose when own meets corners and ply = 0
draw when repeats > 1 or no empty
"""


@needs_llvm
def test_comparisons_notice_who_is_out() -> None:
    three = loads(THREE)
    position = three.start("reference").play("a1").situation.position
    assert position.out == (0,)
    assert position.mover == 1
    other = evolve(position, out=(2,))
    kernels = Engine(three.play, "native", use_cache=False)
    texts_of = [three.state(three.play.resume(p)).text() for p in (position, other)]
    assert "players out: red" in texts_of[0]
    assert len({*texts_of}) == len({position, other}) == 2
    assert three.play.key(position) != three.play.key(other)
    assert kernels.encode(position) != kernels.encode(other)
    assert Words(kernels).position(*Words(kernels).packed(other)) == other
    assert three.read(texts_of[0]).situation.position == position


@needs_llvm
@pytest.mark.parametrize("part", CHANGES)
@pytest.mark.parametrize("name", COMPARISONS)
def test_comparisons_notice_what_they_do_not_leave_out(name: str, part: str) -> None:
    comparison, position = COMPARISONS[name], begun()
    changed = CHANGES[part](position)
    if part == "rest":
        position = evolve(position, fresh=False)
    alike = comparison.of(position) == comparison.of(changed)
    assert alike == (part in comparison.leaves_out)


@needs_llvm
@pytest.mark.parametrize("part", CHANGES)
@pytest.mark.parametrize("packed", list(product((False, True), repeat=2)))
def test_states_differ_in_every_part(part: str, packed: tuple[bool, bool]) -> None:
    """Also where one is the reference's and the other one of machine code."""
    one = state_of(begun(), packed[0])
    assert one == state_of(begun(), packed[1])
    assert hash(one) == hash(state_of(begun(), packed[1]))
    other = state_of(CHANGES[part](begun()), packed[1])
    assert one != other
    assert one.same(other) == (part in OF_HISTORY)


# --- decisions that are written alike ---

ALIKE = """format 1
game alike
players red blue
board square 1 by 2
pieces man
state seen = 0 in 0..9 unseen
move stay
  choose c in empty
  put man at c
move change
  choose c in empty
  put man at c
{effects}
  write "{{c}}"
turn stay or change
{end}
"""
EFFECTS = {
    "swapped": "  swap sides",
    "again": "  again",
    "states": "  seen := 1",
    "kinds, owned": "  put enemy man at c",
}


@pytest.mark.parametrize("effects", EFFECTS.values(), ids=EFFECTS)
def test_two_decisions_that_are_written_alike_and_differ_are_a_fault(effects: str) -> None:
    """One of them vanished, and what was proven of the other was told of both."""
    text = ALIKE.format(effects=effects, end="lose when stuck")
    for backend in ("reference", "llvm"):
        with pytest.raises(Fault, match="two different decisions are written `a2`"):
            _ = loads(text).start(backend).moves.texts
    with pytest.raises(Fault, match="two different decisions are written"):
        solve(loads(text).start())


def test_two_decisions_that_are_written_alike_and_do_the_same_are_one() -> None:
    text = ALIKE.format(effects="  seen := 0", end="lose when stuck")
    assert list(loads(text).start().moves.texts) == ["a2", "a1"]


# --- values that ask for more than results depend on ---

DATED = """format 1
game dated
players red blue
board square 3 by 1
pieces man
setup
  put red man at a1
  put blue man at c1
move step
  choose a in own
  choose b in near(a) empty
  move a to b
move wait
turn wait or (step step)
draw when stuck
"""
EVALUATOR = """format 1
evaluator dated for dated
let worth = [3, 7, 0, 3, 7, 4, 2, 4, 4, 7, 9, 7]
value of position for mover = worth(ply) * (1 if ply mod 2 = 0 else 0 - 1)
"""
PERSONALITY = """format 1
personality dated for dated
use dated
search alphabeta, depth 9 decisions
"""


@needs_llvm
def test_a_value_that_asks_how_many_turns_are_finished(tmp_path: Path) -> None:
    """The rules do not ask, so the table took a position after two turns for the one after one."""
    for name, text in (("rules", DATED), ("eval", EVALUATOR), ("personality", PERSONALITY)):
        (tmp_path / f"dated.{name}").write_text(text, "utf-8")
    start = load(tmp_path / "dated.rules").start()
    player = Personality.load(tmp_path / "dated.personality", start.game)
    scores = [
        {
            text: line and line.score
            for text, line in evolve(player, native=native)
            .root(start, random=Random(0), exact=True)
            .items()
        }
        for native in (True, False)
    ]
    assert scores[0] == scores[1]


NAMED_AS_FIELDS = """format 1
game words
players red blue
board square 3 by 3
pieces stone
state over = 0 in 0..9
state rest each = 0 in 0..9
state claimable = false
move place
  choose cell in empty
  put stone at cell
  over := over + 1
  rest := 3
  claimable := true
turn place
draw when over = 3
"""


def test_states_called_as_other_lines_read_back() -> None:
    game = rulewright.loads(NAMED_AS_FIELDS)
    state = game.start().play("a1 b1")
    assert "state over: 2" in state.text()
    assert "state rest: red 3, blue 3" in state.text()
    again = game.read(state.text())
    assert (again.text(), again.moves.texts) == (state.text(), state.moves.texts)
    ended = state.play("c1")
    assert str(game.read(ended.text()).result) == str(ended.result)


def test_chance_is_no_player() -> None:
    report = rulewright.check(NAMED_AS_FIELDS.replace("red blue", "red chance"))
    assert "no player is called" in report.diagnostics[0].message
