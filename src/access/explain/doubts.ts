import { blocks as blockFacts } from "../../families/blocks.ts";
import { roles as roleFacts } from "../../families/roles.ts";
import { tenants as tenantFacts } from "../../families/tenants.ts";
import { getUnknownText } from "../../families/unknown.ts";
import { listDistinct } from "../../json/collections.ts";
import type { Limits, UnknownCondition } from "../../model/access.ts";
import { isBlockedIn, isShutOut } from "../evaluate/blocked.ts";
import { type IndexName, resolveIndexPattern } from "../evaluate/coverage.ts";
import { findPatternDroppedByAliases, mayShowHidden } from "../evaluate/covering-places.ts";
import { type Evaluation, listHeldRules } from "../evaluate/permission.ts";
import type { AccessModel } from "../model/access-model.ts";
import { createUnknownGroupFinder } from "../model/groups.ts";
import type { Failing, Holding } from "../model/holders.ts";
import { isRestricting, listPermissionNames } from "../model/roles.ts";
import type { Member, Subject } from "../model/subject.ts";
import { isOpaque } from "../patterns/syntax.ts";

/** Why it is unknown whether a permission is held, or whether a restriction applies. */
export type AccessDoubt =
  /** Whether the subject has a role. `host`: that depends on its IP address, which the question does not state. */
  | (ConditionOf<"role"> & { readonly member: Member; readonly host: boolean })
  /** The role may be one that the product comes with: no answer of its API says so. */
  | { readonly kind: "unlisted-role"; readonly role: string }
  /** An entry has fields that gate-sync does not know. `role`: which they may give, or are part of. */
  | { readonly kind: "unknown-fields"; readonly of: EntryKind; readonly name: string; readonly role?: string }
  /** A block may match the subject. `host`: one by IP address, which the question does not state. */
  | (ConditionOf<"blocks"> & { readonly host: boolean })
  /** `depends`: the variable, or the date, that decides what a pattern is. */
  | (ConditionOf<"pattern"> & { readonly role: string; readonly depends: string })
  /** Only the server knows what a regular expression matches, or it does not match all of these indices alike. */
  | { readonly kind: "expression"; readonly role: string; readonly pattern: string }
  /** Several of the role's patterns match the index, with different restrictions: the server applies one of them. */
  | { readonly kind: "rival"; readonly role: string; readonly of: "patterns" | "elements" }
  /** The role's restriction by this pattern does not apply to the index if the pattern matches the name of an alias. */
  | { readonly kind: "aliases"; readonly role: string; readonly pattern: string }
  /** The index is, or may be, the dashboards' own: for that one the server asks for a permission on the tenant, too. */
  | { readonly kind: "tenant"; readonly tenant: string }
  /** The role's restriction by this pattern does not apply to the index if the index is hidden. */
  | { readonly kind: "hidden"; readonly role: string; readonly pattern: string; readonly index: string }
  /** The server fails if this pattern of the role becomes an expression that Java refuses, or if it tries that role first; or over its query. */
  | (Failing & { readonly role: string })
  /** Internal users could not be read: the user may have roles of its own. */
  | { readonly kind: "internal-users"; readonly why: string }
  /** Only a part of what grants access is declared. */
  | { readonly kind: "undeclared"; readonly why: string }
  /** The role grants by `_all`, which matches existing indices only: whether the index exists is unknown. */
  | { readonly kind: "existence"; readonly role: string }
  /** It is needed on any one existing index, and granted by this pattern: whether an index matches is unknown. */
  | { readonly kind: "some-index"; readonly role: string; readonly pattern: string }
  /** It is needed on the alias as well, which the question does not name, and granted by this pattern. */
  | { readonly kind: "new-alias"; readonly role: string; readonly pattern: string }
  /** It is needed on all indices, and granted by this pattern: whether that, or several together, match each is unknown. */
  | { readonly kind: "each-index"; readonly role: string; readonly pattern: string }
  /** The role masks a field that another role masks differently. `fails`: the server may refuse to read documents. */
  | { readonly kind: "masks"; readonly role: string; readonly fails: boolean }
  /** `${user.roles}` is in DLS, FLS or masking: the server fails if another node does a part of the request. */
  | { readonly kind: "role-order" }
  /** The role grants some mapping types of the index only, or by an alias, or by data streams. */
  | (ConditionOf<"types" | "alias" | "data-stream"> & { readonly role: string });

/** What an access diff says of it, too. */
type ConditionOf<K extends UnknownCondition["kind"]> = Extract<UnknownCondition, { readonly kind: K }>;

type EntryKind = "mapping" | "role" | "group" | "block" | "tenant";

/** Why these permissions are neither certainly granted nor certainly refused. */
export function listPermissionDoubts(
  model: AccessModel,
  subject: Subject,
  judgements: readonly Evaluation[],
  ofIndex: boolean,
): readonly AccessDoubt[] {
  if (judgements.length === 0) return [];
  const roles = judgements.flatMap(({ chains, against }) => [
    ...chains.filter(({ verdict }) => verdict === "unknown").map(({ holding }) => holding.role),
    ...against.flatMap((one) => (one.kind === "excluded" && one.verdict === "unknown" ? [one.role] : [])),
  ]);
  const byAll = judgements.flatMap(({ chains }) =>
    chains
      .filter(({ verdict, pattern }) => verdict === "unknown" && pattern === "_all")
      .map(({ holding }) => holding.role),
  );
  return [
    ...listBlockDoubts(model, subject),
    ...listUserDoubts(subject),
    ...listRoleDoubts(model, subject, new Set(roles), ofIndex),
    ...listTenantIndexDoubts(judgements),
    ...listRefusedDoubts(judgements),
    ...[...new Set(byAll)].map((role): AccessDoubt => ({ kind: "existence", role })),
    ...judgements.flatMap(({ chains }) =>
      chains.flatMap(({ anyOne, isOneOfSeveral, holding: { role }, pattern = "" }): readonly AccessDoubt[] => [
        ...(anyOne ? [{ kind: anyOne === "alias" ? "new-alias" : "some-index", role, pattern } as const] : []),
        ...(isOneOfSeveral ? [{ kind: "each-index", role, pattern } as const] : []),
      ]),
    ),
  ];
}

function listTenantIndexDoubts(judgements: readonly Evaluation[]): readonly AccessDoubt[] {
  const [tenant] = judgements.flatMap(({ against }) =>
    against.flatMap((one) => (one.kind === "tenant" && one.verdict === "unknown" ? [one.tenant] : [])),
  );
  return tenant === undefined ? [] : [{ kind: "tenant", tenant }];
}

function listRefusedDoubts(judgements: readonly Evaluation[]): readonly AccessDoubt[] {
  const found = judgements.flatMap(({ against }) =>
    against.flatMap((one): readonly AccessDoubt[] =>
      (one.kind === "refused-expression" || one.kind === "rewritten-query") && one.verdict === "unknown"
        ? [{ kind: one.kind, role: one.role, pattern: one.pattern }]
        : [],
    ),
  );
  return listDistinct(found);
}

function listUserDoubts({ mayHaveMore, undeclared }: Subject): readonly AccessDoubt[] {
  return [
    ...(mayHaveMore === undefined ? [] : [{ kind: "internal-users", why: mayHaveMore } as const]),
    ...(undeclared === undefined ? [] : [{ kind: "undeclared", why: undeclared } as const]),
  ];
}

export function listBlockDoubts({ state }: AccessModel, subject: Subject): readonly AccessDoubt[] {
  if (isBlockedIn(state, subject) !== "unknown") return [];
  const byFields = [...state.blocks].flatMap(([name, block]): readonly AccessDoubt[] => {
    const isUnsure =
      isShutOut([block], subject) === "unknown" && getUnknownText(block, blockFacts.fields) !== undefined;
    return isUnsure ? [{ kind: "unknown-fields", of: "block", name }] : [];
  });
  if (byFields.length > 0) return byFields;
  const byAddress = [...state.blocks.values()].filter(({ type }) => type !== "name");
  const isUnplaced = subject.host === "unknown" || subject.mayBeAnywhere === true;
  return [{ kind: "blocks", host: isUnplaced && isShutOut(byAddress, subject) === "unknown" }];
}

/** Why it is unknown whether a subject may read or write one tenant. */
export function listTenantDoubts(
  model: AccessModel,
  subject: Subject,
  tenant: string,
  roles: readonly string[],
): readonly AccessDoubt[] {
  const isUnknown = getUnknownText(model.state.tenants.get(tenant) ?? {}, tenantFacts.fields) !== undefined;
  return [
    ...(isUnknown ? [{ kind: "unknown-fields", of: "tenant", name: tenant } as const] : []),
    ...listBlockDoubts(model, subject),
    ...listUserDoubts(subject),
    ...listRoleDoubts(model, subject, new Set(roles), false),
  ];
}

/** Why it is unknown what these roles grant a subject. */
function listRoleDoubts(
  model: AccessModel,
  subject: Subject,
  roles: ReadonlySet<string>,
  ofIndex: boolean,
): readonly AccessDoubt[] {
  const { semantics } = model.state;
  const found = listHeldRules(model, subject)
    .filter(({ holding }) => roles.has(holding.role))
    .flatMap(({ holding: { role, unlisted, verdict: held, member, unknown }, rules }): readonly AccessDoubt[] => {
      const verdict = unlisted?.isGiven ?? held;
      if (unknown)
        return listEntriesBehind(model, role, unknown.by).map((one) => ({ kind: "unknown-fields", ...one, role }));
      const unsure: readonly AccessDoubt[] =
        verdict === "unknown"
          ? [{ kind: "role", role, member, host: member.field === "hosts" && subject.host === "unknown" }]
          : [];
      const isThere: readonly AccessDoubt[] = unlisted ? [{ kind: "unlisted-role", role }] : [];
      if (!ofIndex) return [...isThere, ...unsure];
      const elements = [...rules.index, ...rules.notIndex];
      const patterns = elements
        .flatMap((rule) => rule.patterns)
        .flatMap((pattern): readonly AccessDoubt[] => {
          const meant = resolveIndexPattern(pattern, semantics, subject);
          if (meant === undefined) return [];
          if (typeof meant !== "string") return [{ kind: "pattern", role, pattern, depends: meant.depends }];
          return isOpaque(meant) ? [{ kind: "expression", role, pattern }] : [];
        });
      const hinging = rules.index.flatMap(({ hinges }): readonly AccessDoubt[] =>
        hinges ? [{ kind: hinges, role }] : [],
      );
      return [...isThere, ...unsure, ...patterns, ...hinging];
    });
  return listDistinct(found);
}

/** The entries whose unknown fields may give, grant or refuse by a role. */
function listEntriesBehind(
  { state: { roles, groups } }: AccessModel,
  role: string,
  by: NonNullable<Holding["unknown"]>["by"],
): readonly { readonly of: EntryKind; readonly name: string }[] {
  if (by === "mapping") return [{ of: "mapping", name: role }];
  const fields = roles.get(role) ?? {};
  return [
    ...(getUnknownText(fields, roleFacts.fields) === undefined ? [] : [{ of: "role", name: role } as const]),
    ...createUnknownGroupFinder(groups)(listPermissionNames(fields)).map(
      ({ name }) => ({ of: "group", name }) as const,
    ),
  ];
}

/** Expressions in FLS that only Java can read. */
function listFieldDoubts(model: AccessModel, subject: Subject, roles: ReadonlySet<string>): readonly AccessDoubt[] {
  const held = listHeldRules(model, subject).filter(({ holding }) => roles.has(holding.role));
  const found = held.flatMap(({ holding: { role }, rules }) =>
    rules.index.flatMap(({ restricts }) =>
      restricts.fls
        .filter((field) => isOpaque(field.replace(/^[~!]/, "")))
        .map((pattern): AccessDoubt => ({ kind: "expression", role, pattern })),
    ),
  );
  return listDistinct(found);
}

/** Restrictions that may not apply to an index: an alias drops them, or the index is hidden. */
function listAliasDoubts(
  model: AccessModel,
  subject: Subject,
  roles: ReadonlySet<string>,
  index: IndexName | undefined,
): readonly AccessDoubt[] {
  const { semantics } = model.state;
  const restricting = listHeldRules(model, subject)
    .filter(({ holding }) => roles.has(holding.role))
    .flatMap(({ holding: { role }, rules }) =>
      rules.index.flatMap(({ restricts, patterns }) => (isRestricting(restricts) ? [{ role, patterns }] : [])),
    );
  const found = restricting.flatMap(({ role, patterns }): readonly AccessDoubt[] => {
    const dropped = findPatternDroppedByAliases(patterns, semantics, subject);
    const shown = index && patterns.find((pattern) => mayShowHidden(pattern, index, semantics, subject));
    return [
      ...(dropped === undefined ? [] : [{ kind: "aliases", role, pattern: dropped } as const]),
      ...(shown === undefined ? [] : [{ kind: "hidden", role, pattern: shown, index: index?.name ?? "" } as const]),
    ];
  });
  return listDistinct(found);
}

/** Why it is unknown what is seen of an index. Of roles without another reason, one applies and the others do not. */
export function listLimitDoubts(
  model: AccessModel,
  subject: Subject,
  { unsure, masksDiffer = [], mayFail }: Limits,
  index?: IndexName,
): readonly AccessDoubt[] {
  const { oneOfRoleRestricts, fieldPatterns } = model.state.semantics;
  const ofFields = fieldPatterns ? listFieldDoubts(model, subject, new Set(unsure)) : [];
  const ofMasks = masksDiffer.map((role): AccessDoubt => ({ kind: "masks", role, fails: mayFail === true }));
  const others = listRoleDoubts(model, subject, new Set(unsure), true).filter(({ kind }) => kind !== "expression");
  const held = new Set(model.holdings(subject).map(({ role }) => role));
  // A role that nothing gives is one of those that the internal user may have.
  const ofUsers = [...unsure, ...masksDiffer].some((role) => !held.has(role)) ? listUserDoubts(subject) : [];
  const doubts = [
    ...others,
    ...ofFields,
    ...ofMasks,
    ...ofUsers,
    ...listAliasDoubts(model, subject, new Set(unsure), index),
  ];
  const explained = new Set(doubts.flatMap((doubt) => ("role" in doubt ? [doubt.role] : [])));
  return [
    ...doubts,
    ...unsure
      .filter((role) => !explained.has(role) && (ofUsers.length === 0 || held.has(role)))
      .map((role): AccessDoubt => ({ kind: "rival", role, of: oneOfRoleRestricts ? "elements" : "patterns" })),
  ];
}
