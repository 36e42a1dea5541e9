"""Values beside the schemas of the package, by the package `jsonschema`."""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema

import rulewright


@cache
def _validator(name: str, part: str) -> jsonschema.Draft202012Validator:
    schema = rulewright.schemas()[name]
    return jsonschema.Draft202012Validator(
        {**schema, "$ref": f"#/$defs/{part}"} if part else schema
    )


def misfits(data: Any, name: str, part: str = "") -> list[str]:
    """The differences between a value and a schema, or a *part* of its definitions."""
    return [
        f"{error.json_path}: {error.message[:300]}"
        for error in _validator(name, part).iter_errors(data)
    ]
