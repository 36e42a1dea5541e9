// The service inside a page: Python in a worker, with a desk of its own.  It does one thing at a
// time; whoever wants it to stop ends it and begins another.

import type { FromWorker, Start, ToWorker } from "./inside";
import { plain } from "./plain";

interface Python {
  FS: { mkdirTree(path: string): void; writeFile(path: string, data: Uint8Array, how: { canOwn: boolean }): void };
  runPython(code: string): { callKwargs(options: object): Inside };
}
/** What Pyodide makes of its WebAssembly, of which nothing but the memory matters here. */
interface Machine {
  _malloc(size: number): number;
  _free(at: number): void;
}
interface Inside {
  ask(text: string): string;
  has_kept_kernels(): boolean;
  prepare(): void;
  put(files: string): void;
  files(): string;
}

const LIBRARY = "/library";
const PYODIDE = "pyodide/"; // an export puts the version in
const WASM = "pyodide.asm.wasm";
/**
 * Milliseconds without a question after which the game is compiled, so that no click waits for it: as long as the
 * page takes to draw a game and to ask what else it shows.  Kernels that the page was brought are taken at once.
 */
const SOON = 150;
const worker = self as unknown as { postMessage(data: FromWorker): void; onmessage: (event: MessageEvent<ToWorker>) => void; location: Location };
const tell = (data: FromWorker) => worker.postMessage(data);
const beside = (name: string) => new URL(name, import.meta.url).href;
let inside: Inside | null = null;
let idle = 0;

/** A file of the folder, unpacked. */
async function fetched(name: string): Promise<Uint8Array> {
  const answer = await fetch(beside(name));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return plain(new Uint8Array(await answer.arrayBuffer()));
}

/**
 * Pyodide's WebAssembly, compiled while other files still come.  A browser keeps what it has compiled of a file
 * that came by its own ways; what `offline.ts` keeps is for a page without a network.
 */
function machineCode(): Promise<WebAssembly.Module> {
  const name = beside(`${PYODIDE}${WASM}`);
  const compiled = WebAssembly.compileStreaming(fetch(name)).catch(() => WebAssembly.compileStreaming(fetch(`${name}?kept`)));
  const theirs = self.fetch;
  // Pyodide fetches and compiles by these two, and leaves no other choice
  self.fetch = (request, how) => (String(request) === name ? Promise.resolve(new Response()) : theirs(request, how));
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const module = await compiled;
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
  return compiled;
}

/** Python as it was written down when it had loaded the library; else begun from nothing. */
async function python(fetching: Promise<Uint8Array>): Promise<Python> {
  const from = { indexURL: beside(PYODIDE) };
  const [{ loadPyodide }, { default: make }] = await Promise.all(
    [import(beside(`${PYODIDE}pyodide.mjs`)), import(beside(`${PYODIDE}pyodide.asm.mjs`)), machineCode()],
  );
  const memory = await fetching;
  if (memory.length === 0) return loadPyodide(from);
  const createPyodideModule = async (settings: object) => {
    const machine: Machine = await make(settings);
    machine._free(machine._malloc(memory.length)); // the memory must be as large as what it is filled with
    return machine;
  };
  return loadPyodide({ ...from, createPyodideModule, _loadSnapshot: memory });
}

/** Put the files of the library where Python looks for them. */
function place(machine: Python, library: Uint8Array): void {
  const end = library.indexOf(10);
  const folders = new Set<string>();
  let at = end + 1;
  for (const [name, size] of JSON.parse(new TextDecoder().decode(library.subarray(0, end))) as [string, number][]) {
    const folder = `${LIBRARY}/${name}`.replace(/\/[^/]*$/, "");
    if (!folders.has(folder)) machine.FS.mkdirTree(folder);
    folders.add(folder);
    machine.FS.writeFile(`${LIBRARY}/${name}`, library.subarray(at, at + size), { canOwn: true });
    at += size;
  }
}

async function start(request: Start): Promise<Inside> {
  const [machine, library] = await Promise.all([python(fetched("memory.bin")), fetched("library.bin")]);
  place(machine, library);
  const desk = machine
    .runPython(
      `
import random, sys
if ${JSON.stringify(LIBRARY)} not in sys.path: sys.path.insert(0, ${JSON.stringify(LIBRARY)})
for folder in [one for one in sys.path_importer_cache if one.startswith(${JSON.stringify(LIBRARY)})]:
    del sys.path_importer_cache[folder]  # what was there when the memory was written down
random.seed()
from rulewright.app.studio.reply import begin_desk
begin_desk`,
    )
    .callKwargs({ folder: "/texts", tell: (text: string) => tell({ text: text }) });
  desk.put(JSON.stringify(request.files));
  return desk;
}

worker.onmessage = async ({ data }) => {
  try {
    if ("start" in data) {
      inside = await start(data.start);
      tell({ ready: true });
    } else if ("ask" in data) {
      tell({ text: inside!.ask(data.ask) });
      if (idle && JSON.parse(data.ask).method === "play") return; // whoever plays fast does not put it off
      clearTimeout(idle);
      idle = setTimeout(() => {
        idle = 0;
        inside!.prepare();
      }, inside!.has_kept_kernels() ? 0 : SOON);
    }
    else if ("put" in data) inside!.put(JSON.stringify(data.put));
    else tell({ files: JSON.parse(inside!.files()) });
  } catch (error) {
    tell({ failed: String(error).trim().slice(-500) });
  }
};
