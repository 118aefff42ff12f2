import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { loadFile } from "./file.ts";
import { findFamiliesByName } from "./file-names.ts";
import { readSource } from "./read.ts";

/**
 * Refuses a file that was named for `apply`, is no saved plan, and may have been meant as one: taken for state files that
 * declare nothing, it would end as if the plan had been applied.
 *
 * @throws RunError `usage`
 */
export async function refuseUnlessState(cwd: string, path: string): Promise<void> {
  const absolute = resolve(cwd, path);
  const stats = await stat(absolute).catch(() => undefined);
  const isNamedPlan = /plan/i.test(basename(path)) && findFamiliesByName(path).length === 0;
  if (stats?.isDirectory()) return;
  const isYaml = /\.ya?ml$/i.test(path);
  if (!stats) {
    if (isNamedPlan && !isYaml) throw noPlan(path, "It does not exist.");
    return;
  }
  if (!stats.isFile()) throw noPlan(path, "It is no regular file.");
  if (isYaml) return;
  if (isNamedPlan) throw noPlan(path, stats.size === 0 ? "It is empty." : "gate-sync plan --out did not write it.");
  const { file } = await readSource({ absolute, path });
  // What cannot be read as text is reported with the other files.
  if (!file) return;
  const { documents } = loadFile(file, absolute, { vars: {}, env: {}, secrets: "leave" }, () => "");
  const declares = documents.some(
    ({ sections, waivers, personas, accessTests }) => sections.length > 0 || waivers || personas || accessTests,
  );
  if (!declares) throw noPlan(path, "It holds no state either.");
}

function noPlan(path: string, why: string): RunError {
  return new RunError("usage", {
    what: `${path} is not a saved plan.`,
    why: `${why} Nothing was sent.`,
    fix: "Name the file that gate-sync plan --out wrote. A state file in JSON needs another name, such as roles.json.",
  });
}
