// The tokens of cases for its grammar beside this; made by rulewright.service.highlighting.
import * as terms from "./dist/cases.terms.js"
import { tokenizer } from "./tokenizer.js"

export const tokens = tokenizer("cases", terms)
