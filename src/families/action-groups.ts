import type { FamilyFacts } from "./facts.ts";

export const actionGroups: FamilyFacts = {
  noun: ["action group", "action groups"],
  fields: {
    description: { kind: "text", documented: false },
    type: { kind: "word", documented: false },
    // `permissions` on the wire of 6.x: the dialect renames it.
    allowed_actions: { kind: "set", documented: true, always: true, refersTo: "action_groups", patterns: true },
  },
  sixWords: ["permissions"],
  mandatory: [["allowed_actions"]],
};
