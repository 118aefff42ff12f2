import { createConfigPatch } from "../config-patch.ts";
import type { Guard } from "./guard.ts";

/** A config that cannot be written back as it was read, nor changed only where it differs, is not written. */
export const configFaithful: Guard = {
  rule: "config-faithful",
  refuses: "A plan that writes a config whole which the server does not show whole, such as one with masked secrets.",
  why: "What is not declared would change with it: a masked password would be stored as asterisks.",
  fix: "Only observe the config (families.config.mode: observe in gate-sync.yaml), or change it on the server.",
  byDefault: "always",
  setBy: "nothing: writing it would change what is not declared",
  waivedFor: "nothing",
  evaluate({ pending, live, dialect }) {
    const change = pending.find(({ family }) => family === "config");
    if (live.config?.unfaithful === undefined || !change || createConfigPatch(change, dialect)) return [];
    return [
      {
        family: "config",
        what: "The config would be written whole, and what is not declared would change with it.",
        why: `${live.config.unfaithful} Leave the config alone with families.config.mode: observe in gate-sync.yaml.`,
        addresses: ["config"],
      },
    ];
  },
};
