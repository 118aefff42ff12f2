import type { FamilyFacts } from "./facts.ts";

const principals = { kind: "set", documented: true, always: true, patterns: true } as const;

export const roleMappings: FamilyFacts = {
  noun: ["role mapping", "role mappings"],
  fields: {
    description: { kind: "text", documented: true },
    backend_roles: principals,
    hosts: principals,
    users: principals,
    // Principals that have all of these; real servers know it, the documentation of `gate` does not.
    and_backend_roles: { ...principals, documented: false, always: false },
  },
  sixWords: ["backendroles", "and_backendroles"],
  mandatory: [["backend_roles", "hosts", "users", "and_backend_roles"]],
};
