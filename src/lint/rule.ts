import type { Member } from "../access/model/subject.ts";
import type { Verdict } from "../access/verdict.ts";
import type { LintCode } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Semantics } from "../dialects/semantics.ts";
import type { Fields } from "../json/value.ts";

/**
 * What is declared and does something else than its author can have meant, on all servers or on some. Title and
 * severity are those of the catalogue.
 */
export interface LintRule {
  readonly code: LintCode;
  /** Where the rule can apply at all; absent: on every product. */
  readonly where?: (semantics: Semantics) => boolean;
  /**
   * What may bring it about though the files do not show it. `meanings`: a name in a list of permissions may be a group
   * that only a server has. `others`: roles and mappings that are not among the files. `server`: any entry of a server.
   * Absent: nothing; what is held besides can only take it away.
   */
  readonly goesBy?: "meanings" | "others" | "server";
  readonly find: (state: LintState) => readonly LintFinding[];
}

/** A place that a rule warns of; the code is the rule's. */
export interface LintFinding extends Pick<Diagnostic, "what" | "why" | "fix" | "related"> {
  readonly at: SourceRange;
  /** Where it is graver than usual. */
  readonly severity?: "error";
}

/** What is declared, as it was written, with what it comes to. Entries of the server's own, and copies of them, are left out. */
export interface LintState extends LintTexts {
  readonly dialect: Dialect;
  readonly semantics: Semantics;
  readonly roles: readonly LintRole[];
  /** Those of them that restrict what is seen of some index: few, and many rules are about them alone. */
  readonly restricting: readonly LintRole[];
  readonly mappings: readonly LintMapping[];
  readonly groups: readonly LintGroup[];
  /** Of entries and of members of mappings, at each of their places. */
  readonly names: readonly LintName[];
  /** Those that the product ships or the server has; declared ones may be among them. */
  readonly otherNames: Iterable<Omit<LintName, "at">>;
  /**
   * With what the server holds, or the product's built-in entries, where the files declare nothing; a family is
   * absent where this is unknown.
   */
  readonly known: LintKnown;
  /** Whether a text in a list of permissions gives an action: by itself, or as the name of a group. */
  readonly gives: (text: string, action: string) => Verdict;
  /** What a text in a list of permissions comes to. `isSure`: no name in it is left that may be a group of the server. */
  readonly comesTo: (text: string) => { readonly patterns: readonly string[]; readonly isSure: boolean };
  /** Roles that internal users of the files or the server have of their own. */
  readonly heldByUsers: ReadonlySet<string>;
  /** The mapping members that lead to a role. */
  readonly membersTo: (role: string) => readonly Member[];
}

/** Strings of a kind, at all their places, except the plain names and patterns that nearly all are. */
export interface LintTexts {
  /** Every string in the lists of permissions of roles, once: few occur in thousands of roles. */
  readonly granted: { readonly cluster: ReadonlySet<string>; readonly indices: ReadonlySet<string> };
  readonly indexPatterns: readonly LintText[];
  readonly tenantPatterns: readonly LintText[];
  /** In lists of permissions. */
  readonly actions: readonly LintText[];
  /** Users, backend roles and hosts. */
  readonly principals: readonly LintText[];
}

export interface LintKnown {
  readonly groups: ReadonlyMap<string, Fields>;
  /** Empty where a server was read: the answer shows which groups are its own. */
  readonly builtinGroups: ReadonlyMap<string, Fields>;
  readonly tenants?: ReadonlySet<string>;
  readonly mappings?: ReadonlyMap<string, Fields>;
  /** Everybody who can log in. */
  readonly users?: ReadonlySet<string>;
  /** Every role that may use a group is known. */
  readonly roles?: ReadonlyMap<string, Fields>;
}

/** A string that is no secret, with its place. */
export interface LintText extends SourceRange {
  readonly value: string;
}

export interface LintName {
  readonly kind: "role" | "action group" | "tenant" | "user" | "backend role" | "host" | "node";
  readonly value: string;
  readonly at: SourceRange;
}

export interface LintRole {
  readonly name: string;
  readonly origin: SourceRange;
  readonly cluster: readonly LintText[];
  readonly indices: readonly LintPermission[];
  readonly tenants: readonly { readonly patterns: readonly LintText[]; readonly actions: readonly LintText[] }[];
}

export interface LintPermission {
  readonly role: string;
  readonly range: SourceRange;
  readonly patterns: readonly LintText[];
  readonly actions: readonly LintText[];
  /** Not empty; of a secret one only the place. */
  readonly dls?: SourceRange & { readonly value?: string };
  readonly fls: readonly LintText[];
  readonly masks: readonly LintText[];
}

export interface LintMapping {
  readonly name: string;
  readonly origin: SourceRange;
  readonly users: readonly LintText[];
  readonly backendRoles: readonly LintText[];
  readonly hosts: readonly LintText[];
}

export interface LintGroup {
  readonly name: string;
  readonly origin: SourceRange;
  readonly actions: readonly LintText[];
}

/** One text for one member of mappings, whatever role it leads to. */
export function getMemberKey({ field, entries }: Member): string {
  return `${field} ${entries.join("\0")}`;
}

/** Has it DLS, FLS or masked fields? */
export function isRestrictingReads({ dls, fls, masks }: LintPermission): boolean {
  return dls !== undefined || fls.length > 0 || masks.length > 0;
}
