import { type Escalation, findEscalations } from "../../access/compare/escalation.ts";
import { formatMember } from "../../access/model/subject.ts";
import { getNoun } from "../../families/index.ts";
import { type Address, createAddress } from "../../model/names.ts";
import type { Guard, GuardFinding, GuardInput } from "./guard.ts";

/** A principal that administers access control may grant itself everything else. */
export const escalation: Guard = {
  rule: "escalation",
  refuses:
    "A plan by which a principal starts to administer access control: by a role, a permission or the security index.",
  why: "A principal that may change roles and mappings may do everything. What counts: roles that the administration API lets in, on OpenSearch cluster permissions restapi:admin/..., writing to the security index through a pattern that is not about all indices, and blocks that are removed; unknown counts, too. So does a first plan on an empty cluster. --no-access does not turn this off.",
  fix: "Map the principal to another role, or state who is meant to administer: admin_roles of the target.",
  byDefault: "always; the roles are those that products let in as they come",
  setBy: "admin_roles under defaults or a target of gate-sync.yaml",
  waivedFor: "address",
  evaluate(evaluated) {
    const { access, adminRoles = [], dialect } = evaluated;
    if (!access || "unread" in access) return [];
    const administering = { roles: adminRoles, byPermission: dialect.product === "opensearch" };
    return findEscalations(access.before, access.after, administering).map((one) => findingOf(one, evaluated));
  },
  remarks({ access }) {
    if (!access || !("unread" in access)) return [];
    const families = access.unread.map((family) => getNoun(family, 2)).join(" and ");
    return [`Escalation: unknown: ${families} may not be read.`];
  },
};

const letsIn =
  "Where the nodes have plugins.security.restapi.admin.enabled, it lets in by itself, whatever restapi.roles_enabled says.";

/** So many are named. */
const mostNamed = 5;

function findingOf(one: Escalation, { pending, dialect }: GuardInput): GuardFinding {
  const { role, members, verdict } = one;
  const named = members.slice(0, mostNamed).map(formatMember);
  const more = members.length > mostNamed ? ` and ${members.length - mostNamed} more` : "";
  const ofKey = members.every(({ field }) => field === "api_keys");
  const would = verdict === "yes" ? "would" : "may";
  return {
    what: `${named.join(", ")}${more} ${would} come to administer access control, by ${ofKey ? "permissions of its own" : `the role ${role}`}.`,
    why: `${reasonOf(one, dialect)} A principal that may change roles and mappings may do everything.`,
    addresses: addressesOf(one, pending),
  };
}

function reasonOf({ power, granted, pattern }: Escalation, { restPermissionsLetIn }: GuardInput["dialect"]): string {
  const via = granted?.via[0];
  const by = via === undefined ? granted?.pattern : `${via} (${granted?.pattern})`;
  switch (power) {
    case "api":
      return "It is one of the roles that the API lets in.";
    case "rest-permission":
      return `Its cluster permission ${by} is one for the API.${restPermissionsLetIn ? ` ${letsIn}` : ""}`;
    case "security-index":
      return (
        `It can write (${by}) to ${pattern}, which covers the index that keeps roles and mappings. Servers keep it from ` +
        "everybody but an administrator's certificate unless their own settings say otherwise."
      );
  }
}

/** Of what the plan changes, that by which it comes about. */
function addressesOf({ role, granted, members }: Escalation, pending: GuardInput["pending"]): readonly Address[] {
  const changed = pending.map(({ family, name }) => createAddress(family, name));
  const direct = [
    createAddress("role_mappings", role),
    createAddress("roles", role),
    ...(granted?.via ?? []).map((name) => createAddress("action_groups", name)),
    ...members.flatMap(({ field, entries }) =>
      field === "users" ? entries.map((name) => createAddress("internal_users", name)) : [],
    ),
  ].filter((address) => changed.includes(address));
  if (direct.length > 0) return direct;
  const others = changed.filter((address) => /^(blocks|action_groups)\//.test(address));
  return others.length > 0 ? others : [createAddress("role_mappings", role)];
}
