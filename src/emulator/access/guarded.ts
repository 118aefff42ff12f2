import type { RawRequest } from "../request.ts";
import type { Kind, Outcome } from "../server.ts";
import type { EmulatorUser, NodeSettings } from "../settings.ts";
import { type DataWords, dataReply } from "./data.ts";
import { admitted } from "./users.ts";

/** Users have the rights, and get the data, that the state permits them; all else is answered as ever. */
export function guarded<State>(
  words: DataWords,
  settings: Omit<NodeSettings, "users">,
  users: readonly EmulatorUser[] | undefined,
  answer: (request: RawRequest, state: State, settings: NodeSettings) => Outcome<State>,
): Kind<State>["answer"] {
  return (request, state, model) => {
    const node = { ...settings, users: users && admitted(users, model, words.dialect) };
    const reply = dataReply(request, node, model, words);
    return reply ? { reply, state } : answer(request, state, node);
  };
}
