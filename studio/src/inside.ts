// The line to workers of this page that do what a studio on one's own machine does: one for what is
// done at once, one for what may take seconds, which is ended and begun anew where it shall stop.

import { type Files, fragment, type Kept } from "./keep";
import { answerOf, type Asked, type Hear, Refused, requestText, type Said, type Service, settle } from "./link";
import { Scenes } from "./scenes";
import type { Answers, Doing, GameCard, Greeting, Node, Params, JudgedNode, Table } from "./messages";

export interface Start {
  files: Files;
}
export type ToWorker = { start: Start } | { ask: string } | { put: Files } | { files: true };
export type FromWorker = { ready: true } | { failed: string } | { text: string } | { files: Files };

const LONG = new Set<string>(["think", "search", "explain", "versus", "curve"]);
/** Requests that go on behind the game. */
export const BEHIND = new Set<string>(["compare", "tournament", "tune", "study", "diff"]);
/** Requests that write texts. */
export const WRITING = new Set<string>(["write", "save_personality", "rename", "read_game"]);
/** Milliseconds after which a worker that answers nothing is begun anew. */
const PATIENCE = 60_000;
const LATE = "that took more than a minute and was given up; the studio begins anew";
/** Seconds that a player may think who sets its own limits. */
const MOST_SECONDS = 600;

/** Workers that this page has begun. */
let begun = 0;

/** One worker with Python in it. */
class Desk {
  /** Tells it from others of this page. */
  readonly token = String(++begun);
  private worker: Worker;
  private number = 0;
  private readonly scenes = new Scenes();
  private waiting = new Map<number, Asked>();
  private files: ((files: Files) => void)[] = [];
  readonly ready: Promise<void>;

  constructor(make: () => Worker, files: Files) {
    this.worker = make();
    this.ready = new Promise((resolve, reject) => {
      this.worker.onerror = (event) => reject(new Refused({ message: event.message || "the worker does not start" }));
      this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if ("ready" in data) resolve();
        else if ("failed" in data) {
          reject(new Refused({ message: data.failed }));
          this.end(data.failed);
        } else if ("files" in data) this.files.shift()?.(data.files);
        else this.take(JSON.parse(data.text));
      };
    });
    this.send({ start: { files } });
  }

  async ask(method: string, params: unknown, progress?: (answer: unknown) => void, doing?: Hear): Promise<unknown> {
    await this.ready;
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      const text = requestText(id, method, params);
      this.waiting.set(id, { method, resolve, reject, progress, doing });
      this.send({ ask: text });
    });
  }

  put(files: Files): void {
    this.send({ put: files });
  }

  /** All texts that the worker has. */
  snapshot(): Promise<Files> {
    return new Promise((resolve) => {
      this.files.push(resolve);
      this.send({ files: true });
    });
  }

  /** End what runs; whoever waits is given what is known so far, or told why. */
  end(why: string): void {
    this.worker.terminate();
    for (const request of this.waiting.values()) {
      if (request.last === undefined) request.reject(new Refused({ message: why }));
      else request.resolve(request.last);
    }
    this.waiting.clear();
  }

  get busy(): boolean {
    return this.waiting.size > 0;
  }

  private send(data: ToWorker): void {
    this.worker.postMessage(data);
  }

  private take(data: Said): void {
    this.scenes.complete(answerOf(data));
    const request = this.waiting.get(data.id);
    if (request) settle(request, data, () => this.waiting.delete(data.id));
  }
}

/** What the page brings to be shown before there is a desk. */
interface Front {
  greeting: Greeting;
  cards: GameCard[];
}

export class WorkerService implements Service {
  private near!: Desk;
  /** Why what the page shall begin with cannot be opened; empty if it can. */
  refused!: Promise<string>;
  /** Whether all games are shown yet, for which no Python is loaded. */
  asleep: boolean;
  private woken = false;
  private wakeUp!: () => void;
  private awake = new Promise<void>((resolve) => (this.wakeUp = resolve));
  private far = new Helper(); // what one waits for
  private behind = new Helper(); // what goes on behind it
  private table: Table | null = null;
  private unsaved: Files = {};
  private brought: Promise<Front> | null = null;
  private tell: (connected: boolean) => void = () => {};

  constructor(
    private make: () => Worker,
    private store: Kept,
    public first: Params["open"],
    private home = false,
    /** The paths of the texts that came with the link that was followed. */
    private linked: string[] = [],
  ) {
    this.asleep = home && !store.game();
    if (!this.asleep) this.start();
    addEventListener("storage", () => !this.asleep && this.near.put(this.store.files())); // another tab has written
  }

  /** Whether the rules of a game came with the link, in the place of those of the page. */
  hasRulesOfLink(game: string): boolean {
    return this.linked.some((path) => path === game || path === `bundled:rulesets/${game}/${game}.rules`);
  }

  private start(): void {
    this.near = this.begin();
    this.wakeUp();
  }

  /**
   * The first table of a game as the page brings it, to be clicked before there is a desk; null where only a desk
   * can tell.
   */
  async opening({ game, options, moves, players, position }: Params["open"]): Promise<Table | null> {
    const isUsual = !moves && !position && Object.keys(options ?? {}).length === 0 && !this.hasRulesOfLink(game);
    const isBrought = isUsual && (await this.front()).cards.some((card) => card.game === game);
    const table = isBrought ? await fetch(`open/${game}.json`).then((file) => file.json() as Promise<Table | null>) : null;
    if (!table) return null;
    const seated = (player: string) => ({ player, label: player, human: player === "human" });
    const chairs = table.chairs.map((chair, i) => ({ ...chair, ...seated(players?.[i] ?? players?.at(-1) ?? chair.player) }));
    return { ...table, chairs, thinking: !chairs.find((chair) => chair.colour === table.scene.mover)?.human };
  }

  /** Load Python, and open this game first. */
  wake(first: Params["open"]): void {
    this.first = first;
    this.asleep = false;
    this.woken = true;
    this.start();
  }

  onState(tell: (connected: boolean) => void): void {
    this.tell = tell;
    void this.awake.then(() => this.near.ready).then(() => tell(true)).catch(() => {});
  }

  /** What is known of the games before there is a desk. */
  async greeting(): Promise<Greeting> {
    const own = Object.keys(this.store.files()).filter((name) => name.endsWith(".rules")).sort();
    return { ...(await this.front()).greeting, own };
  }

  /** The greeting of the desk that there is now, which reads none of the games: the board comes first. */
  private async hello(): Promise<Greeting> {
    await this.near.ready;
    const opened = this.home && !this.woken ? null : this.first.game;
    return { ...(await this.greeting()), process: this.near.token, folder: "this page", opened };
  }

  private front(): Promise<Front> {
    this.brought ??= fetch("front.json").then((file) => file.json() as Promise<Front>);
    return this.brought;
  }

  /** The address of this page with the game and the texts in it. */
  async link(): Promise<string> {
    const files = { ...this.store.files(), ...this.unsaved };
    return `${location.origin}${location.pathname}#${await fragment({ files, open: again(this.table!) })}`;
  }

  /** Why there is no desk, if there is none. */
  get failure(): Promise<string | null> {
    return this.awake.then(() => this.near.ready).then(
      () => null,
      (error: Error) => error.message,
    );
  }

  async ask<M extends keyof Params & keyof Answers>(
    method: M,
    params: Params[M],
    progress?: (answer: Answers[M]) => void,
    doing?: Hear,
  ): Promise<Answers[M]> {
    if (method === "learn") return this.lessons(params as Params["learn"]) as unknown as Answers[M];
    if (method === "gallery") return this.cards(params as Params["gallery"]) as unknown as Answers[M];
    if (method === "hello") return this.hello() as unknown as Answers[M];
    if (method === "hurry") return this.hurry() as unknown as Answers[M];
    if (method === "stop") return this.stop((params as Params["stop"]).behind ? this.behind : this.far) as unknown as Answers[M];
    const helper = LONG.has(method) ? this.far : BEHIND.has(method) ? this.behind : null;
    const asking = helper ? this.long(helper, method, params, { progress: progress as (answer: unknown) => void, doing }) : this.watched(method, params);
    const answer = await asking;
    if (method === "follow") {
      const followed = params as Params["follow"];
      this.unsaved[followed.path] = followed.text;
    }
    if (WRITING.has(method)) await this.keepFiles();
    this.remember(answer);
    return answer as Answers[M];
  }

  /** A desk with the game of this page; one begun in the place of another is given it by the page. */
  private begin(renewed = false): Desk {
    const desk = new Desk(this.make, this.store.files());
    if (renewed) {
      this.refused = Promise.resolve("");
      return desk;
    }
    const game = this.store.game() ?? this.first;
    const open = desk.ask("open", game).catch((error) => (game === this.first ? Promise.reject(error) : desk.ask("open", this.first)));
    this.refused = open.then((table) => (this.remember(table), "")).catch((error: Error) => error.message);
    return desk;
  }

  /** Cards: those of bundled games are a file of the page, others the desk draws. */
  private async cards({ games }: Params["gallery"]): Promise<GameCard[]> {
    const brought = await this.front().then((front) => front.cards, () => []);
    const cards = brought.filter((card) => games.includes(card.game));
    const others = games.filter((name) => !cards.some((card) => card.game === name));
    return this.asleep || others.length === 0 ? cards : [...cards, ...((await this.watched("gallery", { games: others })) as GameCard[])];
  }

  /** How a game is learnt: a file of the page for bundled games. */
  private async lessons(params: Params["learn"]): Promise<unknown> {
    const cards = await this.front().then((front) => front.cards, () => []);
    const bundled = cards.some((card) => card.game === params.game);
    const file = bundled ? await fetch(`learn/${params.game}.json`).catch(() => null) : null;
    return file?.ok ? file.json() : this.watched("learn", params);
  }

  /** Ask the desk; one that does not come back is begun anew. */
  private async watched(method: string, params: unknown): Promise<unknown> {
    await this.near.ready;
    const desk = this.near;
    const late = setTimeout(() => {
      desk.end(LATE);
      this.near = this.begin(true);
      this.tell(false);
      void this.near.ready.then(() => this.tell(true));
    }, PATIENCE);
    return desk.ask(method, params).finally(() => clearTimeout(late));
  }

  private async keepFiles(): Promise<void> {
    this.unsaved = {};
    this.store.keepFiles(await this.near.snapshot());
    this.far.sent = this.behind.sent = "";
  }

  private remember(answer: unknown): void {
    if (typeof answer !== "object" || answer === null || !("scene" in answer && "chairs" in answer)) return;
    this.table = answer as Table;
    this.store.keepGame(again(this.table));
  }

  /** What may take seconds is done by another worker, which is brought to the same position. */
  private async long(helper: Helper, method: string, params: unknown, hears: Hears): Promise<unknown> {
    if (helper.desk?.busy) this.stop(helper);
    const table = this.table!;
    const far = this.thinker(helper);
    if (!LONG.has(method)) return this.thought(table, far, helper, method, params, hears);
    const seconds = (params as { seconds?: number | null }).seconds ?? MOST_SECONDS;
    const late = setTimeout(() => helper.desk === far && this.stop(helper, LATE), 1000 * seconds + PATIENCE);
    return this.thought(table, far, helper, method, params, hears).finally(() => clearTimeout(late));
  }

  private async thought(table: Table, far: Desk, helper: Helper, method: string, params: unknown, { progress, doing }: Hears): Promise<unknown> {
    await far.ready;
    const files = JSON.stringify({ ...this.store.files(), ...this.unsaved });
    if (files !== helper.sent) far.put(JSON.parse(files));
    helper.sent = files;
    const to = method === "curve" ? lastJudged(table) : table.at;
    await far.ask("open", again(table, to));
    if (method !== "curve") {
      const thinks = method === "think" ? (now: Doing) => ((helper.move = now.move), doing?.(now)) : doing;
      const answer = await far.ask(method, params, progress, thinks).catch((error) => this.hurried(helper, table, error));
      return method === "think" ? this.playedTable(table, answer as Table) : answer;
    }
    const line = [0, ...lineOf(table, to).map((node) => node.node)]; // there the game has no branches
    const nodesHere = (answer: unknown) => (answer as JudgedNode[]).map((node) => ({ ...node, node: line[node.node]! }));
    return nodesHere(await far.ask(method, params, (answer) => progress?.(nodesHere(answer)), doing));
  }

  private thinker(helper: Helper): Desk {
    helper.desk ??= new Desk(this.make, this.store.files());
    return helper.desk;
  }

  /** Play what the other worker has chosen, unless the page has gone on meanwhile. */
  private async playedTable(before: Table, table: Table): Promise<unknown> {
    const now = this.table;
    if (now?.source !== before.source || now.at !== before.at) return this.near.ask("table", {});
    const node = table.nodes.find((entry) => entry.text && entry.by) ?? table.nodes.at(-1)!;
    return this.near.ask("play", { text: node.text, at: before.at, by: node.by });
  }

  /** Have whoever thinks decide by what was found so far: a worker cannot be told while it works. */
  private hurry(): Record<string, never> {
    this.far.hurried = this.far.move !== "";
    return this.far.hurried ? this.stop(this.far) : {};
  }

  private hurried(helper: Helper, before: Table, error: unknown): Table {
    const { hurried, move } = helper;
    helper.hurried = false;
    helper.move = "";
    const mover = before.chairs.find((chair) => chair.colour === before.scene.mover);
    if (!hurried || !mover) throw error;
    return { ...before, nodes: [{ node: 1, parent: 0, text: move, turn: 0, mover: mover.colour, by: mover.player, shown: "" }] };
  }

  private stop(helper: Helper, why = "stopped"): Record<string, never> {
    if (helper.desk?.busy) {
      helper.desk.end(why);
      helper.desk = null;
      helper.sent = "";
      this.thinker(helper);
    }
    return {};
  }
}

interface Hears {
  progress?: (answer: unknown) => void;
  doing?: Hear;
}

/** A worker beside the board's, and the texts that it was given. */
class Helper {
  desk: Desk | null = null;
  sent = "";
  /** The decision that whoever thinks would make now, and whether it is to be played now. */
  move = "";
  hurried = false;
}

/** The decisions that led to a node of a table, to what it shows if none is given. */
export function lineOf(table: Table, to = table.at): Node[] {
  const byNumber = new Map(table.nodes.map((node) => [node.node, node]));
  const line: Node[] = [];
  for (let node = byNumber.get(to); node; node = byNumber.get(node.parent ?? 0)) line.unshift(node);
  return line;
}

/** The last position of the game, where the shown one lies on the way to it; else the shown one. */
function lastJudged(table: Table): number {
  return [0, ...lineOf(table, table.end).map((node) => node.node)].includes(table.at) ? table.end : table.at;
}

/** What puts the game of a table on a desk, as it stands or up to another node. */
export function again(table: Table, to = table.end): Params["open"] {
  return {
    game: table.source,
    options: Object.fromEntries(table.options.map((o) => [o.name, plain(o.value)])),
    moves: lineOf(table, to).map((node) => node.text).join(" "),
    players: table.chairs.map((chair) => chair.player),
  };
}

export function plain(value: number | boolean): string {
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
}
