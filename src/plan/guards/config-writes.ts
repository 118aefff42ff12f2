import type { ConfigDialect, Dialect } from "../../dialects/dialect.ts";
import type { Change } from "../../model/change.ts";
import type { LiveConfig } from "../../model/live.ts";
import type { Violation } from "../../model/plan.ts";
import { configPatch } from "../config-patch.ts";

/** Refuses a plan that writes a config which cannot be written back as it was read, nor changed where it differs. */
export function configFaithful(
  pending: readonly Change[],
  config: LiveConfig | undefined,
  dialect: Dialect,
): readonly Violation[] {
  const change = pending.find(({ family }) => family === "config");
  if (config?.unfaithful === undefined || !change || configPatch(change, dialect)) return [];
  return [
    {
      rule: "config-faithful",
      family: "config",
      what: "The config would be written whole, and what nobody declared would change with it.",
      why: `${config.unfaithful} Leave the config alone with families.config.mode: observe in gate-sync.yaml.`,
      names: ["config"],
      remedies: [],
    },
  ];
}

/** Refuses a plan that changes the config of a server that is known not to let it be changed. */
export function configWrites(
  pending: readonly Change[],
  { setting, readOnly }: ConfigDialect,
  writable: boolean | undefined,
): readonly Violation[] {
  if (!pending.some(({ family }) => family === "config")) return [];
  if (readOnly === undefined && writable !== false) return [];
  const leave = "leave the config alone with families.config.mode: observe in gate-sync.yaml.";
  return [
    {
      rule: "config-writes",
      family: "config",
      what: "The config would be changed, but this server does not let the API change it.",
      why:
        readOnly === undefined
          ? `Its node setting ${setting} is not true. Set it on the nodes, or ${leave}`
          : `${readOnly}; here, ${leave}`,
      names: ["config"],
      remedies: [],
    },
  ];
}
