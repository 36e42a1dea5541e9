"""The languages in one compact text, for who writes by it at once: assistants above all.

In: the table of words, bundled texts as examples.  Out: the text, and what is said of one word.
`python -m rulewright.app.service.compact` prints the page `docs/languages.txt`.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.app.service import words
from rulewright.errors import RulewrightError
from rulewright.games.files.games import bundled_games
from rulewright.ground.disk import read_text
from rulewright.language.diagnostics import did_you_mean

_HEAD = """\
# The languages of rulewright

Rules of board games as plain text, for one to eight players, with dice and hidden things.  A line
is a statement; lines of a block are indented by two blanks; `#` begins a comment.  Words in
capitals stand for what you write, `[...]` may be left out.  Sets of sites written side by side
intersect: `own king`, `empty corners`.  A ray is a regular expression over the sites in one
direction: `/[enemy+], own/`.  A turn is one over moves: `turn flip? drop flip?`.  A move chooses
(`choose a in own`), tests (`need ...`), and then changes the board (`move a to b`).
`rulewright check FILE` says what is wrong and how to mend it.

A whole text of rules:

"""
_EXAMPLE = "breakthrough"


def text() -> str:
    """All languages: an example, then each word with its form and its meaning, a line for each."""
    lines = [_HEAD + _fenced(read_text(bundled_games()[_EXAMPLE]))]
    for language in words.HEADS:
        lines.append(f"\n## {words.HEADS[language]}\n")
        for section, place in words.table():
            if section == language:
                lines += _section(language, place)
    return "\n".join(lines) + "\n"


def about(language: str, word: str) -> str:
    """What is said of a word; of none, all words of a language.

    Raises `RulewrightError` for words and languages that there are not.
    """
    if language not in words.LANGUAGES:
        raise RulewrightError(f"the languages are {', '.join(words.LANGUAGES)}")
    if not word:
        return "\n".join(
            line for place in words.places(language) for line in _listed(language, place)
        )
    entry = words.entry(language, word)
    if entry is None:
        names = [w for place in words.places(language) for w in words.entries(language, place)]
        hint = did_you_mean(word, names)
        raise RulewrightError(f"`{word[:40]}` is no word of {language}" + f"; {hint}" * bool(hint))
    return entry.about()


def _section(language: str, place: str) -> Iterator[str]:
    yield f"{words.TITLES[place]}:"
    for entry in words.table()[language, place].values():
        block = "".join(f" / {line.strip()}" for line in entry.block.splitlines())
        yield f"- `{entry.form}{block}`: {entry.means}"


def _listed(language: str, place: str) -> Iterator[str]:
    entries = words.entries(language, place)
    if entries:
        yield f"{words.TITLES[place]}: {' '.join(entries)}"


def _fenced(rules: str) -> str:
    return f"```rules\n{rules.strip()}\n```"


if __name__ == "__main__":
    print(text(), end="")
