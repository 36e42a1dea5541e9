"""The language service on every bundled text, on wrong ones, and on texts half typed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.app.service import completion, edits, hover, names, navigation, tokens
from rulewright.app.service.document import Document
from rulewright.app.service.documents import SUFFIXES, Workspace
from rulewright.app.service.navigation import CannotRename, Edit
from rulewright.checks import claims
from rulewright.checks.subject import Subject
from rulewright.games.files import catalog
from rulewright.games.files.games import bundled_games, check
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.ground import disk
from rulewright.ground.limits import FILE_BYTES
from rulewright.language import syntax
from rulewright.language.diagnostics import with_file_name
from rulewright.language.resolve.scope import looks_like_site
from tests.shared.editing import PIECES, ask_everything
from tests.shared.effort import tries
from tests.shared.places import REJECTED
from tests.shared.sample import chosen

GAMES = chosen()
TEXTS = sorted(path for path in REJECTED.iterdir() if path.suffix in catalog.by_suffix())


def files(game: str) -> list[Path]:
    folders = (disk.root("rulesets") / game, disk.root("patterns") / game)
    found = (p for f in folders if f.is_dir() for p in sorted(f.iterdir()))
    return [p for p in found if p.suffix in SUFFIXES]


def opened(workspace: Workspace, path: Path, text: str | None = None) -> Document:
    return workspace.open(path, path.read_text("utf-8") if text is None else text, 1)


def edited(text: str, changes: list[Edit]) -> str:
    for edit in sorted(changes, key=lambda e: e.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


# --- names ---


@pytest.mark.parametrize("game", GAMES)
def test_every_use_that_the_resolver_knows_is_a_mention(game: str) -> None:
    """The resolver follows types, the service only the syntax: two ways to the same places."""
    path = bundled_games()[game]
    document = Document(path, path.read_text("utf-8"))
    for symbol in check(document.text).symbols:
        of = syntax.MOVE if symbol.kind == "move" else syntax.NAME
        mine = {
            m.span for m in document.mentions if (m.text, m.of, m.home) == (symbol.name, of, None)
        }
        assert {symbol.declared, *symbol.uses} <= mine


def test_every_name_of_the_bundled_files_means_something() -> None:
    workspace = Workspace()
    for game in GAMES:
        for path in files(game):
            document = workspace.document(path)
            assert document is not None
            for mention in document.mentions:
                if mention.of not in (syntax.WORD, syntax.MOVE):
                    assert hover.hover(workspace, document, mention.span.start), (
                        path.name,
                        mention,
                    )


@pytest.mark.parametrize("game", ["breakthrough", "conniption", "twixt"])
def test_renamed_everywhere_a_game_still_means_the_same(game: str, tmp_path: Path) -> None:
    for path in files(game):
        shutil.copy(path, tmp_path)
    workspace = Workspace()
    rules = opened(workspace, tmp_path / f"{game}.rules")
    seen = set[tuple[str, str, int | None]]()
    refused = list[str]()
    for mention in [m for m in rules.mentions if m.declares and m.of in (syntax.NAME, syntax.MOVE)]:
        key = (mention.text, mention.of, mention.home)
        if key in seen:
            continue
        seen.add(key)
        document = workspace.document(rules.path)
        assert document is not None
        here = next(
            m.span.start for m in document.mentions if m.declares and m.text == mention.text
        )
        try:
            changes = navigation.rename(workspace, document, here, f"{mention.text}_zz")
        except CannotRename as error:
            refused.append(str(error))
            continue
        for other, edit in changes.items():
            opened(workspace, other.path, edited(other.text, edit))
    assert all("a move" in told for told in refused)
    for path in sorted(tmp_path.iterdir()):
        document = workspace.document(path)
        assert document is not None
        assert [str(d) for d in workspace.diagnostics(document)] == []
    after = workspace.document(rules.path)
    assert after is not None
    assert after.text != rules.text
    game_after = workspace.game(after)
    assert game_after is not None
    assert game_after.start().perft(2) == check(rules.text).loaded().start().perft(2)


def test_a_piece_is_renamed_in_the_moves_that_claims_and_cases_play(tmp_path: Path) -> None:
    for path in files("chess"):
        shutil.copy(path, tmp_path)
    (tmp_path / "chess.cases").write_text(
        "format 1\ncases for chess\ncase ends\n  moves a7a8=knight\n"
    )
    workspace = Workspace()
    rules = opened(workspace, tmp_path / "chess.rules")
    here = rules.text.index("knight", rules.text.index("\npieces"))
    changes = navigation.rename(workspace, rules, here, "horse")
    for other, edit in changes.items():
        opened(workspace, other.path, edited(other.text, edit))
    after = workspace.document(rules.path)
    kept = workspace.document(tmp_path / "chess.cases")
    assert after is not None
    assert kept is not None
    assert "b7a8=horse" in after.text
    assert "a7a8=horse" in kept.text
    assert "knight's move" in after.text  # a comment is nobody's name
    game = workspace.game(after)
    assert game is not None
    assert list(claims.after(Subject(game))) == []


def test_a_name_that_is_taken_or_not_ours_is_refused(tmp_path: Path) -> None:
    workspace = Workspace()
    rules = opened(workspace, tmp_path / "chess.rules", bundled_games()["chess"].read_text("utf-8"))
    queen = rules.text.index("queen")
    for name in ("king", "own", "choose", "two words", "a"):
        with pytest.raises(CannotRename):
            navigation.rename(workspace, rules, queen, name)
    evaluator = opened(workspace, disk.root("rulesets") / "chess" / "mine.eval", "format 1\n"
                       "evaluator mine for chess\nlet n = count (own queen)\n")  # fmt: skip
    with pytest.raises(CannotRename, match="bundled"):
        navigation.rename(
            Workspace(), _alone(tmp_path, evaluator.text), evaluator.text.index("queen"), "q"
        )


def _alone(folder: Path, text: str) -> Document:
    elsewhere = folder / "alone"
    elsewhere.mkdir()
    return Document(elsewhere / "mine.eval", text)


# --- completion ---


def completed(game: str) -> Iterator[tuple[Document, names.Mention]]:
    for path in files(game):
        document = Document(path, path.read_text("utf-8"))
        for mention in document.mentions:
            if not mention.declares and mention.of not in names.FILES:
                yield document, mention


@pytest.mark.parametrize("game", ["chess", "connect4", "conniption", "twixt"])
def test_what_stands_in_a_text_is_offered_where_it_stands(game: str) -> None:
    """At every name the text is cut, as if it had just been typed so far."""
    workspace, missing, tried = Workspace(), list[str](), 0
    for document, mention in list(completed(game))[:: 15 if game in ("chess", "twixt") else 3]:
        if mention.of == syntax.WORD and document.language in ("evaluator", "patterns"):
            continue  # units, and sites of examples
        before = document.text[: mention.span.start]
        half = opened(
            workspace, document.path, before + document.text[_line_end(document, mention) :]
        )
        found = completion.complete(workspace, half, mention.span.start)
        tried += 1
        labels = {item.label for item in found.items}
        site = mention.of == syntax.NAME and looks_like_site(mention.text)
        if mention.text not in labels and not site and mention.text not in "s":
            missing.append(f"{document.path.name}:{before.count(chr(10)) + 1}: {mention.text}")
        workspace.close(document.path)
    assert tried > 20
    assert missing == []


def _line_end(document: Document, mention: names.Mention) -> int:
    end = document.text.find("\n", mention.span.end)
    return end if end >= 0 else len(document.text)


# --- colours, layout ---


@pytest.mark.parametrize("game", GAMES)
def test_colours_follow_each_other_and_layout_changes_nothing(game: str) -> None:
    workspace = Workspace()
    for path in files(game):
        document = opened(workspace, path)
        found = tokens.colours(workspace, document)
        assert {c.kind for c in found} <= set(tokens.KINDS)
        assert all(a.span.end <= b.span.start for a, b in pairwise(found))
        words = [c for c in found if c.kind != "comment"]
        assert "".join(document.text[c.span.start : c.span.end] for c in words).split() != []
        assert edits.formatting(document) == []
        assert all(f.first < f.last for f in navigation.folds(document))


@given(data=st.data())
@settings(max_examples=tries(30), deadline=None)
def test_layout_by_edits_is_the_layout_of_the_file(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from([p for game in GAMES for p in files(game)]))
    text = path.read_text("utf-8").replace("\n  ", "\n     ").replace(" = ", "=")
    document = Document(path, text)
    assert document.kind is not None
    changes = edits.formatting(document)
    if changes:
        assert edited(text, changes) == document.kind.formatted(text)
    some = edits.formatting_of(document, 0, len(text) // 2)
    assert set(some) <= set(changes)


# --- hints ---


def test_every_misspelt_word_of_the_rejected_files_can_be_mended() -> None:
    offered, mended = 0, 0
    for path in TEXTS[::2]:
        workspace = Workspace()
        text = path.read_bytes().decode("utf-8", "replace")
        document = workspace.open(path, text, 1)
        for one in workspace.diagnostics(document):
            if "did you mean `" not in one.hint:
                continue
            offered += 1
            (action,) = edits.actions(document, [one])
            after = workspace.open(path, edited(text, list(action.edits)), 2)
            here = (one.code, one.place.line, one.place.column)
            left = {(d.code, d.place.line, d.place.column) for d in workspace.diagnostics(after)}
            mended += here not in left
            workspace.open(path, text, 3)
    assert offered > 40
    assert mended / offered > 0.97  # what is meant may be wrong there, too


def test_diagnostics_are_those_of_check() -> None:
    for path in TEXTS[::4]:
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        workspace = Workspace()
        document = workspace.open(path, text, 1)
        told = [str(d) for d in with_file_name(workspace.diagnostics(document), path.name)]
        kind = catalog.by_suffix()[path.suffix]
        read = check_file(kind, path.name, text.encode(), FileContext(None, REJECTED))
        assert told == [str(d) for d in read.diagnostics]


# --- texts that are wrong ---

SAMPLES = [p for game in ("chess", "conniption", "twixt") for p in files(game)]


@given(path=st.sampled_from(SAMPLES), data=st.data())
@settings(max_examples=tries(25), deadline=None)
def test_no_edit_of_a_text_makes_a_question_fail(path: Path, data: st.DataObject) -> None:
    text = path.read_text("utf-8")
    start = data.draw(st.integers(0, max(0, len(text) - 700)))
    text = text[:60] + text[start : start + 700]
    workspace = Workspace()
    for number in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        gone = data.draw(st.integers(0, 30))
        text = text[:at] + data.draw(st.sampled_from(PIECES)) + text[at + gone :]
        ask_everything(workspace, workspace.open(path, text, number), min(at + 1, len(text)))


@pytest.mark.parametrize(
    ("before", "typed"),
    [('move a\n  write "{x(a))}" + ', ""), ("let a = " + "(" * 60 + "own" + ")" * 60 + " ", "a")],
)
def test_a_line_that_is_wrong_before_the_place_offers_what_it_can(before: str, typed: str) -> None:
    workspace = Workspace()
    document = workspace.open(REJECTED / "x.rules", before + typed, 1)
    ask_everything(workspace, document, len(before + typed))


def test_what_is_wrong_with_a_head_that_is_not_written_is_reported_inside_the_text(
    tmp_path: Path,
) -> None:
    shutil.copy(bundled_games()["twixt"], tmp_path)
    (tmp_path / "t1.eval").write_text("format 1\nevaluator t1 for twixt\n")
    workspace = Workspace()
    document = workspace.open(tmp_path / "x.patterns", "Off 1\n Set 1 2\n", 1)
    assert [d.code for d in workspace.diagnostics(document)] == ["unknown-name"]
    ask_everything(workspace, document, len(document.text))


def test_the_head_that_files_without_one_have_is_the_packages(tmp_path: Path) -> None:
    """Whatever an editor holds for the file that it stands in."""
    headless = disk.root("patterns") / "headless.patterns"
    program = f"""
from pathlib import Path
from rulewright.app.service.documents import Workspace
w = Workspace()
w.open(Path({str(headless)!r}), "Off", 1)
d = w.open(Path({str(tmp_path / "x.patterns")!r}), "Off 1\\n  Set 1 2\\n", 1)
print([x.code for x in w.diagnostics(d)])
"""
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "[]"


def test_a_comment_ends_at_a_lone_carriage_return() -> None:
    workspace = Workspace()
    document = workspace.open(REJECTED / "x.rules", "format 1 # one\rgame x\n", 1)
    assert [c.kind for c in tokens.colours(workspace, document)][2:] == [
        "comment",
        "keyword",
        "namespace",
    ]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_text_above_the_limit_has_one_diagnostic_and_nothing_else(suffix: str) -> None:
    workspace = Workspace()
    document = workspace.open(
        REJECTED / f"big{suffix}", "let a = own\n" * (FILE_BYTES // 12 + 1), 1
    )
    assert [d.code for d in workspace.diagnostics(document)] == ["too-large"]
    assert tokens.colours(workspace, document) == []
    assert completion.complete(workspace, document, 5).items == ()
    assert document.mentions == ()
