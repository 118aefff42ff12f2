import { RunError } from "../diagnostics/failure.ts";
import { Secret } from "../json/secret.ts";
import { isLoopback } from "../model/loopback.ts";
import type { ProxyOptions } from "../model/target.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * What the environment says of proxies, by variables in lower or upper case, for the scheme of the URL; undefined
 * where it names none for that. A loopback address is never reached through one: then no variable is read.
 *
 * @throws RunError `usage` for what is no URL of a proxy
 */
export function readProxy(env: Env, url: string): ProxyOptions | undefined {
  if (isLoopback(new URL(url).hostname)) return undefined;
  const scheme = new URL(url).protocol === "https:" ? "https" : "http";
  const proxy = proxyIn(`${scheme}_proxy`, env);
  if (!proxy) return undefined;
  const none = settingOf("no_proxy", env)?.value;
  return { [scheme]: proxy, ...(none !== undefined && { none }) };
}

function proxyIn(name: string, env: Env): Secret | undefined {
  const found = settingOf(name, env);
  if (!found) return undefined;
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(found.value) ? found.value : `http://${found.value}`;
  if (isProxy(url)) return new Secret(`\${env:${found.name}}`, url);
  throw new RunError("usage", {
    what: `The environment variable ${found.name} is not the URL of an HTTP proxy.`,
    why: "Requests would have to go through it. It is not shown, as it may hold a password.",
    fix: "Write it as http://proxy.example:3128, with % and @ in a password as %25 and %40, or unset it.",
  });
}

function isProxy(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return /^https?:$/.test(protocol) && !/%(?![0-9a-f]{2})/i.test(username + password);
}

function settingOf(name: string, env: Env): { readonly name: string; readonly value: string } | undefined {
  for (const candidate of [name, name.toUpperCase()]) {
    const value = Object.hasOwn(env, candidate) ? env[candidate]?.trim() : undefined;
    if (value) return { name: candidate, value };
  }
  return undefined;
}
