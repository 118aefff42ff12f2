// Secrets that a server takes and never shows again: they are no part of what is compared.
import { plainTextReference, Secret } from "../json/secret.ts";
import { type Fields, isObject, type Value } from "../json/value.ts";
import type { Change } from "../model/change.ts";
import type { Family } from "../model/names.ts";
import { factsOf } from "./index.ts";

/** The names of such fields of internal users. */
export const credentialFields: readonly string[] = Object.entries(factsOf.internal_users.fields).flatMap(
  ([name, { kind }]) => (kind === "credential" ? [name] : []),
);

/** What of a declared entry a server shows; the same value where that is all of it. */
export function withoutCredentials(family: Family, value: Fields): Fields {
  if (family !== "internal_users" || !credentialFields.some((name) => Object.hasOwn(value, name))) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !credentialFields.includes(name)));
}

/** With what the server has in the place of secrets that have no value, such as attributes of users that are only compared. */
export function takeUnset(value: Fields, live: Fields): Fields {
  if (!holdsUnset(value)) return value;
  const entries = Object.entries(value).flatMap(([name, item]): [string, Value][] => {
    const there = Object.hasOwn(live, name) ? live[name] : undefined;
    if (isUnset(item)) return there === undefined ? [] : [[name, there]];
    return [[name, isObject(item) ? takeUnset(item, isObject(there) ? there : {}) : item]];
  });
  return Object.fromEntries(entries);
}

/** Whether something in it is unknown, as it is a secret without a value. */
export function holdsUnset(value: Fields): boolean {
  return Object.values(value).some((item) => isUnset(item) || (isObject(item) && holdsUnset(item)));
}

function isUnset(value: Value): boolean {
  return value instanceof Secret && !value.resolved;
}

/** Whether a change writes a password or hash. */
export function writesCredentials({ family, edits }: Pick<Change, "family" | "edits">): boolean {
  return family === "internal_users" && edits.some(({ path: [field = ""] }) => credentialFields.includes(field));
}

/** Whether a change writes a password, which the server then checks; a hash it takes. */
export function writesPassword({ family, edits }: Pick<Change, "family" | "edits">): boolean {
  return family === "internal_users" && edits.some(({ path: [field] }) => field === "password");
}

/** Whether an internal user is a service account, in whatever case its attribute is written. */
export function holdsServiceFlag({ attributes }: Fields): boolean {
  return isObject(attributes) && typeof attributes.service === "string" && /^true$/i.test(attributes.service);
}

export function getCredentials(value: Fields): Fields {
  return Object.fromEntries(Object.entries(value).filter(([name]) => credentialFields.includes(name)));
}

/** What a file has for want of a secret: the texts after the `:-` of its references, but empty ones. */
export function listDefaults(text: string): readonly string[] {
  return [...text.matchAll(/(?<!\$)\$\{env:[^}]*?:-([^}]*)\}/g)].flatMap(([, fallback = ""]) =>
    fallback.trim() === "" ? [] : [fallback],
  );
}

/** A secret that the files have as it is. */
export function isPlainSecret(secret: Secret): boolean {
  return secret.reference === plainTextReference && secret.resolved && !isForEverybody(secret.reveal());
}

/** What is no secret, whatever its field: public keys and certificates, nothing at all, what products ship to be replaced. */
export function isForEverybody(value: string): boolean {
  const text = value.trim();
  return text === "" || publicPem.test(text) || placeholder.test(text);
}

/** Nothing but keys and certificates that everybody may have, below comments and what openssl says of them. */
const publicPem =
  /^(?:(?:(?:#|subject ?=|issuer ?=).*\r?\n\s*)*-----BEGIN ((?:[A-Z0-9]+ )*(?:PUBLIC KEY|CERTIFICATE))-----(?:[A-Za-z0-9+/=\s]|\\[nr])*-----END \1-----(?:\s|\\[nr])*)+$/;

/** As in the config.yml of all releases. */
const placeholder = /^base64 encoded (?:HMAC key or public RSA\/ECDSA pem key|(?:(?:signing|encryption) )?key)$/;
