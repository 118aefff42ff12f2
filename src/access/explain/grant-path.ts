import type { SourceRange } from "../../diagnostics/source.ts";
import type { GrantPath } from "../../model/access.ts";
import type { GrantSource } from "../evaluate/permission.ts";
import type { Member } from "../model/subject.ts";

/** Why the subject has it: what an access diff and an answer to a question say alike. */
export function toGrantPath({ holding: { role, member }, pattern, granted }: GrantSource): GrantPath {
  return {
    member,
    role,
    ...(pattern !== undefined && { pattern }),
    groups: granted?.via ?? [],
    ...(granted && { permission: granted.pattern }),
  };
}

/** One step of a grant path, with its place in the files. */
export interface ChainStep {
  /** `itself`: a role that the user carries, by no mapping. `api_key`: what the key has of its own. */
  readonly kind: "itself" | "api_key" | "mapping" | "role" | "group" | "permission";
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

export function listChainSteps(source: GrantSource, places: Places): readonly ChainStep[] {
  return listPathSteps(toGrantPath(source), places);
}

export function listPathSteps(
  { member, role, pattern, groups, permission }: GrantPath,
  places: Places,
): readonly ChainStep[] {
  const [first = permission] = groups;
  const granted = [
    ...groups.map((name): ChainStep => ({ kind: "group", name, ...atPlace(places.group(name)) })),
    ...(permission === undefined ? [] : [{ kind: "permission", name: permission } as const]),
  ];
  const on = pattern === undefined ? {} : { on: pattern };
  if (member.field === "api_keys") return [{ kind: "api_key", name: member.entries.join(), ...on }, ...granted];
  const held: ChainStep =
    member.field === "itself"
      ? { kind: "itself", name: role, member }
      : { kind: "mapping", name: role, member, ...atPlace(places.member(role, member)) };
  return [
    held,
    {
      kind: "role",
      name: role,
      ...on,
      ...atPlace(places.grant(role, first, pattern)),
    },
    ...granted,
  ];
}

function atPlace(place: SourceRange | undefined): { readonly place?: SourceRange } {
  return place ? { place } : {};
}
