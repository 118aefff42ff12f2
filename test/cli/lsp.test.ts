// `gate-sync lsp` as an editor runs it: the built program in a process, over its standard input and output.
import { spawn } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { bin, inFolder, start } from "../support/command.ts";
import { connectEditor } from "../support/editor.ts";
import { isFull } from "../support/extent.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const config = "targets: { prod: { product: opensearch, state: [roles.yml] } }\n";

describe.runIf(isFull)("the language server in a process", () => {
  test("shows problems, and ends when the editor says so", async () => {
    await inFolder({ "gate-sync.yaml": config, "roles.yml": "roles: {}\n" }, async (folder) => {
      const child = spawn(process.execPath, [bin, "lsp", "--stdio"], { cwd: "/", stdio: ["pipe", "pipe", "inherit"] });
      const ended = new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? -1)));
      const editor = await connectEditor({ fromServer: child.stdout, toServer: child.stdin, ended }, folder);
      const path = join(folder, "roles.yml");
      editor.open(path, "roles: { r: { x: 1 } }\n");
      expect(await editor.problems(path)).toMatchObject([{ code: "unknown-field" }]);
      expect(await editor.quit()).toBe(0);
    });
  });

  test("is named with what installs its library, where that is not installed", async () => {
    await inFolder({}, async (folder) => {
      const own = join(folder, "node_modules/gate-sync");
      mkdirSync(own, { recursive: true });
      for (const name of ["dist", "schemas"]) cpSync(join(root, name), join(own, name), { recursive: true });
      mkdirSync(join(own, "examples"));
      copyFileSync(join(root, "package.json"), join(own, "package.json"));
      const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
      for (const name of Object.keys(dependencies)) {
        mkdirSync(join(folder, "node_modules", dirname(name)), { recursive: true });
        symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
      }
      const run = await start(process.execPath, [join(own, "dist/main.cjs"), "lsp"], { cwd: folder }).ended;
      expect(run.stderr).toContain("npm install --save-dev vscode-jsonrpc@10");
      expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 64, stdout: "" });
    });
  });
});
