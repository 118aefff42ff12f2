import type { Secret } from "../../json/secret.ts";
import type { Target } from "../../model/target.ts";
import type { Heard } from "./line.ts";
import { type Identity, secretsOf } from "./login.ts";
import { proxyPassword } from "./proxy.ts";
import { anchorsOf, isTelling, repeatsEscaped, wholeForms } from "./repeats.ts";

/** What must not come back to be shown. */
export interface Confidential {
  /** Passwords, tokens, keys: no piece of six letters either. */
  readonly secrets: readonly string[];
  /** Extra headers: secret, yet mostly made of words that any answer may hold, so only long pieces tell. */
  readonly headers: readonly string[];
}

const hidden = "(the answer repeats our login and is not shown)";

/** Called with each form of a part of our login where an answer holds it in one and is left as it is. */
export type Echoed = (forms: readonly string[]) => void;

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
    for (const secret of [...secrets, ...headers].filter(isTelling)) {
      if (!anchorsOf(secret).some((anchor) => heard.text.includes(anchor))) continue;
      const forms = wholeForms(secret);
      if (forms.some((form) => heard.text.includes(form))) echoed(forms);
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

/** Who a request is said to be from, and through what. */
export function confidentialOf({ headers = {}, proxy = {} }: Target, identity: Identity): Confidential {
  const proxies = [proxy.https, proxy.http].filter((url): url is Secret => url !== undefined);
  return {
    secrets: [...secretsOf(identity), ...proxies.map(proxyPassword)],
    headers: Object.values(headers).map((value) => value.reveal()),
  };
}
