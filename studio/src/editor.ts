// The editor: CodeMirror, fed by the language service.  It stands in a shadow root, so that its
// styles need no exception in the policy.  Places are told in code points, as the service counts.

import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  autocompletion,
  closeBrackets,
  completionKeymap,
  snippet,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, RangeSet, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  drawSelection,
  gutter,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";

import { COMPLAINT_THEME, complain, complaints } from "./complaints";
import type { Checked, Completions, Edit, Item, Meaning, Where } from "./messages";

export interface Problem {
  line: number;
  column: number;
  start: number;
  end: number;
  code: string;
  severity: string;
  message: string;
  hint: string;
}

/** What the editor asks, each for the text that it holds at that moment. */
export interface Asks {
  changed(text: string): void;
  /** The cursor stands elsewhere. */
  moved(): void;
  save(): void;
  hover(text: string, offset: number): Promise<Meaning | null>;
  complete(text: string, offset: number): Promise<Completions | null>;
  define(text: string, offset: number): Promise<Where[]>;
  format(text: string): Promise<Edit[]>;
  elsewhere(place: Where): void;
  rename(text: string, offset: number): void;
}

/** What stands beside a line: how often games reached it, what was found there, whether its claim holds. */
export interface Beside {
  count: number | null;
  note: string;
  holds: boolean;
}

const setColours = StateEffect.define<DecorationSet>();
const colours = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, change) {
    for (const effect of change.effects) if (effect.is(setColours)) return effect.value;
    return marks.map(change.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});
class Mark extends GutterMarker {
  constructor(readonly beside: Beside) {
    super();
  }
  override eq(other: Mark): boolean {
    return JSON.stringify(other.beside) === JSON.stringify(this.beside);
  }
  override toDOM(): Node {
    const element = document.createElement("span");
    const { count, note, holds } = this.beside;
    element.textContent = count !== null ? count.toLocaleString("en", { notation: "compact" }) : note ? "✗" : "✓";
    element.className = note ? "noted" : holds ? "holds" : count === 0 ? "never" : "reached";
    const reached = count === null ? "" : count === 0 ? "no game reached this" : `reached ${count.toLocaleString("en")} times`;
    element.title = [reached, note, holds && !note ? "this holds" : ""].filter(Boolean).join("\n");
    return element;
  }
}
const setBeside = StateEffect.define<RangeSet<GutterMarker>>();
const besides = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(marks, change) {
    for (const effect of change.effects) if (effect.is(setBeside)) return effect.value;
    return marks.map(change.changes);
  },
});
const THEME = EditorView.theme({
  "&": { fontSize: "14px", height: "100%" },
  ".cm-gutters, .cm-tooltip, .cm-panels": { background: "var(--surface)", color: "var(--ink-2)", borderColor: "var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "var(--sunken)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { background: "var(--accent-soft)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--accent)", color: "var(--on-accent)" },
  ".cm-scroller": { fontFamily: "ui-monospace, Menlo, Consolas, monospace" },
  ".cm-tooltip": { maxWidth: "34rem", border: "1px solid var(--line-strong)", borderRadius: "6px" },
  ".meaning": { padding: "0.4rem 0.6rem", whiteSpace: "pre-wrap", font: "14px/1.4 system-ui, sans-serif" },
  ".meaning code": { font: "13px ui-monospace, Menlo, Consolas, monospace", background: "var(--sunken)" },
  ".beside": { minWidth: "0.5rem", fontSize: "12px" },
  ".beside span": { padding: "0 3px" },
  ".beside .reached": { color: "var(--ink-2)" },
  ".beside .holds": { color: "var(--good)", fontWeight: "700" },
  ".beside .never, .beside .noted": { color: "var(--bad)", fontWeight: "700" },
  ".t-keyword": { color: "var(--hint)", fontWeight: "600" },
  ".t-comment": { color: "var(--ink-2)", fontStyle: "italic" },
  ".t-string": { color: "var(--warn)" },
  ".t-number, .t-enumMember": { color: "var(--good)" },
  ".t-function, .t-method": { color: "var(--accent-ink)" },
  ".t-class, .t-type": { color: "var(--warn)" },
  ".t-parameter, .t-property": { color: "var(--accent-ink)" },
});
/**
 * Put what is typed in the place of what is chosen, before Chromium does: it would keep the look of what stood
 * there in a `style` attribute, which the policy forbids.
 */
function typedOver(event: InputEvent, view: EditorView): boolean {
  const { main, ranges } = view.state.selection;
  const text = event.data;
  if (event.inputType !== "insertText" || event.isComposing || text === null || main.empty || ranges.length > 1) return false;
  const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
  const handled = view.state.facet(EditorView.inputHandler).some((handler) => handler(view, main.from, main.to, text, insert));
  if (!handled) view.dispatch(insert());
  event.preventDefault();
  return true;
}

const KINDS: Record<string, string> = { word: "keyword", statement: "keyword", set: "variable", question: "function" };

/** The place of an editor for so many code points, and back; texts without rare letters agree. */
function toUnits(text: string, points: number): number {
  let at = 0;
  for (let n = 0; n < points && at < text.length; n++) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return at;
}

function toPoints(text: string, units: number): number {
  let n = 0;
  for (let at = 0; at < units; n++) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return n;
}

function rare(text: string): boolean {
  return /[\ud800-\udfff]/.test(text);
}

/** Markdown of the service (paragraphs, `code`, fences) as nodes; texts are never markup. */
function meaning(text: string): HTMLElement {
  const element = document.createElement("div");
  element.className = "meaning";
  const parts = text.replace(/^```\w*\n?|^---$/gm, "").replace(/\*\*/g, "").replace(/^\*([^*\n]+)\*$/gm, "$1").trim().split(/(`[^`]+`)/);
  for (const part of parts) {
    if (part.startsWith("`") && part.length > 2) {
      const code = document.createElement("code");
      code.textContent = part.slice(1, -1);
      element.append(code);
    } else element.append(part);
  }
  return element;
}

export class Editor {
  private readonly view: EditorView;
  private silent = false;

  constructor(
    parent: HTMLElement,
    private readonly asks: Asks,
  ) {
    const root = parent.attachShadow({ mode: "open" });
    this.view = new EditorView({ state: this.state("", ""), parent: root, root });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  open(text: string, path: string): void {
    this.silent = true;
    this.view.setState(this.state(text, path));
    this.silent = false;
  }

  /** How many code points stand before the cursor. */
  get offset(): number {
    return this.points(this.view.state.selection.main.head);
  }

  goto(start: number): void {
    const at = this.units(start);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  /** Show a line, by its number from 1. */
  line(number: number): void {
    const { doc } = this.view.state;
    const at = doc.line(Math.max(1, Math.min(number, doc.lines))).from;
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  /** Show what was found in *text*, unless something else stands here by now. */
  show(text: string, checked: Checked): void {
    if (text !== this.text) return;
    const problems: Problem[] = checked.diagnostics;
    const diagnostics = problems.map((problem, i): Diagnostic => ({
      from: this.units(problem.start),
      to: this.units(Math.max(problem.start, problem.end)),
      severity: problem.severity === "error" ? "error" : "warning",
      message: problem.hint ? `${problem.message}\n${problem.hint}` : problem.message,
      actions: checked.mends
        .filter((mend) => mend.problem === i)
        .map((mend) => ({ name: mend.title, apply: () => this.apply(mend.edits) })),
    }));
    const marks = new RangeSetBuilder<Decoration>();
    for (const [start, end, kind] of checked.colours) {
      if (end > start) marks.add(this.units(start), this.units(end), Decoration.mark({ class: `t-${kind}` }));
    }
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
    const notes = problems.map((problem, i) => ({
      at: this.units(problem.start),
      severity: problem.severity,
      message: problem.message,
      hint: problem.hint,
      mends: checked.mends.filter((mend) => mend.problem === i).map((mend) => ({ title: mend.title, apply: () => this.apply(mend.edits) })),
    }));
    this.view.dispatch({ effects: [setColours.of(marks.finish()), complain(this.view.state.doc, notes)] });
  }

  /** The word that the cursor is in. */
  get word(): string {
    const range = this.view.state.wordAt(this.view.state.selection.main.head);
    return range ? this.view.state.sliceDoc(range.from, range.to) : "";
  }

  /** Show what is known of lines, by their numbers from 1. */
  beside(lines: Map<number, Beside>): void {
    const { doc } = this.view.state;
    const entries = [...lines].filter(([number]) => number >= 1 && number <= doc.lines);
    entries.sort(([first], [second]) => first - second);
    const marks = entries.map(([number, beside]) => new Mark(beside).range(doc.line(number).from));
    this.view.dispatch({ effects: setBeside.of(RangeSet.of(marks)) });
  }

  apply(edits: Edit[], focus = true): void {
    const changes = edits.map((edit) => ({ from: this.units(edit.start), to: this.units(edit.end), insert: edit.text }));
    this.view.dispatch({ changes });
    if (focus) this.view.focus();
  }

  async format(): Promise<void> {
    const { text } = this;
    const edits = await this.asks.format(text);
    if (text === this.text) this.apply(edits);
  }

  close(): void {
    this.view.destroy();
  }

  private units(points: number): number {
    const { text } = this;
    return Math.min(rare(text) ? toUnits(text, points) : points, text.length);
  }

  private points(units: number): number {
    return rare(this.text) ? toPoints(this.text, units) : units;
  }

  private async meant(pos: number) {
    const hover = await this.asks.hover(this.text, this.points(pos));
    if (!hover?.text) return null;
    const create = () => ({ dom: meaning(hover.text) });
    return { pos: this.units(hover.start), end: this.units(hover.end), above: true, create };
  }

  private async completed(context: CompletionContext): Promise<CompletionResult | null> {
    const before = context.matchBefore(/[\w/]+$/);
    if (!before && !context.explicit) return null;
    const { text } = this;
    const answer = await this.asks.complete(text, this.points(context.pos));
    if (!answer || text !== this.text) return null;
    return { from: this.units(answer.start), options: answer.items.map(option), validFor: /^[\w/]*$/ };
  }

  private jump(): boolean {
    const at = this.points(this.view.state.selection.main.head);
    void this.asks.define(this.text, at).then((places) => places[0] && this.asks.elsewhere(places[0]));
    return true;
  }

  private state(text: string, path: string): EditorState {
    return EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        bracketMatching(),
        closeBrackets(),
        lintGutter(),
        besides,
        gutter({ class: "beside", markers: (view) => view.state.field(besides) }),
        colours,
        complaints,
        COMPLAINT_THEME,
        EditorView.lineWrapping,
        hoverTooltip((_, pos) => this.meant(pos), { hoverTime: 250 }),
        autocompletion({ override: [(context) => this.completed(context)] }),
        THEME,
        EditorView.domEventHandlers({ beforeinput: (event, view) => typedOver(event, view) }),
        EditorView.contentAttributes.of({ "aria-label": path, tabindex: "0" }),
        keymap.of([
          { key: "Mod-s", run: () => (this.asks.save(), true), preventDefault: true },
          { key: "F12", run: () => this.jump() },
          { key: "F2", run: () => (this.asks.rename(this.text, this.offset), true) },
          { key: "Shift-Alt-f", run: () => (void this.format(), true) },
          ...completionKeymap,
          ...defaultKeymap,
          ...historyKeymap,
          ...lintKeymap,
          indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !this.silent) this.asks.changed(this.text);
          if ((update.selectionSet || update.docChanged) && !this.silent) this.asks.moved();
        }),
      ],
    });
  }
}

function option(item: Item): Completion {
  const completion: Completion = {
    label: item.label,
    type: KINDS[item.kind] ?? item.kind,
    detail: item.detail,
    info: item.about ? () => meaning(item.about) : undefined,
    apply: item.insert,
  };
  return item.snippet ? { ...completion, apply: snippet(item.insert.replace(/\$\{\d+:([^}]*)\}/g, "#{$1}").replace(/\$\d+/g, "#{}")) } : completion;
}
