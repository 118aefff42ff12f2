// What each entry of a state is called in the other product, and which built-in ones have to be written out there.
import type { GroupExpander } from "../access/model/groups.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { BuiltinFamily } from "../dialects/builtin/source.ts";
import { type Fields, isEqual } from "../json/value.ts";
import type { DesiredResource, DesiredState } from "../model/desired.ts";
import {
  type Equivalent,
  findEquivalentGroup,
  findEquivalentRole,
  findEquivalentTenant,
  isBuiltinThere,
  type ProductSide,
} from "./equivalents.ts";

type NamedFamily = Exclude<BuiltinFamily, "role_mappings">;

/** A name of the source in the other product. */
export type NewName =
  /** An entry of the user's own. */
  | { readonly kind: "own"; readonly name: string }
  /** The other product comes with it. */
  | { readonly kind: "built-in"; readonly name: string }
  /** The source comes with it, and the other product has nothing that grants as much. */
  | { readonly kind: "written-out"; readonly name: string }
  /** The source has no such entry: what it is called is all that is known. */
  | { readonly kind: "undefined"; readonly name: string };

export interface NewNames {
  readonly find: (family: NamedFamily, name: string) => NewName;
  /** Built-in roles of the source that are to be entries of the other state, each with what they are called there. */
  readonly writtenOut: ReadonlyMap<string, { readonly name: string; readonly origin: SourceRange }>;
  /** Finds the name of a role that something declared is about. */
  readonly findRole: (name: string, origin: SourceRange) => NewName;
  /** What the source comes with, by content and not by name alone. */
  readonly isBuiltin: (family: BuiltinFamily, entry: Pick<DesiredResource, "name" | "value">) => boolean;
}

export interface ConversionSides {
  readonly from: ProductSide;
  readonly to: ProductSide;
  /** By all groups of the source, declared and built-in. */
  readonly expand: GroupExpander;
  /** Only built-in entries that grant the same take the place of others. */
  readonly isExact: boolean;
}

export function createNewNames({ resources }: DesiredState, { from, to, expand, isExact }: ConversionSides): NewNames {
  const writtenOut = new Map<string, { readonly name: string; readonly origin: SourceRange }>();
  const known = new Map<string, NewName>();
  const taken = new Set<string>();
  const isBuiltin: NewNames["isBuiltin"] = (family, { name, value }) => {
    const builtin = from.builtin[family].get(name);
    return builtin !== undefined && isEqual(withoutDescription(builtin), withoutDescription(value));
  };
  const pickFreeName = (family: NamedFamily, name: string): string => {
    const isFree = (one: string): boolean =>
      !to.builtin[family].has(one) &&
      !taken.has(`${family}/${one}`) &&
      (one === name || (resources.get(family)?.get(one) === undefined && !from.builtin[family].has(one)));
    let free = name;
    for (let number = 1; !isFree(free); number++) free = `${name}_converted${number === 1 ? "" : `_${number}`}`;
    taken.add(`${family}/${free}`);
    return free;
  };
  const isTakenThere = (tenant: string): boolean =>
    tenant !== from.semantics.globalTenant && to.builtin.tenants.has(tenant);
  const resolve = (family: NamedFamily, name: string): NewName => {
    const declared = resources.get(family)?.get(name);
    const isOfSource = from.builtin[family].has(name) && (!declared || isBuiltin(family, declared));
    const equivalent = isOfSource ? finders[family](from, to, name) : undefined;
    if (equivalent?.isEqual || (equivalent?.grantsAll && !isExact)) return { kind: "built-in", name: equivalent.name };
    if (declared && family !== "tenants" && isBuiltinThere(family, declared, { from, to, expand }))
      return { kind: "built-in", name };
    if (declared) return { kind: "own", name: pickFreeName(family, name) };
    // Where roles name tenants that nobody declares, one may be called like the other product's own.
    if (family === "tenants" && !isOfSource && from.semantics.tenantsAreNames && isTakenThere(name))
      return { kind: "own", name: pickFreeName(family, name) };
    if (!isOfSource) return { kind: "undefined", name };
    // Of a family that is not declared nothing is written: all else that a server has of it would be deleted.
    if (family === "roles" && !resources.has("roles") && equivalent) return { kind: "built-in", name: equivalent.name };
    return { kind: "written-out", name: pickFreeName(family, name) };
  };
  const find = (family: NamedFamily, name: string): NewName => {
    const key = `${family}/${name}`;
    const found = known.get(key) ?? resolve(family, name);
    known.set(key, found);
    return found;
  };
  return {
    find,
    writtenOut,
    isBuiltin,
    findRole(name, origin) {
      const found = find("roles", name);
      if (found.kind === "written-out" && !writtenOut.has(name)) writtenOut.set(name, { name: found.name, origin });
      return found;
    },
  };
}

type EquivalentFinder = (from: ProductSide, to: ProductSide, name: string) => Equivalent | undefined;

const finders: Readonly<Record<NamedFamily, EquivalentFinder>> = {
  action_groups: findEquivalentGroup,
  roles: findEquivalentRole,
  tenants: findEquivalentTenant,
};

function withoutDescription({ description: _, ...rest }: Fields): Fields {
  return rest;
}
