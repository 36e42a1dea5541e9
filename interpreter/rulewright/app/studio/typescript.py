"""The classes of the messages as types for the page: `python -m rulewright.app.studio.typescript`.

In: the classes of `messages.py` and of the scene.  Out: a text of TypeScript, to standard output.
Refuses types that the page cannot have.
"""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from attrs import NOTHING, fields, has

from rulewright.app.studio import answers as a
from rulewright.app.studio import messages as m
from rulewright.games.render import drawing, dressing, scene
from rulewright.matches.game_files import FORMATS

SCENE = (
    drawing.DrawnSite, drawing.Form, drawing.PileForm, drawing.HeapForm, drawing.CardForm,
    drawing.Stroke,
    drawing.LinkForm, drawing.Entry, drawing.Phrases, dressing.Gesture, drawing.BoardDrawing,
    dressing.ShownValue, dressing.ShownDie, dressing.ShownCard, dressing.Shown,
    scene.Piece, scene.SceneSite, scene.SceneLink, scene.Fact, scene.SceneMove, scene.Scene,
)  # fmt: skip
"""The classes of the JSON of a scene."""
_PLAIN = {
    int: "number", float: "number", str: "string", bool: "boolean", Any: "any", type(None): "null",
}  # fmt: skip
_HEAD = "// Made by `make studio` from the classes of the service; not to be changed by hand.\n"


def typescript() -> str:
    """Write all types, the tables of methods and answers, then the shapes of answers as data."""
    classes = dict.fromkeys((*SCENE, *m.METHODS.values(), *_answers()))
    longest = f"/** Letters of a message. */\nexport const LONGEST = {m.LONGEST};\n"
    suffixes = ",".join(suffix for form in FORMATS for suffix in form.suffixes)
    longest += f'/** Endings of files of games. */\nexport const ENDINGS = "{suffixes}";\n'
    parts = [_HEAD, longest, *(_interface(kind) for kind in classes)]
    parts += [_table("Params", m.METHODS), _table("Answers", _results())]
    kinds = {kind.__name__: _fields(kind) for kind in (*SCENE, *dict.fromkeys(_answers()))}
    results = {method: _shape(kind) for method, kind in _results().items()}
    return "\n".join([*parts, _data("CLASSES", kinds), _data("RESULTS", results)])


def _data(name: str, rows: Mapping[str, object]) -> str:
    """A table by which the page checks answers at run time."""
    lines = "".join(f"  {key}: {json.dumps(value)},\n" for key, value in rows.items())
    return f"export const {name} = {{\n{lines}}};\n"


def _fields(kind: type[Any]) -> dict[str, Any]:
    """The shapes of the fields of a class."""
    return {name: _shape(hint) for name, hint in _hints(kind).items()}


def _shape(hint: Any) -> Any:
    """A type as data: a name, or a list of a word and the types inside.  Raises `TypeError`."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return inside[1].__name__
    if origin in (Union, types.UnionType):
        return ["one", *map(_shape, inside)]
    if origin is Literal:
        return ["is", *inside]
    if origin is tuple and inside[-1] is not Ellipsis:
        return ["tuple", *map(_shape, inside)]
    if origin in (tuple, list, frozenset):
        return ["list", _shape(inside[0])]
    if origin is not None and issubclass(origin, Mapping):
        return ["record", _shape(inside[1])]
    if isinstance(hint, type) and has(hint):
        return hint.__name__
    raise TypeError(f"the page has no type for {hint}")


def _answers() -> Iterator[type[Any]]:
    """The classes of answers, and those inside them."""
    for kind in (*a.ANSWERS.values(), *a.LISTS.values(), a.Doing):
        yield from _inside(kind)


def _inside(kind: type[Any]) -> Iterator[type[Any]]:
    for hint in get_type_hints(kind).values():
        for part in _parts(hint):
            if isinstance(part, type) and has(part):
                yield from _inside(part)
    yield kind


def _parts(hint: Any) -> Iterator[Any]:
    """A type and all types inside it."""
    yield hint
    for inside in get_args(hint):
        yield from _parts(inside)


def _results() -> Mapping[str, object]:
    return {**a.ANSWERS, **{name: list[kind] for name, kind in a.LISTS.items()}}  # type: ignore[valid-type]


def _hints(kind: type[Any]) -> dict[str, Any]:
    """The types of the fields of a class, as its JSON has them."""
    hints = get_type_hints(kind, include_extras=True)
    own = {field.name: hints[field.name] for field in fields(kind) if field.name != "listed"}
    return own | ({"moves": list[scene.SceneMove]} if kind is scene.Scene else {})


def _interface(kind: type[Any]) -> str:
    may_miss = {attribute.name for attribute in fields(kind) if _may_miss(kind, attribute)}
    rows = [
        f"  {name}{'?' if name in may_miss else ''}: {_type(_shape(hint))};\n"
        for name, hint in _hints(kind).items()
    ]
    about = (kind.__doc__ or "").strip().splitlines()[0]
    return f"/** {about} */\nexport interface {kind.__name__} {{\n{''.join(rows)}}}\n"


def _may_miss(kind: type[Any], attribute: Any) -> bool:
    """Parameters with a default may be left out; answers say everything."""
    return kind in m.METHODS.values() and attribute.default is not NOTHING


def _type(shape: Any) -> str:
    """A shape as a type of TypeScript."""
    match shape:
        case ["one", *parts]:
            return " | ".join(dict.fromkeys(map(_type, parts)))
        case ["is", *values]:
            return " | ".join(map(json.dumps, values))
        case ["tuple", *parts]:
            return f"[{', '.join(map(_type, parts))}]"
        case ["list", item]:
            text = _type(item)
            return f"({text})[]" if "|" in text else f"{text}[]"
        case ["record", value]:
            return f"Record<string, {_type(value)}>"
    return str(shape)


def _table(name: str, rows: Mapping[str, object]) -> str:
    lines = "".join(f"  {method}: {_type(_shape(kind))};\n" for method, kind in rows.items())
    return f"export interface {name} {{\n{lines}}}\n"


if __name__ == "__main__":
    sys.stdout.write(typescript())
