"""Sentences for people in their language: English in, the words of a catalogue out.

The code says everything in English, with its values filled in.  A catalogue of gettext has the
templates of these sentences (`this board has {0}; at most {1} are possible`) in another language.
`translate` looks a sentence up where it is shown to a person: by its words, else by the template
that it fills, whose values are looked up in turn.  A sentence without a translation stays English
as a whole: a template is not used where a value would stay an English phrase inside of it.  All
that programs read stays English too: JSON, protocols, files, names and words of the languages.
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
_OF_COMMANDS = CATALOGUES / "commands"
"""Catalogues of help texts, which a page in a browser does not bring."""
ENGLISH = "en"
LANGUAGES = (ENGLISH, *sorted(path.stem for path in CATALOGUES.glob("??.po")))
"""The languages that can be chosen, by their two letters of ISO 639."""
_ENTRY = re.compile(r'^msgid (".+")\nmsgstr (".+")$', re.MULTILINE)
_PLACE = re.compile(r"\{(\d|n)\}")
"""A place of a template: `{n}` stands for a number, all others for any words of one line."""
_LEAST_LETTERS = 4
"""Letters and brackets of a template below which it only joins values: `{0} or {1}`."""
_CODE = re.compile(r"`[^`]*`|\"[^\"]*\"|\([^)]*\)")
"""What stands for itself in every language: code, texts of others, and what explains them."""
_PHRASE = re.compile(r"(?<![\w./-])(?:a|[a-z]{2,}) [a-z]{2,}(?![\w./-])")
"""Two words of English side by side."""


class Template:
    """A sentence with places, and the same sentence in another language."""

    def __init__(self, text: str, other: str) -> None:
        """Divide the two texts at their places."""
        self.parts = _PLACE.split(text)
        self.other = other
        self.letters = sum(c.isalpha() or c in "()" for c in "".join(self.parts[::2]))
        self.code = frozenset(
            name for before, name, after in self._places() if _in_code(before, after)
        )

    def _places(self) -> Iterator[tuple[str, str, str]]:
        """Each place with the text before and behind it."""
        fixed, names = self.parts[::2], self.parts[1::2]
        return zip(fixed, names, fixed[1:], strict=False)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        places = [self._place(*around) for around in self._places()]
        words = [re.escape(part) for part in self.parts[::2]]
        return re.compile("".join(a + b for a, b in zip(words, [*places, ""], strict=True)))

    @staticmethod
    def _place(before: str, name: str, after: str) -> str:
        """The pattern of a place; one between backquotes holds words of a language alone."""
        if name == "n":
            return r"([\d.,]+)"
        return "([^`]*)" if _in_code(before, after) else "(.*?)"

    def values(self, sentence: str) -> dict[str, str] | None:
        """What a sentence has in the places; None where it is not of this form."""
        if not (sentence.startswith(self.parts[0]) and sentence.endswith(self.parts[-1])):
            return None
        match = self._pattern.fullmatch(sentence)
        return None if match is None else dict(zip(self.parts[1::2], match.groups(), strict=True))


def _in_code(before: str, after: str) -> bool:
    """Whether a place stands between backquotes."""
    return before.endswith("`") and after.startswith("`")


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
            filled = None if values is None else self._filled(template, values)
            if filled is not None:
                return filled
        return None

    def _filled(self, template: Template, values: Mapping[str, str]) -> str | None:
        """A translation with its values; None where one of them would be an English phrase."""
        words = dict(values)
        for name in values.keys() - template.code:
            word = self._sentence(values[name], 0)
            if word is None and _PHRASE.search(_CODE.sub("", values[name])):
                return None
            words[name] = values[name] if word is None else word
        return _PLACE.sub(lambda place: words[place[1]], template.other)


def entries(name: str, helps: bool = False) -> Iterator[tuple[str, str]]:
    """The English texts of a language's catalogues, or of its *helps*, with their translations."""
    folder = _OF_COMMANDS if helps else CATALOGUES
    for path in sorted(folder.glob(f"{name}*.po")):
        for text, other in _ENTRY.findall(path.read_text("utf-8")):
            yield json.loads(text), json.loads(other)


@lru_cache
def catalogue(name: str) -> Catalogue:
    """Read the catalogue of a language; that of English is empty."""
    return Catalogue(dict([*entries(name, helps=True), *entries(name)]))


_LANGUAGE: ContextVar[str] = ContextVar("language", default=ENGLISH)


def speaking(name: str) -> AbstractContextManager[None]:
    """A block in which people are spoken to in a language, one of `LANGUAGES`."""
    return set_temporarily(_LANGUAGE, name)


def translate(text: str) -> str:
    """A text for people, in the language that they are spoken to in."""
    name = _LANGUAGE.get()
    return text if name == ENGLISH else catalogue(name).translate(text)
