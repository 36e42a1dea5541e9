// The tokens of rules for its grammar beside this; made by rulewright.service.highlighting.
import * as terms from "./dist/rules.terms.js"
import { tokenizer } from "./tokenizer.js"

export const tokens = tokenizer("rules", terms)
