// How aliases change access: every pair of a restricted and an open role, with every set of aliases, is requested from a real
// server. The answers are compared with the evaluation without knowledge of aliases, and with it.
import { expect } from "vitest";
import { findRequestKind } from "../../../src/access/evaluate/asked-request.ts";
import { evaluateQuestion } from "../../../src/access/evaluate/question.ts";
import { type AccessModel, createAccessModel } from "../../../src/access/model/access-model.ts";
import { buildLiveAccess } from "../../../src/access/model/states.ts";
import type { Subject } from "../../../src/access/model/subject.ts";
import { addAliases, decodeAliases } from "../../../src/dialects/aliases.ts";
import { decodeFamily } from "../../../src/dialects/codec.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import { parseRelease } from "../../../src/dialects/release.ts";
import type { Semantics } from "../../../src/dialects/semantics.ts";
import type { Case } from "./case.ts";
import type { Facts, Stage } from "./stage.ts";

const indices = ["suite-hr-1", "suite-hr-2", "suite-pay"] as const;
type Index = (typeof indices)[number];

/** Of each name, the index that it leads to. */
type Aliases = Readonly<Record<string, Index>>;
const aliasSets: readonly Aliases[] = [
  {},
  { "suite-hr-a": "suite-hr-2" },
  { "suite-hr-a": "suite-pay" },
  { "suite-hr-a": "suite-hr-1", other: "suite-hr-2" },
  { other: "suite-hr-1" },
];

/** Without dots, which Search Guard 6 takes apart. */
const expressions = ["/suite-hr-[0-9a-z]*/", "suite-hr-?", "suite-?r-*"];
const patterns = ["suite-hr-*", "*", ...expressions, "/suite-hr-(1|a)/", "suite-hr-1", "suite-hr-a"];
const openPatterns = ["suite-hr-*", "suite-hr-1", "other"];

/** For real servers: the emulator has no aliases. */
export function aliasCases({ product, release }: Facts): readonly Case[] {
  return [
    {
      title: "with aliases, grants and restrictions are as reported, or reported as unknown",
      steps: (stage) => withIndices(stage, () => compared(stage)),
    },
    dropped(product === "opensearch" && release.startsWith("2.")),
  ];
}

/** So such a restriction is never said to apply for certain on OpenSearch 2. */
function dropped(isDropped: boolean): Case {
  const holds = isDropped ? "restricts only the indices of the alias" : "still restricts all that it matches";
  return {
    title: `a restriction by ? or an expression ${holds}, where an alias has a name that matches`,
    steps: (stage) =>
      withIndices(stage, async () => {
        for (const pattern of expressions) {
          await putRole(stage, "suite_restricted", pattern, true);
          await putAliases(stage, {});
          expect([pattern, await seen(stage, "suite-hr-1")]).toEqual([pattern, [5]]);
          await putAliases(stage, { "suite-hr-a": "suite-hr-2" });
          expect([pattern, await seen(stage, "suite-hr-1")]).toEqual([pattern, isDropped ? [1, 5] : [5]]);
          expect([pattern, await seen(stage, "suite-hr-2")]).toEqual([pattern, [5]]);
        }
      }),
  };
}

async function compared(stage: Stage): Promise<void> {
  const wrong: string[] = [];
  const counts = { certain: 0, unknown: 0, all: 0 };
  for (const restricted of patterns) {
    await putRole(stage, "suite_restricted", restricted, true);
    for (const open of openPatterns) {
      await putRole(stage, "suite_open", open, false);
      const model = await modelFrom(stage);
      for (const aliases of aliasSets) {
        await putAliases(stage, aliases);
        const known = createAccessModel({ ...model.state, semantics: await withAliases(stage, model) });
        for (const name of [...indices, ...Object.keys(aliases)]) {
          const levels = await seen(stage, name);
          const about = `${restricted} restricted, ${open} open, ${JSON.stringify(aliases)}, ${name}`;
          const found = reported(known, model, stage.facts, name);
          counts.all += 1;
          counts[found.levels === "unknown" ? "unknown" : "certain"] += 1;
          if (found.levels !== "unknown" && String(found.levels) !== String(levels))
            wrong.push(`${about}: ${found.levels}, the server: ${levels}`);
          if (found.withoutAliases === "yes" && levels === undefined && isIndex(name))
            wrong.push(`${about}: yes, the server refuses`);
        }
      }
    }
  }
  process.stderr.write(`aliases, ${stage.facts.name}: ${JSON.stringify(counts)}\n`);
  expect(wrong).toEqual([]);
  expect(counts.unknown).toBe(0);
  expect(counts.certain).toBeGreaterThan(100);
}

function isIndex(name: string): boolean {
  return (indices as readonly string[]).includes(name);
}

async function withAliases({ ask }: Stage, { state }: AccessModel): Promise<Semantics> {
  const aliases = decodeAliases((await ask({ method: "GET", path: "/_alias" })).json);
  if (!aliases) throw new Error("The server shows no aliases.");
  return addAliases(state.semantics, aliases);
}

/** The levels of the documents that are shown; undefined: none are, as it is refused. */
function reported(known: AccessModel, without: AccessModel, { product, release }: Facts, name: string) {
  const line = parseRelease(product, release) ?? release;
  const request = findRequestKind("search", line);
  if (!request) throw new Error("bug: no request search");
  const { verdict, shares } = evaluateQuestion(known, subject, request, [name]);
  const [limits] = shares.flatMap((share) => share.limits ?? []);
  const isUnknown = verdict === "unknown" || !limits || limits.unsure.length > 0;
  const levels = isUnknown ? "unknown" : limits.documents ? [5] : [1, 5];
  return {
    levels: verdict === "no" ? undefined : levels,
    withoutAliases: evaluateQuestion(without, subject, request, [name]).verdict,
  };
}

const subject: Subject = {
  user: { name: "logstash" },
  backendRoles: [{ name: "logstash" }],
  host: { name: "127.0.0.1" },
  attributes: {},
  roles: [],
};

async function seen({ ask }: Stage, index: string): Promise<readonly number[] | undefined> {
  const { status, json, text } = await ask({ who: "unmapped", method: "GET", path: `/${index}/_search` });
  if (status === 403) return undefined;
  expect(status, text).toBe(200);
  const { hits } = json as { readonly hits: { readonly hits: readonly { readonly _source: { level: number } }[] } };
  return hits.hits.map(({ _source }) => _source.level).toSorted();
}

export async function modelFrom({ ask, facts, words }: Stage): Promise<AccessModel> {
  const dialect = createDialect(facts.product, parseRelease(facts.product, facts.release) ?? facts.release);
  const families = { roles: "roles", role_mappings: "rolesmapping", action_groups: "actiongroups" } as const;
  const read = Object.entries(families).map(async ([family, path]) => {
    const known = words.families.find((one) => one.path.startsWith(path))?.path ?? path;
    const { json } = await ask({ method: "GET", path: known });
    return [family, decodeFamily(dialect, family as keyof typeof families, json as object as never)] as const;
  });
  const found = (await Promise.all(read)).flatMap(([family, resources]) => (resources ? [[family, resources]] : []));
  return createAccessModel(buildLiveAccess({ resources: new Map(found as never), paths: new Map() }, dialect));
}

async function putRole({ ask, facts }: Stage, name: string, pattern: string, restricts: boolean): Promise<void> {
  const dls = '{"range":{"level":{"gte":3}}}';
  const reads = ["indices:data/read/search"];
  const send =
    facts.name === "search-guard-6"
      ? { indices: { [pattern]: { "*": reads, ...(restricts && { _dls_: dls }) } } }
      : {
          index_permissions: [{ index_patterns: [pattern], allowed_actions: reads, ...(restricts && { dls }) }],
        };
  const answer = await ask({ method: "PUT", path: `roles/${name}`, send });
  expect(answer.status, answer.text).toBeLessThan(300);
}

async function putAliases({ ask }: Stage, aliases: Aliases): Promise<void> {
  const { json } = await ask({ method: "GET", path: "/suite-*/_alias" });
  const there = json as Readonly<Record<string, { readonly aliases?: object }>>;
  const actions = [
    ...Object.entries(there).flatMap(([index, { aliases: names = {} }]) =>
      Object.keys(names).map((alias) => ({ remove: { index, alias } })),
    ),
    ...Object.entries(aliases).map(([alias, index]) => ({ add: { index, alias } })),
  ];
  if (actions.length === 0) return;
  const answer = await ask({ method: "POST", path: "/_aliases", send: { actions } });
  expect(answer.status, answer.text).toBe(200);
}

async function withIndices(stage: Stage, work: () => Promise<void>): Promise<void> {
  const { ask } = stage;
  for (const index of indices) {
    for (const level of [1, 5]) {
      const answer = await ask({ method: "PUT", path: `/${index}/_doc/${level}?refresh=true`, send: { level } });
      expect(answer.status, answer.text).toBeLessThan(300);
    }
  }
  for (const role of ["suite_restricted", "suite_open"]) {
    await putRole(stage, role, "suite-none", false);
    const send = { users: ["logstash"] };
    expect((await ask({ method: "PUT", path: `rolesmapping/${role}`, send })).status).toBeLessThan(300);
  }
  try {
    await work();
  } finally {
    for (const index of indices) await ask({ method: "DELETE", path: `/${index}` });
  }
}
