import { buildDeclaredAccess } from "../../access/model/states.ts";
import { memoiseByObject } from "../../json/memoise.ts";
import type { CheckedFiles } from "../pipeline/checked-files.ts";

/** By the files and built-in entries, once for each check. */
export const getDeclaredAccess = memoiseByObject(({ declared, dialect }: CheckedFiles) =>
  buildDeclaredAccess(declared, dialect),
);
