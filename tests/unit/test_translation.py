"""What is said to people in other languages: nothing missing or stale, and all places filled."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.app.cli import main
from rulewright.games.files.games import check
from rulewright.games.files.kinds import summary
from rulewright.ground.translation import (
    CATALOGUES,
    Catalogue,
    catalogue,
    entries,
    speaking,
    translate,
)
from tests.shared.effort import tries
from tests.shared.places import ROOT, RULESETS
from tests.shared.rejected import TEXTS
from tests.shared.rejected import check as check_rejected
from tests.shared.trees import nodes_of, tree_of

LIBRARY = ROOT / "interpreter" / "rulewright"
PLACE = re.compile(r"\{(?:\d|n)\}")
JOINTS = re.compile(r"\{\w?\}|[,;:()]|\b(?:and|with|when|is|are|was|were|repeats?|after|a|1)\b")
"""Where sentences are put together of several texts of the code."""
CODE = re.compile(r"`[^`]*`|\"[^\"]*\"|->")
ENGLISH = re.compile(
    r"\b(the|is|of|are|this|it|by|to|has|sites?|with|not|needs|which|cannot|should|never|your)\b"
)
"""Words of English that German has not."""
SPOKEN_TO_PROGRAMS = (
    "dialects", "engine_options", "format_settings", "gomocup", "gtp", "gtp_engine", "host",
    "process", "serving", "text_protocol", "uci", "uci_answers", "uci_engine",
    "api", "arena", "executors", "plan",
    "lsp", "lsp_server", "lsp_session", "lsp_studies", "mcp_server", "mcp_tools",
)  # fmt: skip
"""Modules whose messages go to other programs, to workers, or to writers of settings."""
ROOMS = ("matches/protocols", "matches", "app/build", "app/cli", "app/play", "checks", "players")
"""Rooms whose messages go to people at a terminal."""
COMPLAINING = ("message", "advice", "hint")
"""Names of variables that hold what a person is going to read."""
WRONG = "format 1\ngame wrong\n\nplayers red blue\nboard square 90 by 90\n"


@cache
def templates(path: Path) -> tuple[str, ...]:
    """Return the texts of a module, with `{}` where an f-string has a value."""
    texts = (n for n in nodes_of(tree_of(path)) if isinstance(n, ast.JoinedStr | ast.Constant))
    return tuple(filter(None, map(template, texts)))


def template(node: ast.AST) -> str:
    """Return the text that an expression writes out; empty for other expressions."""
    if isinstance(node, ast.JoinedStr):
        return "".join(
            template(part) if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def complaints(path: Path) -> Iterator[str]:
    """Yield what a module puts into variables that a person reads later."""
    for node in nodes_of(tree_of(path)):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in COMPLAINING:
                yield template(value)


def plain(text: str) -> str:
    """Return a text of a catalogue as `templates` gives it."""
    return PLACE.sub("{}", text)


def own_words(text: str) -> str:
    """Return a text without what stands for itself in every language: code and names."""
    return CODE.sub("", text)


def test_the_catalogue_has_nothing_that_nobody_says() -> None:
    said_somewhere = {text for path in LIBRARY.rglob("*.py") for text in templates(path)}
    own = re.findall(r'^msgid (".+")$', (CATALOGUES / "de.po").read_text("utf-8"), re.MULTILINE)
    assert [text for text in map(json.loads, own) if plain(text) not in said_somewhere] == []


@pytest.mark.parametrize("name", ["de.matches.po", "de.records.po", "de.checks.po"])
def test_each_part_of_a_sentence_of_the_catalogues_stands_in_the_code(name: str) -> None:
    """These sentences are put together of several texts, so each stretch is looked for."""
    texts = "\n".join(text for path in LIBRARY.rglob("*.py") for text in templates(path))
    own = re.findall(r'^msgid (".+")$', (CATALOGUES / name).read_text("utf-8"), re.MULTILINE)
    parts = {part for text in own for part in stretches(plain(json.loads(text)))}
    assert len(parts) > 70
    assert sorted(part for part in parts if part not in texts) == []


def stretches(text: str) -> list[str]:
    """Return what stands between the places and joints of a sentence, where it is long enough."""
    parts = (part.strip(" `").removesuffix("s") for part in JOINTS.split(text))
    return [part for part in parts if len(part) > 11]


@pytest.mark.parametrize("name", ROOMS)
def test_what_ends_a_command_is_german(name: str) -> None:
    """Whatever of these rooms ends a command is in a catalogue: as a whole, or as its parts."""
    known = "\n".join(plain(text) for text, _ in entries("de"))
    paths = [path for path in (LIBRARY / name).glob("*.py") if path.stem not in SPOKEN_TO_PROGRAMS]
    refusals = [text for path in paths for text in refused(path)]
    assert len(refusals) > 2
    parts = {part for text in refusals for part in stretches(text)}
    english = [part for part in parts if ENGLISH.search(own_words(part))]
    assert sorted(part for part in english if part not in known) == []


def refused(path: Path) -> Iterator[str]:
    """Yield the messages that a module raises, or fails a reading with."""
    for node in nodes_of(tree_of(path)):
        match node:
            case ast.Call(func=ast.Name(id="RulewrightError" | "Violation"), args=arguments):
                yield from map(template, arguments)
            case ast.Call(func=ast.Attribute(attr="fail"), args=arguments):
                yield from map(template, arguments)


def test_what_the_checker_says_is_in_the_catalogue() -> None:
    known = {plain(text) for text, _ in entries("de")}
    parts = [text for path in (LIBRARY / "language").rglob("*.py") for text in complaints(path)]
    assert len(parts) > 300
    untold = [text for text in parts if ENGLISH.search(own_words(text)) and text not in known]
    assert untold == []


def test_places_stand_in_translations() -> None:
    for text, other in entries("de"):
        assert set(PLACE.findall(other)) <= set(PLACE.findall(text)), text
        assert other.strip() != ""


def test_no_text_stands_twice_in_one_catalogue() -> None:
    texts = [text for text, _ in entries("de")]
    assert sorted({text for text in texts if texts.count(text) > 1}) == []


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_every_complaint_about_wrong_texts_is_german(path: Path) -> None:
    german = catalogue("de")
    for complaint in check_rejected(path).diagnostics:
        for text in (complaint.message, complaint.hint):
            assert not ENGLISH.search(own_words(german.translate(text))), (
                text,
                german.translate(text),
            )


@settings(max_examples=tries(60), deadline=None)
@given(st.sampled_from([*entries("de")]), st.from_regex(r"[a-z]{1,6}[0-9]", fullmatch=True))
def test_names_in_code_come_through(entry: tuple[str, str], name: str) -> None:
    """Whatever template a sentence fills, a name between backquotes is said again."""
    text, other = entry
    filled = text.replace("{n}", "12")
    filled = PLACE.sub(lambda place: f"{name}{place[0][1]}", filled)
    for place in PLACE.findall(other):
        if f"`{place}`" in text and f"`{place}`" in other:
            assert f"`{name}{place[1]}`" in catalogue("de").translate(filled)


def test_values_are_translated_in_their_places() -> None:
    own = Catalogue(
        {"{0} needs {1}": "{1} braucht {0}", "a site": "ein Feld", "{n} steps": "{n} Schritte"}
    )
    assert own.translate("`x` needs a site") == "ein Feld braucht `x`"
    assert own.translate("a site needs 12 steps") == "12 Schritte braucht ein Feld"
    assert own.translate("many steps") == "many steps"
    assert own.translate("  a site\n`a site`") == "  ein Feld\n`a site`"


def test_a_sentence_is_never_half_in_one_language() -> None:
    """A short template that a long sentence fills would leave the rest of it English."""
    own = Catalogue({"{0} after {1}": "{0} nach {1}", "`{0}` goes {1}": "`{0}` geht {1}"})
    assert own.translate("a bird sings after rain") == "a bird sings after rain"
    assert own.translate('b3 after "the rain"') == 'b3 nach "the rain"'
    assert own.translate("`a long way` goes x") == "`a long way` geht x"
    german = catalogue("de")
    claim = '  füge hinzu: claim cross wins after "b3 a2"'
    assert german.translate(claim) == claim
    comments = [summary(path.read_text("utf-8")) for path in RULESETS.glob("*/*.eval")]
    assert [text for text in comments if german.translate(text) != text] == []


def test_english_is_what_is_said_without_a_choice() -> None:
    assert translate("leave it out") == "leave it out"
    with speaking("de"):
        assert translate("leave it out") == "lass es weg"
        assert "kein Spiel" in translate("no game is called hexx; did you mean `hex`?")
        assert "Felder" in check(WRONG, "wrong.rules").diagnostics[0].render()


def test_factors_are_said_in_german_and_names_stay(capsys: pytest.CaptureFixture[str]) -> None:
    """What a factor is for is translated; its name is a name of the text, as `win` here is."""
    assert main(["--language", "de", "factors", "connect5"]) == 0
    said = capsys.readouterr().out
    assert (
        "Wert `win`: f\u00fcr den Zug `place`, mehr ist besser f\u00fcr den Spieler am Zug" in said
    )
    assert "für eine Lücke, die eine Linie offen hält" in said
    assert "Persönlichkeit basic: Das einfache Programm" in said


def test_commands_speak_the_language_that_is_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The option goes before the variable, data stay English, and the system's language is none."""
    path = tmp_path / "wrong.rules"
    path.write_text(WRONG, "utf-8")
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert main(["check", str(path)]) == 1
    assert "this board has 8,100 sites" in capsys.readouterr().out
    monkeypatch.setenv("RULEWRIGHT_LANGUAGE", "de")
    assert main(["check", str(path)]) == 1
    assert "dieses Brett hat 8,100 Felder" in capsys.readouterr().out
    assert main(["check", "--format", "json", str(path)]) == 1
    assert "this board has" in capsys.readouterr().out
    assert main(["--language", "en", "check", str(path)]) == 1
    assert "this board has" in capsys.readouterr().out
    assert main(["--language=xx", "check", str(path)]) == 2
    assert "there is no language xx" in capsys.readouterr().err
