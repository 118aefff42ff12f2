// What real servers let users do with requests, and what they showed them, asked of src/access; GATE_SYNC_RECORDINGS
// names the folder of these recordings.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { showField } from "../../../src/access/evaluate/fields.ts";
import { findLimits } from "../../../src/access/evaluate/limits.ts";
import { failsByQuery } from "../../../src/access/evaluate/query-failures.ts";
import {
  evaluateRequest,
  type RequestPermissions,
  settleActions,
  settleReduction,
} from "../../../src/access/evaluate/request.ts";
import { evaluateTenantAccess } from "../../../src/access/evaluate/tenants.ts";
import type { AccessModel } from "../../../src/access/model/access-model.ts";
import { matchesPattern } from "../../../src/access/patterns/matches.ts";
import type { Fixture } from "../../support/evaluated.ts";
import { rolesOf } from "../../support/evaluator.ts";
import { filled } from "../../support/evaluator-patterns.ts";
import { modelOfFixture, subjectOfPerson } from "../../support/modelled.ts";
import { aliasesOf, type Case, isOfV4, type Target } from "../../support/recorded-access.ts";
import {
  type Compared,
  isReduced,
  newestRecordings,
  type Opinion,
  recordings,
  replay,
} from "../../support/recorded-replay.ts";

const folder = process.env.GATE_SYNC_RECORDINGS ?? "";
const all = [...recordings, ...newestRecordings];
const isThere = all.every(({ file }) => existsSync(join(folder, file)));

describe.skipIf(!isThere)("recordings (skipped where GATE_SYNC_RECORDINGS names no folder of them)", () => {
  test.for(all)("$file", ({ file, least }) => {
    const { counted, unknown } = replay(join(folder, file), relevant());
    expect(unknown.filter((recorded) => classOf(recorded) === undefined).map(({ explained }) => explained)).toEqual([]);
    const verdicts = (counted.get("verdicts") ?? 0) + unknown.length;
    expect(unknown.length).toBeLessThanOrEqual(verdicts / 20);
    for (const [what, number] of Object.entries({ ...least, verdicts: least.verdicts - unknown.length })) {
      // Nine or ten of the unknown ones are searches.
      const isOfSearches = what === "documents" || what === "fields";
      expect(counted.get(what as Compared), what).toBeGreaterThanOrEqual(number - (isOfSearches ? 10 : 0));
    }
  });
});

/** Why it is unknown: what only Java can read, and what depends on the day. */
function classOf(recorded: Case): string | undefined {
  const { written, fixture, person, explained } = recorded;
  const roles = rolesOf(fixture, person).map((name) => written.roles[name]);
  if (explained.u === "twodls") return "two elements of one role, of which one counts";
  if (explained.u === "masktwo") return "two masks of one field, of which one applies";
  const text = JSON.stringify(explained.roles ? written.mappings : roles);
  if (/"\/.*\/"/.test(text)) return "regular expressions";
  return text.includes("{now/d}") ? "dates" : undefined;
}

/** Every request is asked of the names that it comes to, aliases among them; where it may be cut down, of each by itself. */
function grantedByV4(
  whole: AccessModel,
  { head, person, explained }: Case,
  actions: readonly string[],
  targets: readonly Target[],
  expression = "*",
): readonly Target[] | "denied" | "unknown" {
  const subject = subjectOfPerson(person);
  const { cluster, index } = settleActions(whole, { cluster: [], index: actions });
  if (index.length === 0)
    return evaluateRequest(whole, subject, { cluster, index, on: [] }).verdict === "yes" ? targets : "denied";
  const parts = expression.split(",").map((part) => (part === "_all" ? "*" : part));
  const isCut = explained.p.includes("ignore_unavailable=true");
  const model = settleReduction(whole, subject, index, isCut ? [...parts, "*"] : parts);
  const aliases = Object.keys(head.aliases).filter((alias) =>
    parts.some((part) => matchesPattern(part, alias) === "yes"),
  );
  const members = (alias: string) => head.aliases[alias]?.map((member) => [member].flat()[0]) ?? [];
  const named = parts.some((part) => part.includes("*"));
  const own = targets.filter(({ name }) => name !== head.securityIndex || !named);
  const direct = own.filter(({ name }) =>
    parts.some((part) => matchesPattern(part.replace("<day-{now/d}>", `day-${head.today}`), name) === "yes"),
  );
  const on = [...direct, ...aliases.map((name) => ({ name }))];
  if (on.length === 0) return model.state.settings.reducesToNothing ? [] : "denied";
  const { verdict, reducedTo } = evaluateRequest(model, subject, { cluster: [], index, on });
  if (verdict === "unknown") return verdict;
  if (verdict === "no") return "denied";
  const left = new Set((reducedTo ?? on).map(({ name }) => name));
  return own.filter(({ name }) => left.has(name) || [...left].some((alias) => members(alias).includes(name)));
}

function relevant(): Opinion {
  const models = new Map<Fixture, AccessModel>();
  const modelFor = ({ head, written, settings }: Case): AccessModel => {
    const model =
      models.get(written) ??
      modelOfFixture(
        {
          ...written,
          aliases: Object.fromEntries(Object.keys(head.indices).map((name) => [name, aliasesOf(head, name)])),
        },
        {
          reducesRequests: settings.do_not_fail_on_forbidden === true,
          reducesToNothing: settings.do_not_fail_on_forbidden_empty === true,
        },
      );
    models.set(written, model);
    return model;
  };
  const answer = (recorded: Case, asked: RequestPermissions) =>
    evaluateRequest(modelFor(recorded), subjectOfPerson(recorded.person), asked);
  const reported = { yes: true, no: false, unknown: "unknown" } as const;
  return {
    mayCluster: (recorded, cluster) => reported[answer(recorded, { cluster, index: [], on: [] }).verdict],
    granted: (recorded, index, asked, targets, expression) => {
      if (isOfV4(recorded.head)) return grantedByV4(modelFor(recorded), recorded, index, targets, expression);
      const isWhole = asked === "everything" && !isReduced(recorded, index);
      const { verdict, reducedTo } = answer(recorded, { cluster: [], index, on: isWhole ? [{ name: "*" }] : targets });
      if (verdict === "unknown") return verdict;
      if (verdict === "no") return [];
      return reducedTo ? targets.filter((target) => reducedTo.includes(target)) : targets;
    },
    sees: (recorded, target, actions) => {
      const [model, subject] = [modelFor(recorded), subjectOfPerson(recorded.person)];
      const { documents, fields, restricted, unsure } = findLimits(model, subject, target);
      if (unsure.length > 0 && model.state.semantics.oneOfRoleRestricts) return "unknown";
      const { fixture, person } = recorded;
      const self = { ...person, roles: rolesOf(fixture, person) };
      return {
        access: {
          docs: documents?.map(({ shown }) => filled(fixture, self, shown)) ?? "all",
          field: (path) => {
            const seen = showField(fields, path);
            return typeof seen === "object" ? { mask: seen.masked } : seen;
          },
        },
        isRestricted: restricted === "yes",
        fails: failsByQuery(model, subject, target, actions).verdict === "yes",
      };
    },
    roles: (recorded) => {
      const held = modelFor(recorded).holdings(subjectOfPerson(recorded.person));
      const sure = new Set(held.flatMap(({ role, verdict }) => (verdict === "yes" ? role : [])));
      const unsure = new Set(held.map(({ role }) => role).filter((role) => !sure.has(role)));
      return { sure: [...sure].sort(), unsure };
    },
    tenants: (recorded) => {
      const model = modelFor(recorded);
      const named = Object.values(recorded.fixture.roles).flatMap(({ tenant_permissions = [] }) =>
        tenant_permissions.flatMap(({ tenant_patterns = [] }) => tenant_patterns),
      );
      const { globalTenant } = model.state.semantics;
      const names = [...(recorded.fixture.tenants ?? []), ...named, globalTenant, recorded.person.user];
      return [...new Set(names)].flatMap((tenant) => {
        const { reads, writes } = evaluateTenantAccess(model, subjectOfPerson(recorded.person), tenant);
        return reads === "yes" ? [[tenant, writes === "yes"] as const] : [];
      });
    },
  };
}
