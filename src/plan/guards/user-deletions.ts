import { createAddress } from "../../model/names.ts";
import type { Guard } from "./guard.ts";

/** A deleted role can be created again from a backup, an internal user cannot: no server shows its hash. */
export const userDeletions: Guard = {
  rule: "user-deletions",
  refuses:
    "A plan that deletes an internal user, other than a rollback that deletes what its run created and nobody changed since.",
  why: "No server shows the hash of a password, so neither a backup nor gate-sync rollback brings the user back: only files that declare the user do.",
  fix: "If the user is to stay, declare it, or exclude its name: families.internal_users.exclude.",
  byDefault: "always",
  setBy: "nothing: a waiver names the users",
  waivedFor: "address",
  evaluate({ pending }) {
    const deleted = pending.filter(
      ({ family, action, reason }) => family === "internal_users" && action === "delete" && reason !== "undone",
    );
    if (deleted.length === 0) return [];
    return [
      {
        family: "internal_users",
        what: deleted.length === 1 ? "An internal user would be deleted." : "Internal users would be deleted.",
        why: "No server shows the hash of a password: only files that declare the user can write it again.",
        addresses: deleted.map(({ family, name }) => createAddress(family, name)),
      },
    ];
  },
};
