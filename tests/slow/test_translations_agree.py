"""The page and the library say the same sentence in another language alike."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from rulewright.app.studio.server import PAGE
from rulewright.games.files.kinds import summary
from rulewright.ground.translation import Catalogue
from tests.shared.places import ROOT, RULESETS
from tests.shared.rejected import TEXTS, check

STUDIO = ROOT / "studio"
ESBUILD = STUDIO / "node_modules" / ".bin" / "esbuild"
PAGE_OF_SENTENCES = """
globalThis.localStorage = { getItem: () => "de" };
globalThis.document = { documentElement: {} };
Object.defineProperty(globalThis, "navigator", { value: { language: "de" } });
globalThis.fetch = async () => ({ json: async () => (CATALOGUE) });
const { loadLanguage, translate } = await import(MODULE);
await loadLanguage();
console.log(JSON.stringify(SENTENCES.map((sentence) => translate(sentence))));
"""

pytestmark = pytest.mark.skipif(not ESBUILD.exists(), reason="needs the packages of studio/")


def test_complaints_are_the_same_in_the_page(tmp_path: Path) -> None:
    """A place, a number or the order of templates that one of the two reads otherwise is seen."""
    complaints = [complaint for path in TEXTS for complaint in check(path).diagnostics]
    sentences = [text for complaint in complaints for text in (complaint.message, complaint.hint)]
    sentences += [summary(path.read_text("utf-8")) for path in RULESETS.glob("*/*.eval")]
    texts = json.loads((PAGE / "de.json").read_text("utf-8"))
    source, module = STUDIO / "src" / "language.ts", tmp_path / "language.mjs"
    subprocess.run([ESBUILD, source, "--format=esm", f"--outfile={module}"], check=True)
    values = {"CATALOGUE": texts, "MODULE": module.as_uri(), "SENTENCES": sentences}
    script = PAGE_OF_SENTENCES
    for name, value in values.items():
        script = script.replace(name, json.dumps(value))
    (tmp_path / "page.mjs").write_text(script, "utf-8")
    words = ["node", str(tmp_path / "page.mjs")]
    printed = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    assert len(sentences) > 400
    assert json.loads(printed) == [Catalogue(texts).translate(text) for text in sentences]
