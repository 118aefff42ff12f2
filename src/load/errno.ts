const words: Readonly<Record<string, string>> = {
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  ENOENT: "it does not exist, or is a symbolic link to something that does not",
  ENOTDIR: "a part of its path is no folder",
  EISDIR: "it is a folder",
  ELOOP: "its symbolic links form a loop",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "its name is too long",
  EIO: "the disk reports an error",
};

/** `ENOENT` and the like; undefined for an error that no system call made. */
export function getErrno(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** `permission is denied (EACCES)` */
export function formatErrno(error: unknown): string {
  const errno = getErrno(error);
  if (errno === undefined) return error instanceof Error ? error.message : String(error);
  const known = words[errno];
  return known === undefined ? errno : `${known} (${errno})`;
}
