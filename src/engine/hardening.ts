import { RunError } from "../diagnostics/failure.ts";
import { listUsualAdminRoles } from "../dialects/caller.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { listHardeningLines } from "../dialects/endpoints.ts";
import { askCaller, type CallerSeen } from "../live/caller.ts";
import { detect } from "../live/detect/detect.ts";
import { memoiseReads } from "../live/memo.ts";
import { resourceFamilies } from "../model/names.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import { openTarget } from "./open.ts";
import type { RunRequest } from "./request.ts";
import { summariseSource } from "./source.ts";

export interface Hardening {
  /** For the settings file of each node. */
  readonly lines: readonly string[];
  readonly warning?: string;
}

/**
 * The node settings that leave a role nothing to write.
 *
 * @param named the role; else it is that of the login
 * @throws RunError `usage` where it is not known which role that is, or the product names no endpoints
 */
export async function createHardening(
  request: RunRequest,
  connect: (target: Target) => ReadPort,
  named?: string,
): Promise<Hardening> {
  const target = await openTarget(request);
  summariseSource(target, request);
  if (named !== undefined && /^(?:global)?$/.test(named)) throw noRole(named);
  const reader = memoiseReads(connect(target));
  try {
    const { dialect } = await detect(reader, target, resourceFamilies);
    const adminRoles = target.adminRoles ?? listUsualAdminRoles(dialect);
    const role = named ?? chooseRole(await askCaller(reader, dialect), adminRoles);
    const lines = listHardeningLines(dialect, role);
    if (lines.length === 0) throw noEndpoints(dialect);
    return { lines, ...(adminRoles.includes(role) && { warning: describeAdministrators(role) }) };
  } finally {
    await reader.close();
  }
}

/** No request shows `roles_enabled`: what is known are the administrators' roles, and that one of the caller's is in it. */
function chooseRole({ roles, rights }: CallerSeen, adminRoles: readonly string[]): string {
  const known = roles.filter((role) => adminRoles.includes(role));
  const candidates = known.length > 0 ? known : roles.filter((role) => !everybodys.test(role));
  const [role] = candidates;
  if (role !== undefined && candidates.length === 1 && rights?.byRole === true) return role;
  throw new RunError("usage", {
    what:
      rights?.byRole === true
        ? `This login has ${candidates.length === 0 ? "no role that shows" : `several roles: ${candidates.join(", ")}`}. No request shows which of them is in roles_enabled.`
        : "No role of this login may use the administration API, as far as the server says.",
    fix: "Name the role that is to read only: gate-sync doctor --hardening --role ci_plan.",
  });
}

/** Roles that every user has, as the products come. */
const everybodys = /^(sgs?_)?own_index$/i;

function describeAdministrators(role: string): string {
  return `warning: ${role} administers. With these lines, users whose only role for the administration API is ${role} can change nothing. For a login that reads only: --role ci_plan.`;
}

function noRole(named: string): RunError {
  return new RunError("usage", {
    what: `${JSON.stringify(named)} names no role.`,
    why: "endpoints_disabled.global is about every role, those of administrators too.",
    fix: "Name the role that is to read only: gate-sync doctor --hardening --role ci_plan.",
  });
}

function noEndpoints({ product }: Dialect): RunError {
  return new RunError("usage", {
    what: `The documentation of ${product} names no endpoints that its nodes could disable.`,
    fix: "State the product, if it is another: --product opensearch.",
  });
}
