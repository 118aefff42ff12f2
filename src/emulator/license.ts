import { isObject, type Json, type JsonObject } from "../json/value.ts";
import type { HandledRequest, ServedRequest } from "./handler.ts";
import type { ProductModel } from "./product.ts";
import { bodyRequired, couldNotParse, createInvalidReply, createReply, type Reply } from "./reply.ts";
import { parsePutBody } from "./resources.ts";
import { findLicense, withLicense } from "./state.ts";
import { readJson, searchGuardParser } from "./values/json-parser.ts";
import { fromTree } from "./values/tree.ts";

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

/** The text of a license as this server takes it: its record as JSON in base64, unsigned. */
export function encodeLicense(record: LicenseRecord): string {
  return Buffer.from(JSON.stringify(record), "utf8").toString("base64");
}

export function answerLicense(ask: ServedRequest): HandledRequest {
  const { method, state } = ask;
  const refused = (reply: Reply): HandledRequest => ({ reply, state });
  if (method === "GET") return refused({ status: 200, json: showLicense(ask) });
  // These two have routes, and handlers that only refuse.
  if (method === "DELETE") return refused(createReply(400, ask.product.texts.deleteLicense));
  const given = licenseIn(ask);
  if (typeof given !== "string") return refused(given);
  if (method === "POST") return refused(createReply(501, "Method POST not supported for this action."));
  return putLicense(given, ask);
}

/** What everybody may see. */
export function describeOpenLicense(ask: ServedRequest): Reply {
  const nodes = { total: 1, successful: 1, failed: 0 };
  return { status: 200, json: { _nodes: nodes, cluster_name: ask.settings.clusterName, ...showLicense(ask) } };
}

/** What the server shows of its license, never the text. */
function showLicense({ state, product, settings }: ServedRequest): JsonObject {
  const { engine, license } = product;
  const now = settings.now();
  const text = findLicense(state.config);
  const shown = text === undefined ? license.absent(engine.number, now) : showRecord(decodeLicense(text), now);
  return { [license.key]: shown, modules: modulesOf(product), compatibility: { modules_mismatch: false } };
}

/** Of all modules the one that a client may learn the release from. */
function modulesOf({ engine: { plugin } }: ProductModel): JsonObject {
  if (plugin === undefined) return {};
  const type = "REST_MANAGEMENT_API";
  return { [type]: { type, description: "REST Management API", is_enterprise: "true", version: plugin.version } };
}

/** The text in the body, or why there is none. */
function licenseIn({ body, product }: ServedRequest): string | Reply {
  const { key } = product.license;
  const given = parsePutBody(body, true, product);
  if ("refusal" in given) return given.refusal;
  const value = given.tree;
  if (!(value instanceof Map) && !product.parserReports) return couldNotParse;
  if (!(value instanceof Map) || value.size === 0) return bodyRequired;
  const text = value.get(key);
  if (text !== undefined && typeof text !== "string") {
    return createInvalidReply("Wrong datatype", { [key]: "String expected" });
  }
  const unknown = [...value.keys()].filter((name) => name !== key);
  if (unknown.length > 0) {
    return createInvalidReply("Invalid configuration", { invalid_keys: { keys: unknown.join(",") } });
  }
  return text ?? bodyRequired;
}

/**
 * A license that is not valid today is refused and changes nothing. Real ones are signed; the emulator's are
 * recognised by their fields.
 */
function putLicense(text: string, { state, settings }: ServedRequest): HandledRequest {
  const refused = (message: string): HandledRequest => ({ reply: createReply(400, message), state });
  if (text === "") return refused("License must not be null.");
  const strange = /[^A-Za-z0-9+/=\s]/.exec(text)?.[0];
  const cause = "com.google.common.io.BaseEncoding$DecodingException";
  if (strange !== undefined) {
    const why = `java.lang.IllegalArgumentException: ${cause}: Unrecognized character: ${strange}`;
    return refused(`License could not be decoded due to: ${why}`);
  }
  const record = decodeLicense(text);
  if (record === undefined || !("expiry_date" in record)) {
    return refused(
      "License could not be decoded due to: org.bouncycastle.openpgp.PGPException: Cannot find license signature",
    );
  }
  const problems = findLicenseProblems(record, settings.now());
  if (problems.length > 0) return refused(`License invalid due to: ${problems.join(",")}`);
  const isFirst = findLicense(state.config) === undefined;
  const reply = isFirst ? createReply(201, "License created.") : createReply(200, "License updated.");
  return { reply, state: { ...state, config: withLicense(state.config, text) } };
}

/** The record in a text, where it is one. */
function decodeLicense(text: string): JsonObject | undefined {
  const read = readJson(Buffer.from(text, "base64").toString("utf8"), searchGuardParser);
  const value = "tree" in read ? fromTree(read.tree) : undefined;
  return isObject(value) ? (value as JsonObject) : undefined;
}

/** What a server shows of a record; undefined for one that it could not read. */
function showRecord(record: JsonObject | undefined, now: Date): JsonObject {
  const problems = record === undefined ? ["License could not be decoded"] : findLicenseProblems(record, now);
  const isValid = problems.length === 0;
  const days = daysUntil(record?.expiry_date, now);
  const fields = recordFields.map((field): [string, Json] => [field, record?.[field] ?? ""]);
  return {
    ...(record && Object.fromEntries(fields)),
    msgs: problems,
    ...(days === undefined ? {} : { expiry_in_days: days }),
    is_expired: days !== undefined && days < 0,
    is_valid: isValid,
    action: isValid ? "" : "Purchase a license.",
    prod_usage: isValid ? "Yes, one cluster." : "No, because the license is not valid.",
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

/** Why a record is not valid today. */
function findLicenseProblems(record: JsonObject, now: Date): readonly string[] {
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
