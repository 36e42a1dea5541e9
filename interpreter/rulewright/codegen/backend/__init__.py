"""Kernels that are linked to each other, and their code for this machine, kept between runs.

In: the text of a module, its nodes, or the Python modules that hold its kernels.  Out: `Linked`,
which every backend takes; its text and its nodes are made when somebody asks for them, as code that
is kept needs neither.  Code is packed with what is in it; what was cut off counts as absent.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from rulewright import cache
from rulewright.codegen import runtime
from rulewright.codegen.ir.types import Signature

if TYPE_CHECKING:
    from rulewright.codegen.ir.nodes import Module

MOST_BYTES = 64 * 1024 * 1024
"""Code kept at the most; the files used longest ago go first."""


class Linked:
    """A module as text and as nodes, and the kernels of other modules that it calls."""

    def __init__(
        self, text: str, outside: Mapping[str, Signature], module: Module | None = None
    ) -> None:
        """A module of a text; *module* are its nodes, where they are known."""
        self._written: tuple[str, Mapping[str, Signature]] | None = (text, outside)
        self._module = module

    @classmethod
    def of(cls, module: Module) -> Linked:
        """A module that was built of nodes."""
        from rulewright.codegen.ir.printer import module_text

        return cls(module_text(module), module.outside, module)

    @property
    def written(self) -> tuple[str, Mapping[str, Signature]]:
        """The text, and the kernels of other modules that it calls."""
        assert self._written is not None
        return self._written

    @property
    def text(self) -> str:
        """The text."""
        return self.written[0]

    @property
    def outside(self) -> Mapping[str, Signature]:
        """The kernels of other modules that it calls."""
        return self.written[1]

    @cached_property
    def key(self) -> str:
        """What its code depends on, for the name of a file."""
        text, outside = self.written
        return cache.digest(text, repr(sorted(outside.items())))

    @property
    def content(self) -> str:
        """The same, wherever and whenever its files were written."""
        return self.key

    @property
    def module(self) -> Module:
        """Its nodes."""
        if self._module is None:
            from rulewright.codegen.ir.parse import parse

            self._module = parse(self.text, self.outside)
        return self._module


class _OfFiles(Linked):
    """The kernels of Python modules, read when their text is asked for."""

    def __init__(self, files: tuple[ModuleType, ...]) -> None:
        self._files = files
        self._written, self._module = None, None

    @property
    def written(self) -> tuple[str, Mapping[str, Signature]]:
        """The text, and the kernels of other modules that it calls."""
        if self._written is None:
            from rulewright.codegen.backend.linking import joined

            self._written = joined(self._files)
        return self._written

    @cached_property
    def key(self) -> str:
        """The files, and all that stand beside what they import."""
        known = [one for file in self._files for one in vars(file).values()]
        names = {str(getattr(one, "__module__", "")) for one in known} | {runtime.__name__}
        ours = [sys.modules[name].__file__ for name in names if name.startswith("rulewright.")]
        folders = {Path(str(file)).parent for file in ours}
        sources = sorted(source for folder in folders for source in folder.glob("*.py"))
        return cache.digest(cache.fingerprint(sources), *(file.__name__ for file in self._files))

    @cached_property
    def content(self) -> str:
        """The texts of all files that may be of use, and what numbers of elsewhere are here."""
        folders = {Path(str(file.__file__)).parent for file in self._files}
        sources = sorted(source for folder in folders for source in folder.glob("*.py"))
        numbers = [(n, v) for f in self._files for n, v in vars(f).items() if type(v) is int]
        names = [file.__name__ for file in self._files]
        return cache.digest(
            *(file.read_bytes() for file in (*sources, Path(runtime.__file__))),
            repr((names, sorted(numbers))),
        )


def load(*files: ModuleType) -> Linked:
    """One module of all kernels in *files*; what they import from elsewhere is linked later."""
    return _OfFiles(files)


def signatures(modules: Iterable[Module]) -> dict[str, Signature]:
    """What other modules can call."""
    return {f.name: f.signature for module in modules for f in module.functions.values()}


# --- code that is kept ---


def packed(code: bytes, functions: Mapping[str, Signature]) -> bytes:
    """Code with what is in it and its length."""
    known_as = {name: (s.parameters, s.gives, s.flat) for name, s in functions.items()}
    return json.dumps([len(code), known_as]).encode() + b"\n" + code


def unpacked(kept: bytes | None) -> tuple[bytes, dict[str, Signature]] | None:
    """The code and its functions; None where it is not whole, or not there."""
    head, _, code = (kept or b"").partition(b"\n")
    try:
        length, known_as = json.loads(head)
        functions = {name: _signature(*s) for name, s in known_as.items()}
    except (ValueError, TypeError, AttributeError):
        return None
    return (code, functions) if length == len(code) else None


def _signature(parameters: list[list[str]], gives: str, flat: list[list[str]]) -> Signature:
    return Signature(tuple((n, t) for n, t in parameters), gives, tuple((n, t) for n, t in flat))
