import { memoiseByObject } from "../../json/memoise.ts";
import type { Fields } from "../../json/value.ts";
import type { AccessTest } from "../../model/access-test.ts";
import type { ApiKey } from "../../model/api-key.ts";
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
  return new Map(listLiveKeys(state).map(({ title, permissions }) => [getKeyRoleName(title, state), permissions]));
}

/** The keys that may log in, each a principal of its own. */
export function listKeyMembers(state: Pick<AccessState, "apiKeys">): readonly Member[] {
  return listLiveKeys(state).map(({ title }) => ({ field: "api_keys", entries: [title] }));
}

/** The key of which a role is the permissions. */
export function findKeyOfRole(role: string, state: AccessState): Member | undefined {
  return indexKeys(state).get(role);
}

const indexKeys = memoiseByObject(
  (state: AccessState) =>
    new Map(listKeyMembers(state).map((member) => [getKeyRoleName(member.entries.join(), state), member])),
);

/** By its name or, where several keys have that, by its title. */
export function isKeyOf(title: string, names: readonly string[], state: Pick<AccessState, "apiKeys">): boolean {
  return listLiveKeys(state).some((key) => key.title === title && [key.name, title].some((one) => names.includes(one)));
}

function listLiveKeys({ apiKeys }: Pick<AccessState, "apiKeys">): readonly ApiKey[] {
  return apiKeys?.kind === "known" ? apiKeys.keys.filter(({ ended }) => !ended) : [];
}

/** A test about all but some is about keys, too. */
export function isAboutKeys({ who }: AccessTest): boolean {
  return who.kind === "only";
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
