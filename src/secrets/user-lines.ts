// Where a file has an internal user: what is no map there may be a password.
import type { SourceFile } from "../diagnostics/source.ts";
import type { ResourceFamily } from "../model/names.ts";

/** Below it are names of internal users. */
export const usersFamily: ResourceFamily = "internal_users";

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
  return key === undefined ? isNamedAsUsers(file) : key === usersFamily && more.length === 0;
}

/** Whether a line is directly below the name of one, or may be, where items of lists are not indented. */
export function isInUser(file: SourceFile, [, ...above]: readonly string[]): boolean {
  return above.length < 2 && isUserLine(file, above);
}
