import { requestKinds } from "../../dialects/requests.ts";
import type { Limits } from "../../model/access.ts";
import { everything, type IndexName, indexPattern, widest } from "../coverage.ts";
import { heldRules, judge, permissionFor } from "../judge.ts";
import { limitsOn } from "../limits.ts";
import type { AccessModel } from "../model.ts";
import { isOpaque } from "../patterns/syntax.ts";
import { type Subject, shownWho } from "../subject.ts";
import { tenantAccess } from "../tenants.ts";
import { allOf, type Verdict } from "../verdict.ts";
import { type Doubt, doubtsOfLimits } from "./doubts.ts";
import { asWritten } from "./misses.ts";
import { ofKind, type Request } from "./request.ts";
import { partsOf } from "./shares.ts";

/** All that somebody may do; of requests, by words that can be asked about. */
export interface Effective {
  readonly indices: readonly IndexShare[];
  /** There are more shares than these. */
  readonly tooMany: boolean;
  /** Patterns of which it cannot be worked out what else they meet: told by their roles alone. */
  readonly opaque: readonly { readonly role: string; readonly pattern: string; readonly actions: readonly string[] }[];
  readonly cluster: { readonly can: readonly string[]; readonly permissions: readonly string[] };
  readonly tenants: readonly { readonly name: string; readonly reads: Verdict; readonly writes: Verdict }[];
}

/** Indices that are judged alike. */
export interface IndexShare {
  /** Each names a part of them by all patterns that it takes; none: all that no other share names. */
  readonly by: readonly (readonly string[])[];
  /** Kinds of requests, by name. */
  readonly can: readonly string[];
  readonly perhaps: readonly string[];
  /** What a role seems to grant and does not. */
  readonly traps: readonly Trap[];
  readonly limits: Limits;
  readonly unsure: readonly Doubt[];
}

export type Trap =
  /** All that these take on the index is granted, but not the permissions that they take of the cluster. */
  | { readonly kind: "cluster-missing"; readonly requests: readonly string[]; readonly missing: readonly string[] }
  /** Granted, and fails as DLS, FLS or masking applies. */
  | { readonly kind: "fails-as-restricted"; readonly requests: readonly string[] };

export function effective(model: AccessModel, subject: Subject, release: string): Effective {
  const kinds = requestKinds.map((kind) => ofKind(kind, release));
  const ofIndex = kinds.filter(({ index }) => index.length > 0);
  const { parts, tooMany } = partsOf(model, subject, everything);
  const folded = new Map<string, IndexShare>();
  for (const { index, by } of parts) {
    const share = shareOf(model, subject, ofIndex, index);
    const key = JSON.stringify(share);
    const same = folded.get(key);
    const isRest = by.length === 0 || same?.by.length === 0;
    folded.set(key, { ...share, by: isRest ? [] : [...(same?.by ?? []), by] });
  }
  const opaque = opaqueIn(model, subject);
  // What they may meet of all others is told once, by them.
  const isTold = ({ by, can, traps }: IndexShare) =>
    can.length + traps.length > 0 || opaque.length === 0 || by.length > 0;
  return {
    indices: [...folded.values()]
      .filter(({ can, perhaps, traps }) => can.length + perhaps.length + traps.length > 0)
      .filter(isTold),
    tooMany,
    opaque,
    cluster: clusterOf(model, subject, kinds),
    tenants: tenantsOf(model, subject),
  };
}

function shareOf(
  model: AccessModel,
  subject: Subject,
  kinds: readonly Request[],
  index: IndexName,
): Omit<IndexShare, "by"> {
  const verdicts = new Map<string, Verdict>();
  const held = (action: string): Verdict => {
    const known = verdicts.get(action) ?? judge(model, subject, permissionFor(action, index)).verdict;
    verdicts.set(action, known);
    return known;
  };
  const limits = limitsOn(model, subject, index);
  const judged = kinds.map((kind) => ({
    ...kind,
    onIndex: allOf(kind.index.map(held)),
    onCluster: allOf(kind.cluster.map(held)),
    fails: kind.failsWhereRestricted && limits.restricted,
  }));
  const named = (those: typeof judged) => those.map(({ name }) => name);
  const granted = judged.filter(({ onIndex }) => onIndex === "yes");
  const fails = granted.filter((kind) => kind.fails && kind.onCluster === "yes");
  const lacking = granted.filter(({ onCluster }) => onCluster === "no");
  return {
    can: named(granted.filter((kind) => kind.onCluster === "yes" && !kind.fails)),
    perhaps: named(judged.filter(({ onIndex, onCluster }) => allOf([onIndex, onCluster]) === "unknown")),
    traps: [
      ...groupedByMissing(lacking, (action) => held(action) === "no"),
      ...(fails.length > 0 ? [{ kind: "fails-as-restricted", requests: named(fails) } as const] : []),
    ],
    limits,
    unsure: doubtsOfLimits(model, subject, limits.unsure),
  };
}

function groupedByMissing(kinds: readonly Request[], isMissing: (action: string) => boolean): readonly Trap[] {
  const groups = new Map<string, { requests: string[]; missing: readonly string[] }>();
  for (const { name, cluster } of kinds) {
    const missing = cluster.filter(isMissing);
    const same = groups.get(missing.join());
    if (same) same.requests.push(name);
    else groups.set(missing.join(), { requests: [name], missing });
  }
  return [...groups.values()].map((group) => ({ kind: "cluster-missing", ...group }));
}

function opaqueIn(model: AccessModel, subject: Subject): Effective["opaque"] {
  const isOut = (pattern: string): boolean => {
    const meant = indexPattern(pattern, model.state.judging, subject);
    if (meant === undefined) return false;
    return typeof meant === "string" ? isOpaque(meant) : widest(pattern) === undefined;
  };
  return heldRules(model, subject).flatMap(({ holding: { role }, rules }) =>
    rules.index.flatMap(({ patterns, actions }) =>
      patterns.filter(isOut).map((pattern) => ({ role, pattern, actions: asWritten(actions) })),
    ),
  );
}

function clusterOf(model: AccessModel, subject: Subject, kinds: readonly Request[]): Effective["cluster"] {
  const held = (action: string) => judge(model, subject, { level: "cluster", action }).verdict === "yes";
  const can = kinds.filter(({ cluster, index }) => index.length === 0 && cluster.every(held)).map(({ name }) => name);
  const rules = heldRules(model, subject).filter(({ holding }) => holding.verdict === "yes");
  return { can, permissions: [...new Set(rules.flatMap((one) => asWritten(one.rules.cluster)))].sort() };
}

function tenantsOf(model: AccessModel, subject: Subject): Effective["tenants"] {
  const { tenants, judging } = model.state;
  const granted = heldRules(model, subject).flatMap(({ rules }) => rules.tenants.flatMap(({ patterns }) => patterns));
  const names = new Set([
    ...tenants.keys(),
    judging.globalTenant,
    ...(judging.tenantsAreNames ? granted : []),
    ...(subject.user && "name" in subject.user ? [shownWho(subject.user)] : []),
  ]);
  return [...names]
    .sort()
    .map((name) => ({ name, ...tenantAccess(model, subject, name) }))
    .filter(({ reads, writes }) => reads !== "no" || writes !== "no")
    .map(({ name, reads, writes }) => ({ name, reads, writes }));
}
