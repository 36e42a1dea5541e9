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
    document.documentElement.lang = name;
  } catch {
    catalogue = {}; // the page is of an older export
  }
}
