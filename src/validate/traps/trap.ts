import type { Way } from "../../access/subject.ts";
import type { Verdict } from "../../access/verdict.ts";
import type { TrapCode } from "../../diagnostics/catalogue.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { Judging } from "../../dialects/judging.ts";
import type { Fields } from "../../json/value.ts";

/** A declaration that means something else than its author can have meant, on all servers or on some. */
export interface Trap {
  readonly code: TrapCode;
  /** Where it can be met at all; absent: on every product. */
  readonly where?: (judging: Judging) => boolean;
  /**
   * What may bring it about though the files do not show it. `meanings`: a name in a list of permissions may be a group
   * that only a server has. `others`: roles and mappings that are not among the files. Absent: nothing; what is held
   * besides can only take it away.
   */
  readonly goesBy?: "meanings" | "others";
  readonly find: (state: TrapState) => readonly Diagnostic[];
}

/** What is declared, as it was written, with what it comes to. Entries of the server's own, and copies of them, are left out. */
export interface TrapState extends Texts {
  readonly dialect: Dialect;
  readonly judging: Judging;
  readonly roles: readonly TrapRole[];
  readonly mappings: readonly TrapMapping[];
  readonly groups: readonly TrapGroup[];
  /** With what the server holds, or its product ships, where nobody declares it; a family is absent where nobody can know. */
  readonly known: Known;
  /** Whether a text in a list of permissions gives an action: by itself, or as the name of a group. */
  readonly gives: (text: string, action: string) => Verdict;
  /** What a text in a list of permissions comes to. `isSure`: no name in it is left that may be a group of the server. */
  readonly comesTo: (text: string) => { readonly patterns: readonly string[]; readonly isSure: boolean };
  /** The ways that lead to a role. */
  readonly waysTo: (role: string) => readonly Way[];
}

/** Those of a kind, wherever they stand, that are not the plain names and patterns which nearly all are. */
export interface Texts {
  /** Every text in the lists of permissions of roles, once: few stand in thousands of them. */
  readonly granted: { readonly cluster: ReadonlySet<string>; readonly indices: ReadonlySet<string> };
  readonly indexPatterns: readonly Text[];
  readonly tenantPatterns: readonly Text[];
  /** In lists of permissions. */
  readonly actions: readonly Text[];
  /** Users, backend roles and hosts. */
  readonly principals: readonly Text[];
}

export interface Known {
  readonly groups: ReadonlyMap<string, Fields>;
  /** Empty where a server was read: it tells which groups are its own. */
  readonly shippedGroups: ReadonlyMap<string, Fields>;
  readonly tenants?: ReadonlySet<string>;
  readonly mappings?: ReadonlyMap<string, Fields>;
  /** Every role that may use a group is known. */
  readonly roles?: ReadonlyMap<string, Fields>;
}

/** A text that is not secret, where it stands. */
export interface Text extends SourceRange {
  readonly value: string;
}

export interface TrapRole {
  readonly name: string;
  readonly origin: SourceRange;
  readonly cluster: readonly Text[];
  readonly indices: readonly TrapPermission[];
  readonly tenants: readonly { readonly patterns: readonly Text[]; readonly actions: readonly Text[] }[];
}

export interface TrapPermission {
  readonly role: string;
  readonly range: SourceRange;
  readonly patterns: readonly Text[];
  readonly actions: readonly Text[];
  /** Not empty; of a secret one only the place. */
  readonly dls?: SourceRange & { readonly value?: string };
  readonly fls: readonly Text[];
  readonly masks: readonly Text[];
}

export interface TrapMapping {
  readonly name: string;
  readonly users: readonly Text[];
  readonly backendRoles: readonly Text[];
  readonly hosts: readonly Text[];
}

export interface TrapGroup {
  readonly name: string;
  readonly origin: SourceRange;
  readonly actions: readonly Text[];
}

/** The same for the same entry of a mapping, whatever role it leads to. */
export function keyOf({ field, entries }: Way): string {
  return `${field} ${entries.join("\0")}`;
}
