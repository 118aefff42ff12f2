import { fillSettings } from "../families/fill.ts";
import { factsOf } from "../families/index.ts";
import { findEdits } from "../json/patch.ts";
import { type Fields, isEqual } from "../json/value.ts";
import type { DesiredResource, DesiredState } from "../model/desired.ts";
import { type Family, isResourceFamily, resourceFamilies } from "../model/names.ts";
import type { ComparedEntry } from "../model/target-difference.ts";

type Declared = Pick<DesiredResource, "name" | "value" | "origin">;

/** What differs between two desired states; nothing of either is kept, as it is of a server. */
export function compareDesired(from: DesiredState, to: DesiredState): readonly ComparedEntry[] {
  return [
    ...resourceFamilies.flatMap((family) =>
      compareEntries(family, listResources(from, family), listResources(to, family)),
    ),
    ...compareEntries("config", listConfig(from), listConfig(to)),
    ...compareEntries("license", listLicense(from), listLicense(to)),
  ];
}

function listResources({ resources }: DesiredState, family: (typeof resourceFamilies)[number]): readonly Declared[] {
  const entries = [...(resources.get(family)?.values() ?? [])];
  return entries.map(({ name, origin, value, serverOwned }) => ({
    name,
    origin,
    value: serverOwned ? { ...value, reserved: true } : value,
  }));
}

function listConfig({ config }: DesiredState): readonly Declared[] {
  return config ? [{ name: "config", value: config.value, origin: config.origin }] : [];
}

function listLicense({ license }: DesiredState): readonly Declared[] {
  if (!license) return [];
  const { text, writeAlways, origin } = license;
  return [{ name: "license", value: { text, ...(writeAlways && { write: "always" }) }, origin }];
}

function compareEntries(family: Family, from: readonly Declared[], to: readonly Declared[]): readonly ComparedEntry[] {
  const [before, after] = [from, to].map((entries) => new Map(entries.map((entry) => [entry.name, entry])));
  const names = [...new Set([...from, ...to].map(({ name }) => name))].sort();
  return names.flatMap((name) => compareEntry(family, name, before?.get(name), after?.get(name)) ?? []);
}

function compareEntry(
  family: Family,
  name: string,
  from: Declared | undefined,
  to: Declared | undefined,
): ComparedEntry | undefined {
  const before = from && completeBy(family, from, to);
  const after = to && completeBy(family, to, from);
  if (before && after && isEqual(before, after)) return undefined;
  const empty: Fields = {};
  return {
    change: {
      family,
      name,
      action: from === undefined ? "create" : to === undefined ? "delete" : "update",
      reason: to === undefined ? "not-declared" : "declared",
      edits: findEdits(before ?? empty, after ?? empty),
      ...(before && { before }),
      ...(to && after && { after, origin: to.origin }),
    },
    ...(from && { fromOrigin: from.origin }),
  };
}

/** What servers take for a setting that one side leaves out and the other states. */
function completeBy(family: Family, { value }: Declared, other: Declared | undefined): Fields {
  return other && isResourceFamily(family) ? fillSettings(value, other.value, factsOf[family].fields) : value;
}
