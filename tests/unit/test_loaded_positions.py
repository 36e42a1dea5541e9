"""Positions that are loaded: an end that holds in them counts, no counter is bent to its range."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import State, load, loads
from rulewright.app.cli import main
from rulewright.app.studio import messages as m
from rulewright.app.studio.desk import Desk
from rulewright.errors import PositionError
from rulewright.matches.protocols.fen import Fen
from tests.shared.effort import tries

CHESS = load("chess")
BOARD = """8 {black}. . . . . k .
7 . . . . . p p p
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 . . . . . . . .
1 {white}. . . . . K .
  a b c d e f g h

mover: {mover}
ply: 170
fresh: nowhere
ghost: nowhere
quiet: {quiet}
"""


def text(quiet: int, mated: bool = False) -> str:
    white, black = (". ", "R ") if mated else ("R ", ". ")
    mover = "black" if mated else "white"
    return BOARD.format(white=white, black=black, mover=mover, quiet=quiet)


def from_fen(quiet: int, mated: bool = False) -> State:
    board = f"{'R5k1' if mated else '6k1'}/5ppp/8/8/8/8/8/{'6K1' if mated else 'R5K1'}"
    return Fen(CHESS).read(f"{board} {'b' if mated else 'w'} - - {quiet} 86".split())


def from_text(quiet: int, mated: bool = False) -> State:
    return CHESS.read(text(quiet, mated))


def on_the_desk(quiet: int, mated: bool = False) -> State:
    desk = Desk()
    desk._open(m.OpenGame(game="chess", position=text(quiet, mated)))
    return desk.tree.state


DOORS: list[Callable[..., State]] = [from_fen, from_text, on_the_desk]


@pytest.mark.parametrize("door", DOORS)
def test_an_end_that_holds_counts(door: Callable[..., State]) -> None:
    assert door(99).result is None
    assert not door(99).claimable
    assert door(100).claimable
    assert door(149).claimable
    assert not door(149).over
    over = door(150)
    assert over.result is not None
    assert (over.result.winner, over.result.rule) == (None, "draw when quiet >= 150")
    assert not over.moves
    assert not over.claimable


@pytest.mark.parametrize("door", DOORS)
def test_mate_goes_before_what_stands_below_it(door: Callable[..., State]) -> None:
    for quiet in (0, 149, 150):
        result = door(quiet, mated=True).result
        assert result is not None
        assert result.winner == "white"


@pytest.mark.parametrize("door", DOORS)
def test_a_counter_beyond_its_range_is_refused(door: Callable[..., State]) -> None:
    with pytest.raises(PositionError, match="`quiet` is a number from 0 to 150, not 151"):
        door(151)


@pytest.mark.parametrize("quiet", [100, 150])
def test_what_was_loaded_is_printed_and_read_again(quiet: int) -> None:
    state = from_text(quiet)
    again = CHESS.read(state.text())
    assert (again, str(again.result)) == (state, str(state.result))


@pytest.mark.parametrize("command", ["show", "moves", "best", "solve", "perft"])
def test_commands_refuse_a_counter_beyond_its_range(
    command: str, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path_factory.mktemp("positions") / "late.txt"
    file.write_text(text(151), "utf-8")
    more = ["--depth", "1"] if command == "perft" else []
    assert main([command, "chess", "--position", str(file), *more]) == 2
    assert "line 15: `quiet` is a number from 0 to 150" in capsys.readouterr().err


ROW = """format 1
game row
players red blue
board square 3 by 3
pieces stone
move place
  choose cell in empty
  put stone at cell
turn place
{ends}
draw when stuck
"""


def test_own_is_who_moved_last() -> None:
    board = "3 R R R\n2 B B .\n1 . . .\n  a b c\n\nmover: blue\nply: 5\n"
    won = loads(ROW.format(ends="win when some(l in lines(3) : l in own)"))
    assert str(won.read(board).result).startswith("red wins")
    assert won.read(board.replace("R R R", "R R .")).result is None
    late = loads(ROW.format(ends="draw when ply = 4"))
    assert late.read(board).result is not None
    assert late.read(board.replace("ply: 5", "ply: 6")).result is None


def test_the_first_position_is_no_end() -> None:
    game = loads(ROW.format(ends="win when no enemy"))
    assert game.read(game.start().text()).result is None
    assert game.start().result is None


SPENT = """format 1
game spent
players red blue
board square 3 by 3
pieces stone
state spent = {first} in 0..2 within turn
state loud = {loud} within turn
let worn = spent = {when}
move place
  choose cell in empty
  put stone at cell
  spent := (spent + 1) mod 3
  loud := cell in corners
turn place place?
{ends}
draw when stuck
"""
ENDS = (
    "lose when worn",
    "win when worn or own meets b2",
    "win when own meets b2 or worn",
    "draw when worn and own meets b2",
    "draw when count own > 2 and (loud or any own a1)",
    "win when spent * 2 = 4",
    "score spent - 1 when count own > 2",
    "draw may be claimed when worn",
)


@given(data=st.data())
@settings(max_examples=tries(15), deadline=None)
def test_the_text_of_a_game_that_goes_on_is_no_end(data: st.DataObject) -> None:
    """What a turn left in its states is gone when the next one begins, and no end is made of it."""
    draw = data.draw
    ends = draw(st.lists(st.sampled_from(ENDS), min_size=1, max_size=3, unique=True))
    game = loads(
        SPENT.format(
            first=draw(st.integers(0, 2)), when=draw(st.integers(0, 2)),
            loud=draw(st.sampled_from(("true", "false"))), ends="\n".join(ends),
        ),
        backend="reference",
    )  # fmt: skip
    state = game.start()
    while moves := [move for move in state.moves.texts if move != "-"]:
        state = state.play_decision(draw(st.sampled_from(moves)))
        again = game.read(state.text())
        assert (again, str(again.result)) == (state, str(state.result))


def test_half_of_an_end_that_is_known_counts() -> None:
    board = "3 . . .\n2 . R .\n1 . . B\n  a b c\n\nmover: blue\nply: 1\nspent: 2\nloud: no\n"
    either = SPENT.format(first=2, when=2, loud="false", ends="win when worn or own meets b2")
    both = SPENT.format(first=2, when=2, loud="false", ends="win when worn and own meets b2")
    assert str(loads(either).read(board).result).startswith("red wins")
    assert loads(both).read(board).result is None
