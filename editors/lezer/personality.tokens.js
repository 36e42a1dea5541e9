// The tokens of personality for its grammar beside this; made by rulewright.service.highlighting.
import * as terms from "./dist/personality.terms.js"
import { tokenizer } from "./tokenizer.js"

export const tokens = tokenizer("personality", terms)
