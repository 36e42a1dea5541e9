// The tokens of patterns for the grammar beside this, by rulewright.app.service.highlighting.
import * as terms from "./dist/patterns.terms.js"
import { tokenizer } from "./tokenizer.js"

export const tokens = tokenizer("patterns", terms)
