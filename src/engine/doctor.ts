import { isRestPermission } from "../access/compare/escalation.ts";
import { RunError } from "../diagnostics/failure.ts";
import type { DetectedServer } from "../dialects/detected.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { findUnloadable, type UnloadableEntry } from "../diff/unloadable.ts";
import { listTexts } from "../json/value.ts";
import { askCaller, type CallerSeen, listWritable } from "../live/caller.ts";
import { isConfigWritable } from "../live/config-writes.ts";
import { detect } from "../live/detect/detect.ts";
import { explainNoFamily } from "../live/detect/no-family.ts";
import { findLicenseState } from "../live/license.ts";
import { memoiseReads } from "../live/memo.ts";
import { explainNoWrites } from "../live/missing-right.ts";
import { findServerProblems } from "../live/server-problems.ts";
import { createFamilyFinding, isAdminCertificate, type SurveyResult, surveyFamilies } from "../live/survey.ts";
import type { Caller, Diagnosis, FamilyFinding } from "../model/doctor.ts";
import type { LiveLicense } from "../model/live.ts";
import { families as allFamilies, resourceFamilies } from "../model/names.ts";
import { isStated } from "../model/policy.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import { openTarget } from "./open.ts";
import type { RunRequest } from "./request.ts";
import { describeUnverified, summariseSource } from "./source.ts";

/**
 * Everything about a target that reading it can show. Checks are independent: one that fails says why.
 *
 * @throws RunError where the server cannot be reached, is of no known product, or does not accept the credentials
 */
export async function diagnose(request: RunRequest, connect: (target: Target) => ReadPort): Promise<Diagnosis> {
  const target = await openTarget(request);
  const summary = summariseSource(target, request);
  const reader = memoiseReads(connect(target));
  try {
    const detected = await detect(reader, target, resourceFamilies);
    const { dialect } = detected;
    const asked = request.families ?? allFamilies.filter((family) => isStated(family, target.families));
    const [found, seen] = await Promise.all([surveyFamilies(reader, dialect, asked), askCaller(reader, dialect)]);
    const nothing = found.some(({ state }) => state === "readable")
      ? undefined
      : await explainNoFamily(reader, dialect);
    if (nothing) throw nothing;
    const caller = callerOf(seen, target, dialect, found);
    const families = found.map((one) => createFamilyFinding(one, dialect, caller, seen.rights));
    const isReader = families.every(({ write }) => write === "no");
    const writableBesides = isReader && seen.rights ? listWritable(seen.rights, dialect) : [];
    const license = asked.includes("license") ? await findLicenseState(reader, dialect, licenseIn(found)) : undefined;
    const unloadable = unloadableOf(dialect, found);
    const problems = findServerProblems(
      found,
      families,
      unloadable,
      writableBesides,
      isReader && seen.rights ? explainNoWrites(seen.rights, dialect) : undefined,
    );
    return {
      target: { ...summary, server: detected.server },
      caller,
      families,
      writableBesides: writableBesides.map(({ name, family }) => ({ name, ...(family && { family }) })),
      patch: patchOf(dialect, families),
      ...(asked.includes("config") && { configWrites: await configWrites(reader, dialect) }),
      ...(license && { license }),
      unloadable: unloadable.map(({ address, why }) => ({ address, why })),
      usable: { plan: problems.plan.length === 0, apply: problems.plan.length + problems.apply.length === 0 },
      problems: [...problems.plan, ...problems.apply],
      notes: [
        ...describeUnverified(target),
        ...(target.warnings ?? []).map(({ what, why, fix }) => [what, why, fix].join(" ")),
        ...(await describeUnseenCluster(reader)),
        ...detected.notes,
        ...describeRestPermissions(dialect, seen, found),
        ...(await notesOnStated(reader, target, detected)),
      ],
    };
  } finally {
    await reader.close();
  }
}

/** Who administers is then no longer a matter of roles alone. */
function describeRestPermissions(
  { restPermissionsLetIn }: Dialect,
  { roles }: CallerSeen,
  found: readonly SurveyResult[],
): readonly string[] {
  const live = found.find(({ family }) => family === "roles")?.live?.resources.get("roles");
  if (!restPermissionsLetIn || !live) return [];
  const letsIn = roles.filter((name) =>
    listTexts(live.get(name)?.value.cluster_permissions).some((pattern) => isRestPermission(pattern) !== "no"),
  );
  return letsIn.map(
    (name) =>
      `Its role ${name} grants restapi:admin/...: where the nodes have plugins.security.restapi.admin.enabled, which no request shows, this login administers by it, whatever restapi.roles_enabled says.`,
  );
}

/** Two logins that do not both see the cluster make two fingerprints of one plan. */
async function describeUnseenCluster(reader: ReadPort): Promise<readonly string[]> {
  const { status } = await reader.get("/");
  if (status !== 403) return [];
  return [
    "This login may not read GET / (cluster:monitor/main), so it does not see the name of the cluster. Its plans have other fingerprints than those of a login that does, and apply --expect refuses these.",
  ];
}

function callerOf(seen: CallerSeen, target: Target, dialect: Dialect, found: readonly SurveyResult[]): Caller {
  const name = seen.name ?? (target.auth?.kind === "basic" ? target.auth.username : undefined);
  return {
    ...(name !== undefined && { name }),
    how: howWeCome(seen, target),
    roles: seen.roles,
    ...(seen.name !== undefined && { identity: { user: seen.name, backendRoles: seen.backendRoles } }),
    adminCertificate: isAdminCertificate(
      seen,
      dialect,
      found.some(({ state }) => state === "readable"),
    ),
    ...(seen.unanswered.length > 0 && { unanswered: seen.unanswered.join("; ") }),
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
function unloadableOf({ product, cyclesHarm }: Dialect, found: readonly SurveyResult[]): readonly UnloadableEntry[] {
  if (product !== "search-guard" || !cyclesHarm) return [];
  return findUnloadable({
    resources: new Map(found.flatMap(({ live }) => [...(live?.resources ?? [])])),
    paths: new Map(),
  });
}

function licenseIn(found: readonly SurveyResult[]): LiveLicense | undefined {
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
  const writable = await isConfigWritable(reader, dialect);
  if (writable === undefined) return { on: "unknown", why: `The node setting ${setting} decides.` };
  return { on: writable ? "yes" : "no", why: `The node setting ${setting} is ${writable ? "on" : "off"}.` };
}

/** What was stated is what a plan goes by; the server may say otherwise. */
async function notesOnStated(reader: ReadPort, stated: Target, { server }: DetectedServer): Promise<readonly string[]> {
  if (stated.product === undefined) return [];
  try {
    const { server: own, notes } = await detect(reader, {}, resourceFamilies);
    // `gate` has no request that shows its release.
    const isExplained = own.product !== "gate" && notes.length === 0 && own.release !== server.release;
    if (own.product === server.product && !isExplained) return [];
    return [
      `${server.product} ${server.release} is stated; the server itself looks like ${own.product} ${own.release} (${own.how}).`,
    ];
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return [`${server.product} ${server.release} is stated; the server itself does not show it.`];
  }
}
