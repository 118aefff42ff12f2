// Variables of Ansible that are maps of entries, or combine such maps: what was taken of them.
import type { Family } from "../model/names.ts";
import type { MapNode, Node } from "../model/node.ts";
import { type FoundEntry, type GivenValue, type ImportFindings, noEntriesWhy } from "./findings.ts";
import { expandPlaceholders, findOnlyPlaceholder } from "./placeholders.ts";

/** The names in `{{ a }}` and `{{ a | combine(b, c) }}`; undefined for any other text. */
export function listCombined(text: string): readonly string[] | undefined {
  const only = findOnlyPlaceholder(text);
  if (only) return [only.name];
  const [, first, ...rest] = /^\{\{\s*(\w+)((?:\s*\|\s*combine\(\s*\w+(?:\s*,\s*\w+)*\s*\))+)\s*\}\}$/.exec(text) ?? [];
  return first === undefined
    ? undefined
    : [first, ...(rest.join("").match(/\w+/g) ?? []).filter((one) => one !== "combine")];
}

/** The variable of which a task sends each entry: `loop: "{{ a | dict2items }}"`, `with_dict: "{{ a }}"`. */
export function findEachOf({ entries }: MapNode, body: Node | undefined): string | undefined {
  if (body?.kind !== "scalar" || typeof body.value !== "string") return undefined;
  const isWhole = findOnlyPlaceholder(body.value)?.name === "item.value" || valueAsJson.test(body.value);
  const loop = entries.find(({ key }) => key === "loop" || key === "with_dict")?.value;
  if (!isWhole || loop?.kind !== "scalar" || typeof loop.value !== "string") return undefined;
  return findOnlyPlaceholder(loop.value)?.name ?? findListed(loop.value);
}

const valueAsJson = /^\{\{\s*item\.value\s*\|\s*(?:to_json|to_nice_json|tojson)\s*\}\}$/;

/** The variable in `{{ a | dict2items }}`. */
export function findListed(text: string): string | undefined {
  return /^\{\{\s*(\w+)\s*\|\s*dict2items\s*\}\}$/.exec(text)?.[1];
}

/** Whether all that the inputs give to a variable are entries, of one family if that is stated, which were taken. */
export function isTakenVariable(name: string, findings: ImportFindings, family?: Family, depth = 0): boolean {
  const values = findings.given.filter((one) => one.name === name);
  return values.length > 0 && depth < deepest && values.every((one) => isTaken(one, findings, family, depth));
}

/** As deep as variables name others in any real file. */
const deepest = 5;

function isTaken({ below, names }: GivenValue, findings: ImportFindings, family: Family | undefined, depth: number) {
  if (names) return names.every((one) => isTakenVariable(one, findings, family, depth + 1));
  const isOf = (key: string) => (entry: FoundEntry) =>
    entry.name === key &&
    (family === undefined || entry.family === family) &&
    entry.place.file === below?.file &&
    entry.place.start >= below.start &&
    entry.place.end <= below.end;
  return below ? below.entries.every(({ key }) => findings.entries.some(isOf(key))) : false;
}

/** Keys that only combine what was taken are not left; of others the account says what they are. */
export function settleCombined(findings: ImportFindings): void {
  const named = findings.given.filter(({ names }) => names !== undefined);
  if (named.length === 0) return;
  const kept = findings.left.flatMap((part) => {
    if (part.why !== noEntriesWhy) return [part];
    const keys = part.what.split(", ");
    const own = named.filter(({ name, place }) => keys.includes(name) && place.file.path === part.place.file.path);
    const rest = keys.filter((key) => own.every(({ name }) => name !== key));
    const open = own.filter(({ name }) => !isTakenVariable(name, findings));
    return [
      ...(rest.length > 0 ? [{ ...part, what: rest.join(", ") }] : []),
      ...open.map(({ name, place }) => ({ what: name, why: combinesOthers, place })),
    ];
  });
  findings.left.splice(0, Number.POSITIVE_INFINITY, ...kept);
}

const combinesOthers = "it combines variables of which the inputs lack some: give the files that set them, too";

/** The names of variables in a text. */
export function listTemplateNames(text: string): readonly string[] {
  const names: string[] = [];
  expandPlaceholders(text, ({ name, source }) => {
    if (source === "") names.push(name);
    return "";
  });
  return names;
}
