// Starts `rulewright lsp` for the texts of rulewright, and runs `play` and `test` in a terminal.
const { commands, window, workspace, Range, Uri } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

const LANGUAGES = ["rules", "evaluator", "personality", "patterns", "look", "cases"];
let client;

function command() {
  return workspace.getConfiguration("rulewright").get("command") || "rulewright";
}

function inTerminal(word) {
  return (uri) => {
    const file = uri ? Uri.parse(uri) : window.activeTextEditor?.document.uri;
    if (!file || file.scheme !== "file") return;
    const terminal = window.createTerminal({
      name: `rulewright ${word}`, shellPath: command(), shellArgs: [word, file.fsPath],
    });
    terminal.show();
  };
}

// What `cover` and `mutate` say of lines: a bar in the gutter, and how often a line was reached.
const GUTTER = "rulewright/gutter";

function bar(colour) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect x="6" width="4" height="16" fill="${colour}"/></svg>`;
  return window.createTextEditorDecorationType({
    gutterIconPath: Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`),
  });
}

const bars = { used: bar("#388a34"), told: bar("#d8a000"), unused: bar("#c72e0f") };

function draw({ uri, lines }) {
  for (const editor of window.visibleTextEditors) {
    if (editor.document.uri.toString() !== Uri.parse(uri).toString()) continue;
    const kind = ({ count, told }) => (told ? (count ? "told" : "unused") : "used");
    for (const [name, type] of Object.entries(bars)) {
      editor.setDecorations(type, lines.filter((one) => kind(one) === name).map((one) => ({
        range: new Range(one.line, 0, one.line, 0),
        hoverMessage: [one.count !== null ? `${one.count} times` : "", one.told].filter(Boolean).join("; "),
      })));
    }
  }
}

const drawing = {
  fillClientCapabilities(able) { able.experimental = { ...able.experimental, [GUTTER]: true }; },
  initialize() {}, getState() { return { kind: "static" }; }, clear() {}, dispose() {},
};

async function activate(context) {
  const server = { command: command(), args: ["lsp"], transport: TransportKind.stdio };
  client = new LanguageClient("rulewright", "rulewright", server, {
    documentSelector: LANGUAGES.flatMap((language) => [
      { scheme: "file", language }, { scheme: "untitled", language },
    ]),
    synchronize: {
      fileEvents: workspace.createFileSystemWatcher("**/*.{rules,eval,personality,patterns,look,cases}"),
    },
  });
  context.subscriptions.push(
    commands.registerCommand("rulewright.app.play", inTerminal("play")),
    commands.registerCommand("rulewright.test", inTerminal("test")),
  );
  client.registerFeature(drawing);
  await client.start();
  context.subscriptions.push(client.onNotification(GUTTER, draw));
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
