// What a shell is answered when a user presses Tab, and that the scripts for shells ask it so.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bin, type Files, gateSync, inFolder } from "../support/command.ts";

const files: Files = {
  "gate-sync.yaml":
    'state: [access]\ntargets:\n  dev: { url: "http://127.0.0.1:1" }\n  prod: { url: "http://127.0.0.1:1" }\n  "$(touch x)": { url: "http://127.0.0.1:1" }\n',
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
  expect(await suggest(files, "rollback", "")).toEqual(["20261121T153138.123Z-prod", ":4"]);
});

test("where nothing is known the shell completes names of files", async () => {
  expect(await suggest(files, "plan", "acc")).toEqual([":0"]);
  expect(await suggest(files, "plan", "--config", "")).toEqual([":0"]);
});

test("what cannot be read suggests nothing, and says nothing", async () => {
  expect(await suggest({ "gate-sync.yaml": "targets: [" }, "plan", "--target", "")).toEqual([":0"]);
  expect(await suggest({}, "rollback", "")).toEqual([":0"]);
});

test("bash completes a target by the script for it", async () => {
  await inFolder(files, (folder) => {
    mkdirSync(join(folder, "bin"));
    const command = join(folder, "bin", "gate-sync");
    writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
    chmodSync(command, 0o755);
    // In the place of what the package bash-completion has.
    const words = `_get_comp_words_by_ref() {
        words=("\${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur=\${words[cword]}; prev=\${words[cword-1]}
      }`;
    const script = `${words}
      source <(gate-sync complete bash)
      COMP_WORDS=(gate-sync plan --target pr); COMP_CWORD=3; COMP_LINE="gate-sync plan --target pr"; COMP_POINT=26
      __gate_sync_complete; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p gate-sync`;
    const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}` };
    expect(execFileSync("bash", ["-c", script], { cwd: folder, env, encoding: "utf8" }).trim().split("\n")).toEqual([
      "prod",
      "complete -o default -F __gate_sync_complete gate-sync",
    ]);
    return Promise.resolve();
  });
});
