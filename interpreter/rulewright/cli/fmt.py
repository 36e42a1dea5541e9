"""`rulewright fmt`."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from rulewright.cli.common import read_text, write_text
from rulewright.files.table import by_suffix, of_text
from rulewright.language.diagnostics import TextError, renamed


def run(arguments: Namespace) -> int:
    """Rewrite files in the one layout, or say which would change."""
    status = 0
    for name in arguments.files:
        text = read_text(name)
        try:
            kind = by_suffix().get(Path(name).suffix) or of_text(text)
            new = kind.formatted(text)
        except TextError as error:
            raise TextError(renamed(error.diagnostics, name)) from None
        if name == "-" and not arguments.check:
            write_text("-", new)
        elif new != text and arguments.check:
            print(f"{name} would change", file=sys.stderr)
            status = 1
        elif new != text:
            write_text(name, new)
            print(f"{name} formatted", file=sys.stderr)
    return status
