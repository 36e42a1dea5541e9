// The bar above everything: the mark, the game's name with all others behind it, the views, and what begins or sends a game.

import { useState } from "preact/hooks";

import type { Desk, View } from "./desk";
import { Icon, Logo } from "./icons";
import { chooseLanguage, language, LANGUAGES, marked, t } from "./language";
import type { Greeting } from "./messages";
import { Sharing } from "./sharing";
import { gameName, titleOf } from "./words";

const VIEWS: [View, string][] = [
  ["play", marked("Play")],
  ["understand", marked("Understand")],
  ["author", marked("Write")],
  ["measure", marked("Measure")],
];

interface Props {
  greeting: Greeting;
  /** None before there is a game. */
  desk: Desk | null;
  connected: boolean;
  view: View;
  setView(view: View): void;
  begin(): void;
}

export function Bar({ greeting, desk, connected, view, setView, begin }: Props) {
  const [sharing, setSharing] = useState(false);
  const away = view === "home" || view === "learn"; // where the game on the board is not shown
  return (
    <header class="bar">
      <button class="logo" aria-label={t("All games")} title={t("All games")} aria-current={view === "home" ? "page" : undefined} onClick={() => setView("home")}><Logo /></button>
      <h1 class={away ? "" : "sr"}>rulewright<span class="sr"> studio</span></h1>
      {desk && !away && <Switcher greeting={greeting} desk={desk} />}
      <div role="tablist" class="views" aria-label={t("Views")}>
        {VIEWS.map(([name, title]) => (
          <button role="tab" id={`tab-${name}`} aria-selected={view === name} onClick={() => setView(name)}>
            {t(title)}
          </button>
        ))}
      </div>
      <div class="end">
        {!connected && <span class="line" title={t("not connected")} />}
        {!away && <button class="b new" aria-label={t("New game")} onClick={begin}><Icon name="plus" /><span>{t("New game")}</span></button>}
        {!away && <button class="b bare ico" aria-label={t("Share")} title={t("Share")} aria-expanded={sharing} onClick={() => setSharing(!sharing)}><Icon name="share" /></button>}
        {away && <Language />}
        <Documents />
        <Theme />
        {desk && sharing && !away && <Sharing desk={desk} close={() => setSharing(false)} />}
      </div>
    </header>
  );
}

function Switcher({ greeting, desk }: { greeting: Greeting; desk: Desk }) {
  const { table } = desk;
  const opened = greeting.opened && !(greeting.opened in greeting.games) ? [greeting.opened] : [];
  const known = (name: string) => (name === table.source ? titleOf(table) : t(gameName(name, greeting.headings)));
  const title = (name: string) => (greeting.places[name] ? `${known(name)} (${greeting.places[name]})` : known(name));
  const own = [...new Set([...opened, ...greeting.own, ...(table.source in greeting.games ? [] : [table.source])])];
  const others = Object.keys(greeting.games).sort((a, b) => title(a).localeCompare(title(b)));
  const names = [...new Set([...own, ...others])];
  return (
    <label class="switcher" title={greeting.games[table.source] ?? ""}>
      <span class="sr">{t("Game")}</span>
      <select value={table.source} onChange={(e) => void desk.act("open", { game: e.currentTarget.value, options: {} })}>
        {names.map((name) => (
          <option value={name}>{title(name)}</option>
        ))}
      </select>
    </label>
  );
}

/** The page in the next language; a game on the board is there again. */
function Language() {
  const names = Object.keys(LANGUAGES);
  const next = names[(names.indexOf(language()) + 1) % names.length]!;
  const change = () => {
    chooseLanguage(next);
    location.reload();
  };
  return <button class="b bare" lang={next} onClick={change}>{LANGUAGES[next]}</button>;
}

/** The way to the documents, where the page stands beside some. */
function Documents() {
  const { documents } = document.documentElement.dataset;
  return documents ? <a class="b bare ico" href={documents} aria-label={t("Documents")} title={t("Documents")}><Icon name="book" /></a> : null;
}

const THEME = "rulewright theme";
const chosen = () => localStorage.getItem(THEME) ?? "";
const systemTheme = () => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

/** Show the page in the theme that was chosen here, else in that of the system. */
export function applyTheme(): void {
  const theme = chosen();
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

function Theme() {
  const [theme, setTheme] = useState(() => chosen() || systemTheme());
  const change = () => {
    const next = theme === "dark" ? "light" : "dark";
    if (next === systemTheme()) localStorage.removeItem(THEME);
    else localStorage.setItem(THEME, next);
    applyTheme();
    setTheme(next);
  };
  return <button class="b bare ico" aria-label={t("Light or dark")} title={t("Light or dark")} aria-pressed={theme === "dark"} onClick={change}><Icon name="theme" /></button>;
}
