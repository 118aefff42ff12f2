import { getSemantics } from "../../dialects/find-semantics.ts";
import { type Fields, isEqual, listValues, type Value } from "../../json/value.ts";
import type { AccessState } from "../model/state.ts";
import { includes } from "../patterns/includes.ts";
import {
  createGain,
  createLoss,
  createUnknown,
  formatHow,
  isTurnedOn,
  type KnownLogins,
  type LoginChange,
  locateInConfig,
  takeFields,
} from "./login-change.ts";
import { describeRenewed, listServing, sortPaths } from "./login-domains.ts";
import { listDifferingPaths } from "./login-settings.ts";
import { describeDomain, readPart, showEach } from "./login-source.ts";

export function compareAnonymous(was: Fields, is: Fields, { dialect }: KnownLogins): readonly LoginChange[] {
  const [before, after] = [was, is].map(({ http }) => isTurnedOn(takeFields(http).anonymous_auth_enabled));
  if (before === after) return [];
  const [at, setting] = [locateInConfig("http"), "http.anonymous_auth_enabled"];
  const { user, backendRole } = getSemantics(dialect).anonymous;
  return after
    ? [
        {
          ...createGain(
            at,
            `anyone without a login (${setting}, turned on): user ${user}, backend role ${backendRole}`,
          ),
          asserts: ["backend_roles", "and_backend_roles", "users", "hosts"],
          subject: { user: { name: user }, backendRoles: [{ name: backendRole }], host: "unknown" },
        },
      ]
    : [createLoss(at, `anyone without a login (${setting}, turned off): no access any more`)];
}

/**
 * Who is believed in what it says of the address of a request, and to proxy domains of its user. Where fewer are, requests have the
 * address of a proxy, which others may be mapped to.
 */
export function compareProxies(
  was: Fields,
  is: Fields,
  facts: KnownLogins,
  state: AddressedState | undefined,
): readonly LoginChange[] {
  const [before, after] = [was, is].map(({ http }) => readXff(takeFields(http).xff)) as [Xff, Xff];
  const differing = (Object.keys(after) as (keyof Xff)[]).filter((name) => !isEqual(before[name], after[name]));
  if (differing.length === 0 || !(before.enabled || after.enabled)) return [];
  const at = locateInConfig("http");
  const from = showEach({ ...after }, "internalProxies") ?? "no address";
  const isNarrower =
    differing.join() === "internalProxies" &&
    includes([`/${before.internalProxies}/`], `/${after.internalProxies}/`) === "yes";
  if (!after.enabled || isNarrower) {
    const how = after.enabled ? `only internalProxies ${from}` : "turned off";
    return decidesByAddress(is, state)
      ? [
          {
            addresses: [at],
            kind: "unknown",
            what: `whoever comes by a proxy (http.xff, ${how}): the address of the proxy`,
            asserts: ["hosts"],
          },
        ]
      : [createLoss(at, `fewer are believed as proxies (http.xff, ${how})`)];
  }
  const proxies = [...listServing("authc", is, facts)].flatMap(([name, domain]) =>
    readPart(domain.http_authenticator, facts.dialect).kind === "proxy"
      ? [{ name, ...describeDomain(domain, facts.dialect) }]
      : [],
  );
  const others = differing.filter((one) => one !== "enabled").map((one) => [one]);
  const how = formatHow(!before.enabled, others, before, after);
  const by = proxies.map(({ name, names }) => `by authc ${name} ${names.join(", ")}`);
  const what = `whoever sends requests from ${from} (http.xff, ${how}): ${["any client address", ...by].join("; ")}`;
  return [createGain(at, what, [...new Set(["hosts" as const, ...proxies.flatMap(({ asserts }) => asserts)])])];
}

/** With the defaults of servers; names of headers are compared in any case. */
function readXff(value: Value | undefined) {
  const { enabled, internalProxies = defaultProxies, remoteIpHeader = "x-forwarded-for" } = takeFields(value);
  const header = typeof remoteIpHeader === "string" ? remoteIpHeader.toLowerCase() : remoteIpHeader;
  return { enabled: isTurnedOn(enabled), internalProxies, remoteIpHeader: header };
}

type Xff = ReturnType<typeof readXff>;

const defaultProxies = [
  String.raw`10\.\d{1,3}\.\d{1,3}\.\d{1,3}|192\.168\.\d{1,3}\.\d{1,3}|169\.254\.\d{1,3}\.\d{1,3}`,
  String.raw`127\.\d{1,3}\.\d{1,3}\.\d{1,3}|172\.1[6-9]{1}\.\d{1,3}\.\d{1,3}`,
  String.raw`172\.2[0-9]{1}\.\d{1,3}\.\d{1,3}|172\.3[0-1]{1}\.\d{1,3}\.\d{1,3}`,
].join("|");

/** What of a state decides by the addresses of requests. */
export type AddressedState = Pick<AccessState, "mappings" | "blocks">;

/** Unknown counts. */
function decidesByAddress(is: Fields, state: AddressedState | undefined): boolean {
  const exempt = [
    ...Object.values(takeFields(is.authc)).map((domain) => takeFields(domain).enabled_only_for_ips),
    ...Object.values(takeFields(is.auth_failure_listeners)).map((listener) => takeFields(listener).ignore_hosts),
  ];
  return (
    !state ||
    [...state.mappings.values()].some(({ hosts }) => listValues(hosts).length > 0) ||
    hasBlocksByAddress(state) ||
    exempt.some((addresses) => addresses !== undefined && !isEqual(addresses, []))
  );
}

export function hasBlocksByAddress({ blocks }: Pick<AccessState, "blocks">): boolean {
  return [...blocks.values()].some(({ type, value }) => type !== "name" && listValues(value).length > 0);
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
  const how = formatHow(!wasOn, others, before, after);
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
              `whoever names addresses in DNS (${hosts} ${showEach(is, hosts)}): any name of a host`,
              ["hosts"],
            ),
          ]
        : [createLoss(locateInConfig(hosts), `names of hosts are looked up no more (${hosts} ip-only)`)]),
    ...(differs(attribute, "") ? [createUnknown(locateInConfig(attribute), [attribute], was, is, ["users"])] : []),
    ...compareRestLogins(was, is),
    ...(isTurnedOn(is.disable_intertransport_auth) && !isTurnedOn(was.disable_intertransport_auth)
      ? [createUnknown(locateInConfig("disable_intertransport_auth"), ["disable_intertransport_auth"], was, is)]
      : []),
  ];
}

function compareRestLogins(was: Fields, is: Fields): readonly LoginChange[] {
  const [wasOff, isOff] = [isTurnedOn(was.disable_rest_auth), isTurnedOn(is.disable_rest_auth)];
  if (wasOff === isOff) return [];
  const [at, setting] = [locateInConfig("disable_rest_auth"), "disable_rest_auth"];
  return [
    isOff
      ? createLoss(at, `no login is accepted any more (${setting}, turned on)`)
      : createUnknown(at, [setting], was, is),
  ];
}
