// What convert says of access is what the emulators of the two products answer: there, as files of the other product, and back again.
import { expect, test } from "vitest";
import { renderAccessJson } from "../../src/access/compare/to-json.ts";
import { findRequestKind } from "../../src/access/evaluate/asked-request.ts";
import { getActionLevel } from "../../src/dialects/requests.ts";
import { type InitialState, startEmulator } from "../../src/emulator/index.ts";
import { withBuiltins } from "../conformance/suite/access/built-in.ts";
import { findContradictions, findRepeated } from "../conformance/suite/access/compare-effects.ts";
import { declareFixture, declareSix } from "../conformance/suite/access/converted.ts";
import { fixtureOf, indices, type User } from "../conformance/suite/access/fixtures.ts";
import { differencesAbout, isOpen, ofPersona, type ReportedAccess } from "../conformance/suite/access/reported.ts";
import { clusterKinds, indexKinds } from "../conformance/suite/access/requests.ts";
import { randomFrom } from "../fixtures/random.ts";
import { convertText, type ProductRelease } from "../support/converted.ts";
import { countOf } from "../support/extent.ts";
import { seeds } from "./seed.ts";

const [six, seven, open] = ["search-guard 6", "search-guard 7.x-38", "opensearch 2.19"] as const;
const asksEach = countOf(30, 12);
/** What built-in groups of OpenSearch grant besides, and no kind of request is about. */
const actionsOfNone = ["indices:admin/resolve/index", "indices:admin/index_template/get"];
const counts = { asked: 0, differing: 0, open: 0, unknown: 0 };

/** The first two show no differences. */
const tried = seeds(30, 4).slice(2);

test.each(tried)("there and back, seed %i", async (seed) => {
  const random = randomFrom(`convert ${seed}`);
  const fixture = withBuiltins(random, fixtureOf(random, seed % 12));
  const isExact = seed % 2 === 0;
  const { personas, ...state } = declareFixture(fixture);
  const there = await convertText(JSON.stringify({ ...state, personas }), seven, "opensearch-2.19", isExact);
  const { personas: _, ...converted } = there.state;
  expect(await compare([seven, state], [open, converted], there.conversion, fixture.users, seed)).toEqual([]);
  const back = await convertText(JSON.stringify(there.state), open, "search-guard-7.x-38", isExact);
  const { personas: __, ...returned } = back.state;
  expect(await compare([open, converted], [seven, returned], back.conversion, fixture.users, seed)).toEqual([]);
});

test.each(tried)("from Search Guard 6 to 7, seed %i", async (seed) => {
  const random = randomFrom(`convert 6 ${seed}`);
  const fixture = fixtureOf(random, seed % 12);
  const { personas } = declareFixture(fixture);
  const state = declareSix(random, fixture);
  const { state: found, conversion } = await convertText(
    JSON.stringify({ ...state, personas }),
    six,
    "search-guard-7.x-38",
  );
  const { personas: _, ...converted } = found;
  expect(await compare([six, state], [seven, converted], conversion, fixture.users, seed)).toEqual([]);
});

test("differences are there to be seen, and few are unknown", () => {
  expect(counts.asked).toBeGreaterThan(100);
  expect(counts.differing).toBeGreaterThan(0);
  expect((counts.open + counts.unknown) / counts.asked).toBeLessThan(0.3);
});

/** Without what a product asks for on all indices, which is not in what is converted. */
const comparedKinds = indexKinds.filter((kind) => !kind.startsWith("indices:admin/"));

function readAction(action: string) {
  const isOfCluster = getActionLevel(action) === "cluster";
  return { cluster: isOfCluster ? [action] : [], index: isOfCluster ? [] : [action] };
}

type Families = Readonly<Record<string, unknown>>;
type Side = readonly [ProductRelease, Families];

async function compare(
  from: Side,
  to: Side,
  { access }: Awaited<ReturnType<typeof convertText>>["conversion"],
  users: readonly User[],
  seed: number,
): Promise<readonly string[]> {
  const reported = renderAccessJson(access) as unknown as ReportedAccess;
  const servers = await Promise.all([from, to].map(serve));
  const random = randomFrom(`ask ${seed}`);
  const wrong: string[] = [];
  try {
    for (const user of users) {
      const differences = ofPersona(reported, user.name).flatMap((one) => one.differences);
      for (let number = 0; number < asksEach; number++) {
        const isOfCluster = random.chance(0.2);
        const kind = random.pick(random.chance(0.2) ? actionsOfNone : isOfCluster ? clusterKinds : comparedKinds);
        const actions = findRequestKind(kind, "2.19") ?? readAction(kind);
        const index = actions.index.length === 0 ? undefined : random.pick(indices);
        const asked = { ...whoIs(user), action: kind, ...(index !== undefined && { index }) };
        const [was, is] = await Promise.all(servers.map(({ url }) => ask(url, asked)));
        counts.asked += 1;
        const about = [
          ...actions.cluster.flatMap((action) => differencesAbout(differences, action, undefined)),
          ...actions.index.flatMap((action) => differencesAbout(differences, action, index)),
        ];
        if (about.some(isOpen)) counts.open += 1;
        if (was !== is) counts.differing += 1;
        if (was === "unknown" || is === "unknown") {
          counts.unknown += 1;
          continue;
        }
        const pair = {
          user,
          actions,
          before: { allowed: was === "yes" },
          after: { allowed: is === "yes" },
          ...(index !== undefined && { index }),
        };
        const lines = [...findRepeated(pair, differences), ...findContradictions(pair, differences)];
        wrong.push(...lines.map((line) => `${user.name} ${kind} ${index ?? ""}: ${line}`));
      }
    }
  } finally {
    for (const server of servers) await server.close();
  }
  return wrong;
}

function serve([named, state]: Side) {
  const [product, release] = named.split(" ") as ["opensearch" | "search-guard", string];
  return startEmulator({ product, release, state: state as unknown as InitialState });
}

function whoIs({ name, backendRoles, attributes }: User) {
  const own = Object.entries(attributes).map(([key, value]) => [`internal.${key}`, value]);
  return { user: name, backend_roles: backendRoles, host: "127.0.0.1", attributes: Object.fromEntries(own) };
}

async function ask(url: string, asked: object): Promise<string> {
  const answer = await fetch(`${url}/_emulator/authorize`, { method: "POST", body: JSON.stringify(asked) });
  const { verdict } = (await answer.json()) as { readonly verdict: string };
  expect(answer.status).toBe(200);
  return verdict;
}
