// Worlds, as data: each is some content of N roles and N mappings, and a format of its files.
import { encodeResource } from "../../src/dialects/codec.ts";
import type { Dialect } from "../../src/dialects/dialect.ts";
import { createDialect } from "../../src/dialects/index.ts";
import type { Json, JsonObject } from "../../src/json/value.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import type { FamilyName } from "../support/strict/forms.ts";
import {
  type Format,
  type Layout,
  layOutAsJson,
  layOutByTeam,
  layOutInOneFile,
  layOutInSmallFiles,
  type Written,
} from "./files.ts";
import { type BenchFixture, benchFixture, makeFamily, type Resources } from "./fixture.ts";
import { inDocuments, inJson, inStyle, rewritten, withComments, withTabs, writeYaml } from "./formats.ts";

export interface FixtureKind {
  readonly name: string;
  readonly title: string;
  /** Made of the clean content; without it, the content is clean. */
  readonly content?: (clean: BenchFixture) => Resources;
  readonly layout?: Layout;
  readonly format?: Format;
  /** The files, and the server, are in the format of Search Guard 6; or the files are what `gate-sync export` writes. */
  readonly source?: "search-guard-6" | "export";
}

export const clean: FixtureKind = { name: "clean", title: "clean" };

export const fixtureKinds: readonly FixtureKind[] = [
  clean,
  { name: "warnings", title: "full of warnings", content: withWarnings },
  { name: "permissions", title: "20 permissions a role", content: eachRole(withManyPermissions) },
  { name: "users", title: "200 users a mapping", content: eachMapping((value) => ({ ...value, users: people(200) })) },
  { name: "one-large", title: "one mapping of 10 000 users", content: withOneLargeMapping },
  {
    name: "everybody",
    title: "everybody in every mapping",
    content: eachMapping((value) => ({ ...value, users: ["*"] })),
  },
  { name: "dls", title: "2 KB of DLS a role", content: eachRole(withLongQuery) },
  { name: "descriptions", title: "long descriptions", content: eachMapping(withLongDescription) },
  { name: "nested", title: "groups nested 30 deep", content: withNestedGroups },
  { name: "blocks", title: "5 000 blocks", content: withMore("blocks", 0.5) },
  { name: "tenants", title: "1 000 tenants", content: withMore("tenants", 0.1) },
  { name: "six", title: "6.x format", content: asInSix, source: "search-guard-6" },
  { name: "export", title: "the tool's own export", source: "export" },
  { name: "small-files", title: "files of four entries", layout: layOutInSmallFiles },
  { name: "one-file", title: "one file", layout: layOutInOneFile },
  { name: "json-in-yaml", title: "compact JSON in YAML", format: inJson() },
  { name: "json", title: "pretty .json", layout: layOutAsJson(layOutByTeam), format: inJson(2) },
  { name: "crlf", title: "CRLF", format: rewritten((text) => text.replaceAll("\n", "\r\n")) },
  { name: "bom", title: "BOM", format: rewritten((text) => `\uFEFF${text}`) },
  { name: "tabs", title: "tabs in comments", format: rewritten(withTabs) },
  { name: "comments", title: "comments everywhere", format: rewritten(withComments) },
  { name: "documents", title: "several documents", format: inDocuments },
  { name: "document-comment", title: "--- with a comment", format: rewritten((text) => `--- # shared\n${text}`) },
  { name: "anchors", title: "anchors and merge keys", format: inStyle({ anchors: true }) },
  { name: "folded", title: "folded scalars", format: inStyle({ folded: true }) },
  { name: "flow", title: "multi-line flow", format: inStyle({ flow: true }) },
];

/** Its content; the files are written by `writeFiles`. */
export function makeContent(kind: FixtureKind, seed: number, size: number): BenchFixture {
  const fixture = benchFixture({ seed, size });
  return kind.content ? { ...fixture, resources: kind.content(fixture) } : fixture;
}

export function formatOf({ layout = layOutByTeam, format = writeYaml }: FixtureKind): Written {
  return { layout, format };
}

type Edit = (value: JsonObject, name: string, random: Random, place: number) => JsonObject;

export function editEach(family: FamilyName, edit: Edit): (fixture: BenchFixture) => Resources {
  return ({ seed, resources }) => {
    const random = randomFrom(`bench ${seed} edit ${family}`);
    const entries = [...(resources.get(family) ?? [])];
    const edited = entries.map(([name, value], place) => [name, edit(value, name, random, place)] as const);
    return new Map([...resources, [family, new Map(edited)]]);
  };
}

function eachRole(edit: Edit) {
  return editEach("roles", edit);
}

function eachMapping(edit: Edit) {
  return editEach("role_mappings", edit);
}

/** Edits the first element of a role's index permissions. */
export function withFirst(role: JsonObject, edit: (element: JsonObject) => JsonObject): JsonObject {
  const [first = {}, ...others] = role.index_permissions as JsonObject[];
  return { ...role, index_permissions: [edit(first), ...others] };
}

/** Four unknown groups a role, and in four of five a write that has no permission of bulk requests. */
function withWarnings(fixture: BenchFixture): Resources {
  return eachRole((role, _name, random, place) => {
    const unknown = Array.from({ length: 4 }, (_, at) => `unknown_${random.below(1000)}_${at}`);
    const write = place % 5 === 0 ? [] : ["indices:data/write/index"];
    const cluster = (role.cluster_permissions as Json[]).filter((action) => !`${action}`.includes("write"));
    return withFirst({ ...role, cluster_permissions: cluster }, (element) => ({
      ...element,
      allowed_actions: [...(element.allowed_actions as Json[]), ...unknown, ...write],
    }));
  })(fixture);
}

function withManyPermissions(role: JsonObject, name: string): JsonObject {
  const elements = role.index_permissions as JsonObject[];
  const more = Array.from({ length: 20 - elements.length }, (_, at) => ({
    ...elements[at % elements.length],
    index_patterns: [`${name}-more-${at}-*`],
  }));
  return { ...role, index_permissions: [...elements, ...more] };
}

function people(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `person.${at}@example.com`);
}

function withOneLargeMapping({ resources }: BenchFixture): Resources {
  const mappings = [...(resources.get("role_mappings") ?? [])];
  const large = mappings.map(
    ([name, value], place) => [name, place > 0 ? value : { ...value, users: people(10_000) }] as const,
  );
  return new Map([...resources, ["role_mappings", new Map(large)]]);
}

function withLongQuery(role: JsonObject, _name: string, random: Random): JsonObject {
  const departments = Array.from({ length: 130 }, () => `department-${random.below(1000)}`);
  const dls = JSON.stringify({ terms: { department: departments } });
  return withFirst(role, (element) => ({ ...element, dls }));
}

function withLongDescription(value: JsonObject, _name: string, random: Random): JsonObject {
  const words = Array.from({ length: 120 }, () =>
    random.pick(["granted", "to", "the", "team", "for", "its", "reports"]),
  );
  return { ...value, description: words.join(" ") };
}

/** Every role has the outermost of 30. */
function withNestedGroups(fixture: BenchFixture): Resources {
  const nested = Array.from({ length: 30 }, (_, at): [string, JsonObject] => [
    `nested_${at}`,
    { allowed_actions: at === 0 ? ["indices:data/read/get"] : [`nested_${at - 1}`] },
  ]);
  const resources = eachRole((role) =>
    withFirst(role, (element) => ({
      ...element,
      allowed_actions: [...(element.allowed_actions as Json[]), "nested_29"],
    })),
  )(fixture);
  return new Map([...resources, ["action_groups", new Map([...(resources.get("action_groups") ?? []), ...nested])]]);
}

/** @param share of N */
function withMore(family: FamilyName, share: number): (fixture: BenchFixture) => Resources {
  return ({ seed, size, resources }) => {
    const made = makeFamily(family, Math.floor(size * share), randomFrom(`bench ${seed} ${family}`), resources);
    return new Map([...resources, [family, new Map([...(resources.get(family) ?? []), ...made])]]);
  };
}

/** Of canonical resources what a Search Guard 6 shows, and takes. */
export function encodeForSix(resources: Resources): Resources {
  const families = [...resources].filter(([family]) => six.collections[family] !== undefined);
  return new Map(
    families.map(([family, entries]) => {
      const encoded = [...entries].map(
        ([name, value]) => [name, encodeResource(six, family, value) as JsonObject] as const,
      );
      return [family, new Map(encoded)];
    }),
  );
}

export const six: Dialect = createDialect("search-guard", "6");

/** What Search Guard 6 can hold: in a role each pattern once, with what restricts it, and without a dot; no descriptions. */
function asInSix(fixture: BenchFixture): Resources {
  const resources = eachRole(({ tenant_permissions, ...role }) => {
    const seen = new Set<Json>();
    const elements = (role.index_permissions as JsonObject[]).map((element) => {
      const undotted = (element.index_patterns as Json[]).map((pattern) => `${pattern}`.replaceAll(".", "_"));
      const patterns = [...new Set(undotted)].filter((pattern) => !seen.has(pattern));
      for (const pattern of patterns) seen.add(pattern);
      return { ...element, index_patterns: patterns, masked_fields: [] };
    });
    const kept = elements.filter(({ index_patterns: patterns }) => patterns.length > 0);
    return { ...role, index_permissions: kept };
  })(fixture);
  return eachMapping(({ description, ...mapping }) => mapping)({ ...fixture, resources });
}
