// In whatever format a team's files are, what they are about is found: a share without one of it is too small.
import { expect, test } from "vitest";
import { includes } from "../../src/access/patterns/includes.ts";
import { createDialect } from "../../src/dialects/index.ts";
import { matchesName } from "../../src/families/scope.ts";
import { listTexts, type Value } from "../../src/json/value.ts";
import type { TeamShare } from "../../src/model/share.ts";
import { normalise } from "../../src/normalise/desired.ts";
import { validateShares } from "../../src/validate/shares.ts";
import { generateFixture, layOut, randomFrom } from "../fixtures/index.ts";
import { repositoryOf } from "../support/nodes.ts";
import { families as strictFamilies } from "../support/strict/forms.ts";
import { seeds } from "./seed.ts";

const patternFields = ["index_patterns", "alias_patterns", "data_stream_patterns"];

test.each(seeds(400, 60))("seed %i", (seed) => {
  const random = randomFrom(`owners ${seed}`);
  const release = random.pick(["6.x-25", "7.x-43.0.0"] as const);
  const families = strictFamilies.filter((family) => family !== "blocks");
  const fixture = generateFixture({ seed, size: 5, release, families, nastyNames: 0.2 });
  const files = [...layOut(fixture)].map(([path, text]) => [`team/${path}`, text]);
  const repository = repositoryOf(Object.fromEntries(files));
  const dialect = createDialect("gate", release);
  const { desired: declared } = normalise(repository, dialect, {});
  const roles = [...(declared.resources.get("roles")?.values() ?? [])].map(({ value }) => value);
  const names = [...declared.resources.values()].flatMap((entries) => [...entries.keys()]);
  const patterns = listUnder(roles, patternFields);
  const tenants = listUnder(roles, ["tenant_patterns"]);
  const whole = { names: [...names, ...tenants], indexPatterns: patterns };
  const found = (share: Pick<TeamShare, "names" | "indexPatterns">) => {
    const place = { file: { path: "gate-sync.yaml", text: "" }, start: 0, end: 0 };
    const full = { team: "t", clusterPermissions: ["*"], actionGroups: [], place, ...share };
    const what = validateShares(repository, { declared, tests: [], policies: {} }, dialect, () => full).map(
      (one) => one.what,
    );
    return {
      names: what.some((one) => one.startsWith("This declares the ")),
      patterns: what.some((one) => one.startsWith("This role is about ") && !one.includes("the tenants ")),
    };
  };
  expect(found(whole)).toEqual({ names: false, patterns: false });
  const [name, pattern] = [random.pick(names), patterns.length > 0 ? random.pick(patterns) : undefined];
  const fewer = whole.names.filter((one) => one !== name);
  expect(found({ ...whole, names: fewer }).names).toBe(!fewer.some((one) => matchesName(one, name)));
  const some = patterns.filter((one) => one !== pattern);
  const isLeft = patterns.some((one) => includes(some, one) !== "yes");
  expect(found({ ...whole, indexPatterns: some }).patterns).toBe(isLeft);
});

/** All strings of lists in these fields. */
function listUnder(value: Value, fields: readonly string[]): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return [...new Set(value.flatMap((one: Value) => listUnder(one, fields)))];
  const below = Object.entries(value).flatMap(([key, one]) =>
    fields.includes(key) ? listTexts(one as Value) : listUnder(one as Value, fields),
  );
  return [...new Set(below)];
}
