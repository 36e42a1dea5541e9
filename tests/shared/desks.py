"""Requests of a desk as a page makes them, and their answers as JSON data, as the schemas say."""

from __future__ import annotations

import json
from typing import Any

from rulewright.app.studio import answers as a
from rulewright.app.studio import messages as m
from rulewright.app.studio.desk import Desk
from rulewright.app.studio.thinking import Telling
from tests.shared.schemas import misfits

SILENT = Telling(lambda _: None, lambda: False)
"""Hears no progress, and never ends a request."""


def ask(desk: Desk, method: str, telling: Any = SILENT, **params: object) -> Any:
    """Answer a request, which *telling* (a `Telling`) may end; raises `RulewrightError`."""
    message = json.dumps({"id": 1, "method": method, "params": params})
    answer = a.as_json(desk.answer(m.read_request(message), telling))
    assert misfits(json.loads(message), "studio-requests", f"request {method}") == []
    assert misfits(json.loads(json.dumps(answer)), "studio-answers", f"answer {method}") == []
    return answer
