// Runs a Python file in Pyodide: node page.mjs PYODIDE FILE ARCHIVE...
import { readFileSync } from "node:fs";
const [, , pyodide, file, ...archives] = process.argv;
const { loadPyodide } = await import(pyodide);
try {
  const page = await loadPyodide({ env: { HOME: "/home", GAMES: process.env.GAMES } });
  for (const archive of archives) {
    page.unpackArchive(new Uint8Array(readFileSync(archive)), "wheel");
  }
  page.runPython(readFileSync(file, "utf8"));
} catch (error) { // its stack would show the whole of Pyodide
  console.error(String(error).slice(-2000));
  process.exit(1);
}
