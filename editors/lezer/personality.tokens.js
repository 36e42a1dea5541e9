// The tokens of personality for the grammar beside this, by rulewright.app.service.highlighting.
import * as terms from "./dist/personality.terms.js"
import { tokenizer } from "./tokenizer.js"

export const tokens = tokenizer("personality", terms)
