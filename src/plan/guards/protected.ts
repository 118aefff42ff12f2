import { matchesName } from "../../families/scope.ts";
import { createAddress } from "../../model/names.ts";
import type { Guard } from "./guard.ts";

export const protectedAddresses: Guard = {
  rule: "protected",
  refuses: "A plan that creates, changes or deletes what is protected.",
  why: "These entries were listed because a mistake in them is expensive.",
  fix: "Revert the change, or agree to it in waivers.yaml, where others review it.",
  byDefault: "nothing is protected",
  setBy: "protect: [roles/all_access, role_mappings/*] under defaults or a target of gate-sync.yaml",
  waivedFor: "address",
  evaluate({ pending, protect }) {
    const touched = pending
      .map(({ family, name }) => createAddress(family, name))
      .filter((address) => protect.some((pattern) => matchesName(pattern, address)));
    if (touched.length === 0) return [];
    const what = touched.length === 1 ? "A protected entry would be changed." : "Protected entries would be changed.";
    return [{ what, why: "gate-sync.yaml lists them under protect.", addresses: touched }];
  },
};
