// Keeps all files of the page, so that it works without a network: those of the folder as they were
// when the page was last loaded with one.  `files.json` names them, and changes with any of them.

import { plain } from "./plain";

interface Extended {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Extended {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
const worker = self as unknown as {
  addEventListener(name: "install" | "activate", listener: (event: Extended) => void): void;
  addEventListener(name: "fetch", listener: (event: Fetching) => void): void;
  skipWaiting(): Promise<void>;
  location: Location;
  clients: { claim(): Promise<void> };
};
const LIST = "files.json";
const OURS = "rulewright ";
const beside = (name: string) => new URL(name, worker.location.href).href;

interface Listed {
  version: string;
  files: string[];
}

/** Fetch all files of a version, unless they are kept. */
async function install(): Promise<void> {
  const listing = (await (await fetch(beside(LIST), { cache: "no-store" })).json()) as Listed;
  const cache = await caches.open(OURS + listing.version);
  await Promise.all(listing.files.map((name) => keep(cache, name)));
  for (const name of await caches.keys()) {
    if (name.startsWith(OURS) && name !== OURS + listing.version) await caches.delete(name);
  }
}

/** Keep a file as a page needs it: what is packed is unpacked once, and not at each visit. */
async function keep(cache: Cache, name: string): Promise<void> {
  const answer = await fetch(beside(name), { cache: "no-cache" });
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  if (!name.endsWith(".bin")) return cache.put(beside(name), answer);
  const data = await plain(new Uint8Array(await answer.arrayBuffer()));
  await cache.put(beside(name), new Response(data, { headers: { "Content-Type": "application/octet-stream" } }));
}

/** Of the network if it has something new of ours, else what is kept. */
async function answer(request: Request): Promise<Response> {
  const address = new URL(request.url);
  address.hash = address.search = "";
  if (address.href.endsWith("/")) address.pathname += "index.html";
  return (await caches.match(address.href)) ?? fetch(request);
}

worker.addEventListener("install", (event) => event.waitUntil(install().then(() => worker.skipWaiting())));
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  if (event.request.url.endsWith(".wasm") && navigator.onLine) return; // so that it stays compiled; else it is asked for again
  if (event.request.method === "GET" && event.request.url.startsWith(beside("."))) event.respondWith(answer(event.request));
});
