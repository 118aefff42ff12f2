import { isSilence } from "../../../src/live/client/line.ts";
import type { Wrap } from "./memory.ts";

/** What many clients do, and ours must not: whatever fails is sent once more, writes too. */
export const blindly: Wrap = (line) => ({
  ...line,
  send: async (outgoing) => {
    const first = await line.send(outgoing);
    return isSilence(first) || first.status >= 500 ? line.send(outgoing) : first;
  },
});
