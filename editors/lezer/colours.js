// What the tokens of the grammars are, for themes.
import { styleTags, tags } from "@lezer/highlight"

export const colours = styleTags({
  Comment: tags.lineComment, String: tags.string, Number: tags.number, Keyword: tags.keyword,
  BuiltIn: tags.standard(tags.name), Function: tags.function(tags.name), Name: tags.name,
  Operator: tags.operator,
})
