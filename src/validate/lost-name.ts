import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { getNoun } from "../families/index.ts";
import type { DeclaredFields } from "./completeness.ts";

/** A name that the product takes for something of its own: it answers that the entry is written, and stores nothing. */
export function findLostName(
  { family, name, origin }: Pick<DeclaredFields, "family" | "name" | "origin">,
  { product, release, namesLost }: Dialect,
): readonly Diagnostic[] {
  if (!namesLost?.has(name)) return [];
  return [
    createDiagnostic(origin, "lost-name", {
      what: `${product} ${release} loses every ${getNoun(family)} that is named ${JSON.stringify(name)}.`,
      why: "The server answers that it is written, and stores nothing. Whether it still reads one that an earlier release stored, and keeps it at the next write of this type, is unknown.",
      fix: "Give it another name, here and where it is referred to.",
    }),
  ];
}
