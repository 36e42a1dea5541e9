"""The JSON schemas of the package: made from today's types, whole, and what they refuse.

`slow/test_schemas.py` compares what every command prints; answers of the studio are compared
wherever a test asks a desk (`shared/desks.py`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

import jsonschema
import pytest

import rulewright
from rulewright.app.cli import parser
from rulewright.app.cli.schemas import written_schemas
from tests.shared.proposals import said
from tests.shared.schemas import misfits


def with_format(words: argparse.ArgumentParser, name: str = "") -> Iterator[str]:
    """The commands that print JSON, as their schemas are called."""
    for action in words._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, inner in action.choices.items():
                yield from with_format(inner, f"{name}-{word}".removeprefix("-"))
        elif "--format" in action.option_strings:
            yield name


def test_each_command_that_prints_json_has_a_schema() -> None:
    names = list(with_format(parser()))
    assert len(names) > 25
    assert set(names) <= rulewright.schemas().keys()


def test_the_schemas_are_those_of_the_types() -> None:
    """`python -m rulewright.app.cli.schemas` writes them anew."""
    assert rulewright.schemas() == json.loads(json.dumps(written_schemas()))


def test_schemas_are_schemas() -> None:
    for schema in rulewright.schemas().values():
        jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mover": 3}, "$.mover: 3 is not of type 'string', 'null'"),
        ({"more": 1}, "$: Additional properties are not allowed ('more' was unexpected)"),
        ({"format": 2}, "$.format: 1 was expected"),
        ({"over": None}, "$.over: None is not of type 'boolean'"),
    ],
)
def test_what_no_command_prints_is_refused(
    change: dict[str, object], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads(said(capsys, "moves", "tictactoe", "--format", "json")[1])
    assert misfits(data, "moves") == []
    assert misfits(data | change, "moves") == [message]


def test_a_missing_field_is_refused() -> None:
    assert any("'moves' is a required property" in line for line in misfits({}, "moves"))


def test_the_command_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(said(capsys, "schemas")[1].split()) == rulewright.schemas().keys()
    assert json.loads(said(capsys, "schemas", "best")[1]) == rulewright.schemas()["best"]
    status, _, told = said(capsys, "schemas", "beste")
    assert (status, "there is no schema `beste`" in told) == (2, True)
