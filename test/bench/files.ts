import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject } from "../../src/json/value.ts";
import type { ResourceFamily } from "../../src/model/names.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import type { BenchFixture } from "./fixture.ts";
import { sectionText } from "./yaml.ts";

/** Resources of a family that a team's folder holds. */
const perTeam = 200;

/** Writes the fixture below a folder, file by file; how much it was. */
export function writeFiles(fixture: BenchFixture, folder: string): { readonly files: number; readonly bytes: number } {
  const written = { files: 0, bytes: 0 };
  for (const [path, text] of filesOf(fixture)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    written.files += 1;
    written.bytes += Buffer.byteLength(text);
  }
  return written;
}

/**
 * A folder for each team, which keeps its roles and mappings in one file or in two; groups and tenants are shared.
 * One file after the other, so that a large fixture never lies in memory as text.
 */
export function* filesOf({ seed, resources }: BenchFixture): Generator<readonly [path: string, text: string]> {
  const random = randomFrom(`bench ${seed} files`);
  for (const family of ["action_groups", "tenants", "blocks"] as const) {
    const parts = partsOf(resources.get(family), 500);
    for (const [index, part] of parts.entries())
      yield [`shared/${family}-${index + 1}.yml`, text([[family, part]], random)];
  }
  const roles = partsOf(resources.get("roles"), perTeam);
  const mappings = partsOf(resources.get("role_mappings"), perTeam);
  for (const [index, part] of roles.entries()) {
    const folder = `teams/team-${String(index + 1).padStart(3, "0")}`;
    const mapped = mappings[index] ?? [];
    if (index % 3 === 0) {
      yield [
        `${folder}/access.yaml`,
        text(
          [
            ["roles", part],
            ["role_mappings", mapped],
          ],
          random,
        ),
      ];
      continue;
    }
    yield [`${folder}/roles.yml`, text([["roles", part]], random)];
    yield [`${folder}/role_mappings.yml`, text([["role_mappings", mapped]], random)];
  }
}

type Part = readonly (readonly [string, JsonObject])[];

function text(sections: readonly (readonly [ResourceFamily, Part])[], random: Random): string {
  const parts = sections.map(([family, entries]) => sectionText(family, entries, random));
  return ["# Reviewed by the platform team; questions to #search-access.\n", ...parts].join("\n");
}

function partsOf(entries: ReadonlyMap<string, JsonObject> | undefined, length: number): Part[] {
  const all = [...(entries ?? [])];
  return Array.from({ length: Math.ceil(all.length / length) }, (_, index) =>
    all.slice(index * length, (index + 1) * length),
  );
}
