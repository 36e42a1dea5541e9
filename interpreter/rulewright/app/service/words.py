"""The table of words: the meaning of each, where it may stand, and an example.

In: `grammar/words.toml`, and the properties that `test` knows.  Out: entries by language and word,
the text that hover shows, the snippet that completion inserts, and the page `docs/words.md`
(`python -m rulewright.app.service.words` prints it).  A word that is not in the table has no entry;
a test holds that every word of the grammars has one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache

from attrs import frozen

from rulewright.ground import disk
from rulewright.model import properties

LANGUAGES = ("rules", "evaluator", "personality", "patterns", "look", "cases")
_SHARED = dict.fromkeys(("rules", "evaluator", "look"), ("expressions",))
"""The sections of the table that a language has besides its own."""
TITLES = {
    "item": "Statements", "effect": "Lines of a move", "path": "Lines of a drawn board",
    "inside": "Words inside statements", "shape": "Shapes of boards",
    "claimed": "Words of claims", "symmetry": "Symmetries", "sign": "Signs", "set": "Sets",
    "steps": "Steps", "function": "Functions", "question": "Questions about all members",
    "value": "Values", "player": "Players", "scan_line": "Lines of a scan",
    "scan_effect": "Lines below `on`", "path_line": "Lines of a path", "search": "Searches",
    "limit": "Settings of searches", "word": "Other words", "line": "Lines of a case",
    "property": "Properties",
}  # fmt: skip
HEADS = {
    "rules": "Rules", "expressions": "Expressions, in rules, evaluators and looks",
    "evaluator": "Evaluators", "personality": "Personalities", "patterns": "Patterns",
    "look": "Looks", "cases": "Cases",
}  # fmt: skip
_INTRODUCTION = """\
# All words

All words of the languages in one list, as an editor explains them ([editors.md](editors.md)).
The pages of the languages tell more: [rules](language.md), [evaluators](evaluators.md),
[personalities](personality-files.md), [patterns](patterns.md), [looks](looks.md),
[cases](testing.md).
This page is made from the table that the editor uses; words in capitals stand for what you write.
"""
BLOCKS = frozenset({"item", "effect", "path", "scan_line", "scan_effect", "path_line", "line"})
"""Places that are blocks: their words begin lines."""
_SLOT = re.compile(r"\b[A-Z][A-Z0-9]*\b")
_OPTIONAL = re.compile(r" \[[^\[\]]*\]|\[[^\[\]]*\] ")


@frozen
class Word:
    """An entry: `form` has placeholders in capitals, `block` is the lines below it."""

    word: str
    language: str
    place: str
    form: str
    means: str
    example: str
    block: str = ""
    read: str = ""
    """How the example is parsed, if not as `place`: as a block, or a `hole` for an expression."""

    @property
    def begins(self) -> bool:
        """Whether it begins a line."""
        return self.place in BLOCKS

    def about(self) -> str:
        """The entry as Markdown."""
        title = TITLES.get(self.place, self.place)
        head = f"{HEADS[self.language]}: {title[0].lower()}{title[1:]}"
        fence = f"```{self.language if self.language != 'expressions' else 'rules'}\n"
        example = "" if self.example == self.form else f"\n\n{fence}{self.example}\n```"
        return f"`{self.form}`\n\n{self.means}{example}\n\n*{head}*"

    def snippet(self) -> str:
        """The snippet that completion inserts: stops as `${n:NAME}`, optional parts left out."""
        form = re.sub(r"[\\$}]", r"\\\g<0>", _OPTIONAL.sub("", self.form))
        if self.block:
            lines = self.block.splitlines()
            form = "\n  ".join((form, *(line.removeprefix("  ") for line in lines)))
        stops: dict[str, int] = {}

        def stop(match: re.Match[str]) -> str:
            number = stops.setdefault(match[0], len(stops) + 1)
            return f"${{{number}:{match[0]}}}"

        return _SLOT.sub(stop, form)


@cache
def table() -> dict[tuple[str, str], dict[str, Word]]:
    """List all entries, by language and place, in the order of the file."""
    text = (disk.root("grammar") / "words.toml").read_text("utf-8")
    sections: dict[tuple[str, str], dict[str, Word]] = {}
    for language, places in tomllib.loads(text).items():
        for place, words in places.items():
            sections[language, place] = {
                word: Word(
                    word, language, place, entry["form"], entry["means"], entry["example"],
                    entry.get("block", ""), entry.get("place", ""),
                )
                for word, entry in words.items()
            }  # fmt: skip
    for language, kinds in {**properties.ALL, "cases": properties.RULES}.items():
        sections[language, "property"] = {
            name: _property(name, language, means) for name, means in kinds.items()
        }
    return sections


def _property(name: str, language: str, means: str) -> Word:
    line = f"case {name}" if language == "cases" else f'untested {name} "why"'
    return Word(name, language, "property", name, means, line, read="item")


def places(language: str) -> Iterator[str]:
    """List the places of a text in which words of a language stand, its own before shared ones."""
    for section in (language, *_SHARED.get(language, ())):
        yield from (place for section_of_place, place in table() if section_of_place == section)


def entries(language: str, place: str) -> dict[str, Word]:
    """The words of a place: those of the language, then those that it shares with others."""
    words: dict[str, Word] = {}
    for section in (language, *_SHARED.get(language, ())):
        words |= {w: e for w, e in table().get((section, place), {}).items() if w not in words}
    return words


def entry(language: str, word: str, block: str = "") -> Word | None:
    """The entry of a word; *block* is the block whose line it begins, empty inside a line."""
    text = word.casefold() if language == "patterns" else word
    sections = (language, *_SHARED.get(language, ()))
    candidates = [
        (place, words[text])
        for (s, place), words in table().items()
        if s in sections and text in words
    ]
    choice = [candidate for place, candidate in candidates if place == block]
    inside = [candidate for place, candidate in candidates if place not in BLOCKS]
    return next(iter([*choice, *inside, *(candidate for _, candidate in candidates)]), None)


# --- the page ---


def page() -> str:
    """`docs/words.md`."""
    lines = [_INTRODUCTION]
    before = ""
    for (language, place), words in sorted(table().items(), key=_order):
        if language != before:
            lines.append(f"## {HEADS[language]}\n")
            before = language
        lines += [f"### {TITLES[place]} ({HEADS[language].partition(',')[0].lower()})\n"]
        lines += ["| word | form | meaning | example |", "|---|---|---|---|"]
        lines += [_row(word) for word in words.values()]
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def _order(item: tuple[tuple[str, str], object]) -> int:
    return list(HEADS).index(item[0][0])


def _row(word: Word) -> str:
    cells = (f"`{word.word}`", f"`{word.form}`", word.means, f"`{word.example}`")
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    print(page(), end="")
