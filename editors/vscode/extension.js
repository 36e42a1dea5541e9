// Starts `rulewright lsp` for the texts of rulewright, and runs `play` and `test` in a terminal.
const { commands, window, workspace, Uri } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

const LANGUAGES = ["rules", "evaluator", "personality", "patterns", "cases"];
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

async function activate(context) {
  const server = { command: command(), args: ["lsp"], transport: TransportKind.stdio };
  client = new LanguageClient("rulewright", "rulewright", server, {
    documentSelector: LANGUAGES.flatMap((language) => [
      { scheme: "file", language }, { scheme: "untitled", language },
    ]),
    synchronize: {
      fileEvents: workspace.createFileSystemWatcher("**/*.{rules,eval,personality,patterns,cases}"),
    },
  });
  context.subscriptions.push(
    commands.registerCommand("rulewright.play", inTerminal("play")),
    commands.registerCommand("rulewright.test", inTerminal("test")),
  );
  await client.start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
