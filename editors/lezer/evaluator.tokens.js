// The tokens of evaluator for its grammar beside this; made by rulewright.service.highlighting.
import * as terms from "./dist/evaluator.terms.js"
import { tokenizer } from "./tokenizer.js"

export const tokens = tokenizer("evaluator", terms)
