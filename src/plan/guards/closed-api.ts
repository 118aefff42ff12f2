// The lists of OpenSearch that close its whole API to all who have no admin certificate.
import { getNoun } from "../../families/index.ts";
import { type Fields, isObject, listTexts } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import { createAddress } from "../../model/names.ts";
import type { GuardFinding, GuardInput } from "./guard.ts";

/** Whether fewer requests are allowed than before to all who have no admin certificate. */
export function isClosingApi({ family, before, after }: Change): boolean {
  if ((family !== "whitelist" && family !== "allowlist") || after?.enabled !== true) return false;
  if (before?.enabled !== true) return true;
  const [was, is] = [before.requests ?? {}, after.requests ?? {}];
  if (!isObject(was) || !isObject(is)) return true;
  return Object.entries(was).some(([path, methods]) =>
    listTexts(methods).some((method) => !listTexts(is[path]).includes(method)),
  );
}

/** Who has the admin certificate is let through, whatever the list has. */
export function findClosedApi({ pending, applyingIdentity, planningLogin }: GuardInput): readonly GuardFinding[] {
  const kind = applyingIdentity?.kind;
  const mayApply = kind === "admin-certificate" || kind === "checked-at-apply";
  const planning = planningLogin?.kind === "known" ? planningLogin.identity.user : undefined;
  if (mayApply && planning === undefined) return [];
  return pending.filter(isClosingApi).map(({ family, name, after }) => ({
    family,
    what: `${describe(family, after)}, ${mayApply ? `${planning}, which made this plan,` : "the identity that applies"} among them.`,
    why: mayApply
      ? "Its next plan and drift could not read the server."
      : "Only an admin certificate could revert that.",
    addresses: [createAddress(family, name)],
  }));
}

export function describeClosedApi({ pending }: GuardInput): readonly string[] {
  return pending
    .filter(isClosingApi)
    .map(
      ({ family, after }) => `${describe(family, after)}, whatever their roles grant: users, Dashboards, monitoring.`,
    );
}

function describe(family: Change["family"], after: Fields | undefined): string {
  const count = isObject(after?.requests) ? Object.keys(after.requests).length : 0;
  const paths = count === 1 ? "one path" : `${count} paths`;
  const refused = count === 0 ? "every request" : `every request but those to the ${paths} that it lists`;
  return `With the ${getNoun(family)} enabled, the server refuses ${refused} to all who log in without an admin certificate`;
}
