import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { getMode, isOptIn, type Policies } from "../model/policy.ts";
import type { Repository } from "../model/repository.ts";

/**
 * What is wrong with families that are opt-in, as grave as its use: nothing that is only compared ends a run. A password of
 * an internal user that has no value here is missed where it would be written, and nowhere else.
 */
export function weighOptInDiagnostics(
  found: readonly Diagnostic[],
  { documents }: Repository,
  policies: Policies | undefined,
): readonly Diagnostic[] {
  const sections = documents.flatMap((document) => document.sections.filter(({ family }) => isOptIn(family)));
  if (sections.length === 0) return found;
  return found.flatMap((one): readonly Diagnostic[] => {
    const { range, code, severity } = one;
    const section = range && sections.find(({ node }) => holds(node, range));
    if (!section) return [one];
    if (section.family === "internal_users" && code === "unset-secret") return [];
    // Who may change the files tries to have one read that is not theirs: that is no matter of what is compared.
    const isAttempt = code === "outside-repository";
    const isObserved = getMode(section.family, policies) === "observe";
    return [isObserved && severity === "error" && !isAttempt ? { ...one, severity: "warning" } : one];
  });
}

function holds(outer: SourceRange, inner: SourceRange): boolean {
  return outer.file === inner.file && outer.start <= inner.start && inner.end <= outer.end;
}
