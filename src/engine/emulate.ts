import { resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { decodeApiKeys } from "../dialects/api-keys.ts";
import { encodeForBulk, serverFields } from "../dialects/codec.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { createDialect } from "../dialects/index.ts";
import {
  type Emulator,
  type EmulatorUser,
  getServedRelease,
  type InitialState,
  startEmulator,
} from "../emulator/index.ts";
import { formatCount } from "../families/index.ts";
import { Secret } from "../json/secret.ts";
import { type Fields, isObject, type Json, type JsonObject, reveal } from "../json/value.ts";
import { readSmall } from "../load/read.ts";
import type { DesiredResource, DesiredState } from "../model/desired.ts";
import { resourceFamilies } from "../model/names.ts";
import { toValue } from "../model/node.ts";
import type { Target } from "../model/target.ts";
import { chooseOffline, chooseOfflineDialect } from "../validate/offline-product.ts";
import { findUnservable } from "../validate/values.ts";
import { openRepository, openTarget, stopAtErrors } from "./open.ts";
import { checkFiles } from "./pipeline/checked-files.ts";
import type { RunRequest } from "./request.ts";

export interface EmulatorRequest {
  readonly port: number;
  /** By default the one that the release ran on. */
  readonly engine?: string;
  readonly allowConfigModification: boolean;
  /** `name:password`, or with `:read` or `:none`, or with the backend roles of the user behind it. */
  readonly users: readonly string[];
  readonly adminHeader?: string;
  /** A JSON file with the list that OpenSearch from 3.7 on answers to GET of its API keys. */
  readonly apiKeysFile?: string;
}

/** A server on loopback that holds what the state files declare, flags included. */
export async function emulate(
  request: RunRequest,
  { users, apiKeysFile, ...options }: EmulatorRequest,
): Promise<Emulator & { readonly reported: string }> {
  const needsNoTarget = request.flags.statePaths.length > 0;
  const target = await openTarget({ ...request, flags: { ...request.flags, needsNoTarget } }, "leave");
  const { dialect, desired } = await served(target, request);
  const apiKeys = apiKeysFile === undefined ? undefined : readApiKeysFile(request.cwd, apiKeysFile, dialect);
  const emulator = await startEmulator({
    ...options,
    product: dialect.product,
    release: dialect.release,
    state: initialState(desired, dialect),
    ...(apiKeys && { apiKeys }),
    ...(users.length > 0 && { users: users.map(parseUser) }),
  });
  return Object.assign(emulator, { reported: `${dialect.product} ${dialect.release}: ${contents(desired)}` });
}

const nothing: DesiredState = { resources: new Map() };

interface Served {
  readonly dialect: Dialect;
  readonly desired: DesiredState;
}

/** For the product that is stated, else the one that the files show. */
async function served(target: Target, request: RunRequest): Promise<Served> {
  if (target.state.length === 0) return { dialect: chooseOfflineDialect(target), desired: nothing };
  const opened = await openRepository(target, request, "resolve");
  const { dialect } = chooseOffline(target, opened.whole);
  const checked = checkFiles(opened, dialect, target);
  // A server may hold entries that files should not: only what cannot be read, or served, stops the start.
  const servedDialect = createDialect(dialect.product, getServedRelease(dialect.release));
  const stopping = [...opened.diagnostics, ...findUnservable(opened.repository, servedDialect)];
  stopAtErrors(stopping, "The emulator was not started.");
  return { dialect, desired: checked.desired };
}

/** @throws RunError `usage` where it is none, or the release has no API keys */
function readApiKeysFile(cwd: string, path: string, { apiKeys, product, release }: Dialect): readonly JsonObject[] {
  const keys = apiKeys === undefined ? undefined : readJson(resolve(cwd, path));
  if (decodeApiKeys(keys, 0)) return keys as readonly JsonObject[];
  throw new RunError("usage", {
    what:
      apiKeys === undefined ? `${product} ${release} has no API keys.` : `${path} is not a list of API keys, in JSON.`,
    fix: 'OpenSearch from 3.7 on has them. For example: [{ "name": "ci", "cluster_permissions": [], "index_permissions": [] }]',
  });
}

/** Undefined where it cannot be read. */
function readJson(absolute: string): unknown {
  try {
    return JSON.parse(readSmall(absolute));
  } catch {
    return undefined;
  }
}

function initialState({ resources, config, license }: DesiredState, dialect: Dialect): InitialState {
  const families = resourceFamilies.map((family) => {
    const entries = [...(resources.get(family)?.values() ?? [])];
    return [family, new Map(entries.map((entry) => [entry.name, stored(entry, dialect)]))] as const;
  });
  return {
    ...Object.fromEntries(families),
    ...(config && { config: reveal(config.value) as JsonObject }),
    ...(license && { license: license.text.reveal() }),
  };
}

function stored(resource: DesiredResource, dialect: Dialect): Json {
  const wire = reveal(encodeForBulk(dialect, resource.family, withoutUnset(resource.value)));
  const written = toValue(resource.node);
  if (!isObject(wire) || !isObject(written)) return wire;
  const flags = Object.entries(written).filter(([name, value]) => serverFields.has(name) && typeof value === "boolean");
  const named = flags.map(([name, value]) => [flagNamed(name, dialect), value]);
  return { ...wire, ...(Object.fromEntries(named) as JsonObject) };
}

/** A user without the password that a variable would give cannot log in. Attributes may need one, too. */
function withoutUnset(value: Fields): Fields {
  const set = Object.entries(value).filter(([, item]) => !(item instanceof Secret) || item.resolved);
  return Object.fromEntries(set.map(([key, item]) => [key, isObject(item) ? withoutUnset(item) : item]));
}

/** Files may use the other release's name for the flag. */
function flagNamed(name: string, { product, release }: Dialect): string {
  if (product === "gate" || (name !== "reserved" && name !== "readonly")) return name;
  return release === "6" ? "readonly" : "reserved";
}

function contents({ resources }: DesiredState): string {
  const counts = [...resources].map(([family, entries]) => formatCount(entries.size, family));
  return counts.length === 0 ? "nothing declared" : counts.join(", ");
}

function parseUser(text: string): EmulatorUser {
  const [name, password, ...rest] = text.split(":");
  // What a backend role is called may have colons in it.
  const more = rest.length === 0 ? "all" : rest.join(":");
  if (name && password) {
    if (more === "all" || more === "read" || more === "none") return { name, password, rights: more };
    return { name, password, rights: "by-role", backendRoles: more.split(",").filter(Boolean) };
  }
  throw new RunError("usage", {
    what: "--user takes the name and the password of a user, with a colon between; behind another one, read, none or its backend roles.",
    fix: "For example: --user admin:admin --user ci:ci:read --user ana:ana:analysts",
  });
}
