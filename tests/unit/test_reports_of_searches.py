"""Reports of a search that nobody waits for any more: none comes after the answer."""

from __future__ import annotations

from threading import Event, Thread

from rulewright.matches.protocols.host import Thought
from rulewright.search.results import SearchResult, Watch

RESULT = SearchResult("a1", 0.0, "white", None, None, ("a1",), 1, 1, 0.0, ())


def test_dropping_a_search_waits_for_the_report_on_its_way() -> None:
    entered, release, events = Event(), Event(), list[str]()

    def slow(_: SearchResult) -> None:
        entered.set()
        release.wait(10)
        events.append("report")

    thought = Thought(Watch(progress=slow))
    reporting = Thread(target=thought.tell, args=(RESULT,))

    def answer() -> None:
        thought.drop()
        events.append("answer")

    dropping = Thread(target=answer)
    reporting.start()
    assert entered.wait(10)
    dropping.start()
    dropping.join(0.05)
    assert events == []
    release.set()
    reporting.join(10)
    dropping.join(10)
    assert events == ["report", "answer"]


def test_a_dropped_search_reports_nothing() -> None:
    events = list[object]()
    thought = Thought(Watch(progress=events.append, looking=lambda *move: events.append(move)))
    thought.look("a1", 1)
    thought.tell(RESULT)
    assert events == [("a1", 1), RESULT]
    thought.drop()
    thought.look("b1", 2)
    assert thought.tell(RESULT)  # it should end
    assert len(events) == 2
