"""Lezer's grammars beside the parser's own tokens, on every bundled file."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter

import pytest

from rulewright.language.languages import LANGUAGES
from tests.shared.marks import SURE, Marks, documents
from tests.shared.places import ROOT

NODE = ROOT / ".node"
pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not (NODE / "node_modules/@lezer/generator").is_dir(),
    reason="`npm install --prefix .node @lezer/generator @lezer/lr` was not done",
)


def by_lezer() -> list[Marks]:
    """What the grammars of `editors/lezer` say of every bundled file."""
    texts = [{"language": d.language, "text": d.text} for d, _ in documents()]
    home = NODE / "lezer"  # beside the packages, where imports find them
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(ROOT / "editors/lezer", home / "lezer")
    shutil.copytree(ROOT / "editors/codemirror", home / "codemirror")
    shutil.copy(ROOT / "tests/outside/lezer.mjs", home)
    answer = subprocess.run(
        ["node", str(home / "lezer.mjs"), str(home / "lezer")],
        input=json.dumps(texts), capture_output=True, text=True, check=True,
    )  # fmt: skip
    kinds = {kind.title(): kind for kind in SURE}
    return [
        {start: (end, kinds[name]) for start, end, name in found if name in kinds}
        for found in json.loads(answer.stdout)
    ]


def test_lezer_is_the_parser_but_for_words_that_may_be_names() -> None:
    soft, total = Counter[str](), 0
    for (document, wanted), got in zip(documents(), by_lezer(), strict=True):
        total += len(wanted)
        grammar = LANGUAGES.get(document.language)
        loose = grammar.grammar().soft_words if grammar else frozenset[str]()
        for at in wanted.keys() | got.keys():
            if wanted.get(at) != got.get(at):
                end = (got.get(at) or wanted[at])[0]
                word = document.text[at:end]
                assert word in loose, (document.path.name, word, wanted.get(at), got.get(at))
                soft[word] += 1
    assert total > 1_000  # words of the games of the day
    assert sum(soft.values()) / total < 0.01, soft
