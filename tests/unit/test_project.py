"""What stands around the package says one thing: versions, links, pages, tools."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from pygments.lexers import get_all_lexers

from rulewright import __version__
from rulewright.app.service.pygments_lexers import LEXERS
from tests.shared.places import DOCS, ROOT, TESTS
from tests.tools import commands, front_pictures

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
AROUND = [*ROOT.glob("*.md"), TESTS / "README.md", *sorted(DOCS.glob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]*)\)")
"""A link of Markdown; what a fenced block shows is no link."""


def text(*names: str) -> str:
    return ROOT.joinpath(*names).read_text("utf-8")


def slug(heading: str) -> str:
    """The anchor of a heading, as the usual hosts and the site make it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    found = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {slug(heading) for heading in found}


def dead_links(page: Path, content: str) -> list[str]:
    """The links of a page that name no file beside it, or no heading there."""
    prose, dead = re.sub(r"^```.*?^```$", "", content, flags=re.MULTILINE | re.DOTALL), []
    for link in LINK.findall(prose):
        name, _, anchor = link.partition("#")
        there = page.parent / name if name else page
        if "://" not in link and (not there.is_file() or (anchor and anchor not in anchors(there))):
            dead.append(link)
    return dead


@pytest.mark.parametrize("page", AROUND, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    assert dead_links(page, page.read_text("utf-8")) == []


def test_dead_links_are_reported() -> None:
    content = "[a](docs/no.md) [b](docs/language.md#no) [c](docs/language.md#ends) [d](#no)\n"
    assert dead_links(ROOT / "README.md", content) == ["docs/no.md", "docs/language.md#no", "#no"]


def test_the_site_can_colour_every_block_of_a_page() -> None:
    """The site is built with warnings as errors, and a block in an unknown language is one."""
    named = re.search(r"for kind in \((.*)\):", text("docs", "conf.py"))
    assert named is not None
    known = {alias for _, aliases, *_ in get_all_lexers() for alias in aliases}
    known |= set(re.findall(r'"(\w+)"', named[1])) | set(LEXERS)
    for page in AROUND:
        words = re.findall(r"^ *```+([\w-]+)", page.read_text("utf-8"), re.MULTILINE)
        assert set(words) <= known, page


def test_every_page_is_in_the_readme_and_on_the_site() -> None:
    pages = {path.stem for path in DOCS.glob("*.md")} - {"index"}
    site = re.findall(r"^([\w-]+)$", text("docs", "index.md"), re.MULTILINE)
    assert sorted(site) == sorted(pages)
    listed = re.findall(r"\(docs/([\w-]+)\.md\)", text("README.md"))
    assert pages - set(listed) == {"contributing", "changelog"}  # they show what stands beside


def test_the_reference_of_commands_is_what_their_parsers_say() -> None:
    text_now = commands.PAGE.read_text("utf-8")
    assert text_now == commands.page(text_now), "python -m tests.tools.commands writes it anew"


def test_the_pictures_of_the_readme_are_what_the_package_draws() -> None:
    changed = [
        p.name for p, picture in front_pictures.pictures() if p.read_text("utf-8") != picture
    ]
    assert not changed, "python -m tests.tools.front_pictures writes them anew"


def test_the_readme_is_short() -> None:
    assert len(text("README.md").splitlines()) <= 150


REFERENCES = {"commands.md", "diagnostics.md", "language.md", "words.md"}
"""Pages in which one looks something up; nobody reads them from end to end."""


def test_pages_that_are_read_are_short() -> None:
    lengths = {page.name: len(page.read_text("utf-8").splitlines()) for page in DOCS.glob("*.md")}
    assert {name for name, lines in lengths.items() if lines > 500} <= REFERENCES


@pytest.mark.parametrize("page", ["CONTRIBUTING.md"])
def test_places_that_are_named_are_there(page: str) -> None:
    named = re.findall(r"`([\w/]*/[\w.]*|\w+\.py)`", text(page))
    assert len(named) > 10
    roots = (ROOT, TESTS, ROOT / "interpreter" / "rulewright")
    made = {"site/", "dist/SHA256SUMS"}  # by `make docs` and `make dist`
    assert [
        name
        for name in named
        if name not in made and "NAME" not in name and not any((r / name).exists() for r in roots)
    ] == []


def test_there_is_one_version() -> None:
    assert f"## {__version__} - " in text("CHANGELOG.md")
    assert f"\nversion: {__version__}\n" in text("CITATION.cff")
    dated = re.search(rf"^## {re.escape(__version__)} - (.*)$", text("CHANGELOG.md"), re.M)
    assert dated is not None
    assert f"\ndate-released: {dated[1]}\n" in text("CITATION.cff")


def test_the_public_tests_run_on_every_python_that_is_named() -> None:
    named = [c.rpartition(" ")[2] for c in PROJECT["classifiers"] if "Python :: 3." in c]
    matrix = re.search(r"^        python: \[(.*)\]$", text(".github", "workflows", "ci.yml"), re.M)
    assert matrix is not None
    tried = re.findall(r'"([\d.]+)"', matrix[1])
    assert tried[: len(named)] == named  # and what is newer, before it is promised
    assert PROJECT["requires-python"] == f">={named[0]}"


def test_what_runs_before_a_commit_are_the_tools_of_the_project() -> None:
    tools = re.findall(r"entry: \.venv/bin/(\w+)", text(".pre-commit-config.yaml"))
    wanted = {re.split(r"\W", need)[0] for need in PROJECT["optional-dependencies"]["dev"]}
    assert set(tools) == {"ruff", "mypy"} <= wanted
    targets = re.findall(r"entry: make (\w+)", text(".pre-commit-config.yaml"))
    assert [t for t in targets if f"\n{t}:" not in text("Makefile")] == []
    assert targets == ["tables"]


def braced(pattern: str) -> list[str]:
    """A pattern of files with each of the words of its braces."""
    found = re.search(r"\{([^}]*)\}", pattern)
    if found is None:
        return [pattern]
    before, after = pattern[: found.start()], pattern[found.end() :]
    return [each for word in found[1].split(",") for each in braced(before + word + after)]


def test_files_named_for_the_linter_are_there() -> None:
    lint = tomllib.loads(text("pyproject.toml"))["tool"]["ruff"]["lint"]
    patterns = [each for pattern in lint["per-file-ignores"] for each in braced(pattern)]
    assert [pattern for pattern in patterns if not any(ROOT.glob(pattern))] == []
    assert braced("a/{b,c}.py") == ["a/b.py", "a/c.py"]


def test_contributing_leaves_out_no_room() -> None:
    package = ROOT / "interpreter" / "rulewright"
    rooms = {path.parent.name for path in package.glob("*/__init__.py")}
    named = set(re.findall(r"`(\w+)/", text("CONTRIBUTING.md")))
    assert rooms - named == set()


def test_the_reference_leaves_out_nothing_public() -> None:
    import rulewright

    shown = set(
        re.findall(r"auto\w+:: rulewright\.(?:search\.best\.)?(\w+)", text("docs", "api.md"))
    )
    assert set(rulewright.__all__) - {"__version__"} <= shown
