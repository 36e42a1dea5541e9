"""Looks: each mistake once, what a look becomes, and that none ever stops a game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from attrs import evolve

from rulewright.games.engine.game import Game
from rulewright.games.files.catalog import LOOK, load_look
from rulewright.games.files.dresser import LookPreview
from rulewright.games.files.games import load
from rulewright.games.files.kinds import FileContext, Report, check_file
from rulewright.games.files.looks import dress, shown_by_look
from rulewright.games.render.amounts import die_place
from rulewright.games.render.default_dressing import default_dressing
from rulewright.games.render.dressing import Dressing
from rulewright.games.render.scene_building import drawing_of_rules
from rulewright.games.render.svg import scene_svg
from rulewright.language.diagnostics import TextError, errors
from rulewright.model.look import Look
from tests.shared.dressings import HEAD, base


def report(lines: str, game: str = "chess") -> Report[Look]:
    return check_file(LOOK, "plain.look", f"{HEAD.format(game)}{lines}\n".encode())


def messages(lines: str, game: str = "chess") -> list[tuple[str, str, str]]:
    return [(d.code, d.message, d.hint) for d in report(lines, game).diagnostics]


# --- mistakes ---


@pytest.mark.parametrize(
    ("game", "line", "code", "part"),
    [
        ("chess", "side withe is red", "unknown-name", "did you mean `white`?"),
        ("chess", "side white is rod", "unknown-name", "did you mean `red`?"),
        ("chess", "board chekered bone, sage", "unknown-word", "did you mean `checkered`?"),
        ("chess", "board checkered bone, sagge", "unknown-name", "did you mean `sage`?"),
        ("chess", 'colour moss = "8FAE9F"', "bad-colour", "a colour is written"),
        ("chess", 'colour red = "#8FAE9F"', "defined-twice", "there is a colour `red` already"),
        ("chess", "piece kign as king", "unknown-name", "did you mean `king`?"),
        ("chess", "piece king as kign", "unknown-word", "did you mean `king`?"),
        ("chess", "piece king as wedge with kanji_kign", "unknown-word", "`kanji_king`?"),
        ("chess", "piece king as disc with lion", "unknown-word", "`disc` bears no sign"),
        ("chess", "piece king for red as king", "unknown-name", "no player is called `red`"),
        ("chess", 'piece king as path "<script>"', "bad-picture", "this is no outline"),
        ("chess", "ground at own as dot in ink", "not-constant", "depends on the position"),
        ("chess", "piece king at 3 as king", "wrong-type", "a set of sites is needed here"),
        ("chess", 'ground at corners as path "url(#a)"', "bad-picture", "this is no outline"),
        ("chess", 'ground at own as path "M0 0H9V9z"', "not-constant", "depends on the position"),
        ("chess", "pile at corners as heap", "unknown-word", "expected down, left, right"),
        ("chess", "pile at own as up", "not-constant", "depends on the position"),
        ("chess", "numbers as sead in ink", "unknown-word", "did you mean `seed`?"),
        ("chess", "board cells bone\nnumbers as seed in cream", "low-contrast", "`cream` is hard"),
        ("chess", "label s in sites as north(s)", "wrong-type", "a whole number is needed here"),
        ("chess", "label s in sites as count own", "not-constant", "depends on the position"),
        ("chess", "label s in sites as 1 div (x(s) - x(s))", "arithmetic", "zero"),
        ("chess", "show 1 as card beside board", "wrong-type", "a set of sites is needed here"),
        ("chess", "show own from own as card beside board", "not-constant", "on the position"),
        ("chess", "dice own at corners", "wrong-type", "a whole number is needed here"),
        ("chess", "dice 1 at own", "not-constant", "depends on the position"),
        ("chess", "dice 1 div (count own - count own) at corners", "arithmetic", "start"),
        ("chess", "pitch z 1 5", "unknown-word", "expected x or y"),
        ("chess", "pitch x 1 500", "out-of-range", "from 1 to 100"),
        ("chess", f"pitch x {'1 ' * 65}", "too-large", "at most 64 widths"),
        ("chess", "view from nobodi", "unknown-name", "did you mean `nobody`?"),
        ("chess", "view turned 360", "out-of-range", "from 0 to 359"),
        ("chess", "coordinates insid", "unknown-word", "did you mean `inside`?"),
        ("chess", "mark thread as fill", "unknown-word", "did you mean `threat`?"),
        ("chess", "mark threat as fil", "unknown-word", "did you mean `fill`?"),
        ("chess", "mark threat at 3 as fill", "wrong-type", "a set of sites is needed here"),
        ("chess", "animate leap as hop", "unknown-name", "no move is called `leap`"),
        ("chess", "animate jump as hopp", "unknown-word", "did you mean `hop`?"),
        ("chess", "show count own as numbr beside players", "unknown-word", "`number`?"),
        ("chess", "show own as number beside players", "wrong-type", "a whole number is needed"),
        ("chess", "show 1 as number beside plaiers", "unknown-name", "`players`?"),
        ("chess", "show 1 as pawn beside players means promot", "unknown-name", "`promote`?"),
        ("chess", 'word jmp "knight"', "unknown-name", "did you mean `jump`?"),
        ("chess", 'refuse jmp "no"', "unknown-name", "did you mean `jump`?"),
        ("chess", 'button jmp "no"', "unknown-name", "did you mean `jump`?"),
        ("chess", "click s in own means jump", "not-constant", "depends on the position"),
        ("chess", "links rope as rod", "unknown-name", "no link is called `rope`"),
        ("twixt", "links bridge as rodd", "unknown-word", "did you mean `rod`?"),
        ("twixt", "links bridge as rod 0", "out-of-range", "from 1 to 100"),
        ("dots", "ground at edges as gap from h11 to h12", "", ""),
        ("dots", "ground at s in edges as gap from border to s", "off-board", "goes to one site"),
        ("dots", "piece stroke as bar from h11 to h12", "missing-statement", "needs the sites"),
        ("chess", 'thumbnail after "e2e5"', "illegal-move", "the thumbnail cannot be"),
        ("chess", "titel \"Chess\"", "unknown-statement", "did you mean `title`?"),
        ("chess", 'caption "Chess"', "unknown-statement", "did you mean `title`?"),
        ("chess", "title Chess", "syntax", "a text"),
        ("chess", 'title "a"\ntitle "b"', "repeated-statement", "a second time"),
        ("chess", "extends woodd", "unknown-name", "there is no look `woodd`"),
        ("chess", "let unused = 1", "unused-name", "is never used"),
        ("chess", "show 1 div (count own - count own) as bar beside board", "arithmetic", "start"),
    ],
)  # fmt: skip
def test_each_mistake_is_reported_once_with_its_place(
    game: str, line: str, code: str, part: str
) -> None:
    told = messages(line, game)
    assert [c for c, _, _ in told] == ([code] if code else [])
    assert all(part in f"{message} {hint}" for _, message, hint in told)


def test_a_look_holds_without_the_line_that_has_a_mistake() -> None:
    read = report('title "Chess"\nboard chekered bone\npiece king as man\npiece qeen as man')
    assert not read.ok
    look = read.loaded()
    assert look.texts == {"title": "Chess"}
    assert [piece.kind for piece in look.pieces] == ["king"]


def test_a_line_that_builds_on_a_mistake_is_left_out_without_a_word() -> None:
    read = report('colour moss = "green"\nside white is moss\nboard cells moss\npitch x 1 2')
    assert [d.code for d in read.diagnostics] == ["bad-colour"]
    look, game = read.loaded(), load("chess")
    assert dress(look, game, base(game)) == evolve(base(game), name="plain", columns=(1, 2))


def test_a_file_without_a_head_or_for_another_game_is_no_look() -> None:
    for text in (b"", b'format 1\ntitle "x"\n', b"format 1\nlook x for chesss\n"):
        with pytest.raises(TextError):
            check_file(LOOK, "x.look", text).loaded()
    other = check_file(LOOK, "x.look", b"format 1\nlook x for go\n", FileContext(load("chess")))
    assert [d.code for d in other.diagnostics] == ["other-game"]


def test_work_over_the_budget_is_a_mistake_of_its_line() -> None:
    never = "a = b and b = c and a <> c"
    slow = f"those(a in sites : some(b in sites : some(c in sites : {never})))"
    for line in (f"ground at {slow} as dot", f"mark threat at {slow} as fill"):
        read = report(f'{line}\ntell "x"', "go")
        assert [d.code for d in errors(read.diagnostics)] == ["too-large"]
        assert read.loaded().texts == {"tell": "x"}


# --- warnings ---


def test_pieces_that_nobody_sees_are_warned_of() -> None:
    colours = 'colour a = "#808080"\ncolour b = "#909090" dark "#000000"\n'
    ((code, message, _),) = messages(f"{colours}board cells a\nside white is b")
    assert code == "low-contrast"
    assert "`b` is hard to see on `a` in the light theme" in message
    assert messages(f"{colours}board cells a\nside white is white") == []


def test_sides_of_one_outline_are_warned_of() -> None:
    path = 'path "M 0 0 L 9 9"'
    assert [c for c, _, _ in messages(f"piece king as {path}")] == ["colour-alone"]
    mended = f'piece king as {path}\npiece king for black as path "M 0 9 L 9 0"'
    assert messages(mended) == []


def test_a_forgotten_kind_is_warned_of() -> None:
    """A `span` has no bundled drawing of its name, and a dot has one."""
    assert [c for c, _, _ in messages("piece dot as dot", "spanit")] == ["no-drawing"]
    assert messages("piece span as bar", "spanit") == []


# --- what a look becomes ---


def dressed(game: Game, lines: str) -> Dressing:
    text = f"{HEAD.format(game.name)}{lines}\n"
    return dress(
        check_file(LOOK, "x.look", text.encode(), FileContext(game)).loaded(), game, base(game)
    )


def test_what_a_look_does_not_say_stays_as_it_is() -> None:
    game = load("go")
    assert dressed(game, "") == evolve(base(game), name="plain")


def test_strokes_go_to_sites_that_are_cut_away() -> None:
    game = load("dots")
    board = game.rules.board
    line = "piece stroke at s in level as bar in ink from west(s) to east(s)"
    (piece,) = dressed(game, line).pieces
    assert piece.spans
    assert piece.sites == frozenset(piece.spans)
    for site, (first, last) in piece.spans.items():
        assert board.rows[first] == board.rows[site] == board.rows[last]
        assert board.columns[first] + 1 == board.columns[site] == board.columns[last] - 1
        assert not board.sites >> first & 1


def test_a_click_means_a_decision_in_a_whole_column() -> None:
    game = load("connect4")
    (gesture,) = dressed(game, "click s in column(x(s)) means drop").gestures
    board = game.rules.board
    assert len(gesture.groups) == board.width
    assert sorted(site for group in gesture.groups for site in group) == list(range(board.count))
    assert all(len({board.columns[site] for site in group}) == 1 for group in gesture.groups)


def test_marks_and_values_are_those_of_the_position() -> None:
    game = load("chess")
    look = load_look(game)
    quiet, check = (game.start().play(m) for m in ("e2e4 e7e5", "e2e4 f7f6 d2d4 g7g5 d1h5"))
    assert shown_by_look(look, quiet).marks == {"threat": frozenset()}
    king = game.rules.board.by_name["e8"]
    assert shown_by_look(look, check).marks == {"threat": frozenset({king})}
    game = load("conniption")
    flips = shown_by_look(load_look(game), game.start().play("!4")).beside
    assert [(value.owner, value.value, value.text) for value in flips] == [
        (0, 3, "flips left"), (1, 4, "flips left"),
    ]  # fmt: skip


def test_a_value_that_a_position_does_not_have_is_left_out() -> None:
    game = load("go")
    line = "show 8 div count own as number beside players\nshow 2 as bar beside mover"
    look = check_file(LOOK, "x.look", f"{HEAD.format('go')}{line}\n".encode()).loaded()
    assert [value.value for value in shown_by_look(look, game.start()).beside] == [2]
    assert [v.value for v in shown_by_look(look, game.start().play("e5")).beside] == [8, 2]


def test_a_look_that_extends_another_says_what_differs(tmp_path: Path) -> None:
    (tmp_path / "deep.look").write_text(
        'format 1\nlook deep for go\nextends go\ntitle "Deep"\ncolour sea = "#557799"\n'
        "board lines sea\nlet n = count own\nshow n as number beside board\n"
    )
    game = load("go")
    look = load_look(game, "deep", tmp_path)
    plain, deep = (dress(lk, game, base(game)) for lk in (load_look(game), look))
    assert (plain.title, deep.title) == ("Go", "Deep")
    assert (deep.tell, deep.pieces, deep.buttons) == (plain.tell, plain.pieces, plain.buttons)
    assert [colour.name for colour in deep.colours] == ["sea"]
    assert [v.owner for v in shown_by_look(look, game.start()).beside] == [0, 1, None]
    (tmp_path / "round.look").write_text("format 1\nlook round for go\nextends round\n")
    read = check_file(
        LOOK, "round.look", (tmp_path / "round.look").read_bytes(), FileContext(game, tmp_path)
    )
    assert [d.code for d in read.diagnostics] == ["cycle"]


def test_pieces_in_hand_are_shown_with_the_move_that_puts_them() -> None:
    game = load("crazyhouse")
    state = game.start().play("e2e4 d7d5 e4d5 d8d5")
    look = load_look(game)
    pawns = [value for value in shown_by_look(look, state).beside if value.piece == "pawn"]
    assert [(value.owner, value.value, value.move) for value in pawns] == [
        (0, 1, "drop"),
        (1, 1, "drop"),
    ]
    drops = [move for move in state.scene.moves if move.name == "drop"]
    assert {move.kind for move in drops} == {"pawn"}
    assert all(move.kind == "" for move in state.scene.moves if move.name != "drop")


@pytest.mark.parametrize(
    ("mark", "drawing"),
    [
        ("fill", '<path d="[^"]*" transform="[^"]*" class="threat"'),
        ("ring", '<g class="threat"><circle [^>]*fill="none"'),
        ("dot", '<g class="threat"><circle [^>]*stroke="none"'),
        ("halo", '<circle [^>]*class="threat"'),
        ("nothing", "^(?!.*threat)"),
    ],
)
def test_a_state_is_drawn_as_its_mark(mark: str, drawing: str) -> None:
    state = load("tictactoe").start()
    look = report(f"mark threat at b2 as {mark} in crimson", "tictactoe").loaded()
    dressing = dress(look, state.game, default_dressing(state.game.rules))
    drawing_ = drawing_of_rules(state.game.rules, dressing)
    scene = evolve(state.scene, drawing=drawing_, shown=shown_by_look(look, state))
    assert re.search(drawing, scene_svg(scene).split("</style>")[-1], re.DOTALL)


@pytest.mark.parametrize("value", [-1, 0, 1, 6, 7])
def test_a_die_shows_one_to_six_in_the_middle_of_its_sites(value: int) -> None:
    game = load("chess")
    look = report(f"dice {value} at corners").loaded()
    scene = LookPreview.of(look, game).scene(game.start())
    assert len(scene.shown.dice) == (value in range(1, 7))
    text = scene_svg(scene)
    die = f'<use href="#{scene.drawing.dice[value - 1]}"' if scene.shown.dice else "no die"
    assert text.count(die) == len(scene.shown.dice)
    places = [site.place for site in scene.drawing.sites]
    xs, ys = zip(*places, strict=True)
    middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    by_site = {site.site: site.place for site in scene.drawing.sites}
    assert all(die_place(d, by_site) == pytest.approx(middle) for d in scene.shown.dice)


def test_dominoes_are_two_halves_that_meet() -> None:
    """Whatever lies beside a domino of its own side, lower and upper halves alternate."""
    state = load("domineering").start().play("a1 c8 a3 e6 b1 f4 b3")
    forms = {state.game.rules.board.names[s]: n for s, n in state.scene.shown.forms.items()}
    for column in "ab":
        lower, upper = forms[f"{column}1"], forms[f"{column}2"]
        assert lower != upper
        assert (forms[f"{column}3"], forms[f"{column}4"]) == (lower, upper)
    assert forms["c8"] != forms["d8"]


def test_a_card_shows_sites_of_each_player_beside_the_board() -> None:
    game = load("chess")
    lines = """show own king from e1 as card "kings" beside players
show corners as card "corners" beside board"""
    scene = LookPreview.of(report(lines).loaded(), game).scene(game.start())
    names = game.rules.board.names
    shown = [[names[site] for site in card.sites] for card in scene.shown.cards]
    assert [*map(sorted, shown)] == [["e1"], ["e8"], ["a1", "a8", "h1", "h8"]]
    assert [value for value in scene.shown.beside if value.display == "card"] == []
    below, above, between = (card.squares[0] for card in scene.drawing.cards)
    assert above[1] < between[1] < below[1]
    # all of them are right of the board and in the picture, and do not touch
    board = max(site.place[0] + site.size / 2 for site in scene.drawing.sites)
    places = [place for card in scene.drawing.cards for place in card.squares.values()]
    assert len({*places}) == len(places)
    assert all(board < x < scene.drawing.width and 0 < y < scene.drawing.height for x, y in places)
    assert scene_svg(scene).count('<g class="card">') == 3


def test_a_card_of_a_value_that_a_position_does_not_have_is_blank() -> None:
    """The look of Go has a value that faults at once; the other card is shown all the same."""
    game = load("go", size=5)
    lines = """show those(s in sites : 1 div count own = x(s)) as card beside board
show corners as card beside board"""
    look = report(lines, "go").model
    assert look is not None
    assert [card.number for card in shown_by_look(look, game.start()).cards] == [1]


def test_a_drawn_board_has_no_place_for_cards() -> None:
    game = load("morris")
    look = report("show own as card beside players\ndice 3 at sites", "morris").loaded()
    scene = LookPreview.of(look, game).scene(game.start())
    assert len(scene.shown.cards) == 2
    assert scene.drawing.cards == ()
    text = scene_svg(scene)
    assert 'class="card"' not in text
    assert 'class="die"' in text
