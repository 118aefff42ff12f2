import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject } from "../../src/json/value.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import type { FamilyName } from "../support/strict/forms.ts";
import type { Resources } from "./fixture.ts";

/** Entries of one family in one file. */
export type Section = readonly [family: FamilyName, entries: readonly (readonly [name: string, value: JsonObject])[]];

export type Layout = (resources: Resources) => Generator<readonly [path: string, sections: readonly Section[]]>;
/** What a file holds; its path ends as the layout says. */
export type Format = (sections: readonly Section[], random: Random) => string;

export interface Written {
  readonly layout: Layout;
  readonly format: Format;
}

/** Writes the resources below a folder, one file after the other: a large fixture is never in memory as text. */
export function writeFiles(resources: Resources, folder: string, { layout, format }: Written): void {
  const random = randomFrom("bench files");
  for (const [path, sections] of layout(resources)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), format(sections, random));
  }
}

/** A folder for each team, which keeps its 200 roles and their mappings in one file or in two; all else is shared. */
export function* layOutByTeam(resources: Resources): ReturnType<Layout> {
  for (const family of ["action_groups", "tenants", "blocks"] as const) {
    for (const [at, section] of partsOf(resources, family, 500).entries())
      yield [`shared/${family}-${at + 1}.yml`, [section]];
  }
  const mappings = partsOf(resources, "role_mappings", 200);
  for (const [at, roles] of partsOf(resources, "roles", 200).entries()) {
    const folder = `teams/team-${String(at + 1).padStart(3, "0")}`;
    const mapped = mappings[at] ?? (["role_mappings", []] as const);
    if (at % 3 === 0) yield [`${folder}/access.yaml`, [roles, mapped]];
    else {
      yield [`${folder}/roles.yml`, [roles]];
      yield [`${folder}/role_mappings.yml`, [mapped]];
    }
  }
}

/** Files of four entries. */
export function* layOutInSmallFiles(resources: Resources): ReturnType<Layout> {
  for (const family of resources.keys()) {
    const sections = partsOf(resources, family, 4);
    for (const [at, section] of sections.entries()) yield [`${family}/${Math.floor(at / 100)}/${at}.yml`, [section]];
  }
}

export function* layOutInOneFile(resources: Resources): ReturnType<Layout> {
  yield ["access.yml", [...resources].map(([family, entries]) => [family, [...entries]] as const)];
}

export function layOutAsJson(layout: Layout): Layout {
  return function* (resources) {
    for (const [path, sections] of layout(resources)) yield [path.replace(/\.ya?ml$/, ".json"), sections];
  };
}

function partsOf(resources: Resources, family: FamilyName, length: number): Section[] {
  const all = [...(resources.get(family) ?? [])];
  return Array.from({ length: Math.ceil(all.length / length) }, (_, at) => [
    family,
    all.slice(at * length, (at + 1) * length),
  ]);
}
