import { RunError } from "../diagnostics/failure.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { type Poison, poisonIn } from "../diff/poison.ts";
import { type CallerSeen, callerSeen } from "../live/caller.ts";
import { configWritable } from "../live/config-writes.ts";
import { type Detected, detect } from "../live/detect/detect.ts";
import { licenseFinding } from "../live/license.ts";
import { memoised } from "../live/memo.ts";
import { findingOf, isAdminCertificate, type Seen, survey } from "../live/survey.ts";
import type { Caller, Diagnosis, FamilyFinding } from "../model/doctor.ts";
import type { LiveLicense } from "../model/live.ts";
import { families as allFamilies, resourceFamilies } from "../model/names.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import { openTarget } from "./open.ts";
import type { Request } from "./request.ts";
import { summaryOf, unverified } from "./source.ts";
import { problemsIn } from "./usable.ts";

/**
 * Everything about a target that can be found out by reading it. Checks stand for themselves: one that fails says why.
 *
 * @throws RunError where the server cannot be reached, is none that is known, or does not take our credentials
 */
export async function diagnose(request: Request, connect: (target: Target) => ReadPort): Promise<Diagnosis> {
  const target = await openTarget(request);
  const summary = summaryOf(target);
  const reader = memoised(connect(target));
  try {
    const detected = await detect(reader, target, resourceFamilies);
    const { dialect } = detected;
    const asked = request.families ?? allFamilies;
    const [found, seen] = await Promise.all([survey(reader, dialect, asked), callerSeen(reader, dialect)]);
    const caller = callerOf(seen, target, dialect, found);
    const families = found.map((one) => findingOf(one, dialect, caller, seen.rights));
    const license = asked.includes("license") ? await licenseFinding(reader, dialect, licenseIn(found)) : undefined;
    const poison = poisonOf(dialect, found);
    const problems = problemsIn(found, families, poison);
    return {
      target: { ...summary, server: detected.server },
      caller,
      families,
      patch: patchOf(dialect, families),
      ...(asked.includes("config") && { configWrites: await configWrites(reader, dialect) }),
      ...(license && { license }),
      poison: poison.map(({ address, why }) => ({ address, why })),
      usable: { plan: problems.plan.length === 0, apply: problems.plan.length + problems.apply.length === 0 },
      problems: [...problems.plan, ...problems.apply],
      notes: [...unverified(target), ...detected.notes, ...(await notesOnStated(reader, target, detected))],
    };
  } finally {
    await reader.close();
  }
}

function callerOf(seen: CallerSeen, target: Target, dialect: Dialect, found: readonly Seen[]): Caller {
  const name = seen.name ?? (target.auth?.kind === "basic" ? target.auth.username : undefined);
  return {
    ...(name !== undefined && { name }),
    how: howWeCome(seen, target),
    roles: seen.roles,
    adminCertificate: isAdminCertificate(
      seen,
      dialect,
      found.some(({ state }) => state === "readable"),
    ),
    ...(seen.untold.length > 0 && { untold: seen.untold.join("; ") }),
  };
}

/** A server that was shown a certificate may all the same have gone by the password. */
function howWeCome({ name, principal }: CallerSeen, { auth, tls }: Target): string {
  const hasCertificate = tls?.cert !== undefined || tls?.pkcs12 !== undefined;
  if (auth === undefined ? hasCertificate : principal !== undefined && principal === name) return "client certificate";
  switch (auth?.kind) {
    case "basic":
      return "password";
    case "bearer":
      return "token";
    case "aws":
      return "AWS signature";
    case "exec":
      return "credentials of a command";
    case undefined:
      return "no credentials";
  }
}

/** Search Guard 7 alone is known to choke on what it holds. */
function poisonOf({ product, ringsHarm }: Dialect, found: readonly Seen[]): readonly Poison[] {
  if (product !== "search-guard" || !ringsHarm) return [];
  return poisonIn({ resources: new Map(found.flatMap(({ live }) => [...(live?.resources ?? [])])), paths: new Map() });
}

function licenseIn(found: readonly Seen[]): LiveLicense | undefined {
  return found.find(({ family }) => family === "license")?.live?.license;
}

function patchOf({ patch, honoursTest }: Dialect, families: readonly FamilyFinding[]): Diagnosis["patch"] {
  const present = families.filter(({ state }) => state !== "absent").map(({ family }) => family);
  return {
    families: resourceFamilies.filter((family) => patch.has(family) && present.includes(family)),
    test: honoursTest,
  };
}

async function configWrites(reader: ReadPort, dialect: Dialect): Promise<NonNullable<Diagnosis["configWrites"]>> {
  const { readOnly, setting } = dialect.config;
  if (readOnly !== undefined) return { on: "no", why: readOnly };
  const writable = await configWritable(reader, dialect);
  if (writable === undefined) return { on: "unknown", why: `The node setting ${setting} decides.` };
  return { on: writable ? "yes" : "no", why: `The node setting ${setting} is ${writable ? "on" : "off"}.` };
}

/** What was stated is what a plan goes by; the server may say otherwise. */
async function notesOnStated(reader: ReadPort, stated: Target, { server }: Detected): Promise<readonly string[]> {
  if (stated.product === undefined) return [];
  try {
    const { server: own, notes } = await detect(reader, {}, resourceFamilies);
    // `gate` has no way to tell its release.
    const isTold = own.product !== "gate" && notes.length === 0 && own.release !== server.release;
    if (own.product === server.product && !isTold) return [];
    return [
      `${server.product} ${server.release} is stated; the server itself looks like ${own.product} ${own.release} (${own.how}).`,
    ];
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return [`${server.product} ${server.release} is stated; the server itself does not tell.`];
  }
}
