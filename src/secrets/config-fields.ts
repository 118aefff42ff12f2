import { countEdits } from "../diagnostics/suggest.ts";
import { licenseChild } from "../families/config.ts";
import { isForEverybody } from "../families/credentials.ts";
import { Secret } from "../json/secret.ts";
import { isList, isObject, type Value } from "../json/value.ts";

/** Mark a secret wherever they occur in a name, joined to other words or not: `bindpassword`, `signing_keys`. */
const secretParts =
  /password|passwd|passphrase|secret|(private|signing|encryption|exchange|jwt|api)_?key|hmac|credential|pemkey_?content/;

/** Mark a secret only as separate words or at the end, being short or common: `bypass` and `tokenizer` are harmless. */
const secretWords = /(^|_)(pass|pwd?|tokens?)($|_)|pwd?$/;

/** Of a secret, such a field says where it is, which one, how long it lasts, how many there are. Of an AppRole, `secret_id` is the secret. */
const aboutSecrets =
  /(^|_)(max|min)_|(file|path|(?<!secret)_id|attribute|header|parameter|type|alias|_ur[il]|algorithm|lifetime|seconds|minutes)s?$/;

/** All of these have one of these in it, whatever separates words: most names have none. */
const anyPart = /pass|pwd?|secret|key|hmac|credential|token/iu;

/** True where the value of a field of the config is a secret, by its name: bind passwords, signing keys … */
export function isSecretField(name: string): boolean {
  return namesSecret(name) && !aboutSecrets.test(separateWords(name));
}

function namesSecret(name: string): boolean {
  if (secretFields.has(name)) return true;
  if (!anyPart.test(name) || publicFields.has(name)) return false;
  const words = separateWords(name);
  return secretParts.test(words) || secretWords.test(words);
}

/** Secret, though nothing in the name says so: by the salt, masked values can be guessed. */
const secretFields: ReadonlySet<string> = new Set([licenseChild, "field_anonymization_salt2"]);

function separateWords(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/[.-]/g, "_")
    .toLowerCase();
}

/** Of fields of servers, and what parts of their names say. */
const misspeltNames = [
  "password",
  "secret",
  "client_secret",
  "signing_key",
  "bind_password",
  "jwt_key",
  "hmac_key",
  "credentials",
];

/** Whether the name of a secret is meant, but for one character. */
export function isMisspeltField(name: string): boolean {
  return misspeltNames.some((known) => isOneSlipAway(known, name));
}

export function isOneSlipAway(name: string, key: string): boolean {
  if (Math.abs(name.length - key.length) > 2) return false;
  const written = key
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
  return Math.abs(name.length - written.length) < 2 && countEdits(name, written) === 1;
}

/** Settings about tokens, and none: what is secret below them is so by its own name. */
const publicFields: ReadonlySet<string> = new Set(["api_tokens", "auth_token_provider", "secret_files"]);

/** What a reference to a secret may be the value of; texts of certificates are mostly kept in files, and addresses may hold a login. */
export function mayBeSecret(name: string): boolean {
  return namesSecret(name) || /^pem\w*_content$|^hosts$|(?:^|[._])ur[il]$/.test(name);
}

/** Wraps every secret of a config, found by the name of its field, by one above it, or by what a text looks like. */
export function hideSecrets(value: Value, name = "", reference = "live"): Value {
  return hideBelow(value, name, isSecretField(name), reference);
}

function hideBelow(value: Value, name: string, isSecret: boolean, reference: string): Value {
  if (value instanceof Secret) return isSecret || holdsPlainLogin(value) ? value.whole() : value;
  if (typeof value === "string")
    return (isSecret || looksSecret.test(value)) && !isForEverybody(value) ? new Secret(reference, value) : value;
  if (typeof value === "number") return isSecret && mayBeDigits.test(name) ? new Secret(reference, `${value}`) : value;
  if (isList(value)) return value.map((item) => hideBelow(item, name, isSecret, reference));
  if (!isObject(value)) return value;
  // A license is one text; what an answer says *about* a license in a map is for everybody.
  const inherited = isSecret && name !== licenseChild;
  const members = Object.entries(value).map(([key, item]): [string, Value] => {
    const isNamed = isSecretField(key) || isMisspeltField(key);
    const isSecretHere = inherited || (isNamed && !namedByUsers.has(name));
    return [key, hideBelow(item, key, isSecretHere, reference)];
  });
  return Object.fromEntries(members);
}

/** Secrets that nobody put in quotes; `token_expiry` is a number. */
const mayBeDigits = /(?:pass(?:word|wd|phrase)?|secret|key|hmac|credentials?|pwd?|token)s?$/i;

/** Beside its own secret, as in `https://bob:hunter2@${env:HOST}`. */
function holdsPlainLogin({ shown = "" }: Secret): boolean {
  return looksSecret.test(shown.replace(/\(secret \$\{[^}]*\}\)/g, "").replaceAll(":@", "@"));
}

/** A key in PEM, or a URL with a login in it; `host:9200/a@b` has a port there, not a password. */
const looksSecret = /-----BEGIN|:\/\/[^\s/?#@]*:(?!\d*(?:[/?#,;\s]|$))\S*@/;

/** Names below these were chosen by users: a domain called `jwt_token` is not a token. */
export const namedByUsers: ReadonlySet<string> = new Set([
  "authc",
  "authz",
  "auth_failure_listeners",
  "indices",
  "tenants",
]);
