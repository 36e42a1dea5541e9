"""Syntax of the languages: what a text says, which may be wrong.

Spans take no part in equality, so a reprinted text equals its source.  `depth` counts levels of
nesting; it is kept while a tree is built, so that no later stage can run out of stack.
"""
# fmt: off
# isort: off

from rulewright.language.syntax.expressions import (
    MOVE, NAME, OPENING, PATTERN, REPLY, VALUE, WORD,
    Alternatives, Binary, Bracketed, Call, Conditional, Expr, Interval, ListOf, Many, Marked,
    Name, Node, Number, Places, Prefix, Ray, RayPattern, Repeated, Role, Sequence, Text, Viewed,
    nodes, roles,
)
from rulewright.language.syntax.statements import (
    Action, Again, Assign, Board, BoardLine, Choose, ChooseRay, Claim, Clear, Course, Effect,
    Either, End, Format, GameName, If, InOrder, Item, Label, Let, Link, LinkEach, Links,
    MoveEach, MoveKind, MovePiece, Need, Often, OneMove, Option, Otherwise, Perform, PieceKind,
    Pieces, Players, Put, Rules, Setup, StateVariable, SwapSides, Turn, Untested, WithOption,
    Write, WriteTogether,
)
from rulewright.language.syntax.players import (
    CheapestPath, ClaimAfter, Consider, ConsiderValue, Decided, Drawn, Evaluator, EvaluatorItem,
    EvaluatorName, Extends, Factor, Forcing, Give, Hopeless, Limit, Must, OpeningLine, OpeningLines,
    OpeningMoves, OpeningRandom, Order, Passing, PathElse, PathFrom, PathLine, PathStep, PathTo,
    Personality,
    PersonalityItem, PersonalityName, PickAny, PickBest, Policy, Prefer, Quantity, Reaction,
    Reduce, Register, Replies, Row, Scan, ScanEffect, ScanLine, Search, Setting, Stop, Table,
    Threats, Ties, Use, ValueOf,
)

__all__ = [
    "MOVE", "NAME", "OPENING", "PATTERN", "REPLY", "VALUE", "WORD",
    "Action", "Again", "Alternatives", "Assign", "Binary", "Board", "BoardLine", "Bracketed",
    "Call", "CheapestPath", "Choose", "ChooseRay", "Claim", "ClaimAfter", "Clear",
    "Conditional", "Consider", "ConsiderValue", "Course", "Decided", "Drawn", "Effect", "Either",
    "End", "Evaluator",
    "EvaluatorItem", "EvaluatorName", "Expr", "Extends", "Factor", "Forcing", "Format",
    "GameName", "Give", "Hopeless", "If", "InOrder", "Interval", "Item", "Label", "Let", "Limit",
    "Link", "LinkEach", "Links",
    "ListOf", "Many", "Marked", "MoveEach", "MoveKind", "MovePiece", "Must", "Name", "Need", "Node",
    "Number", "Often", "OneMove", "OpeningLine", "OpeningLines", "OpeningMoves", "OpeningRandom",
    "Option", "Order", "Otherwise", "Passing", "PathElse", "PathFrom", "PathLine", "PathStep",
    "PathTo", "Perform", "Personality",
    "PersonalityItem", "PersonalityName", "PickAny", "PickBest", "PieceKind", "Pieces",
    "Places", "Players", "Policy", "Prefer", "Prefix", "Put", "Quantity", "Ray", "RayPattern",
    "Reaction", "Reduce", "Register", "Repeated", "Replies", "Role", "Row", "Rules", "Scan",
    "ScanEffect", "ScanLine", "Search",
    "Sequence", "Setting", "Setup", "StateVariable", "Stop", "SwapSides", "Table", "Text",
    "Threats", "Ties", "Turn", "Untested", "Use", "ValueOf", "Viewed", "WithOption", "Write",
    "WriteTogether", "nodes", "roles",
]
