// What a page without a server keeps, and the link that holds texts and a game.

import { useMemo, useState } from "preact/hooks";

import { Refused } from "./link";
import type { Params } from "./messages";

export type Files = Record<string, string>;

/** What is kept of a page: its texts for all tabs of this address, its game for this tab. */
export interface Kept {
  files(): Files;
  keepFiles(files: Files): void;
  game(): Params["open"] | null;
  keepGame(game: Params["open"]): void;
}

export interface Shared {
  files: Files;
  open: Params["open"];
  /** What the page shows beside the board first; what one does while playing, if unsaid. */
  view?: string;
}

/** Bytes that the texts of a link may have: whoever follows one has not asked for more. */
const MOST = 4_000_000;
const SHARE = "share";
const MADE = "rulewright link made here";

/**
 * Show a link to what is here as the address of the page.  A reload shall go on with what is here by then, and
 * not with what was linked: what had opened the page before is kept for it.
 */
export function showLink(link: string): void {
  put(sessionStorage, MADE, { link: new URL(link).hash, before: openedBy(location.hash) });
  history.replaceState(null, "", link);
}

/** The part of the address behind `#` that opened this page: no link that was only made by it. */
export function openedBy(hash: string): string {
  const record = read<{ link: string; before: string }>(sessionStorage, MADE);
  return record?.link === hash ? record.before : hash;
}

/** The link in the address is followed from now on, whoever has made it. */
export function leaveMade(): void {
  sessionStorage.removeItem(MADE);
}

/** The part of an address behind `#` that holds texts and a game. */
export async function fragment(shared: Shared): Promise<string> {
  const packed = new Blob([JSON.stringify(shared)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `${SHARE}=${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** What a link holds; null if it holds nothing, a message if that cannot be read. */
export async function shared(hash: string): Promise<Shared | string | null> {
  const text = new URLSearchParams(hash.replace(/^#/, "")).get(SHARE);
  if (text === null) return null;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const data: unknown = JSON.parse(await unpacked(bytes));
    return isShared(data) ? data : "the link holds no game";
  } catch {
    return "the link is damaged";
  }
}

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length > MOST) throw new Error("too much");
  }
  return text + decoder.decode();
}

function isShared(data: unknown): data is Shared {
  if (typeof data !== "object" || data === null) return false;
  const { files, open } = data as Shared;
  const texts = (value: unknown) =>
    typeof value === "object" && value !== null && Object.values(value).every((text) => typeof text === "string");
  return texts(files) && texts(open?.options) && typeof open.game === "string" && typeof open.moves === "string" && Array.isArray(open.players);
}

/**
 * Texts for all tabs of this address, or for this tab alone (those of a link); games for the tab.
 * What the page *brought* is kept only where it was changed, so that a later page can bring more.
 */
export function keep(name: string, alone: Files | null, brought: Files): Kept {
  const store = alone ? sessionStorage : localStorage;
  const texts = `rulewright texts ${name}`;
  const game = `rulewright game ${name}`;
  return {
    files: () => ({ ...brought, ...(read<Files>(store, texts) ?? alone ?? {}) }),
    keepFiles: (files) => {
      const own = Object.fromEntries(Object.entries(files).filter(([path, text]) => brought[path] !== text));
      if (!put(store, texts, own)) throw new Refused({ message: "the browser keeps no more texts; take them with you as a zip" });
    },
    game: () => read<Params["open"]>(sessionStorage, game),
    keepGame: (open) => void put(sessionStorage, game, open), // a reload then begins anew
  };
}

/** Texts of a folder that were written and not saved, for a page that is opened again. */
export class Drafts {
  private readonly key: string;

  constructor(folder: string) {
    this.key = `rulewright drafts ${folder}`;
  }

  all(): Files {
    return read<Files>(localStorage, this.key) ?? {};
  }

  /** Keep the text of a file as it is written; whether the browser does. */
  keep(path: string, text: string): boolean {
    return put(localStorage, this.key, { ...this.all(), [path]: text });
  }

  /** Forget the draft of a file, which is saved or not wanted. */
  drop(path: string): void {
    const { [path]: _, ...others } = this.all();
    put(localStorage, this.key, others);
  }
}

function read<T>(from: Storage, key: string): T | null {
  try {
    return JSON.parse(from.getItem(key) ?? "null") as T | null;
  } catch {
    return null; // what is no JSON is not ours
  }
}

/** Whether a browser has kept something; it may be full, or keep nothing at all. */
function put(store: Storage, key: string, data: unknown): boolean {
  try {
    store.setItem(key, JSON.stringify(data));
    return true;
  } catch {
    return false;
  }
}

/** A state that a reload finds again, for each *key*; one that is too large for the browser it does not. */
export function useKept<T>(key: string, empty: T): [T, Change<T>] {
  return useIn(sessionStorage, key, empty);
}

/** A state that all tabs and later visits find again. */
export function useStored<T>(key: string, empty: T): [T, Change<T>] {
  return useIn(localStorage, key, empty);
}

type Change<T> = (next: T | ((now: T) => T)) => void;

function useIn<T>(store: Storage, key: string, empty: T): [T, Change<T>] {
  const name = `rulewright kept ${key}`;
  const stored = () => read<T>(store, name) ?? empty;
  const [entry, setEntry] = useState(() => ({ name, value: stored() }));
  const before = useMemo(stored, [name]);
  const set = (next: T | ((now: T) => T)) =>
    setEntry((now) => {
      const value = next instanceof Function ? next(now.name === name ? now.value : stored()) : next;
      put(store, name, value);
      return { name, value };
    });
  return [entry.name === name ? entry.value : before, set];
}

/** A short name for a text, the same tomorrow. */
export function digest(text: string): string {
  let hash = 5381;
  for (const letter of text) hash = ((hash * 33) ^ letter.codePointAt(0)!) >>> 0;
  return hash.toString(36);
}

/** Let the browser save a file. */
export function offer(name: string, data: string | Uint8Array<ArrayBuffer>, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([data], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Let the browser save a zip, whose bytes come in base64. */
export function offerArchive({ name, data }: { name: string; data: string }): void {
  offer(name, Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)), "application/zip");
}

/** The bytes of a file in base64. */
export async function base64(file: File): Promise<string> {
  let text = "";
  for (const byte of new Uint8Array(await file.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}
