import { type Fields, listTexts, type Value } from "../json/value.ts";
import { withoutForeignFields } from "./roles.ts";
import type { Converting, NoteWriter } from "./writing.ts";

/** A mapping that gives its role to the same principals in the other product. */
export function convertMapping(mapping: Fields, context: Converting, note: NoteWriter): Fields {
  const renamed = withAnonymous(withoutForeignFields("role_mappings", mapping, context, note), context, note);
  return withEverybody(renamed, context, note);
}

/** Who has not logged in has other names there. */
function withAnonymous(mapping: Fields, { from, to }: Converting, note: NoteWriter): Fields {
  const [was, is] = [from.semantics.anonymous, to.semantics.anonymous];
  if (was.user === is.user) return mapping;
  const rename = (list: Value | undefined, [old, now]: readonly [string, string]): readonly string[] =>
    listTexts(list).map((entry) => {
      if (entry !== old) return entry;
      note("changed", `${old} is written as ${now}: that is what users are called who have not logged in.`);
      return now;
    });
  return {
    ...mapping,
    ...(mapping.users !== undefined && { users: rename(mapping.users, [was.user, is.user]) }),
    ...(mapping.backend_roles !== undefined && {
      backend_roles: rename(mapping.backend_roles, [was.backendRole, is.backendRole]),
    }),
  };
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
