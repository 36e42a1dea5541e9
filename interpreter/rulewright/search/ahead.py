"""The search, compiled before it is asked for, while the main thread still reads a game.

In: nothing.  Out: a thread; whoever needs the object code before it is there waits for it.  Only
what the thread itself loads makes it slow to load, so that LLVM is at work as early as can be.
"""

from __future__ import annotations

from threading import Thread


def compile_ahead() -> Thread:
    """Begin to compile, quickly, what most searches use; without LLVM nothing happens.

    The thread is not a daemon: a process that ends waits for the compiler, which would not survive
    the end of the libraries it runs in.
    """
    thread = Thread(target=_compile, name="compiler")
    thread.start()
    return thread


def _compile() -> None:
    try:
        from rulewright.kernels.native import compile_ahead  # LLVM itself is loaded first
    except ImportError:
        return
    from rulewright.search.parts import generic, no_patterns, no_value, trees

    parts = (generic(), no_value(), no_patterns(), trees())
    compile_ahead((part.text, part.outside) for part in parts)
