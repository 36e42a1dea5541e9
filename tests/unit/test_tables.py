"""What comes with the package because it takes long to make: always that of the present texts.

The tables of the parsers: shipped, kept, or built anew.  Code of the search: shipped or compiled.
A file with a changed bit counts as missing.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.compiler.backend import shipped
from rulewright.ground import cache
from rulewright.language import grammar
from rulewright.language.grammar import STARTS, Tables
from rulewright.search.background import packaged_kernels


@pytest.mark.parametrize("language", STARTS)
def test_shipped_tables_are_those_of_the_grammar(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a change of a grammar: `make tables`."""
    monkeypatch.setattr(grammar, "_build", _must_not_build)
    monkeypatch.setattr(cache, "read", lambda _path: None)
    assert grammar.shipped_tables(language).is_file(), "`make tables` makes it"
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
    cache.write_checked(tmp_path / "personality.tables", b'["another key",{},{}]')
    assert "hole" in grammar.tables("personality")[0]["parser"]["parser"]["start_states"]


def test_shipped_code_is_that_of_the_search() -> None:
    """After a change of the search's kernels, of `ir/` or `backend/llvm.py`: `make tables`."""
    code = {file.name for file in cache.BROUGHT.glob("*.x86-64")}
    assert code == {shipped.name(part) for part in packaged_kernels()}


def files_made() -> list[Path]:
    return sorted([*grammar.SHIPPED.iterdir(), *cache.BROUGHT.iterdir()])


@given(data=st.data())
def test_a_changed_bit_is_noticed(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    whole = data.draw(st.sampled_from(files_made())).read_bytes()
    copy = tmp_path_factory.mktemp("made") / "copy"
    copy.write_bytes(whole)
    assert cache.read_checked(copy) is not None
    place, bit = data.draw(st.integers(0, len(whole) - 1)), data.draw(st.integers(0, 7))
    copy.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :])
    assert cache.read_checked(copy) is None
    copy.write_bytes(whole[:place])
    assert cache.read_checked(copy) is None


def test_code_that_was_changed_is_compiled_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = packaged_kernels()[0]
    code = (cache.BROUGHT / shipped.name(part)).read_bytes()
    monkeypatch.setattr(cache, "BROUGHT", tmp_path)
    (tmp_path / shipped.name(part)).write_bytes(code)
    assert shipped.find(part)
    (tmp_path / shipped.name(part)).write_bytes(code[:-1] + bytes([code[-1] ^ 1]))
    assert shipped.find(part) is None


def test_files_that_are_as_they_should_be_are_not_written_again(tmp_path: Path) -> None:
    cache.write_checked(tmp_path / "made", b"code")
    before = (tmp_path / "made").stat()
    cache.write_checked(tmp_path / "made", b"code")
    after = (tmp_path / "made").stat()  # when it was read last is no matter
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    cache.write_checked(tmp_path / "made", b"more")
    assert cache.read_checked(tmp_path / "made") == b"more"


def _must_not_build(_language: str, _text: str) -> Tables:
    raise AssertionError("tables were built")
