import { getNoun } from "../../families/index.ts";
import { createAddress } from "../../model/names.ts";
import { exceeds, formatLimit } from "../body-limit.ts";
import type { Guard } from "./guard.ts";

/** A request that cannot be split further would be refused when half of the plan is applied. */
export const bodyLimit: Guard = {
  rule: "body-limit",
  refuses: "A plan with an entry whose request alone is longer than the server, or a proxy before it, takes.",
  why: "The server or a proxy answers such a request with 413, and nothing of it is written.",
  fix: "Split the entry, or raise the limit on the servers and state it: max_body_size of the target.",
  byDefault: "above 100 MB",
  setBy: "max_body_size under defaults or a target of gate-sync.yaml",
  waivedFor: "nothing",
  evaluate({ operations, bodyLimit: limit }) {
    const tooLong = operations.filter(({ names, body }) => names.length === 1 && exceeds(body, limit));
    return tooLong.map(({ family, names: [name = ""] }) => {
      const noun = getNoun(family);
      const isAlone = family === "config" || family === "license";
      return {
        family,
        what: `The request for the ${isAlone ? noun : `${noun} ${JSON.stringify(name)}`} alone is longer than ${formatLimit(limit)}, the most that this target takes.`,
        why:
          "It cannot be cut, so the server, or a proxy before it, would answer 413 in the midst of the plan. Make the entry " +
          "smaller; or, where both take longer ones (`http.max_content_length` of the nodes), say so with " +
          "`max_body_size` of the target in gate-sync.yaml.",
        addresses: [createAddress(family, name)],
      };
    });
  },
};
