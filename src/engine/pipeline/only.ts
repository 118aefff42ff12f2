import { RunError } from "../../diagnostics/failure.ts";
import { suggestNearest } from "../../diagnostics/suggest.ts";
import { type Change, isPending } from "../../model/change.ts";
import type { DesiredState } from "../../model/desired.ts";
import type { LiveState } from "../../model/live.ts";
import {
  type Address,
  createAddress,
  isResourceFamily,
  isSingleEntryFamily,
  type ResourceFamily,
  singleEntryName,
} from "../../model/names.ts";
import type { CheckedFiles } from "./checked-files.ts";

/**
 * The entries that `--only` names: each has to be declared, or on the server in a family that is.
 *
 * @throws RunError `usage` for one that is neither: nothing would be done, and look right
 */
export function findOnly(
  named: readonly string[],
  desired: DesiredState,
  live: LiveState,
): ReadonlySet<Address> | undefined {
  if (named.length === 0) return undefined;
  const known = new Set<Address>([
    ...[...desired.resources].flatMap(([family, entries]) =>
      [...entries.keys(), ...(live.resources.get(family)?.keys() ?? [])].map((name) => createAddress(family, name)),
    ),
    ...(desired.config ? ["config"] : []),
    ...(desired.license ? ["license"] : []),
  ]);
  for (const address of named) {
    if (known.has(address)) continue;
    if (isResourceFamily(address)) throw createFamilyError(address);
    throw new RunError("usage", {
      what: `--only names ${JSON.stringify(address)}, which no file declares and the server does not have.${suggestNearest(address, [...known])}`,
      why: "Of resource types that no file declares, nothing is compared.",
      fix: "Write TYPE/NAME, as in --only roles/hr_reader; the config is config.",
    });
  }
  return new Set(named);
}

function createFamilyError(family: ResourceFamily): RunError {
  return new RunError("usage", {
    what: `--only names ${family}, which is a resource type and no entry.`,
    fix: isSingleEntryFamily(family)
      ? `Write --only ${createAddress(family, singleEntryName)}.`
      : `Write --only ${family}/NAME; --family ${family} is for all entries.`,
  });
}

/** What is not among them stays as it is, and is shown. */
export function omitOthers(change: Change, only: ReadonlySet<Address>): Change {
  if (!isPending(change) || only.has(createAddress(change.family, change.name))) return change;
  return { ...change, action: "leave", reason: "left-out" };
}

/** What is declared, not on the server and not created by this plan is not part of it: what refers to it does so in vain. */
export function omitLeftOut(files: CheckedFiles, only: ReadonlySet<Address>, live: LiveState): CheckedFiles {
  const resources = [...files.desired.resources].map(([family, entries]) => {
    const isThere = (name: string) =>
      only.has(createAddress(family, name)) || live.resources.get(family)?.has(name) === true;
    return [family, new Map([...entries].filter(([name]) => isThere(name)))] as const;
  });
  return { ...files, desired: { ...files.desired, resources: new Map(resources) } };
}
