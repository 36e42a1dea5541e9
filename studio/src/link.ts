// The line to the service: requests with answers, what is known so far of long ones, and coming
// back when the service was away.  Another host (a worker) has the same face.

import { fault } from "./checked";
import { Scenes } from "./scenes";
import { type Answers, type Doing, LONGEST, type Params } from "./messages";

export interface Failure {
  message: string;
  diagnostics?: Diagnostic[];
}

export interface Diagnostic {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  code: string;
  severity: string;
  message: string;
  hint: string;
}

export class Refused extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** What went wrong, for people and with its places. */
export function failure(error: unknown): Failure {
  return error instanceof Refused ? error.failure : { message: String(error) };
}

export interface Service {
  ask<M extends keyof Params & keyof Answers>(
    method: M,
    params: Params[M],
    progress?: (answer: Answers[M]) => void,
    doing?: Hear,
  ): Promise<Answers[M]>;
  onState(tell: (connected: boolean) => void): void;
  /** A link to the game and its texts, where a page needs no server. */
  link?(): Promise<string>;
}

/** Whoever hears what is done before there is an answer. */
export type Hear = (doing: Doing) => void;

/** What a service says to a request. */
export interface Said {
  id: number;
  result?: unknown;
  progress?: unknown;
  doing?: Doing;
  error?: Failure;
}

/** A request as text; one that nobody would read is refused here, where somebody waits for an answer. */
export function requestText(id: number, method: string, params: unknown): string {
  const text = JSON.stringify({ id, method, params });
  if (text.length > LONGEST) throw new Refused({ message: `that is too long: a message has ${LONGEST.toLocaleString("en")} letters at most` });
  return text;
}

/** Whoever waits for an answer to a method. */
export interface Asked {
  method: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
  progress?: (answer: never) => void;
  doing?: Hear;
  last?: unknown;
}

export function answerOf(reply: Said): unknown {
  return reply.progress ?? reply.result;
}

/** Give what is said to whoever waits, if it is what the classes of messages say. */
export function settle(request: Asked, reply: Said, over: () => void): void {
  if (reply.doing) return void request.doing?.(reply.doing);
  const answer = answerOf(reply);
  const wrong = reply.error ? "" : fault(request.method, answer);
  if (reply.progress !== undefined && !wrong) {
    request.last = answer;
    request.progress?.(answer as never);
    return;
  }
  over();
  if (reply.error) request.reject(new Refused(reply.error));
  else if (wrong) request.reject(new Refused({ message: `the service answers what nobody understands: ${wrong}` }));
  else request.resolve(answer);
}

interface Waiting extends Asked {
  text: string;
}

/** The desk of this tab: a reload finds it again, another tab has one of its own. */
function desk(): string {
  const deskName = sessionStorage.getItem("desk");
  const name = deskName ?? [...crypto.getRandomValues(new Uint8Array(16))].join("-"); // randomUUID needs TLS
  sessionStorage.setItem("desk", name);
  return name;
}

/** The token of the address; it is kept, so that a reload without it works. */
function token(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token) {
    sessionStorage.setItem("token", token);
    history.replaceState(null, "", location.pathname);
  }
  return token ?? sessionStorage.getItem("token") ?? "";
}

/** A gate for what is asked: while it is shut, whoever wants to pass waits. */
export class Gate {
  passed!: Promise<void>;
  private release: (() => void) | null = null;

  constructor() {
    this.shut();
  }

  shut(): void {
    if (!this.release) this.passed = new Promise((resolve) => (this.release = resolve));
  }

  open(): void {
    this.release?.();
    this.release = null;
  }
}

export class SocketService implements Service {
  private socket: WebSocket | null = null;
  private number = 0;
  private readonly scenes = new Scenes();
  private waiting = new Map<number, Waiting>();
  private tell: (connected: boolean) => void = () => {};
  private readonly address: string;
  private pause = 250;

  constructor() {
    const query = new URLSearchParams({ token: token(), desk: desk() });
    this.address = `${location.origin.replace(/^http/, "ws")}/talk?${query}`;
    this.connect();
  }

  onState(tell: (connected: boolean) => void): void {
    this.tell = tell;
    if (this.socket?.readyState === WebSocket.OPEN) tell(true); // it was sooner there than the page
  }

  ask<M extends keyof Params & keyof Answers>(
    method: M,
    params: Params[M],
    progress?: (answer: Answers[M]) => void,
    doing?: Hear,
  ): Promise<Answers[M]> {
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      const text = requestText(id, method, params);
      this.waiting.set(id, {
        method,
        text,
        resolve: resolve as (result: unknown) => void,
        reject,
        progress: progress as ((answer: never) => void) | undefined,
        doing,
      });
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    });
  }

  private connect(): void {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => {
      this.pause = 250;
      for (const request of this.waiting.values()) socket.send(request.text);
      this.tell(true);
    };
    socket.onmessage = (event) => this.take(JSON.parse(String(event.data)));
    socket.onclose = () => {
      this.tell(false);
      for (const [id, request] of this.waiting) {
        // what was asked may have been done: the page shows what is so when the line is back
        this.waiting.delete(id);
        request.reject(new Refused({ message: "the studio does not answer" }));
      }
      setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(this.pause * 2, 4000);
    };
  }

  private take(data: Said): void {
    this.scenes.complete(answerOf(data));
    const request = this.waiting.get(data.id);
    if (!request) return;
    settle(request, data, () => this.waiting.delete(data.id));
  }
}
