// Patterns that a server takes, and by which it then fails: tried on Search Guard 7.5.1-38, 6.5.4-24 and OpenSearch 2.19.1.
import { isDateMath, readDateMath } from "../access/patterns/date-math.ts";
import { explainRefusedExpression } from "../access/patterns/refused-regex.ts";
import { createDiagnostic } from "../diagnostics/diagnostic.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Check } from "./text-checks.ts";

/** What a pattern is about. `group`: the actions of a group, of either level. */
export type PatternUse = "members" | "indices" | "actions" | "cluster" | "tenants" | "group";

export function findBreakingPattern(dialect: Dialect, use: PatternUse): Check {
  const harm = harmOf(dialect, use);
  return (text, range) => {
    const fault = harm && faultOf(text, use, dialect);
    if (!fault) return [];
    return [
      createDiagnostic(range, "unsupported-here", {
        what: `${JSON.stringify(text)} ${fault.what}.`,
        why: harm,
        fix: fault.fix,
      }),
    ];
  };
}

function harmOf({ product, release }: Dialect, use: PatternUse): string | undefined {
  // Not tried there.
  if (product === "gate" || release === "FLX") return undefined;
  if (product === "opensearch") {
    return use === "indices" || use === "actions" || use === "group"
      ? undefined
      : "OpenSearch answers 500 and stores it: no write of roles or mappings takes effect then, until it is removed.";
  }
  return use === "members"
    ? "Search Guard then answers 500 to every request of everybody, those with an administrator's certificate too: the API cannot remove it again."
    : "Search Guard then answers 500 to requests of everybody who has the role.";
}

/** Certainly: other formats and dates that begin with a year are left to the server. */
function isBadDate(text: string): boolean {
  if (text.includes("${")) return false;
  if (!readDateMath(text)) return true;
  const dates = [...text.matchAll(/(?<!\\)\{([^{}]*)(?:\{[^{}]*\})?\}/g)].map(([, date = ""]) => date);
  return dates.some((date) => !/^\d|\|\|/.test(date) && !/^now([+-]\d*[yMwdhHms]|\/[yMwdhHms])*$/.test(date));
}

function faultOf(text: string, use: PatternUse, { product }: Dialect) {
  if (text === "/") {
    const fix = "Write the whole expression between two slashes, or take it out.";
    return { what: "is the beginning of a regular expression, and nothing more", fix };
  }
  const [, source] = /^\/(.*)\/$/s.exec(text) ?? [];
  const because =
    source === undefined || source.includes("${")
      ? undefined
      : explainRefusedExpression(source, { anchorsExpressions: product === "search-guard" });
  if (because !== undefined) {
    return {
      what: `${because}: Java refuses this regular expression`,
      fix: 'Correct it, or write "\\" before a character that is meant as it is.',
    };
  }
  if (product === "search-guard" && use === "indices" && isDateMath(text) && isBadDate(text)) {
    return {
      what: "is no date expression",
      fix: "Write a name with a date such as <logs-{now/d}>, or a plain pattern.",
    };
  }
  return undefined;
}
