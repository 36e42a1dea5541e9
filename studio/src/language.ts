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
  letters: number;
}

/** Letters below which a template is no sentence, but joins values in one: `{0} or {1}`. */
const LEAST_LETTERS = 4;
let templates: Template[] = [];

/** A sentence of the service in the page's language, by the template that it fills, as ground/translation.py has it. */
export function translate(text: string): string {
  return sentence(text, LEAST_LETTERS) ?? text.split("\n").map((line) => line.replace(line.trim(), () => sentence(line.trim(), LEAST_LETTERS) ?? line.trim())).join("\n");
}

function sentence(text: string, least: number): string | undefined {
  if (catalogue[text] !== undefined) return catalogue[text];
  for (const { pattern, other, letters } of templates) {
    if (letters < least) return undefined;
    const values = pattern.exec(text)?.groups;
    if (values) return other.replace(/\{(\d|n)\}/g, (_, name: string) => sentence(values[`p${name}`] ?? "", 0) ?? values[`p${name}`] ?? "");
  }
  return undefined;
}

/** The templates of the catalogue, the most particular first. */
function readTemplates(): Template[] {
  const all = Object.entries(catalogue).filter(([text]) => /\{(\d|n)\}/.test(text));
  const letters = (text: string) => text.replace(/\{(\d|n)\}/g, "").replace(/[^\p{L}]/gu, "").length;
  return all.map(([text, other]) => ({ pattern: pattern(text), other, letters: letters(text) })).sort((a, b) => b.letters - a.letters);
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
