import { isObject, type JsonObject } from "../../json/value.ts";
import { decodeLicense, findLicenseProblems, showLicense } from "../license.ts";
import { bodyRequired, createInvalidReply, createReply, type Reply } from "../reply.ts";
import { couldNotParse, parsePutBody } from "./bean-model.ts";
import type { RealState } from "./kept.ts";
import type { RealProduct } from "./product.ts";
import type { RealOutcome } from "./resources.ts";
import { findLicenseText, withText } from "./state.ts";

interface LicenseAsk {
  readonly method: string;
  readonly body: string;
  readonly state: RealState;
  readonly product: RealProduct;
  readonly now: Date;
}

const key = "sg_license";

export function answerLicense(ask: LicenseAsk): RealOutcome {
  const { method, state } = ask;
  if (method === "GET") return { reply: { status: 200, json: licenseShown(ask) }, state };
  const given = method === "DELETE" ? "" : licenseIn(ask);
  if (typeof given !== "string") return { reply: given, state };
  // These two have routes, and handlers that only refuse.
  if (method === "DELETE") return { reply: createReply(400, ask.product.texts.deleteLicense), state };
  if (method === "POST") return { reply: createReply(501, "Method POST not supported for this action."), state };
  return putLicense(given, ask);
}

/** What everybody may see. */
export function describeOpenLicense(ask: Omit<LicenseAsk, "method" | "body">, cluster: string): Reply {
  const nodes = { total: 1, successful: 1, failed: 0 };
  return { status: 200, json: { _nodes: nodes, cluster_name: cluster, ...licenseShown(ask) } };
}

/** What the server shows of its license, never the text; without one it has a trial of sixty days. */
function licenseShown({ state, product, now }: Omit<LicenseAsk, "method" | "body">): JsonObject {
  const text = findLicenseText(state.config);
  const shown = text === undefined ? trial(product.engine.number, now) : showLicense(decodeLicense(text), now);
  return { [key]: shown, modules: modulesOf(product), compatibility: { modules_mismatch: false } };
}

/** Of all modules the one that a client may learn the release from. */
function modulesOf({ engine: { plugin } }: RealProduct): JsonObject {
  const type = "REST_MANAGEMENT_API";
  return { [type]: { type, description: "REST Management API", is_enterprise: "true", version: plugin.version } };
}

function trial(engine: string, now: Date): JsonObject {
  const until = new Date(now.getTime() + trialDays * 24 * 60 * 60 * 1000);
  return {
    uid: "00000000-0000-0000-0000-000000000000",
    type: "TRIAL",
    features: ["COMPLIANCE"],
    issue_date: dateOf(now),
    expiry_date: dateOf(until),
    issued_to: "The world",
    issuer: "floragunn GmbH",
    start_date: dateOf(now),
    major_version: Number(engine.split(".")[0]),
    cluster_name: "*",
    msgs: [],
    expiry_in_days: trialDays,
    is_expired: false,
    is_valid: true,
    action: "",
    prod_usage: "Yes, one cluster with all commercial features and unlimited nodes per cluster.",
    license_required: true,
    allowed_node_count_per_cluster: "unlimited",
  };
}

const trialDays = 60;

function dateOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** The text in the body, or why there is none. */
function licenseIn({ body, product }: LicenseAsk): string | Reply {
  const given = parsePutBody(
    body,
    { keys: {}, payload: true },
    { parser: product.config.voice, parserReports: product.parserReports },
  );
  if ("refusal" in given) return given.refusal;
  const value = given.tree;
  if (!(value instanceof Map) && !product.parserReports) return couldNotParse;
  if (!(value instanceof Map) || value.size === 0) return bodyRequired;
  const text = value.get(key);
  if (value.has(key) && typeof text !== "string")
    return createInvalidReply("Wrong datatype", { [key]: "String expected" });
  const unknown = [...value.keys()].filter((name) => name !== key);
  if (unknown.length > 0)
    return createInvalidReply("Invalid configuration", { invalid_keys: { keys: unknown.join(",") } });
  return typeof text === "string" ? text : bodyRequired;
}

/**
 * A license that is not valid today is refused and changes nothing. Real ones are signed; the emulator's are
 * recognised by their fields.
 */
function putLicense(text: string, { state, now }: LicenseAsk): RealOutcome {
  const refused = (message: string): RealOutcome => ({ reply: createReply(400, message), state });
  if (text === "") return refused("License must not be null.");
  const strange = /[^A-Za-z0-9+/=\s]/.exec(text)?.[0];
  const cause = "com.google.common.io.BaseEncoding$DecodingException";
  if (strange !== undefined) {
    const why = `java.lang.IllegalArgumentException: ${cause}: Unrecognized character: ${strange}`;
    return refused(`License could not be decoded due to: ${why}`);
  }
  const record = decodeLicense(text);
  if (!isObject(record) || !("expiry_date" in record)) {
    return refused(
      "License could not be decoded due to: org.bouncycastle.openpgp.PGPException: Cannot find license signature",
    );
  }
  const problems = findLicenseProblems(record, now);
  if (problems.length > 0) return refused(`License invalid due to: ${problems.join(",")}`);
  const first = findLicenseText(state.config) === undefined;
  const reply = first ? createReply(201, "License created.") : createReply(200, "License updated.");
  return { reply, state: { ...state, config: withText(state.config, text) } };
}
