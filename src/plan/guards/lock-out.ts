import { type AdminRight, areMembersKept, checkRightKept, findAdminRight } from "../../access/compare/administers.ts";
import { isHarmless } from "../../access/compare/login-settings.ts";
import { isBlocked } from "../../access/evaluate/blocked.ts";
import { loginChildren } from "../../families/config.ts";
import { credentialFields, writesCredentials } from "../../families/credentials.ts";
import { listTexts } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import type { ApplyingIdentity, Identity, PlanningLogin } from "../../model/identity.ts";
import { createAddress } from "../../model/names.ts";
import { describeClosedApi, findClosedApi, isClosingApi } from "./closed-api.ts";
import type { Guard, GuardFinding, GuardInput } from "./guard.ts";
import { findLoginDoubts } from "./login.ts";
import { findOwnRight, listSightLost } from "./planning-login.ts";
import { getStateBefore, listStateSteps, type StateStep } from "./steps.ts";

/**
 * Checked after each single request: an identity that one of them locks out can neither send the next nor revert it.
 */
export const lockOut: Guard = {
  rule: "lock-out",
  refuses:
    "A plan after any request of which the identity that applies could not administer any more, or once applied the login that made it could not read.",
  why: "No one could correct a mistake through the API any more, or plan and drift would fail; mappings, blocks and, for the identity that applies, intermediate states count.",
  fix: "Keep the mapping of the applying identity to a role of admin_roles, and that of the login that plans; gate-sync doctor shows who that is.",
  byDefault:
    "always by apply; by plan for its own login, and where gate-sync.yaml names the applying identity for that one",
  setBy: "apply_as, admin_certificate and admin_roles under defaults or a target of gate-sync.yaml",
  waivedFor: "address",
  dependsOnRun: true,
  evaluate(evaluated) {
    const { applyingIdentity, planningLogin, foundByPlan = [] } = evaluated;
    const applying = applyingIdentity?.kind === "known" ? applyingIdentity : undefined;
    const planning = planningLogin?.kind === "known" ? planningLogin : undefined;
    const found = [
      ...findClosedApi(evaluated),
      ...(applying?.identities ?? []).flatMap((identity) => [
        ...rightLost(evaluated, identity, applying?.adminRoles ?? []),
        ...shutOut(evaluated, identity),
        ...ownUserChanged(evaluated, identity, "applies this"),
      ]),
      ...listSightLost(evaluated),
      ...(planning ? ownUserChanged(evaluated, planning.identity, "made this plan") : []),
      ...(applying || planning ? loginOff(evaluated) : []),
    ];
    return [...found, ...foundByPlan.filter(({ what }) => !found.some((one) => one.what === what))];
  },
  remarks(evaluated) {
    return [...describeClosedApi(evaluated), ...listUnchecked(evaluated)];
  },
};

function listUnchecked(evaluated: GuardInput): readonly string[] {
  const { applyingIdentity, planningLogin } = evaluated;
  const ofPlanning = planningLogin?.kind === "known" ? listPlanningDoubts(evaluated, planningLogin) : [];
  switch (applyingIdentity?.kind) {
    case "checked-at-apply":
      return [
        "Lock-out of the identity that applies is checked at apply; with apply_as in gate-sync.yaml, by plan too.",
        ...ofPlanning,
      ];
    case "not-known":
      return [
        "Lock-out is unknown: this server does not say who we are. Say it with apply_as in gate-sync.yaml.",
        ...ofPlanning,
      ];
    case "known":
      return [
        ...listDoubts(evaluated, applyingIdentity),
        ...(planningLogin?.kind === "not-known" ? [noPlanningLogin] : ofPlanning),
      ];
    default:
      return planningLogin?.kind === "not-known" ? [noPlanningLogin] : ofPlanning;
  }
}

const noPlanningLogin =
  "Whether the plan takes the administration API from the login that made it is unknown: this server does not say who that is.";

/** Whether a change may take access from an administering identity; a change that only grants does not. */
export function couldLockOut(change: Change): boolean {
  const { family, before, after, edits } = change;
  switch (family) {
    case "role_mappings":
      return before !== undefined && !areMembersKept(before, after);
    case "blocks":
      return true;
    case "internal_users":
      return before !== undefined && takesFromUser(edits, after);
    case "whitelist":
    case "allowlist":
      return isClosingApi(change);
    case "config":
      return edits.some(({ path: [, ...path] }) => loginChildren.has(path[0] ?? "") && !isHarmless(path));
    default:
      return false;
  }
}

type Known = Extract<ApplyingIdentity, { kind: "known" }>;
type KnownPlanning = Extract<PlanningLogin, { kind: "known" }>;

/** Why that is bad. */
function irreversible({ isLast }: StateStep): string {
  return isLast
    ? "It could not undo that."
    : "It could then neither send the other requests nor undo those already sent.";
}

function rightLost(evaluated: GuardInput, identity: Identity, adminRoles: readonly string[]): readonly GuardFinding[] {
  const steps = listStateSteps("role_mappings", evaluated);
  if (steps.length === 0) return [];
  const before = getStateBefore("role_mappings", evaluated);
  const right = findAdminRight(identity, before, adminRoles);
  const bad = steps.flatMap((step) => {
    const { kept, lost } = checkRightKept(right, identity, before, step.held);
    return kept === "yes" ? [] : [{ step, kept, lost }];
  });
  const [first] = bad;
  if (!first) return [];
  const would = first.kept === "no" ? "would" : "may";
  const lost = first.lost.join(", ");
  const what = right.enough
    ? `${first.step.after}, ${identity.user} ${would} no longer hold a role that administers: ${lost}.`
    : `${first.step.after}, ${identity.user} ${would} no longer hold ${lost}.`;
  const which = right.enough
    ? "If another role administers here, say so in admin_roles."
    : "Which roles administer here is not known: say it in admin_roles.";
  const changed = new Set(bad.flatMap(({ step }) => step.changed));
  const addresses = new Set(bad.flatMap((one) => one.lost.map((role) => createAddress("role_mappings", role))));
  return [
    finding(
      "role_mappings",
      what,
      [irreversible(first.step), ...ownRolesUnknown(identity), which].join(" "),
      [...addresses].filter((one) => changed.has(one)),
    ),
  ];
}

function ownRolesUnknown({ user, mayHaveMore }: Identity): readonly string[] {
  if (mayHaveMore === undefined) return [];
  return [`Internal users could not be read (${mayHaveMore}): whether ${user} has such a role of its own is unknown.`];
}

function shutOut(evaluated: GuardInput, identity: Identity): readonly GuardFinding[] {
  const bad = listStateSteps("blocks", evaluated).filter(({ held }) => {
    const verdict = isBlocked([...held.values()], identity);
    return verdict === "yes" || (verdict === "unknown" && identity.address !== undefined);
  });
  const [first] = bad;
  if (!first) return [];
  const would = isBlocked([...first.held.values()], identity) === "yes" ? "would" : "may";
  const what = `${first.after}, ${identity.user} ${would} be blocked.`;
  return [finding("blocks", what, irreversible(first), [...new Set(bad.flatMap(({ changed }) => changed))])];
}

/** Whether a change of an internal user takes a login or rights from it. */
function takesFromUser(edits: Change["edits"], after: Change["after"]): boolean {
  if (after === undefined) return true;
  return edits.some(({ path: [field = ""], before, after: now }) => {
    if (credentialFields.includes(field)) return true;
    const kept = new Set(listTexts(now));
    return listTexts(before).some((role) => !kept.has(role));
  });
}

/** The user by which the run itself logs in, where its name is that of an internal user. */
function ownUserChanged(
  { pending }: GuardInput,
  { user }: Identity,
  which: "applies this" | "made this plan",
): readonly GuardFinding[] {
  const change = pending.find(
    ({ family, name, action, edits, after }) =>
      family === "internal_users" && name === user && action !== "create" && takesFromUser(edits, after),
  );
  if (!change) return [];
  const what =
    change.action === "delete"
      ? `The internal user ${user}, which ${which}, would be deleted.`
      : writesCredentials(change)
        ? `The password of ${user}, which ${which}, would be replaced: this run, and the next, log in with the old one.`
        : `The internal user ${user}, which ${which}, would lose backend roles or roles.`;
  const why =
    which === "applies this"
      ? "It might not be able to undo that."
      : "Its next plan and drift might not be able to read the server.";
  return [finding("internal_users", what, why, [createAddress("internal_users", user)])];
}

function loginOff({ pending }: GuardInput): readonly GuardFinding[] {
  const isTurnedOff = pending.some(
    ({ family, edits }) =>
      family === "config" && edits.some(({ path, after }) => path[1] === "disable_rest_auth" && after === true),
  );
  return isTurnedOff
    ? [
        finding(
          "config",
          "With disable_rest_auth, no login would be accepted any more.",
          "Only an admin certificate could revert that.",
          ["config"],
        ),
      ]
    : [];
}

function finding(
  family: NonNullable<GuardFinding["family"]>,
  what: string,
  why: string,
  addresses: readonly string[],
): GuardFinding {
  return { family, what, why, addresses };
}

/** Why it is unknown whether a plan locks an identity out. */
function listDoubts(evaluated: GuardInput, { identities, adminRoles }: Known): readonly string[] {
  const before = getStateBefore("role_mappings", evaluated);
  return [
    ...identities.flatMap((identity) =>
      listDoubtsOf(evaluated, identity, {
        right: findAdminRight(identity, before, adminRoles),
        noRole: "no role mapping gives it a role now.",
        noAddress: " until apply: blocks go by IP addresses, and the address it applies from is known only then.",
      }),
    ),
    ...listLoginDoubts(evaluated, identities),
  ];
}

function listPlanningDoubts(evaluated: GuardInput, { identity, adminRoles }: KnownPlanning): readonly string[] {
  return [
    ...listDoubtsOf(evaluated, identity, {
      right: findOwnRight(identity, getStateBefore("role_mappings", evaluated), adminRoles),
      noRole: "it has no role now but those of every user.",
      noAddress: ": blocks go by IP addresses, and this server does not say which one it has.",
    }),
    ...listLoginDoubts(evaluated, [identity]),
  ];
}

function listDoubtsOf(
  evaluated: GuardInput,
  identity: Identity,
  { right, noRole, noAddress }: { readonly right: AdminRight; readonly noRole: string; readonly noAddress: string },
): readonly string[] {
  const { user, address } = identity;
  const unknown = `Whether the plan locks user ${JSON.stringify(user)} out is unknown`;
  const isUnplaced = (step: StateStep): boolean => isBlocked([...step.held.values()], identity) === "unknown";
  return [
    ...(listStateSteps("role_mappings", evaluated).length > 0 && right.held.length === 0
      ? [`${unknown}: ${noRole}`]
      : []),
    ...(address === undefined && listStateSteps("blocks", evaluated).some(isUnplaced)
      ? [`${unknown}${noAddress}`]
      : []),
  ];
}

function listLoginDoubts(evaluated: GuardInput, identities: readonly Identity[]): readonly string[] {
  const users = identities.map(({ user }) => `user ${JSON.stringify(user)}`).join(" and ");
  return findLoginDoubts(evaluated).map(
    (path) =>
      `Whether the plan locks ${users} out is unknown: ${path} decides whether they can log in, and with which backend roles.`,
  );
}
