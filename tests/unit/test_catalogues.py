"""What the page and looks say in other languages: nothing missing or stale, all places filled."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

from rulewright.app.studio.export import CATALOGUES
from rulewright.app.studio.server import FILES, PAGE
from rulewright.games.files.kinds import summary
from rulewright.ground.translation import CATALOGUES as MESSAGES
from rulewright.ground.translation import entries
from tests.shared.places import ROOT, RULESETS

SOURCES = ROOT / "studio" / "src"
ENTRY = re.compile(r'^msgid (".+")\nmsgstr (".*")$', re.MULTILINE)
CALL = re.compile(r'(?<![\w.])(?:t|marked)\(("(?:[^"\\]|\\.)*")')
TEXT = re.compile(r'"([^"]*)"')
WITHIN_T = re.compile(r'(?<![\w.])(?:t|marked)\("(?:[^"\\]|\\.)*"')
LABEL = re.compile(r'\b(?:aria-label|title|placeholder)="([^"]+)"')
PLACE = re.compile(r"\{\w+\}")
LETTERS = re.compile(r"[^\W\d_]{2,}")
TRANSLATED = (
    "app.tsx", "author.tsx", "bar.tsx", "board_view.tsx", "clock.tsx", "cookbook.tsx",
    "course.tsx", "draw.tsx", "end.tsx", "games.tsx", "handover.tsx", "home.tsx", "learn.tsx",
    "left.tsx", "measure.tsx", "more.tsx", "newgame.tsx", "newtext.tsx", "pair.tsx", "play.tsx",
    "records.tsx", "send.ts", "sharing.tsx", "sides.tsx", "spoken.tsx", "studies.tsx", "tabs.tsx",
    "tournament.tsx", "tuning.tsx", "understand.tsx", "valuebar.tsx", "verdict.tsx", "words.ts",
)  # fmt: skip
"""Files of the page that say nothing in English alone."""
RECIPES = ROOT / "interpreter" / "rulewright" / "app" / "service" / "recipes.toml"
NAMES = ("rulewright", "studio", "rulewright studio")
END = r"^(?:win|lose|draw|score)\b.*# +(.*)$"
OPTION = r"^option\b.*?# +(.*)$"
FACTOR = r'^factor\b.* "(.*)"$'
LESSONS = ("learn", "puzzle")
LOOKED = ("title", "tell", "family", "side", "button", *LESSONS)
"""Statements of looks that are translated for every bundled game."""


def catalogue(name: str) -> dict[str, str]:
    """Return the translations of a catalogue by their English texts, without its heading."""
    rows = ENTRY.findall((SOURCES / name).read_text("utf-8"))
    texts = {json.loads(text): json.loads(other) for text, other in rows}
    assert len(texts) == len(rows), "a text stands twice"
    return texts


def page_texts() -> dict[str, str]:
    """Return what the page says, each text with the file that says it."""
    files = [path for path in SOURCES.glob("*.ts*") if path.name != "language.ts"]
    return {
        json.loads(text): path.name for path in files for text in CALL.findall(path.read_text())
    }


def look_texts(*words: str) -> set[str]:
    """Return the texts of statements of all bundled looks that have one of these words."""
    line = re.compile(rf"^({'|'.join(words)})\b(.*)$", re.MULTILINE)
    looks = [path.read_text("utf-8") for path in RULESETS.glob("*/*.look")]
    rows = [row for look in looks for row in line.findall(look)]
    return {
        text for word, row in rows for text in TEXT.findall(row)[-1 if word in LESSONS else 0 :]
    }


def player_names() -> set[str]:
    """Return the names of players as a page shows them where no look has others."""
    rules = [path.read_text("utf-8") for path in RULESETS.glob("*/*.rules")]
    rows = [row for text in rules for row in re.findall(r"^players (.*)$", text, re.MULTILINE)]
    names = [re.findall(r"^[a-z ]+", row.partition(" when ")[0])[0] for row in rows]
    return {name.capitalize() for line in names for name in line.split()}


@pytest.mark.parametrize("name", ["de.po", "de.looks.po", "de.recipes.po"])
def test_places_of_a_text_stand_in_its_translation(name: str) -> None:
    for text, other in catalogue(name).items():
        assert sorted(PLACE.findall(text)) == sorted(PLACE.findall(other)), text
        assert other != ""
        assert text[-1] not in ".?" or other[-1] in ".?\u201c", f"another end: {other}"


def test_the_catalogue_of_the_page_has_what_the_page_says_and_nothing_else() -> None:
    assert sorted(set(page_texts()) ^ set(catalogue("de.po"))) == []


def test_the_catalogue_of_looks_has_what_looks_say_and_nothing_stale() -> None:
    texts = catalogue("de.looks.po")
    assert sorted(look_texts(*LOOKED) - set(texts)) == []
    said = look_texts(*LOOKED) | player_names()
    assert sorted(set(texts) - said) == []
    assert sorted(player_names() - set(texts)) == []


def test_the_catalogue_of_games_has_why_they_end_what_they_refuse_and_what_they_are() -> None:
    rows = ENTRY.findall((MESSAGES / "de.games.po").read_text("utf-8"))
    texts = ends() | look_texts("refuse") | summaries() | about_options() | meanings()
    assert sorted({json.loads(text) for text, _ in rows} ^ texts) == []


def summaries() -> set[str]:
    """Return the first sentences of bundled rules and personalities."""
    files = [path for kind in ("rules", "personality") for path in RULESETS.glob(f"*/*.{kind}")]
    return {summary(path.read_text("utf-8")) for path in files}


def meanings() -> set[str]:
    """Return what bundled evaluators say of their factors."""
    evaluators = [path.read_text("utf-8") for path in RULESETS.glob("*/*.eval")]
    return {text for each in evaluators for text in re.findall(FACTOR, each, re.MULTILINE)}


def about_options() -> set[str]:
    """Return the comments behind the options of bundled rules."""
    rules = [path.read_text("utf-8") for path in RULESETS.glob("*/*.rules")]
    return {text for rule in rules for text in re.findall(OPTION, rule, re.MULTILINE)}


def test_the_catalogue_of_recipes_has_what_the_cookbook_of_the_page_shows() -> None:
    recipes = [row for rows in tomllib.loads(RECIPES.read_text("utf-8")).values() for row in rows]
    shown = {row[key] for row in recipes for key in ("title", "about")}
    assert sorted(shown ^ set(catalogue("de.recipes.po"))) == []


def ends() -> set[str]:
    """Return the comments behind ends of bundled games, which say why a game is over."""
    rules = [path.read_text("utf-8") for path in RULESETS.glob("*/*.rules")]
    return {text for rule in rules for text in re.findall(END, rule, re.MULTILINE)}


@pytest.mark.parametrize("name", TRANSLATED)
def test_a_translated_file_says_nothing_in_english_alone(name: str) -> None:
    assert english(WITHIN_T.sub("", (SOURCES / name).read_text("utf-8"))) == []


def english(code: str) -> list[str]:
    """Return what code shows to people without looking it up: texts of elements, and labels."""
    shown = [*re.findall(r"(?<=[^=\s]>)([^<>{}=;()]+)(?=[<{])", code), *LABEL.findall(code)]
    return [text.strip() for text in shown if LETTERS.search(text) and text.strip() not in NAMES]


def test_english_texts_are_noticed() -> None:
    assert english('<b>Play now</b><i title="Stop it">{t}</i>') == ["Play now", "Stop it"]
    assert english('<b class="go">{t(x)}</b><Icon name="back" />') == []


def test_the_page_brings_the_catalogues_apart() -> None:
    """Whoever reads English loads none of them."""
    texts = json.loads((PAGE / CATALOGUES[0]).read_text("utf-8"))
    own = [catalogue(name) for name in ("de.po", "de.looks.po", "de.recipes.po")]
    assert texts == {text: row[text] for row in (dict(entries("de")), *own) for text in row}
    assert set(CATALOGUES) <= set(FILES)
    assert "Spiel ein Spiel" not in (PAGE / "studio.js").read_text("utf-8")


@pytest.mark.parametrize("name", CATALOGUES)
def test_a_catalogue_is_small(name: str) -> None:
    """Whoever reads another language loads one beside the page, which has its own limit."""
    assert (PAGE / name).stat().st_size <= 350_000
