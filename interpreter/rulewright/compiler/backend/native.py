"""Kernels as machine code, through LLVM, with the object code kept between runs.

In: the texts of modules.  Out: functions that can be called from Python, with arrays given
as addresses.  Linking is by symbol: a module may call functions of modules loaded before it.
A process may end while any thread compiles: LLVM cannot be interrupted, so that its library is
left standing then, or waited for, and never taken down under a thread that is in it.
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import itertools
import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Protocol

from rulewright.compiler.backend import (
    MOST_BYTES,
    CodeParts,
    Linked,
    code_parts,
    packed,
    refuse_unresolved,
    shipped,
    unpack_code,
)
from rulewright.compiler.backend.loading import Image, Unloadable, is_loaded_here
from rulewright.compiler.ir.types import FLOAT, INT, NOTHING, Signature, is_internal
from rulewright.compiler.runtime import KernelFault
from rulewright.ground import cache
from rulewright.ground.cache import cache_folder
from rulewright.ground.records import Record, record, without_collection
from rulewright.ground.scoped import begin_part

if TYPE_CHECKING:
    import llvmlite.binding as llvm

_C_TYPES = {INT: ctypes.c_int64, FLOAT: ctypes.c_double, NOTHING: None}


_LEAST_GAIN = 4
"""What neighbouring words must gain as a vector, in LLVM's units: with 0, its own, sets of two and
three words become slower."""


_TUNING = ",+slow-shld"
"""What LLVM does not know of AMD's processors: three plain instructions are faster than one that
shifts bits from one word into the next, as each shift of a set of several words does."""


LLVM = threading.RLock()
"""Who holds it is in LLVM, which lets one thread in at a time anyway."""


class _Hurry:
    """Let quick code go before careful code, which is compiled beside and can wait."""

    def __init__(self) -> None:
        self._waiting, self._free = 0, threading.Condition()

    @contextmanager
    def priority(self) -> Iterator[None]:
        """Give the `with` block priority: somebody waits for its result."""
        with self._free:
            self._waiting += 1
        try:
            yield
        finally:
            with self._free:
                self._waiting -= 1
                self._free.notify_all()

    @contextmanager
    def turn(self, quick: bool) -> Iterator[None]:
        """Enter LLVM for one step; a step that is not *quick* waits for those with priority."""
        if not quick:
            with self._free:
                self._free.wait_for(lambda: not self._waiting)
        with LLVM:
            yield


_HURRY = _Hurry()


def _leave() -> None:
    """Let a process end although a thread may be in LLVM.

    What the C library does last is to take down LLVM's tables, and a thread that still reads them
    ends the process by a signal.  Where it hands the exit status on, nothing is taken down: Python
    is done by then.  Elsewhere the module being compiled is waited for, and no other begins.
    """
    if threading.active_count() == 1:
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "on_exit"):
        library.fflush(None)
        library.on_exit(library._exit, None)
    else:
        LLVM.acquire()


@functools.cache
def _target() -> tuple[llvm.Target, str, str]:
    import llvmlite.binding as llvm

    atexit.register(_leave)
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.set_option("", f"-slp-threshold={_LEAST_GAIN}")
    features: str = llvm.get_host_cpu_features().flatten()
    return llvm.Target.from_default_triple(), llvm.get_host_cpu_name(), features


def processor_name() -> str:
    """Return LLVM's name of the processor, which is one of few."""
    _, cpu, _ = _target()
    return cpu


class Outside(Protocol):
    """Processes that compile for this one; None where they cannot."""

    def compile(self, assembly: str, quick: bool) -> bytes | None:
        """Compile an assembly text to object code."""

    def fast_deposit(self) -> bool | None:
        """Say what `fast_deposit` of this module says."""


_OUTSIDE: list[Outside] = []
"""The processes that compile for this one, where it wants that."""


def compile_outside(processes: Outside) -> None:
    """Compile by other processes from now on, so that LLVM's memory is not kept here.

    Where LLVM has to load the code it stays in this process.
    """
    if is_loaded_here():
        _OUTSIDE[:] = [processes]


@functools.cache
def fast_deposit() -> bool:
    """Whether the processor has pdep, and not as the slow microcode of the first Zen."""
    answer = _OUTSIDE[0].fast_deposit() if _OUTSIDE else None
    if answer is not None:
        return answer
    _, cpu, features = _target()
    return "+bmi2" in features.split(",") and cpu not in ("znver1", "znver2")


def _machine(quick: bool = False) -> llvm.TargetMachine:
    """Make a target machine for this processor; each execution engine owns one."""
    _, cpu, features = _target()
    return machine(cpu, features + _TUNING * cpu.startswith("znver"), opt=0 if quick else 2)


def machine(cpu: str, features: str, opt: int = 2, whole: bool = False) -> llvm.TargetMachine:
    """Make a target machine for a processor; addresses are short where our loader takes them.

    *whole*: they are not, as LLVM may put sections farther apart than short ones reach.
    """
    brief = {"codemodel": "small", "reloc": "pic"} if is_loaded_here() and not whole else {}
    target, *_ = _target()
    target_machine: llvm.TargetMachine = target.create_target_machine(
        cpu=cpu, features=features, opt=opt, jit=True, **brief
    )
    return target_machine


_FEATURE_LINES = ("vendor_id", "cpu family", "model", "stepping", "flags", "CPU ", "Features")
"""How lines of /proc/cpuinfo begin that say what a processor can do."""


@functools.cache
def _processor() -> str:
    """Return a text that tells this processor from others, if possible without LLVM."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as lines:
            block = itertools.takewhile(str.strip, lines)
            features = "".join(line for line in block if line.startswith(_FEATURE_LINES))
    except OSError:
        features = ""
    if features:
        return features + os.uname().machine
    target, cpu, features = _target()
    return f"{target.triple} {cpu} {features}"


@functools.cache
def _library() -> str:
    """Return a text that tells this LLVM from others."""
    import llvmlite

    files = Path(str(llvmlite.__file__)).parent.glob("binding/*llvmlite.*")
    return f"{llvmlite.__version__} {cache.fingerprint(sorted(files))}"


def key(*texts: str) -> str:
    """Return a digest of what object code depends on: texts, LLVM, and the processor."""
    return cache.digest(*texts, _library(), _processor())


def compile_object(
    assembly: str, quick: bool = False, machine: llvm.TargetMachine | None = None
) -> bytes:
    """Compile an assembly text to object code, by default for this processor.

    *quick*: in a quarter of the time, and then more than twice as slow.
    """
    import llvmlite.binding as llvm

    context = llvm.create_context()  # that of LLVM itself would keep all constants for ever
    with _HURRY.turn(quick):
        machine = machine or _machine(quick)
        module = llvm.parse_assembly(assembly, context)
        module.verify()
    with _HURRY.turn(quick):
        optimise(module, quick, machine)
    with _HURRY.turn(quick):
        code: bytes = machine.emit_object(module)
    module.close()
    context.close()
    return code


def _give_memory_back() -> None:
    """Give the system what LLVM has freed, where the C library can: a third of a process."""
    library = ctypes.CDLL(None)
    if hasattr(library, "malloc_trim"):
        library.malloc_trim(0)


def optimise(
    module: llvm.ModuleRef, quick: bool = False, machine: llvm.TargetMachine | None = None
) -> llvm.TargetMachine:
    """Run LLVM's passes over a module; returns the target machine, by default this processor's."""
    import llvmlite.binding as llvm

    machine = machine or _machine(quick)
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    passes = _quick_passes() if quick else builder.getModulePassManager()
    passes.run(module, builder)
    return machine


def _quick_passes() -> llvm.ModulePassManager:
    """Return those of LLVM's passes without which code is several times as slow."""
    import llvmlite.binding as llvm

    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    return passes


@record
class Compiled(Record):
    """Object code, its functions, those outside that it calls, and whether all passes were run."""

    code: bytes
    functions: Mapping[str, Signature]
    outside: Mapping[str, str]
    full: bool


_begun: dict[str, Event] = {}
"""Modules that another thread compiles ahead of their use, by key; set when they are done."""


def compile_ahead(parts: Iterable[Linked]) -> None:
    """Compile modules quickly that another thread will soon ask for; it waits for them then."""
    todo = [(_key(part, True), part) for part in parts]
    events = {name: Event() for name, _ in todo}
    own = [task for task in todo if _begun.setdefault(task[0], events[task[0]]) is events[task[0]]]
    for name, part in own:  # what another thread has begun is left to it
        try:
            _compiled(part, True, True)
        finally:
            _begun.pop(name).set()


def compile_module(source: Linked, use_cache: bool, quick: bool = False) -> Compiled:
    """Return a module's object code and functions; what is cached is not translated again.

    *quick*: code compiled in full serves as well if it is kept.
    """
    begun = _begun.get(_key(source, True)) if quick and use_cache else None
    if begun:
        begun.wait()
    return _compiled(source, use_cache, quick)


def _compiled(source: Linked, use_cache: bool, quick: bool) -> Compiled:
    for fast in (False, True) if quick and use_cache else (False,) if use_cache else ():
        parts = unpack_code(cache.read(_place(source, fast)))
        if parts:
            return Compiled(*parts, not fast)
    found_code = shipped.find(source) if quick and use_cache else None
    with (
        _HURRY.priority() if quick else nullcontext(),
        without_collection() if quick else nullcontext(),
    ):
        parts = found_code or _compiled_now(source, quick)
    if use_cache:
        cache.write(_place(source, quick), packed(*parts), MOST_BYTES)
    return Compiled(*parts, not quick)


def _compiled_now(source: Linked, quick: bool) -> CodeParts:
    from rulewright.compiler.backend.llvm import translate

    begin_part()
    assembly = translate(source.module, fast_deposit(), quick)
    code = _OUTSIDE[0].compile(assembly, quick) if _OUTSIDE else None
    return code_parts(code or compile_object(assembly, quick), source.module)


def for_all(source: Linked) -> bytes:
    """Compile a module for every processor of x86-64, as the package ships it."""
    from rulewright.compiler.backend.llvm import translate

    code = compile_object(translate(source.module), machine=machine("x86-64", ""))
    return packed(*code_parts(code, source.module))


def keep_for_all(source: Linked) -> None:
    """Cache code of a module for every processor of this kind, on systems that could load it."""
    if is_loaded_here():
        cache.write(Path(shipped.name(source)), for_all(source), MOST_BYTES)


def is_kept(source: Linked) -> bool:
    """Whether code of a module was compiled before, quickly or with care."""
    return any(_place(source, fast).is_file() for fast in (False, True))


def _place(source: Linked, quick: bool) -> Path:
    return cache_folder() / "kernels" / f"{_key(source, quick)}.o"


def _key(source: Linked, quick: bool) -> str:
    return key(source.key, _translator(), repr(quick))


@functools.cache
def _translator() -> str:
    """Return a digest of the program files that make object code of a text."""
    return cache.fingerprint((Path(__file__), *shipped.translating()))


def _refuse_twins(names: Collection[str]) -> None:
    """Raise `KernelFault` if two modules have a kernel of one name."""
    twins = sorted(name for name in names if not is_internal(name))
    if twins:
        raise KernelFault(f"two modules have a kernel `{twins[0]}`")


class _Loaded(Protocol):
    """Object code in memory."""

    def address(self, name: str) -> int:
        """Return the address of a function."""


class _ByLLVM:
    """Object code that LLVM has loaded, on machines that `loading` does not know."""

    def __init__(self, codes: Sequence[bytes]) -> None:
        import llvmlite.binding as llvm

        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
        for code in codes:
            self._engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
        self._engine.finalize_object()

    def address(self, name: str) -> int:
        """Return the address of a function."""
        place: int = self._engine.get_function_address(name)
        return place


def _loaded(codes: Sequence[bytes], sources: Sequence[Linked]) -> _Loaded:
    """Load and link object code; what our loader refuses is compiled anew for that of LLVM."""
    try:
        return Image(codes)
    except Unloadable:
        if not is_loaded_here():
            return _ByLLVM(codes)
    from rulewright.compiler.backend.llvm import translate

    _, cpu, features = _target()
    whole = machine(cpu, features, whole=True)
    assemblies = (translate(source.module, fast_deposit()) for source in sources)
    return _ByLLVM([compile_object(text, machine=whole) for text in assemblies])


def load_alone(code: bytes) -> _Loaded:
    """Load object code that calls no function by name."""
    try:
        return Image([code])
    except Unloadable:
        return _ByLLVM([code])


class Native:
    """Loaded machine code; it stays loaded as long as this object lives.

    *quick* code can be improved later, while its functions are running: who asks for a function
    after that gets the better one, which does exactly the same.
    """

    def __init__(
        self,
        modules: Sequence[Linked],
        use_cache: bool = True,
        below: Native | None = None,
        quick: bool = False,
    ) -> None:
        """Load modules, and once more what *below* has loaded.

        Raises `KernelFault` if two kernels have one name, or a kernel that is called is missing.
        """
        self._sources = (modules, use_cache, below)
        self._better: Native | None = None
        self.signatures: dict[str, Signature] = dict(below.signatures) if below else {}
        self._codes: list[Compiled] = list(below.best._codes) if below else []
        self._all: list[Linked] = [*(below._all if below else ()), *modules]
        for source in modules:
            compiled_code = compile_module(source, use_cache, quick)
            _refuse_twins(self.signatures.keys() & compiled_code.functions.keys())
            self._codes.append(compiled_code)
            self.signatures |= compiled_code.functions
        for compiled_code in self._codes:
            refuse_unresolved(compiled_code.outside, self.signatures)
        self._loaded = _loaded([code.code for code in self._codes], self._all)
        self._callables: dict[str, Callable[..., Any]] = {}
        if self.final:
            for source in self._all:
                source.release()

    @property
    def best(self) -> Native:
        """The code that was compiled with the most care."""
        return self._better or self

    @property
    def final(self) -> bool:
        """Whether all of it was compiled with all passes: nothing better will come."""
        return all(code.full for code in self._codes)

    def improve(self) -> None:
        """Compile again with all passes, and use that from now on; may run in any thread."""
        if self._better is None and not all(code.full for code in self._codes):
            modules, use_cache, below = self._sources
            if below:
                below.improve()
            self._better = Native(modules, use_cache, below)
            _give_memory_back()

    def address(self, name: str) -> int:
        """Return the address of a function, which is valid as long as this object lives."""
        return self._loaded.address(name)

    def __getitem__(self, name: str) -> Callable[..., Any]:
        """Return a function, which takes arrays as `ctypes` arrays."""
        if self._better is not None:
            return self._better[name]
        if name not in self._callables:
            signature = self.signatures[name]
            takes: list[Any] = [_C_TYPES.get(t, ctypes.c_void_p) for _, t in signature.flat]
            kind = ctypes.CFUNCTYPE(_C_TYPES[signature.gives], *takes)
            function: Any = kind(self._loaded.address(name))
            function.code = self  # the code must outlive whoever calls it
            self._callables[name] = function
        return self._callables[name]
