"""What comes with the package because it takes long to make: always that of the present texts.

The tables of the parsers: shipped, kept, or built anew.  Code of the search: shipped or compiled.
"""

from pathlib import Path

import pytest

from rulewright import cache
from rulewright.codegen.backend import shipped
from rulewright.language import grammar
from rulewright.language.grammar import STARTS, Tables
from rulewright.search.beside import packaged


@pytest.mark.parametrize("language", STARTS)
def test_shipped_tables_are_those_of_the_grammar(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a change of a grammar: `make tables`."""
    monkeypatch.setattr(grammar, "_build", _must_not_build)
    monkeypatch.setattr(cache, "read", lambda _path: None)
    data, memo = grammar.tables(language)
    assert sorted(data["parser"]["parser"]["start_states"]) == sorted(STARTS[language])
    assert memo


def test_tables_that_are_not_shipped_are_built_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grammar, "SHIPPED", tmp_path)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    first = grammar.tables("personality")
    monkeypatch.setattr(grammar, "_build", _must_not_build)
    assert grammar.tables("personality") == first


def test_tables_of_another_grammar_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(grammar, "SHIPPED", tmp_path)
    (tmp_path / "personality.json").write_bytes(b'["another key",{},{}]')
    assert "hole" in grammar.tables("personality")[0]["parser"]["parser"]["start_states"]


def test_shipped_code_is_that_of_the_search() -> None:
    """After a change of the search's kernels, of `ir/` or `backend/llvm.py`: `make tables`."""
    assert set(shipped.SHIPPED.iterdir()) == {shipped.place(part) for part in packaged()}


def _must_not_build(_language: str, _text: str) -> Tables:
    raise AssertionError("tables were built")
