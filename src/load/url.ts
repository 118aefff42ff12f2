import { RunError } from "../diagnostics/failure.ts";

/**
 * The URL of a server, without a slash at its end.
 *
 * @throws RunError where it is no http(s) URL, or holds a password
 */
export function checkedUrl(url: string, byFlag: boolean, configPath = "gate-sync.yaml"): string {
  const kind = byFlag ? "usage" : "invalid";
  const from = byFlag ? "--url" : `url of the target in ${configPath}`;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || !parsed.hostname) {
    throw new RunError(kind, {
      what: `${from} is not the URL of a server${parsed?.hostname ? `: ${parsed.protocol}//${parsed.host}` : ""}.`,
      // Whatever else stands in it may be a user name and a password.
      fix: "Write it with its scheme and port, such as https://search.example:9200.",
    });
  }
  if (parsed.username || parsed.password) {
    throw new RunError(kind, {
      what: `${from} holds login data.`,
      why: "URLs are shown in plans and logs.",
      fix: "Leave only the host, and give login data by auth of the target or GATE_SYNC_USERNAME and GATE_SYNC_PASSWORD.",
    });
  }
  return url.replace(/\/+$/, "");
}
