import { catalogue } from "../../diagnostics/catalogue.ts";
import { isKnownSomewhere } from "../../dialects/config-fields.ts";
import { factsOf } from "../../families/index.ts";
import type { Secret } from "../../json/secret.ts";
import { families } from "../../model/names.ts";
import type { Target } from "../../model/target.ts";
import { isReporting, listAnchors, listWholeForms, repeatsEscapedText } from "../../secrets/repeats.ts";
import type { ServerResponse } from "./connection.ts";
import { type LoginIdentity, listLoginSecrets } from "./login.ts";
import { getProxyPassword } from "./proxy.ts";

/** What must not come back to be shown. */
export interface ConfidentialText {
  /** Passwords, tokens, keys: no part of six characters may be shown either. */
  readonly secrets: readonly string[];
  /** Extra headers: secret, but mostly made of words that any answer may hold, so only long parts count. */
  readonly headers: readonly string[];
}

const hidden = "(the answer repeats our login and is not shown)";

/** Called with all forms of a part of our login that an answer repeats and that is left there, to be hidden later. */
export type EchoedText = (forms: readonly string[]) => void;

/**
 * Proxies and login modules say in their answers what they were sent; no such text gets any further than here. Only what
 * was read is left as it is: it is the server's data, and never shown as its words. Who shows some of it hides what is
 * echoed there.
 */
export function withoutConfidential(
  heard: ServerResponse,
  method: string,
  { secrets, headers }: ConfidentialText,
  echoed: EchoedText = () => {},
): ServerResponse {
  if (heard.status === 200 && method === "GET") {
    for (const secret of [...secrets, ...headers].filter(isHideable)) {
      if (!listAnchors(secret).some((anchor) => heard.text.includes(anchor))) continue;
      const forms = listWholeForms(secret);
      if (forms.some((form) => heard.text.includes(form))) echoed(forms);
    }
    return heard;
  }
  const repeatsRelevant = (text: string) =>
    secrets.some((secret) => repeatsEscapedText(text, secret)) ||
    headers.some((value) => value.length >= 6 && repeatsEscapedText(text, value, 12));
  const explained = Object.entries(heard.explained).filter(([, text]) => !repeatsRelevant(text));
  return {
    ...heard,
    text: repeatsRelevant(heard.text) ? hidden : heard.text,
    explained: Object.fromEntries(explained),
  };
}

/** The identity of a request, and the proxy on its way. */
export function createConfidential({ headers = {}, proxy = {} }: Target, identity: LoginIdentity): ConfidentialText {
  const proxies = [proxy.https, proxy.http].filter((url): url is Secret => url !== undefined);
  return {
    secrets: [...listLoginSecrets(identity), ...proxies.map(getProxyPassword)],
    headers: Object.values(headers).map((value) => value.reveal()),
  };
}

/** A password that is a short word, or a name of a setting or code, is in any output: hidden there, it would spoil ours. */
export function isHideable(secret: string): boolean {
  return isReporting(secret) && !ownNames.has(secret) && !isKnownSomewhere(secret);
}

const ownNames: ReadonlySet<string> = new Set([
  ...Object.keys(catalogue),
  ...families,
  ...Object.values(factsOf).flatMap(({ fields }) => Object.keys(fields)),
]);
