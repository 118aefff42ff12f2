// What a shell is answered when a user presses Tab, and that the scripts for shells ask it so.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bin, type Files, gateSync, inFolder } from "../support/command.ts";
import { everyNth, isFull } from "../support/extent.ts";

const files: Files = {
  "gate-sync.yaml":
    'defaults: { state: [access] }\ntargets:\n  dev: { url: "http://127.0.0.1:1" }\n  prod: { url: "http://127.0.0.1:1" }\n  "$(touch x)": { url: "http://127.0.0.1:1" }\n',
  ".gate-sync/backups/20261121T153138.123Z-prod/manifest.json": "{}",
};

async function suggest(some: Files, ...words: readonly string[]) {
  let lines: readonly string[] = [];
  await inFolder(some, async (folder) => {
    const { code, stdout, stderr } = await gateSync(["complete", "--", ...words], { cwd: folder });
    expect([code, stderr]).toEqual([0, ""]);
    lines = stdout.trimEnd().split("\n");
  });
  return lines.map((line) => line.split("\t", 1)[0]);
}

const backup = "20261121T153138.123Z-prod";
const broken: Files = { "gate-sync.yaml": "targets: [" };
/** What follows `gate-sync`, the last word being completed; what is offered; and the folder. */
const suggestions: readonly (readonly [line: string, offered: readonly string[], some: Files])[] = [
  ["pla", ["plan"], files],
  ["access can", ["can-i"], files],
  ["plan --det", ["--detailed-exitcode"], files],
  ["plan --target ", ["dev", "prod"], files],
  ["plan --format mark", ["markdown"], files],
  ["diff-targets ", ["dev", "prod"], files],
  ["diff-targets dev p", ["prod"], files],
  ["render --target ", ["dev", "prod"], files],
  ["rollback ", [backup], files],
  ["access map --server --since ", [backup], files],
  // Where nothing is known, and where nothing can be read, the shell completes names of files.
  ["access map --server --since then", [], files],
  ["access map --since ", [], files],
  ["plan acc", [], files],
  ["plan --config ", [], files],
  ["plan --target ", [], broken],
  ["rollback ", [], {}],
];

test.each(everyNth(5, suggestions))("of “%s” the shell is offered %j", async (line, offered, some) => {
  expect(await suggest(some, ...line.split(" "))).toEqual([...offered, offered.length > 0 ? ":4" : ":0"]);
});

/** What bash makes of a line as Tab is pressed at its end, `|` between what it offers. */
function completeInBash(folder: string, line: string, words: readonly string[]): string {
  mkdirSync(join(folder, "bin"), { recursive: true });
  const command = join(folder, "bin", "gate-sync");
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  chmodSync(command, 0o755);
  const quoted = words.map((word) => `'${word}'`).join(" ");
  // Twice, as when ~/.bashrc is read again.
  const script = `source <(gate-sync complete bash); source <(gate-sync complete bash)
    COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; COMP_LINE='${line}'; COMP_POINT=${line.length}
    __gate_sync_complete gate-sync '${words.at(-1)}' ''
    IFS='|'; printf '%s\\n' "\${COMPREPLY[*]}"; complete -p gate-sync`;
  const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}` };
  const [found = "", registered] = execFileSync("bash", ["-c", script], {
    cwd: folder,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).split("\n");
  expect(registered).toBe("complete -o default -F __gate_sync_complete gate-sync");
  return found;
}

test.runIf(isFull)("bash completes by the script for it, also what follows = and :", async () => {
  const some = { "gate-sync.yaml": 'targets:\n  "a:b": {}\n  "a:c": {}\n  prod: {}\n' };
  await inFolder(some, (folder) => {
    const complete = (line: string, ...words: readonly string[]) => completeInBash(folder, line, words);
    expect(complete("gate-sync plan --target pr", "gate-sync", "plan", "--target", "pr")).toBe("prod");
    expect(complete("gate-sync plan --target ", "gate-sync", "plan", "--target", "")).toBe("a:b|a:c|prod");
    expect(complete("gate-sync plan --target a:", "gate-sync", "plan", "--target", "a", ":", "")).toBe("b|c");
    expect(complete("gate-sync plan --format=te", "gate-sync", "plan", "--format", "=", "te")).toBe("text");
    return Promise.resolve();
  });
});

test("bash evaluates nothing of a line to complete it, and writes no file that it names", async () => {
  await inFolder({ "comment.md": "precious" }, (folder) => {
    const line = "gate-sync plan $(touch made) > comment.md --det";
    const words = ["gate-sync", "plan", "$(touch made)", ">", "comment.md", "--det"];
    expect(completeInBash(folder, line, words)).toBe("--detailed-exitcode");
    expect(readFileSync(join(folder, "comment.md"), "utf8")).toBe("precious");
    expect(existsSync(join(folder, "made"))).toBe(false);
    return Promise.resolve();
  });
});
