import type { FamilyFacts } from "./facts.ts";

export const tenants: FamilyFacts = {
  noun: ["tenant", "tenants"],
  fields: { description: { kind: "text", documented: true, always: true } },
  mandatory: [],
};
