// Mistakes under their lines in the editor, each with the buttons that mend it.

import { RangeSetBuilder, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";

import { translate } from "./language";

/** What is wrong at a place, and what can be done about it. */
export interface Complaint {
  at: number;
  severity: string;
  message: string;
  hint: string;
  mends: { title: string; apply(): void }[];
}

class Note extends WidgetType {
  constructor(private readonly complaint: Complaint) {
    super();
  }

  override eq(other: Note): boolean {
    const key = ({ at, message, hint, mends }: Complaint) => JSON.stringify([at, message, hint, mends.map((mend) => mend.title)]);
    return key(this.complaint) === key(other.complaint);
  }

  override toDOM(): HTMLElement {
    const { severity, message, hint, mends } = this.complaint;
    const element = document.createElement("div");
    element.className = `complaint ${severity}`;
    const text = document.createElement("span");
    const lead = document.createElement("b");
    lead.textContent = translate(message);
    text.append(lead, hint ? ` ${translate(hint)}` : "");
    element.append(text);
    for (const mend of mends) {
      const button = document.createElement("button");
      button.textContent = mend.title;
      button.addEventListener("click", () => mend.apply());
      element.append(button);
    }
    return element;
  }
}

const setNotes = StateEffect.define<DecorationSet>();
/** What is drawn under the lines. */
export const complaints = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(notes, change) {
    for (const effect of change.effects) if (effect.is(setNotes)) return effect.value;
    return notes.map(change.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The first complaint about each line, under it. */
export function complain(doc: Text, all: Complaint[]): StateEffect<DecorationSet> {
  const byLine = new Map<number, Complaint>();
  for (const complaint of all) {
    const { to } = doc.lineAt(Math.min(complaint.at, doc.length));
    const before = byLine.get(to);
    if (!before || (before.severity !== "error" && complaint.severity === "error")) byLine.set(to, complaint);
  }
  const notes = new RangeSetBuilder<Decoration>();
  for (const [to, complaint] of [...byLine].sort(([a], [b]) => a - b)) {
    notes.add(to, to, Decoration.widget({ widget: new Note(complaint), block: true, side: 1 }));
  }
  return setNotes.of(notes.finish());
}

export const COMPLAINT_THEME = EditorView.theme({
  ".complaint": { display: "flex", flexWrap: "wrap", gap: "8px", alignItems: "center", padding: "6px 12px", background: "var(--warn-soft)", color: "var(--ink)", font: "13px/1.4 var(--font)", whiteSpace: "normal" },
  ".complaint.error": { background: "var(--bad-soft)" },
  ".complaint span": { flex: "1 1 12rem", minWidth: 0, overflowWrap: "anywhere" },
  ".complaint button": { font: "inherit", fontWeight: "600", minHeight: "32px", padding: "0 12px", border: 0, borderRadius: "8px", background: "var(--accent)", color: "var(--on-accent)", cursor: "pointer" },
});
