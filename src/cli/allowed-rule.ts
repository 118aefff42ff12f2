import { suggestNearest } from "../diagnostics/suggest.ts";
import { families } from "../model/names.ts";
import type { MadeFor } from "../model/plan-file.ts";
import { waivableRules } from "../plan/guards/rules.ts";
import { InvalidArgumentError } from "./commander.ts";

/** What `--allow` may waive: all that a guard refuses, or of it one family or address. */
export function parseAllowedRule(value: string, previous: readonly string[] = []): readonly string[] {
  const [rule = "", ...rest] = value.split("=");
  const scope = rest.join("=");
  if (!waivableRules.includes(rule)) {
    throw new InvalidArgumentError(
      suggestNearest(rule, waivableRules).trim() || `The guards that can be waived are ${waivableRules.join(", ")}.`,
    );
  }
  const [family = ""] = scope.split("/", 1);
  const known: readonly string[] = rule === "protection" ? [...families, "access_tests", "files"] : families;
  if (rest.length > 0 && !known.includes(family)) {
    throw new InvalidArgumentError(
      `It takes ${rule}, ${rule}=TYPE or ${rule}=${rule === "authentication" ? "config/authc/NAME" : "TYPE/NAME"}.`,
    );
  }
  return [...previous, value];
}

/** The address of an internal user. */
export function parseRotated(value: string, previous: readonly string[] = []): readonly string[] {
  if (/^internal_users\/./.test(value)) return [...previous, value];
  throw new InvalidArgumentError("It takes internal_users/NAME: of other entries there is no password.");
}

/** For which change a plan is: `pull_request=7`. An empty value is a variable that is not set. */
export function parseMadeFor(pair: string, previous: MadeFor = {}): MadeFor {
  const [, key, value] = /^([a-z][a-z0-9_-]*)=(.+)$/s.exec(pair) ?? [];
  if (key === undefined || value === undefined)
    throw new InvalidArgumentError("It takes KEY=VALUE, as in pull_request=7: KEY in lower case, VALUE not empty.");
  if (Object.hasOwn(previous, key)) throw new InvalidArgumentError(`${key} is given twice.`);
  return { ...previous, [key]: value };
}
