// Restrictions with a list of backend roles in them, of which the order may change on the way to the node with the shard:
// users with such roles ask a real server, and the answers are compared with what can-i says.
import { expect } from "vitest";
import { findRequestKind } from "../../../src/access/evaluate/asked-request.ts";
import { evaluateQuestion } from "../../../src/access/evaluate/question.ts";
import { parseRelease } from "../../../src/dialects/release.ts";
import { hash } from "./access/server.ts";
import { modelFrom } from "./aliases.ts";
import type { Case } from "./case.ts";
import type { Facts, Stage } from "./stage.ts";

const index = "suite-lists";
const [role, restricted, user] = ["suite_lists", "suite_restricted", "suite_lists"];

/** The first of a pair keeps its order. */
const lists = [
  [],
  ["dev"],
  ["hr", "sales"],
  ["dev", "ops"],
  ["ops", "dev"],
  ["a", "b", "c"],
  ["dev", "ops", "hr"],
  ["a", "b", "c", "d"],
  ["one", "two", "three", "four"],
  ["r1", "r2", "r3", "r4", "r5"],
  ["alpha", "beta", "gamma", "delta", "eps", "zeta"],
  ["alpha", "beta", "gamma", "delta", "eps", "zeta", "eta"],
];

/** None is of the index that is asked about. */
const restrictions = [
  { pattern: "other-${user_roles}", masks: ["email"] },
  { pattern: "/other-${user_roles}/", masks: ["email"] },
  { pattern: "other-${user_roles}" },
  { pattern: "other", dls: '{"terms":{"team":[${user.roles}]}}' },
  { pattern: "other", dls: '{"term":{"team":"${user.name}"}}' },
];
type Restriction = Partial<Readonly<Record<"dls", string> & Record<"masks", readonly string[]>>>;

/** For real servers: the emulator evaluates each request once. */
export function roleOrder(facts: Facts): Case {
  return {
    title: "writing fails where ${user.roles} in a restriction changes its order, as can-i says",
    steps: async (stage) => {
      const { ask } = stage;
      const put = async (path: string, send: unknown) => {
        const { status, text } = await ask({ method: "PUT", path, send });
        expect(status, text).toBeLessThan(300);
      };
      await put(`/${index}/_doc/w`, { team: "red" });
      await put(`roles/${role}`, roleFor(facts, index, ["*"], {}));
      const counts = { yes: 0, no: 0, unknown: 0 };
      const wrong: string[] = [];
      for (const { pattern, ...how } of restrictions) {
        await put(`roles/${restricted}`, roleFor(facts, pattern, ["indices:data/read/*"], how));
        for (const name of [role, restricted]) await put(`rolesmapping/${name}`, { users: [user] });
        const model = await modelFrom(stage);
        for (const names of lists) {
          const ofUser = facts.name === "search-guard-6" ? { roles: names } : { backend_roles: names };
          await put(`internalusers/${user}`, { hash, ...ofUser });
          for (const [kind, status] of await answers(stage)) {
            const request = findRequestKind(kind, parseRelease(facts.product, facts.release) ?? facts.release);
            if (!request) throw new Error(`bug: no request ${kind}`);
            const subject = {
              user: { name: user },
              backendRoles: names.map((name) => ({ name })),
              host: { name: "127.0.0.1" },
              attributes: {},
            };
            const { verdict } = evaluateQuestion(model, subject, request, [index]);
            if (verdict === "partly") throw new Error("bug: one index");
            counts[verdict] += 1;
            if (verdict !== "unknown" && (verdict === "yes") !== status < 300)
              wrong.push(`${kind} of ${names} under ${pattern} ${JSON.stringify(how)}: ${verdict}, ${status}`);
          }
        }
      }
      await ask({ method: "DELETE", path: `/${index}` });
      process.stderr.write(`role order, ${facts.name}: ${JSON.stringify(counts)}\n`);
      expect(wrong).toEqual([]);
      // OpenSearch with one node does all of it.
      expect(counts.no > 20).toBe(facts.product === "search-guard");
      expect(counts.yes).toBeGreaterThan(100);
    },
  };
}

let fresh = 0;

/** The status of each kind of request; each document has another field. */
async function answers({ ask, facts }: Stage): Promise<readonly (readonly [kind: string, status: number])[]> {
  const authorization = `Basic ${Buffer.from(`${user}:pw`).toString("base64")}`;
  const asUser = async (method: string, path: string, send?: unknown) =>
    (await ask({ who: "stranger", method, path, send, headers: { authorization } })).status;
  fresh += 1;
  const update = facts.name === "search-guard-6" ? "_doc/w/_update" : "_update/w";
  return [
    ["update", await asUser("POST", `/${index}/${update}`, { doc: { team: "blue" }, detect_noop: false })],
    ["index", await asUser("PUT", `/${index}/_doc/w`, { team: "red" })],
    ["index-new-field", await asUser("PUT", `/${index}/_doc/f`, { [`f${fresh}`]: 1 })],
    ["search", await asUser("GET", `/${index}/_search`)],
    ["get-mapping", await asUser("GET", `/${index}/_mapping`)],
    ["health", await asUser("GET", "/_cluster/health")],
  ];
}

function roleFor({ name }: Facts, pattern: string, actions: readonly string[], { dls, masks }: Restriction) {
  if (name === "search-guard-6") {
    const restricts = { ...(dls && { _dls_: dls }), ...(masks && { _masked_fields_: masks }) };
    return { cluster: ["*"], indices: { [pattern]: { "*": actions, ...restricts } } };
  }
  const restricts = { ...(dls && { dls }), ...(masks && { masked_fields: masks }) };
  const element = { index_patterns: [pattern], allowed_actions: actions, ...restricts };
  return { cluster_permissions: ["*"], index_permissions: [element] };
}
