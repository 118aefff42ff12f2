// What a shell is answered when a user presses Tab, and that the scripts for shells ask it so.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bin, type Files, gateSync, inFolder } from "../support/command.ts";

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

test("commands, flags, their values, targets of the folder and backups", async () => {
  expect(await suggest(files, "pla")).toEqual(["plan", ":4"]);
  expect(await suggest(files, "access", "can")).toEqual(["can-i", ":4"]);
  expect(await suggest(files, "plan", "--det")).toEqual(["--detailed-exitcode", ":4"]);
  expect(await suggest(files, "plan", "--format", "mark")).toEqual(["markdown", ":4"]);
  expect(await suggest(files, "plan", "--target", "")).toEqual(["dev", "prod", ":4"]);
  expect(await suggest(files, "diff-targets", "")).toEqual(["dev", "prod", ":4"]);
  expect(await suggest(files, "diff-targets", "dev", "p")).toEqual(["prod", ":4"]);
  expect(await suggest(files, "render", "--target", "")).toEqual(["dev", "prod", ":4"]);
  expect(await suggest(files, "rollback", "")).toEqual(["20261121T153138.123Z-prod", ":4"]);
  const since = ["access", "map", "--server", "--since"];
  expect(await suggest(files, ...since, "")).toEqual(["20261121T153138.123Z-prod", ":4"]);
  expect(await suggest(files, ...since, "then")).toEqual([":0"]);
  expect(await suggest(files, "access", "map", "--since", "")).toEqual([":0"]);
});

test("where nothing is known the shell completes names of files", async () => {
  expect(await suggest(files, "plan", "acc")).toEqual([":0"]);
  expect(await suggest(files, "plan", "--config", "")).toEqual([":0"]);
});

test("what cannot be read suggests nothing, and says nothing", async () => {
  expect(await suggest({ "gate-sync.yaml": "targets: [" }, "plan", "--target", "")).toEqual([":0"]);
  expect(await suggest({}, "rollback", "")).toEqual([":0"]);
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

test("bash completes by the script for it, also what follows = and :", async () => {
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
