// What differs on the server, as data.
import type { Json, JsonObject } from "../../src/json/value.ts";
import { randomFrom } from "../fixtures/index.ts";
import { type BenchFixture, liveOf, type Resources } from "./fixture.ts";
import { editEach, withFirst } from "./fixture-kinds.ts";

export interface Change {
  readonly name: string;
  readonly title: string;
  /** What the files declare, where it is not the clean content. */
  readonly declare?: (content: BenchFixture) => Resources;
  /** What the server holds, in canonical form. */
  readonly live: (content: BenchFixture) => Resources;
}

/** So many roles and mappings: updates, creations, and a few deletions. */
function ofMany(changes: number): Change {
  const title = changes === 1 ? "1 change" : `${changes} changes`.replace(/000 /, " 000 ");
  return { name: String(changes), title, live: (content) => liveOf(content, changes) };
}

export const inSync: Change = { name: "0", title: "in sync", live: (content) => liveOf(content, 0) };

const shared = "shared_readers";
const declareShared = (content: BenchFixture): Resources => withShared(content, ["indices:data/read/search*"]);

export const changes: readonly Change[] = [
  ...[1, 10, 100, 1000, 10_000].map(ofMany),
  { name: "rename", title: "rename of 1 000 roles", live: (content) => liveOf(renamed(content), 0) },
  {
    name: "group",
    title: "one group of all roles changed",
    declare: declareShared,
    live: (content) => liveOf({ ...content, resources: withShared(content, ["indices:data/read/get"]) }, 0),
  },
  {
    name: "backend-role",
    title: "one backend role in every mapping",
    declare: editEach("role_mappings", (mapping) => ({
      ...mapping,
      backend_roles: [...(mapping.backend_roles as Json[]), "all-staff"],
    })),
    live: (content) => liveOf(content, 0),
  },
  {
    name: "stars",
    title: "24 KB of patterns with several stars",
    declare: (content) => withStars(content, 0),
    live: (content) => liveOf({ ...content, resources: withStars(content, 1) }, 0),
  },
];

export const emptyServer: Change = {
  name: "first-apply",
  title: "first apply",
  live: ({ resources }) => new Map([...resources.keys()].map((family) => [family, new Map()])),
};

function withShared(content: BenchFixture, actions: readonly string[]): Resources {
  const resources = editEach("roles", (role) =>
    withFirst(role, (element) => ({ ...element, allowed_actions: [...(element.allowed_actions as Json[]), shared] })),
  )(content);
  const groups = new Map([...(resources.get("action_groups") ?? []), [shared, { allowed_actions: [...actions] }]]);
  return new Map([...resources, ["action_groups", groups]]);
}

/** As they were called before: a thousand roles with their mappings, of few a tenth. */
function renamed(content: BenchFixture): BenchFixture {
  const count = Math.min(1000, content.size / 10);
  const resources = new Map(content.resources);
  for (const family of ["roles", "role_mappings"] as const) {
    const entries = [...(resources.get(family) ?? [])];
    const before = entries.map(([name, value], at) => [at < count ? `former_${name}` : name, value] as const);
    resources.set(family, new Map(before));
  }
  return { ...content, resources };
}

/** A role with 300 patterns of 80 characters, one of which differs by the version. */
function withStars({ seed, resources }: BenchFixture, version: number): Resources {
  const random = randomFrom(`bench ${seed} stars`);
  const word = () => Array.from({ length: 25 }, () => random.pick([..."abcdefgh"])).join("");
  const patterns = Array.from({ length: 300 }, (_, at) => `*${word()}*${word()}*${at === 0 ? version : ""}${word()}*`);
  const element = {
    index_patterns: patterns,
    fls: [],
    masked_fields: [],
    allowed_actions: ["indices:data/read/search"],
  };
  const role: JsonObject = { cluster_permissions: [], index_permissions: [element], tenant_permissions: [] };
  const mapping: JsonObject = { description: "", users: ["stargazer"], backend_roles: [], hosts: [] };
  return new Map([
    ...resources,
    ["roles", new Map([...(resources.get("roles") ?? []), ["starred", role]])],
    ["role_mappings", new Map([...(resources.get("role_mappings") ?? []), ["starred", mapping]])],
  ]);
}
