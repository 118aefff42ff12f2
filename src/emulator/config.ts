import { type ConfigPlace, configPlaces } from "../families/config.ts";
import { isObject, type Json, type JsonObject } from "../json/value.ts";
import { parseBody } from "./body.ts";
import { patchDocument } from "./patch.ts";
import {
  bodyRequired,
  createEngineFailure,
  createInvalidReply,
  createReply,
  createUnparsableReply,
  type Reply,
} from "./reply.ts";
import { fromTree, toTree } from "./tree.ts";

export interface ConfigOutcome {
  readonly reply: Reply;
  readonly config: JsonObject;
}

/** The document as it is stored: no default is filled in, so that none can be mistaken for a value. */
export function getConfig(config: JsonObject, key: string): ConfigOutcome {
  return { reply: { status: 200, json: { [key]: config } }, config };
}

/** Takes the document with its key around it, as documented, and without, as real servers do. */
export function putGateConfig(config: JsonObject, body: string, key: string): ConfigOutcome {
  if (body.trim() === "") return { reply: bodyRequired, config };
  const parsed = parseBody(body);
  if ("problem" in parsed) return { reply: createUnparsableReply(parsed.problem), config };
  if (!isObject(parsed.value) || Object.keys(parsed.value).length === 0) return { reply: bodyRequired, config };
  const given = Object.hasOwn(parsed.value, key) ? unwrapped(parsed.value, key) : parsed.value;
  const evaluated = evaluatedConfig(given);
  if ("refusal" in evaluated) return { reply: evaluated.refusal, config };
  return { reply: createReply(200, `config ${key} updated.`), config: evaluated.config };
}

/** A bulk patch of a document with one entry: paths begin with its key. */
export function patchGateConfig(config: JsonObject, body: string, key: string): ConfigOutcome {
  const parsed = parseBody(body);
  if ("problem" in parsed) return { reply: createReply(400, `Error in JSON patch: ${parsed.problem}`), config };
  const result = patchDocument(toTree({ [key]: config }), parsed.value);
  if ("problem" in result) return { reply: createReply(400, result.problem), config };
  const evaluated = evaluatedConfig(unwrapped(fromTree(result.tree), key));
  if ("refusal" in evaluated) return { reply: evaluated.refusal, config };
  return { reply: createReply(200, "Resource updated."), config: evaluated.config };
}

/** The value under the key, or the whole where there are other keys beside it, so that they are refused. */
function unwrapped(value: Json, key: string): Json {
  if (!isObject(value) || !Object.hasOwn(value, key) || Object.keys(value).length > 1) return value;
  return (value as JsonObject)[key] ?? {};
}

function evaluatedConfig(value: Json): { readonly config: JsonObject } | { readonly refusal: Reply } {
  if (!isObject(value)) return { refusal: bodyRequired };
  const unknown = Object.keys(value).filter((name) => name !== "dynamic");
  if (unknown.length > 0) {
    return { refusal: createInvalidReply("Invalid configuration", { invalid_keys: { keys: unknown.join(",") } }) };
  }
  const dynamic = (value as JsonObject).dynamic ?? {};
  if (!isObject(dynamic)) return { refusal: createInvalidReply("Wrong datatype", { dynamic: "Object expected" }) };
  const problems: string[] = [];
  const typed = asTyped(dynamic, { kind: "object", fields: configPlaces }, "dynamic", problems);
  const [problem] = problems;
  if (problem !== undefined) return { refusal: createEngineFailure(500, "invalid_format_exception", problem) };
  return { config: { dynamic: typed } };
}

/** Section 5: booleans and numbers may come as text. What the place is not known for stays as it is. */
function asTyped(value: Json, place: ConfigPlace | undefined, where: string, problems: string[]): Json {
  if (value === null || place === undefined) return value;
  switch (place.kind) {
    case "boolean":
      if (typeof value === "boolean") return value;
      if (value === "true" || value === "false") return value === "true";
      problems.push(`Can not deserialize value of type boolean at "${where}"`);
      return value;
    case "integer":
      if (typeof value === "number" && Number.isInteger(value)) return value;
      if (typeof value === "string" && /^-?\d+$/.test(value)) return Number(value);
      problems.push(`Can not deserialize value of type int at "${where}"`);
      return value;
    case "object":
    case "named": {
      if (!isObject(value)) return value;
      const members = Object.entries(value as JsonObject).map(([name, child]): [string, Json] => {
        const inner = place.kind === "named" ? place.each : placeOf(place.fields, name);
        return [name, asTyped(child, inner, `${where}.${name}`, problems)];
      });
      return Object.fromEntries(members);
    }
    default:
      return value;
  }
}

function placeOf(fields: Readonly<Record<string, ConfigPlace>>, name: string): ConfigPlace | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
