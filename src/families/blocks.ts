import type { FamilyFacts } from "./facts.ts";

export const blocks: FamilyFacts = {
  noun: ["block", "blocks"],
  fields: {
    type: { kind: "word", documented: true },
    // One string on the wire of `gate`, a list on real servers: the dialect converts between them.
    value: { kind: "set", documented: true, patterns: true },
    verdict: { kind: "word", documented: true },
    description: { kind: "text", documented: true },
  },
  mandatory: [["type"], ["value"], ["verdict"]],
};
