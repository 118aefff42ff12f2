import { hasTransportLogins } from "../../dialects/config-fields.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { getLoginClass } from "../../dialects/login-types.ts";
import { groupItems } from "../../json/collections.ts";
import { getValueAt, toPointer } from "../../json/pointer.ts";
import { Secret } from "../../json/secret.ts";
import { type Fields, isEqual, isList, isObject, isText, listValues, type Value } from "../../json/value.ts";
import type { Address } from "../../model/names.ts";
import {
  createLoss,
  formatHow,
  isTurnedOff,
  type KnownLogins,
  type LoginChange,
  locateInConfig,
  takeFields,
} from "./login-change.ts";
import { isHarmless, isRenewed, listDifferingPaths, type Path } from "./login-settings.ts";
import { describeDomain, describeRoleSource, isUnset, type LoginSource, readPart, showValue } from "./login-source.ts";

export const domainChildren = ["authc", "authz"] as const;
type DomainChild = (typeof domainChildren)[number];

/** Domains that let in users, or that add backend roles. */
export function listServing(child: DomainChild, dynamic: Fields, facts: KnownLogins): ReadonlyMap<string, Fields> {
  return new Map(
    Object.entries(takeFields(dynamic[child])).flatMap(([name, domain]) =>
      isObject(domain) && listServed(child, domain, facts).length > 0 ? [[name, domain]] : [],
    ),
  );
}

function listServed(child: DomainChild, domain: Fields, { dialect }: KnownLogins): readonly string[] {
  const { type, kind } = readPart(domain.authorization_backend, dialect);
  if (isTurnedOff(domain.enabled) || (child === "authz" && (type === "" || kind === "noop"))) return [];
  return [
    ...(isTurnedOff(domain.http_enabled) ? [] : ["http"]),
    ...(!hasTransportLogins(dialect) || isTurnedOff(domain.transport_enabled) ? [] : ["transport"]),
  ];
}

export function compareDomains(
  child: DomainChild,
  was: Fields,
  is: Fields,
  facts: KnownLogins,
): readonly LoginChange[] {
  const [before, after] = [listServing(child, was, facts), listServing(child, is, facts)];
  const [all, declared] = [takeFields(was[child]), takeFields(is[child])];
  const gone = new Map([...before].filter(([name]) => !after.has(name)));
  // One that has another name, and is otherwise the same, stays.
  const formerName = new Map<string, string>();
  for (const [name, domain] of after) {
    if (before.has(name)) continue;
    const same = [...gone].find(([, old]) => listDecidingPaths(child, old, domain, facts).length === 0);
    if (!same) continue;
    formerName.set(name, same[0]);
    gone.delete(same[0]);
  }
  const changes = [...after].flatMap(([name, domain]): readonly LoginChange[] => {
    const old = before.get(formerName.get(name) ?? name);
    if (old) return compareDomain(child, name, old, domain, facts);
    const how = Object.hasOwn(all, name) ? "turned on" : "new";
    const forWhom = listServed(child, domain, facts).includes("http") ? "" : ", for transport clients";
    return [describeGain(child, name, domain, `${how}${forWhom}`, facts)];
  });
  const ends = [...gone.keys()].map((name): LoginChange => {
    const how = Object.hasOwn(declared, name) ? "turned off" : "removed";
    const ends = child === "authc" ? "signs in no user any more" : "adds no backend roles any more";
    return createLoss(locateInConfig(child, name), `${child} ${name} (${how}): ${ends}`);
  });
  const staying = [...after].flatMap(([name, domain]): readonly Ordered[] => {
    const old = before.get(formerName.get(name) ?? name);
    return old ? [{ name, isRenamed: formerName.has(name), was: old.order ?? 0, is: domain.order ?? 0 }] : [];
  });
  const goneOrders = [...gone.values()].map(({ order }) => Number(order ?? 0));
  return [...changes, ...ends, ...(child === "authc" ? compareOrder(staying, goneOrders) : [])];
}

interface Ordered {
  readonly name: string;
  readonly isRenamed: boolean;
  readonly was: Value;
  readonly is: Value;
}

/** Which of two domains is asked first decides for a user whom both know; of two with one order, only one is asked at all. */
function compareOrder(staying: readonly Ordered[], goneOrders: readonly number[]): readonly LoginChange[] {
  // Of one order, the names decide which one is asked (measured: 2.19.4).
  const isMoved = (one: Ordered) =>
    staying.some(
      (other) =>
        other !== one &&
        (Math.sign(Number(one.was) - Number(other.was)) !== Math.sign(Number(one.is) - Number(other.is)) ||
          (one.isRenamed && Number(one.is) === Number(other.is))),
    );
  const moved = staying.filter(
    (one) => ((one.isRenamed || !isEqual(one.was, one.is)) && isMoved(one)) || goneOrders.includes(Number(one.was)),
  );
  if (moved.length === 0) return [];
  const how = moved.every(({ isRenamed, was, is }) => isRenamed && isEqual(was, is)) ? "another name" : "another order";
  const what = `${moved.map(({ name }) => `authc ${name}`).join(" and ")} (${how}): for a user whom two domains know, another one may decide the backend roles`;
  return [{ addresses: moved.map(({ name }) => locateInConfig("authc", name)), kind: "unknown", what, asserts: [] }];
}

/** Lists of those whom a domain leaves out: with more of them, it lets in fewer. Servers fill them in. */
const leavingOut = ["skip_users", "skipped_users", "authorization_backend.config.skip_users"];

/** What of two domains differs, but for what is harmless, `order`, and whether they serve. */
function listDecidingPaths(child: DomainChild, was: Fields, is: Fields, { dialect }: KnownLogins): readonly Path[] {
  const switches = ["enabled", "http_enabled", "transport_enabled", "order"];
  const isFilledIn = (path: Path) =>
    leavingOut.includes(path.join(".")) && [was, is].every((side) => isEqual(getValueAt(side, path) ?? [], []));
  const paths = listDifferingPaths(was, is).filter(
    (path) => !switches.includes(path.join(".")) && !isHarmless([child, "*", ...path]) && !isFilledIn(path),
  );
  return paths.filter((path) => !isRewritten(path, paths, was, is, dialect));
}

/** Whether it is the same in other words: the class of a type, or `idp.entity_id` in place of an `entity_id` in `idp`. */
function isRewritten(path: Path, paths: readonly Path[], was: Fields, is: Fields, dialect: Dialect): boolean {
  const [part = "", field] = path;
  if (field === "type" && path.length === 2) {
    const [before, after] = [was, is].map((side) => getLoginClass(part, getValueAt(side, path), dialect));
    return before !== undefined && before === after;
  }
  // Servers flatten the settings of a part.
  const same = field === "config" ? paths.filter((one) => one.join(".") === path.join(".")) : [];
  const [before, after] = [was, is].map((side) =>
    same.map((one) => getValueAt(side, one)).filter((one) => one !== undefined),
  );
  return same.length > 1 && isEqual(before, after);
}

function compareDomain(
  child: DomainChild,
  name: string,
  was: Fields,
  is: Fields,
  facts: KnownLogins,
): readonly LoginChange[] {
  const served = listServed(child, was, facts);
  const isNewlyServed = listServed(child, is, facts).some((one) => !served.includes(one));
  const {
    renewed = [],
    fewer = [],
    others = [],
  } = sortPaths(listDecidingPaths(child, was, is, facts), was, is, (path) => [child, name, ...path], facts);
  if (others.length > 0 || isNewlyServed) {
    const how = formatHow(isNewlyServed, others, was, is);
    // Unknown only where nothing says which reference was applied.
    const isOther = (path: Path) => getValueAt(is, path) instanceof Secret && isText(getValueAt(was, path));
    const isOtherSecret = !facts.referencesThen && others.some(isOther);
    return [{ ...describeGain(child, name, is, how, facts), ...(isOtherSecret && { isOtherSecret }) }];
  }
  return [
    ...renewed.map((path) => describeRenewed(locateInConfig(child, name), `${child} ${name}`, path, is)),
    ...(fewer.length === 0
      ? []
      : [
          createLoss(
            locateInConfig(child, name),
            `${child} ${name}: more users are left out (${fewer.map((path) => path.at(-1)).join(" and ")})`,
          ),
        ]),
  ];
}

/** By which the server itself logs in to a directory: it says nothing about who others are. */
function isOwnLogin(path: Path, is: Fields, dialect: Dialect): boolean {
  return (
    /^auth\w+_backend\.config\.password$/.test(path.join(".")) && readPart(is[path[0] ?? ""], dialect).kind === "ldap"
  );
}

/** Which of the paths are only other values of the same references, which leave out more users, and which are else. */
export function sortPaths(
  paths: readonly Path[],
  was: Fields,
  is: Fields,
  inConfig: (path: Path) => Path,
  { dialect, referencesThen }: KnownLogins,
): Partial<Record<"renewed" | "fewer" | "others", readonly Path[]>> {
  const kindOf = (path: Path): "renewed" | "fewer" | "others" => {
    const [old, now] = [getValueAt(was, path), getValueAt(is, path)];
    const isOnlyOwn = !referencesThen && now instanceof Secret && isOwnLogin(path, is, dialect);
    const thenAt = (...at: Path) => referencesThen?.get(toPointer(["dynamic", ...inConfig(path), ...at]));
    const isEachRenewed =
      isList(old) &&
      isList(now) &&
      old.length === now.length &&
      now.every((one, at) => isEqual(old[at], one) || isRenewed(old[at], one, thenAt(`${at}`)));
    if (isEachRenewed || isRenewed(old, now, isOnlyOwn ? now.reference : thenAt())) return "renewed";
    const [before, after] = [old, now].map(listValues) as [readonly Value[], readonly Value[]];
    // Of one text, servers read a list.
    const isListed = [old, now].every((one) => isUnset(one) || isList(one));
    const isLonger = leavingOut.includes(path.join(".")) && isListed && isPart(before, after);
    // An empty one restricts nothing.
    const isNarrower =
      path.join() === "enabled_only_for_ips" && after.length > 0 && (isUnset(old) || isPart(after, before));
    return isLonger || isNarrower ? "fewer" : "others";
  };
  return Object.fromEntries(groupItems(paths, kindOf).map((group) => [kindOf(group[0]), group]));
}

function isPart(some: readonly Value[], all: readonly Value[]): boolean {
  return some.every((one) => all.includes(one));
}

export function describeSource(child: DomainChild, domain: Fields, dialect: Dialect): LoginSource {
  return child === "authc" ? describeDomain(domain, dialect) : describeRoleSource(domain, dialect);
}

function describeGain(
  child: DomainChild,
  name: string,
  domain: Fields,
  how: string,
  { dialect }: KnownLogins,
): LoginChange {
  const { who, names, asserts, isUnknown } = describeSource(child, domain, dialect);
  const what = `${who} (${child} ${name}, ${how}): ${names.join(", ")}`;
  return { addresses: [locateInConfig(child, name)], kind: isUnknown ? "unknown" : "gained", what, asserts };
}

export function describeRenewed(at: Address, where: string, path: Path, is: Fields): LoginChange {
  const last = path.slice(-1);
  const what = `${where}: ${last} ${showValue(getValueAt(is, path) ?? null)} has another value`;
  return { addresses: [at], kind: "renewed", what, asserts: [] };
}
