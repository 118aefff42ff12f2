import type { Dialect } from "../../dialects/dialect.ts";
import { getValueAt } from "../../json/pointer.ts";
import { type Fields, isObject, type Value } from "../../json/value.ts";
import type { LoginDifference } from "../../model/access.ts";
import type { Address } from "../../model/names.ts";
import type { Subject } from "../model/subject.ts";
import type { Path, ReferencesThen } from "./login-settings.ts";
import { type LoginSource, showValue } from "./login-source.ts";

/** What is known besides two configs. */
export interface KnownLogins {
  readonly dialect: Dialect;
  readonly referencesThen?: ReferencesThen | undefined;
}

/** What one place of the config does to who signs in, and as whom. */
export interface LoginChange extends Omit<LoginDifference, "mapped"> {
  /** Members of mappings that it can assert from now on. */
  readonly asserts: LoginSource["asserts"];
  /** The only one who asserts them. */
  readonly subject?: Subject | undefined;
}

export function createGain(at: Address, what: string, asserts: LoginChange["asserts"] = []): LoginChange {
  return { addresses: [at], kind: "gained", what, asserts };
}

export function createLoss(at: Address, what: string): LoginChange {
  return { addresses: [at], kind: "lost", what, asserts: [] };
}

/** @param was and `is`: what has the setting at this path */
export function createUnknown(
  at: Address,
  path: Path,
  was: Fields,
  is: Fields,
  asserts: LoginChange["asserts"] = [],
): LoginChange {
  const what = `${formatSettings([path], was, is)}: what it decides about logins is unknown`;
  return { addresses: [at], kind: "unknown", what, asserts };
}

/** `turned on, another roles_key "roles"`. */
export function formatHow(isTurnedOn: boolean, paths: readonly Path[], was: Fields, is: Fields): string {
  return [...(isTurnedOn ? ["turned on"] : []), ...(paths.length > 0 ? [formatSettings(paths, was, is)] : [])].join(
    ", ",
  );
}

/**
 * What changes at each path: `another openid_connect_url https://idp.example, new roles_key "roles", without subject_key`. None is
 * left out, as any of them may decide who logs in.
 */
export function formatSettings(paths: readonly Path[], was: Fields, is: Fields): string {
  const shown = paths.map((path) => {
    const name = path.join(".").replace(/^\w+\.config\./, "");
    const [old, now] = [getValueAt(was, path), getValueAt(is, path)];
    if (now === undefined || now === null) return `without ${name}`;
    return `${old === undefined || old === null ? "new" : "another"} ${name} ${showValue(now, old)}`;
  });
  return shown.join(", ");
}

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
