import type { Secret } from "../../json/secret.ts";
import { isLoopback } from "../../model/loopback.ts";
import type { ProxyOptions } from "../../model/target.ts";

/** The proxy for a URL; undefined where it is reached directly, as a loopback address always is. */
export function chooseProxy(url: URL, proxy: ProxyOptions | undefined): Secret | undefined {
  const chosen = url.protocol === "https:" ? proxy?.https : proxy?.http;
  if (!chosen || isLoopback(url.hostname) || isExempt(url, proxy?.none ?? "")) return undefined;
  return chosen;
}

/** NO_PROXY: `*`, or names that match themselves and all below them, perhaps with a port. */
function isExempt({ protocol, hostname, port }: URL, list: string): boolean {
  const ownPort = port || (protocol === "https:" ? "443" : "80");
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "*") return true;
    const [, name = "", onlyPort] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (name === "" || (onlyPort !== undefined && onlyPort !== ownPort)) return false;
    return hostname === name || hostname.endsWith(`.${name}`);
  });
}

/** `http://proxy.example:3128`: what may be shown of it. */
export function formatProxy(proxy: Secret): string {
  const { protocol, host } = new URL(proxy.reveal());
  return `${protocol}//${host}`;
}

/** Whether a proxy that is handed requests whole kept this one, as it does not know us. */
export function wantsLogin(error: unknown): boolean {
  return error instanceof Error && error.message === "Proxy Authentication Required (407)";
}

/** What of it must not be shown. */
export function getProxyPassword(proxy: Secret): string {
  return decodeURIComponent(new URL(proxy.reveal()).password);
}
