import type { Heard } from "./line.ts";
import { repeatsEscaped } from "./repeats.ts";

/** What must not come back to be shown. */
export interface Confidential {
  /** Passwords, tokens, keys: no piece of six letters either. */
  readonly secrets: readonly string[];
  /** Extra headers: secret, yet mostly made of words that any answer may hold, so only long pieces tell. */
  readonly headers: readonly string[];
}

const hidden = "(the answer repeats our login and is not shown)";

/** Called with a form of our login that an answer holds which is left as it is. */
export type Echoed = (form: string) => void;

/**
 * Proxies and login modules say in their answers what they were sent; no such text gets any further than here. Only what
 * was read is left as it is: it is the server's data, and never shown as its words. Who shows some of it hides what is
 * echoed there.
 */
export function withoutConfidential(
  heard: Heard,
  method: string,
  { secrets, headers }: Confidential,
  echoed: Echoed = () => {},
): Heard {
  if (heard.status === 200 && method === "GET") {
    for (const form of [...secrets, ...headers].filter(isTelling).flatMap(formsOf)) {
      if (heard.text.includes(form)) echoed(form);
    }
    return heard;
  }
  const repeatsOurs = (text: string) =>
    secrets.some((secret) => repeatsEscaped(text, secret)) ||
    headers.some((value) => value.length >= 6 && repeatsEscaped(text, value, 12));
  const told = Object.entries(heard.told).filter(([, text]) => !repeatsOurs(text));
  return {
    ...heard,
    text: repeatsOurs(heard.text) ? hidden : heard.text,
    told: Object.fromEntries(told),
  };
}

/** A short word is in any answer anyway, and hiding it would hide what is meant. */
function isTelling(secret: string): boolean {
  return secret.length >= (/^[a-z_-]*$/i.test(secret) ? 12 : 6);
}

function formsOf(secret: string): readonly string[] {
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])];
}
