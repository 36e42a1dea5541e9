"""Sentences for people in their language: English in, the words of a catalogue out.

The code says everything in English, with its values filled in.  A catalogue of gettext has the
templates of these sentences (`this board has {0}; at most {1} are possible`) in another language.
`translate` looks a sentence up where it is shown to a person: by its words, else by the template
that it fills, whose values are looked up in turn.  A sentence without a translation stays English,
and so does all that programs read: JSON, protocols, files, names and words of the languages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from functools import cached_property, lru_cache
from pathlib import Path

from rulewright.ground.scoped import set_temporarily

CATALOGUES = Path(__file__).parent / "catalogues"
ENGLISH = "en"
LANGUAGES = (ENGLISH, *sorted(path.stem for path in CATALOGUES.glob("??.po")))
"""The languages that can be chosen, by their two letters of ISO 639."""
_ENTRY = re.compile(r'^msgid (".+")\nmsgstr (".+")$', re.MULTILINE)
_PLACE = re.compile(r"\{(\d|n)\}")
"""A place of a template: `{n}` stands for a number, all others for any words of one line."""
_LEAST_LETTERS = 4
"""Letters of a template below which it is no sentence, but joins values in one: `{0} or {1}`."""


class Template:
    """A sentence with places, and the same sentence in another language."""

    def __init__(self, text: str, other: str) -> None:
        """Divide the two texts at their places."""
        self.parts = _PLACE.split(text)
        self.other = other
        self.letters = sum(map(str.isalpha, "".join(self.parts[::2])))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        fixed, names = self.parts[::2], self.parts[1::2]
        places = [self._place(*around) for around in zip(fixed, names, fixed[1:], strict=False)]
        words = [re.escape(part) for part in fixed]
        return re.compile("".join(a + b for a, b in zip(words, [*places, ""], strict=True)))

    @staticmethod
    def _place(before: str, name: str, after: str) -> str:
        """The pattern of a place; one between backquotes holds words of a language alone."""
        if name == "n":
            return r"([\d.,]+)"
        return "([^`]*)" if before.endswith("`") and after.startswith("`") else "(.*?)"

    def values(self, sentence: str) -> dict[str, str] | None:
        """What a sentence has in the places; None where it is not of this form."""
        if not (sentence.startswith(self.parts[0]) and sentence.endswith(self.parts[-1])):
            return None
        match = self._pattern.fullmatch(sentence)
        return None if match is None else dict(zip(self.parts[1::2], match.groups(), strict=True))


class Catalogue:
    """The sentences of one language by their English texts."""

    def __init__(self, entries: Mapping[str, str]) -> None:
        """Sort the entries: whole texts, and templates, the most particular first."""
        self._texts = {text: other for text, other in entries.items() if not _PLACE.search(text)}
        templates = [Template(*item) for item in entries.items() if item[0] not in self._texts]
        self._templates = sorted(templates, key=lambda template: -template.letters)

    def translate(self, text: str) -> str:
        """A text in this language, or its lines, each by itself; what is unknown stays as it is."""
        whole = self._sentence(text, _LEAST_LETTERS)
        return "\n".join(map(self._line, text.split("\n"))) if whole is None else whole

    def _line(self, line: str) -> str:
        bare = line.strip(" ")
        return line.replace(bare, self._sentence(bare, _LEAST_LETTERS) or bare) if bare else line

    def _sentence(self, text: str, least: int) -> str | None:
        if text in self._texts:
            return self._texts[text]
        for template in self._templates:
            if template.letters < least:
                break
            values = template.values(text)
            if values is not None:
                return self._filled(template.other, values)
        return None

    def _filled(self, other: str, values: Mapping[str, str]) -> str:
        words = {name: self._sentence(value, 0) or value for name, value in values.items()}
        return _PLACE.sub(lambda place: words[place[1]], other)


def entries(name: str) -> Iterator[tuple[str, str]]:
    """The English texts of a language's catalogues, each with its translation."""
    for path in sorted(CATALOGUES.glob(f"{name}*.po")):
        for text, other in _ENTRY.findall(path.read_text("utf-8")):
            yield json.loads(text), json.loads(other)


@lru_cache
def catalogue(name: str) -> Catalogue:
    """Read the catalogue of a language; that of English is empty."""
    return Catalogue(dict(entries(name)))


_LANGUAGE: ContextVar[str] = ContextVar("language", default=ENGLISH)


def speaking(name: str) -> AbstractContextManager[None]:
    """A block in which people are spoken to in a language, one of `LANGUAGES`."""
    return set_temporarily(_LANGUAGE, name)


def translate(text: str) -> str:
    """A text for people, in the language that they are spoken to in."""
    name = _LANGUAGE.get()
    return text if name == ENGLISH else catalogue(name).translate(text)
