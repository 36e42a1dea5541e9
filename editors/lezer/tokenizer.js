// Tokens of a Lezer parser by the expressions of a language, the first that matches at a place: those
// that CodeMirror's simple modes and TextMate use too (../codemirror/rulewright.js).
import { ExternalTokenizer } from "@lezer/lr"
import { modes } from "../codemirror/rulewright.js"

const NAMES = {
  comment: "Comment", string: "String", number: "Number", keyword: "Keyword",
  atom: "BuiltIn", def: "Function", variable: "Name", operator: "Operator",
}

// How `lezer-generator` or `buildParser` asks for it: the terms of the grammar by their names.
export function tokenizer(language, terms) {
  const rules = modes[language].start.map(({ regex, token, sol }) => ({
    first: Boolean(sol), regex: new RegExp(regex.source, "y"),
    term: terms[NAMES[Array.isArray(token) ? token[1] : token]],
  }))
  return new ExternalTokenizer(input => {
    let line = "", start = 0
    for (let at = 0, c; (c = input.peek(at)) >= 0 && c !== 10; at++) line += String.fromCharCode(c)
    for (let c; (c = input.peek(start - 1)) >= 0 && c !== 10; start--) line = String.fromCharCode(c) + line
    const begins = /^\s*$/.test(line.slice(0, -start))
    for (const { first, regex, term } of rules) {
      if (first && !begins) continue
      regex.lastIndex = first ? 0 : -start
      const found = regex.exec(line)
      if (!found || !found[0].length) continue
      const end = regex.lastIndex + start
      if (end <= 0) continue
      input.acceptToken(term, end)
      return
    }
  })
}
