import type { RawRequest } from "../request.ts";
import type { HandledRequest, RequestCategory } from "../server.ts";
import type { EmulatorUser, NodeSettings } from "../settings.ts";
import { answerData, type DataWords } from "./data.ts";
import { admitUsers } from "./users.ts";

/** Users have the rights, and get the data, that the state permits them; all else is answered as ever. */
export function guardAccess<State>(
  words: DataWords,
  settings: Omit<NodeSettings, "users">,
  users: readonly EmulatorUser[] | undefined,
  answer: (request: RawRequest, state: State, settings: NodeSettings) => HandledRequest<State>,
): RequestCategory<State>["answer"] {
  return (request, state, model) => {
    const node = { ...settings, users: users && admitUsers(users, model, words.dialect) };
    const reply = answerData(request, node, model, words);
    return reply ? { reply, state } : answer(request, state, node);
  };
}
