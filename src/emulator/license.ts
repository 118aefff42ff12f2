import { isObject, type Json, type JsonObject } from "../json/value.ts";
import { parseBody } from "./body.ts";
import {
  bodyRequired,
  createInvalidReply,
  createNoHandlerReply,
  createReply,
  createUnparsableReply,
  type Reply,
} from "./reply.ts";
import { findLicense, withLicense } from "./state.ts";

/** The fields of a license; dates are `yyyy-MM-dd`. */
export interface LicenseRecord {
  readonly uid: string;
  readonly type: string;
  readonly issued_to: string;
  readonly issuer: string;
  readonly issue_date: string;
  readonly start_date: string;
  readonly expiry_date: string;
  readonly major_version: number;
  readonly cluster_name: string;
}

export interface LicenseOutcome {
  readonly reply: Reply;
  readonly config: JsonObject;
}

/** The text of a license as this server takes it: its record as JSON in base64, unsigned. */
export function encodeLicense(record: LicenseRecord): string {
  return Buffer.from(JSON.stringify(record), "utf8").toString("base64");
}

/** What the server shows of its license, never the text. */
export function getLicense(config: JsonObject, key: string, now: Date): LicenseOutcome {
  const text = findLicense(config);
  const shown = text === undefined ? nothingInstalled : showLicense(decodeLicense(text), now);
  return {
    reply: { status: 200, json: { [key]: shown, modules: {}, compatibility: { modules_mismatch: false } } },
    config,
  };
}

/** A license that is not valid today is refused and changes nothing. */
export function putLicense(config: JsonObject, body: string, key: string, now: Date): LicenseOutcome {
  const text = textIn(body, key);
  if (typeof text !== "string") return { reply: text, config };
  const record = decodeLicense(text);
  if (record === undefined) {
    return { reply: createReply(400, "License could not be decoded due to: not JSON in base64"), config };
  }
  const problems = findLicenseProblems(record, now);
  if (problems.length > 0) return { reply: createReply(400, `License invalid due to: ${problems.join(",")}`), config };
  const first = findLicense(config) === undefined;
  return {
    reply: first ? createReply(201, "License created.") : createReply(200, "License updated."),
    config: withLicense(config, text),
  };
}

/** The other methods have routes on real servers, and handlers that only refuse. */
export function refuseLicense(method: string, path: string): Reply {
  if (method === "POST") return createReply(501, "Method POST not supported for this action.");
  return method === "DELETE" ? createReply(400, "No null specified.") : createNoHandlerReply(method, path);
}

const nothingInstalled: JsonObject = {
  msgs: ["No license required because enterprise modules not enabled."],
  license_required: false,
};

/** The text in the body, or why there is none. */
function textIn(body: string, key: string): string | Reply {
  if (body.trim() === "") return bodyRequired;
  const parsed = parseBody(body);
  if ("problem" in parsed) return createUnparsableReply(parsed.problem);
  if (!isObject(parsed.value) || Object.keys(parsed.value).length === 0) return bodyRequired;
  const unknown = Object.keys(parsed.value).filter((name) => name !== key);
  if (unknown.length > 0)
    return createInvalidReply("Invalid configuration", { invalid_keys: { keys: unknown.join(",") } });
  const text = (parsed.value as JsonObject)[key];
  return typeof text === "string" ? text : createInvalidReply("Wrong datatype", { [key]: "String expected" });
}

/** The record in a text, where it is one. */
export function decodeLicense(text: string): JsonObject | undefined {
  const parsed = parseBody(Buffer.from(text, "base64").toString("utf8"));
  return "value" in parsed && isObject(parsed.value) ? (parsed.value as JsonObject) : undefined;
}

/** What a server shows of a record; undefined for one that it could not read. */
export function showLicense(record: JsonObject | undefined, now: Date): JsonObject {
  const problems = record === undefined ? ["License could not be decoded"] : findLicenseProblems(record, now);
  const valid = problems.length === 0;
  const days = daysUntil(record?.expiry_date, now);
  return {
    ...(record === undefined ? {} : shownFields(record)),
    msgs: problems,
    ...(days === undefined ? {} : { expiry_in_days: days }),
    is_expired: days !== undefined && days < 0,
    is_valid: valid,
    action: valid ? "" : "Purchase a license.",
    prod_usage: valid ? "Yes, one cluster." : "No, because the license is not valid.",
    license_required: true,
  };
}

const recordFields = [
  "uid",
  "type",
  "issue_date",
  "expiry_date",
  "issued_to",
  "issuer",
  "start_date",
  "major_version",
  "cluster_name",
] as const satisfies readonly (keyof LicenseRecord)[];

function shownFields(record: JsonObject): JsonObject {
  return Object.fromEntries(recordFields.map((field): [string, Json] => [field, record[field] ?? ""]));
}

/** Why a record is not valid today. */
export function findLicenseProblems(record: JsonObject, now: Date): readonly string[] {
  const empty = (["uid", "type", "issued_to", "issuer", "cluster_name"] as const).filter((field) => !record[field]);
  const days = { expiry: daysUntil(record.expiry_date, now), start: daysUntil(record.start_date, now) };
  return [
    ...empty.map((field) => `'${field}' must not be empty or null`),
    ...(days.expiry === undefined ? ["'expiry_date' not valid"] : days.expiry < 0 ? ["License is expired"] : []),
    ...(days.start === undefined ? ["'start_date' not valid"] : days.start > 0 ? ["License not valid yet."] : []),
  ];
}

const day = 24 * 60 * 60 * 1000;

/** Whole days from today to a date, both in UTC; negative once it is past. Undefined where it is no date. */
function daysUntil(date: Json | undefined, now: Date): number | undefined {
  if (typeof date !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  const then = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(then) ? undefined : Math.floor(then / day) - Math.floor(now.getTime() / day);
}
