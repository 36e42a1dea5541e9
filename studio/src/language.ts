// The language of the page: English stands in the code, another one in a catalogue that is loaded when it is chosen.

/** Languages with a catalogue, each under its own name. */
export const LANGUAGES: Record<string, string> = { en: "English", de: "Deutsch" };
const CHOSEN = "rulewright language";
let catalogue: Record<string, string> = {};

/** A text of the page in its language, with values in the places that have their names in braces. */
export function t(text: string, values: Record<string, string | number> = {}): string {
  return (catalogue[text] ?? text).replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

/** A text that is translated where it is shown: the catalogue must have it. */
export function marked(text: string): string {
  return text;
}

interface Template {
  pattern: RegExp;
  other: string;
  /** Places between backquotes, whose values are code. */
  code: string[];
  letters: number;
}

/** Letters below which a template is no sentence, but joins values in one: `{0} or {1}`. */
const LEAST_LETTERS = 4;
/** What stands for itself in every language: code, texts of others, and what explains them. */
const CODE = /`[^`]*`|"[^"]*"|\([^)]*\)/g;
/** Two words of English side by side. */
const PHRASE = /(?<![\p{L}\p{N}_./-])(?:a|[a-z]{2,}) [a-z]{2,}(?![\p{L}\p{N}_./-])/u;
let templates: Template[] = [];

/** A sentence of the service in the page's language, by the template that it fills, as ground/translation.py has it. */
export function translate(text: string): string {
  return sentence(text, LEAST_LETTERS) ?? text.split("\n").map((line) => line.replace(line.trim(), () => sentence(line.trim(), LEAST_LETTERS) ?? line.trim())).join("\n");
}

function sentence(text: string, least: number): string | undefined {
  if (catalogue[text] !== undefined) return catalogue[text];
  for (const { pattern, other, letters, code } of templates) {
    if (letters < least) return undefined;
    const values = pattern.exec(text)?.groups;
    const result = values && filled(other, values, code);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** A translation with its values; nothing where one of them would be an English phrase. */
function filled(other: string, values: Record<string, string>, code: string[]): string | undefined {
  const words: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const word = code.includes(name) ? value : sentence(value, 0);
    if (word === undefined && PHRASE.test(value.replace(CODE, ""))) return undefined;
    words[name] = word ?? value;
  }
  return other.replace(/\{(\d|n)\}/g, (_, name: string) => words[`p${name}`] ?? "");
}

/** The templates of the catalogue, the most particular first. */
function readTemplates(): Template[] {
  const all = Object.entries(catalogue).filter(([text]) => /\{(\d|n)\}/.test(text));
  const letters = (text: string) => text.replace(/\{(\d|n)\}/g, "").replace(/[^\p{L}]/gu, "").length;
  return all.map(([text, other]) => ({ pattern: pattern(text), other, letters: letters(text), code: [...text.matchAll(/(?<=`)\{(\d)\}(?=`)/g)].map(([, name]) => `p${name}`) })).sort((a, b) => b.letters - a.letters);
}

/** What fills a template: a place between backquotes has no backquote in it, `{n}` is a number. */
function pattern(text: string): RegExp {
  const escaped = text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const places = escaped.replace(/(`?)\\\{(\d|n)\\\}(?=(`?))/g, (_, before: string, name: string, after: string) => {
    const words = name === "n" ? "[\\d.,]+" : before && after ? "[^`]*" : ".*?";
    return `${before}(?<p${name}>${words})`;
  });
  return new RegExp(`^${places}$`, "u");
}

/** The language that was chosen here, else that of the browser, else English. */
export function language(): string {
  const wanted = localStorage.getItem(CHOSEN) ?? navigator.language.slice(0, 2);
  return wanted in LANGUAGES ? wanted : "en";
}

/** Show the page in a language from its next load on. */
export function chooseLanguage(name: string): void {
  localStorage.setItem(CHOSEN, name);
}

/** Load the catalogue of the page's language; a page without it is English. */
export async function loadLanguage(): Promise<void> {
  const name = language();
  if (name === "en") return;
  try {
    catalogue = (await (await fetch(`${name}.json`)).json()) as Record<string, string>;
    templates = readTemplates();
    document.documentElement.lang = name;
  } catch {
    catalogue = {}; // the page is of an older export
  }
}
