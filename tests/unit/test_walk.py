"""What is inside an expression is found by the fields of its class, whatever the class."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from attrs import evolve

import rulewright
from rulewright.games.files.catalog import EVALUATOR
from rulewright.games.files.kinds import load_file
from rulewright.language import syntax
from rulewright.language.diagnostics import Collector
from rulewright.language.parse import parse
from rulewright.language.source import Source
from rulewright.model import expressions as m
from rulewright.model.walk import everything, nodes, parts, rebuilt

GAMES = ("chess", "twixt", "draughts", "othello")


def inside(e: m.Expression) -> Iterator[m.Expression]:
    yield e
    for part in parts(e):
        yield from inside(part)


@pytest.mark.parametrize("game", GAMES)
def test_parts_are_all_expressions_inside(game: str) -> None:
    rules = rulewright.load(game).rules
    whole = [n for n in everything(rules) if isinstance(n, m.Expression)]
    assert len(whole) > 20
    for e in whole:
        assert list(inside(e)) == [n for n in nodes(e) if isinstance(n, m.Expression)]


def test_parts_of_evaluators_are_all_expressions_inside() -> None:
    evaluator = load_file(EVALUATOR, rulewright.load("twixt"), "t1")
    whole = [n for n in nodes(evaluator) if isinstance(n, m.Expression)]
    assert {m.ScanValue, m.FactorValue, m.PathValue} & {type(n) for n in whole}
    for e in whole:
        assert list(inside(e)) == [n for n in nodes(e) if isinstance(n, m.Expression)]


@pytest.mark.parametrize("game", GAMES)
def test_an_expression_is_rebuilt_where_it_changes_and_only_there(game: str) -> None:
    rules = rulewright.load(game).rules
    for e in (n for n in everything(rules) if isinstance(n, m.Expression)):
        assert rebuilt(e, lambda part: part) is e
        moved = rebuilt(e, lambda part: evolve(part, origin=-1))
        assert moved == e  # places take no part in equality
        assert {part.origin for part in parts(moved)} <= {-1}


def test_nodes_in_the_braces_of_texts_can_be_left_out() -> None:
    text = 'format 1\ngame g\nlabel s in sites : "a{x(s)}b"\n'
    tree = parse(Source("g.rules", text), Collector())
    every, outside = (list(syntax.nodes(tree.items, texts=t)) for t in (True, False))
    assert sum(isinstance(n, syntax.Call) for n in every) == 1
    assert not any(isinstance(n, syntax.Call) for n in outside)
