"""The small grammar of the text protocol: words, and words with values.

In: a line.  Out: its first word, plain words and `name=value` pairs.  Refuses numbers that are
none.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from rulewright.errors import RulewrightError


@frozen
class Line:
    """A line: `word plain plain name=value`."""

    word: str
    plain: tuple[str, ...] = ()
    pairs: Mapping[str, str] = field(factory=dict)

    @classmethod
    def parse(cls, text: str) -> Line:
        """Read a line; of a pair that is given twice the last counts.

        Decisions may have `=` in them: all words behind `position`, and the first behind `best`.
        """
        first, *rest = text.split() or [""]
        moves = {"position": len(rest), "best": 1}.get(first, 0)
        plain, more = rest[:moves], rest[moves:]
        pairs = dict(word.partition("=")[::2] for word in more if "=" in word)
        return cls(first, (*plain, *(word for word in more if "=" not in word)), pairs)

    def only(self, *names: str) -> None:
        """Refuse pairs of other names."""
        for name in self.pairs:
            if name not in names:
                raise RulewrightError(f"`{self.word}` takes {', '.join(names)}, not `{name[:40]}`")

    def number(self, name: str) -> float | None:
        """The number of a pair, larger than 0."""
        if name not in self.pairs:
            return None
        try:
            value = float(self.pairs[name])
        except ValueError:
            value = 0.0
        if not 0 < value < float("inf"):
            raise RulewrightError(f"`{name}` needs a number above 0")
        return value

    def whole(self, name: str) -> int | None:
        """The whole number of a pair, from 1."""
        value = self.number(name)
        if value is not None and value != int(value):
            raise RulewrightError(f"`{name}` needs a whole number")
        return None if value is None else int(value)


def pair(name: str, value: object) -> str:
    """` name=value`, or nothing for None; numbers without needless figures."""
    if value is None:
        return ""
    shown = f"{value:.6g}" if isinstance(value, float) else str(value).lower()
    return f" {name}={shown}"
