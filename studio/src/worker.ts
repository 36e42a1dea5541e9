// The service inside a page: Python in a worker, with a desk of its own.  It does one thing at a
// time; whoever wants it to stop ends it and begins another.

import type { FromWorker, Start, ToWorker } from "./inside";

interface Python {
  unpackArchive(data: ArrayBuffer, format: string, options: { extractDir: string }): void;
  pyimport(name: string): { Inside: { callKwargs(options: object): Inside }; default: unknown };
  runPython(code: string): unknown;
}
interface Inside {
  ask(text: string): string;
  put(files: string): void;
  files(): string;
}

const LIBRARY = "/home/pyodide/library";
const here = self as unknown as { postMessage(data: FromWorker): void; onmessage: (event: MessageEvent<ToWorker>) => void; location: Location };
const tell = (data: FromWorker) => here.postMessage(data);
const beside = (name: string) => new URL(name, import.meta.url).href;
let inside: Inside | null = null;

async function start(asked: Start): Promise<Inside> {
  const archive = fetch(beside("library.zip")).then((answer) => {
    if (!answer.ok) throw new Error(`library.zip: ${answer.status}`);
    return answer.arrayBuffer();
  });
  const { loadPyodide } = await import(/* not bundled */ beside("pyodide/pyodide.mjs"));
  const python: Python = await loadPyodide({ indexURL: beside("pyodide/") });
  python.unpackArchive(await archive, "zip", { extractDir: LIBRARY });
  python.runPython(`import sys; sys.path.insert(0, ${JSON.stringify(LIBRARY)}); from pathlib import Path`);
  const made = python.pyimport("rulewright.studio.reply").Inside.callKwargs({
    folder: python.runPython("Path('/texts')"),
    tell: (text: string) => tell({ said: text }),
  });
  made.put(JSON.stringify(asked.files));
  return made;
}

here.onmessage = async ({ data }) => {
  try {
    if ("start" in data) {
      inside = await start(data.start);
      tell({ ready: true });
    } else if ("ask" in data) tell({ said: inside!.ask(data.ask) });
    else if ("put" in data) inside!.put(JSON.stringify(data.put));
    else tell({ files: JSON.parse(inside!.files()) });
  } catch (error) {
    tell({ failed: String(error).trim().slice(-500) });
  }
};
