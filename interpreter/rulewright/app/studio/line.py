"""Scenes on the line to a page: what the page has already is not sent again.

In: messages as JSON data, in the order in which they are sent.  Out: the same messages, in whose
scenes a drawing that was sent before is named by its slot, and only sites stand that are not as in
the last scene with this drawing.  The page makes them whole again (`studio/src/scenes.ts`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, field

SLOTS = 8
"""Drawings that a page keeps; one more takes the place of the one that was used least recently."""
_ANSWERS = ("result", "progress")


@define(eq=False)
class _Slot:
    """A drawing that the page keeps, and the sites of the last scene with it."""

    number: int
    drawing: Mapping[str, Any]
    spots: dict[int, Mapping[str, Any]] = field(factory=dict)


@define(eq=False)
class SceneLine:
    """The line to a page: what was sent on it; the slot that was last used stands last."""

    _slots: list[_Slot] = field(factory=list)

    def packed(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """A message without what the page has."""
        return {n: self._answer(part) if n in _ANSWERS else part for n, part in message.items()}

    def _answer(self, answer: Any) -> Any:
        if not isinstance(answer, dict):
            return answer
        return {name: self._scene(p) if _is_scene(p) else p for name, p in answer.items()}

    def _scene(self, scene: Mapping[str, Any]) -> dict[str, Any]:
        last = next((slot for slot in self._slots if slot.drawing == scene["drawing"]), None)
        slot = last or self._fresh(scene["drawing"])
        self._slots = [*(other for other in self._slots if other is not slot), slot]
        spots = [spot for spot in scene["spots"] if slot.spots.get(spot["site"]) != spot]
        slot.spots |= {spot["site"]: spot for spot in spots}
        drawing = {"slot": slot.number, "whole": None if last else slot.drawing}
        return {**scene, "drawing": drawing, "spots": spots}

    def _fresh(self, drawing: Mapping[str, Any]) -> _Slot:
        """A slot for a drawing that the page does not have."""
        if len(self._slots) < SLOTS:
            return _Slot(len(self._slots), drawing)
        return _Slot(self._slots.pop(0).number, drawing)


def _is_scene(part: object) -> bool:
    return isinstance(part, dict) and "drawing" in part and "spots" in part
