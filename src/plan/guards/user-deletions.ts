import { createAddress } from "../../model/names.ts";
import type { Guard } from "./guard.ts";

/** A deleted role can be created again from a backup, an internal user cannot: no server shows its hash. */
export const userDeletions: Guard = {
  rule: "user-deletions",
  refuses: "A plan that deletes an internal user.",
  why: "No server shows the hash of a password, so neither a backup nor gate-sync rollback brings the user back.",
  fix: "If the user is to stay, declare it, or exclude its name: families.internal_users.exclude.",
  byDefault: "always",
  setBy: "nothing: a waiver names the users",
  waivedFor: "address",
  evaluate({ pending }) {
    const deleted = pending.filter(({ family, action }) => family === "internal_users" && action === "delete");
    if (deleted.length === 0) return [];
    return [
      {
        family: "internal_users",
        what: deleted.length === 1 ? "An internal user would be deleted." : "Internal users would be deleted.",
        why: "Nothing brings back a deleted user's password: no server shows its hash.",
        addresses: deleted.map(({ family, name }) => createAddress(family, name)),
      },
    ];
  },
};
