"""Guards of the house: no long function, no long file, no circle of imports."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest

from rulewright.ground.printable import amount
from tests.shared.places import ROOT, TESTS
from tests.shared.trees import nodes_of, tree_of
from tests.tools.lines import allowed, lines_of_code, rooms

SOURCE = ROOT / "interpreter"
LONGEST_FUNCTION, LONGEST_FILE, MEDIAN_FILE = 50, 500, 150
"""Lines."""
MOST_FILES = 569
"""Of the package, which should become fewer; more need a reason that is told with the change."""
FORMS = ("language.syntax", "model", "compiler.ir.expressions", "compiler.ir.nodes")
"""Modules of one thing in several forms: as it is written, as it is meant, as kernels have it."""
MESSAGES = ("app.studio.messages", "app.studio.answers", "app.studio.results")
"""What is said to a page bears the name of what it tells, or of what it asks to be done."""
NO_NOUNS = {
    "asked", "found", "given", "kept", "known", "looked", "made", "one", "said", "seen", "taken",
    "told", "wanted", "who",
}  # fmt: skip
"""A pronoun, or a participle without its noun, says nothing of the thing that it names."""
FORMER_NAMES = {
    "app/cli/outputs.py": ["looked", "found"],
    "games/engine/interpreted.py": ["told"],
    "app/build/face.py": ["wanted"],
    "checks/findings.py": ["looked"],
    "games/render/scene.py": ["left"],
    "players/personality.py": ["known"],
}
"""Names that the library keeps for a release, each beside the one that it has now; and words of
memory that kernels share, whose names stand in the layout of engines to take away."""
NO_NOUNS_OF_FACES = {"chosen", "done", "drawn", "written"}
"""Say nothing as the name of a field, a parameter or a function; a variable of few lines may."""
WORDS_OF_FILES = {
    "app/cli/outputs_of_matches.py drawn", "app/cli/outputs_of_players.py chosen",
    "language/resolve/effects.py written", "language/syntax/statements.py chosen",
    "matches/api.py drawn", "matches/plan.py drawn", "model/personality.py drawn",
    "players/explain.py chosen", "reference/effects.py written", "reference/play.py drawn",
    "search/kernels/thread.py drawn", "search/thread_arrays.py drawn",
}  # fmt: skip
"""`drawn` is a word of personalities and matches (a drawn position), `chosen` of JSON that is kept
for a release; the others stand in rooms that grow, and are renamed when these are done."""
SIDES = {"right", "top", "bottom", "high", "ahead"}
"""Beside one of these `left` is a side, or an operand; elsewhere it is what remains."""
STAGES = {"Personality"}
"""Written, meant, and ready to play: the face of the library has the file's own word."""


@cache
def trees(folder: Path) -> dict[Path, ast.Module]:
    return {path: tree_of(path) for path in sorted(folder.rglob("*.py"))}


def long_functions(tree: ast.Module) -> Iterator[str]:
    for node in nodes_of(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or 0) - node.lineno + 1
            if lines > LONGEST_FUNCTION:
                yield f"{node.name}: {lines} lines"


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def imported(package: str, nodes: Iterable[ast.AST]) -> Iterator[str]:
    """What the statements of a module in *package* may name by importing: modules or parts."""
    for node in nodes:
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                above = package.split(".")[: -level + 1 or None] if level else []
                base = ".".join([*above, *([module] if module else [])])
                yield base
                yield from (f"{base}.{alias.name}" for alias in names)


def circle(imports: Mapping[str, set[str]]) -> list[str]:
    """Modules that import each other in a circle; none if all is well."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def counts_with_a_fixed_plural(tree: ast.Module) -> Iterator[str]:
    """Texts such as `{len(games)} games`; limits (`MOST` or `most`) are never 1."""
    for text in (node for node in nodes_of(tree) if isinstance(node, ast.JoinedStr)):
        for part, behind in pairwise(text.values):
            if not (isinstance(part, ast.FormattedValue) and isinstance(behind, ast.Constant)):
                continue
            number, form = ast.unparse(part.value), part.format_spec
            counts = number.startswith("len(") or (form and ast.unparse(form) == "f','")
            told = behind.value if isinstance(behind.value, str) else ""
            fixed = re.match(r" (?!has )[a-z]+s\b", told)
            if counts and fixed and not re.search(r"\b[A-Z][A-Z_]+$|^most$", number):
                yield number + told


def test_counts_have_the_number_of_their_noun() -> None:
    """`amount` writes one game and two games."""
    found = {
        str(path): list(counts_with_a_fixed_plural(tree))
        for path, tree in trees(SOURCE).items()
        if "compiler" not in path.parts
    }
    assert {path: texts for path, texts in found.items() if texts} == {}
    assert [*counts_with_a_fixed_plural(ast.parse('f"{len(x)} games"'))] == ["len(x) games"]
    assert (amount(1, "game"), amount(1200, "game")) == ("1 game", "1,200 games")
    assert amount(0, "property", "properties") == "0 properties"


def test_no_function_is_long() -> None:
    found = {
        str(path): list(long_functions(tree))
        for folder in (SOURCE, TESTS)
        for path, tree in trees(folder).items()
    }
    assert {path: names for path, names in found.items() if names} == {}


def test_no_file_is_long() -> None:
    paths = [*trees(SOURCE), *trees(TESTS)]
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in paths}
    assert {str(path): n for path, n in lengths.items() if n > LONGEST_FILE} == {}


def test_the_package_keeps_to_its_budget_of_lines() -> None:
    assert rooms().total() <= allowed(), "tests/data/lines.toml says what to do"


def test_blank_lines_comments_and_docstrings_are_no_code() -> None:
    head = '"""Says.\n\nmuch."""\n\n# why\nx = [\n    1,  # first\n]\n\n\n'
    text = head + 'def f():\n    """Give it."""\n    return x\n'
    assert lines_of_code(text) == len(["x = [", "1,", "]", "def f():", "return x"])


def test_the_package_is_no_crowd_of_crumbs() -> None:
    lengths = [len(path.read_text("utf-8").splitlines()) for path in trees(SOURCE)]
    assert len(lengths) <= MOST_FILES
    assert median(lengths) >= MEDIAN_FILE


def names_twice(classes: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Names that classes of several modules have, given as (module, class) pairs.

    Forms of one thing may share a name: where they are used they stand beside their module's.
    """
    homes = dict[str, list[str]]()
    said = {f"rulewright.{room}" for room in MESSAGES}
    for module, name in classes:
        if module not in said:
            homes.setdefault(name, []).append(module)
    form = tuple(f"rulewright.{room}." for room in FORMS)
    return {
        name: modules
        for name, modules in homes.items()
        if len(modules) > 1 and not all(f"{m}.".startswith(form) for m in modules)
    }


def public_classes() -> Iterator[tuple[str, str]]:
    for path, tree in trees(SOURCE).items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield module_name(path), node.name


def test_a_name_means_one_thing() -> None:
    found = names_twice(public_classes())
    assert {name: homes for name, homes in found.items() if name not in STAGES} == {}


def test_names_that_mean_two_things_are_seen() -> None:
    syntax, model = "rulewright.language.syntax.statements", "rulewright.model.rules"
    assert names_twice([(syntax, "Link"), (model, "Link"), ("rulewright.app.play", "Chair")]) == {}
    assert [*names_twice([(model, "Link"), ("rulewright.games.render.scene", "Link")])] == ["Link"]
    assert [*names_twice([("rulewright.a", "Clock"), ("rulewright.b", "Clock")])] == ["Clock"]


BROKEN = re.compile(r"[A-Z][a-z]+[A-Z]\w* (that|which|of|is|are|for)\b|[A-Z][a-z]+[A-Z]\w*,")
"""The name of a class where a word should stand, as renaming by search leaves it."""


def test_no_docstring_was_renamed_with_a_class() -> None:
    classes = {name for _, name in public_classes()}
    docstrings = [
        (str(path), node.value.value)
        for path, tree in trees(SOURCE).items()
        for node in nodes_of(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]  # fmt: skip
    broken = [
        (path, found[0])
        for path, text in docstrings
        if (found := BROKEN.match(text)) and re.split(r"\W", found[0])[0] in classes
    ]
    assert broken == []


def aliases_of_any(tree: ast.Module) -> Iterator[str]:
    """Names that a module says to be types, and that stand for anything."""
    for node in tree.body:
        if isinstance(node, ast.AnnAssign | ast.Assign):
            name, _, value = ast.unparse(node).partition(" = ")
            if value == "Any":
                yield name


def test_no_type_of_kernels_means_anything() -> None:
    found = trees(SOURCE / "compiler").values()
    assert [name for tree in found for name in aliases_of_any(tree)] == []
    untyped = "Value: TypeAlias = Any\nNumber = int | float\n"
    assert [*aliases_of_any(ast.parse(untyped))] == ["Value: TypeAlias"]


def declared_names(tree: ast.Module) -> Iterator[str]:
    """The variables, fields, parameters and functions of a module."""
    for node in nodes_of(tree):
        match node:
            case (
                ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name)
                | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name)
            ):  # fmt: skip
                yield name


def names_without_a_noun(tree: ast.Module) -> Iterator[str]:
    """The names that are one of `NO_NOUNS`, and `left` where nothing is right or top."""
    names = [name.strip("_") for name in declared_names(tree)]
    words = NO_NOUNS if SIDES & {*names} else NO_NOUNS | {"left"}
    return (name for name in names if name in words)


def test_names_have_a_noun() -> None:
    package = SOURCE / "rulewright"
    for path, tree in trees(package).items():
        place = path.relative_to(package).as_posix()
        assert [*names_without_a_noun(tree)] == FORMER_NAMES.get(place, []), path


def names_of_faces(tree: ast.Module) -> Iterator[str]:
    """The fields, parameters and functions of a module."""
    for node in nodes_of(tree):
        match node:
            case ast.arg(arg=name) | ast.FunctionDef(name=name):
                yield name
            case ast.ClassDef(body=body):
                yield from (
                    s.target.id for s in body
                    if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
                )  # fmt: skip


def test_fields_and_parameters_have_a_noun() -> None:
    package = SOURCE / "rulewright"
    bare = {
        f"{path.relative_to(package).as_posix()} {name.strip('_')}"
        for path, tree in trees(package).items()
        for name in names_of_faces(tree) if name.strip("_") in NO_NOUNS_OF_FACES
    }  # fmt: skip
    assert bare == WORDS_OF_FILES
    text = "class A:\n    done: bool\ndef f(chosen: int) -> None:\n    drawn = chosen\n"
    assert sorted(names_of_faces(ast.parse(text))) == ["chosen", "done", "f"]


PARTICIPLE = re.compile(
    r"(?!need|seed|speed)[a-z]+ed|(?:un|re)?(?:begun|bent|bound|bought|broken|brought|built|caught|chosen|dealt|"
    r"done|drawn|driven|felt|found|given|gone|grown|heard|held|hidden|kept|known|laid|led|lit|"
    r"lost|made|met|paid|proven|said|seen|sent|shown|shut|slept|spent|stood|struck|sworn|swept|"
    r"taken|taught|thrown|told|torn|understood|woken|won|worn|written)"
)
"""A past participle alone; `read`, `cut`, `put`, `set` and `spread` are verbs of today as well."""
KERNELS = ("search/kernels/", "app/build/", "games/engine/stepping.py", "compiler/runtime.py")
"""Kernels have short names for what they hand back (`settled`, `listed`); they call each other."""


def bare_participles(tree: ast.Module) -> Iterator[str]:
    """The public functions that are named by a participle alone.

    What gives its first argument back in another form may be: `escaped(text: str) -> str` reads as
    Python's own `sorted`.
    """
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or not PARTICIPLE.fullmatch(node.name):
            continue
        first = [a.annotation for a in (*node.args.posonlyargs, *node.args.args)][:1]
        forms = {ast.unparse(hint) for hint in (*first, node.returns) if hint is not None}
        if not first or len(forms) > 1:
            yield node.name


def test_public_functions_are_no_bare_participles() -> None:
    package = SOURCE / "rulewright"
    places = {path.relative_to(package).as_posix(): tree for path, tree in trees(package).items()}
    bare = {
        f"{place} {name}"
        for place, tree in places.items() if not place.startswith(KERNELS)
        for name in bare_participles(tree)
    }  # fmt: skip
    assert bare == set()


def test_bare_participles_are_seen() -> None:
    text = "def arrived(x: int) -> str: ...\ndef mixed(a: C, b: C) -> C: ...\ndef heard(): ..."
    names = "def need() -> B: ...\ndef with_claims(x: str) -> int: ...\ndef read(x: P) -> B: ..."
    assert [*bare_participles(ast.parse(text))] == ["arrived", "heard"]
    assert [*bare_participles(ast.parse(names))] == []


DECLARED = re.compile(
    r"(?:const|let|function) +[\[{]?(found|one|told)\b|[(\[{,] *(found|one|told)(?=[,:)\]?])"
)
"""Where TypeScript declares one of `NO_NOUNS`: a variable, or a parameter."""


def test_names_of_the_page_have_a_noun() -> None:
    for path in (ROOT / "studio" / "src").glob("*.ts*"):
        assert not DECLARED.findall(path.read_text("utf-8")), path
    assert len(DECLARED.findall("const found = all.find((one) => told({ one, two }))")) == 3


def test_names_without_a_noun_are_seen() -> None:
    tree = ast.parse("def _told(one: int) -> int:\n    found = one\n    return found.told\n")
    assert sorted(names_without_a_noun(tree)) == ["found", "one", "told"]
    assert [*names_without_a_noun(ast.parse("left = 1\nasync def asked(): pass\n"))] != ["left"]
    assert [*names_without_a_noun(ast.parse("left, right = 1, 2\n"))] == []


def all_imports(nodes: Callable[[ast.Module], Iterable[ast.AST]]) -> dict[str, set[str]]:
    """What every module imports by those nodes of its tree."""
    names = {module_name(path) for path in trees(SOURCE)}
    imports = dict[str, set[str]]()
    for path, tree in trees(SOURCE).items():
        name = module_name(path)
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        imports[name] = {m for m in imported(package, nodes(tree)) if m in names - {name}}
    return imports


def test_no_modules_import_each_other() -> None:
    """When they are loaded; within a room too, where the order of the rooms says nothing."""
    imports = all_imports(lambda tree: tree.body)
    assert len(imports) > 150
    assert circle(imports) == []


def test_no_modules_need_each_other() -> None:
    """Neither inside functions nor for types; the package's own page, which names all, apart."""
    imports = {n: found - {"rulewright"} for n, found in all_imports(nodes_of).items()}
    assert circle({n: found for n, found in imports.items() if n != "rulewright"}) == []


@pytest.mark.parametrize(
    ("imports", "found"),
    [({"a": {"b"}, "b": {"c"}, "c": set()}, 0), ({"a": {"b"}, "b": {"c"}, "c": {"a"}}, 4)],
)
def test_circles_are_detected(imports: dict[str, set[str]], found: int) -> None:
    assert len(circle(imports)) == found


def test_imports_and_long_functions_are_seen() -> None:
    lines = "from . import parse\nfrom .syntax import Node\nfrom ..model import board\nimport a.b\n"
    names = set(imported("rulewright.language", ast.parse(lines).body))
    assert names >= {
        "rulewright.language.parse", "rulewright.language.syntax", "rulewright.model.board", "a.b",
    }  # fmt: skip
    body = "".join(f"    x = {number}\n" for number in range(LONGEST_FUNCTION))
    assert list(long_functions(ast.parse(f"def f():\n{body}"))) == ["f: 51 lines"]
    assert list(long_functions(ast.parse("def f():\n" + body[: body.rindex("    ")]))) == []
