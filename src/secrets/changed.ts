import { Secret } from "../json/secret.ts";
import { collectSecrets, type KnownSecrets } from "../json/slots.ts";
import { type Fields, holdsSecret, isList, isObject } from "../json/value.ts";
import { type Change, isPending } from "../model/change.ts";
import type { DesiredState } from "../model/desired.ts";
import { type Address, createAddress, type Family, isResourceFamily } from "../model/names.ts";
import { redactChange } from "./redact.ts";

/** The secrets of changed entries, by their values: a server may show them as plain text. */
export function findChangedSecrets(changes: readonly Change[], desired: DesiredState): KnownSecrets {
  const pending = changes.filter(isPending);
  return collectSecrets(
    pending.flatMap((change) => {
      const redacted = redactChange(change);
      const { edits, before, after } = redacted;
      const wanted = getDesiredValue(desired, change.family, change.name);
      // Of thousands of changes nearly none holds a secret.
      if (redacted === change) return wanted === undefined || wanted === after ? [] : [wanted];
      const values = [wanted, after, before, ...edits.flatMap((edit) => [edit.after, edit.before])];
      return values.filter((value) => value !== undefined);
    }),
  );
}

/** Addresses whose change gives the server a secret that it does not hold yet. */
export function findSecretChanges(changes: readonly Change[]): readonly Change[] {
  return changes.filter(
    (change) =>
      isPending(change) && redactChange(change).edits.some(({ after }) => after !== undefined && holdsSecret(after)),
  );
}

/**
 * Roles that a plan leaves as they are, and of which the repository keeps a query secret.
 *
 * @param declared all that the files declare, of whichever families the plan is
 */
export function findSecretRoles(changes: readonly Change[], declared: DesiredState): readonly Address[] {
  const roles = changes.filter(({ family }) => family === "roles");
  const pending = new Set(roles.filter(isPending).map(({ name }) => name));
  return [...(declared.resources.get("roles") ?? [])]
    .filter(([name, { value }]) => hasSecretQuery(value) && !pending.has(name))
    .map(([name]) => createAddress("roles", name));
}

function hasSecretQuery({ index_permissions: elements }: Fields): boolean {
  return isList(elements) && elements.some((element) => isObject(element) && element.dls instanceof Secret);
}

/** What is declared under an address, in canonical form. */
export function getDesiredValue(
  { resources, config, license }: DesiredState,
  family: Family,
  name: string,
): Fields | undefined {
  if (isResourceFamily(family)) return resources.get(family)?.get(name)?.value;
  return family === "config" ? config?.value : license && { text: license.text };
}
