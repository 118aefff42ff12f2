import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { findNearest } from "../diagnostics/suggest.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { findQueryFaults, showsAllByInvalidQuery } from "../dialects/dls-query.ts";
import { isOpenSearchBefore } from "../dialects/release.ts";
import { Secret } from "../json/secret.ts";
import type { Node } from "../model/node.ts";
import { findBreakingPattern, type PatternUse } from "./breaking-patterns.ts";
import { findMaskedFieldFault, findMissingGroup } from "./masked-field.ts";
import {
  type Check,
  checkBlankText,
  checkBrokenVariable,
  checkQuestionMark,
  checkSpacesAround,
  checkSuspiciousAction,
  checkTexts,
  checkWildcardUser,
  isUnresolved,
  memoiseChecks,
  suggestVariableFix,
} from "./text-checks.ts";
import { joinAllWithAnd } from "./wording.ts";
import { listIndexPermissions, listTenantPermissions, listTextsUnder, type WrittenPermission } from "./written.ts";

/** What all checks of one run know besides the entry. */
export interface CheckContext {
  readonly dialect: Dialect;
  readonly checks: Readonly<Record<TextUse, Check>>;
}

/** What a text is for; that decides what may be wrong with it. */
type TextUse = PatternUse | "users" | "tenantActions";

/** @param groups names of the action groups that the repository declares */
export function createCheckContext(dialect: Dialect, groups: ReadonlySet<string>): CheckContext {
  const blank = checkBlankText(dialect.refusesSpaces);
  const breaking = (use: PatternUse) => findBreakingPattern(dialect, use);
  const action = [blank, checkSuspiciousAction(groups)];
  const pattern = [blank, checkSpacesAround, checkBrokenVariable];
  const members = [...pattern, breaking("members")];
  // Where keys still cannot hold a dot, the question mark is what is meant.
  const indices = [...pattern, breaking("indices"), ...(dialect.documentTypes ? [] : [checkQuestionMark])];
  return {
    dialect,
    checks: {
      cluster: memoiseChecks(...action, breaking("cluster")),
      actions: memoiseChecks(...action, breaking("actions")),
      tenantActions: memoiseChecks(...action),
      group: memoiseChecks(...action, breaking("group")),
      indices: memoiseChecks(...indices),
      tenants: memoiseChecks(...pattern, breaking("tenants")),
      users: memoiseChecks(...members, checkWildcardUser),
      members: memoiseChecks(...members),
    },
  };
}

/** What the schemas cannot say of a role. */
export function checkRole(role: Node, { dialect, checks }: CheckContext): readonly Diagnostic[] {
  const indices = listIndexPermissions(role);
  const cluster = listTextsUnder(role, "cluster_permissions", "cluster", "exclude_cluster_permissions");
  const found = [
    ...checkTexts(cluster, checks.cluster),
    ...checkHalves(indices),
    ...findRoleQueryFaults(role, dialect),
  ];
  for (const permission of indices) {
    found.push(
      ...checkTexts(permission.actions, checks.actions),
      ...checkTexts(permission.patterns, checks.indices),
      ...checkRestrictions(permission, dialect),
      ...(dialect.documentTypes ? [] : typesUnited(permission)),
    );
  }
  for (const { actions, patterns } of listTenantPermissions(role)) {
    found.push(...checkTexts(actions, checks.tenantActions), ...checkTexts(patterns, checks.tenants));
  }
  return found;
}

function checkRestrictions({ dls, maskedFields }: WrittenPermission, { product }: Dialect): readonly Diagnostic[] {
  return [
    ...(dls ? checkTexts([dls], checkBrokenVariable) : []),
    ...checkTexts(maskedFields, (expression, range) => {
      const fault = findMaskedFieldFault(expression, product);
      const group = fault === undefined ? findMissingGroup(expression) : undefined;
      if (group !== undefined) {
        return [
          createDiagnostic(
            range,
            "bad-masked-field",
            {
              what: `${JSON.stringify(expression)} puts in ${group}, and its expression has no such group.`,
              why: "The server stores it, and fails over every search that finds a value which the expression matches.",
              fix: "Put in what a pair of parentheses matches, or write \\$ for the sign itself.",
            },
            "warning",
          ),
        ];
      }
      if (fault === undefined) return [];
      return [
        createDiagnostic(range, "bad-masked-field", {
          what: `${JSON.stringify(expression)} is no masking expression. ${fault}`,
          why: "The server refuses the whole role.",
          fix: "Write field, field::SHA-512 (or another digest), or field::/regex/::replacement.",
        }),
      ];
    }),
  ];
}

/** What no server can run, or none without a plugin of one's own, of the queries of a role. */
export function findRoleQueryFaults(role: Node, dialect: Dialect): readonly Diagnostic[] {
  return listIndexPermissions(role).flatMap(({ dls }) =>
    checkTexts(dls ? [dls] : [], (query, range) => {
      if (isUnresolved(query)) return [];
      const harm = describeHarm(dialect, query);
      return findQueryFaults(query, dialect).map(({ kind, what, fix }) =>
        createDiagnostic(
          range,
          kind === "unknown-name" ? "unknown-query" : "dls-not-json",
          {
            what,
            why:
              kind === "unread"
                ? "It looks as if it restricted what is seen, and restricts nothing."
                : kind === "unknown-name"
                  ? `Unless a plugin of your own brings it: ${harm.charAt(0).toLowerCase()}${harm.slice(1)}`
                  : harm,
            fix: suggestVariableFix(query) ?? fix,
          },
          kind === "unread" || (kind === "unknown-name" && !showsAllByInvalidQuery(dialect)) ? "warning" : "error",
        ),
      );
    }),
  );
}

/** From OpenSearch 3 on one with a variable is read when a request is made, and another one with the role. */
function describeHarm(dialect: Dialect, query: string): string {
  const isSinceThree =
    dialect.product === "opensearch" && !isOpenSearchBefore(dialect.release, "3.0.0") && !query.includes("${");
  if (isSinceThree && (query.trim() === "" || showsAllByInvalidQuery(dialect)))
    return "The server stores it, and shows every document of these indices to everybody who has the role.";
  return `The server stores it, and every search on these indices ${isSinceThree ? "fails or finds nothing" : "fails"}.`;
}

/** Patterns without actions, or actions without patterns; two neighbours that make up one are named together. */
function checkHalves(permissions: readonly WrittenPermission[]): readonly Diagnostic[] {
  const halves = permissions.map(({ patterns, actions }) => halfOf(patterns.length, actions.length));
  if (halves.every((half) => half === undefined)) return [];
  return permissions.flatMap(({ range, fields }, index) => {
    const half = halves[index];
    const [previous, next] = [halves[index - 1], halves[index + 1]];
    if (!half || (half === "actions" && previous === "patterns")) return [];
    const missing = half === "patterns" ? "allowed_actions" : "index_patterns";
    // A field that is nearly the one that is missing has a message of its own.
    if (fields.some(({ key }) => key !== missing && findNearest(key, [missing]))) return [];
    const split = half === "patterns" && next === "actions";
    const second = permissions[index + 1]?.range;
    return [
      createDiagnostic(range, "incomplete-index-permission", {
        what:
          half === "patterns"
            ? "An index permission has patterns but no actions."
            : "An index permission has actions but no patterns.",
        why: "It grants nothing.",
        fix: split
          ? "The next element has what is missing: take out its dash, if the two were meant as one."
          : `Add ${missing}, or take the element out.`,
        ...(split && second && { related: [{ range: second, what: "the other half" }] }),
      }),
    ];
  });
}

/** What there is of a permission that is only half there. */
function halfOf(patterns: number, actions: number): "patterns" | "actions" | undefined {
  if (patterns > 0 === actions > 0) return undefined;
  return patterns > 0 ? "patterns" : "actions";
}

function typesUnited({ range, patterns, documentTypes }: WrittenPermission): readonly Diagnostic[] {
  if (documentTypes.length === 0) return [];
  const types = documentTypes.flatMap(({ value }) => (value instanceof Secret || value === "*" ? [] : [value]));
  if (types.length === 0) return [];
  const where = patterns.map(({ value }) => String(value)).join(", ");
  return [
    createDiagnostic(documentTypes[0] ?? range, "document-types", {
      what: `The permission on ${where} for the document type${types.length > 1 ? "s" : ""} ${joinAllWithAnd(types)} holds for the whole index.`,
      why: "The product has no document types: what single types granted is united.",
      fix: "Check that no one sees more than is meant, and write * instead of the types.",
    }),
  ];
}
