"""What building a wheel or setting up a checkout makes: tables of the parsers, code of the search.

In: the checkout or the unpacked source distribution.  Out: `language/built/` and
`codegen/backend/built/`, which git does not hold.  Where LLVM is missing, or cannot write code for
x86-64, the package goes without the code, and a first start compiles it.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MAKERS = ("rulewright.language.grammar", "rulewright.search.beside")
RUN = "import runpy, sys; sys.path.insert(0, {!r}); runpy.run_module({!r}, run_name='__main__')"
"""A path in the environment would not do: isolated builds take the checkout's out of it."""


class MadeFiles(BuildHookInterface):  # type: ignore[type-arg, misc]
    """Run the makers before files are collected, with the Python of the build."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make what is missing or old; the tables are needed, the code is not."""
        source = str(Path(self.root, "interpreter").absolute())
        for maker, needed in zip(MAKERS, (True, False), strict=True):
            subprocess.run([sys.executable, "-c", RUN.format(source, maker)], check=needed)
