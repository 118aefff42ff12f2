import type { SourceRange } from "../../diagnostics/source.ts";
import type { ExpandedPermission } from "../model/groups.ts";
import type { Holding } from "../model/holders.ts";
import type { Member } from "../model/subject.ts";

/** One link of the chain from a principal to a permission. */
export interface ChainStep {
  /** `itself`: a role that the user carries, by no mapping. */
  readonly kind: "itself" | "mapping" | "role" | "group" | "permission";
  readonly name: string;
  /** Of a mapping: the entry that gives the role. */
  readonly member?: Member;
  /** Of a role: the pattern of indices or tenants for which it grants something. */
  readonly on?: string;
  /** Where it is declared; absent for what is on a server, or what a product came with. */
  readonly place?: SourceRange;
}

/** Finds where things are declared. */
export interface Places {
  readonly member: (role: string, member: Member) => SourceRange | undefined;
  /** What a role says of one permission: its text, and for which pattern. */
  readonly grant: (role: string, text: string | undefined, pattern: string | undefined) => SourceRange | undefined;
  readonly group: (name: string) => SourceRange | undefined;
  readonly block: (name: string) => SourceRange | undefined;
}

/** What lies on a server is declared nowhere. */
export const nowhere: Places = {
  member: () => undefined,
  grant: () => undefined,
  group: () => undefined,
  block: () => undefined,
};

interface Led {
  readonly holding: Holding;
  readonly pattern?: string;
  readonly granted?: ExpandedPermission;
}

export function listChainSteps({ holding, pattern, granted }: Led, places: Places): readonly ChainStep[] {
  const { role, member } = holding;
  const [first = granted?.pattern] = granted?.via ?? [];
  const held: ChainStep =
    member.field === "itself"
      ? { kind: "itself", name: role, member }
      : { kind: "mapping", name: role, member, ...placed(places.member(role, member)) };
  return [
    held,
    {
      kind: "role",
      name: role,
      ...(pattern !== undefined && { on: pattern }),
      ...placed(places.grant(role, first, pattern)),
    },
    ...(granted?.via ?? []).map((name): ChainStep => ({ kind: "group", name, ...placed(places.group(name)) })),
    ...(granted ? [{ kind: "permission", name: granted.pattern } as const] : []),
  ];
}

function placed(place: SourceRange | undefined): { readonly place?: SourceRange } {
  return place ? { place } : {};
}
