import type { Secret } from "../json/secret.ts";
import type { SettingReader } from "./setting.ts";

type Headers = Readonly<Record<string, Secret>>;

/** What the client says itself of each request, and what belongs to a connection. */
const reservedHeaders: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "x-opaque-id",
]);

/**
 * Headers for every request, their names in lower case; undefined where there are none.
 *
 * @param hasAuth whether gate-sync logs in, and so writes Authorization itself
 * @throws RunError `invalid` for a name that cannot be used, and a value that no header can carry
 */
export function readHeaders(
  written: Readonly<Record<string, string>> | undefined,
  hasAuth: boolean,
  read: SettingReader,
): Headers | undefined {
  const headers = new Map<string, Secret>();
  for (const [name, text] of Object.entries(written ?? {})) {
    const [key, path] = [name.toLowerCase(), ["headers", name]];
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(key)) read.fail(noName(name), path);
    if (reservedHeaders.has(key)) read.fail(ownName(name), path);
    if (key === "authorization" && hasAuth) read.fail(secondLogin, path);
    if (headers.has(key)) read.fail(twice(name), path);
    headers.set(key, requireSendable(text, path, read));
  }
  return headers.size === 0 ? undefined : Object.fromEntries(headers);
}

/** A secret that can go into a header as it is. */
export function requireSendable(text: string, path: readonly string[], read: SettingReader): Secret {
  const secret = read.secret(text, path);
  const userMessage = {
    what: `The value of ${path.join(".")} ${secret.reveal() === "" ? "is empty" : "holds a line break or another character that no header can carry"}.`,
    why: "No request could be sent with it.",
    fix: "Look at the value of the reference: it must be one line of Latin characters, without a line break at its end.",
  };
  if (!/^[\t\x20-\x7e\x80-\xff]+$/.test(secret.reveal())) return read.fail({ code: "wrong-type", userMessage }, path);
  return secret;
}

function noName(name: string) {
  const what = `${JSON.stringify(name)} cannot be the name of a header.`;
  return { code: "bad-name", userMessage: { what, fix: "Use a-z, 0-9 and hyphens." } } as const;
}

function ownName(name: string) {
  const userMessage = {
    what: `The header ${name} is written by gate-sync itself.`,
    why: "A second one would break its requests.",
    fix: "Take it out.",
  };
  return { code: "bad-name", userMessage } as const;
}

const secondLogin = {
  code: "exclusive-fields",
  userMessage: {
    what: "There is a header Authorization, and auth besides.",
    why: "Only one of them can be sent, and which would be a guess.",
    fix: "Keep one of them; GATE_SYNC_USERNAME and GATE_SYNC_PASSWORD of the environment count as auth.",
  },
} as const;

function twice(name: string) {
  const what = `The header ${name} is set twice; upper and lower case are the same.`;
  return { code: "exclusive-fields", userMessage: { what, fix: "Keep one of them." } } as const;
}
