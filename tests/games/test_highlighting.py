"""Highlighting beside the parser's own tokens, on every bundled file.

Equal on comments, texts, numbers and reserved words; words that may be names differ in less than
one token of a hundred, counted.  Two engines read the same rules: Pygments, where the first rule
counts that matches at a place, and TextMate's way, where the match that begins first does.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from typing import Any

import pytest

pytest.importorskip("pygments")

from pygments.token import Comment, Keyword, Number, String

from rulewright.app.service import highlighting
from rulewright.app.service.document import Document
from rulewright.app.service.highlighting import SUFFIXES
from rulewright.app.service.pygments_lexers import LEXERS
from rulewright.ground import disk
from rulewright.language.languages import LANGUAGES
from tests.shared.marks import SURE, Marks, documents
from tests.shared.places import ROOT


def by_pygments(document: Document) -> Marks:
    kinds = {Comment: "comment", String: "string", Number: "number", Keyword: "keyword"}
    found: Marks = {}
    for start, token, value in LEXERS[document.language]().get_tokens_unprocessed(document.text):
        kind = next((name for parent, name in kinds.items() if token in parent), None)
        if kind and value:
            found[start] = (start + len(value), kind)
    return found


def by_textmate(document: Document) -> Marks:
    found: Marks = {}
    rules = [
        (re.compile(f"^{one.pattern}" if one.begins else one.pattern), one)
        for one in highlighting.highlights(document.language)
    ]
    start = 0
    for line in document.text.split("\n"):
        at = 0
        while at < len(line):
            matches = [
                (m, one) for rule, one in rules if (m := rule.search(line, at)) and m.end() > at
            ]
            if not matches:
                break
            match, one = min(matches, key=lambda pair: pair[0].start())
            group = 2 if one.begins else 0
            if one.kind in SURE:
                found[start + match.start(group)] = (start + match.end(group), one.kind)
            at = match.end()
        start += len(line) + 1
    return found


@pytest.mark.parametrize("engine", [by_pygments, by_textmate])
def test_highlighting_is_the_parsers_but_for_words_that_may_be_names(engine: Any) -> None:
    soft, total = Counter[str](), 0
    for document, wanted in documents():
        got = engine(document)
        total += len(wanted)
        grammar = LANGUAGES.get(document.language)
        loose = grammar.grammar().soft_words if grammar else frozenset[str]()
        for at in wanted.keys() | got.keys():
            if wanted.get(at) == got.get(at):
                continue
            end = (got.get(at) or wanted[at])[0]
            word = document.text[at:end]
            assert word in loose, (document.path.name, word, wanted.get(at), got.get(at))
            soft[word] += 1
    assert total > 1_000
    assert sum(soft.values()) / total < 0.01, soft


def test_the_files_of_editors_are_made_of_the_rules() -> None:
    for name, text in highlighting.files().items():
        assert (ROOT / "editors" / name).read_text("utf-8") == text, name


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no JavaScript here")
def test_simple_modes_are_expressions_of_javascript_and_match_the_same() -> None:
    """Each rule at each word of a file, by Python and by JavaScript."""
    path = disk.root("rulesets") / "chess" / "chess.rules"
    lines = path.read_text("utf-8").splitlines()[:60]
    rules = [
        (one.pattern, one.begins) for name in SUFFIXES for one in highlighting.highlights(name)
    ]
    program = """
        const [rules, lines] = JSON.parse(require("fs").readFileSync(0, "utf8"));
        const out = rules.map(([p]) => lines.map(l => {
            const found = []; const r = new RegExp(p, "g"); let m;
            while ((m = r.exec(l)) && found.length < 99) { found.push([m.index, m[0].length]);
                if (!m[0].length) r.lastIndex++; }
            return found; }));
        console.log(JSON.stringify(out));
    """
    answer = subprocess.run(
        ["node", "-e", program], input=json.dumps([rules, lines]), capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    mine = [
        [[[m.start(), len(m[0])] for m in re.finditer(pattern, line)][:99] for line in lines]
        for pattern, _ in rules
    ]
    assert json.loads(answer.stdout) == mine
