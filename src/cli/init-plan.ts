// What init says of a plan that has something to do: in short, as `gate-sync plan` shows all of it.
import { groupItems, listDistinct } from "../json/collections.ts";
import { type Change, isPending } from "../model/change.ts";
import type { Plan } from "../model/plan.ts";
import { formatName, joinNames } from "../render/escape.ts";
import { padEnd, wrap, wrapParts } from "../render/layout.ts";
import { getFamilyTitle } from "../render/views/family.ts";
import { joinWithAnd, pluralise } from "../render/views/words.ts";

/** In what files and server differ, by who has to give way for what. */
export interface Differences {
  /** The server has them, and no file does: the plan deletes them. */
  readonly deleted: readonly Change[];
  /** Both have them, otherwise: the plan changes them, but for those that are only compared. */
  readonly changed: readonly Change[];
  /** The files alone have them: the plan creates them. */
  readonly created: readonly Change[];
  /** The files alone have them, and they are only compared. */
  readonly absent: readonly Change[];
}

export function sortDifferences(changes: readonly Change[]): Differences {
  const differing = changes.filter(({ reason, edits }) => reason === "observed" && edits.length > 0);
  const pick = (wanted: Change["action"]) => changes.filter(({ action }) => action === wanted);
  return {
    deleted: pick("delete"),
    changed: [...pick("update"), ...differing.filter(({ before, after }) => before && after)],
    created: pick("create"),
    absent: differing.filter(({ before }) => before === undefined),
  };
}

const mostLines = 12;
const column = 17;

/** A line or two for each resource type, with as many names as there is space for. */
export function layOutPlanInShort(
  { target, changes, violations }: Pick<Plan, "target" | "changes" | "violations">,
  {
    command,
    warnings,
    changed,
    width,
  }: {
    readonly command: string;
    readonly warnings: number;
    /** What differs in entries that both have. */
    readonly changed: readonly string[];
    readonly width: number;
  },
): readonly string[] {
  const rules = listDistinct(violations.map(({ rule }) => rule));
  const guards = rules.length === 0 ? "" : ` Guards refuse the plan: ${joinWithAnd(rules)}.`;
  const besides = warnings === 0 ? "" : `, with ${pluralise(warnings, "warning")}`;
  const first = wrap(`${formatName(target.name)}: not in sync.${guards}`, width);
  const last = [...describeMissingMode(target.name, changes, width), ...wrap(`All of it${besides}: ${command}`, width)];
  const layOut = (names: number) => [...first, ...layOutFamilies(changes, names, width)];
  const counted = [3, 2, 1].map(layOut).find((lines) => lines.length < mostLines) ?? layOut(0);
  return [...counted, ...changed, ...last];
}

function layOutFamilies(changes: readonly Change[], names: number, width: number): readonly string[] {
  return groupItems(changes, ({ family }) => family).flatMap((some) => {
    const { created, deleted, changed, absent } = sortDifferences(some);
    const compared = changed.filter((change) => !isPending(change));
    const parts = [
      describeEntries(created, "to create", names),
      describeEntries(changed.filter(isPending), "to change", names),
      describeEntries(deleted, "to delete", names),
      describeEntries(compared, compared.length === 1 ? "differs, only compared" : "differ, only compared", names),
      describeEntries(absent, "not there, only compared", names),
    ].filter((part) => part !== "");
    const ended = parts.map((part, at) => (at < parts.length - 1 ? `${part};` : part));
    return wrapParts(ended, width - column, 0).map(
      (line, at) => padEnd(at === 0 ? `  ${getFamilyTitle(some[0].family)}` : "", column) + line,
    );
  });
}

/** `7 to delete: a, b, c …and 4 more`. */
function describeEntries(changes: readonly Change[], what: string, most: number): string {
  if (changes.length === 0) return "";
  const shown = changes.slice(0, most).map(({ name }) => name);
  const more = changes.length - shown.length;
  const list = shown.length === 0 ? "" : `: ${joinNames(shown)}${more === 0 ? "" : ` …and ${more} more`}`;
  return `${changes.length} ${what}${list}`;
}

/** By what apply writes resource types of which entries are not on the server, and only compared. */
function describeMissingMode(target: string, changes: readonly Change[], width: number): readonly string[] {
  const families = listDistinct(sortDifferences(changes).absent.map(({ family }) => family));
  if (families.length === 0) return [];
  const modes = families.map((family) => `${family}: { mode: adopt }`);
  const setting = `families: { ${modes.join(", ")} }`;
  return wrap(
    `For apply to create what is only compared: ${setting} under ${formatName(target)} in gate-sync.yaml`,
    width,
  );
}
