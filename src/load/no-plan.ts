import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { loadFile } from "./file.ts";
import { findFamiliesByName } from "./file-names.ts";
import { unreadFiles } from "./named-files.ts";
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
  const isNamedForFamily = findFamiliesByName(path).length > 0;
  const isNamedPlan = /plan/i.test(basename(path)) && !isNamedForFamily;
  if (stats?.isDirectory()) return;
  const isYaml = /\.ya?ml$/i.test(path);
  if (!stats) {
    if (isNamedPlan && !isYaml) throw noPlan(path, "It does not exist.");
    return;
  }
  if (!stats.isFile()) throw noPlan(path, "It is no regular file.");
  if (stats.size === 0 && !isNamedForFamily) throw noPlan(path, "It is empty.");
  if (isYaml && !isNamedPlan) return;
  if (isNamedPlan && !isYaml) throw noPlan(path, "gate-sync plan --out did not write it.");
  const { file } = await readSource({ absolute, path });
  // What cannot be read as text is reported with the other files.
  if (!file) return;
  const lookups = { vars: new Map(), env: {}, secrets: "leave", files: unreadFiles } as const;
  const { documents, diagnostics } = loadFile(file, absolute, lookups);
  const declares = documents.some(
    ({ sections, waivers, personas, accessTests }) => sections.length > 0 || waivers || personas || accessTests,
  );
  // A mistake in YAML is reported with those of the other files.
  if (!declares && !(isYaml && diagnostics.length > 0)) throw noPlan(path, "It holds no state either.");
}

function noPlan(path: string, why: string): RunError {
  return new RunError("usage", {
    what: `${path} is not a saved plan.`,
    why: `${why} Nothing was sent.`,
    fix: "Name the file that gate-sync plan --out wrote. A state file in JSON needs another name, such as roles.json.",
  });
}
