import { findEdits } from "../json/patch.ts";
import { type Fields, isEqual } from "../json/value.ts";
import type { DesiredResource, DesiredState } from "../model/desired.ts";
import { type Family, resourceFamilies } from "../model/names.ts";
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
  if (from && to && isEqual(from.value, to.value)) return undefined;
  const empty: Fields = {};
  return {
    change: {
      family,
      name,
      action: from === undefined ? "create" : to === undefined ? "delete" : "update",
      reason: to === undefined ? "not-declared" : "declared",
      edits: findEdits(from?.value ?? empty, to?.value ?? empty),
      ...(from && { before: from.value }),
      ...(to && { after: to.value, origin: to.origin }),
    },
    ...(from && { fromOrigin: from.origin }),
  };
}
