// The parsers that `npm run build` makes, by their languages.
import { parser as cases } from "./dist/cases.js"
import { parser as evaluator } from "./dist/evaluator.js"
import { parser as patterns } from "./dist/patterns.js"
import { parser as look } from "./dist/look.js"
import { parser as personality } from "./dist/personality.js"
import { parser as rules } from "./dist/rules.js"

export const parsers = { rules, evaluator, personality, patterns, look, cases }
