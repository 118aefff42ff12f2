import { isTooDeep } from "../json/depth.ts";
import { isList, isObject, type JsonObject, type Value } from "../json/value.ts";

/** One thing that a server objects to in a body, as far as its answer shows it. */
export interface Refusal {
  readonly kind: "unknown-field" | "wrong-type" | "missing-field" | "null" | "unknown-role" | "bad-value";
  /** The resource, where the answer names it. */
  readonly name?: string;
  /** The field, as the wire calls it; of several of which one is needed, the first. */
  readonly field?: string;
  /** A value that the answer repeats. */
  readonly value?: string;
  /** The server's own words, where they say more than the kind. */
  readonly words?: string;
}

/** What the answer to a refused write objects to; empty where it says nothing that has a place. */
export function parseRefusals(body: unknown): readonly Refusal[] {
  if (!isObject(body as Value)) return [];
  const answer = body as JsonObject;
  const { reason, message, error } = answer;
  if (typeof reason === "string") return inContent(reason, answer);
  if (isObject(error)) return [...inDetails(error.details), ...inError(error)];
  return typeof message === "string" ? inMessage(message) : [];
}

/** `{"reason": "Invalid configuration", "invalid_keys": {"keys": "a,b"}}`, `{"reason": "Wrong datatype", "users": "Array expected"}`. */
function inContent(reason: string, answer: JsonObject): readonly Refusal[] {
  if (/null` (or blank )?.*array element/.test(reason)) return [{ kind: "null" }];
  if (/^Wrong datatype/.test(reason)) {
    const fields = Object.entries(answer).filter(([key]) => !["status", "reason", "details"].includes(key));
    return fields.map(([key, words]) => wrongType(key, typeof words === "string" ? words : ""));
  }
  const unknown = keysOf(answer.invalid_keys).map((field): Refusal => ({ kind: "unknown-field", field }));
  // Some releases repeat the mandatory keys as those of which one is needed.
  const mandatory = keysOf(answer.missing_mandatory_keys).map((field): Refusal => ({ kind: "missing-field", field }));
  const [first, ...others] = keysOf(answer.specify_one_of);
  if (first === undefined || mandatory.length > 0) return [...unknown, ...mandatory];
  const words = others.length > 0 ? `one of ${[first, ...others].sort().join(", ")} is needed` : undefined;
  return [...unknown, { kind: "missing-field", field: first, ...(words !== undefined && { words }) }];
}

function wrongType(key: string, words: string): Refusal {
  const [, masked] = /^Masked field not valid: (.*)$/s.exec(key) ?? [];
  if (masked === undefined) return { kind: "wrong-type", field: key, words };
  return { kind: "bad-value", field: "masked_fields", value: masked, ...(words !== "" && { words }) };
}

function keysOf(value: Value | undefined): readonly string[] {
  const keys = isObject(value) ? value.keys : undefined;
  return typeof keys === "string" ? keys.split(",").map((key) => key.trim()) : [];
}

/** `{"root_cause": […], "type": "unrecognized_property_exception", "reason": "Unrecognized field \"foo\" (class …"}`. */
function inError({ reason, message, root_cause }: Readonly<Record<string, Value>>): readonly Refusal[] {
  const [cause] = isList(root_cause) ? root_cause : [];
  const explained = [reason, message, isObject(cause) ? cause.reason : undefined];
  const text = explained.find((words) => typeof words === "string");
  return typeof text === "string" ? inMessage(text) : [];
}

/** FLX: `{"hr.type": [{"error": "Required attribute is missing"}]}`; the entry's name only where several were sent. */
function inDetails(details: Value | undefined): readonly Refusal[] {
  if (!isObject(details)) return [];
  return Object.entries(details).flatMap(([path, problems]): readonly Refusal[] => {
    const [problem] = isList(problems) ? problems : [problems];
    const words = isObject(problem) && typeof problem.error === "string" ? problem.error : "";
    const field = path.split(".").at(-1) ?? path;
    const name = path.includes(".") ? { name: path.slice(0, -field.length - 1) } : {};
    const kind = /missing/i.test(words)
      ? "missing-field"
      : /unsupported|unknown/i.test(words)
        ? "unknown-field"
        : "bad-value";
    return [{ kind, field, ...name, ...(words !== "" && { words }) }];
  });
}

/** An objection in one sentence; the sentences of all products do not contradict each other. */
function inMessage(message: string): readonly Refusal[] {
  const [, unknown] = /Unrecognized field "([^"]*)"/.exec(message) ?? [];
  if (unknown !== undefined) return [{ kind: "unknown-field", field: unknown }];
  // Jackson prints the path to the place: `(through reference chain: …RoleV7["index_permissions"]->…["fls"])`.
  const field = [...message.matchAll(/\["([^"]*)"\]/g)].at(-1)?.[1];
  if (/Cannot deserialize|mismatched|Unexpected token|Can not deserialize/.test(message)) {
    return [{ kind: "wrong-type", ...(field !== undefined && { field }) }];
  }
  const [, role] =
    /^role '(.*)' not found\.$|^Role '(.*)' is not available for role-mapping\.$/s.exec(message)?.filter(Boolean) ?? [];
  if (role !== undefined) return [{ kind: "unknown-role", name: role }];
  const [, type] = /^Invalid action group type: (.*?)\. Supported/s.exec(message) ?? [];
  if (type !== undefined) return [{ kind: "bad-value", field: "type", value: type, words: message }];
  const [, named] =
    /^(.*) is an existing role\.|^(.*) cannot be an allowed_action of itself/s.exec(message)?.filter(Boolean) ?? [];
  if (named !== undefined) return [{ kind: "bad-value", name: named, words: message }];
  if (message.startsWith("{")) return inDetails(parsed(message));
  return /^License (could not|invalid|must)/.test(message) ? [{ kind: "bad-value", words: message }] : [];
}

function parsed(text: string): Value | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? undefined : (value as Value);
  } catch {
    return undefined;
  }
}
