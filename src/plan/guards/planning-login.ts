import { type AdminRight, checkRightKept, findAdminRight, type Mappings } from "../../access/compare/administers.ts";
import { isBlocked } from "../../access/evaluate/blocked.ts";
import { listTexts } from "../../json/value.ts";
import type { Identity } from "../../model/identity.ts";
import { createAddress } from "../../model/names.ts";
import type { GuardFinding, GuardInput } from "./guard.ts";
import { getStateAfter, getStateBefore } from "./steps.ts";

/**
 * What a plan takes from the login that made it, once all of it is done: what is in between concerns the login that
 * sends the requests alone.
 */
export function listSightLost(evaluated: GuardInput): readonly GuardFinding[] {
  const { planningLogin } = evaluated;
  if (planningLogin?.kind !== "known") return [];
  const { identity, adminRoles } = planningLogin;
  return [...accessLost(evaluated, identity, adminRoles), ...blocked(evaluated, identity)];
}

function accessLost(evaluated: GuardInput, identity: Identity, adminRoles: readonly string[]): readonly GuardFinding[] {
  const [before, after] = [getStateBefore, getStateAfter].map((get) => get("role_mappings", evaluated)) as [
    Mappings,
    Mappings,
  ];
  const right = findOwnRight(identity, before, adminRoles);
  const { kept, lost } = checkRightKept(right, identity, before, after);
  if (kept === "yes") return [];
  const all = findAdminRight(identity, before, []).held;
  const { held, enough = [...held, ...[...after.keys()].filter((role) => !all.includes(role))] } = right;
  const isSure = checkRightKept({ held, enough }, identity, before, after).kept === "no";
  const roles = lost.length === 1 ? `the role ${lost[0]}` : `the roles ${lost.join(", ")}`;
  const changed = new Set(evaluated.pending.map(({ family, name }) => createAddress(family, name)));
  return [
    {
      family: "role_mappings",
      what: `Once this is applied, ${identity.user}, which made this plan, ${isSure ? "would" : "may"} no longer hold ${roles}.`,
      why: [noSight, ...(right.enough || isSure ? [] : [whichRole])].join(" "),
      addresses: lost.map((role) => createAddress("role_mappings", role)).filter((one) => changed.has(one)),
    },
  ];
}

const noSight = "Its next plan and drift could not read the server: the administration API lets in by role.";
const whichRole = "Unknown: which of its roles the administration API lets in.";

/** A role that every user has lets no one in: of the others it is unknown which one does, so all of them count. */
export function findOwnRight(identity: Identity, mappings: Mappings, adminRoles: readonly string[]): AdminRight {
  const right = findAdminRight(identity, mappings, adminRoles);
  if (right.enough) return right;
  return { held: right.held.filter((role) => !listTexts(mappings.get(role)?.users).includes("*")) };
}

function blocked(evaluated: GuardInput, identity: Identity): readonly GuardFinding[] {
  const changed = evaluated.pending.filter(({ family }) => family === "blocks");
  if (changed.length === 0) return [];
  const verdict = isBlocked([...getStateAfter("blocks", evaluated).values()], identity);
  if (verdict === "no" || (verdict === "unknown" && identity.address === undefined)) return [];
  return [
    {
      family: "blocks",
      what: `Once this is applied, ${identity.user}, which made this plan, ${verdict === "yes" ? "would" : "may"} be blocked.`,
      why: "Its next plan and drift could not read the server.",
      addresses: changed.map(({ family, name }) => createAddress(family, name)),
    },
  ];
}
