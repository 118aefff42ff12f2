import { type Fields, isObject, type Value } from "../../json/value.ts";
import type { LoginDifference } from "../../model/access.ts";
import type { Address } from "../../model/names.ts";
import type { Path, ReferencesThen } from "./login-settings.ts";
import type { LoginSource } from "./login-source.ts";

/** What is known besides two configs. */
export interface KnownLogins {
  /** Domains say by `transport_enabled` whether they serve transport clients, too. */
  readonly servesTransport: boolean;
  readonly referencesThen?: ReferencesThen | undefined;
}

/** What one place of the config does to who signs in, and as whom. */
export interface LoginChange extends Omit<LoginDifference, "mapped"> {
  /** Members of mappings that it can assert from now on. */
  readonly asserts: LoginSource["asserts"];
}

export function createGain(at: Address, what: string, asserts: LoginChange["asserts"] = []): LoginChange {
  return { addresses: [at], kind: "gained", what, asserts };
}

export function createLoss(at: Address, what: string): LoginChange {
  return { addresses: [at], kind: "lost", what, asserts: [] };
}

export function createUnknown(at: Address, setting: string, asserts: LoginChange["asserts"] = []): LoginChange {
  return { addresses: [at], kind: "unknown", what: `unknown who signs in, and as whom, by ${setting}`, asserts };
}

/** `another openid_connect_url and roles_key`. */
export function formatSettings(paths: readonly Path[]): string {
  const names = paths.map((path) => path.join(".").replace(/^\w+\.config\./, ""));
  const shown = names.length > mostShown ? [...names.slice(0, mostShown), `${names.length - mostShown} more`] : names;
  return `another ${shown.join(" and ")}`;
}

const mostShown = 4;

export function locateInConfig(child: string, name?: string): Address {
  return ["config", child, ...(name === undefined ? [] : [name])].join("/");
}

export function takeFields(value: Value | undefined): Fields {
  return isObject(value) ? value : {};
}

/** Of what is off unless the config says so; a value that cannot be read is none of the two, and counts as on. */
export function isTurnedOn(value: Value | undefined): boolean {
  return value !== undefined && value !== null && value !== "" && !isTurnedOff(value);
}

/** Of what is on unless the config says so. */
export function isTurnedOff(value: Value | undefined): boolean {
  return /^false$/i.test(String(value));
}
