// The tokens of patterns for its grammar beside this; made by rulewright.service.highlighting.
import * as terms from "./dist/patterns.terms.js"
import { tokenizer } from "./tokenizer.js"

export const tokens = tokenizer("patterns", terms)
