// What a job that applies sends, where gate-sync itself is a stand-in, and what became of the files of its checkout.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { refuseOtherChange } from "../../src/artifacts/saved-plan/made-for.ts";
import type { MadeFor } from "../../src/model/plan-file.ts";
import { openPlatform, type Platform, writePrograms } from "./jobs.ts";

/** A plan in an artefact: `id` says which one it is. */
export interface KeptPlan {
  readonly id: number;
  readonly madeFor: MadeFor;
}

/** The files that matter where a job runs; `gate-sync-plan.json` may be a link to one of them, or a folder. */
const committed: Readonly<Record<string, string>> = { "gate-sync.yaml": "targets: {}", ".npmrc": "", "cli.cjs": "" };

export function openCheckout(folder: string, placed?: "link" | "folder") {
  const platform = openPlatform(mkdtempSync(join(folder, "ci-")), "");
  const cwd = mkdtempSync(join(folder, "checkout-"));
  for (const [name, text] of Object.entries(committed)) writeFileSync(join(cwd, name), text);
  const path = join(cwd, "gate-sync-plan.json");
  if (placed === "link") symlinkSync("cli.cjs", path);
  if (placed === "folder") mkdirSync(join(path, "gate-sync-plan.json"), { recursive: true });
  const npx = '[ "$4" = apply ] || exit 0\nprintf "%s\\n" "$@" >"$HOME/words"\ncp "$5" "$HOME/sent"\n';
  writePrograms(join(platform.folder, "programs"), { npx });
  return { platform, cwd };
}

/** The plan that gate-sync got and did not refuse, as it compares what a plan was made for. */
export function findApplied({ folder }: Platform): KeptPlan | undefined {
  if (!existsSync(join(folder, "sent"))) return undefined;
  const words = readFileSync(join(folder, "words"), "utf8").split("\n");
  const pairs = words.flatMap((word, at) => (word === "--made-for" ? [(words[at + 1] ?? "").split("=")] : []));
  const plan = JSON.parse(readFileSync(join(folder, "sent"), "utf8"));
  try {
    refuseOtherChange("plan", plan.madeFor, Object.fromEntries(pairs));
  } catch {
    return undefined;
  }
  return plan;
}

/** What is not as it was committed, but for the plan, a file of its own. */
export function listChangedFiles(cwd: string): readonly string[] {
  const names = readdirSync(cwd).filter((name) => name !== "node_modules");
  return names.filter((name) => {
    const path = join(cwd, name);
    if (name === "gate-sync-plan.json") return false;
    return !lstatSync(path).isFile() || readFileSync(path, "utf8") !== committed[name];
  });
}

export const shapes = ["file", "file beside others", "link", "folder", "pipe", "nothing"] as const;
export type Shape = (typeof shapes)[number];

/** Unpacks an artefact: the plan is one regular file in the first two only. */
export function writeArtefact(into: string, plan: KeptPlan, shape: Shape): void {
  const path = join(into, "gate-sync-plan.json");
  const text = JSON.stringify(plan);
  mkdirSync(into, { recursive: true });
  if (shape.startsWith("file")) writeFileSync(path, text);
  if (shape === "folder") mkdirSync(path);
  if (shape === "pipe") execFileSync("mkfifo", [path]);
  if (shape === "link") symlinkSync("elsewhere", path);
  if (shape === "file") return;
  for (const name of ["elsewhere", "gate-sync.yaml", ".npmrc", "cli.cjs"]) writeFileSync(join(into, name), text);
}
