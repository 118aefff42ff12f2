import { type Fields, isObject, listTexts } from "../../json/value.ts";
import type { LoginDifference, Member } from "../../model/access.ts";
import type { Change } from "../../model/change.ts";
import { isGiven, whicheverServer } from "../model/mapped.ts";
import { createGain, createUnknown, type KnownLogins, type LoginChange, locateInConfig } from "./login-change.ts";
import {
  type AddressedState,
  compareAnonymous,
  compareProxies,
  compareSwitches,
  compareTokens,
} from "./login-children.ts";
import { compareDomains, describeSource, domainChildren, listServing } from "./login-domains.ts";
import { describeLimits } from "./login-limits.ts";
import { listUnknownSettings, loginSettings } from "./login-settings.ts";

/**
 * Who signs in otherwise by another config, or by other names. What stays, however much of it, is no difference; what may decide
 * about it in a way that is not known is one.
 *
 * @param state of afterwards; absent where it cannot be read
 * @param adminRoles named before others
 */
export function compareLogins(
  { before = {}, after = {} }: Pick<Change, "before" | "after">,
  facts: KnownLogins,
  state?: AddressedState,
  adminRoles: readonly string[] = [],
): readonly LoginDifference[] {
  return listLoginChanges(before, after, facts, state).map(({ asserts, subject, ...change }) => ({
    ...change,
    ...(state && { mapped: listMapped({ asserts, subject }, state.mappings, adminRoles) }),
  }));
}

function listLoginChanges(
  before: Fields,
  after: Fields,
  facts: KnownLogins,
  state: AddressedState | undefined,
): readonly LoginChange[] {
  const [was, is] = [before, after].map(({ dynamic }) => (isObject(dynamic) ? dynamic : {})) as [Fields, Fields];
  return [
    ...domainChildren.flatMap((child) => compareDomains(child, was, is, facts)),
    ...compareAnonymous(was, is, facts),
    ...compareProxies(was, is, facts, state),
    ...describeLimits(was.auth_failure_listeners, is.auth_failure_listeners).map(([name, what]) =>
      createGain(locateInConfig("auth_failure_listeners", name), what),
    ),
    ...["on_behalf_of", "auth_token_provider", "api_tokens"].flatMap((child) => compareTokens(child, was, is, facts)),
    ...compareSwitches(was, is),
    ...listUnknownSettings(before, after)
      .filter(([child = ""]) => loginSettings.includes(child))
      .map((path) =>
        createUnknown(locateInConfig(path[0] ?? "", path[0] === "http" ? undefined : path[1]), path, was, is),
      ),
  ];
}

/** The sources of a config that can assert backend roles of every name: `authc NAME`. */
export function listRoleSources({ dynamic }: Fields, facts: KnownLogins): readonly string[] {
  return domainChildren.flatMap((child) =>
    [...listServing(child, isObject(dynamic) ? dynamic : {}, facts)].flatMap(([name, domain]) =>
      describeSource(child, domain, facts.dialect).assertsAnyRole ? [`${child} ${name}`] : [],
    ),
  );
}

function listMapped(
  { asserts, subject }: Pick<LoginChange, "asserts" | "subject">,
  mappings: AddressedState["mappings"],
  adminRoles: readonly string[],
): NonNullable<LoginDifference["mapped"]> {
  const rank = (role: string): number => (adminRoles.includes(role) ? 0 : 1);
  return [...mappings]
    .map(([role, mapping]) => ({
      role,
      members: asserts
        .flatMap((field): readonly Member[] => {
          const entries = listTexts(mapping[field]);
          if (field !== "and_backend_roles") return entries.map((entry) => ({ field, entries: [entry] }));
          return entries.length === 0 ? [] : [{ field, entries }];
        })
        .filter((member) => !subject || isGiven(member, subject, whicheverServer) !== "no"),
    }))
    .filter(({ members }) => members.length > 0)
    .sort((a, b) => rank(a.role) - rank(b.role) || (a.role < b.role ? -1 : 1));
}
