// What must come of a fixture, worked out without the product: from what the generator meant, not by comparing.
import type { Emulator } from "../../src/emulator/index.ts";
import type { Json, JsonObject } from "../../src/json/value.ts";
import type { Plan } from "../../src/model/plan.ts";
import { type Expected, type Fixture, writing } from "../fixtures/fixture.ts";
import { type FamilyName, families as strictFamilies } from "../support/strict/forms.ts";
import { isArray, isMap } from "../support/strict/json.ts";
import { vendorField } from "./vendor.ts";

/** A fixture with a license: the text that the server holds, and the one that the files declare. */
export interface Licensed extends Fixture {
  readonly license?: { readonly held?: string; readonly wanted?: string };
}

/** Everything a server holds, as it stores it. */
export interface Raw {
  readonly resources: ReadonlyMap<FamilyName, ReadonlyMap<string, Json>>;
  readonly config: JsonObject;
}

export function rawOf(emulator: Emulator): Raw {
  const state = emulator.state();
  return { resources: new Map(strictFamilies.map((family) => [family, state[family]])), config: state.config };
}

/** Has the server hold what a fixture begins with, and nothing on its record. */
export function stage({ live, license }: Licensed, emulator: Emulator): Raw {
  emulator.replaceState({
    ...Object.fromEntries(live.resources),
    ...(live.config && { config: live.config }),
    ...(license?.held !== undefined && { license: license.held }),
  });
  emulator.clearRequests();
  return rawOf(emulator);
}

/** `family/name outcome` for every resource that a plan has to mention: of an undeclared family, or hidden, none. */
export function expectedChangeOutcomes({ expected, desired }: Fixture): string[] {
  const families = [...expected].filter(([family]) => desired.resources.has(family));
  return families
    .flatMap(([family, changeOutcomes]) =>
      [...changeOutcomes].map(([name, changeOutcome]) => `${family}/${name} ${changeOutcome}`),
    )
    .filter((line) => !line.endsWith(" hidden"))
    .sort();
}

export function plannedChangeOutcomes({ changes }: Plan): string[] {
  return changes
    .filter(({ family }) => family !== "config" && family !== "license")
    .map(({ family, name, action, reason }) => {
      const changeOutcome = action !== "leave" ? action : reason === "out-of-scope" ? "unmanaged" : reason;
      return `${family}/${name} ${changeOutcome}`;
    })
    .sort();
}

/** One line for each thing that is not as the fixture wants it: a difference, a loss, or an untouched one touched. */
export function wrongs(fixture: Licensed, before: Raw, after: Raw): string[] {
  return [...resourceWrongs(fixture, before, after), ...configWrongs(fixture, before, after)];
}

function resourceWrongs(fixture: Fixture, before: Raw, after: Raw): string[] {
  return strictFamilies.flatMap((family) => {
    const [had, has] = [before, after].map(({ resources }) => resources.get(family) ?? new Map<string, Json>());
    const changeOutcomes = fixture.expected.get(family) ?? new Map<string, Expected>();
    const names = [...new Set([...changeOutcomes.keys(), ...(has?.keys() ?? [])])];
    return names.flatMap((name) => {
      const wanted = fixture.desired.resources.get(family)?.get(name);
      const wrong = wrongOf(changeOutcomes.get(name), had?.get(name), has?.get(name), wanted);
      return wrong === undefined ? [] : [`${family}/${name}: ${wrong}`];
    });
  });
}

function wrongOf(
  changeOutcome: Expected | undefined,
  had: Json | undefined,
  has: Json | undefined,
  wanted: Json = null,
): string | undefined {
  if (changeOutcome === undefined) return "not asked for";
  if (changeOutcome === "delete") return has === undefined ? undefined : "still there";
  if (!writing.has(changeOutcome)) return JSON.stringify(has) === JSON.stringify(had) ? undefined : "touched";
  if (has === undefined || meaning(has) !== meaning(wanted)) return "not as declared";
  return vendorText(has) === vendorText(had) ? undefined : `lost ${vendorField}`;
}

/** Children that are declared mean what they should; all others are the same to the byte. */
function configWrongs({ desired, license }: Licensed, before: Raw, after: Raw): string[] {
  const declared = childrenOf(desired.config);
  const [had, has] = [childrenOf(before.config), childrenOf(after.config)];
  const text = (child: string) => JSON.stringify(child === "license" ? (license?.wanted ?? had[child]) : had[child]);
  const children = new Set(["license", ...Object.keys(had), ...Object.keys(has), ...Object.keys(declared)]);
  return [...children].flatMap((child) => {
    const isDeclared = Object.hasOwn(declared, child);
    const same = isDeclared
      ? meaning(declared[child] ?? null) === meaning(has[child] ?? null)
      : text(child) === JSON.stringify(has[child]);
    return same ? [] : [`config ${child}: ${isDeclared ? "not as declared" : "touched"}`];
  });
}

function childrenOf(config: JsonObject | undefined): JsonObject {
  return isMap(config?.dynamic) ? config.dynamic : {};
}

function vendorText(value: Json | undefined): string | undefined {
  return JSON.stringify(isMap(value) ? value[vendorField] : undefined);
}

const notCompared = new Set(["reserved", "hidden", "static", vendorField]);

/** One text for all spellings of a value: no order but that of texts, nothing twice in a set, nothing empty, no flags. */
export function meaning(value: Json): string {
  // A group of 6.x-25 is its list alone.
  return JSON.stringify(meant(isArray(value) ? { allowed_actions: value } : value, "")) ?? "";
}

function meant(value: Json, field: string): Json | undefined {
  // The one field of `gate` that is a text on the wire and a set of one by meaning.
  if (isArray(value)) return listMeant(value);
  if (!isMap(value)) return value === null || value === "" ? undefined : field === "value" ? [value] : value;
  const members = Object.entries(value)
    .filter(([key]) => !notCompared.has(key))
    .map(([key, item]) => [key === "permissions" ? "allowed_actions" : key, meant(item, key)] as const)
    .filter((pair): pair is [string, Json] => pair[1] !== undefined);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function listMeant(list: readonly Json[]): Json | undefined {
  if (list.length === 0) return undefined;
  const texts = list.map((item) => JSON.stringify(meant(item, "") ?? null)).sort();
  return list.some(isMap) ? texts : [...new Set(texts)];
}

/** Names that may be a segment or a list index for one server and not for another: no bulk PATCH carries them. */
export function noPointerReaches(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return name === "" || /~0|~1|["\\[\]\u0000-\u001f\u007f-\u009f]/.test(name);
}

/** How many writes each changed family costs: one, and one more for each entry that no bulk PATCH can carry. */
export function expectedWrites(fixture: Licensed, withoutPatch: readonly FamilyName[] = []): Record<string, number> {
  const counts: [string, number][] = strictFamilies.map((family) => {
    const changeOutcomes = [...(fixture.expected.get(family) ?? [])];
    const changed = changeOutcomes.filter(([, changeOutcome]) => writing.has(changeOutcome)).map(([name]) => name);
    if (withoutPatch.includes(family)) return [family, changed.length];
    const beyond = changed.filter(noPointerReaches).length;
    return [family, beyond + (changed.length > beyond ? 1 : 0)];
  });
  if (fixture.expectedConfig === "update") counts.push(["config", 1]);
  const { held, wanted = held } = fixture.license ?? {};
  if (wanted !== held) counts.push(["license", 1]);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

export function countedBy(families: readonly (string | undefined)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const family of families) counts[family ?? "other"] = (counts[family ?? "other"] ?? 0) + 1;
  return counts;
}
