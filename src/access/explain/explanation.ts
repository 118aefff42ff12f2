import type { Level } from "../../dialects/requests.ts";
import { groupItems } from "../../json/collections.ts";
import type { Limits, Term } from "../../model/access.ts";
import {
  findHiddenPatterns,
  type HiddenPatterns,
  restoreExample,
  restorePattern,
  restoreTerm,
} from "../evaluate/attribute-values.ts";
import { showsFields } from "../evaluate/fields.ts";
import type { RequestEvaluation, Share } from "../evaluate/question.ts";
import type { PermissionPart as Single } from "../evaluate/request.ts";
import { evaluateTenantAccess, type TenantChain } from "../evaluate/tenants.ts";
import type { AccessModel } from "../model/access-model.ts";
import type { Subject } from "../model/subject.ts";
import type { Verdict } from "../verdict.ts";
import { type AccessDoubt, listLimitDoubts, listPermissionDoubts, listTenantDoubts } from "./doubts.ts";
import { type ChainStep, listChainSteps, type Places } from "./grant-path.ts";
import { findMisses, findTenantMisses, type Miss } from "./misses.ts";

/** Indices with the same verdict, and the reason for it. A question about no index has one share, without `indices`. */
export interface ShareExplanation {
  readonly indices?: {
    /** Patterns that distinguish them from others; empty: all indices, or what the other shares leave. */
    readonly by: readonly (readonly string[])[];
    /** Exactly these: a name belongs to them where it belongs to one of the terms. */
    readonly region: readonly Term[];
    readonly example: string;
    /** Whether `example` is all that is meant, as it was asked for. */
    readonly one: boolean;
  };
  readonly verdict: Verdict;
  readonly permissions: readonly PermissionExplanation[];
  /** What is seen of what is read. */
  readonly limits?: Limits;
  /** Roles that may restrict it, and why that is unknown. */
  readonly unsure: readonly AccessDoubt[];
  readonly failsAsRestricted?: Verdict;
  readonly failsByQuery?: Verdict;
  readonly lacksValue?: string;
  readonly failsByRoleOrder?: "yes" | "unknown";
  /** Each permission is held, but none of the roles holds all of them, as one has to. */
  readonly takesOneRole?: true;
  /** Nothing grants it, and the server answers about every index, by a fault of the product. */
  readonly answersAll?: true;
}

export interface ExplanationOptions {
  /** The request returns documents: what is seen of them is explained. */
  readonly reads: boolean;
  /** A refusal is explained with what comes close, for which all roles are searched. */
  readonly misses: boolean;
  readonly places: Places;
}

/** One permission of a request. */
export interface PermissionExplanation {
  /** An action; for a tenant `read` or `write`. */
  readonly action: string;
  readonly level: Level | "tenant";
  readonly verdict: Verdict;
  /** The first grant path that leads to it, or might. */
  readonly chain?: readonly ChainStep[];
  /** It takes no role: a user's own tenant. */
  readonly own?: true;
  readonly otherMembers: number;
  readonly misses: readonly Miss[];
  readonly doubts: readonly AccessDoubt[];
}

/** Shares that differ in nothing but their indices are one. */
export function explainShares(
  model: AccessModel,
  subject: Subject,
  { shares }: RequestEvaluation,
  how: ExplanationOptions,
): readonly ShareExplanation[] {
  const alike = groupItems(shares, (share) => {
    const fails = [share.failsAsRestricted, share.failsByQuery, share.lacksValue, share.failsByRoleOrder];
    return JSON.stringify([share.verdict, share.limits, fails, chainKey(share)]);
  });
  const hidden = findHiddenPatterns([model], subject);
  const explained = alike.map((some) => restoreShare(explainShare(model, subject, some, how), hidden));
  // What the others leave comes last.
  const isRest = ({ indices }: ShareExplanation) => indices?.by.length === 0 && !indices.one;
  return explained.toSorted((a, b) => Number(isRest(a)) - Number(isRest(b)));
}

/** With patterns as roles have them, in place of values that are not shown. */
function restoreShare(share: ShareExplanation, hidden: HiddenPatterns): ShareExplanation {
  const { indices } = share;
  // A single name is what was asked about.
  if (hidden.size === 0 || !indices || indices.one) return share;
  const { by, region, example } = indices;
  return {
    ...share,
    indices: {
      by: by.map((patterns) => patterns.map((pattern) => restorePattern(pattern, hidden))),
      region: region.map((term) => restoreTerm(term, hidden)),
      example: restoreExample(example, hidden),
      one: false,
    },
  };
}

/** The near misses of a refusal do not distinguish two shares. */
function chainKey({ verdict, answer }: Share): readonly unknown[] {
  if (verdict !== "yes") return [];
  const firsts = answer.parts.map(({ evaluation }) => evaluation.chains[0]);
  return firsts.map((chain) => [chain?.holding.role, chain?.at, chain?.granted]);
}

/** @param alike shares that differ in nothing but their indices */
function explainShare(
  model: AccessModel,
  subject: Subject,
  alike: readonly [Share, ...Share[]],
  how: ExplanationOptions,
): ShareExplanation {
  const { reads } = how;
  const [{ part, verdict, answer, limits, failsAsRestricted, failsByQuery, lacksValue, failsByRoleOrder }] = alike;
  const shown = reads
    ? limits
    : limits && answer.parts.some(({ action }) => showsFields(action))
      ? findFieldLimits(limits)
      : undefined;
  const by = alike.flatMap((share) => (share.part && share.part.by.length > 0 ? [share.part.by] : []));
  return {
    ...(part && {
      indices: {
        by: by.length === alike.length ? by : [],
        region: alike.flatMap((share) => share.part?.region ?? []),
        example: part.index.name,
        one: part.one && alike.length === 1,
      },
    }),
    verdict,
    permissions: answer.parts.map((single) => explainPermission(model, subject, single, how)),
    ...(shown && verdict !== "no" && { limits: shown }),
    unsure: limits && (shown || failsAsRestricted) ? listLimitDoubts(model, subject, limits, part?.index) : [],
    ...(failsAsRestricted && { failsAsRestricted }),
    ...(failsByQuery && { failsByQuery }),
    ...(lacksValue && { lacksValue }),
    ...(failsByRoleOrder && { failsByRoleOrder }),
    ...(answer.takesOneRole && { takesOneRole: true }),
    ...(answer.answersAll && { answersAll: true }),
  };
}

/** What a mapping hides; undefined where that is nothing. */
function findFieldLimits({ fields, unsure, restricted }: Limits): Limits | undefined {
  const isHiding = fields.only !== undefined || fields.not.length + unsure.length > 0;
  return isHiding ? { fields: { ...fields, masks: [] }, unsure, restricted } : undefined;
}

function explainPermission(
  model: AccessModel,
  subject: Subject,
  single: Single,
  { misses, places }: Omit<ExplanationOptions, "reads">,
): PermissionExplanation {
  const { action, index, evaluation } = single;
  const { verdict, chains } = evaluation;
  const [chain] = verdict === "no" ? [] : chains;
  return {
    action,
    level: index === undefined ? "cluster" : "index",
    verdict,
    ...(chain && { chain: listChainSteps(chain, places) }),
    otherMembers: Math.max(0, chains.filter((one) => one.verdict === "yes").length - 1),
    misses: misses && verdict === "no" ? findMisses(model, subject, single) : [],
    doubts: verdict === "unknown" ? listPermissionDoubts(model, subject, [evaluation], index !== undefined) : [],
  };
}

/** A tenant, as a question of one permission. */
export function explainTenant(
  model: AccessModel,
  subject: Subject,
  { tenant, writes }: { readonly tenant: string; readonly writes: boolean },
  { misses, places }: Omit<ExplanationOptions, "reads">,
): ShareExplanation {
  const access = evaluateTenantAccess(model, subject, tenant);
  const verdict = writes ? access.writes : access.reads;
  const certainty = (chain: TenantChain): Verdict => (writes ? chain.writes : chain.verdict);
  const members = access.chains
    .filter((chain) => certainty(chain) !== "no")
    .toSorted((a, b) => Number(certainty(a) !== "yes") - Number(certainty(b) !== "yes"));
  const [first] = verdict === "no" ? [] : members;
  const permission: PermissionExplanation = {
    action: writes ? "write" : "read",
    level: "tenant",
    verdict,
    ...(first && { chain: listChainSteps(first, places) }),
    ...(verdict === "yes" && members.length === 0 && { own: true }),
    otherMembers: Math.max(0, members.filter((chain) => certainty(chain) === "yes").length - 1),
    misses: misses && verdict === "no" ? findTenantMisses(model, subject, { tenant, writes }) : [],
    doubts:
      verdict === "unknown"
        ? listTenantDoubts(
            model,
            subject,
            tenant,
            members.map(({ holding }) => holding.role),
          )
        : [],
  };
  return { verdict, permissions: [permission], unsure: [] };
}
