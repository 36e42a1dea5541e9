"""What building a wheel or setting up a checkout makes: tables of the parsers, code of the search.

In: the checkout or the unpacked source distribution.  Out: `language/built/` and `brought/`, which
git does not hold; in a wheel the models, kernels, code and cards of the bundled games, too: of all,
or of those that the variable `RULEWRIGHT_BROUGHT` names, for a wheel that is only tried.  The
package goes without the code where LLVM is missing, or cannot write code for x86-64: then a first
start compiles it.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

RUN = """
import sys
sys.path.insert(0, {!r})
from rulewright.{} import {} as make
make(*sys.argv[1:])
"""
"""A path in the environment would not do: isolated builds take the checkout's out of it."""


class MadeFiles(BuildHookInterface):  # type: ignore[type-arg, misc]
    """Run the makers before files are collected, with the Python of the build."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make what is missing or old; the tables are needed, the rest is not."""
        self._run("language.grammar", "main", needed=True)
        self._run("search.background", "main")
        if version != "editable":
            self._games = TemporaryDirectory()
            names = os.environ.get("RULEWRIGHT_BROUGHT", "").split()
            self._run("games.files.games", "bring_bundled", self._games.name, *names)
            self._run("app.studio.gallery", "bring_cards", self._games.name, *names)
            for file in Path(self.root, "interpreter", "rulewright", "brought").iterdir():
                Path(self._games.name, file.name).unlink(missing_ok=True)
            build_data["force_include"][self._games.name] = "rulewright/brought"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was made for the wheel alone."""
        if version != "editable":
            self._games.cleanup()

    def _run(self, module: str, maker: str, *words: str, needed: bool = False) -> None:
        source = str(Path(self.root, "interpreter").absolute())
        command = [sys.executable, "-c", RUN.format(source, module, maker), *words]
        subprocess.run(command, check=needed)
