import { getCallerPaths } from "../dialects/caller.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { JsonObject } from "../json/value.ts";
import type { LicenseFinding } from "../model/doctor.ts";
import type { LiveLicense } from "../model/live.ts";
import type { ReadPort } from "../model/ports.ts";
import { getObjectFields } from "./detect/routes.ts";

/** What is to be known of a license; where the API did not show it to us, Search Guard shows it to everybody. */
export async function findLicenseState(
  reader: ReadPort,
  dialect: Dialect,
  read: LiveLicense | undefined,
): Promise<LicenseFinding | undefined> {
  if (!dialect.license) return undefined;
  if (read) return read.installed ? found(read.shown) : { installed: false };
  const path = getCallerPaths(dialect)?.license;
  const shown = path === undefined ? {} : getObjectFields((await reader.get(path)).body)[dialect.license.key];
  if (typeof getObjectFields(shown).uid === "string") return found(getObjectFields(shown));
  return { installed: false, why: "It may not be read with these credentials." };
}

function found({ type, expiry_in_days: days, is_valid: valid }: JsonObject): LicenseFinding {
  return {
    installed: true,
    ...(typeof type === "string" && { type }),
    ...(typeof days === "number" && { daysLeft: days }),
    ...(typeof valid === "boolean" && { valid }),
  };
}
