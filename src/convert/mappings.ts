import type { AccessState } from "../access/model/state.ts";
import { matchesPattern } from "../access/patterns/matches.ts";
import type { Semantics } from "../dialects/semantics.ts";
import { type Fields, listTexts, type Value } from "../json/value.ts";
import { withoutForeignFields } from "./roles.ts";
import type { Converting, NoteWriter } from "./writing.ts";

/** A mapping that gives its role to the same principals in the other product. */
export function convertMapping(mapping: Fields, context: Converting, note: NoteWriter): Fields {
  const renamed = withAnonymous(withoutForeignFields("role_mappings", mapping, context, note), context, note);
  return withEverybody(renamed, context, note);
}

/** Who has not logged in has other names there. */
function withAnonymous(mapping: Fields, { from, to, there }: Converting, note: NoteWriter): Fields {
  const [was, is] = [from.semantics.anonymous, to.semantics.anonymous];
  if (was.user === is.user) return mapping;
  for (const [list, old, now] of [
    [mapping.users, was.user, is.user],
    [mapping.backend_roles, was.backendRole, is.backendRole],
  ] as const) {
    for (const entry of listTexts(list)) {
      if (entry === old)
        note("changed", `${old} is written as ${now}: that is what users are called who have not logged in.`);
      else if (addsName(entry, old, now))
        note(
          "changed",
          `${entry} matches ${old}: ${now}, as who has not logged in is called in ${there}, is written besides.`,
        );
      else if (addsName(entry, now, old))
        note("changed", `${entry} matches ${now}: in ${there}, who has not logged in is called so.`);
    }
  }
  return renameAnonymous(mapping, was, is);
}

/** A mapping of the same principals, where who has not logged in has other names. */
function renameAnonymous(mapping: Fields, was: AnonymousNames, is: AnonymousNames): Fields {
  const rename = (list: Value | undefined, old: string, now: string): readonly string[] => [
    ...new Set(
      listTexts(list).flatMap((entry) => {
        if (entry === old) return [now];
        return addsName(entry, old, now) ? [entry, now] : [entry];
      }),
    ),
  ];
  const { users, backend_roles: roles } = mapping;
  return {
    ...mapping,
    ...(users !== undefined && { users: rename(users, was.user, is.user) }),
    ...(roles !== undefined && { backend_roles: rename(roles, was.backendRole, is.backendRole) }),
  };
}

type AnonymousNames = Semantics["anonymous"];

function addsName(entry: string, old: string, now: string): boolean {
  return matchesPattern(entry, old) === "yes" && matchesPattern(entry, now) !== "yes";
}

/** The state with who has not logged in under the names of another product: principals are compared by their names. */
export function withAnonymousOf(state: AccessState, is: AnonymousNames): AccessState {
  const { anonymous: was } = state.semantics;
  if (was.user === is.user) return state;
  const mappings = new Map([...state.mappings].map(([role, mapping]) => [role, renameAnonymous(mapping, was, is)]));
  return { ...state, mappings };
}

/** `*` among backend roles matches users without any backend role in one product, and not in the other. */
function withEverybody(mapping: Fields, { from, to, here, there }: Converting, note: NoteWriter): Fields {
  const [was, is] = [from.semantics.starMatchesNoBackendRole, to.semantics.starMatchesNoBackendRole];
  const { backend_roles: roles, and_backend_roles: together, users } = mapping;
  if (was === is || ![roles, together].some((list) => listTexts(list).includes("*"))) return mapping;
  if (is) {
    note("changed", `The backend role * is written as **: by * ${there} takes users without any backend role, too.`);
    const written = (list: Value | undefined) => listTexts(list).map((entry) => (entry === "*" ? "**" : entry));
    return {
      ...mapping,
      ...(roles !== undefined && { backend_roles: written(roles) }),
      ...(together !== undefined && { and_backend_roles: written(together) }),
    };
  }
  const others = (list: Value | undefined) => listTexts(list).filter((entry) => entry !== "*");
  const isOfAll = listTexts(roles).includes("*") || (listTexts(together).length > 0 && others(together).length === 0);
  note(
    "changed",
    isOfAll
      ? `The backend role * is written as the user *: ${here} takes users without any backend role for it, too.`
      : `The backend role * is left out of and_backend_roles: in ${here} every user meets it.`,
  );
  return {
    ...mapping,
    ...(roles !== undefined && { backend_roles: others(roles) }),
    ...(together !== undefined && { and_backend_roles: others(together) }),
    ...(isOfAll && { users: [...new Set([...listTexts(users), "*"])] }),
  };
}
