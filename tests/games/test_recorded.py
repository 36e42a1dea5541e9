"""Files of recorded games: what is written is read back, mistakes are reported at their place."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from random import Random

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.language.diagnostics import TextError
from rulewright.matches.protocols import sgf, t1
from rulewright.matches.protocols.format_settings import formats, read
from rulewright.matches.protocols.points import Points
from rulewright.matches.protocols.recorded import Ending, Recorded
from tests.shared.effort import tries

GAMES: list[tuple[str, dict[str, object]]] = [
    ("twixt", {"size": 6}),
    ("twixt", {"width": 7, "height": 9, "paper": True}),
    ("twixt", {"size": 5, "pie": False}),
    ("hex", {"size": 4, "pie": True}),
    ("hex", {"width": 5, "height": 3}),
    ("go", {"size": 4, "komi": 3}),
    ("connect5", {"size": 6}),
    ("connect5", {"width": 5, "height": 7, "exact": True}),
]
T1_GAMES = GAMES[:3]
texts = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "Zs", "S")), max_size=12
).map(lambda text: " ".join(text.split()))


@cache
def loaded(name: str, **options: object) -> Game:
    """A game that all examples share, with what was compiled for it."""
    return rulewright.load(name, **options)  # type: ignore[arg-type]


def random_state(name: str, options: dict[str, object], seed: int, most: int) -> State:
    """A state some way into a random game; a swap is likely where there is one."""
    random, state = Random(seed), loaded(name, **options).start()
    while not state.over and len(state.decisions()) < most:
        likely = "swap" in state.moves and random.random() < 0.5
        state = state.play_decision("swap" if likely else random.choice(state.moves.texts))
    return state


@frozen
class Plan:
    """What a recorded game is made of; Hypothesis shows this, and not whole boards."""

    kind: tuple[str, dict[str, object]]
    seed: int
    most: int
    names: tuple[str, str]
    comments: dict[int, str]
    ending: int

    def recorded(self) -> Recorded:
        state = random_state(*self.kind, self.seed, self.most)
        played = len(state.decisions())
        comments = {number: text for number, text in self.comments.items() if number <= played}
        outside = ("resigned", "time", "forfeit")
        ends = [None, Ending("draw"), *(Ending(h, c) for h in outside for c in state.game.players)]
        ending = None if state.over else ends[self.ending]
        return Recorded(self.kind[0], state, self.names, ending, comments)


def plans(kinds: list[tuple[str, dict[str, object]]]) -> st.SearchStrategy[Plan]:
    comments = st.dictionaries(st.integers(0, 30), texts.filter(bool), max_size=3)
    return st.builds(
        Plan, st.sampled_from(kinds), st.integers(0, 2**32), st.integers(0, 30),
        st.tuples(texts, texts), comments, st.integers(0, 7),
    )  # fmt: skip


@settings(max_examples=tries(30), deadline=None)
@given(plans(GAMES))
def test_sgf_gives_back_what_was_written(plan: Plan) -> None:
    game = plan.recorded()
    again = sgf.read(sgf.write(game), "game.sgf")
    assert again.same(game)
    assert again.end.same(game.end)
    assert not again.left_out


@settings(max_examples=tries(30), deadline=None)
@given(plans(T1_GAMES), st.booleans())
def test_t1_gives_back_what_was_written(plan: Plan, turned: bool) -> None:
    game = plan.recorded()
    first, second = (name.replace("#", "").strip() for name in game.names)
    game = evolve(game, names=(first, second), notes={"starts": ("2",)} if turned else {})
    again = t1.read(t1.write(game), "game.T1")
    assert again.same(game)
    assert t1.write(again) == t1.write(game)


HEADS = st.fixed_dictionaries(
    {},
    optional={
        "kind 1": st.just(("C",)), "kind 2": st.just(("C",)), "letters": st.just(("H",)),
        "over": st.just(("Y",)), "PC": texts.filter(bool).map(lambda text: (text,)),
    },
)  # fmt: skip


@settings(max_examples=tries(40), deadline=None)
@given(plans(GAMES), HEADS)
def test_sgf_is_what_other_programs_read(plan: Plan, notes: dict[str, tuple[str, ...]]) -> None:
    mill = pytest.importorskip("sgfmill.sgf_grammar")
    game = evolve(plan.recorded(), notes=notes)
    data = sgf.write(game)
    root = mill.parse_sgf_game(data).sequence[0]
    assert all(re.fullmatch("[A-Z]{1,64}", name) for name in root)
    assert root["FF"] == [b"4"]
    again = sgf.read(data, "game.sgf")
    assert again.same(game)
    assert dict(again.notes) == notes


@frozen
class T1jGame:
    """What T1j has of a file: names, sizes, who is human, who begins, and the pegs."""

    names: tuple[str, str]
    height: int
    width: int
    humans: tuple[bool, bool]
    top_begins: bool
    pie: bool
    over: bool
    pegs: tuple[tuple[int, int], ...]


def number(text: str) -> int:
    """A number as Java reads it, of 32 bits."""
    if not re.fullmatch("[+-]?[0-9]+", text) or not -(2**31) <= int(text) < 2**31:
        raise ValueError(text)
    return int(text)


def t1j_reads(data: bytes) -> T1jGame:
    """T1j's reader, written anew from what its source does, line by line.

    What stands behind `#` is cut, blanks and controls at both ends too; empty lines are skipped.
    The version and the letters' direction are read over.  Sizes are moved into 12 to 36.  Java
    keeps the names in its preferences, which take 8,192 letters of 16 bits and no NUL.
    """
    cut = (line.partition("#")[0] for line in re.split("\r\n|\r|\n", data.decode()))
    lines = iter([line for raw in cut if (line := raw.strip("".join(map(chr, range(33)))))])
    next(lines)
    names = next(lines), next(lines)
    if any(len(n.encode("utf-16-le")) > 2 * 8192 or "\0" in n for n in names):
        raise ValueError("names")
    height, width = (min(max(number(next(lines)), 12), 36) for _ in range(2))
    humans = next(lines)[0] == "H", next(lines)[0] == "H"
    top_begins = next(lines)[0] == "1"
    next(lines)
    pie, over = next(lines)[0] == "Y", next(lines)[0] == "Y"
    pegs = tuple((ord(line[0]) - ord("A"), number(line[1:]) - 1) for line in lines)
    return T1jGame(names, height, width, humans, top_begins, pie, over, pegs)


T1J_GAMES: list[tuple[str, dict[str, object]]] = [
    ("twixt", {"size": 12}), ("twixt", {"width": 14, "height": 12, "pie": False}), T1_GAMES[0],
]  # fmt: skip
wild = st.text(max_size=12) | st.sampled_from(
    ["\0", "a\0b", "#", " \x1f", "\u2028", "\x85", "x" * 9000]
)


@settings(max_examples=tries(60), deadline=None)
@given(plans(T1J_GAMES), HEADS, st.tuples(wild, wild), wild, st.booleans())
def test_t1j_reads_what_is_written(
    plan: Plan, notes: dict[str, tuple[str, ...]], names: tuple[str, str], said: str, turned: bool
) -> None:
    head = {n: v for n, v in notes.items() if n != "PC"} | ({"starts": ("2",)} if turned else {})
    game = evolve(plan.recorded(), names=names, comments={0: said, 1: said}, notes=head)
    board, end = game.game.rules.board, game.end
    found = t1j_reads(t1.write(game))
    size = (board.width, board.height) if turned else (board.height, board.width)
    assert (found.height, found.width) == tuple(max(12, n) for n in size)
    assert found.humans == tuple(head.get(f"kind {n}") != ("C",) for n in (1, 2))
    assert found.top_begins != turned
    assert found.pie == game.game.options.get("pie", False)
    sites = [board.by_name[text] for text in end.decisions() if text != "swap"]
    pegs = [(board.columns[site], board.rows[site]) for site in sites]
    assert found.pegs == tuple((y, x) if turned else (x, y) for x, y in pegs)
    sides = names[:: -1 if turned ^ end.swapped else 1]
    for name, side, number_ in zip(found.names, sides, "12", strict=True):
        plain = " ".join(re.sub("[#\0-\x20]", " ", side).split())
        assert name == (plain[: len(name)] or f"Player {number_}")
        assert name == plain or len(plain) > 4000 or not plain


def test_a_game_with_a_computer_goes_through_sgf() -> None:
    played = rulewright.load("twixt").start().play("l12 k10")
    computer = Recorded("twixt", played, ("", "T1j"), notes={"kind 2": ("C",)})
    again = t1.read(t1.write(computer), "game.T1")
    assert again.names == ("", "T1j")
    assert sgf.read(sgf.write(again), "game.sgf").notes == {"kind 2": ("C",)}
    assert t1.write(sgf.read(sgf.write(again), "game.sgf")) == t1.write(computer)


def test_values_of_a_property_that_stands_twice_are_those_of_their_node() -> None:
    text = "(;FF[4]GM[11]SZ[11]PB[Ann];B[i3]C[one]N[x]C[two];W[k7]N[x])"
    game = sgf.read(text.encode(), "game.sgf")
    assert game.decisions == ("i3", "k7")
    wrong = text.replace("W[k7]", "W[k99]")
    with pytest.raises(RulewrightError) as refused:
        sgf.read(wrong.encode(), "game.sgf")
    assert f":1:{wrong.index('k99') + 1}" in str(refused.value)


@settings(max_examples=tries(30), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["hex", "twixt"]))
def test_a_swap_may_be_written_by_mirroring_what_follows(seed: int, name: str) -> None:
    state = random_state(name, {"size": 6, "pie": True}, seed, 12)
    points = Points(state.game)
    turned, nodes = False, []
    first, second = formats(state.game).sgf.colours
    for after in state.states()[1:]:
        assert after.before is not None
        colour = (first, second)[after.before.situation.position.mover ^ turned]
        word = {"hex": "swap-pieces", "twixt": "swap"}[name]
        text = word if after.move == "swap" else points.write(after.move, turned)
        nodes.append(f";{colour}[{text}]")
        turned ^= after.move == "swap"
    number = formats(state.game).sgf.game
    text = f"(;FF[4]GM[{number}]SZ[6]RWOPT[pie=true]{''.join(nodes)})"
    assert sgf.read(text.encode(), "game.sgf").decisions == tuple(state.decisions())


def test_a_file_of_little_golem_is_read() -> None:
    text = "(;FF[4]EV[a.b]PB[Ann]PW[Bob]SZ[12];b[dd];r[swap];b[ef];r[gh|draw];b[resign])"
    game = sgf.read(text.encode(), "game.tsgf", "twixt")
    assert game.decisions == ("d4", "swap", "f5", "h7")
    assert (game.names, game.ending) == (("Ann", "Bob"), Ending("resigned", "blue"))
    assert game.comments == {4: "a draw is offered"}
    assert game.notes == {"EV": ("a.b",)}


T1_FILE = """# File created by T1j
# T1j is a program to play TwixT
1 # version of file-format
Ann# Name of Player 1
# Name of Player 2
12# y-size of board
10# x-size of board
H# player 1 human or computer
C# player 2 human or computer
1# starting player (1 plays top-down)
V# Direction of letters
Y# pierule?
N# game already over?
D4
F5
"""


def test_a_file_of_t1j_is_read() -> None:
    game = t1.read(T1_FILE.encode(), "game.T1")
    board = game.game.rules.board
    assert (board.width, board.height) == (10, 12)
    assert game.decisions == ("d4", "f5")
    assert game.names == ("Ann", "")
    assert game.notes == {"kind 2": ("C",)}


def test_whoever_starts_in_t1j_the_first_player_joins_top_and_bottom_here() -> None:
    other = T1_FILE.replace("1# starting", "2# starting")
    game = t1.read(other.encode(), "game.T1")
    board = game.game.rules.board
    assert (board.width, board.height) == (12, 10)
    assert game.decisions == ("d4", "e6")
    assert game.names == ("", "Ann")


@pytest.mark.parametrize(
    ("text", "source", "place", "code", "message"),
    [
        ("no SGF", "", "1:1", "bad-record", "this is no SGF: no SGF data found"),
        ("(;GM[999];B[aa])", "", "1:6", "bad-record", "no game that is bundled has the number"),
        ("(;GM[4];B[aa])", "hex", "1:6", "bad-record", "this is game 4 of SGF, and hex is 11"),
        ("(;GM[11]\nSZ[big])", "", "2:4", "bad-record", "a size is a whole number"),
        ("(;GM[11]SZ[40])", "", "1:12", "bad-record", "option size must be in 1..25, not 40"),
        ("(;GM[1]SZ[9:7])", "", "1:11", "bad-record", "go is played on 9 by 9"),
        ("(;GM[11]SZ[5];B[a1]\n;W[a1])", "", "2:4", "illegal-move", "`a1` is not legal for blue"),
        ("(;GM[11]SZ[5];B[a1];B[b1])", "", "1:23", "illegal-move", "it is the turn of W (blue)"),
        ("(;GM[11]SZ[1];B[a1];W[b1])", "", "1:23", "illegal-move", "the game is over"),
        ("(;GM[11];B[b1];AB[a1])", "", "1:19", "bad-record", "set up in the middle of the game"),
        ("(;GM[21]AB[b1];B[c1])", "", "1:12", "bad-record", "twixt cannot be set up"),
        ("(;GM[1]SZ[5]AB[aa:zz])", "", "1:16", "bad-record", "`aa:zz` is no point"),
        ("(;CA[klingon]GM[1])", "", "1:6", "bad-record", "is written in klingon, and it cannot"),
        ("(;CA[ascii]GM[1]C[é])", "", "1:6", "bad-record", "written in ascii, and it cannot"),
    ],
)
def test_mistakes_in_sgf_have_a_place(
    text: str, source: str, place: str, code: str, message: str
) -> None:
    with pytest.raises(TextError) as caught:
        sgf.read(text.encode(), "game.sgf", source)
    (found,) = caught.value.diagnostics
    assert found.render().startswith(f"game.sgf:{place}: ")
    assert found.code == code
    assert message in found.message


@pytest.mark.parametrize(
    ("before", "after", "line", "code", "message"),
    [
        ("N# game already over?", "", 14, "bad-record", "game already over?: Y or N is expected"),
        ("12# y-size", "twelve# y-size", 6, "bad-record", "a whole number is expected"),
        ("10# x-size", "99# x-size", 7, "bad-record", "option width must be in 5..36, not 99"),
        ("D4", "L5", 14, "illegal-move", "`l5`"),
        ("F5", "D4", 15, "illegal-move", "is not legal for blue"),
        ("F5", "what?", 15, "illegal-move", "`what?` is no hole"),
    ],
)
def test_mistakes_in_files_of_t1j_have_a_place(
    before: str, after: str, line: int, code: str, message: str
) -> None:
    text = T1_FILE.replace(before, after)
    with pytest.raises(TextError) as caught:
        t1.read(text.encode(), "game.T1")
    (found,) = caught.value.diagnostics
    assert (found.place.line, found.code) == (line, code)
    assert message in found.message


@settings(max_examples=tries(60), deadline=None)
@given(st.integers(0, 400), st.integers(0, 400), st.binary(max_size=6))
def test_a_damaged_file_is_read_or_refused(start: int, length: int, noise: bytes) -> None:
    for text, reader in ((SGF_FILE, sgf.read), (T1_FILE, t1.read)):
        data = text.encode()
        data = data[:start] + noise + data[start + length % 40 :]
        with suppress(RulewrightError):
            assert reader(data, "game").end.game.name in ("hex", "twixt", "go")


SGF_FILE = (
    "(;FF[4]GM[11]SZ[5]PB[Ann \\] x]PW[Bob]C[well];B[a1]C[one];W[b2]MN[2](;B[c3])(;B[d4];W[a2]))"
)


def test_variations_stand_beside_the_main_line() -> None:
    game = sgf.read(SGF_FILE.encode(), "game.sgf")
    assert game.decisions == ("a1", "b2", "c3")
    assert [v.decisions for v in game.variations] == [("d4", "a2")]
    assert game.names == ("Ann ] x", "Bob")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("hex", "[sgf", "hex.toml is no TOML text"),
        ("hex", "[sfg]", "hex.toml: has no `sfg`; did you mean `sgf`?"),
        ("hex", "[sgf]\nnumber = 1", "[sgf] has no `number`"),
        ("hex", "[sgf]\ngame = 'eleven'", "sgf.game is a whole number from 1"),
        ("hex", "[sgf]\npoints = 'both'", "sgf.points is one of cells, letters"),
        ("hex", "[sgf]\ncolours = ['B', 'B']", "sgf.colours are two texts"),
        ("hex", "[t1]\npie = 'pies'", "names `pies`, which is no option of hex; did you mean"),
        ("hex", "[gomocup.rules]\n1 = { exact = true }", "names `exact`, which is no option"),
        ("hex", "sgf = 3", "hex.toml: sgf is a table"),
    ],
)
def test_mistakes_in_a_text_of_formats(name: str, text: str, message: str) -> None:
    with pytest.raises(RulewrightError) as caught:
        read(rulewright.load(name), f"{name}.toml", text.encode())
    assert message in str(caught.value)


def test_what_a_format_cannot_hold_is_refused() -> None:
    game = rulewright.load("twixt", size=8, removal=True, pie=False)
    moves = "c3 b2 d5 b4"
    state = game.start().play(moves)
    cut = next(move for move in state.moves.texts if "x" in move)
    longer = Recorded("twixt", state.play(cut))
    assert sgf.read(sgf.write(longer), "game.sgf").decisions[-1] == cut
    with pytest.raises(RulewrightError, match="is none"):
        t1.write(longer)
    with pytest.raises(RulewrightError, match="has no number in SGF"):
        sgf.write(Recorded("chess", rulewright.load("chess").start()))
    with pytest.raises(RulewrightError, match="has no files of T1j"):
        t1.write(Recorded("hex", rulewright.load("hex").start()))
    with pytest.raises(RulewrightError, match="at most 26"):
        t1.write(Recorded("twixt", rulewright.load("twixt", size=30).start()))
