import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { getMode, type Policies } from "../model/policy.ts";
import type { Repository } from "../model/repository.ts";

/**
 * What is wrong with internal users, as grave as its use: nothing that is only compared ends a run. A password that has no
 * value here is missed where it would be written, and nowhere else.
 */
export function weighUserDiagnostics(
  found: readonly Diagnostic[],
  { documents }: Repository,
  policies: Policies | undefined,
): readonly Diagnostic[] {
  const sections = documents.flatMap((document) =>
    document.sections.filter(({ family }) => family === "internal_users"),
  );
  if (sections.length === 0) return found;
  const areObserved = getMode("internal_users", policies) === "observe";
  return found.flatMap((one): readonly Diagnostic[] => {
    const { range, code, severity } = one;
    if (!range || !sections.some(({ node }) => holds(node, range))) return [one];
    if (code === "unset-secret") return [];
    return [areObserved && severity === "error" ? { ...one, severity: "warning" } : one];
  });
}

function holds(outer: SourceRange, inner: SourceRange): boolean {
  return outer.file === inner.file && outer.start <= inner.start && inner.end <= outer.end;
}
