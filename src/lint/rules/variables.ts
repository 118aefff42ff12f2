import { getBuild } from "../../dialects/release.ts";
import { isVariable } from "../../dialects/semantics.ts";
import { isUnresolved } from "../../validate/text-checks.ts";
import type { LintFinding, LintRule, LintState, LintText } from "../rule.ts";

/** Servers replace variables in index patterns and queries, and hardly anywhere else. */
export const variableNotReplaced: LintRule = {
  code: "variable-not-replaced",
  find: (state) => [
    ...withVariables(state.actions).flatMap((text) =>
      notReplaced(text, "in permissions", "the permission grants nothing"),
    ),
    ...withVariables(state.principals).flatMap((text) => notReplaced(text, "in role mappings", "it matches no user")),
    ...fields(state).flatMap((text) => notReplaced(text, "in names of fields", "no field has that name")),
    ...withVariables(state.tenantPatterns)
      .filter((text) => !isKnown(text, tenantVariablesOf(state, text), state))
      .flatMap((text) => notReplaced(text, "in tenant patterns", "it matches no tenant")),
    ...withVariables(state.indexPatterns)
      .filter((text) => !isKnown(text, variablesOf(state), state))
      .flatMap(
        (text) => roleList(text, state.semantics) ?? notReplaced(text, "in index patterns", "it matches no index"),
      ),
    ...queries(state)
      .filter((text) => isEscaped(text, state) || !isKnown(text, [...variablesOf(state), ...queryVariables], state))
      .flatMap((text) => notReplaced(text, "in queries", describeLiteral(state))),
  ],
};

/** A value is put into an expression as it is: one such as `a(b`, or none, makes it one that Java refuses. */
export const variableInExpression: LintRule = {
  code: "variable-in-expression",
  find: ({ indexPatterns, semantics, dialect }) =>
    indexPatterns
      .filter(({ value }) => /^\/.*\$\{.*\/$/s.test(value) && !isUnresolved(value))
      .filter(({ value }) => variablesIn(value).some((name) => isVariable(name, semantics.variables)))
      .map(({ value, ...at }) => ({
        at,
        what: `The expression ${value} has a variable in it.`,
        why: `Values are put in as they are. One such as "a(b" or "*", and an attribute that a user lacks, make it an expression that Java refuses: ${describeFailure(dialect, semantics)}.`,
        fix: "Write a pattern with *, such as logs-${attr.internal.dept}-*, or a role for each value.",
      })),
};

function describeFailure({ product }: LintState["dialect"], { refusedExpressions }: LintState["semantics"]): string {
  if (!refusedExpressions) return "what the server does then was not tried";
  if (refusedExpressions.alwaysOnIndices)
    return "the server then answers 500 to every request of that user about an index";
  const all = product === "opensearch" && refusedExpressions.cluster.length > 0 ? "every request" : "requests";
  return `the server then answers 500 to ${all} of that user where DLS, FLS or masking applies, and it matches nothing elsewhere`;
}

/** `${user.name}` is replaced by the name as it is: a user who is called `*` makes a wildcard of it. */
export const chosenName: LintRule = {
  code: "chosen-name",
  goesBy: "others",
  find: ({ roles, mappings, indexPatterns }) => {
    if (!indexPatterns.some(({ value }) => value.includes("${user"))) return [];
    const named = roles.flatMap(({ name, indices }) => {
      for (const { patterns } of indices) {
        const pattern = patterns.find(({ value }) => value.includes("${user") && /\$\{user[._]name\}/.test(value));
        if (pattern) return [[name, pattern] as const];
      }
      return [];
    });
    if (named.length === 0) return [];
    const mappingOf = new Map(mappings.map((mapping) => [mapping.name, mapping]));
    return named.flatMap(([name, pattern]) => {
      const { users = [], backendRoles = [], hosts = [] } = mappingOf.get(name) ?? {};
      const wideMember = [...users, ...backendRoles, ...hosts].find(({ value }) => /[*?]|^\/.*\/$/s.test(value));
      if (!wideMember) return [];
      return [
        {
          at: pattern,
          what: `The name of the user becomes part of a pattern here, and the role is mapped to ${JSON.stringify(wideMember.value)}.`,
          why: `Names are put in literally: ${describeWidest(pattern.value)}.`,
          fix: "Check that no login lets users choose names with * or ?, or map the role to users by their names.",
          related: [{ range: wideMember, what: "the mapping" }],
        },
      ];
    });
  },
};

/** What a user gets who chooses the name that allows the most. */
function describeWidest(pattern: string): string {
  const name = /^\/.*\/$/s.test(pattern) ? ".*" : "*";
  const widest = pattern.replace(/\$\{user[._]name\}/g, () => name);
  const gets = widest === "*" ? "every index" : `the indices that match ${JSON.stringify(widest)}`;
  return `a user who can choose a name, and chooses "${name}", gets ${gets}`;
}

/** Variables that servers replace in queries only; `user.securityRoles` on OpenSearch alone. */
const queryVariables = ["user.name", "user_name", "user.roles", "user_roles", "user.securityRoles", "attr.", "attr_"];

/** The build of 7 from which on there are others, as far as is known. */
const laterSeven = 40;

/** Variables of later releases count as known where the exact release is unknown. */
function variablesOf({ dialect: { product, release }, semantics }: LintState): readonly string[] {
  const isLater =
    product !== "opensearch" && !release.startsWith("6") && (getBuild(release) ?? laterSeven) >= laterSeven;
  return isLater ? [...semantics.variables, "user."] : semantics.variables;
}

/** Before OpenSearch 3.7 those of a pattern that begins with an attribute alone. */
function tenantVariablesOf({ semantics }: LintState, { value }: LintText): readonly string[] {
  const { tenantVariables, substitutesVariables, variables, roleVariables } = semantics;
  if (substitutesVariables) return [...variables, ...roleVariables];
  return tenantVariables && value.startsWith("${attr") ? variables : [];
}

function describeLiteral({ semantics }: LintState): string {
  return semantics.failsWithoutValue
    ? "A query in which a variable is left fails: the server answers 500 to every request on these indices."
    : "no document has that value";
}

/** What follows two dollar signs is left as it is from OpenSearch 3.7 on. */
function isEscaped({ value }: LintText, { semantics }: LintState): boolean {
  return semantics.substitutesVariables && /\$\$\{(user|attr)[._]/.test(value);
}

/** All of its variables, and whether one may be within another or have a value for want of one. */
function isKnown({ value }: LintText, variables: readonly string[], { semantics }: LintState): boolean {
  if (!semantics.substitutesVariables && substituted.test(value)) return false;
  return variablesIn(value).every((name) => isVariable(name, variables));
}

/** `${x:-y}`, `${attr.internal.${…}}`. */
const substituted = /\$\{[^{}]*(?::-|\$\{)[^{}]*\}+/;

/** Variables of servers; those of other programs are reported elsewhere. */
function variablesIn(text: string): readonly string[] {
  return [...text.matchAll(/\$\{(user[._][^}|:?]*|attr[._][^}|:?]*)[^}]*\}/g)].map(([, name = ""]) => name);
}

function withVariables(texts: readonly LintText[]): readonly LintText[] {
  return texts.filter(({ value }) => value.includes("${"));
}

function notReplaced({ value, ...range }: LintText, where: string, effect: string): readonly LintFinding[] {
  const [name] = variablesIn(value);
  const [written = name === undefined ? undefined : `\${${name}}`] = substituted.exec(value) ?? [];
  if (written === undefined || isUnresolved(value)) return [];
  return [
    {
      at: range,
      what: `The server does not replace ${written} ${where}.`,
      why: effect.endsWith(".") ? effect : `It is taken literally: ${effect}.`,
      fix: `Write what is meant; a value that differs from cluster to cluster can be written as \${var:NAME}.`,
    },
  ];
}

/** Reproduced on OpenSearch 2.19.1: `logs-*${user.roles}` is `logs-*` for a user without backend roles. */
function roleList(
  { value, ...range }: LintText,
  { roleVariables }: LintState["semantics"],
): readonly LintFinding[] | undefined {
  const name = variablesIn(value).find((one) => roleVariables.includes(one));
  if (name === undefined || isUnresolved(value)) return undefined;
  return [
    {
      at: range,
      what: `The server replaces \${${name}} in index patterns by a quoted list, such as "a","b", which no index has in its name.`,
      why: "For a user without backend roles it is replaced by nothing, and the rest of the pattern counts.",
      fix: "Write one role for each backend role, with the patterns that are meant.",
    },
  ];
}

/** Names of fields with variables. */
function fields({ restricting }: LintState): readonly LintText[] {
  const found: LintText[] = [];
  for (const { indices } of restricting) {
    for (const { fls, masks } of indices) {
      for (const field of fls) if (field.value.includes("${")) found.push(field);
      for (const mask of masks) if (mask.value.includes("${")) found.push(mask);
    }
  }
  return found;
}

/** Document-level queries with variables. */
function queries({ restricting }: LintState): readonly LintText[] {
  const found: LintText[] = [];
  for (const { indices } of restricting) {
    for (const { dls } of indices) if (dls?.value?.includes("${")) found.push({ ...dls, value: dls.value });
  }
  return found;
}
