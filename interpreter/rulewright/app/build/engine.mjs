// GAME, as rulewright has built it: an ES module of plain JavaScript, for pages and for node.
//   import { load } from "./GAME.mjs";
//   const game = await load();
// What there is to ask is told in GAME.d.ts.

const PLIES = 10000;
const MORE = 0;
const FIRST_NODES = 2000, UNLIMITED = 2 ** 50;

async function read(url) {
  if (url.protocol !== "file:") return (await fetch(url)).arrayBuffer();
  const { readFile } = await import("node:fs/promises");
  return readFile(url);
}

export async function load(folder = import.meta.url) {
  const [code, text] = await Promise.all(
    ["GAME.wasm", "GAME.json"].map((name) => read(new URL(name, folder))));
  const { instance } = await WebAssembly.instantiate(code);
  return new Game(instance.exports, JSON.parse(new TextDecoder().decode(text)));
}

export class Game {
  #ask; #bytes; #words; #texts = null;

  constructor(exports, manifest) {
    this.#ask = (name, ...numbers) => {
      const found = exports["rw_" + name](...numbers.map((n) => BigInt(n)));
      return typeof found === "bigint" ? Number(found) : found;
    };
    this.#bytes = new Uint8Array(exports.memory.buffer);
    this.#words = new BigInt64Array(exports.memory.buffer);
    this.manifest = manifest;
    this.start();
  }

  start() {
    this.#ask("start");
    this.#texts = null;
  }

  #text(length) {
    const at = this.manifest.at.text;
    return new TextDecoder().decode(this.#bytes.slice(at, at + length));
  }

  #sound(found) {
    const fault = this.#ask("fault");
    if (fault) throw new Error(`the rules of GAME are at fault: ${this.manifest.faults[fault]}`);
    return found;
  }

  moves() {
    if (this.#texts === null) {
      const count = this.#sound(this.#ask("moves"));
      this.#texts = Array.from({ length: count }, (_, i) => this.#text(this.#ask("write", i)));
    }
    return [...this.#texts];
  }

  play(text) {
    const number = this.moves().indexOf(text);
    if (number < 0) throw new RangeError(`${text} is no legal move`);
    const played = this.#ask("play", number);
    this.#sound(played);
    if (!played) throw new RangeError("the game is too long to be played on");
    this.#texts = null;
  }

  undo() {
    this.#texts = null;
    return this.#ask("undo") === 1;
  }

  get mover() {
    return this.result === null ? this.manifest.players[this.#ask("mover")] : null;
  }

  get result() {
    const found = this.#ask("result");
    this.#sound(found);
    return found < 0 ? null : this.manifest.players[found] ?? "draw";
  }

  get places() {
    if (this.result === null) return null;
    return this.manifest.players.map((player, i) => ({ player, place: this.#ask("place", i) }));
  }

  get byChance() {
    return this.#sound(this.#ask("by_chance")) === 1;
  }

  get probabilities() {
    return this.byChance ? this.moves().map((move, i) => ({ move, probability: this.#ask("likelihood", i) })) : [];
  }

  roll(seed = Math.floor(Math.random() * 2 ** 50)) {
    if (!this.byChance) throw new Error("chance decides nothing here");
    const move = this.moves()[this.#ask("roll", seed)];
    this.play(move);
    return move;
  }

  get pieces() {
    const { position, kinds, players, board } = this.manifest;
    const has = (first, site) => {
      const word = this.manifest.at["thread.game.state"] / 8 + first + (site >> 6);
      return (this.#words[word] >> BigInt(site & 63)) & 1n;
    };
    const found = [];
    for (const { site, name } of board.spots) {
      let owner = 0, kind = 0;
      while (owner < position.owned && !has(position.owners + owner * position.words, site)) owner++;
      if (owner === position.owned) continue;
      while (position.kinds !== null && !has(position.kinds + kind * position.words, site)) kind++;
      found.push({ site: name, owner: players[owner] ?? null, kind: kinds[kind].name });
    }
    return found;
  }

  perft(depth) {
    const found = this.#ask("perft", depth);
    this.#texts = null;
    this.#sound(found);
    if (found < 0) throw new RangeError("perft: a line or a list is too long");
    return found;
  }

  playouts(games, seed = 1) {
    const plies = this.#ask("playouts", games, seed, PLIES);
    this.#texts = null;
    const counts = [...this.manifest.players, "draws", "faults"].map((_, i) => this.#ask("counted", i));
    const [draws, faults] = counts.splice(-2);
    return { plies, wins: counts, draws, faults };
  }

  best(limits = {}) {
    for (const [name, value] of Object.entries(limits)) {
      if (!["nodes", "ms", "seed"].includes(name)) throw new TypeError(`best knows nodes, ms and seed, and no ${name}`);
      if (value != null && !(value >= (name === "seed" ? 0 : 1))) throw new RangeError(`${name} is ${value}`);
    }
    const { nodes = null, seed = 0 } = limits, { ms = nodes === null ? 1000 : null } = limits;
    if (this.result !== null) throw new Error("there is nothing to decide: the game is over");
    if (this.byChance) throw new Error("chance decides here, and there is nothing to think about");
    const side = this.mover, texts = this.moves(), begun = performance.now();
    this.#ask("think", seed);
    let told = nodes !== null;
    if (told) this.#ask("think_within", nodes);
    let slice = FIRST_NODES, played = this.#ask("nodes"), more = true, spent = 0;
    while (more && (nodes === null || played < nodes) && (ms === null || spent < ms)) {
      const left = nodes === null ? UNLIMITED : nodes - played;
      more = this.#ask("think_on", Math.min(left, ms === null ? UNLIMITED : slice)) === MORE;
      played = this.#ask("nodes");
      spent = performance.now() - begun;
      const rate = played / Math.max(spent, 0.1);
      slice = Math.max(FIRST_NODES, Math.ceil(rate * (ms === null ? 0 : (ms - spent) / 4)));
      if (!told && spent >= ms / 4) { // now it is known how many nodes there is time for
        this.#ask("think_within", Math.ceil(rate * ms));
        told = true;
      }
    }
    const move = texts[this.#ask("think_end")];
    this.#texts = null;
    this.#sound(move);
    const line = Array.from({ length: this.#ask("line") },
      (_, i) => this.#text(this.#ask("write_line", i)));
    return { move, side, value: this.#ask("value"), proven: this.#ask("proven") === 1, line, nodes: played };
  }
}
