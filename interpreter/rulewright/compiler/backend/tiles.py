"""Kernels for the order in which a card reads memory: words of neighbouring lanes side by side.

In: modules of kernels, and kernels with the `LaneOrder` of each array that they take.  Out: one
module of these kernels and all that they call, for these orders.  32 lanes are a tile: their first
words stand side by side, then their second ones, so that lanes that read the same word read one
piece of memory.  A kernel that is called with arrays of different orders is there once for each.
Refuses (as `Unsupported`) kernels that call themselves: a card has hardly a stack.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto

from attrs import define, evolve, field

from rulewright.compiler.ir import nodes as n
from rulewright.compiler.ir.nodes import Expr, Function, Module, Stmt
from rulewright.compiler.ir.parse import parse
from rulewright.compiler.ir.types import INT
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.runtime import KernelFault
from rulewright.ground.records import Record

TILE = 32
"""Lanes whose words lie side by side: as many as a card lets read at once."""
_IN_ROOM, _WRITTEN = "in_room", "written"
_BOUND = f"""def {_IN_ROOM}(at: i64) -> i64:
    return at if at >= 0 and at < {{last}} else {{last}}
def {_WRITTEN}(at: i64, value: i64) -> i64:
    return value if at >= 0 and at < {{last}} else 1
"""


class LaneOrder(Enum):
    """How an array lies in memory."""

    SHARED = auto()
    """All lanes have the same."""
    APART = auto()
    """Each lane has its words in one piece, as whoever reads them from outside wants them."""
    TILED = auto()
    """Word after word, those of a tile side by side."""
    BOUNDED = auto()
    """Tiled; whatever lies beyond the room falls on its last word, which is 1 from then on."""


@define(eq=False)
class TiledKernels(Record):
    """Kernels and all that they call, for the orders of their arrays."""

    modules: Sequence[Module]
    room: int
    """Words of the arrays that are bounded."""
    functions: dict[str, Function] = field(factory=dict, init=False)
    _inside: list[str] = field(factory=list, init=False)
    """The kernels that call each other down to the one that is being written."""

    def add(self, kernel: str, orders: Mapping[str, LaneOrder]) -> None:
        """Add a kernel and all that it calls; its own name stays."""
        self._write(self._home(kernel), kernel, orders, kernel)

    @property
    def module(self) -> Module:
        """All kernels that were added."""
        bound = parse(_BOUND.format(last=self.room - 1)).functions
        return Module({**bound, **self.functions})

    def _home(self, kernel: str, caller: Module | None = None) -> Module:
        """Return the module of a kernel: that of its caller where this has one of the name."""
        homes = [caller] if caller else []
        for module in (*homes, *self.modules):
            if kernel in module.functions:
                return module
        raise KernelFault(f"no linked module has a kernel `{kernel}`")

    def _write(self, home: Module, kernel: str, orders: Mapping[str, LaneOrder], name: str) -> None:
        """Write a kernel for orders of its arrays, under a name, behind those that it calls."""
        function = home.functions[kernel]
        if function.atomic:
            raise KernelFault(f"`{kernel}` is for threads of a processor")
        if name in self._inside:
            raise Unsupported(f"its kernel `{kernel}` calls itself, and a card has hardly a stack")
        self._inside.append(name)
        body = _Body(self, home, orders).block(function.body)
        self.functions[name] = evolve(function, name=name, body=body)
        self._inside.pop()

    def called(self, home: Module, call: n.Call, orders: Mapping[str, LaneOrder]) -> str:
        """Return the name of a kernel for the orders of the arrays that a call hands over."""
        there = self._home(call.name, home)
        takes = there.functions[call.name].signature.flat
        own = {
            name: orders[argument.name]
            for (name, _), argument in zip(takes, call.args, strict=True)
            if isinstance(argument, n.Array)
        }
        number = next(i for i, module in enumerate(self.modules) if module is there)
        marks = "".join(str(order.value) for order in own.values())
        name = f"{call.name}.{number}.{marks}"
        if name not in self.functions:
            self._write(there, call.name, own, name)
        return name


@define(eq=False)
class _Body(Record):
    """The body of a kernel, for the orders of its arrays."""

    kernels: TiledKernels
    home: Module
    orders: Mapping[str, LaneOrder]

    def block(self, body: Sequence[Stmt]) -> list[Stmt]:
        """Return a block with the places of all elements, and the names of all calls."""
        return [self._statement(s) for s in body]

    def _statement(self, s: Stmt) -> Stmt:
        match s:
            case n.Set(name=name, value=value):
                return n.Set(name, self._expr(value))
            case n.Store(array=array, index=index, value=value):
                return n.Store(array, self._place(array, index), self._value(array, index, value))
            case n.Do(call=call):
                return n.Do(self._call(call))
            case n.If(test=test, then=then, otherwise=otherwise):
                return n.If(self._expr(test), self.block(then), self.block(otherwise))
            case n.While(test=test, body=body):
                return n.While(self._expr(test), self.block(body))
            case n.For(name=name, low=low, high=high, step=step, body=body):
                return n.For(name, self._expr(low), self._expr(high), step, self.block(body))
            case n.Return(value=value):
                return n.Return(None if value is None else self._expr(value))
        return s

    def _expr(self, e: Expr) -> Expr:
        match e:
            case n.Element(array=array, index=index, volatile=volatile):
                return n.Element(array, self._place(array, index), volatile)
            case n.Call():
                return self._call(e)
            case n.Array() | n.Const() | n.Local():
                return e
        return n.with_parts(e, tuple(map(self._expr, n.parts(e))))

    def _call(self, call: n.Call) -> n.Call:
        name = self.kernels.called(self.home, call, self.orders)
        return n.Call(name, tuple(map(self._expr, call.args)), call.type)

    def _value(self, array: n.Array, index: Expr, value: Expr) -> Expr:
        """Return what is stored: beyond the room it is 1, for the last word to show."""
        if self.orders[array.name] is not LaneOrder.BOUNDED:
            return self._expr(value)
        if n.has_call(index):
            raise KernelFault("the place of a row is worked out twice")
        return n.Call(_WRITTEN, (self._expr(index), self._expr(value)), INT)

    def _place(self, array: n.Array, index: Expr) -> Expr:
        """Return where an element lies, in words from the lane's first one."""
        at, order = self._expr(index), self.orders[array.name]
        if order is LaneOrder.BOUNDED:
            at = n.Call(_IN_ROOM, (at,), INT)
        return at if order in (LaneOrder.SHARED, LaneOrder.APART) else n.op("mul", at, TILE)
