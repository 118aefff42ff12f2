import type { AccessState } from "../access/model/state.ts";
import { isLiteral } from "../access/patterns/syntax.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { findUserNameFault } from "../dialects/internal-users.ts";
import { holdsServiceFlag } from "../families/credentials.ts";
import { type Fields, listTexts } from "../json/value.ts";
import { withoutForeignFields } from "./roles.ts";
import type { Converting, NoteWriter } from "./writing.ts";

/** An internal user with its roles under their new names; undefined where the other product cannot have it. */
export function convertUser(
  entry: { readonly name: string; readonly value: Fields; readonly serverOwned: boolean; readonly origin: SourceRange },
  context: Converting,
  note: NoteWriter,
): Fields | undefined {
  const { from, to, names, there, isRoleMissing } = context;
  const { name, value, serverOwned } = entry;
  if (serverOwned) {
    note("left", `It is the server's own (reserved): ${there} has its own, and what this one may do is lost.`);
    return undefined;
  }
  if (holdsServiceFlag(value) && from.dialect.product !== to.dialect.product) {
    note(
      "left",
      to.dialect.product === "opensearch"
        ? `Its attribute service makes it a service account in ${there}, which has no password: what this user may do is lost. Give the attribute another name first.`
        : `It is a service account, of which ${there} has none: what it may do is lost.`,
    );
    return undefined;
  }
  const fault = to.dialect.product === "opensearch" ? findUserNameFault(name, "opensearch") : undefined;
  if (fault !== undefined) {
    note("left", `${there} refuses names with ${fault}: what this user may do is lost.`);
    return undefined;
  }
  const [was, is] = [from.dialect.internalUsers?.roles, to.dialect.internalUsers?.roles];
  const { [was ?? ""]: roles, ...rest } = value;
  const kept = withoutForeignFields("internal_users", rest, context, note);
  if (was === undefined || listTexts(roles).length === 0) return kept;
  if (!isLiteral(name)) note("unknown", "Its name is a pattern, too: what it has by roles of its own is not compared.");
  const renamed = listTexts(roles).flatMap((role) => {
    if (!to.dialect.checksRoles || !isRoleMissing(role)) return [names.findRole(role, entry.origin).name];
    note("left", `There is no role ${role}: it gives nothing, and ${there} refuses it.`);
    return [];
  });
  if (is !== undefined) return { ...kept, [is]: renamed };
  note("left", `${there} has no roles of internal users: ${renamed.join(", ")}.`);
  return kept;
}

/** The same state with the roles of internal users as members of mappings: roles have other names in the other product. */
export function withMappedUsers(state: AccessState): AccessState {
  const { users } = state;
  if (users?.kind !== "known") return state;
  const mappings = new Map(state.mappings);
  for (const [name, { roles }] of users.byName) {
    // As a member of a mapping it would be a pattern.
    for (const role of isLiteral(name) ? roles : []) {
      const mapping = mappings.get(role) ?? {};
      mappings.set(role, { ...mapping, users: [...listTexts(mapping.users), name] });
    }
  }
  const byName = new Map([...users.byName].map(([name, user]) => [name, { ...user, roles: [] }]));
  return { ...state, mappings, users: { kind: "known", byName } };
}
