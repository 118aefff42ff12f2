import { meets } from "../../access/patterns/meets.ts";
import { openBracket } from "../../access/patterns/refused-regex.ts";
import { type Diagnostic, diagnosticAt } from "../../diagnostics/diagnostic.ts";
import { breakingPattern } from "../breaking-patterns.ts";
import type { Text, Trap, TrapState } from "./trap.ts";

/** Expressions are held against whole names; whoever writes none of what makes one meet more than one name believes otherwise. */
export const anchoredRegex: Trap = {
  code: "anchored-regex",
  find: (state) =>
    [state.indexPatterns, state.actions, state.tenantPatterns, state.principals].flatMap((texts) =>
      texts.filter(({ value }) => value.startsWith("/")).flatMap(unanchored),
    ),
};

export const allPattern: Trap = {
  code: "all-pattern",
  find: (state) =>
    state.indexPatterns
      .filter(({ value }) => value === "_all")
      .map((pattern) =>
        diagnosticAt(pattern, "all-pattern", {
          what: "The index pattern _all stands here, which requests use for all indices.",
          why: state.judging.allMeetsEverything
            ? "As a pattern it grants every index there is and will be, the product's own among them; on OpenSearch it meets none."
            : "As a pattern it meets no index: the permission grants nothing.",
          fix: 'Write the patterns that are meant, or "*" for every index.',
        }),
      ),
};

/** No state file tells what an alias is, so that only those are known that say it in their name. */
export const filteredAlias: Trap = {
  code: "filtered-alias",
  find: (state) =>
    state.indexPatterns
      .filter(({ value }) => /(^|[^a-z])(filtered|filter)([^a-z]|$)/i.test(value) && !/[*?]|^\//.test(value))
      .map((pattern) =>
        diagnosticAt(pattern, "filtered-alias", {
          what: `${JSON.stringify(pattern.value)} is called like an alias with a filter.`,
          why: "A permission on an alias is one on its indices too: asked for by their own names, they are shown without the filter.",
          fix: "Write the filter as the permission's dls, on the indices themselves.",
        }),
      ),
};

/** What is no name that an index or a tenant can have. */
export const meetsNothing: Trap = {
  code: "meets-nothing",
  find: (state) => [
    ...state.indexPatterns.flatMap((pattern) => noIndex(pattern, state)),
    ...state.tenantPatterns.flatMap((pattern) => noTenant(pattern, state)),
  ],
};

function unanchored(text: Text): readonly Diagnostic[] {
  const [, body] = /^\/(.*)\/$/s.exec(text.value) ?? [];
  if (!body) return [];
  const [begins, ends] = [body.startsWith("^"), /(^|[^\\])\$$/.test(body)];
  const middle = body.replace(/^\^/, "").replace(/\$$/, "");
  // Whoever wrote what meets several names knows what is left out; only one anchor says that the other end is open.
  const isPlain = !/[*+?.[\](){}|\\]/.test(middle) && middle !== "";
  const isHalf = begins !== ends && !/\.\*/.test(middle);
  if (!isHalf && !(isPlain && !begins)) return [];
  const meant = isHalf && begins ? `${middle}.*` : isHalf ? `.*${middle}` : `.*${middle}.*`;
  return [
    diagnosticAt(text, "anchored-regex", {
      what: `The expression ${text.value} is held against whole names.`,
      why: isPlain
        ? `It meets ${JSON.stringify(middle)} alone, and nothing that has it in its name.`
        : "Nothing may stand before it or behind it.",
      fix: `Write /${meant}/ if names are meant that have it in them${isPlain ? `, and ${JSON.stringify(middle)} if not` : ""}.`,
    }),
  ];
}

function noIndex(pattern: Text, { judging, dialect }: TrapState): readonly Diagnostic[] {
  const { value } = pattern;
  // Where the server fails by it, it is an error.
  if (breakingPattern(dialect, "indices")(value, pattern).length > 0) return [];
  if (/^\/.*\/$/s.test(value)) return brokenExpression(pattern);
  if (value.startsWith("<") || value.includes("${")) return [];
  const fault = value.includes(",")
    ? { what: "has a comma, which no index has in its name.", fix: "Write each pattern as an element of its own." }
    : value.startsWith("-") && !judging.minusExcludes
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
    diagnosticAt(pattern, "meets-nothing", {
      what: `The index pattern ${JSON.stringify(value)} ${fault.what}`,
      why: "The server takes it as it stands: it meets no index, and excludes none.",
      fix: fault.fix,
    }),
  ];
}

/** Java and JavaScript read what is opened and never closed alike; other differences between them are left alone. */
function brokenExpression(pattern: Text): readonly Diagnostic[] {
  const open = openBracket(pattern.value.slice(1, -1));
  if (open === undefined) return [];
  return [
    diagnosticAt(pattern, "meets-nothing", {
      what: `The expression ${pattern.value} opens ${JSON.stringify(open)}, and never closes it.`,
      why: "The server takes it, and it matches no name.",
      fix: 'Close it, or write "\\" before it where the character itself is meant.',
    }),
  ];
}

/** Plain names that nobody declares are told as such. */
function noTenant(pattern: Text, { known: { tenants }, judging }: TrapState): readonly Diagnostic[] {
  const { value } = pattern;
  if (!tenants || judging.tenantsAreNames || value.includes("${") || !/[*?]|^\/.*\/$/s.test(value)) return [];
  if ([...tenants].some((tenant) => meets(value, tenant) !== "no")) return [];
  return [
    diagnosticAt(pattern, "meets-nothing", {
      what: `The tenant pattern ${JSON.stringify(value)} meets no tenant that is declared or there.`,
      why: "Patterns meet tenants that exist: the permission grants nothing.",
      fix: "Declare the tenants, or correct the pattern.",
    }),
  ];
}
