import type { SourceRange } from "../../diagnostics/source.ts";
import type { Granted } from "../groups.ts";
import type { Holding } from "../holders.ts";
import type { Way } from "../subject.ts";

/** One link of what leads from somebody to a permission. */
export interface Step {
  /** `itself`: a role that the user carries, by no mapping. */
  readonly kind: "itself" | "mapping" | "role" | "group" | "permission";
  readonly name: string;
  /** Of a mapping: the entry that gives the role. */
  readonly way?: Way;
  /** Of a role: the pattern of indices or tenants for which it grants something. */
  readonly on?: string;
  /** Where it is declared; absent for what is on a server, or what a product came with. */
  readonly place?: SourceRange;
}

/** Finds where things are declared. */
export interface Places {
  readonly way: (role: string, way: Way) => SourceRange | undefined;
  /** What a role says of one permission: its text, and for which pattern. */
  readonly grant: (role: string, text: string | undefined, pattern: string | undefined) => SourceRange | undefined;
  readonly group: (name: string) => SourceRange | undefined;
  readonly block: (name: string) => SourceRange | undefined;
}

/** What lies on a server is declared nowhere. */
export const nowhere: Places = {
  way: () => undefined,
  grant: () => undefined,
  group: () => undefined,
  block: () => undefined,
};

interface Led {
  readonly holding: Holding;
  readonly pattern?: string;
  readonly granted?: Granted;
}

export function stepsOf({ holding, pattern, granted }: Led, places: Places): readonly Step[] {
  const { role, way } = holding;
  const [first = granted?.pattern] = granted?.via ?? [];
  const held: Step =
    way.field === "itself"
      ? { kind: "itself", name: role, way }
      : { kind: "mapping", name: role, way, ...placed(places.way(role, way)) };
  return [
    held,
    {
      kind: "role",
      name: role,
      ...(pattern !== undefined && { on: pattern }),
      ...placed(places.grant(role, first, pattern)),
    },
    ...(granted?.via ?? []).map((name): Step => ({ kind: "group", name, ...placed(places.group(name)) })),
    ...(granted ? [{ kind: "permission", name: granted.pattern } as const] : []),
  ];
}

function placed(place: SourceRange | undefined): { readonly place?: SourceRange } {
  return place ? { place } : {};
}
