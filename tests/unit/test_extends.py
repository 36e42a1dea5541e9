"""Rules that build on rules: what replaces what, and where a message says that something stands."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from rulewright.app.cli import main
from rulewright.app.service import navigation
from rulewright.app.service.documents import Workspace
from rulewright.games.files.catalog import EVALUATOR
from rulewright.games.files.games import check, flat_text, load, loads
from rulewright.games.files.kinds import load_file
from rulewright.ground import limits
from rulewright.language import syntax
from rulewright.language.diagnostics import Diagnostic, TextError
from rulewright.language.syntax.statement_roles import ROLES

BASE = """format 1
game small

players red blue
board square 4 by 1
pieces stone "XO"

let near_side for red = left
let near_side for blue = right
let wanted(s) = s in near_side or any own
state put_so_far = 0 in 0..8

action lay(a)
  put stone at a
  put_so_far := put_so_far + 1

# Anywhere.
move place
  choose a in empty
  need wanted(a)
  lay(a)
  write "{a}"

move leave
  choose a in own
  clear a
  write "-{a}"

turn place or leave
win when put_so_far = 8
draw when stuck
claim start no full
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.rules"
    path.write_text(text, "utf-8")
    return path


def flat(folder: Path, more: str) -> str:
    """The whole text of a file that builds on the small game, without the base's first lines."""
    written(folder, "small", BASE)
    path = written(folder, "new", f"format 1\ngame new extends small\n{more}")
    load(path)
    return flat_text(path).partition('pieces stone "XO"\n')[2]


def test_every_statement_of_rules_has_a_row_of_roles() -> None:
    assert set(ROLES) == set(get_args(syntax.Item))


def test_a_statement_replaces_the_one_with_its_key(tmp_path: Path) -> None:
    text = flat(tmp_path, "let near_side for red = right\nwin when count own = 2\n")
    assert "let near_side for red = right\nlet near_side for blue = right\n" in text
    assert text.count("near_side for") == 2
    ends = "win when count own = 2\nwin when put_so_far = 8\ndraw when stuck\n"
    assert text.endswith(ends)


def test_a_definition_without_player_replaces_both(tmp_path: Path) -> None:
    text = flat(tmp_path, "let near_side = sites\n")
    assert text.count("near_side =") == 1
    assert "for blue" not in text


def test_what_the_base_has_stays_under_its_name(tmp_path: Path) -> None:
    text = flat(tmp_path, "let wanted(s) = small wanted(s) and ply < 9\n")
    assert "let small_wanted(s) = s in near_side or any own\n" in text
    assert "let wanted(s) = small_wanted(s) and ply < 9\n" in text
    more = "let near_side for red = right\nlet far = small near_side\nwin when far meets own\n"
    text = flat(tmp_path, more)
    assert "let small_near_side for red = left\n" in text
    assert "let small_near_side for blue = right\nlet near_side for blue = right\n" in text


def test_actions_and_moves_of_the_base_are_lines(tmp_path: Path) -> None:
    more = (
        "action lay(a)\n  clear enemy\n  small lay(a)\n\nmove place\n  small place  # as before\n"
    )
    text = flat(tmp_path, f'{more}  need ply < 5\n  write "!{{a}}"\n')
    assert "action small_lay(a)\n  put stone at a\n" in text
    assert "  clear enemy\n  small_lay(a)\n" in text
    assert "  lay(a)  # as before\n  need ply < 5\n" in text.replace("    #", "  #")
    assert 'write "{a}"' not in text
    assert "# Anywhere." not in text


def test_the_last_write_counts(tmp_path: Path) -> None:
    text = flat(tmp_path, 'move place\n  write "?"\n  small place\n')
    assert 'write "?"' not in text
    assert 'write "{a}"' in text


@pytest.mark.parametrize(
    ("more", "turn"),
    [
        ("without leave", "turn place"),
        ("turn (small small?) else leave", "turn (place or leave) (place or leave)? else leave"),
        ("move more\n  clear own\n\nturn small or more", "turn place or leave or more"),
        ("first turn small", "turn place or leave"),
        ("without leave\nmove leave\n  clear own", "turn place or leave"),
    ],
)
def test_turns_have_the_course_of_the_base(tmp_path: Path, more: str, turn: str) -> None:
    assert f"{turn}\n" in flat(tmp_path, f"{more}\n")


def test_ends_are_left_out_by_their_words(tmp_path: Path) -> None:
    text = flat(tmp_path, "without draw\nlose when stuck\n")
    assert "draw" not in text
    assert "claim" not in text


def test_a_base_may_build_on_another(tmp_path: Path) -> None:
    text = flat(tmp_path, "let wanted(s) = small wanted(s) or ply > 5\nwithout leave\n")
    more = "let wanted(s) = new wanted(s) and ply < 9\n"
    path = written(tmp_path, "newer", f"format 1\ngame newer extends new\n{more}")
    whole = flat_text(path)
    assert "let small_wanted(s) = s in near_side or any own\n" in text
    assert "let new_wanted(s) = small_wanted(s) or ply > 5\n" in whole
    assert "move leave" not in whole


def test_the_whole_text_is_the_same_game(tmp_path: Path) -> None:
    flat(tmp_path, "let wanted(s) = small wanted(s) and ply < 9\nwin when count own = 3\n")
    game = load(tmp_path / "new.rules")
    alone = loads(flat_text(tmp_path / "new.rules"), "new.rules")
    assert [game.start().perft(depth) for depth in (1, 2, 3)] == [
        alone.start().perft(depth) for depth in (1, 2, 3)
    ]


def places(diagnostics: tuple[Diagnostic, ...]) -> list[tuple[str, int, str]]:
    return [(d.code, d.place.line, d.message) for d in diagnostics]


def mistakes(more: str) -> list[tuple[str, int, str]]:
    return places(check(f"format 1\ngame x extends breakthrough\n{more}", "x.rules").diagnostics)


def test_a_line_of_the_base_that_fits_no_more_is_named_where_the_base_is() -> None:
    message = "no set, value or definition is called `goal` (breakthrough.rules:34)"
    assert mistakes("without goal\n") == [("unknown-name", 2, message)]


def test_mistakes_of_the_file_stand_where_they_are() -> None:
    assert mistakes("let goal for white = foo\n") == [
        ("unknown-name", 3, "no set, value or definition is called `foo`")
    ]
    assert [place[:2] for place in mistakes("turn step\n")] == [("same-as-base", 3)]


def test_circles_and_mistakes_of_the_base_are_one_message(tmp_path: Path) -> None:
    written(tmp_path, "one", "format 1\ngame one extends two\n")
    written(tmp_path, "two", "format 1\ngame two extends one\n")
    written(tmp_path, "bad", BASE.replace("choose a in own", "choose a in owl"))
    written(tmp_path, "worse", "format 1\ngame worse extends bad\nlet hue = 3\n")
    assert main(["check", str(tmp_path / "one.rules"), "--format", "json"]) == 1
    assert main(["check", str(tmp_path / "worse.rules")]) == 1


def test_messages_of_bases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    test_circles_and_mistakes_of_the_base_are_one_message(tmp_path)
    shown = capsys.readouterr().out
    assert "`two` builds on this file" in shown
    assert shown.count("the rules of `bad` have mistakes of their own") == 1
    assert "owl" not in shown


def test_an_edited_base_is_seen(tmp_path: Path) -> None:
    written(tmp_path, "small", BASE)
    path = written(tmp_path, "new", "format 1\ngame new extends small\n")
    assert load(path).start().perft(1) == 1
    written(tmp_path, "small", BASE.replace("s in near_side or any own", "s in sites"))
    assert load(path).start().perft(1) == 4


def test_faults_and_reasons_name_the_line_of_the_base(tmp_path: Path) -> None:
    written(tmp_path, "small", BASE)
    game = load(written(tmp_path, "new", "format 1\ngame new extends small\nlet hue = 3\n"))
    origins = {(Path(o.file).name, o.line): o.text for o in game.rules.origins if o.line}
    lines = {number: line.strip() for number, line in enumerate(BASE.splitlines(), 1)}
    of_base = {line: text for (file, line), text in origins.items() if file == "small.rules"}
    assert len(of_base) > 8
    assert of_base == {line: lines[line] for line in of_base}


def test_flat_prints_the_whole_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path, "small", BASE)
    path = written(tmp_path, "new", "format 1\ngame new extends small\nwithout leave\n")
    assert main(["flat", str(path)]) == 0
    assert loads(capsys.readouterr().out).start().perft(1) == 1
    assert main(["flat", "chess"]) == 0
    assert capsys.readouterr().out.startswith("format 1\ngame chess\n")


def test_old_texts_may_use_the_words_as_names() -> None:
    text = BASE.replace("put_so_far", "without").replace("near_side", "extends")
    assert check(text).diagnostics == ()


def test_files_of_the_base_serve_where_they_fit(tmp_path: Path) -> None:
    head = "format 1\nevaluator worth for small\nvalue of position for mover = "
    (tmp_path / "worth.eval").write_text(f"{head}count near_side\n", "utf-8")
    flat(tmp_path, "without leave\n")
    game = load(tmp_path / "new.rules")
    assert load_file(EVALUATOR, game, "worth").name == "worth"
    assert load_file(EVALUATOR, game, "small/worth").name == "worth"
    flat(tmp_path, "let wanted(s) = s in sites\nwithout near_side\n")
    with pytest.raises(TextError, match="near_side"):
        load_file(EVALUATOR, load(tmp_path / "new.rules"), "worth")


def test_editors_go_to_the_base_and_do_not_rename_what_is_its(tmp_path: Path) -> None:
    base = written(tmp_path, "small", BASE)
    text = "format 1\ngame new extends small\nlet wanted(s) = s in near_side\n"
    workspace = Workspace()
    document = workspace.open(written(tmp_path, "new", text), text)
    for word in ("near_side", "small"):
        (place,) = navigation.definition(workspace, document, text.index(word))[:1]
        assert place.document.path == base
        assert place.document.text[place.span.start : place.span.end] == word
    with pytest.raises(navigation.CannotRename, match="small"):
        navigation.renamable(workspace, document, text.index("wanted"))
    assert workspace.report(document).ok
    changed = BASE.replace("near_side", "far_side")
    workspace.open(base, changed)
    assert [d.code for d in workspace.report(document).diagnostics] == ["unknown-name"]


def test_a_base_may_stand_in_the_folder_of_its_name(tmp_path: Path) -> None:
    for name in ("small", "new"):
        (tmp_path / name).mkdir()
    written(tmp_path / "small", "small", BASE)
    path = written(tmp_path / "new", "new", "format 1\ngame new extends small\n")
    assert load(path).rules.bases == ("small",)


def test_few_games_build_on_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A message at the base's name, however long the chain is, and not after an hour."""
    for number in range(1, 1001):
        base = "tictactoe" if number == 1 else f"g{number - 1}"
        written(tmp_path, f"g{number}", f"format 1\ngame g{number} extends {base}\n")
    for number in (limits.BASES, limits.BASES + 1, 1000):
        status = main(["check", str(tmp_path / f"g{number}.rules")])
        shown = capsys.readouterr().out
        assert (status == 0) == (number == limits.BASES)
        place = f"g{number}.rules:2:{len(f'game g{number} extends ') + 1}: more than 16 games"
        assert (place in shown) == (number > limits.BASES)


DUCK = """format 1
game duck extends chess
pieces pawn "Pp", knight "Nn", bishop "Bb", rook "Rr", queen "Qq", king "Kk", bird "{letters}"
move waddle
  choose b in empty
  clear bird
  put nobody bird at b
turn chess waddle
"""


def test_a_neutral_kind_needs_one_letter_beside_a_list_of_other_kinds() -> None:
    """What a pawn may become says nothing of the bird; three letters are taken as ever."""
    assert not check(DUCK.format(letters="*")).diagnostics
    assert not check(DUCK.format(letters="Dd*")).diagnostics
    (mistake,) = check(DUCK.format(letters="Dd")).diagnostics
    assert mistake.code == "letters"
    listed = DUCK.format(letters="*").replace("bird at b", "k at b")
    wide = listed.replace("  choose b", "  choose k in [bird, king]\n  choose b")
    (mistake,) = check(wide.replace("nobody k", "k")).diagnostics
    assert "`bird` is shown by 2 letters, not 1" in mistake.message
