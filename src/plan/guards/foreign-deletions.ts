import { getNoun } from "../../families/index.ts";
import { createAddress, resourceFamilies } from "../../model/names.ts";
import type { Guard } from "./guard.ts";

/** Deleting what was forgotten in the files is what people mean; deleting what they never saw is not. */
export const foreignDeletions: Guard = {
  rule: "not-ours",
  refuses:
    "A plan that deletes an entry of which nothing says that it was ever declared: not what was applied last, not HEAD, not --base.",
  why: "It was made on the server by hand, perhaps minutes ago, or by another tool. No review of the files has seen it.",
  fix: "Take it into the files: gate-sync export --update. To leave all entries of its type that no file declares, write families: {NAME: {mode: adopt}} in gate-sync.yaml.",
  byDefault:
    "always, where --applied-ref, --baseline or a run on record says what was applied last, but for what keeps the server from loading its configuration; apply of a saved plan takes what plan found",
  setBy: "--applied-ref, --baseline, --state-dir; families.NAME.mode: adopt in gate-sync.yaml",
  waivedFor: "address",
  dependsOnRun: true,
  evaluate: ({ foreign, loadability: { repairs } }) =>
    resourceFamilies.flatMap((family) => {
      const own = (foreign?.entries ?? []).filter(
        // What keeps a server from loading anything does nothing that could be missed.
        (one) => one.family === family && !repairs.has(createAddress(family, one.name)),
      );
      if (!foreign || own.length === 0) return [];
      const what =
        own.length === 1
          ? `A ${getNoun(family, 1)} that is not ours would be deleted.`
          : `${own.length} ${getNoun(family, 2)} that are not ours would be deleted.`;
      const why = `${own.length === 1 ? "It is" : "They are"} ${foreign.asked}: made on the server by hand, or by another tool. To keep what is there: gate-sync export --update.`;
      return [{ family, what, why, addresses: own.map(({ name }) => createAddress(family, name)) }];
    }),
};
