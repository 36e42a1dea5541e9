"""The rules that a file builds on: found by their names, and joined with it.

In: the text of a file and its folder.  Out: the whole text with its syntax, or the texts that it
depends on.  A base stands beside the file, or is found as other games are.  Refuses bases that are
not there, that have mistakes, or that build on the file themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from rulewright.games.files.kinds import name_beside
from rulewright.ground import limits
from rulewright.ground.disk import is_file, read_source
from rulewright.ground.records import Record, record
from rulewright.language.diagnostics import Collector

if TYPE_CHECKING:
    from rulewright.language import syntax
    from rulewright.language.resolve.rules import Symbol
    from rulewright.language.source import Source

Named = Callable[[str], "Path | None"]
"""The rules of a game that is bundled or on a shelf."""
_BASE = re.compile(rb"^[ \t]*game[ \t]+\w+[ \t]+extends[ \t]+(\w+)", re.MULTILINE)


@record
class WholeRules(Record):
    """The whole text of rules, and its syntax."""

    source: Source
    tree: syntax.Rules
    bases: tuple[str, ...] = ()
    """The names of the games that they build on, the nearest first."""

    def own_symbols(self, symbols: Iterable[Symbol]) -> Iterator[Symbol]:
        """The names that the file itself declares, with the places in it."""
        from rulewright.language.whole_text import WholeText

        source = self.source
        for symbol in symbols:
            if not isinstance(source, WholeText):
                yield symbol
            elif (declared := source.own_span(symbol.declared)) is not None:
                uses = filter(None, map(source.own_span, symbol.uses))
                yield evolve(symbol, declared=declared, uses=tuple(uses))


@record
class Bases(Record):
    """Where the rules that are built upon are looked for, and whether they have no mistakes."""

    named: Named
    sound: Callable[[Path], bool]
    offer: Callable[[str], str]
    """What is said of a name that no game has."""

    def whole(
        self, tree: syntax.Rules, source: Source, report: Collector, folder: Path | None
    ) -> WholeRules | None:
        """The whole text of a file and its syntax; None where its base cannot be used."""
        data = source.text.encode("utf-8", "surrogatepass")
        name = base_name(tree)
        deepest = islice(base_files(data, folder, self.named), limits.BASES, None)
        if name is not None and next(deepest, None) is not None:
            message = f"more than {limits.BASES} games build on each other here"
            source.report(report, "too-large", name.span, message, "build on one further down")
            return None
        return self._whole(WholeRules(source, tree), report, folder, (data,))

    def _whole(
        self, rules: WholeRules, report: Collector, folder: Path | None, way: tuple[bytes, ...]
    ) -> WholeRules | None:
        name = base_name(rules.tree)
        if name is None:
            return rules
        from rulewright.language.extend import Base, extend  # not needed without a base
        from rulewright.language.parse import parse
        from rulewright.language.parse_cache import KeptLines, kept_lines

        with (kept_lines() or KeptLines()).used():  # lines of the base stand in three texts
            base = self._base(name, rules.source, report, folder, way)
            if base is None:
                return None
            whole = extend(rules.source, rules.tree, Base(name, base.source, base.tree), report)
            if whole is None:
                return None
            return WholeRules(whole, parse(whole, Collector()), (name.text, *base.bases))

    def _base(
        self,
        name: syntax.Name,
        source: Source,
        report: Collector,
        folder: Path | None,
        way: tuple[bytes, ...],
    ) -> WholeRules | None:
        """The whole rules of a base; None where they cannot be used, which is reported."""
        path = base_path(name.text, folder, self.named, way)
        if path is None and base_path(name.text, folder, self.named, ()) is None:
            message = f"no game is called `{name.text}`"
            source.report(report, "unknown-name", name.span, message, self.offer(name.text))
            return None
        collector = Collector()
        base = self._read(path, collector, folder, way) if path is not None else None
        if path is None or any(d.code == "cycle" for d in collector.diagnostics):
            message = f"`{name.text}` builds on this file, so neither says what the game is"
            source.report(report, "cycle", name.span, message)
            return None
        if base is None or not (len(way) > 1 or self.sound(path)):
            message = f"the rules of `{name.text}` have mistakes of their own"
            source.report(
                report, "other-file", name.span, message, f"check {name_beside(path, folder)}"
            )
            return None
        return base

    def _read(
        self, path: Path, collector: Collector, folder: Path | None, way: tuple[bytes, ...]
    ) -> WholeRules | None:
        from rulewright.language.parse import parse  # not needed for a cached model
        from rulewright.language.source import decode

        data = read_source(path)
        source = decode(name_beside(path, folder), data, collector)
        if source is None:
            return None
        tree = parse(source, collector)
        if collector.failed:
            return None
        return self._whole(WholeRules(source, tree), collector, path.parent, (*way, data))


def base_name(tree: syntax.Rules) -> syntax.Name | None:
    """The name of the rules that a file builds on."""
    from rulewright.language import syntax

    game = next((item for item in tree.items if isinstance(item, syntax.GameName)), None)
    return None if game is None else game.base


def base_path(name: str, folder: Path | None, named: Named, way: tuple[bytes, ...]) -> Path | None:
    """The rules that are built upon, unless they are on the *way* that leads to them."""
    file = f"{name}.rules"
    beside = (folder / file, folder.parent / name / file) if folder else ()
    paths = [*(path for path in beside if is_file(path)), *filter(None, [named(name)])]
    return next((path for path in paths if read_source(path) not in way), None)


def base_texts(data: bytes, folder: Path | None, named: Named) -> Iterator[bytes]:
    """The texts that a text builds on, the nearest first."""
    yield from (text for _, text in base_files(data, folder, named))


def base_files(data: bytes, folder: Path | None, named: Named) -> Iterator[tuple[Path, bytes]]:
    """The files that a text builds on, the nearest first."""
    way: tuple[bytes, ...] = (data,)
    while (match := _BASE.search(way[-1])) is not None:
        path = base_path(match[1].decode(), folder, named, way)
        if path is None:
            return
        folder, way = path.parent, (*way, read_source(path))
        yield path, way[-1]
