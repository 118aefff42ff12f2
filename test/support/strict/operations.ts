import type { Json, JsonObject } from "../../../src/json/value.ts";
import { checkConfig, lostConfigKeys } from "./config.ts";
import { checkResource, type FamilyName } from "./forms.ts";
import { isMap, type Members } from "./json.ts";
import { applyStep, readSteps, type Step } from "./json-patch.ts";
import { checkOwnership, patchFamily } from "./patch-collection.ts";
import { Refusal, undocumented } from "./refusal.ts";
import type { Target } from "./routes.ts";
import { alone, inCollection, named, type Stored, unknownFields, type Variant } from "./state.ts";

/** All that a server holds; the operations below change it, each wholly or not at all. */
export interface Held {
  readonly stored: Stored;
  config: JsonObject | undefined;
  license: Json | undefined;
  licenseText: string | undefined;
}

export interface Rules {
  readonly variant: Variant;
  readonly putCreates: 200 | 201;
  readonly patchAnswer: "empty" | "json" | "text";
  readonly patchSees: "shown" | "stored";
  readonly slash: "required" | "refused" | "either";
  readonly configModification: boolean;
  readonly root: "refused" | "violation";
  readonly showLicense: (text: string) => Json;
}

export interface Answer {
  readonly status: number;
  /** Absent: an empty body. A string is sent as text. */
  readonly body?: Json;
  /** What the write lost though it was not about it. */
  readonly lost?: readonly string[];
}

/** Throws a `Refusal` where the answer is none of the documented successes. `body` is parsed JSON. */
export function perform(held: Held, rules: Rules, method: string, target: Target, body: Json | undefined): Answer {
  switch (target.kind) {
    case "root":
      throw new Refusal(403, "the search engine itself answers no one here", rules.root === "violation");
    case "license":
      return method === "GET" ? showLicense(held) : putLicense(held, rules, body);
    case "config":
      return method === "GET" ? showConfig(held) : writeConfig(held, rules, method, body);
    case "collection":
      if ((rules.slash === "required" && !target.slash) || (rules.slash === "refused" && target.slash)) {
        throw notFound(`nothing is ${target.slash ? "with" : "without"} a slash at the end`);
      }
      return method === "GET"
        ? showAll(held, rules, target.family)
        : patch(held, rules, target.family, readSteps(body ?? null));
    case "item":
      return performOne(held, rules, method, target.family, target.name, body);
  }
}

function performOne(
  held: Held,
  rules: Rules,
  method: string,
  family: FamilyName,
  name: string,
  body: Json | undefined,
): Answer {
  if (method === "PUT") return put(held, rules, family, name, body);
  const resources = resourcesOf(held, family);
  const fields = resources.get(name);
  if (fields === undefined || fields.hidden === true) throw notFound(`${family}/${name} is not there`);
  if (method === "GET") return { status: 200, body: alone(family, name, fields, rules.variant) };
  if (method === "PATCH") return patch(held, rules, family, readSteps(body ?? null), name);
  checkOwnership(family, name, resources);
  resources.delete(name);
  return { status: 200, body: { status: "OK", message: `${family} ${name} deleted` } };
}

function showAll({ stored }: Held, { variant }: Rules, family: FamilyName): Answer {
  const visible = [...(stored.get(family) ?? [])].filter(([, fields]) => fields.hidden !== true);
  return {
    status: 200,
    body: named(visible.map(([name, fields]) => [name, inCollection(family, fields, variant)] as const)),
  };
}

function put(held: Held, { variant, putCreates }: Rules, family: FamilyName, name: string, body?: Json): Answer {
  const resources = resourcesOf(held, family);
  const before = resources.get(name);
  checkResource(family, variant.release, body ?? null);
  checkOwnership(family, name, resources);
  resources.set(name, body as JsonObject);
  if (before !== undefined) {
    const lost = unknownFields(family, before, variant.release).map((field) => `${family}/${name} ${field}`);
    return { status: 200, body: { status: "OK", message: `${family} ${name} updated` }, lost };
  }
  // §4.3: roles and mappings say OK, the others CREATED.
  const status = family === "roles" || family === "role_mappings" ? "OK" : "CREATED";
  return { status: putCreates, body: { status, message: `${family} ${name} created` } };
}

function patch(held: Held, rules: Rules, family: FamilyName, steps: readonly Step[], single?: string): Answer {
  const resources = resourcesOf(held, family);
  const { variant } = rules;
  const touched = patchFamily(family, resources, steps, variant, rules.patchSees, single);
  const lost: string[] = [];
  for (const [name, after] of touched) {
    const before = resources.get(name);
    if (after === undefined) {
      resources.delete(name);
      continue;
    }
    resources.set(name, after);
    if (before === undefined || (single === undefined && startsAnew(steps, name))) continue;
    const gone = unknownFields(family, before, variant.release).filter((field) => !Object.hasOwn(after, field));
    lost.push(...gone.map((field) => `${family}/${name} ${field}`));
  }
  return { ...patched(rules), lost };
}

/** Whether a bulk patch removes the resource or adds it whole: then it is meant to be another one. */
function startsAnew(steps: readonly Step[], name: string): boolean {
  const whole = (pointer: readonly string[] | undefined) => pointer?.length === 1 && pointer[0] === name;
  return steps.some(
    ({ op, path, from }) =>
      (whole(path) && ["add", "remove", "move", "copy"].includes(op)) || (op === "move" && whole(from)),
  );
}

function patched({ patchAnswer }: Rules): Answer {
  if (patchAnswer === "empty") return { status: 200 };
  return { status: 200, body: patchAnswer === "text" ? "Resource updated." : { status: "OK", message: "updated" } };
}

function showConfig({ config }: Held): Answer {
  return { status: 200, body: { gate_config: config ?? { dynamic: {} } } };
}

function writeConfig(held: Held, rules: Rules, method: string, body: Json | undefined): Answer {
  if (!rules.configModification) {
    throw new Refusal(405, "gate.unsupported.restapi.allow_gateconfig_modification is not true", false);
  }
  const before = held.config ?? {};
  const document: Members = method === "PATCH" ? patchConfig(before, readSteps(body ?? null)) : wrapped(body);
  const after = document.gate_config;
  if (!isMap(after)) throw undocumented("the top-level key gate_config holds an object");
  checkConfig(after, before);
  held.config = after;
  const lost = lostConfigKeys(after, before);
  return method === "PATCH"
    ? { ...patched(rules), lost }
    : { status: 200, body: { status: "OK", message: "gate_config updated" }, lost };
}

function wrapped(body: Json | undefined): Members {
  if (!isMap(body) || Object.keys(body).join() !== "gate_config") {
    throw undocumented("the body is an object with the one key gate_config");
  }
  return { ...body };
}

function patchConfig(before: JsonObject, steps: readonly Step[]): Members {
  const document: Members = { gate_config: structuredClone(before as Members) };
  for (const step of steps) {
    for (const pointer of [step.path, step.from]) {
      // §4.4: paths begin with /gate_config/…
      if (pointer && (pointer[0] !== "gate_config" || pointer.length < 2)) {
        throw undocumented(`not below /gate_config: /${pointer.join("/")}`);
      }
    }
    applyStep(document, step);
  }
  return document;
}

function showLicense({ license }: Held): Answer {
  if (license === undefined) throw notFound("no license is installed");
  return { status: 200, body: license };
}

function putLicense(held: Held, rules: Rules, body: Json | undefined): Answer {
  const text = isMap(body) && Object.keys(body).join() === "gate_license" ? body.gate_license : undefined;
  if (typeof text !== "string") throw undocumented("the body is an object with the one string gate_license");
  if (text.trim() === "" || text.includes("expired")) throw new Refusal(400, "the license is not valid", false);
  held.license = rules.showLicense(text);
  held.licenseText = text;
  return { status: 200, body: { status: "OK", message: "license updated" } };
}

function resourcesOf({ stored }: Held, family: FamilyName): Map<string, JsonObject> {
  const resources = stored.get(family);
  if (resources === undefined) throw new Error(`bug: no family ${family}`);
  return resources;
}

function notFound(message: string): Refusal {
  return new Refusal(404, message, false);
}
