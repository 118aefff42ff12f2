import { exitCodes } from "../diagnostics/failure.ts";
import type { Command } from "./commander.ts";
import type { Io } from "./io.ts";
import type { CommonFlags, RunCommand } from "./options.ts";

export function defineLsp(program: Command, run: RunCommand) {
  program
    .command("lsp")
    .description("serve an editor: problems of the files as you type, and more (Language Server Protocol)")
    .option("--stdio", "by standard input and output; there is no other way, and editors may say it")
    .addHelpText("after", examples)
    .action((_: unknown) => run((io) => lspCommand(io), textFlags));
}

const textFlags: CommonFlags = { format: "text", color: "auto" };

async function lspCommand(io: Io): Promise<number> {
  const { openConnection } = await import("./language-server/connection.ts");
  const { runLanguageServer } = await import("./language-server/server.ts");
  const isOrderly = await runLanguageServer(openConnection(io));
  return isOrderly ? exitCodes.done : exitCodes.failed;
}

const examples = `
An editor starts it. It reads the files of the folder that is open, and what the
editor has of them. It runs no program, looks up no secret and connects to
nothing.

Examples:
  $ npm install --save-dev gate-sync vscode-jsonrpc@10
  $ npx --no -- gate-sync lsp
  $ gate-sync explain editors       settings of VS Code, Neovim, Helix and Emacs
`;
