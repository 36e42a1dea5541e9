"""`schemas`: JSON schemas of all that is printed, kept and sent as JSON.

In: the types of `outputs.py` and its neighbours, and the classes of the studio's messages.  Out:
schemas by the draft of 2020-12, in `rulewright/schemas/`, which come with the package:
`python -m rulewright.app.cli.schemas` writes them.  An object has no fields but those named.
"""

from __future__ import annotations

import json
import types
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from attrs import NOTHING, define, field, fields, has

from rulewright.app.cli import arguments as a
from rulewright.app.cli import outputs as o
from rulewright.app.cli import outputs_of_matches as om
from rulewright.app.cli import outputs_of_players as op
from rulewright.app.studio import answers, messages
from rulewright.errors import RulewrightError
from rulewright.games.render import scene
from rulewright.ground.disk import read_text
from rulewright.matches.protocols.saved_game import SavedFile

FOLDER = Path(__file__).parents[2] / "schemas"
"""Where the schemas are."""
DRAFT = "https://json-schema.org/draft/2020-12/schema"
OUTPUTS: Mapping[str, object] = {
    "games": o.GamesOutput, "check": o.CheckOutput, "moves": o.MovesOutput, "perft": o.PerftOutput,
    "best": o.BestOutput, "why": o.WhyOutput,
    "solve": o.SolveOutput | o.SecretSolveOutput | o.ExpectedSolveOutput,
    "why-not": o.WhyOutput, "test": o.TestOutput, "cover": o.CoverOutput, "mutate": o.MutateOutput,
    "claims": o.ClaimsOutput, "diff": o.DiffOutput, "factors": op.FactorsOutput,
    "lint": op.LintOutput, "explain": op.ExplainOutput, "book": op.BookOutput, "fit": op.FitOutput,
    "patterns-show": op.PatternsOutput, "patterns-match": op.PatternMatchOutput,
    "patterns-why": op.PatternWhyOutput, "patterns-cover": op.PatternCoverOutput,
    "patterns-mine": op.PatternMineOutput, "bench": op.BenchOutput | op.SignatureOutput,
    "match": om.MatchOutput, "tournament": om.MatchOutput, "tune": om.TuneOutput,
    "learn": om.LearnOutput,
    "analyze": om.AnalyzeOutput, "epd": om.EpdOutput,
    "replay": om.RecordOutput | om.RecordedGameData | om.VerifyOutput | om.CountOutput
    | om.ListedRecording | om.CasesOutput,
}  # fmt: skip
"""The types of what commands print with `--format json`; a blank in a name is a hyphen."""
_PLAIN = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def written_schemas() -> dict[str, dict[str, Any]]:
    """Make all schemas from the types, by their names."""
    outputs = {name: SchemaWriter().output(name, kind) for name, kind in OUTPUTS.items()}
    return {**outputs, **dict(_files()), **dict(_studio())}


def schemas() -> dict[str, dict[str, Any]]:
    """Read the schemas that come with the package, by their names."""
    paths = sorted(FOLDER.glob("*.json"))
    return {path.stem: json.loads(read_text(path)) for path in paths}


@define
class SchemaWriter:
    """Writes types as schemas; `definitions` are those of the classes that it has met."""

    params: bool = False
    """Whether fields of classes with a default may be missing."""
    definitions: dict[str, Any] = field(factory=dict)

    def output(self, name: str, kind: object) -> dict[str, Any]:
        """The schema of what a command prints: each object begins with the number of its format."""
        kinds = get_args(kind) if get_origin(kind) is types.UnionType else (kind,)
        names = [self.schema(part)["$ref"].rpartition("/")[2] for part in kinds]
        for part in names:
            body = self.definitions[part]
            body["properties"] = {"format": {"const": 1}} | body["properties"]
            body["required"] = [*dict.fromkeys(("format", *body["required"]))]
        return self.whole(f"what `{name}` prints with `--format json`", names)

    def whole(self, title: str, names: Sequence[str]) -> dict[str, Any]:
        """The schema of one of some classes, with all definitions."""
        refs = [{"$ref": f"#/$defs/{name}"} for name in names]
        body = refs[0] if len(refs) == 1 else {"anyOf": refs}
        return {"$schema": DRAFT, "title": title, **body, "$defs": self.definitions}

    def schema(self, hint: Any) -> dict[str, Any]:
        """The schema of a type; raises `TypeError` where there is none."""
        origin, inside = get_origin(hint), get_args(hint)
        if hint is Any:
            return {}
        if hint in _PLAIN:
            return {"type": _PLAIN[hint]}
        if origin is Annotated:
            return self.schema(inside[1])
        if origin is Literal:
            return {"enum": list(inside)}
        if origin in (Union, types.UnionType):
            return _any_of([self.schema(part) for part in inside])
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.schema(inside[1])}
        if origin is tuple and inside[-1] is not Ellipsis:
            parts = [self.schema(part) for part in inside]
            return {"type": "array", "prefixItems": parts, "items": False, "minItems": len(parts)}
        if isinstance(origin, type) and issubclass(origin, Sequence | frozenset):
            return {"type": "array", "items": self.schema(inside[0])}
        if is_typeddict(hint) or has(hint):
            return self._reference(hint)
        raise TypeError(f"there is no schema for {hint}")

    def _reference(self, kind: Any) -> dict[str, Any]:
        name = kind.__name__
        if name not in self.definitions:
            self.definitions[name] = {}  # a class may hold others of its own kind
            self.definitions[name] = self._body(kind)
        return {"$ref": f"#/$defs/{name}"}

    def _body(self, kind: Any) -> dict[str, Any]:
        hints, optional = dict(self._fields(kind)), self._optional(kind)
        about = " ".join((kind.__doc__ or "").split())
        described = {"description": about} if about and not about.startswith("dict(") else {}
        return {
            **described, "type": "object",
            "properties": {name: self.schema(_inner(hint)) for name, hint in hints.items()},
            "required": [name for name in hints if name not in optional],
            "additionalProperties": False,
        }  # fmt: skip

    def _fields(self, kind: Any) -> Iterator[tuple[str, Any]]:
        hints = get_type_hints(kind, include_extras=True)
        if is_typeddict(kind):
            yield from hints.items()
            return
        for attribute in fields(kind):
            if attribute.name != "listed":  # by which a scene has all of its moves
                yield attribute.name, hints[attribute.name]
        if kind is scene.Scene:
            yield "moves", list[scene.SceneMove]

    def _optional(self, kind: Any) -> frozenset[str]:
        if is_typeddict(kind):
            return frozenset(n for n, h in self._fields(kind) if get_origin(h) is NotRequired)
        defaults = (f.name for f in fields(kind) if f.default is not NOTHING)
        return frozenset(defaults) if self.params else frozenset()


def _any_of(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """The schema of a union; of simple types the list of their names."""
    if any(part.keys() != {"type"} for part in parts):
        return {"anyOf": parts}
    names = [part["type"] for part in parts]
    return {"type": [name for name in names if name != "integer" or "number" not in names]}


def _inner(hint: Any) -> Any:
    """A type without the mark of a field that may be missing."""
    return get_args(hint)[0] if get_origin(hint) is NotRequired else hint


def _files() -> Iterator[tuple[str, dict[str, Any]]]:
    """The schemas of files that are kept."""
    saved, record = SchemaWriter(params=True), SchemaWriter()
    saved.schema(SavedFile)
    yield "saved-game", saved.whole("a game that `play` has saved", [SavedFile.__name__])
    kinds = (om.RecordHead, om.RecordedGameData)
    for kind in kinds:
        record.schema(kind)
    names = [kind.__name__ for kind in kinds]
    yield "record", record.whole("a line of a record of matches (.jsonl)", names)


def _studio() -> Iterator[tuple[str, dict[str, Any]]]:
    """The schemas of requests of the page, and of what answers them."""
    requests, replies = SchemaWriter(params=True), SchemaWriter()
    for method, kind in messages.METHODS.items():
        requests.definitions[f"request {method}"] = _object({
            "id": {"type": "integer"}, "method": {"const": method}, "params": requests.schema(kind)
        })  # fmt: skip
    names = [f"request {method}" for method in messages.METHODS]
    yield "studio-requests", requests.whole("a request of the studio's page", names)
    for method, kind in {**answers.ANSWERS, **answers.LISTS}.items():
        result = replies.schema(list[kind] if method in answers.LISTS else kind)  # type: ignore[valid-type]
        replies.definitions[f"answer {method}"] = result
    names = [f"answer {method}" for method in messages.METHODS]
    yield "studio-answers", replies.whole("the result of a request of the studio's page", names)


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    required = [name for name in properties if name != "params"]
    return {"type": "object", "properties": properties, "required": required,
            "additionalProperties": False}  # fmt: skip


# --- the command ---


def print_schemas(arguments: Namespace) -> int:
    """Print a schema, or the names of all."""
    by_name = schemas()
    if not arguments.name:
        print("\n".join(by_name))
    elif arguments.name not in by_name:
        raise RulewrightError(f"there is no schema `{arguments.name}`: {', '.join(by_name)}")
    else:
        print(_text(by_name[arguments.name]), end="")
    return 0


def _text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


COMMANDS: dict[str, a.Command] = {
    "schemas": (print_schemas, [
        a.value("name", "NAME", "a command, or another name of the list", nargs="?", default=""),
    ]),
}  # fmt: skip

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for schema_name, written in written_schemas().items():
        (FOLDER / f"{schema_name}.json").write_text(_text(written), "utf-8")
