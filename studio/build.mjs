// Builds the page into the package: scripts, style sheets, catalogues, one document, and the digest of
// the sources that they were made from.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const out = new URL("../interpreter/rulewright/app/studio/page/", import.meta.url);
const src = new URL("src/", import.meta.url);

await build({
  entryPoints: {
    studio: new URL("app.tsx", src).pathname,
    board: new URL("widget.ts", src).pathname,
    worker: new URL("worker.ts", src).pathname,
    offline: new URL("offline.ts", src).pathname,
    embed: new URL("embed.ts", src).pathname,
  },
  outdir: out.pathname,
  bundle: true,
  format: "esm",
  minify: true,
  target: "es2022",
  legalComments: "inline",
});
for (const name of ["index.html", "login.html", "board.css"]) writeFileSync(new URL(name, out), readFileSync(new URL(name, src)));

// The dark palette is written once: for whom the system is dark, and again for whoever chose it.
const tokens = readFileSync(new URL("tokens.css", src), "utf8");
const dark = /:root:not\(\[data-theme="light"\]\) (\{[^}]*\})/.exec(tokens)[1];
const chosen = `:root[data-theme="dark"] ${dark}\n:root[data-theme="dark"] { color-scheme: dark; }\n:root[data-theme="light"] { color-scheme: light; }\n`;
writeFileSync(new URL("studio.css", out), tokens + chosen + readFileSync(new URL("studio.css", src), "utf8"));

// Catalogues in other languages, each one file of the page that is loaded where it is chosen.
const catalogues = {};
const messages = new URL("../interpreter/rulewright/ground/catalogues/", import.meta.url);
const isCatalogue = (name) => name.endsWith(".po");
const sources = [messages, src].flatMap((folder) => readdirSync(folder).filter(isCatalogue).sort().map((name) => [name, new URL(name, folder)]));
for (const [name, place] of sources) {
  const entries = readFileSync(place, "utf8").matchAll(/^msgid (".+")\nmsgstr (".+")$/gm);
  for (const [, text, other] of entries) (catalogues[name.split(".")[0]] ??= {})[JSON.parse(text)] = JSON.parse(other);
}
for (const [language, texts] of Object.entries(catalogues)) {
  delete texts[""];
  const lines = Object.entries(texts).map(([key, text]) => `${JSON.stringify(key)}:${JSON.stringify(text)}`);
  writeFileSync(new URL(`${language}.json`, out), `{\n${lines.join(",\n")}\n}\n`); // a line each: changes merge
}

const digest = createHash("sha256");
const names = ["package-lock.json", ...readdirSync(src).sort().map((name) => `src/${name}`)];
for (const name of names) digest.update(name).update("\0").update(readFileSync(new URL(name, import.meta.url))).update("\0");
writeFileSync(new URL("SOURCES", out), `${digest.digest("hex")}\n`);
