import { memoiseByObject } from "../../json/memoise.ts";
import type { Fields } from "../../json/value.ts";
import type { Dialect } from "../dialect.ts";
import { getBuild } from "../release.ts";
import { buildFlxBuiltins } from "./flx.ts";
import { buildOpenSearchBuiltins } from "./opensearch.ts";
import { buildSearchGuard6Builtins } from "./search-guard-6.ts";
import { buildSearchGuard7Builtins } from "./search-guard-7.ts";
import { buildSearchGuard753Builtins } from "./search-guard-7-53.ts";
import { type BuiltinFamily, type BuiltinSource, canonicaliseBuiltins } from "./source.ts";

/** What a server came with, canonical, without descriptions: static, reserved, or of Search Guard 6's first configuration. */
export type Builtins = Readonly<Record<BuiltinFamily, ReadonlyMap<string, Fields>>>;

/** A family is built when it is first asked for: one who keeps the answer pays once. */
export function createBuiltins(dialect: Dialect): Builtins {
  const written = once(() => buildBuiltinSource(dialect));
  const family = (name: BuiltinFamily) => once(() => canonicaliseBuiltins(dialect, written(), name));
  const [groups, roles, mappings, tenants] = [
    family("action_groups"),
    family("roles"),
    family("role_mappings"),
    family("tenants"),
  ];
  return {
    get action_groups() {
      return groups();
    },
    get roles() {
      return roles();
    },
    get role_mappings() {
      return mappings();
    },
    get tenants() {
      return tenants();
    },
  };
}

/**
 * Roles that a server may come with though it lists none of them: the documentation of `gate` names no built-in role, and
 * does not say that there is none. None for the other products, which list theirs.
 */
export const findUnlistedRoles = memoiseByObject(
  (dialect: Dialect): ReadonlyMap<string, Fields> =>
    dialect.product === "gate" ? createBuiltins(dialect).roles : new Map(),
);

/** The build from which on the sources of Search Guard 7 are those of 7.x-53, as far as is known. */
const laterSeven = 45;

/** `gate` has what the Search Guard of the same line has; where only the line is known, it is its newest release. */
export function buildBuiltinSource({ product, release }: Dialect): BuiltinSource {
  if (product === "opensearch") return buildOpenSearchBuiltins(release);
  if (release.startsWith("6")) return buildSearchGuard6Builtins();
  if (release === "FLX") return buildFlxBuiltins();
  return (getBuild(release) ?? Number.POSITIVE_INFINITY) < laterSeven
    ? buildSearchGuard7Builtins()
    : buildSearchGuard753Builtins();
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
