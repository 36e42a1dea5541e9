// The texts of a game as tabs: its rules, its look and what is open; all others are looked for by name.

import { useState } from "preact/hooks";

import { t } from "./language";
import type { FileShown } from "./messages";

/** Tabs that have room before the editor. */
const MOST = 4;
/** Which kinds come first. */
const ORDER = ["rules", "look", "evaluator", "personality", "patterns"];

interface Props {
  files: FileShown[];
  /** Whether a text belongs to the game on the board. */
  near(file: FileShown): boolean;
  path: string;
  changed: boolean;
  open(file: FileShown): void;
}

export function Tabs({ files, near, path, changed, open }: Props) {
  const [wanted, setWanted] = useState("");
  const rank = (file: FileShown) => (ORDER.indexOf(file.kind) + ORDER.length + 1) % (ORDER.length + 1);
  const own = files.filter(near).sort((a, b) => rank(a) - rank(b));
  const tabs = own.slice(0, MOST);
  const now = files.find((file) => file.path === path);
  if (now && !tabs.includes(now)) tabs.push(now);
  const others = [...own, ...files.filter((file) => !near(file))].filter((file) => !tabs.includes(file));
  const matches = others.filter((file) => file.path.toLowerCase().includes(wanted.trim().toLowerCase()));
  const tab = (file: FileShown) => (
    <button class={file.path === path ? "file now" : "file"} onClick={() => open(file)} title={file.path}>
      {near(file) || !file.writable ? file.path.split("/").pop() : file.path}
      {file.path === path && changed ? " *" : ""}
      {!file.writable && (file.path === path || !tabs.includes(file)) && <small> {t("read only")}</small>}
    </button>
  );
  return (
    <div class="files" role="group" aria-label={t("texts of the game")}>
      {tabs.map(tab)}
      {others.length > 0 && (
        <details>
          <summary>{t("{count} other texts", { count: others.length })}</summary>
          <label class="row">
            <span class="sr">{t("Find a text")}</span>
            <input type="search" placeholder={t("Find a text")} value={wanted} onInput={(e) => setWanted(e.currentTarget.value)} />
          </label>
          <div class="others">
            {matches.map(tab)}
            {matches.length === 0 && <p>{t("No text is called like that.")}</p>}
          </div>
        </details>
      )}
    </div>
  );
}
