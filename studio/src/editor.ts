// The editor: CodeMirror in a shadow root, so that its styles need no exception in the policy.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export interface Problem {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  code: string;
  severity: string;
  message: string;
  hint: string;
}

/** Comments, texts, numbers, and the word that begins a statement. */
const LANGUAGE = StreamLanguage.define({
  startState: () => ({}),
  token(stream) {
    if (stream.sol() && stream.match(/^\s*(?=[a-z])/)) {
      if (stream.match(/^[A-Za-z_]\w*/)) return "keyword";
    }
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^\d+(\.\d+)?%?/)) return "number";
    if (stream.match(/^[A-Za-z_]\w*/)) return null;
    stream.next();
    return null;
  },
});
const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: "#7a3e9d", fontWeight: "bold" },
  { tag: tags.comment, color: "#5d6b5d", fontStyle: "italic" },
  { tag: tags.string, color: "#9c4a00" },
  { tag: tags.number, color: "#1a6b3c" },
]);
const THEME = EditorView.theme({
  "&": { fontSize: "14px", height: "100%" },
  ".cm-scroller": { fontFamily: "ui-monospace, Menlo, Consolas, monospace" },
});

export class Editor {
  private readonly view: EditorView;
  private silent = false;

  constructor(
    parent: HTMLElement,
    private readonly changed: (text: string) => void,
    private readonly save: () => void,
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

  goto(line: number, column: number): void {
    const at = this.place(line, column);
    this.view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    this.view.focus();
  }

  show(problems: Problem[]): void {
    const found = problems.map((one): Diagnostic => {
      const from = this.place(one.line, one.column);
      return {
        from,
        to: Math.max(from, this.place(one.end_line, one.end_column)),
        severity: one.severity === "error" ? "error" : "warning",
        message: one.hint ? `${one.message}\n${one.hint}` : one.message,
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }

  close(): void {
    this.view.destroy();
  }

  private place(line: number, column: number): number {
    const { doc } = this.view.state;
    const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
    return Math.min(found.from + column - 1, found.to);
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
        lintGutter(),
        LANGUAGE,
        syntaxHighlighting(COLOURS),
        THEME,
        EditorView.contentAttributes.of({ "aria-label": path }),
        keymap.of([
          { key: "Mod-s", run: () => (this.save(), true), preventDefault: true },
          ...defaultKeymap,
          ...historyKeymap,
          ...lintKeymap,
          indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !this.silent) this.changed(this.text);
        }),
      ],
    });
  }
}
