import { getConfigFields } from "../dialects/config-fields.ts";
import { type ConfigPlace, getPlaceBelow, licenseChild } from "../families/config.ts";
import { type Fields, isObject, isText, toComparable, type Value } from "../json/value.ts";
import type { Converting, NoteWriter } from "./writing.ts";

/** The config in the words of the other product; undefined where its API takes none. */
export function convertConfig({ dynamic, ...rest }: Fields, context: Converting, note: NoteWriter): Fields | undefined {
  const { from, to, there } = context;
  const { readOnly, dashboard } = to.dialect.config;
  if (readOnly !== undefined) {
    note("left", `${there} takes no config by this API. ${readOnly}.`);
    return undefined;
  }
  if (!isObject(dynamic)) return { ...rest, dynamic: dynamic ?? {} };
  const renamed = Object.fromEntries(
    Object.entries(dynamic)
      .filter(([name]) => name !== licenseChild)
      .map(([name, child]) => [name === from.dialect.config.dashboard ? dashboard : name, child]),
  );
  const spans = withSwitchedLogins(withRoleSpan(renamed, context, note), context, note);
  const known = getConfigFields(to.dialect);
  const kept = known
    ? (pickKnown(spans, { kind: "object", fields: known }, "dynamic", context, note) as Fields)
    : spans;
  reportLogins(kept, context, note);
  return { ...rest, dynamic: kept };
}

/** Whether one role has to grant all of a request is off by default in Search Guard 6 alone. */
function withRoleSpan(dynamic: Fields, { from, to, here }: Converting, note: NoteWriter): Fields {
  const [was, is] = [from.semantics.roleSpan, to.semantics.roleSpan];
  if (was === is || was === "ignored" || is === "ignored" || dynamic.multi_rolespan_enabled !== undefined)
    return dynamic;
  note("changed", `multi_rolespan_enabled: ${was} is written out: that is the default of ${here}.`);
  return { ...dynamic, multi_rolespan_enabled: was };
}

/** `enabled: false` of Search Guard 6 turns a domain off. Others do not read it, and would have it on. */
function withSwitchedLogins(dynamic: Fields, context: Converting, note: NoteWriter): Fields {
  const switched = (["authc", "authz"] as const).flatMap((family): readonly [string, Fields][] => {
    const domains = dynamic[family];
    if (!isObject(domains)) return [];
    const found = Object.entries(domains).map(([name, domain]): readonly [string, Value] => [
      name,
      isObject(domain) ? withSwitch(domain, `dynamic.${family}.${name}`, context, note) : domain,
    ]);
    return [[family, Object.fromEntries(found)]];
  });
  return { ...dynamic, ...Object.fromEntries(switched) };
}

function withSwitch(domain: Fields, path: string, { there }: Converting, note: NoteWriter): Fields {
  const { enabled, ...rest } = domain;
  if (enabled === undefined || enabled === null) return rest;
  const text = isText(enabled) ? toComparable(enabled) : String(enabled);
  if (/^true$/i.test(text)) {
    note("changed", `${path}.enabled: true is left out: in ${there} it is on without it.`);
    return rest;
  }
  const isKnown = /^false$/i.test(text);
  note(
    isKnown ? "changed" : "unknown",
    isKnown
      ? `${path}.enabled: false is written as http_enabled: false: ${there} does not read enabled, and it would be on.`
      : `${path}.enabled is neither true nor false: it is off in ${there}, by http_enabled: false.`,
  );
  return { ...rest, http_enabled: false, transport_enabled: false };
}

function pickKnown(value: Value, place: ConfigPlace, path: string, context: Converting, note: NoteWriter): Value {
  if (!isObject(value) || (place.kind !== "object" && place.kind !== "named")) return value;
  const kept = Object.entries(value).flatMap(([name, item]): readonly [string, Value][] => {
    const inside = getPlaceBelow(place, name);
    const where = `${path}.${name}`;
    if (inside === undefined) {
      note("left", `${where}: ${context.there} has no such setting.`);
      return [];
    }
    return [[name, pickKnown(item, inside, where, context, note)]];
  });
  return Object.fromEntries(kept);
}

/** These mean the same to both. Others are classes, or what one of them alone has. */
const backends = new Set(["intern", "internal", "noop", "ldap"]);
const authenticators = new Set([
  "basic",
  "clientcert",
  "extended-proxy",
  "jwt",
  "kerberos",
  "openid",
  "proxy",
  "proxy2",
  "saml",
]);

function reportLogins({ authc, authz }: Fields, { from, to, there }: Converting, note: NoteWriter): void {
  if (from.dialect.product === to.dialect.product) return;
  const settings: string[] = [];
  const check = (path: string, part: Value | undefined, known: ReadonlySet<string>) => {
    const { type, config } = isObject(part) ? part : {};
    const isKnown = typeof type !== "string" || known.has(type);
    if (!isKnown) note("unknown", `${path}.type: whether ${there} has ${type} is unknown.`);
    else if (isObject(config) && Object.keys(config).length > 0) settings.push(`${path}.config`);
  };
  for (const [name, domain] of Object.entries(isObject(authc) ? authc : {})) {
    if (!isObject(domain)) continue;
    check(`authc.${name}.http_authenticator`, domain.http_authenticator, authenticators);
    check(`authc.${name}.authentication_backend`, domain.authentication_backend, backends);
  }
  for (const [name, domain] of Object.entries(isObject(authz) ? authz : {})) {
    if (isObject(domain)) check(`authz.${name}.authorization_backend`, domain.authorization_backend, backends);
  }
  if (settings.length > 0)
    note(
      "unknown",
      `Taken over as it is: ${settings.join(", ")}. Whether ${there} reads every setting in it is unknown.`,
    );
}
