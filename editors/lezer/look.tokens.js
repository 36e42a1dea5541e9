// The tokens of look for the grammar beside this, by rulewright.app.service.highlighting.
import * as terms from "./dist/look.terms.js"
import { tokenizer } from "./tokenizer.js"

export const tokens = tokenizer("look", terms)
