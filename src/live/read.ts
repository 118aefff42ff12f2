import { RunError } from "../diagnostics/failure.ts";
import { decodeAliases } from "../dialects/aliases.ts";
import { decodeApiKeys } from "../dialects/api-keys.ts";
import { decodeConfig, decodeFamily } from "../dialects/codec.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { decodeInternalUsers } from "../dialects/internal-users.ts";
import { getLoginClass } from "../dialects/login-types.ts";
import { getNoun } from "../families/index.ts";
import { isObject, type JsonObject, type Value } from "../json/value.ts";
import type { ReadAliases } from "../model/aliases.ts";
import type { ApiKeys } from "../model/api-key.ts";
import type { DesiredFamily, DesiredState } from "../model/desired.ts";
import type { InternalUsers } from "../model/internal-user.ts";
import type { LiveConfig, LiveLicense, LiveState } from "../model/live.ts";
import { type Family, isResourceFamily, type ResourceFamily } from "../model/names.ts";
import type { HttpAnswer, ReadPort } from "../model/ports.ts";
import { explainNoFamily } from "./detect/no-family.ts";
import { isNoRoute, mayWantSlash } from "./detect/routes.ts";
import { explainUnfaithful } from "./faithful.ts";
import type { Memo } from "./memo.ts";
import { formatServerMessage } from "./server-message.ts";
import { createForbiddenMessage, createUnauthorisedMessage } from "./unreadable.ts";

export interface WantedFamilies {
  /** Declared: without them there is no plan. */
  readonly needed: readonly Family[];
  /** Families that declared entries mention: checked where they can be read. */
  readonly reference: readonly ResourceFamily[];
}

/**
 * One GET for each family, all at once; the families are in the order asked, whichever answers first.
 *
 * @param desired shares its values with the live entries that are shown as they are declared
 */
export async function readState(
  reader: ReadPort,
  dialect: Dialect,
  { needed, reference }: WantedFamilies,
  desired?: DesiredState,
): Promise<LiveState> {
  const readFamily = async (family: ResourceFamily, isNeeded: boolean) => {
    const found = await collection(reader, dialect, family, isNeeded, desired?.resources.get(family));
    return found ? [{ family, ...found }] : [];
  };
  const collections = Promise.all([
    ...needed.filter(isResourceFamily).map((family) => readFamily(family, true)),
    ...reference.map((family) => readFamily(family, false)),
  ]);
  const [config, license, found] = await Promise.all([
    needed.includes("config") || needed.includes("license")
      ? readConfig(reader, dialect, needed.includes("config"))
      : undefined,
    needed.includes("license") ? readLicense(reader, dialect) : undefined,
    collections,
  ]);
  return {
    resources: new Map(found.flat().map(({ family, resources }) => [family, resources])),
    paths: new Map(found.flat().map(({ family, path }) => [family, path])),
    ...(config && { config }),
    ...(license && { license }),
  };
}

/**
 * Sends the requests for families that will be read, roles and mappings first, and does not wait: the server works on
 * them meanwhile. A later read through the same memo gets their answers, failures too.
 */
export function askAhead(reader: Memo, { prefix, collections }: Dialect, families: readonly ResourceFamily[]): void {
  for (const family of [...families].reverse()) {
    const segment = collections[family];
    if (segment !== undefined) reader.get(`${prefix}/${segment}`).catch(() => {});
  }
}

/** No slash at the end; a server that wants one gets it on the second try. */
async function collection(
  reader: ReadPort,
  dialect: Dialect,
  family: ResourceFamily,
  needed: boolean,
  declared: DesiredFamily | undefined,
) {
  const segment = dialect.collections[family];
  if (segment === undefined) {
    if (needed) throw absentFamily(dialect, family);
    return undefined;
  }
  const plain = `${dialect.prefix}/${segment}`;
  const first = await reader.get(plain);
  const second = mayWantSlash(first) ? await reader.get(`${plain}/`) : undefined;
  const [answer, path] = second?.status === 200 ? [second, `${plain}/`] : [first, plain];
  if (answer.status !== 200 && !needed) return undefined;
  const { certificateOnly } = dialect;
  if (certificateOnly?.has(family) && (isNoRoute(answer) || answer.status === 403)) {
    throw needsCertificate(dialect, family, path, answer);
  }
  if (isNoRoute(answer) || isAbsent(answer)) {
    const explained = await explainNoFamily(reader, dialect);
    if (explained) throw explained;
  }
  if (isNoRoute(answer)) throw notThere(dialect, family, path);
  expectOk(answer, path, getNoun(family, 2), dialect);
  const resources = decodeFamily(dialect, family, answer.body, declared);
  if (!resources) throw notTheShape(path, getNoun(family, 2));
  return { resources, path };
}

/** Undefined where the product has none; what keeps them from being read is no reason to stop. */
export async function readInternalUsers(reader: ReadPort, dialect: Dialect): Promise<InternalUsers | undefined> {
  if (!dialect.internalUsers) return undefined;
  const path = `${dialect.prefix}/${dialect.collections.internal_users}`;
  const answer = await reader.get(path);
  if (answer.status !== 200) return { kind: "unread", why: `the server answers ${answer.status} to GET ${path}` };
  const byName = decodeInternalUsers(dialect, answer.body);
  return byName
    ? { kind: "known", byName }
    : { kind: "unread", why: `the answer to GET ${path} is not what the API calls internal users` };
}

/** Undefined where the release has none; what keeps them from being read is no reason to stop. */
export async function readApiKeys(reader: ReadPort, { apiKeys: path }: Dialect): Promise<ApiKeys | undefined> {
  if (path === undefined) return undefined;
  const answer = await reader.get(path);
  if (answer.status !== 200) return { kind: "unread", why: `the server answers ${answer.status} to GET ${path}` };
  const keys = decodeApiKeys(answer.body, Date.now());
  return keys
    ? { kind: "known", keys }
    : { kind: "unread", why: `the answer to GET ${path} is not what the API calls its keys` };
}

/** What keeps them from being read is no reason to stop. Undefined: the product's API does not show them. */
export async function readAliases(reader: ReadPort, { aliases: path }: Dialect): Promise<ReadAliases | undefined> {
  if (path === undefined) return undefined;
  const answer = await reader.get(path).catch((error: unknown) => {
    if (error instanceof RunError) return undefined;
    throw error;
  });
  if (!answer) return { kind: "unread", why: `nothing answers to GET ${path}` };
  if (answer.status !== 200) return { kind: "unread", why: `the server answers ${answer.status} to GET ${path}` };
  const aliases = decodeAliases(answer.body);
  return aliases
    ? { kind: "known", aliases }
    : { kind: "unread", why: `the answer to GET ${path} is not what the API calls aliases` };
}

async function readConfig(reader: ReadPort, dialect: Dialect, needed: boolean): Promise<LiveConfig | undefined> {
  const path = `${dialect.prefix}/${dialect.config.path}`;
  const answer = await reader.get(path);
  if (answer.status !== 200 && !needed) return undefined;
  const explained = isAbsent(answer) ? await explainNoFamily(reader, dialect) : undefined;
  if (explained) throw explained;
  expectOk(answer, path, "config", dialect);
  const document = decodeConfig(dialect, answer.body);
  if (!document) throw notTheShape(path, "config");
  const unfaithful = explainUnfaithful(document, answer.text);
  const internalBackend = getLoginClass("authentication_backend", undefined, dialect);
  return {
    document,
    ...(internalBackend !== undefined && { internalBackend }),
    ...(unfaithful !== undefined && { unfaithful }),
  };
}

async function readLicense(reader: ReadPort, dialect: Dialect): Promise<LiveLicense> {
  if (!dialect.license) {
    throw new RunError("invalid", {
      what: `A license is declared, but ${dialect.product} has none.`,
      fix: "Take `license:` out of the state of this target.",
    });
  }
  const path = `${dialect.prefix}/${dialect.license.path}`;
  const answer = await reader.get(path);
  if (answer.status === 404) return { installed: false, shown: {} };
  expectOk(answer, path, "license", dialect);
  if (!isObject(answer.body as Value)) throw notTheShape(path, "license");
  const body = answer.body as JsonObject;
  const wrapped = body[dialect.license.key];
  const shown = isObject(wrapped) ? wrapped : body;
  return { installed: isInstalled(shown), shown };
}

/** A server without a license answers empty, or that it needs none; whatever else it shows is its license. */
function isInstalled(shown: JsonObject): boolean {
  if (shown.license_required === false && shown.uid == null) return false;
  return Object.values(shown).some((value) => value !== null && value !== "");
}

function isAbsent({ status }: HttpAnswer): boolean {
  return status === 400 || status === 404 || status === 405;
}

function expectOk(answer: HttpAnswer, path: string, what: string, dialect: Dialect): void {
  if (answer.status === 200) return;
  if (answer.status === 401) throw createUnauthorisedMessage(path, answer);
  if (answer.status === 403) throw createForbiddenMessage(path, answer, dialect);
  throw new RunError("failed", {
    what: `The ${what} cannot be read: ${answer.status} to GET ${path}.`,
    why: formatServerMessage(answer) || "The server gives no reason.",
    fix: isAbsent(answer)
      ? "This server may not have them; take them out of the state of this target, or check --product and --release."
      : "Nothing was changed. Look at the server's log, then try again.",
  });
}

function notTheShape(path: string, what: string): RunError {
  return new RunError("failed", {
    what: `The answer to GET ${path} is not what the API calls ${what}.`,
    why: "A half-understood answer would be taken for missing resources.",
    fix: "Check the URL and what lies between (proxies, login pages), and --product.",
  });
}

function needsCertificate(dialect: Dialect, family: ResourceFamily, path: string, answer: HttpAnswer): RunError {
  const { setting } = dialect.certificateOnly?.get(family) ?? {};
  const observe = `or only observe them: families.${family}.mode: observe.`;
  const several = getNoun(family, 2);
  if (isNoRoute(answer) && setting !== undefined) {
    return new RunError("invalid", {
      what: `This server has no API for ${several}: nothing answers to GET ${path}.`,
      why: `Its nodes need ${setting}: true.`,
      fix: `Set it on the nodes, ${observe}`,
    });
  }
  return new RunError("failed", {
    what: `The ${several} cannot be read: ${answer.status} to GET ${path}.`,
    why: "The server shows them to its admin certificate alone, whatever a user may.",
    fix: `Log in with that certificate (tls.cert and tls.key of the target), ${observe}`,
  });
}

/** Where the dialect has the family all the same: its release was assumed, or stated wrongly. */
function notThere({ product, release }: Dialect, family: ResourceFamily, path: string): RunError {
  return new RunError("invalid", {
    what: `This server has no ${getNoun(family, 2)}, and they are declared: nothing answers to GET ${path}.`,
    why: `It is taken for ${product} ${release}, some builds of which came before them.`,
    fix: `Take \`${family}:\` out of the state of this target, or state the release with --release.`,
  });
}

function absentFamily(dialect: Dialect, family: ResourceFamily): RunError {
  return new RunError("invalid", {
    what: `${getNoun(family, 2)} are declared, but ${dialect.product} ${dialect.release} has none.`,
    fix: `Take \`${family}:\` out of the state of this target.`,
  });
}

/** The config, where this identity may read it. */
export async function getReadableConfig(reader: ReadPort, dialect: Dialect): Promise<LiveConfig | undefined> {
  try {
    return (await readState(reader, dialect, { needed: ["config"], reference: [] })).config;
  } catch (error) {
    if (error instanceof RunError) return undefined;
    throw error;
  }
}
