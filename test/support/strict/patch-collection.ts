import type { Json, JsonObject } from "../../../src/json/value.ts";
import { checkResource, type FamilyName, fieldsOf, flags } from "./forms.ts";
import { isArray, isMap, type Members, member, setMember } from "./json.ts";
import { applyStep, type Step } from "./json-patch.ts";
import { Refusal, undocumented } from "./refusal.ts";
import { shown, type Variant } from "./state.ts";

/** What a PATCH leaves behind: the touched names with their new fields, or nothing where it removed them. */
export type Touched = ReadonlyMap<string, JsonObject | undefined>;

interface Place {
  readonly name: string;
  /** Absent: the whole resource. */
  readonly field?: string;
  /** Tokens for the walk through the document, bracket pointers taken apart. */
  readonly tokens: readonly string[];
}

/**
 * Checks and applies a JSON Patch on one family, without changing what is stored. `alone` is the name of the resource
 * whose PATCH this is, its pointers then starting with a field. `sees` says which document the patch is made on.
 */
export function patchFamily(
  family: FamilyName,
  stored: ReadonlyMap<string, JsonObject>,
  steps: readonly Step[],
  variant: Variant,
  sees: "shown" | "stored",
  alone?: string,
): Touched {
  const arrays = family === "action_groups" && variant.release === "6.x-25" && alone === undefined;
  const view = (fields: JsonObject): Json => {
    const seen = sees === "shown" ? shown(family, fields, variant) : fields;
    return arrays ? (seen.permissions ?? []) : structuredClone(seen as Members);
  };
  const document: Members = {};
  for (const [name, fields] of stored) setMember(document, name, view(fields));

  const touched = new Set<string>();
  // What a new name was made from: a copy may have all that its source has.
  const origins = new Map(stored);
  for (const step of steps) {
    const target = placeOf(step.path, family, variant, arrays, alone);
    const source = step.from === undefined ? undefined : placeOf(step.from, family, variant, arrays, alone);
    for (const place of [target, source]) if (place) checkField(place, step, family, variant, stored);
    if (step.op !== "test") {
      const written = step.op === "move" && source ? [target, source] : [target];
      for (const { name } of written) {
        checkOwnership(family, name, stored);
        touched.add(name);
      }
    }
    const origin = source?.field === undefined ? origins.get(source?.name ?? "") : undefined;
    if (origin !== undefined && target.field === undefined && !origins.has(target.name)) {
      origins.set(target.name, origin);
    }
    startGroup(document, step, target, family, variant);
    applyStep(document, {
      ...step,
      path: target.tokens,
      ...(source ? { from: source.tokens } : {}),
      ...(step.value === undefined ? {} : { value: structuredClone(step.value) as Json }),
    });
  }
  return new Map([...touched].map((name) => [name, result(name, document, family, variant, arrays, origins)]));
}

/** Throws for a resource that is the server's own. */
export function checkOwnership(family: FamilyName, name: string, stored: ReadonlyMap<string, JsonObject>): void {
  const flag = flags.find((each) => stored.get(name)?.[each] === true);
  // A client cannot see what is hidden; that it ran into it breaks no rule.
  if (flag) throw new Refusal(403, `${family}/${name} is ${flag}`, flag !== "hidden");
}

/** The forms of §4.2: `/<name>`, `/<name>/<field>`, `/<field>`, and for roles `/index_permissions[0]/fls`. */
function placeOf(
  pointer: readonly string[],
  family: FamilyName,
  variant: Variant,
  arrays: boolean,
  alone: string | undefined,
): Place {
  const written = `/${pointer.join("/")}`;
  const [name, ...below] = alone === undefined ? pointer : [alone, ...pointer];
  if (name === undefined || name === "") throw undocumented(`names no resource: ${written}`);
  const [field, deeper, ...rest] = below;
  if (field === undefined) return { name, tokens: [name] };
  if (arrays) throw undocumented(`a group of 6.x-25 is an array, nothing is below its name: ${written}`);
  const bracket = family === "roles" ? /^(index_permissions|tenant_permissions)\[(\d+)\]$/.exec(field) : null;
  if (bracket === null) {
    if (deeper !== undefined) throw undocumented(`deeper than a field: ${written}`);
    return { name, field, tokens: [name, field] };
  }
  const [, list = "", index = ""] = bracket;
  const shape = fieldsOf(family, variant.release)[list];
  const each: object = typeof shape === "object" && "each" in shape ? shape.each : {};
  if (rest.length > 0 || (deeper !== undefined && !Object.hasOwn(each, deeper))) {
    throw undocumented(`no field of an element: ${written}`);
  }
  return { name, field: list, tokens: [name, list, index, ...(deeper === undefined ? [] : [deeper])] };
}

/** A field that is written is one of §2; one that is only tested or read may also be one that the server shows. */
function checkField(
  { name, field }: Place,
  step: Step,
  family: FamilyName,
  { release }: Variant,
  stored: ReadonlyMap<string, JsonObject>,
): void {
  if (field === undefined || Object.hasOwn(fieldsOf(family, release), field)) return;
  const live = stored.get(name);
  const visible = flags.some((flag) => flag === field) || (live !== undefined && Object.hasOwn(live, field));
  if (step.op !== "test" || !visible) throw undocumented(`no field of ${family}: ${field}`);
}

/** §4.3: in 7.x a bulk add of `/<name>/allowed_actions` makes the group. */
function startGroup(document: Members, step: Step, place: Place, family: FamilyName, variant: Variant): void {
  const starts = family === "action_groups" && variant.release !== "6.x-25" && step.op === "add";
  if (starts && place.field === "allowed_actions" && member(document, place.name) === undefined) {
    setMember(document, place.name, {});
  }
}

function result(
  name: string,
  document: Members,
  family: FamilyName,
  variant: Variant,
  arrays: boolean,
  origins: ReadonlyMap<string, JsonObject>,
): JsonObject | undefined {
  const after = member(document, name);
  if (after === undefined) return undefined;
  if (arrays && !isArray(after)) throw undocumented(`a group of 6.x-25 is an array: /${name}`);
  const fields = arrays ? { permissions: after } : after;
  const before = origins.get(name);
  checkResource(family, variant.release, fields, before && { ...shown(family, before, variant), ...before });
  return isMap(fields) ? fields : undefined;
}
