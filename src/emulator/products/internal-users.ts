// Internal users have a password besides what they show: where it comes from, and what it must be like.
import { computeDigest } from "../../json/canonical.ts";
import type { EntryModel, WriteSource } from "../product.ts";
import { createEngineFailure, createInvalidReply, createReply, type Reply } from "../reply.ts";
import type { ServerState, StoredEntries } from "../state.ts";
import type { TreeOrRefusal } from "../values/patch.ts";
import { getList, getMember, type Tree } from "../values/tree.ts";

/** Looks like bcrypt, and is the same for the same password: nothing here verifies a hash. */
export function computePasswordHash(password: string): string {
  return `$2y$12$${computeDigest(password).slice(0, 53)}`;
}

/** @param keepsHash a patched user without a hash keeps the one that it had; elsewhere it has none, and cannot log in */
export function withPasswords(entries: EntryModel, keepsHash: boolean): EntryModel {
  return {
    ...entries,
    check(value, by, before) {
      // Search Guard looks at the types of a patched user, and not at a null in place of its password.
      const isNull = !keepsHash && by.writeKind !== "PUT" && getMember(value, "password") === null;
      return entries.check(isNull && by.family === "internal_users" ? withoutPassword(value) : value, by, before);
    },
    store(value, by, before) {
      if (by.family !== "internal_users" || !(value instanceof Map)) return entries.store(value, by, before);
      const attributes = bindAttributes(value.get("attributes") ?? null, keepsHash);
      if ("refusal" in attributes) return attributes;
      const bound = value.has("attributes") ? new Map(value).set("attributes", attributes.tree) : value;
      return entries.store(withHash(bound, by, before, keepsHash), by, before);
    },
    load(family, value, name) {
      const isPlain = family === "internal_users" && value instanceof Map && typeof value.get("password") === "string";
      return entries.load(family, isPlain ? withHash(value, undefined, new Map(), keepsHash) : value, name);
    },
    patchBase(family, tree) {
      const base = entries.patchBase(family, tree);
      const hash = getMember(tree, "hash");
      if (family !== "internal_users" || !(base instanceof Map)) return base;
      const kept = keepsHash ? withoutEmptyAttributes(base) : base;
      return typeof hash === "string" && hash !== "" ? new Map([...kept, ["hash", hash]]) : kept;
    },
    ...(keepsHash && {
      afterPatch: (family, tree) =>
        family === "internal_users" && tree instanceof Map ? withoutEmptyAttributes(tree) : tree,
    }),
  };
}

/** OpenSearch reads all users without what is empty before it patches one of them, and stores them so. */
function withoutEmptyAttributes(user: Map<string, Tree>): Map<string, Tree> {
  const attributes = user.get("attributes");
  if (!(attributes instanceof Map) || ![...attributes.values()].includes("")) return user;
  return new Map(user).set("attributes", new Map([...attributes].filter(([, value]) => value !== "")));
}

function withoutPassword(value: Tree): Tree {
  return value instanceof Map ? new Map([...value].filter(([name]) => name !== "password")) : value;
}

/** Strings by name: what is no string becomes one, and OpenSearch drops a null. */
function bindAttributes(value: Tree, dropsNull: boolean): TreeOrRefusal {
  if (!(value instanceof Map)) return { tree: value };
  const bad = [...value.values()].find((item) => typeof item === "object" && item !== null);
  if (bad !== undefined) {
    const token = Array.isArray(bad) ? "START_ARRAY" : "START_OBJECT";
    const text = `Cannot deserialize instance of \`java.lang.String\` out of ${token} token`;
    return { refusal: createEngineFailure(500, "mismatched_input_exception", text) };
  }
  const kept = [...value].filter(([, item]) => !dropsNull || item !== null);
  return { tree: new Map(kept.map(([name, item]) => [name, item === null ? null : String(item)])) };
}

function withHash(
  value: ReadonlyMap<string, Tree>,
  by: Pick<WriteSource, "name" | "writeKind"> | undefined,
  before: StoredEntries,
  keepsHash: boolean,
): Tree {
  const { password, ...rest } = Object.fromEntries(value);
  const fields = new Map(Object.entries(rest));
  if (typeof password === "string") return fields.set("hash", computePasswordHash(password));
  // The password of nobody: Search Guard takes a null in place of one.
  if (password === null) return fields.set("hash", computePasswordHash("\u0000"));
  const old = by && (keepsHash || by.writeKind === "PUT") ? getMember(before.get(by.name) ?? null, "hash") : undefined;
  return fields.has("hash") || old === undefined ? fields : fields.set("hash", old);
}

/** Why a user may not be written so by a PUT. */
export function explainMissingPassword(
  value: Tree,
  { writeKind, name, family }: WriteSource,
  { families }: ServerState,
  statusOfExisting: 400 | 500,
): Reply | undefined {
  if (family !== "internal_users" || writeKind !== "PUT") return undefined;
  const password = getMember(value, "password");
  // To Search Guard an empty one is none.
  const isGiven = statusOfExisting === 500 ? Boolean(password) : password !== undefined;
  if (isGiven || getMember(value, "hash") !== undefined) return undefined;
  const old = families.internal_users.get(name);
  if (old === undefined) {
    return createReply(400, "Please specify either 'hash' or 'password' when creating a new internal user.");
  }
  if (getMember(old, "hash")) return undefined;
  const detail = `Existing user ${name} has no password, and no new password or hash was specified.`;
  return statusOfExisting === 400 ? createReply(400, detail) : createReply(500, detail, "INTERNAL_SERVER_ERROR");
}

/** What OpenSearch checks besides: service accounts, roles that have to exist, and how good a password is. */
export function explainRefusedUser(
  value: Tree,
  by: WriteSource,
  state: ServerState,
  isHidden: (role: Tree) => boolean,
): Reply | undefined {
  if (by.family !== "internal_users") return undefined;
  return (
    refuseRoles(value, by, state, isHidden) ??
    refuseUserName(by.name) ??
    (isServiceAccount(value) ? refuseServiceLogin(value, by) : explainMissingPassword(value, by, state, 400)) ??
    refuseWeakPassword(value, by.name)
  );
}

/** The server decodes the name as Java decodes a part of a URL. */
function refuseUserName(name: string): Reply | undefined {
  const bad = /%(?![0-9a-f+][0-9a-f])/i.exec(name);
  if (bad) {
    const text = `URLDecoder: ${explainBadEscape(name.slice(bad.index + 1, bad.index + 3))}`;
    return createEngineFailure(400, "illegal_argument_exception", text);
  }
  if (!/:|%3a/i.test(name)) return undefined;
  return createReply(400, "A restricted character(s) was detected in the account name. Please remove: ':'");
}

function explainBadEscape(digits: string): string {
  if (digits.length < 2) return "Incomplete trailing escape (%) pattern";
  const start = "Illegal hex characters in escape (%) pattern -";
  if (/^-[0-9a-f]/i.test(digits)) return `${start} negative value`;
  const at = /^[0-9a-f+]/i.test(digits) ? 1 : 0;
  return `${start} Error at index ${at} in: "${digits}"`;
}

function isServiceAccount(value: Tree): boolean {
  const attributes = getMember(value, "attributes");
  return /^true$/i.test(String(getMember(attributes, "service")));
}

function refuseServiceLogin(value: Tree, { writeKind, name }: WriteSource): Reply | undefined {
  if (writeKind !== "PUT") return undefined;
  const account = `Failed to register service account: ${name}`;
  if (getMember(value, "password") !== undefined) {
    return createReply(400, `A password cannot be provided for a service account. ${account}`);
  }
  if (getMember(value, "hash") === undefined) return undefined;
  return createReply(400, `A password hash cannot be provided for service account. ${account}`);
}

function refuseRoles(
  value: Tree,
  { admin }: WriteSource,
  { families }: ServerState,
  isHidden: (role: Tree) => boolean,
): Reply | undefined {
  for (const name of getList(value, "opendistro_security_roles")) {
    const role = families.roles.get(String(name));
    if (role === undefined) return createReply(404, `role '${name}' not found.`);
    if (isHidden(role) && !admin) return createReply(404, `Resource '${name}' is not available.`);
  }
  return undefined;
}

/** As recorded; between those that were tried, a guess. */
function refuseWeakPassword(value: Tree, name: string): Reply | undefined {
  const password = getMember(value, "password");
  if (typeof password !== "string") return undefined;
  if (password === "") return createInvalidReply("Password is too short");
  if (password.length > 100) return createInvalidReply("Password is too long");
  const lower = password.toLowerCase();
  const isGuessable = /^(.{1,4})\1+$/.test(password) || /qwerty|abcdef|12345678/.test(lower);
  if (password.length < 10 || isGuessable || lower === name.toLowerCase()) return createInvalidReply("Weak password");
  return name.length > 2 && lower.includes(name.toLowerCase())
    ? createInvalidReply("Password is similar to user name")
    : undefined;
}
