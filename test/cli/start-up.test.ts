// What a run loads is most of what a short run costs: an import that is not waited with is found here, not by a clock.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { bin } from "../support/command.ts";

const hook = fileURLToPath(new URL("../support/loaded.cjs", import.meta.url));
const quickstart = fileURLToPath(new URL("../../examples/quickstart", import.meta.url));

it("loads nothing but itself to say its version", () => {
  check(["--version"], {
    packages: [],
    parts: [],
    others: /^\/(?!main|version|failure|clock|rolldown-runtime|loaded)/,
  });
});

it("loads no client, no writer of YAML and no witness to validate", () => {
  // commander brings child_process; crypto, for digests, takes a millisecond.
  check(["validate"], {
    packages: ["commander", "fastest-levenshtein"],
    parts: ["child_process", "crypto", "fs/promises"],
    others: /emulat|http/,
  });
});

it("says the same version where commander says it", () => {
  const reported = (...args: readonly string[]) =>
    spawnSync(process.execPath, [bin, ...args], { encoding: "utf8" }).stdout;
  const version = reported("--version");
  expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect([reported("-V"), reported("--version", "plan"), reported("--version", "--full")]).toEqual([
    version,
    version,
    version,
  ]);
});

function check(
  args: readonly string[],
  expected: { packages: readonly string[]; parts: readonly string[]; others: RegExp },
) {
  const { status, stderr } = run(args);
  const { files, parts }: { files: readonly string[]; parts: readonly string[] } = JSON.parse(stderr);
  const packages = new Set(files.flatMap((file) => /node_modules\/([^/]+)/.exec(file)?.[1] ?? []));
  expect({ status, packages: [...packages].sort(), parts: parts.filter(isDear) }).toEqual({
    status: 0,
    packages: expected.packages,
    parts: expected.parts,
  });
  expect(files.filter((file) => expected.others.test(file.slice(file.lastIndexOf("/"))))).toEqual([]);
}

function run(args: readonly string[]) {
  return spawnSync(process.execPath, ["--require", hook, bin, ...args], {
    cwd: quickstart,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** Not those that the streams of the process bring. */
function isDear(part: string): boolean {
  return /^(child_process|crypto|fs\/promises|http|https|readline|readline\/promises|tls|zlib|timers\/promises)$/.test(
    part,
  );
}
