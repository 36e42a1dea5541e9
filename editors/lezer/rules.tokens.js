// The tokens of rules for the grammar beside this, by rulewright.app.service.highlighting.
import * as terms from "./dist/rules.terms.js"
import { tokenizer } from "./tokenizer.js"

export const tokens = tokenizer("rules", terms)
