import { RunError } from "../../diagnostics/failure.ts";
import { ownMark } from "../../families/unknown.ts";
import { askCaller } from "../../live/caller.ts";
import { isAdminCertificate } from "../../live/survey.ts";
import { type Change, isPending } from "../../model/change.ts";
import { createAddress } from "../../model/names.ts";
import { describeLogin } from "./applying-identity.ts";
import type { PlanContext } from "./context.ts";

/**
 * Entries that are marked reserved are written by the admin certificate alone: it is asked before anything is sent.
 *
 * @throws RunError `usage` where the login is another, and gate-sync.yaml does not say that who applies has it
 */
export async function refuseMarkedWrites(
  { request, summary, target, detected: { dialect }, reader }: PlanContext,
  changes: readonly Change[],
): Promise<void> {
  const first = changes.find((change) => isPending(change) && change.after?.[ownMark] === true);
  if (!first || summary.snapshot || (request.onlyPlans && target.adminCertificate)) return;
  const isAdmin = isAdminCertificate(await askCaller(reader, dialect), dialect, true);
  const login = describeLogin(target);
  if (isAdmin === "yes" || (isAdmin === "unknown" && login !== "password" && login !== "token")) return;
  throw new RunError("usage", {
    what: `${createAddress(first.family, first.name)} is marked reserved, and this run does not log in with the admin certificate.`,
    why: `The server lets nobody else write what is reserved (families.${first.family}.reserved: write).`,
    fix: "Name that certificate by tls.cert and tls.key of the target, without auth. Where apply has it and plan has another login, state it: admin_certificate: true.",
  });
}
