import type { Level } from "../../dialects/requests.ts";
import type { Limits, Term } from "../../model/access.ts";
import {
  type HiddenPatterns,
  hiddenPatterns,
  nameAsWritten,
  patternAsWritten,
  termAsWritten,
} from "../attribute-values.ts";
import type { AccessModel } from "../model.ts";
import type { Part as Single } from "../request.ts";
import type { Subject } from "../subject.ts";
import { type TenantChain, tenantAccess } from "../tenants.ts";
import type { Verdict } from "../verdict.ts";
import type { Permitted, Share } from "./can.ts";
import { type Doubt, doubtsOf, doubtsOfLimits, doubtsOfTenant } from "./doubts.ts";
import { type Miss, missesOf, tenantMissesOf } from "./misses.ts";
import { type Places, type Step, stepsOf } from "./steps.ts";

/** Indices that are judged alike, with the reason; one of these without indices for what is about none. */
export interface ToldShare {
  readonly indices?: {
    /** Patterns that tell them from others; none: all, or what the other shares leave. */
    readonly by: readonly (readonly string[])[];
    /** Exactly these: a name belongs to them where it belongs to one of the terms. */
    readonly region: readonly Term[];
    readonly example: string;
    /** Whether `example` is all that is meant, as it was asked for. */
    readonly one: boolean;
  };
  readonly verdict: Verdict;
  readonly permissions: readonly ToldPermission[];
  /** What is seen of what is read. */
  readonly limits?: Limits;
  /** Roles of which it cannot be told whether they restrict it, and why. */
  readonly unsure: readonly Doubt[];
  readonly failsAsRestricted?: Verdict;
  readonly failsByQuery?: Verdict;
  /** Each permission is held, but none of the roles holds all of them, as one has to. */
  readonly takesOneRole?: true;
  /** Nothing grants it, and the server answers about every index, by a fault of the product. */
  readonly answersAll?: true;
}

export interface Telling {
  /** Documents come back: what of them is seen is told. */
  readonly reads: boolean;
  /** What is refused is told with what comes near, for which all roles are gone through. */
  readonly misses: boolean;
  readonly places: Places;
}

/** One permission of a request. */
export interface ToldPermission {
  /** An action; for a tenant `read` or `write`. */
  readonly action: string;
  readonly level: Level | "tenant";
  readonly verdict: Verdict;
  /** The first of the ways that lead to it, or may. */
  readonly chain?: readonly Step[];
  /** It takes no role: a user's own tenant. */
  readonly own?: true;
  readonly otherWays: number;
  readonly misses: readonly Miss[];
  readonly doubts: readonly Doubt[];
}

/** Shares that differ in nothing but their indices are one. */
export function toldShares(
  model: AccessModel,
  subject: Subject,
  { shares }: Permitted,
  how: Telling,
): readonly ToldShare[] {
  const folded = new Map<string, Share[]>();
  for (const share of shares) {
    const key = JSON.stringify([
      share.verdict,
      share.limits,
      share.failsAsRestricted,
      share.failsByQuery,
      chainKey(share),
    ]);
    const same = folded.get(key);
    if (same) same.push(share);
    else folded.set(key, [share]);
  }
  const hidden = hiddenPatterns([model], subject);
  const told = [...folded.values()].flatMap((same) => {
    const [first] = same;
    return first ? [shareAsWritten(toldShare(model, subject, first, same, how), hidden)] : [];
  });
  // What the others leave comes last.
  const isRest = ({ indices }: ToldShare) => indices?.by.length === 0 && !indices.one;
  return told.toSorted((a, b) => Number(isRest(a)) - Number(isRest(b)));
}

function shareAsWritten(share: ToldShare, hidden: HiddenPatterns): ToldShare {
  const { indices } = share;
  // A single name is what was asked about.
  if (hidden.size === 0 || !indices || indices.one) return share;
  const { by, region, example } = indices;
  return {
    ...share,
    indices: {
      by: by.map((patterns) => patterns.map((pattern) => patternAsWritten(pattern, hidden))),
      region: region.map((term) => termAsWritten(term, hidden)),
      example: nameAsWritten(example, hidden),
      one: false,
    },
  };
}

/** Of what is refused, by which roles it nearly was not tells nothing apart. */
function chainKey({ verdict, answer }: Share): readonly unknown[] {
  if (verdict !== "yes") return [];
  return answer.parts.map(
    ({
      judgement: {
        chains: [chain],
      },
    }) => [chain?.holding.role, chain?.at, chain?.granted],
  );
}

function toldShare(
  model: AccessModel,
  subject: Subject,
  { part, verdict, answer, limits, failsAsRestricted, failsByQuery }: Share,
  same: readonly Share[],
  how: Telling,
): ToldShare {
  const { reads } = how;
  const by = same.flatMap((share) => (share.part && share.part.by.length > 0 ? [share.part.by] : []));
  return {
    ...(part && {
      indices: {
        by: by.length === same.length ? by : [],
        region: same.flatMap((share) => share.part?.region ?? []),
        example: part.index.name,
        one: part.one && same.length === 1,
      },
    }),
    verdict,
    permissions: answer.parts.map((single) => toldPermission(model, subject, single, how)),
    ...(limits && reads && verdict !== "no" && { limits }),
    unsure: limits && (reads || failsAsRestricted) ? doubtsOfLimits(model, subject, limits, part?.index) : [],
    ...(failsAsRestricted && { failsAsRestricted }),
    ...(failsByQuery && { failsByQuery }),
    ...(answer.takesOneRole && { takesOneRole: true }),
    ...(answer.answersAll && { answersAll: true }),
  };
}

function toldPermission(
  model: AccessModel,
  subject: Subject,
  single: Single,
  { misses, places }: Omit<Telling, "reads">,
): ToldPermission {
  const { action, index, judgement } = single;
  const { verdict, chains } = judgement;
  const [chain] = verdict === "no" ? [] : chains;
  return {
    action,
    level: index === undefined ? "cluster" : "index",
    verdict,
    ...(chain && { chain: stepsOf(chain, places) }),
    otherWays: Math.max(0, chains.filter((one) => one.verdict === "yes").length - 1),
    misses: misses && verdict === "no" ? missesOf(model, subject, single) : [],
    doubts: verdict === "unknown" ? doubtsOf(model, subject, [judgement], index !== undefined) : [],
  };
}

/** A tenant, as a question of one permission. */
export function toldTenant(
  model: AccessModel,
  subject: Subject,
  { tenant, writes }: { readonly tenant: string; readonly writes: boolean },
  { misses, places }: Omit<Telling, "reads">,
): ToldShare {
  const access = tenantAccess(model, subject, tenant);
  const verdict = writes ? access.writes : access.reads;
  const certainty = (chain: TenantChain): Verdict => (writes ? chain.writes : chain.verdict);
  const ways = access.chains
    .filter((chain) => certainty(chain) !== "no")
    .toSorted((a, b) => Number(certainty(a) !== "yes") - Number(certainty(b) !== "yes"));
  const [first] = verdict === "no" ? [] : ways;
  const permission: ToldPermission = {
    action: writes ? "write" : "read",
    level: "tenant",
    verdict,
    ...(first && { chain: stepsOf(first, places) }),
    ...(verdict === "yes" && ways.length === 0 && { own: true }),
    otherWays: Math.max(0, ways.filter((chain) => certainty(chain) === "yes").length - 1),
    misses: misses && verdict === "no" ? tenantMissesOf(model, subject, { tenant, writes }) : [],
    doubts:
      verdict === "unknown"
        ? doubtsOfTenant(
            model,
            subject,
            tenant,
            ways.map(({ holding }) => holding.role),
          )
        : [],
  };
  return { verdict, permissions: [permission], unsure: [] };
}
