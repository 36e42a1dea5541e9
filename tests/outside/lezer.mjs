// Reads texts with the Lezer grammars of editors/lezer: [{language, text}] on the standard input, for
// each a list of [from, to, name] on the output.  The first argument is the folder of the grammars.
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { buildParser } from "@lezer/generator"

const folder = process.argv[2]
const { tokenizer } = await import(pathToFileURL(`${folder}/tokenizer.js`))
const parsers = {}
const parser = language => parsers[language] ??= buildParser(
  readFileSync(`${folder}/${language}.grammar`, "utf-8"),
  { externalTokenizer: (_, terms) => tokenizer(language, terms), externalPropSource: () => () => null },
)
const texts = JSON.parse(readFileSync(0, "utf-8"))
console.log(JSON.stringify(texts.map(({ language, text }) => {
  const found = []
  parser(language).parse(text).iterate({
    enter: node => { if (node.name !== "File") found.push([node.from, node.to, node.name]) },
  })
  return found
})))
