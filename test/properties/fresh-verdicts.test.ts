// The fixtures and requests that test/conformance/suite/agreement.test.ts makes on a real server: whatever the seed, enough
// of the answers are yes, enough are no, and few are unknown. By what can-i says: no server is asked here.
import { expect, test } from "vitest";
import { createAccessModel } from "../../src/access/model/access-model.ts";
import { buildLiveAccess } from "../../src/access/model/states.ts";
import { decodeFamily } from "../../src/dialects/codec.ts";
import type { Dialect } from "../../src/dialects/dialect.ts";
import { createDialect } from "../../src/dialects/index.ts";
import type { LiveState } from "../../src/model/live.ts";
import { type Fixtures, fixturesOf } from "../conformance/suite/access/fixtures.ts";
import { meantOf } from "../conformance/suite/access/meant.ts";
import { phases, requestsOf } from "../conformance/suite/access/requests.ts";
import { randomFrom } from "../fixtures/random.ts";
import { seed, seeds } from "./seed.ts";

/** The first had 6 % of no, as a role of everybody was wide. */
const tried = [664_727_389, ...seeds(7, 1)];

test.each([
  ["opensearch", "2.19.1"],
  ["search-guard", "7.5.1-38.0.0"],
] as const)(
  `both answers are common and unknown is rare, seed ${seed}: %s %s`,
  (product, release) => {
    const dialect = createDialect(product, release);
    for (const each of tried) {
      const fixtures = fixturesOf(String(each), 48);
      const ofPhases = phases.map(({ title, config }) => countsOf(String(each), fixtures, dialect, title, config));
      const [yes = 0, no = 0, unknown = 0] = [0, 1, 2].map((at) =>
        ofPhases.reduce((sum, counts) => sum + (counts[at] ?? 0), 0),
      );
      const shares = [...ofPhases, [yes, no, unknown]].map(([y = 0, n = 0]) => ({ yes: y / (y + n), no: n / (y + n) }));
      const isBalanced = shares.every((share) => share.yes >= 0.3 && share.no >= 0.3);
      const isKnown = unknown / (yes + no + unknown) <= 0.02;
      expect({ seed: each, isBalanced, isKnown, shares, unknown }).toMatchObject({ isBalanced: true, isKnown: true });
    }
  },
  900_000,
);

function countsOf(
  own: string,
  fixtures: Fixtures,
  dialect: Dialect,
  title: string,
  config: Readonly<Record<string, boolean>>,
): readonly number[] {
  const model = createAccessModel(buildLiveAccess(stateOf(fixtures, dialect, config), dialect));
  const all = fixtures.users.flatMap((user) =>
    requestsOf(randomFrom(`${own} ${title} ${user.name}`), 5).map(
      (put) => meantOf(model, dialect.release, user, put).means,
    ),
  );
  return [true, false, undefined].map((kind) => all.filter((means) => means === kind).length);
}

/** As the server would show it, without what it came with. */
function stateOf(
  { roles, mappings, groups, tenants }: Fixtures,
  dialect: Dialect,
  config: Readonly<Record<string, boolean>>,
): LiveState {
  const shown = { roles, role_mappings: mappings, action_groups: groups, tenants } as const;
  const families = Object.entries(shown).map(([name, entries]) => {
    const family = name as keyof typeof shown;
    return [family, decodeFamily(dialect, family, Object.fromEntries(entries)) ?? new Map()] as const;
  });
  return { resources: new Map(families), paths: new Map(), config: { document: { dynamic: config } } };
}
