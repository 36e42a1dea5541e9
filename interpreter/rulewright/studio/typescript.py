"""The classes of the messages as types for the page: `python -m rulewright.studio.typescript`.

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

from rulewright.render import scene
from rulewright.studio import answers as a
from rulewright.studio import messages as m

SCENE = (scene.Piece, scene.SceneSite, scene.SceneLink, scene.Fact, scene.SceneMove, scene.Scene)
"""What a scene is made of, as its JSON has it; names of two rooms that are one word differ."""
_PLAIN = {
    int: "number",
    float: "number",
    str: "string",
    bool: "boolean",
    Any: "any",
    type(None): "null",
}
_HEAD = "// Made by `make studio` from the classes of the service; not to be changed by hand.\n"


def typescript() -> str:
    """All types, the tables of methods and answers, then what answers look like, as data."""
    classes = dict.fromkeys((*SCENE, *m.METHODS.values(), *_answers()))
    longest = f"/** Letters of a message. */\nexport const LONGEST = {m.LONGEST};\n"
    parts = [_HEAD, longest, *(_interface(kind) for kind in classes)]
    parts += [_table("Params", m.METHODS), _table("Answers", _results())]
    shown = {kind.__name__: _fields(kind) for kind in (*SCENE, *dict.fromkeys(_answers()))}
    told = {method: _shape(kind) for method, kind in _results().items()}
    return "\n".join([*parts, _data("CLASSES", shown), _data("RESULTS", told)])


def _data(name: str, rows: Mapping[str, object]) -> str:
    """A table that the page checks by while it runs."""
    lines = "".join(f"  {key}: {json.dumps(value)},\n" for key, value in rows.items())
    return f"export const {name} = {{\n{lines}}};\n"


def _fields(kind: type[Any]) -> dict[str, Any]:
    """The shapes of the fields of a class."""
    return {name: _shape(hint) for name, hint in _hints(kind).items()}


def _shape(hint: Any) -> Any:
    """A type as data: a name, or a list of a word and what is inside."""
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
    return hint.__name__


def _answers() -> Iterator[type[Any]]:
    """The classes of answers, and those inside them."""
    for kind in (*a.ANSWERS.values(), *a.LISTS.values()):
        yield from _inside(kind)


def _inside(kind: type[Any]) -> Iterator[type[Any]]:
    for hint in get_type_hints(kind).values():
        for one in (hint, *get_args(hint)):
            if isinstance(one, type) and has(one):
                yield from _inside(one)
    yield kind


def _results() -> Mapping[str, object]:
    return {**a.ANSWERS, **{name: list[kind] for name, kind in a.LISTS.items()}}  # type: ignore[valid-type]


def _hints(kind: type[Any]) -> dict[str, Any]:
    """The types of the fields of a class, as its JSON has them."""
    hints = get_type_hints(kind, include_extras=True)
    found = {one.name: hints[one.name] for one in fields(kind) if one.name != "listed"}
    return found | ({"moves": list[scene.SceneMove]} if kind is scene.Scene else {})


def _interface(kind: type[Any]) -> str:
    may_miss = {one.name for one in fields(kind) if _may_miss(kind, one)}
    rows = [
        f"  {name}{'?' if name in may_miss else ''}: {_type(hint)};\n"
        for name, hint in _hints(kind).items()
    ]
    about = (kind.__doc__ or "").strip().splitlines()[0]
    return f"/** {about} */\nexport interface {kind.__name__} {{\n{''.join(rows)}}}\n"


def _may_miss(kind: type[Any], attribute: Any) -> bool:
    """Parameters with a default may be left out; answers say everything."""
    return kind in m.METHODS.values() and attribute.default is not NOTHING


def _type(hint: Any) -> str:
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return str(inside[1].__name__)
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(_type(one) for one in inside))
    if origin is Literal:
        return " | ".join(f'"{one}"' for one in inside)
    if origin is tuple:
        if inside[-1] is Ellipsis:
            return f"{_bracketed(inside[0])}[]"
        return f"[{', '.join(_type(one) for one in inside)}]"
    if origin in (list, frozenset):
        return f"{_bracketed(inside[0])}[]"
    if origin is not None and issubclass(origin, Mapping):
        return f"Record<string, {_type(inside[1])}>"
    if isinstance(hint, type) and has(hint):
        return hint.__name__
    raise TypeError(f"the page has no type for {hint}")


def _bracketed(hint: Any) -> str:
    found = _type(hint)
    return f"({found})" if "|" in found else found


def _table(name: str, rows: Mapping[str, object]) -> str:
    lines = "".join(f"  {method}: {_type(kind)};\n" for method, kind in rows.items())
    return f"export interface {name} {{\n{lines}}}\n"


if __name__ == "__main__":
    sys.stdout.write(typescript())
