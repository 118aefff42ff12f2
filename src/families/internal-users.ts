import type { FamilyFacts } from "./facts.ts";

export const internalUsers: FamilyFacts = {
  noun: ["internal user", "internal users"],
  fields: {
    description: { kind: "text", documented: false },
    // No server shows either: they are sent, and never compared.
    hash: { kind: "credential", documented: false },
    password: { kind: "credential", documented: false },
    // `roles` on Search Guard 6.
    backend_roles: { kind: "set", documented: false },
    attributes: { kind: "map", documented: false },
    opendistro_security_roles: { kind: "set", documented: false, refersTo: "roles" },
    search_guard_roles: { kind: "set", documented: false, refersTo: "roles" },
  },
  mandatory: [],
};
