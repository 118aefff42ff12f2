// Where a file has an internal user: what is no map there may be a password.
import type { SourceFile } from "../diagnostics/source.ts";
import { credentialFields } from "../families/credentials.ts";
import { factsOf } from "../families/index.ts";
import { families, isResourceFamily, type ResourceFamily } from "../model/names.ts";
import { namedByUsers } from "./config-fields.ts";

/** Below it are names of internal users. */
export const usersFamily: ResourceFamily = "internal_users";

/** Whether the keys below this one are names that say nothing of a secret: a role may be called `token-reader`. */
export function hasChosenNames(key: string, isTop: boolean): boolean {
  return namedByUsers.has(key) || (isTop && key !== usersFamily && (isResourceFamily(key) || key === "personas"));
}

export function isNamedAsUsers({ path }: Pick<SourceFile, "path">): boolean {
  return /internal[_-]?users?[^/\\]*$/i.test(path);
}

/**
 * Whether a line begins an internal user.
 *
 * @param above the keys of the lines that it is indented below, the nearest first
 */
export function isUserLine(file: SourceFile, above: readonly string[]): boolean {
  const [key, ...more] = above;
  return key === undefined ? isNamedAsUsers(file) : key === usersFamily && more.every((top) => top === "overrides");
}

/** Whether a line is directly below the name of one, or may be, where items of lists are not indented. */
export function isInUser(file: SourceFile, [, ...above]: readonly string[]): boolean {
  return above.length < 3 && isUserLine(file, above);
}

/** Whether a line has a field of an internal user, or may have. */
export function hasFieldOfUser(file: SourceFile, above: readonly string[]): boolean {
  return isInUser(file, above) && !isUserLine(file, above) && !isNameOfSection(above[0] ?? "");
}

/** Beside the names of users, where a file has no section of them. */
export function isNameOfSection(key: string): boolean {
  return sections.has(key);
}

const sections: ReadonlySet<string> = new Set([
  ...families,
  ...["_meta", "_sg_meta", "_gate_meta", "overrides", "generate", "waivers", "personas", "access_tests"],
]);

/** Whether a field of an internal user is none that anybody knows: its value may be a password, under a name of its own. */
export function isUnknownOfUser(field: string): boolean {
  return !publicFields.has(field);
}

const publicFields: ReadonlySet<string> = new Set([
  ...Object.keys(factsOf.internal_users.fields).filter((field) => !credentialFields.includes(field)),
  ...["reserved", "hidden", "static", "readonly"],
]);
