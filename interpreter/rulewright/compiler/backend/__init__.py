"""Kernels that are linked to each other, and their code for this machine, kept between runs.

In: the text of a module, its nodes, or the Python modules that hold its kernels.  Out: `Linked`,
which every backend takes; its nodes are made when somebody asks for them, as code that is kept
needs none.  Code is packed with what is in it; what was cut off counts as absent.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias

from rulewright.compiler import runtime
from rulewright.compiler.ir.types import INT, INTS, Signature
from rulewright.ground import cache
from rulewright.ground.records import without_collection

if TYPE_CHECKING:
    from rulewright.compiler.ir.nodes import Module

MOST_BYTES = 64 * 1024 * 1024
"""Code kept at the most; the files used longest ago go first."""


class Linked:
    """A module of kernels, with the signatures of those outside that it calls; here of a text."""

    needs: tuple[Linked, ...] = ()
    """Modules whose kernels it calls, without those of the game: they are linked before it."""

    def __init__(self, text: str, outside: Mapping[str, Signature]) -> None:
        self._text, self._outside = text, outside

    @staticmethod
    def of(module: Module, needs: tuple[Linked, ...] = ()) -> Linked:
        """Make a linked module of nodes."""
        return _LinkedNodes(module, needs=needs)

    @staticmethod
    def of_packed(packed: str, needs: tuple[Linked, ...] = ()) -> Linked:
        """Make a linked module of nodes that another process has packed."""
        return _LinkedNodes(None, packed, needs)

    @cached_property
    def key(self) -> str:
        """A digest of what its code depends on, for the name of a file."""
        return cache.digest(self._text, repr(sorted(self._outside.items())))

    @property
    def content(self) -> str:
        """The digest of the content alone, without paths and times of files."""
        return self.key

    @cached_property
    def module(self) -> Module:
        """Its nodes."""
        from rulewright.compiler.ir.parse import parse

        return parse(self._text, self._outside)

    def release(self) -> None:
        """Drop the nodes until they are asked for: they take ten times the memory of their text."""
        self.__dict__.pop("module", None)

    @property
    def text(self) -> str:
        """The text of its nodes, for people."""
        from rulewright.compiler.ir.printer import module_text

        return module_text(self.module)

    @cached_property
    def packed(self) -> str:
        """The text in JSON of its nodes, as the cache keeps it."""
        from rulewright.compiler.ir.packing import pack

        with without_collection():
            return pack(self.module)

    def reads(self, array: str, place: int) -> bool:
        """Whether a kernel, here or needed, reads the word at *place* of an array of numbers."""
        from rulewright.compiler.ir.nodes import Array, Const, Element
        from rulewright.compiler.ir.packing import reads

        element = Element(Array(array, INTS), Const(place, INT))
        return any(reads(linked.packed, element) for linked in (*self.needs, self))


class _LinkedNodes(Linked):
    """A module of nodes, which may still be packed."""

    def __init__(
        self, module: Module | None, packed: str = "", needs: tuple[Linked, ...] = ()
    ) -> None:
        self.needs = needs
        if module is not None:
            self.__dict__["module"] = module
        else:
            self.__dict__["packed"] = packed

    @cached_property
    def key(self) -> str:
        """A digest of what its code depends on, for the name of a file."""
        return cache.digest(self.packed)

    @cached_property
    def module(self) -> Module:
        """Its nodes."""
        from rulewright.compiler.ir.packing import unpack

        with without_collection():
            return unpack(self.packed)

    def release(self) -> None:
        """Drop the nodes; their text stays."""
        if self.packed:
            super().release()


class _LinkedFiles(Linked):
    """The kernels of Python modules, read when their nodes are asked for."""

    def __init__(self, files: tuple[ModuleType, ...]) -> None:
        self._files = files

    @cached_property
    def module(self) -> Module:
        """Its nodes."""
        from rulewright.compiler.backend.linking import join_kernels

        return join_kernels(self._files)

    @cached_property
    def key(self) -> str:
        """A digest of the files, and of all files beside those that they import."""
        values = [thing for file in self._files for thing in vars(file).values()]
        names = {str(getattr(thing, "__module__", "")) for thing in values} | {runtime.__name__}
        ours = [sys.modules[name].__file__ for name in names if name.startswith("rulewright.")]
        folders = {Path(str(file)).parent for file in ours}
        return cache.digest(cache.fingerprint(_sources(folders)), *self._names)

    @cached_property
    def content(self) -> str:
        """A digest of the texts of all files that may be of use, and of imported numbers."""
        folders = {Path(str(file.__file__)).parent for file in self._files}
        numbers = [(n, v) for f in self._files for n, v in vars(f).items() if type(v) is int]
        return cache.digest(
            *(file.read_bytes() for file in (*_sources(folders), Path(runtime.__file__))),
            repr((self._names, sorted(numbers))),
        )

    @property
    def _names(self) -> list[str]:
        return [file.__name__ for file in self._files]


def _sources(folders: Iterable[Path]) -> list[Path]:
    """Return the Python files in some folders."""
    return sorted(source for folder in folders for source in folder.glob("*.py"))


def load(*files: ModuleType) -> Linked:
    """Make one module of all kernels in *files*; those imported from elsewhere are linked later."""
    return _LinkedFiles(files)


def signatures(modules: Iterable[Module]) -> dict[str, Signature]:
    """Return the signatures of all kernels of modules, by name."""
    return {f.name: f.signature for module in modules for f in module.functions.values()}


# --- code that is kept ---


CodeParts: TypeAlias = tuple[bytes, dict[str, Signature], dict[str, str]]
"""Code, its functions, and the kernels outside that it calls, each with a kernel that does."""


def code_parts(code: bytes, module: Module) -> CodeParts:
    """The parts to keep of the code of a module."""
    signatures = {name: f.signature for name, f in module.functions.items()}
    return code, signatures, calls_outside(module)


def calls_outside(module: Module) -> dict[str, str]:
    """The kernels of other modules that a module calls, each with a kernel that calls it."""
    from rulewright.compiler.ir.nodes import calls

    callers = {call.name: f.name for f in module.functions.values() for call in calls(f)}
    return {name: caller for name, caller in callers.items() if name not in module.functions}


def packed(code: bytes, functions: Mapping[str, Signature], outside: Mapping[str, str]) -> bytes:
    """Code behind its length and what is in it, as bytes."""
    signatures = {name: (s.parameters, s.gives, s.flat) for name, s in functions.items()}
    return json.dumps([len(code), signatures, outside]).encode() + b"\n" + code


def unpack_code(data: bytes | None) -> CodeParts | None:
    """The parts of packed code; None if the data is cut off, damaged or not there."""
    head, _, code = (data or b"").partition(b"\n")
    try:
        length, signatures, outside = json.loads(head)
        functions = {name: Signature.of_lists(*s) for name, s in signatures.items()}
    except (ValueError, TypeError, AttributeError):
        return None
    return (code, functions, outside) if length == len(code) else None


def refuse_unresolved(outside: Mapping[str, str], kernels: Collection[str]) -> None:
    """Raise `KernelFault` if one of the kernels called outside is not among *kernels*."""
    for name, caller in outside.items():
        if name not in kernels:
            raise runtime.KernelFault(f"`{caller}` calls `{name}`, which no linked module has")
