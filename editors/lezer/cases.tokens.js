// The tokens of cases for the grammar beside this, by rulewright.app.service.highlighting.
import * as terms from "./dist/cases.terms.js"
import { tokenizer } from "./tokenizer.js"

export const tokens = tokenizer("cases", terms)
