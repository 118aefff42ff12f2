import type { Address } from "./names.ts";

/**
 * An entry of a mapping that gives its role by itself; of `and_backend_roles` all entries together. `api_keys`: a key that
 * has its permissions by no mapping.
 */
export interface Member {
  readonly field: "users" | "backend_roles" | "and_backend_roles" | "hosts" | "itself" | "api_keys";
  readonly entries: readonly string[];
}

/** A principal whose access a plan changes. */
export type AffectedPrincipal =
  /** A principal that matches this one member of a mapping, and no other. */
  | { readonly kind: "principal"; readonly member: Member }
  /** A principal that matches both members. */
  | { readonly kind: "pair"; readonly members: readonly [Member, Member] }
  | { readonly kind: "persona"; readonly name: string };

/** Which documents may be seen. */
export interface Query {
  /** The same for every format of the query. Holds secrets in clear text: only for comparing, never shown. */
  readonly key: string;
  /** As written, or the reference of a secret. */
  readonly shown: string;
  /** Whatever fields that gate-sync does not know may hide. */
  readonly isOpaque?: true;
}

/** The documents and fields that a principal sees in an index that it may read. */
export interface Limits {
  /** A document is visible if it matches one of these queries; absent: all documents are. */
  readonly documents?: readonly Query[];
  readonly fields: FieldRules;
  /** Roles whose limits may or may not apply. */
  readonly unsure: readonly string[];
  /** Roles with different masks for one field; absent: none. */
  readonly masksDiffer?: readonly string[];
  /** With these masks the server refuses to read documents, or leaves some of them out. */
  readonly mayFail?: true;
  /** DLS, FLS or masking applies, even if all is seen: updates of documents fail. */
  readonly restricted: "yes" | "no" | "unknown";
}

export interface FieldRules {
  /** Absent: every field that is not excluded. */
  readonly only?: readonly string[];
  readonly not: readonly string[];
  /** As written: `field`, `field::algorithm`, `field::/regex/::replacement`. */
  readonly masks: readonly string[];
  /** Names are patterns as of indices, and a list of fields to show means those that it names, not what is below them. */
  readonly arePatterns?: true;
}

/** A set of names, described by the patterns that distinguish it from other names. */
export interface Region {
  /** A name belongs to the region where it belongs to one of these. Never empty. */
  readonly terms: readonly Term[];
  /** A name for each of its parts. */
  readonly examples: readonly string[];
}

/** The names that all of some patterns match and none of others does. */
export interface Term {
  /** Never empty. */
  readonly allOf: readonly string[];
  readonly noneOf: readonly string[];
}

export type DifferenceKind =
  | "gained"
  | "lost"
  | "widened" // more documents or fields
  | "narrowed"
  | "changed" // other documents or fields, and it is unknown which are more
  | "may-gain" // like all below: unknown
  | "may-lose"
  | "may-change";

/** A difference in access between before and after, for the indices and actions that share it. */
export interface AccessDifference {
  readonly kind: DifferenceKind;
  readonly level: "cluster" | "index";
  readonly actions: Region;
  /** Absent for cluster permissions. */
  readonly indices?: Region;
  /** What is seen of these indices, where they are read. */
  readonly before?: Limits;
  readonly after?: Limits;
  /** On what it depends. Absent of `may-change`: what is seen by the grants of `besides`, and by them alone. */
  readonly depends?: readonly UnknownCondition[];
  /** Of `may-gain` and `may-lose`: access is certain on one side, and unknown on the other. */
  readonly isGrantSure?: true;
  /** One case of it. */
  readonly witness: { readonly action: string; readonly index?: string };
  /** A cluster permission that requests with these actions take besides, and that is missing: none of them passes. */
  readonly lacks?: string;
  /** By which the witness is granted, before or after; of what is seen otherwise, the role that restricts it. */
  readonly via?: GrantPath;
  /** Absent where the role and the groups of `via` hold for all of these indices and actions. */
  readonly viaParts?: GrantingRoles;
  /** Grants that are unknown before and after alike: one of them may give the same before, or still after. */
  readonly besides?: readonly DifferenceDoubt[];
  /** All principals gain or lose the same: reported once. */
  readonly isOfEverybody?: true;
}

/**
 * On what it depends whether something is held, granted or seen, where that is unknown. An answer to a question says
 * more of the same (`AccessDoubt`): who has the role, what decides the pattern, what to ask instead.
 */
export type UnknownCondition =
  /** Whether a role applies, or what it restricts. */
  | { readonly kind: "role"; readonly role: string }
  /** What a pattern of indices or actions matches. */
  | { readonly kind: "pattern"; readonly pattern: string }
  /** Whether a block shuts the principal out. */
  | { readonly kind: "blocks" }
  /** Which indices there are, of what is asked for on all of them. */
  | { readonly kind: "indices" }
  /** What the document types, the aliases or the data streams of a role are about. */
  | { readonly kind: "types" | "alias" | "data-stream" };

/** A role of which it is unknown whether it grants something. */
export interface DifferenceDoubt {
  readonly role: string;
  readonly depends: readonly UnknownCondition[];
}

/** A grant that a plan leaves as unknown as it was, and by which principals have it. */
export interface UnchangedUnknown extends DifferenceDoubt {
  readonly members: readonly Member[];
}

/** What is true of all parts of a difference, where one grant path is not. */
export interface GrantingRoles {
  /** Each part is granted, or restricted, by one of these. */
  readonly roles: readonly string[];
  /** Of a single role: the groups through which it grants all parts, outermost first; the parts differ in what follows. */
  readonly groups: readonly string[];
  /** Some parts were not looked at: there are more roles. */
  readonly hasMore?: true;
}

/** Why a principal has something: a member of a mapping gives it a role, which grants or restricts it. */
export interface GrantPath {
  readonly member: Member;
  readonly role: string;
  /** The pattern of indices or tenants in the role; absent for cluster permissions. */
  readonly pattern?: string;
  /** The action groups that lead to the permission, outermost first. */
  readonly groups: readonly string[];
  /** The pattern of actions that the role or the last group holds; absent for a restriction. */
  readonly permission?: string;
}

/** How much a principal may do with indices or with the cluster, the least first. */
export type AccessLevel = "read" | "write" | "manage" | "administer";

/** A level that holds on all of a region; `partly`: on some of it. */
export interface HeldLevel {
  readonly level: AccessLevel;
  readonly verdict: "yes" | "unknown" | "partly";
  /** Whether documents or fields of it are hidden. */
  readonly restricted: "yes" | "no" | "unknown";
}

/** What a principal holds, by levels, where a difference is: of what changes, and of what stays. */
export interface LevelChange {
  readonly before: readonly HeldLevel[];
  readonly after: readonly HeldLevel[];
}

/** Access of a principal to a tenant, before and after. */
export interface TenantDifference {
  readonly tenant: string;
  readonly before: TenantLevel;
  readonly after: TenantLevel;
}

export type TenantLevel = "nothing" | "read" | "write" | "unknown";

/** A principal that blocks shut out before or after, and not both. */
export interface BlockedDiff {
  /** `everybody`: all that no block names. */
  readonly who: { readonly type: "name" | "ip" | "net_mask"; readonly value: string } | "everybody";
  /** Of a network: networks and addresses within it that blocks name as well, and that are not meant. */
  readonly except?: readonly string[];
  readonly before: "yes" | "no" | "unknown";
  readonly after: "yes" | "no" | "unknown";
  /** What decides whether it is blocked after; absent where nothing that is known of does. */
  readonly depends?: "address" | "user";
}

/** What all of these principals gain and lose. */
export interface Statement {
  readonly who: readonly AffectedPrincipal[];
  readonly differences: readonly AccessDifference[];
  /** For each of `who` in turn, of each difference in turn: who gain the same may have had other access before. */
  readonly levels: readonly (readonly LevelChange[])[];
  readonly tenants: readonly TenantDifference[];
}

/** What a place of the config changes about who signs in, and by which names. */
export interface LoginDifference {
  /** `config/authc/NAME`. */
  readonly addresses: readonly Address[];
  /** `renewed`: a secret has another value by the same reference. */
  readonly kind: "gained" | "lost" | "renewed" | "unknown";
  /** A sentence. */
  readonly what: string;
  /** A secret is another one, and it is unknown whether by another reference. */
  readonly isOtherSecret?: true;
  /** Roles that are mapped to names which are asserted there from now on; absent where mappings are unknown. */
  readonly mapped?: readonly { readonly role: string; readonly members: readonly Member[] }[];
}

/** The access diff of a plan: which principals gain or lose which access. */
export interface AccessDifferences {
  /** Who signs in otherwise; absent where nothing decides about it. */
  readonly logins?: readonly LoginDifference[];
  readonly blockedDiff: readonly BlockedDiff[];
  readonly statements: readonly Statement[];
  /** What is unknown before and after alike, and not part of any statement: once for all of them. */
  readonly unchanged: readonly UnchangedUnknown[];
  /** What could not be evaluated, in sentences. */
  readonly unknowns: readonly string[];
}
