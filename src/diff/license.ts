import { findEdits } from "../json/patch.ts";
import { type Fields, isEqual, isObject, type JsonObject, toComparable, type Value } from "../json/value.ts";
import type { Change } from "../model/change.ts";
import type { DesiredLicense } from "../model/desired.ts";
import type { LiveConfig, LiveLicense } from "../model/live.ts";
import type { FamilyPolicy } from "../model/policy.ts";

/** What a license says about itself, on both sides: enough to distinguish two. */
const reporting = ["uid", "issue_date", "start_date", "expiry_date"] as const;

/**
 * The license is never shown by a server, so it is compared by what the server does show of it (uid and dates), else by
 * the text inside a config that can be read, else the answer is unknown; then it is written only where the file says so.
 */
export function diffLicense(
  desired: DesiredLicense,
  live: LiveLicense,
  config: LiveConfig | undefined,
  policy: FamilyPolicy | undefined,
): Change {
  const change = { family: "license", name: "license", origin: desired.origin } as const;
  const after: Fields = { text: desired.text };
  const edits = findEdits({}, after);
  const same = live.installed ? (sameByWhatIsShown(desired, live.shown) ?? sameByConfig(desired, config)) : false;
  if (same === true) return { ...change, action: "leave", reason: "in-sync", edits: [] };
  if (policy?.mode === "observe") return { ...change, action: "leave", reason: "observed", edits };
  if (same === undefined && !desired.writeAlways) return { ...change, action: "leave", reason: "unknown", edits: [] };
  return { ...change, action: live.installed ? "update" : "create", reason: "declared", after, edits };
}

function sameByWhatIsShown(desired: DesiredLicense, shown: JsonObject): boolean | undefined {
  const own = fieldsInside(toComparable(desired.text));
  const comparable = reporting.filter((field) => own?.[field] !== undefined && shown[field] !== undefined);
  if (!comparable.includes("uid")) return undefined;
  return comparable.every((field) => own?.[field] === shown[field]);
}

function sameByConfig(desired: DesiredLicense, config: LiveConfig | undefined): boolean | undefined {
  const dynamic = config?.document.dynamic;
  const stored: Value | undefined = isObject(dynamic) ? dynamic.license : undefined;
  if (stored === undefined || stored === null || stored === "") return undefined;
  return isEqual(stored, desired.text);
}

/** A license is base64 around a signed JSON object; undefined where this one is not. */
function fieldsInside(license: string): JsonObject | undefined {
  const decoded = Buffer.from(license.replace(/\s+/g, ""), "base64").toString("utf8");
  const [start, end] = [decoded.indexOf("{"), decoded.lastIndexOf("}")];
  if (start === -1 || end <= start) return undefined;
  try {
    return JSON.parse(decoded.slice(start, end + 1)) as JsonObject;
  } catch {
    return undefined;
  }
}
