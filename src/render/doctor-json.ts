import type { Letter } from "../diagnostics/failure.ts";
import type { JsonObject } from "../json/value.ts";
import type { Diagnosis, FamilyFinding, LicenseFinding } from "../model/doctor.ts";
import { formatVersion, present, targetJson } from "./json.ts";

/** As `schemas/doctor.schema.json` describes it. */
export function diagnosisToJson(diagnosis: Diagnosis): JsonObject {
  const { target, caller, families, patch, configWrites, license, poison, usable, problems, notes } = diagnosis;
  return {
    format_version: formatVersion,
    kind: "doctor",
    target: targetJson(target),
    caller: {
      ...present({ name: caller.name }),
      how: caller.how,
      roles: caller.roles,
      admin_certificate: caller.adminCertificate,
      ...present({ untold: caller.untold }),
    },
    families: families.map(familyJson),
    patch: { families: patch.families, test: patch.test },
    ...(configWrites && { config_writes: { on: configWrites.on, why: configWrites.why } }),
    ...(license && { license: licenseJson(license) }),
    poison: poison.map(({ address, why }) => ({ address, why })),
    usable: { plan: usable.plan, apply: usable.apply },
    problems: problems.map(letterJson),
    notes,
  };
}

function familyJson({ family, state, count, why, read, write }: FamilyFinding): JsonObject {
  return { family, state, ...present({ count, why }), read, write };
}

function licenseJson({ installed, type, daysLeft, valid, why }: LicenseFinding): JsonObject {
  return { installed, ...present({ type, days_left: daysLeft, valid, why }) };
}

function letterJson({ what, why, fix }: Letter): JsonObject {
  return { what, ...present({ why, fix }) };
}
