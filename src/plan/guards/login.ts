import { type Fields, isObject, type Value } from "../../json/value.ts";
import type { Finding, Guard, Judged, Login } from "./guard.ts";

/** The config decides who gets in: whoever switches off the last way in, or the one that we came by, cannot undo it. */
export const login: Guard = {
  rule: "login",
  refuses:
    "A config without any enabled authentication domain, or without the kind of domain that this run logs in by.",
  byDefault: "always",
  setBy: "nothing",
  judge({ pending, login: ours }) {
    const change = pending.find(({ family }) => family === "config");
    if (!change?.after) return [];
    const [before, after] = [enabledTypes(change.before), enabledTypes(change.after)];
    const isOurs = before.length > 0 || change.edits.some(({ path }) => path[1] === "authc");
    if (after.length === 0 && isOurs) {
      return [
        finding("No authentication domain would be enabled any more.", "Nobody but an admin certificate gets in."),
      ];
    }
    const kind = ours === undefined ? undefined : kinds[ours];
    if (!kind || !before.some((type) => kind.test(type)) || after.some((type) => kind.test(type))) return [];
    return [
      finding(
        `No enabled authentication domain would take a ${ours} any more.`,
        `This run logs in by ${ours}: no further request of ours would be accepted.`,
      ),
    ];
  },
};

function finding(what: string, why: string): Finding {
  return { rule: "login", family: "config", what, why, addresses: ["config"] };
}

/**
 * What a plan edits of the config that may decide about our own login, though a domain of our kind stays; as a path.
 * A domain that is not ours, or is new, takes nothing from us.
 */
export function unsureOfLogin({ pending, login: ours }: Pick<Judged, "pending" | "login">): readonly string[] {
  const config = pending.find(({ family }) => family === "config");
  const domains = domainsOf(config?.before);
  const decides = (path: readonly string[]): boolean => {
    const [, child = "", name = ""] = path;
    if (child !== "authc") return child === "authz" || child === "http" || child === "hosts_resolver_mode";
    const type = enabledType(domains[name]);
    return type !== undefined && (ours === undefined || kinds[ours].test(type));
  };
  const paths = (config?.edits ?? []).map(({ path }) => path).filter(decides);
  return [...new Set(paths.map((path) => path.slice(0, 3).join(".")))];
}

/** By the short names of authenticators and the ends of their classes' names. */
const kinds: Readonly<Record<Login, RegExp>> = {
  password: /basic/i,
  token: /jwt|openid/i,
  certificate: /clientcert/i,
};

/** The authenticator of each domain that serves HTTP. */
function enabledTypes(config: Fields | undefined): readonly string[] {
  return Object.values(domainsOf(config))
    .map(enabledType)
    .filter((type) => type !== undefined);
}

function domainsOf(config: Fields | undefined): Fields {
  return fieldsOf(fieldsOf(config?.dynamic).authc);
}

function enabledType(domain: Value | undefined): string | undefined {
  const { http_enabled: enabled, http_authenticator: authenticator } = fieldsOf(domain);
  if (domain === undefined || enabled === false || enabled === "false") return undefined;
  return String(fieldsOf(authenticator).type ?? "");
}

function fieldsOf(value: Value | undefined): Fields {
  return isObject(value) ? value : {};
}
