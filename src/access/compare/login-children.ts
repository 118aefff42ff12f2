import { type Fields, isEqual, type Value } from "../../json/value.ts";
import { includes } from "../patterns/includes.ts";
import {
  createGain,
  createLoss,
  createUnknown,
  formatSettings,
  isTurnedOn,
  type KnownLogins,
  type LoginChange,
  locateInConfig,
  takeFields,
} from "./login-change.ts";
import { describeRenewed, listServing, sortPaths } from "./login-domains.ts";
import { listDifferingPaths } from "./login-settings.ts";
import { describeDomain, readPart, showFirst } from "./login-source.ts";

export function compareAnonymous(was: Fields, is: Fields): readonly LoginChange[] {
  const [before, after] = [was, is].map(({ http }) => isTurnedOn(takeFields(http).anonymous_auth_enabled));
  if (before === after) return [];
  const [at, setting] = [locateInConfig("http"), "http.anonymous_auth_enabled"];
  return after
    ? [createGain(at, `anyone without a login (${setting}, turned on): the anonymous user and its backend role`)]
    : [createLoss(at, `anyone without a login (${setting}, turned off): no access any more`)];
}

/** Who is believed in what it says of the address of a request, and to proxy domains of its user. */
export function compareProxies(was: Fields, is: Fields, facts: KnownLogins): readonly LoginChange[] {
  const [before, after] = [was, is].map(({ http }) => takeFields(takeFields(http).xff)) as [Fields, Fields];
  const [wasOn, at] = [isTurnedOn(before.enabled), locateInConfig("http")];
  if (!isTurnedOn(after.enabled))
    return wasOn ? [createLoss(at, "proxies are believed no address and no user any more (http.xff, turned off)")] : [];
  const differing = ["internalProxies", "remoteIpHeader"].filter((name) => !isEqual(before[name], after[name]));
  if (wasOn && differing.length === 0) return [];
  const from = showFirst(after, "internalProxies") ?? "its default networks";
  const isNarrower = includes([`/${before.internalProxies}/`], `/${after.internalProxies}/`) === "yes";
  if (wasOn && differing.join() === "internalProxies" && isNarrower)
    return [createLoss(at, `fewer addresses are believed as proxies (http.xff.internalProxies ${from})`)];
  const proxies = [...listServing("authc", is, facts)].flatMap(([name, domain]) =>
    readPart(domain.http_authenticator).kind === "proxy" ? [{ name, ...describeDomain(domain) }] : [],
  );
  const how = wasOn ? formatSettings(differing.map((one) => [one])) : "turned on";
  const by = proxies.map(({ name, names }) => `by authc ${name} ${names.join(", ")}`);
  const what = `whoever sends requests from ${from} (http.xff, ${how}): ${["any client address", ...by].join("; ")}`;
  return [createGain(at, what, [...new Set(["hosts" as const, ...proxies.flatMap(({ asserts }) => asserts)])])];
}

/** Tokens that the server itself makes, and takes in place of a login. */
export function compareTokens(child: string, was: Fields, is: Fields, facts: KnownLogins): readonly LoginChange[] {
  const [before, after] = [takeFields(was[child]), takeFields(is[child])];
  // Of the provider of Search Guard it is not known what no word means.
  const serves = (one: Fields): boolean =>
    one.enabled === undefined && child === "auth_token_provider"
      ? Object.keys(one).length > 0
      : isTurnedOn(one.enabled);
  const [wasOn, at] = [serves(before), locateInConfig(child)];
  if (!serves(after)) return wasOn ? [createLoss(at, `tokens of ${child} (turned off): taken no more`)] : [];
  const differing = listDifferingPaths(before, after).filter((path) => path.join() !== "enabled");
  const inConfig = (path: readonly string[]) => [child, ...path];
  const { renewed = [], others = [] } = sortPaths(differing, before, after, inConfig, facts);
  if (wasOn && others.length === 0) return renewed.map((path) => describeRenewed(at, child, path, after));
  const how = wasOn ? formatSettings(others) : "turned on";
  return [createGain(at, `whoever has a token of ${child} (${how}): the user and the rights that are written in it`)];
}

/** Settings that are one word, and those that are known to decide, and not how. */
export function compareSwitches(was: Fields, is: Fields): readonly LoginChange[] {
  const differs = (name: string, byDefault: Value): boolean => !isEqual(was[name] ?? byDefault, is[name] ?? byDefault);
  const hosts = "hosts_resolver_mode";
  const attribute = "transport_userrname_attribute";
  const isLookedUp = (is[hosts] ?? "ip-only") !== "ip-only";
  return [
    ...(!differs(hosts, "ip-only")
      ? []
      : isLookedUp
        ? [
            createGain(
              locateInConfig(hosts),
              `whoever names addresses in DNS (${hosts} ${showFirst(is, hosts)}): any name of a host`,
              ["hosts"],
            ),
          ]
        : [createLoss(locateInConfig(hosts), `names of hosts are looked up no more (${hosts} ip-only)`)]),
    ...(differs(attribute, "") ? [createUnknown(locateInConfig(attribute), attribute, ["users"])] : []),
    ...compareRestLogins(isTurnedOn(was.disable_rest_auth), isTurnedOn(is.disable_rest_auth)),
    ...(isTurnedOn(is.disable_intertransport_auth) && !isTurnedOn(was.disable_intertransport_auth)
      ? [createUnknown(locateInConfig("disable_intertransport_auth"), "disable_intertransport_auth")]
      : []),
  ];
}

function compareRestLogins(wasOff: boolean, isOff: boolean): readonly LoginChange[] {
  if (wasOff === isOff) return [];
  const [at, setting] = [locateInConfig("disable_rest_auth"), "disable_rest_auth"];
  return [isOff ? createLoss(at, `no login is accepted any more (${setting}, turned on)`) : createUnknown(at, setting)];
}
