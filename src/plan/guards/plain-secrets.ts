import { isPlainSecret } from "../../families/credentials.ts";
import { Secret } from "../../json/secret.ts";
import { isList, isObject, type Value } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import { createAddress } from "../../model/names.ts";
import type { Guard, GuardFinding } from "./guard.ts";

/** A license is none: it opens nothing. Nor is what verifies only, what is empty, or what the products ship to be replaced. */
export const plainSecrets: Guard = {
  rule: "plain-secrets",
  refuses: "A plan that writes a secret which is in plain text in the repository.",
  why: "Every reader of the repository, or of its history, knows it.",
  fix: "Write ${env:NAME} or ${file:PATH} instead, and change the secret on both sides.",
  byDefault: "always",
  setBy: "a reference instead: ${env:NAME} or ${file:path}",
  waivedFor: "address",
  evaluate({ pending }) {
    return [...findInConfig(pending), ...findPasswords(pending)];
  },
};

const why =
  "Every reader of the repository, or of its history, knows it. Write ${env:NAME} or ${file:path} instead, and change the secret.";

/** Of internal users: a hash is meant to be in the vendors' files. */
function findPasswords(pending: readonly Change[]): readonly GuardFinding[] {
  const plain = pending.filter(({ family, edits }) => {
    const written =
      family === "internal_users" ? edits.find(({ path: [field] }) => field === "password")?.after : undefined;
    return written instanceof Secret && isPlainSecret(written);
  });
  if (plain.length === 0) return [];
  const addresses = plain.map(({ family, name }) => createAddress(family, name));
  return [
    {
      family: "internal_users",
      what: `${addresses.join(", ")}: a password in plain text in the repository.`,
      why,
      addresses,
    },
  ];
}

function findInConfig(pending: readonly Change[]): readonly GuardFinding[] {
  const change = pending.find(({ family }) => family === "config");
  const places = (change?.edits ?? []).flatMap(({ path, after }) => plainPlaces(path, after));
  if (places.length === 0) return [];
  return [
    {
      family: "config",
      what: `${places.join(", ")}: in plain text in the repository.`,
      why,
      addresses: ["config"],
    },
  ];
}

function plainPlaces(path: readonly string[], value: Value | undefined): readonly string[] {
  if (value instanceof Secret) return isPlainSecret(value) ? [path.join(".")] : [];
  if (isList(value)) return value.flatMap((item) => plainPlaces(path, item));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => plainPlaces([...path, key], child));
}
