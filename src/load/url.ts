import { RunError } from "../diagnostics/failure.ts";
import type { SettingReader } from "./setting.ts";
import type { TargetConfig, TargetFlags } from "./target-words.ts";

interface Sources {
  readonly flags: TargetFlags;
  readonly own: TargetConfig["url"];
  readonly configPath: string | undefined;
  readonly read: SettingReader;
}

/** Where a URL was given: its name in messages, and the exit code of such a run. */
interface Origin {
  readonly kind: "usage" | "invalid";
  readonly name: string;
}

/**
 * The URLs of one cluster in the order in which they are asked, without a slash at their end, each once; empty
 * where none is given.
 *
 * @throws RunError where one is no http(s) URL, holds a password or a query, or has another scheme than the others
 */
export function readUrls({ flags, own, configPath = "gate-sync.yaml", read }: Sources): readonly string[] {
  const origin: Origin =
    flags.url === undefined
      ? { kind: "invalid", name: `url of the target in ${configPath}` }
      : { kind: "usage", name: "--url" };
  const given = flags.url === undefined ? publicTexts(own, read) : toUrlList(flags.url);
  const urls = [...new Set(given.map((url) => checkedUrl(url, origin)))];
  if (new Set(urls.map((url) => new URL(url).protocol)).size > 1) throw severalSchemes(origin);
  return urls;
}

/** One or several, as a list. */
export function toUrlList(url: string | readonly string[] | undefined): readonly string[] {
  if (url === undefined) return [];
  return typeof url === "string" ? [url] : url;
}

/** @throws RunError `usage` as `readUrls` does of one that a person typed */
export function refuseUnlessServer(url: string): void {
  checkedUrl(url, { kind: "usage", name: "This" });
}

function publicTexts(own: TargetConfig["url"], read: SettingReader): readonly string[] {
  if (typeof own === "string") return [read.publicText(own, ["url"])];
  return toUrlList(own).map((url, index) => read.publicText(url, ["url", String(index)]));
}

function checkedUrl(url: string, { kind, name }: Origin): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || !parsed.hostname) {
    throw new RunError(kind, {
      what: `${name} is not the URL of a server${parsed?.hostname ? `: ${parsed.protocol}//${parsed.host}` : ""}.`,
      // Everything else in it may be a user name and a password.
      fix: "Write it with its scheme and port, such as https://search.example:9200.",
    });
  }
  if (parsed.username || parsed.password) {
    throw new RunError(kind, {
      what: `${name} holds login data.`,
      why: "URLs are shown in plans and logs.",
      fix: "Leave only the host, and give login data by auth of the target or GATE_SYNC_USERNAME and GATE_SYNC_PASSWORD.",
    });
  }
  if (/[?#]/.test(url)) {
    throw new RunError(kind, {
      what: `${name} has more behind its path, after a ? or #.`,
      why: "The paths of requests are put at its end. URLs are shown in plans and logs, too.",
      fix: "Leave that out; what a proxy wants to know goes into headers of the target.",
    });
  }
  return url.replace(/\/+$/, "");
}

function severalSchemes({ kind, name }: Origin): RunError {
  return new RunError(kind, {
    what: `${name} mixes http and https.`,
    why: "Where https did not connect, the login would be sent in the clear.",
    fix: "Write all URLs of the cluster with https, or all with http.",
  });
}
