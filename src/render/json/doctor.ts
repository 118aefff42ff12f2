import type { Message } from "../../diagnostics/failure.ts";
import type { JsonObject } from "../../json/value.ts";
import type { FamilyFinding, LicenseFinding } from "../../model/doctor.ts";
import type { DoctorView } from "../views/doctor.ts";
import { formatVersion, omitAbsent, renderTargetJson } from "./parts.ts";

/** As `schemas/doctor.schema.json` describes it. */
export function renderDoctorJson({ diagnosis }: DoctorView): JsonObject {
  const {
    target,
    caller,
    families,
    writableBesides,
    patch,
    configWrites,
    license,
    unloadable,
    usable,
    problems,
    notes,
  } = diagnosis;
  return {
    format_version: formatVersion,
    kind: "doctor",
    target: renderTargetJson(target),
    caller: {
      ...omitAbsent({ name: caller.name }),
      how: caller.how,
      roles: caller.roles,
      admin_certificate: caller.adminCertificate,
      ...omitAbsent({ unanswered: caller.unanswered }),
    },
    families: families.map(familyJson),
    writable_besides: writableBesides.map(({ name, family }) => family ?? name),
    patch: { families: patch.families, test: patch.test },
    ...(configWrites && { config_writes: { on: configWrites.on, why: configWrites.why } }),
    ...(license && { license: licenseJson(license) }),
    unloadable: unloadable.map(({ address, why }) => ({ address, why })),
    usable: { plan: usable.plan, apply: usable.apply },
    problems: problems.map(userMessageJson),
    notes,
  };
}

function familyJson({ family, state, count, why, read, write }: FamilyFinding): JsonObject {
  return { family, state, ...omitAbsent({ count, why }), read, write };
}

function licenseJson({ installed, type, daysLeft, valid, why }: LicenseFinding): JsonObject {
  return { installed, ...omitAbsent({ type, days_left: daysLeft, valid, why }) };
}

function userMessageJson({ what, why, fix }: Message): JsonObject {
  return { what, ...omitAbsent({ why, fix }) };
}
