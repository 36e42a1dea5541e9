"""PDN files: numbers and names of sites, captures that are written short, positions, results."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.errors import MoveError, RulewrightError
from rulewright.language.diagnostics import TextError
from rulewright.matches.protocols import pdn
from rulewright.matches.protocols.format_settings import bundled_with, formats
from rulewright.matches.protocols.recorded import Ending, Recorded, Variation
from tests.shared.effort import tries

HEAD = '[White "Ann"]\n[Black "Bob"]\n'
GAMES = sorted(bundled_with("pdn"))


def read(text: str, source: str = "") -> Recorded:
    (part,) = pdn.parts(text.encode().splitlines(keepends=True), "game.pdn", source)
    return part.read()


def notation(name: str) -> pdn.PdnNotation:
    game = rulewright.load(name)
    style = formats(game).pdn
    assert style is not None
    return pdn.PdnNotation(game, style)


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("internationaldraughts", {"b10": "1", "j10": "5", "b4": "31", "i1": "50"}),
        ("draughts", {"g1": "1", "a1": "4", "h2": "5", "b8": "32"}),
        ("russiandraughts", {"a1": "a1", "h8": "h8"}),
    ],
)
def test_sites_are_counted_from_the_corner_that_the_text_says(
    name: str, numbers: dict[str, str]
) -> None:
    written = notation(name)
    assert {site: written.number(site) for site in numbers} == numbers
    assert {written.site(text) for text in numbers.values()} == set(numbers)


def test_all_that_stands_beside_moves_is_kept() -> None:
    game = read(
        HEAD + '[Event "Cup"]\n[GameType "20"]\n\n{a} 1. 32-28 $1 19-23 {b} (1... 18-23 2. 38-32)'
        " 2. 28x19 14x23 2-0\n"
    )
    assert game.source == "internationaldraughts"
    assert game.end.turns() == ["d4-e5", "g7-f6", "e5xg7 g7.", "h8xf6 f6."]
    assert game.names == ("Ann", "Bob")
    assert game.notes == {"Event": ("Cup",)}
    assert game.comments == {0: "a", 2: "b"}
    assert game.marks == {1: {"NAG": ("1",)}}
    assert [(v.at, len(v.decisions)) for v in game.variations] == [(1, 2)]
    assert str(game.ending) == "black lost"
    assert read(pdn.write(game).decode()).same(game)


def test_the_names_are_in_the_order_of_who_begins() -> None:
    game = read(HEAD + '[Result "1-0"]\n\n1. 11-15 23-19 1-0\n')
    assert (game.source, game.names) == ("draughts", ("Bob", "Ann"))
    assert str(game.ending) == "black lost"  # 1-0 is White's win, who is second here


@pytest.mark.parametrize(
    ("first", "name"),
    [
        ("32-28", "internationaldraughts"), ("9-14", "draughts"), ("c3-d4", "russiandraughts"),
        ("d3-d4", "turkishdraughts"),
    ],
)  # fmt: skip
def test_the_first_move_says_which_game_it_is(first: str, name: str) -> None:
    assert read(f"1. {first} *\n").source == name


def test_captures_leave_out_what_no_other_has() -> None:
    text = '[GameType "20"]\n[FEN "W:W26:B21,12,13,23"]\n\n1. {} *\n'
    whole = read(text.format("26x17x8x19x28"))
    for short in ("26x28", "26x8x28", "26x12x28", "26:28", "26-17-28"):
        assert read(text.format(short)).decisions == whole.decisions
    with pytest.raises(TextError, match="`26x7x28` is not legal for white here; legal: 26x17x8"):
        read(text.format("26x7x28"))


def test_captures_that_differ_must_say_which() -> None:
    """A man goes to d6 on the left or on the right of two squares."""
    n = notation("draughts").number
    men = ",".join(map(n, ("c3", "c5", "e3", "e5")))
    head = f'[GameType "21"]\n[FEN "B:B{n("d2")}:W{men}"]\n\n'
    with pytest.raises(TextError, match="`7x23` is 7x14x23 or 7x16x23: say which is meant"):
        read(f"{head}1. {n('d2')}x{n('d6')} *\n")
    for over, way in (("b4", "d2xb4 b4xd6"), ("e5", "d2xf4 f4xd6")):
        game = read(f"{head}1. {n('d2')}x{n(over)}x{n('d6')} *\n")
        assert game.end.turns() == [way]
        assert read(pdn.write(game).decode()).same(game)


def test_ways_that_end_alike_are_not_distinguished() -> None:
    """A circle in either direction takes the same men."""
    game = read('[GameType "25"]\n[FEN "W:Wd2,a1:Bc3,c5,e3,e5,h8"]\n\n1. d2:d2 *\n')
    assert len(game.decisions) == 5
    assert read(pdn.write(game).decode()).same(game)


def test_a_file_may_write_sites_in_another_way_than_the_text() -> None:
    game = read('[GameType "25,W,8,8,N2,0"]\n\n1. 22-18 *\n')
    assert game.decisions == ("c3-d4",)
    with pytest.raises(TextError, match=r"pdn:1:12: russiandraughts is W,8,8,A0,0"):
        read('[GameType "25,W,10,10,N2,0"]\n\n1. 22-18 *\n')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[GameType "22"]\n\n1. 32-28 *\n', r"pdn:1:12: no game that is bundled is of type 22"),
        ('[FEN "X:W1"]\n[GameType "20"]\n\n*\n', r"pdn:1:7: `X` is no colour"),
        ('[FEN "W:W51"]\n[GameType "20"]\n\n*\n', r"pdn:1:7: `51` is no site"),
        ('[GameType "20"]\n\n1. 32-27 19-20 *\n', r"pdn:3:10: `19-20` is not legal for black"),
        ('[GameType "20"]\n\n1. 32x *\n', r"pdn:3:4: `` is no site"),
        ("1. e9-e5 *\n", r"pdn:1:1: there is no tag GameType, and the first move is none"),
        ('[GameType "20"]\n\n1. 32-28 (19-23 *\n', r"a variation is not closed"),
    ],
)
def test_mistakes_are_reported_at_their_places(text: str, message: str) -> None:
    with pytest.raises(TextError, match=message):
        read(text)


def test_a_result_is_compared_with_the_rules() -> None:
    head = '[GameType "20"]\n[FEN "W:W28:B23"]\n\n1. 28x19 '
    assert read(head + "2-0\n").doubts == ()
    (doubt,) = read(head + "1-1\n").doubts
    assert doubt.startswith("the file says 1-1, and by the rules it is: white wins")


def test_half_a_turn_is_not_written() -> None:
    state = read('[GameType "20"]\n[FEN "W:W26:B21,12,5"]\n\n*\n').end
    with pytest.raises(RulewrightError, match="whole turns, and the last one is not finished"):
        pdn.write(Recorded("internationaldraughts", state.play_decision(state.moves.texts[0])))


def test_a_variation_inside_a_turn_is_written_as_a_whole_turn() -> None:
    state = read('[GameType "20"]\n[FEN "W:W26:B21,12,13,5"]\n\n*\n').end
    ways = {way[:2]: way for way in (tuple(d) for d, _ in state.whole_turns())}
    played = max(ways.values(), key=len)
    end = state
    for decision in played:
        end = end.play_decision(decision)
    other = played[1:]
    game = Recorded("internationaldraughts", end, variations=(Variation(1, other),))
    again = read(pdn.write(game).decode())
    assert [(v.at, v.decisions) for v in again.variations] == [(0, played)]


@settings(max_examples=tries(12), deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 2**32), st.integers(1, 60))
def test_random_games_are_given_back(name: str, seed: int, turns: int) -> None:
    random, state = Random(seed), rulewright.load(name).start()
    while not state.over and (state.ply < turns or not state.turn_begins):
        state = state.play_decision(random.choice(state.moves.texts))
    ending = None if state.over else Ending("lost", state.game.players[seed % 2])
    game = Recorded(name, state, ("Ann", 'Bob "B"'), ending, {1: "{a}"} if state.ply else {})
    again = read(pdn.write(game).decode())
    assert again.decisions == game.decisions
    assert (again.names, again.ending) == (game.names, game.ending)


@settings(max_examples=tries(12), deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_positions_are_given_back(name: str, seed: int) -> None:
    random, state = Random(seed), rulewright.load(name).start()
    for _ in range(random.randrange(80)):
        if not state.over:
            state = state.play_decision(random.choice(state.moves.texts))
    written, position = notation(name), state.situation.position
    with suppress(RulewrightError):  # a chain of jumps that goes on
        text = pdn.write_position(written, position)
        assert pdn.read_position(written, text).situation.position == position


@settings(deadline=None)
@given(st.text('32-28x:17KWB()[]{}.!?$* \n"', max_size=60))
def test_any_text_is_read_or_refused_at_a_place(text: str) -> None:
    lines = ('[GameType "20"]\n\n' + text).encode().splitlines(keepends=True)
    for part in pdn.parts(lines, "game.pdn"):
        with suppress(TextError):
            assert part.read().source == "internationaldraughts"


def test_a_move_may_be_read_by_numbers_with_a_nought() -> None:
    state = rulewright.load("draughts").start()
    assert (
        notation("draughts")
        .played(state, "09-14")[-1]
        .same(notation("draughts").played(state, "9-14")[-1])
    )
    with pytest.raises(MoveError):
        notation("draughts").played(state, "9-15")
