import { isWritingTenants } from "../../access/evaluate/tenants.ts";
import { matchesPattern } from "../../access/patterns/matches.ts";
import { memoiseByKey } from "../../json/memoise.ts";
import type { LintRule, LintState } from "../rule.ts";

const write = "kibana:saved_objects/*/write";
/** What that text would match, if it were the pattern that it looks like. */
const written = ["kibana:saved_objects/index-pattern/write", "kibana:saved_objects/_/write", write];

/** Servers look for one text among the permissions of a tenant; patterns that would match it do not count. */
export const tenantNotWritable: LintRule = {
  code: "tenant-not-writable",
  where: ({ tenantWrite, tenantsAreNames }) => tenantWrite !== "pattern" && !tenantsAreNames,
  goesBy: "meanings",
  find: (state) => {
    const readingOf = memoiseByKey((text: string) => readAction(text, state));
    return state.roles.flatMap(({ tenants }) =>
      tenants.flatMap(({ actions }) => {
        if (actions.some(({ value }) => readingOf(value) === "writes" || readingOf(value) === "unknown")) return [];
        const place = actions.find(({ value }) => readingOf(value) === "looks-like-writing");
        if (!place) return [];
        return [
          {
            at: place,
            what: `${JSON.stringify(place.value)} does not make a tenant writable.`,
            why: `The server looks for the very text ${write}: without it the tenant can only be read.`,
            fix: `Add ${write}, or the group that the product ships for it.`,
          },
        ];
      }),
    );
  },
};

type Reading = "writes" | "looks-like-writing" | "reads" | "unknown";

/** What a text in a list of tenant permissions comes to. */
function readAction(text: string, state: LintState): Reading {
  if (text === write) return "writes";
  const { patterns, isSure } = state.comesTo(text);
  if (!isSure) return "unknown";
  if (isWritable(patterns, state)) return "writes";
  return patterns.some(looksLikeWriting) ? "looks-like-writing" : "reads";
}

function isWritable(patterns: readonly string[], { semantics }: LintState): boolean {
  const granted = patterns.map((pattern) => ({ pattern, via: [] }));
  return isWritingTenants(granted, semantics) !== "no";
}

function looksLikeWriting(pattern: string): boolean {
  return (
    pattern !== "kibana:saved_objects/*/read" && written.some((action) => matchesPattern(pattern, action) === "yes")
  );
}
