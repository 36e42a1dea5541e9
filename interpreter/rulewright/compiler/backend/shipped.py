"""Code that comes with the package, so that a first start compiles only its game.

In: modules that serve all games, such as the kernels of the search.  Out: object code for every
processor of x86-64, one file for each module, named by the texts that it was made of: code of other
texts is not found, nor is code that does not match the digest in front of it.  It takes the place
of quick code; whoever wants the best compiles for his own processor.  Setting up a checkout writes
that of the search, building a wheel that of the bundled games too (`hatch_build.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache as once
from pathlib import Path

from rulewright.compiler.backend import CodeParts, Linked, unpack_code
from rulewright.compiler.backend.loading import is_loaded_here
from rulewright.ground import cache


def find(source: Linked) -> CodeParts | None:
    """The shipped code of a module; None if there is none, or it cannot be loaded here."""
    return unpack_code(cache.brought_file(name(source))) if is_loaded_here() else None


def name(source: Linked) -> str:
    """Return the name of the file with the code of a module."""
    return f"{cache.digest(source.content, _translator())}.x86-64"


@once
def _translator() -> str:
    """Return a digest of the program files that make code, not of those that keep or load it."""
    return cache.digest(*(file.read_bytes() for file in translating()))


def translating() -> list[Path]:
    """Return the program files that make assembly of a text."""
    folder = Path(__file__).parent
    return sorted((folder / "llvm.py", *folder.with_name("ir").glob("*.py")))


def ship(codes: Mapping[Linked, bytes]) -> None:
    """Write the compiled code of modules into the package; remove that of other modules."""
    files = {cache.BROUGHT / name(part): code for part, code in codes.items()}
    for file, code in files.items():
        cache.write_checked(file, code)
    for file in set(cache.BROUGHT.glob("*.x86-64")) - files.keys():
        file.unlink(missing_ok=True)
