// The tokens of evaluator for the grammar beside this, by rulewright.app.service.highlighting.
import * as terms from "./dist/evaluator.terms.js"
import { tokenizer } from "./tokenizer.js"

export const tokens = tokenizer("evaluator", terms)
