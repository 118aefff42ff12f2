import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Field } from "../families/facts.ts";
import { factsOf, getNoun } from "../families/index.ts";
import { type Family, isResourceFamily, type ResourceFamily, resourceFamilies } from "../model/names.ts";

/** Where a field belongs that is unknown at its place. */
export interface Owner {
  /** In a sentence: `roles`, `the index permissions of roles`. */
  readonly where: string;
  /** It belongs to the same family, at another level. */
  readonly sameFamily: boolean;
}

const elsewhere: Readonly<Record<string, string>> = {
  names: "roles of another product, the security of Elasticsearch itself",
  privileges: "roles of another product, the security of Elasticsearch itself",
  run_as: "roles of another product, the security of Elasticsearch itself",
  field_security: "roles of another product, the security of Elasticsearch itself",
};

/** The family that has the field, for one in an entry of `family`; undefined where none has. */
export function findOwner(field: string, family: Family): Owner | undefined {
  const here = isResourceFamily(family) ? ownerWithin(field, family) : undefined;
  if (here !== undefined) return { where: here, sameFamily: true };
  const owners = resourceFamilies.flatMap((other) => (other === family ? [] : (ownerWithin(field, other) ?? [])));
  if (owners.length > 0) return { where: owners.join(" and "), sameFamily: false };
  return Object.hasOwn(elsewhere, field) ? { where: elsewhere[field] as string, sameFamily: false } : undefined;
}

function ownerWithin(field: string, family: ResourceFamily): string | undefined {
  const { fields, sixWords } = factsOf[family];
  const nouns = getNoun(family, 2);
  if (Object.hasOwn(fields, field) || sixWords?.includes(field)) return nouns;
  const parent = Object.entries(fields).find(([, { element }]) => hasField(element, field));
  return parent && `the elements of ${parent[0]} in ${nouns}`;
}

function hasField(element: Readonly<Record<string, Field>> | undefined, field: string): boolean {
  return element !== undefined && Object.hasOwn(element, field);
}

const expiry = "No server reads it: the entry does not expire, and the field is not sent.";
const wholeRole = "Restrictions of a whole role went with 5.x; they belong to single index permissions.";

/** Why a field of early releases is no more; undefined for any other. */
export function explainRetirement(field: string, family: Family): string | undefined {
  if (field === "expires") return expiry;
  if (family !== "roles") return undefined;
  if (field === "dls" || field === "fls") return wholeRole;
  return field === "applications" ? "Permissions for applications were never carried over to 7.x." : undefined;
}

/** What a product has, and gate-sync does not evaluate; undefined for any other field. */
export function explainUnmanagedField(
  field: string,
  family: Family,
): Pick<Diagnostic, "what" | "why" | "fix"> | undefined {
  if (family !== "role_mappings" || field !== "ips") return undefined;
  return {
    what: 'Role mappings have a field "ips" in Search Guard FLX alone, and gate-sync does not evaluate it.',
    why: "It gives the role by addresses: who has it would be unknown. Other servers refuse the field.",
    fix: "For FLX, write accept_fields: [ips] for the target: it is compared and written as it is. Else write hosts, or take it out.",
  };
}
