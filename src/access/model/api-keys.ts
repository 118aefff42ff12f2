import type { Fields } from "../../json/value.ts";
import type { AccessState } from "./state.ts";
import type { Member } from "./subject.ts";

type WithKeys = Pick<AccessState, "apiKeys" | "roles">;

/** What a key has is evaluated as a role that it alone holds: by a name that no role has. */
export function getKeyRoleName(key: string, { roles }: WithKeys): string {
  let name = `api key ${key}`;
  while (roles.has(name)) name += " ";
  return name;
}

/** The permissions of the keys that may log in, by the name of the role that each of them is. */
export function listKeyRoles(state: WithKeys): ReadonlyMap<string, Fields> {
  const { apiKeys } = state;
  if (apiKeys?.kind !== "known") return new Map();
  return new Map(
    apiKeys.keys.filter(({ ended }) => !ended).map((key) => [getKeyRoleName(key.name, state), key.permissions]),
  );
}

/** The keys that may log in, each a principal of its own. */
export function listKeyMembers({ apiKeys }: Pick<AccessState, "apiKeys">): readonly Member[] {
  if (apiKeys?.kind !== "known") return [];
  return apiKeys.keys.filter(({ ended }) => !ended).map(({ name }) => ({ field: "api_keys", entries: [name] }));
}

/** Why a list of principals may lack keys, or what keeps those of the list from doing anything. */
export function explainApiKeys({ apiKeys, settings }: Pick<AccessState, "apiKeys" | "settings">): readonly string[] {
  if (apiKeys === undefined) return [];
  if (apiKeys.kind === "unread")
    return [`API keys could not be read (${apiKeys.why}): what they may do is not included.`];
  const isAsleep = settings.answersApiKeys === false && apiKeys.keys.some(({ ended }) => !ended);
  return isAsleep
    ? ["API keys are asleep, as api_tokens is off in the config: what they may do holds as soon as it is on."]
    : [];
}
