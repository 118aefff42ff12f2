import type {
  AccessDifferences,
  Affected,
  Difference,
  Statement,
  TenantDifference,
  UnchangedUnknown,
  Way,
} from "../../model/access.ts";
import { type HiddenPatterns, hiddenPatterns, nameAsWritten, regionAsWritten } from "../attribute-values.ts";
import { coversIndex } from "../coverage.ts";
import type { Holding } from "../holders.ts";
import { type Chain, heldRules, judge, permissionFor } from "../judge.ts";
import type { AccessModel } from "../model.ts";
import { isRestricting } from "../roles.ts";
import type { Subject } from "../subject.ts";
import { enteringOf } from "./entering.ts";
import { withEverybody } from "./everybody.ts";
import { pairsOf } from "./pairs.ts";
import { workOf } from "./table.ts";
import { tablesOf } from "./tables.ts";
import { tenantDifferences } from "./tenants.ts";
import { isEverybody, isWide, mayGive, mostJudged, type Principal, touchedBy } from "./touched.ts";
import { unexplained } from "./unexplained.ts";

/** A persona of the repository: somebody of whom everything is known. */
export interface Persona {
  readonly name: string;
  readonly subject: Subject;
}

interface One {
  readonly who: Affected;
  readonly subject: Subject;
  readonly differences: readonly Difference[];
  readonly tenants: readonly TenantDifference[];
}

/** Who gains and who loses what between two states: principals, pairs where one alone does not tell, personas. */
export function compareAccess(
  before: AccessModel,
  after: AccessModel,
  personas: readonly Persona[] = [],
): AccessDifferences {
  const models = [before, after];
  const { roles: touched, everybody } = touchedBy(before, after);
  const isTouched = ({ subject }: Persona): boolean =>
    models.some((model) => model.holdings(subject).some(({ role }) => touched.has(role)));
  const tables = tablesOf(models);
  const all = everybody.filter(({ way }) => isEverybody(way)).map(({ subject }) => subject);
  const differences = (subject: Subject): Pick<One, "differences" | "tenants"> => {
    const own = tables.differences(subject).map((one) => withGrounds(one, before, after, subject));
    const isOneOfAll = all.includes(subject);
    const marked = (isOneOfAll ? [] : all).reduce(
      (some, common) => (some.length === 0 ? some : withEverybody(tables.of(subject), some, tables.of(common))),
      own as readonly Difference[],
    );
    return { differences: marked, tenants: tenantDifferences(before, after, subject) };
  };

  const most = mostJudged(models);
  let work = 0;
  const first = firstOf(everybody, most);
  const principals = first.flatMap((principal): readonly One[] => {
    const { way, subject, isInternal } = principal;
    const who = { kind: "principal", way } as const;
    if (!isInternal) return [{ who, subject, ...differences(subject) }];
    if (work > mostWorkOnPairs) return [];
    const table = tables.of(subject);
    work += workOf(table);
    const others = first.filter((other) => !other.isInternal && mayGive(other.way, subject));
    const own = unexplained(
      table,
      others.map((other) => tables.of(other.subject)),
    );
    return [{ who, subject, differences: own.map((one) => withGrounds(one, before, after, subject)), tenants: [] }];
  });
  const known = personas
    .filter(isTouched)
    .map(({ name, subject }): One => ({ who: { kind: "persona", name }, subject, ...differences(subject) }));
  const { pairs, tooMany } = pairsOf(before, after);
  const both = pairs.flatMap(({ first, second, subject }): readonly One[] => {
    if (work > mostWorkOnPairs) return [];
    const table = tables.of(subject);
    work += workOf(table);
    const own = unexplained(table, [tables.of(first.subject), tables.of(second.subject)]);
    const who = { kind: "pair", ways: [first.way, second.way] } as const;
    return [{ who, subject, differences: own.map((one) => withGrounds(one, before, after, subject)), tenants: [] }];
  });
  const found = [...principals, ...known, ...both].map((one) => ({
    ...one,
    differences: asWritten(one.differences, hiddenPatterns(models, one.subject)),
  }));
  return {
    entering: enteringOf(before, after),
    statements: folded(found),
    unchanged: unchangedOf(found, after),
    untold: [
      ...(everybody.length > most ? [tooManyPrincipals(everybody.length, most)] : []),
      ...(tooMany || both.length < pairs.length ? [tooManyPairs] : []),
      ...(tables.isManifold() ? [tooManyParts] : []),
    ],
  };
}

/** Those whom a changed role is given to by name come before those who merely have it too, by a pattern. */
function firstOf(everybody: readonly Principal[], most: number): readonly Principal[] {
  if (everybody.length <= most) return everybody;
  const [direct, others] = [
    everybody.filter(({ isDirect }) => isDirect),
    everybody.filter(({ isDirect }) => !isDirect),
  ];
  const [wide, named] = [direct.filter(({ way }) => isWide(way)), direct.filter(({ way }) => !isWide(way))];
  return [...wide, ...named, ...others].slice(0, most);
}

function asWritten(differences: readonly Difference[], hidden: HiddenPatterns): readonly Difference[] {
  if (hidden.size === 0) return differences;
  return differences.map((one) => ({
    ...one,
    ...(one.indices && { indices: regionAsWritten(one.indices, hidden) }),
    witness: {
      action: one.witness.action,
      ...(one.witness.index !== undefined && { index: nameAsWritten(one.witness.index, hidden) }),
    },
  }));
}

function tooManyPrincipals(count: number, most: number): string {
  return `${count} users, backend roles and hosts have roles that change: only of the first ${most} was it worked out what they gain and lose.`;
}

/** No single document is written without it. */
const bulkWrites = "indices:data/write/bulk";

/** Some seconds: pairs who have hundreds of roles each take a tenth of one. */
const mostWorkOnPairs = 3_000_000;

const tooManyPairs =
  "Too many principals share indices with a role that restricts what others grant: not every pair of them was judged.";

const tooManyParts =
  "The patterns of indices or actions of somebody concerned overlap in too many ways: not all of them were tried, and more may be gained or lost than is said.";

/** The way by which the witness is granted where it is, and what a request would take besides. */
function withGrounds(found: Difference, before: AccessModel, after: AccessModel, subject: Subject): Difference {
  const model = found.kind === "lost" || found.kind === "may-lose" ? before : after;
  const takesBulk = found.level === "index" && found.witness.action.startsWith("indices:data/write/");
  const bulk = takesBulk && judge(model, subject, { level: "cluster", action: bulkWrites }).verdict;
  const one = bulk === "no" ? { ...found, lacks: bulkWrites } : found;
  const { action, index } = one.witness;
  const restricting = index === undefined ? undefined : restrictingRole(found.kind, before, after, subject, index);
  if (restricting) return { ...one, via: { role: restricting.role, way: restricting.way, groups: [] } };
  const permission = permissionFor(action, index === undefined ? undefined : { name: index });
  const { chains } = judge(model, subject, permission);
  const chain = one.kind.startsWith("may-")
    ? newOf(chains, judge(model === before ? after : before, subject, permission).chains)
    : chains[0];
  if (!chain) return one;
  const { holding, granted } = chain;
  return { ...one, via: { role: holding.role, way: holding.way, groups: granted.via } };
}

/** By what is unknown in both states nothing is gained or lost. */
function newOf(chains: readonly Chain[], others: readonly Chain[]): Chain | undefined {
  const keyOf = ({ verdict, holding: { role }, pattern, granted }: Chain): string =>
    JSON.stringify([verdict, role, pattern, granted]);
  const known = new Set(others.map(keyOf));
  return chains.find((chain) => !known.has(keyOf(chain))) ?? chains[0];
}

/** All that differences leave aside, with those who have it: each role and what it depends on once. */
function unchangedOf(all: readonly One[], after: AccessModel): readonly UnchangedUnknown[] {
  const found = new Map<string, { readonly doubt: Omit<UnchangedUnknown, "ways">; readonly ways: Map<string, Way> }>();
  for (const { differences, subject } of all) {
    for (const doubt of differences.flatMap(({ besides = [] }) => besides)) {
      const key = JSON.stringify([doubt.role, doubt.depends]);
      const one = found.get(key) ?? { doubt, ways: new Map<string, Way>() };
      found.set(key, one);
      for (const { role, way } of after.holdings(subject)) {
        if (role === doubt.role) one.ways.set(JSON.stringify([way.field, way.entries]), way);
      }
    }
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { doubt, ways }]) => ({ ...doubt, ways: [...ways.values()] }));
}

/** Of what is seen otherwise: a role whose restriction comes, or goes. */
function restrictingRole(
  kind: Difference["kind"],
  before: AccessModel,
  after: AccessModel,
  subject: Subject,
  index: string,
): Holding | undefined {
  if (kind !== "widened" && kind !== "narrowed" && kind !== "changed") return undefined;
  const restrictionsIn = (model: AccessModel) =>
    new Map(
      heldRules(model, subject).flatMap(({ holding, rules }): readonly (readonly [string, Holding])[] => {
        const ours = rules.index.filter(
          ({ patterns, restricts }) =>
            isRestricting(restricts) &&
            patterns.some((one) => coversIndex(one, { name: index }, model.state.judging, subject) !== "no"),
        );
        return ours.map(({ restricts }) => [JSON.stringify([holding.role, restricts]), holding] as const);
      }),
    );
  const [had, has] = [restrictionsIn(before), restrictionsIn(after)];
  const [from, other] = kind === "widened" ? [had, has] : [has, had];
  return [...from].find(([key]) => !other.has(key))?.[1];
}

/** Those of whom the same is to be said, together. */
function folded(all: readonly One[]): readonly Statement[] {
  const byText = new Map<string, { readonly who: Affected[]; readonly one: One }>();
  for (const one of all) {
    if (one.differences.length + one.tenants.length === 0) continue;
    const said = one.differences.map(({ via, ...rest }) => [rest, via?.role, via?.groups]);
    const key = JSON.stringify([said, one.tenants]);
    const same = byText.get(key);
    if (same) same.who.push(one.who);
    else byText.set(key, { who: [one.who], one });
  }
  return [...byText.values()].map(({ who, one: { differences, tenants } }) => ({ who, differences, tenants }));
}
