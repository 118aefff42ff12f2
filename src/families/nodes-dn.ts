import type { FamilyFacts } from "./facts.ts";

export const nodesDn: FamilyFacts = {
  noun: ["node certificate list", "node certificate lists"],
  fields: { nodes_dn: { kind: "set", documented: false, always: true } },
  mandatory: [],
};
