import { matchesPattern } from "../../access/patterns/matches.ts";
import { findUnclosedBracket } from "../../access/patterns/refused-regex.ts";
import { findBreakingPattern } from "../../validate/breaking-patterns.ts";
import type { LintFinding, LintRule, LintState, LintText } from "../rule.ts";

/** Expressions are matched against whole names; one that matches a single name only was probably meant otherwise. */
export const anchoredRegex: LintRule = {
  code: "anchored-regex",
  find: (state) =>
    [state.indexPatterns, state.actions, state.tenantPatterns, state.principals].flatMap((texts) =>
      texts.filter(({ value }) => value.startsWith("/")).flatMap(unanchored),
    ),
};

export const allPattern: LintRule = {
  code: "all-pattern",
  find: (state) =>
    state.indexPatterns
      .filter(({ value }) => value === "_all")
      .map((pattern) => ({
        at: pattern,
        what: "This is the index pattern _all, which requests use for all indices.",
        why: state.semantics.allMatchesEverything
          ? "As a pattern it grants every index there is and will be, the product's own among them; on OpenSearch it matches none."
          : "As a pattern it matches no index: the permission grants nothing.",
        fix: 'Write the patterns that are meant, or "*" for every index.',
      })),
};

/** State files do not declare aliases, so that only those are known whose name says it. */
export const filteredAlias: LintRule = {
  code: "filtered-alias",
  find: (state) =>
    state.indexPatterns
      .filter(({ value }) => /(^|[^a-z])(filtered|filter)([^a-z]|$)/i.test(value) && !/[*?]|^\//.test(value))
      .map((pattern) => ({
        at: pattern,
        what: `${JSON.stringify(pattern.value)} is called like an alias with a filter.`,
        why: "A permission on an alias is one on its indices too: asked for by their own names, they are shown without the filter.",
        fix: "Write the filter as the permission's dls, on the indices themselves.",
      })),
};

/** Patterns that no name of an index or tenant matches. */
export const matchesNothing: LintRule = {
  code: "matches-nothing",
  find: (state) => [
    ...state.indexPatterns.flatMap((pattern) => noIndex(pattern, state)),
    ...state.tenantPatterns.flatMap((pattern) => noTenant(pattern, state)),
  ],
};

function unanchored(text: LintText): readonly LintFinding[] {
  const [, body] = /^\/(.*)\/$/s.exec(text.value) ?? [];
  if (!body) return [];
  const [begins, ends] = [body.startsWith("^"), /(^|[^\\])\$$/.test(body)];
  const middle = body.replace(/^\^/, "").replace(/\$$/, "");
  // Who wrote an expression for several names knows what it leaves out; a single anchor suggests that the other end
  // was meant to be open.
  const isPlain = !/[*+?.[\](){}|\\]/.test(middle) && middle !== "";
  const isHalf = begins !== ends && !/\.\*/.test(middle);
  if (!isHalf && !(isPlain && !begins)) return [];
  const meant = isHalf && begins ? `${middle}.*` : isHalf ? `.*${middle}` : `.*${middle}.*`;
  return [
    {
      at: text,
      what: `The expression ${text.value} is held against whole names.`,
      why: isPlain
        ? `It meets ${JSON.stringify(middle)} alone, and nothing that has it in its name.`
        : "Nothing may be before it or after it.",
      fix: `Write /${meant}/ if names are meant that have it in them${isPlain ? `, and ${JSON.stringify(middle)} if not` : ""}.`,
    },
  ];
}

function noIndex(pattern: LintText, { semantics, dialect }: LintState): readonly LintFinding[] {
  const { value } = pattern;
  // Where the server fails by it, it is an error.
  if (findBreakingPattern(dialect, "indices")(value, pattern).length > 0) return [];
  if (/^\/.*\/$/s.test(value)) return brokenExpression(pattern);
  if (value.startsWith("<") || value.includes("${")) return [];
  const fault = value.includes(",")
    ? { what: "has a comma, which no index has in its name.", fix: "Write each pattern as an element of its own." }
    : value.startsWith("-") && !semantics.minusExcludes
      ? {
          what: "begins with a minus, as no index does.",
          fix: "Take it out: nothing excludes an index here. Write the patterns that are meant.",
        }
      : value.startsWith("/")
        ? { what: "begins with a slash, and does not end with one.", fix: `Write ${value}/ if an expression is meant.` }
        : /[A-Z]/.test(value)
          ? {
              what: "has upper case, which no index has in its name.",
              fix: `Write ${JSON.stringify(value.toLowerCase())}, unless an alias of this name is meant.`,
            }
          : undefined;
  if (!fault) return [];
  return [
    {
      at: pattern,
      what: `The index pattern ${JSON.stringify(value)} ${fault.what}`,
      why: "The server takes it literally: it matches no index, and excludes none.",
      fix: fault.fix,
    },
  ];
}

/** Java and JavaScript read what is opened and never closed alike; other differences between them are left alone. */
function brokenExpression(pattern: LintText): readonly LintFinding[] {
  const open = findUnclosedBracket(pattern.value.slice(1, -1));
  if (open === undefined) return [];
  return [
    {
      at: pattern,
      what: `The expression ${pattern.value} opens ${JSON.stringify(open)}, and never closes it.`,
      why: "The server takes it, and it matches no name.",
      fix: 'Close it, or write "\\" before it where the character itself is meant.',
    },
  ];
}

/** Plain names that are not declared have a message of their own. */
function noTenant(pattern: LintText, { known: { tenants }, semantics }: LintState): readonly LintFinding[] {
  const { value } = pattern;
  if (!tenants || semantics.tenantsAreNames || value.includes("${") || !/[*?]|^\/.*\/$/s.test(value)) return [];
  if ([...tenants].some((tenant) => matchesPattern(value, tenant) !== "no")) return [];
  return [
    {
      at: pattern,
      what: `The tenant pattern ${JSON.stringify(value)} matches no tenant that is declared or there.`,
      why: "Patterns match tenants that exist: the permission grants nothing.",
      fix: "Declare the tenants, or correct the pattern.",
    },
  ];
}
