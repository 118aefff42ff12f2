import { getCredentials } from "../../families/credentials.ts";
import { createAddress } from "../../model/names.ts";
import type { Guard } from "./guard.ts";

/** A PUT of a whole user without its hash, which no server shows, may leave it without a password. */
export const userFields: Guard = {
  rule: "user-fields",
  refuses: "A plan that would have to write a whole internal user without its password.",
  why: "Single fields are written by PATCH, which this server does not take; a PUT without the hash may lock the user out.",
  fix: "Change the user by the server's own tools, or rotate its password in the same run: --rotate internal_users/NAME.",
  byDefault: "always",
  setBy: "nothing",
  waivedFor: "nothing",
  evaluate({ pending, operations }) {
    const whole = new Set(
      operations.flatMap(({ family, method, names }) => (family === "internal_users" && method === "PUT" ? names : [])),
    );
    const found = pending.filter(
      ({ family, name, after }) =>
        family === "internal_users" && whole.has(name) && after && Object.keys(getCredentials(after)).length === 0,
    );
    if (found.length === 0) return [];
    return [
      {
        family: "internal_users",
        what: "Internal users would be written whole, without their passwords.",
        why: "This server takes no PATCH of them.",
        addresses: found.map(({ family, name }) => createAddress(family, name)),
      },
    ];
  },
};
