import type { Guard } from "./guard.ts";

/** A server that is known to refuse changes of its config would refuse one when half of the plan is applied. */
export const configWrites: Guard = {
  rule: "config-writes",
  refuses: "A plan that changes the config of a server that is known not to let the API change it.",
  why: "Every write of the config would be refused.",
  fix: "Set the node setting that the message names, or only observe the config: families.config.mode: observe.",
  byDefault: "always",
  setBy: "nothing: the node setting decides",
  waivedFor: "nothing",
  evaluate({ pending, dialect, configWritable }) {
    const { setting, readOnly } = dialect.config;
    if (!pending.some(({ family }) => family === "config")) return [];
    if (readOnly === undefined && configWritable !== false) return [];
    const leave = "leave the config alone with families.config.mode: observe in gate-sync.yaml.";
    return [
      {
        family: "config",
        what: "The config would be changed, but this server does not let the API change it.",
        why:
          readOnly === undefined
            ? `Its node setting ${setting} is not true. Set it on the nodes, or ${leave}`
            : `${readOnly}; here, ${leave}`,
        addresses: ["config"],
      },
    ];
  },
};
