import { compareLogins } from "../../access/compare/logins.ts";
import { formatMapped } from "../../access/explain/mapped-roles.ts";
import { redactChange } from "../../secrets/redact.ts";
import type { Guard } from "./guard.ts";

/** Who says what users are called and which backend roles they have decides about all that is mapped to these names. */
export const authentication: Guard = {
  rule: "authentication",
  refuses:
    "A config by which others than before decide who users are or which backend roles they have, or which limits wrong passwords less.",
  why: "Who can assert a user name or a backend role has all that is mapped to it. What counts: a domain that is new or turned on, another key, issuer, server, search, attribute or type, trust in other proxies, anonymous login, tokens, weaker limits, and settings of logins that gate-sync does not know. Domains that stay, go or are turned off, and a new value of the same reference to the environment, or to a file by its absolute path that no repository has or leads to by a link, do not. --no-access does not turn this off, and a first plan and rollback count.",
  fix: "Keep the source that was there, or have the new one reviewed by those who own the logins, and waive it for its address: --allow authentication=config/authc/NAME.",
  byDefault: "always",
  setBy: "nothing",
  waivedFor: "address",
  evaluate({ pending, dialect, access, adminRoles, referencesThen }) {
    const config = pending.find(({ family }) => family === "config");
    if (!config?.after) return [];
    const state = access && !("unread" in access) ? access.after.state : undefined;
    return compareLogins(redactChange(config), { dialect, referencesThen }, state, adminRoles)
      .filter(({ kind }) => kind === "gained" || kind === "unknown")
      .map((one) => ({
        family: "config" as const,
        what: `The config changes who signs in, and as whom: ${one.what}${formatMapped(one)}.`,
        ...(one.isOtherSecret && { why: unknownReference }),
        addresses: one.addresses,
      }));
  },
};

const unknownReference =
  "If it is a new value of the same reference: whether it is, is unknown, as neither a record of a run here nor a commit (plan --base) says which reference was applied. A plan that plan --out saved keeps the answer.";
