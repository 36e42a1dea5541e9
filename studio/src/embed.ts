// A playable board for any page: `<script type="module" src="…/embed.js"></script>`, then
// `<rulewright-board game="twixt" options="size=12" second="counter"></rulewright-board>`.
// All boards of a page share their workers' files, and each has a worker of its own.

import { Board } from "./board";
import { click, clickable, open, spoken } from "./clicks";
import { again, WorkerService } from "./inside";
import type { Kept } from "./keep";
import type { Params, SceneMove, Table } from "./messages";
import { buttonWords, choiceWords, sideName } from "./words";

const beside = (name: string) => new URL(name, import.meta.url).href;

/** A worker of the place where this file is, also for pages of other places. */
function worker(): Worker {
  const script = new Blob([`import ${JSON.stringify(beside("worker.js"))};`], { type: "text/javascript" });
  const address = URL.createObjectURL(script);
  return new Worker(location.origin === new URL(import.meta.url).origin ? beside("worker.js") : address, { type: "module" });
}

/** Nothing is kept: the page is somebody else's. */
const FORGETFUL: Kept = { files: () => ({}), keepFiles: () => {}, game: () => null, keepGame: () => {} };

/** Attributes that say who sits where; the last of them sits on all chairs that are left. */
const CHAIRS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

function element<K extends keyof HTMLElementTagNameMap>(name: K, more: Partial<HTMLElementTagNameMap[K]> = {}): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), more);
}

class RulewrightBoard extends HTMLElement {
  private service!: WorkerService;
  private table: Table | null = null;
  private clicked: number[] = [];
  private board!: Board;
  private below = element("p");
  private message = element("p", { textContent: "The board is being set up." });

  connectedCallback(): void {
    if (this.service) return;
    const root = this.attachShadow({ mode: "open" });
    const frame = element("div");
    this.message.setAttribute("role", "status");
    const whole = element("div", { className: "rulewright-board" });
    whole.append(frame, this.below, this.message);
    root.append(element("link", { rel: "stylesheet", href: beside("board.css") }), whole);
    this.board = new Board(frame, (site) => this.onSite(site), () => this.show());
    this.service = new WorkerService(worker, FORGETFUL, this.request());
    this.service.onState((ready) => ready && void this.begin());
    void this.service.failure.then((wrong) => {
      if (wrong) this.message.textContent = wrong;
    });
  }

  /** The game that the attributes ask for. */
  private request(): Params["open"] {
    const word = (name: string) => this.getAttribute(name) ?? "";
    const options = Object.fromEntries(word("options").split(/[\s,]+/).filter(Boolean).map((pair) => pair.split("=", 2) as [string, string]));
    const [first, second, ...more] = CHAIRS.map(word);
    const players = [first || "human", second || "human", ...more.filter(Boolean)];
    return { game: word("game") || "tictactoe", options, moves: word("moves"), players, position: "" };
  }

  /** Show the game; in the place of one that there is not, or that cannot be played so, it is said why. */
  private async begin(): Promise<void> {
    const wrong = await this.service.refused;
    const { table } = this;
    this.table = null; // rules that never end are not asked for twice
    if (!wrong) return table ? this.act("open", again(table)) : this.act("table", {});
    this.board.root.remove();
    this.message.textContent = wrong;
  }

  private async act<M extends "open" | "table" | "play" | "think" | "goto">(method: M, params: Params[M]): Promise<void> {
    try {
      this.table = await this.service.ask(method, params);
      this.show();
      if (this.table.thinking) await this.act("think", { seconds: null });
    } catch (error) {
      this.message.textContent = (error as Error).message;
    }
  }

  private onSite(site: number): void {
    const { table } = this;
    if (!table || table.over || table.thinking) return;
    const clicks = this.clicked;
    const step = click(clickable(table.scene), clicks, site);
    if (step.play) return void this.act("play", { text: step.play.text, at: table.at, by: "" });
    this.show(step.clicked, step.choices);
    if (!step.refused) return;
    this.board.refuse(site);
    void this.refuse(table, [...clicks, site]);
  }

  /** Say which clause forbids what clicks would be. */
  private async refuse(table: Table, sites: number[]): Promise<void> {
    const text = sites.map((site) => table.scene.spots.find((spot) => spot.site === site)?.name).join(" ");
    const reason = await this.service.ask("why_not", { text, sites }).catch(() => null);
    if (reason && this.table === table) this.message.textContent = reason.text;
  }

  private show(clicked: number[] = [], choices: SceneMove[] = []): void {
    const { table } = this;
    if (!table) return;
    this.clicked = clicked;
    const { scene } = table;
    const waits = !table.over && !table.thinking;
    const last = table.nodes.find((node) => node.node === table.at)?.shown || scene.last_turn;
    this.board.draw(scene, { open: waits ? open(clickable(scene), clicked) : new Set<number>(), clicked });
    const moves = choices.length > 0 ? choices : waits ? spoken(scene.moves) : [];
    this.below.replaceChildren(
      ...moves.map((move) => this.button(move.clicks.length ? choiceWords(scene, move, moves) : buttonWords(scene, move)[0], () => void this.act("play", { text: move.text, at: table.at, by: "" }))),
      this.button("take back", () => void this.back()),
    );
    this.message.textContent = table.over ? table.verdict : `${sideName(scene, scene.mover!)} to move${last ? `, last: ${last}` : ""}`;
    this.dispatchEvent(new CustomEvent("played", { detail: { moves: again(table, table.at).moves, over: table.over } }));
  }

  /** To where a person has chosen last. */
  private async back(): Promise<void> {
    const { table } = this;
    if (!table) return;
    const nodes = new Map(table.nodes.map((node) => [node.node, node]));
    let at = nodes.get(table.at);
    while (at?.by) at = nodes.get(at.parent ?? 0);
    await this.act("goto", { node: at?.parent ?? 0 });
  }

  private button(text: string, act: () => void): HTMLButtonElement {
    const button = element("button", { textContent: text });
    button.addEventListener("click", act);
    return button;
  }
}

customElements.define("rulewright-board", RulewrightBoard);
