import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { type Family, families } from "../model/names.ts";
import { findMapEntry, type Node, toValue } from "../model/node.ts";
import type { Policies } from "../model/policy.ts";
import type { Target, Timeouts } from "../model/target.ts";
import { refuseOtherHosts } from "./allowed-hosts.ts";
import { findRepositoryAround } from "./boundary.ts";
import { listTargets } from "./chosen-target.ts";
import { readCredentials } from "./credentials.ts";
import { formatPath, inputPath } from "./files.ts";
import { createSettingFiles } from "./named-files.ts";
import { readProxy } from "./proxy.ts";
import { readHeaders } from "./request-headers.ts";
import { createSettingReader } from "./setting.ts";
import { resolveTexts } from "./setting-texts.ts";
import { createShareFinder } from "./shares.ts";
import type { TargetSettings } from "./target-settings.ts";
import type { TargetConfig, TargetFlags } from "./target-words.ts";
import { readTls } from "./tls.ts";
import { readUrls } from "./url.ts";
import { resolveTargetVars } from "./vars.ts";

export type { TargetConfig, TargetFlags } from "./target-words.ts";

export interface TargetInput {
  readonly name: string;
  /** gate-sync.yaml, and what the target ends up with by it; absent where there is none. */
  readonly config?: { readonly root: Node; readonly settings: TargetSettings } | undefined;
  readonly flags: TargetFlags;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  /** `leave`: no server will be asked, so that credentials, certificates and proxies are not looked for. */
  readonly secrets?: "resolve" | "leave";
}

/**
 * One target: flags before gate-sync.yaml. Login data of the environment only fill what neither of them says, so that one
 * cluster's password never goes to another.
 *
 * @throws RunError `usage` for flags that do not fit, `invalid` for what gate-sync.yaml mentions and is not there
 */
export function readTarget(input: TargetInput): Target {
  const { name, config, flags, env, cwd, secrets = "resolve" } = input;
  const { own, vars, read, directory, within, configPath } = readSettings(input);
  const urls = readUrls({ flags, own: own.url, configPath, read });
  if (config) refuseOtherHosts(config.root, name, urls);
  const [url, ...otherUrls] = urls;
  const product = flags.product ?? own.product;
  const release = flags.release ?? own.release;
  const failOn = flags.failOn ?? own.fail_on;
  const findShare = config && createShareFinder(config.root, cwd);
  const asked = secrets === "resolve";
  const forPrograms = { ...env, GATE_SYNC_TARGET: name };
  const auth = asked
    ? readCredentials({ flags, own: own.auth, url, env: forPrograms, cwd, directory, read })
    : undefined;
  const tls = readTls({ flags, own: asked ? own.tls : undefined, env, cwd, directory, within, read });
  const headers = asked ? readHeaders(own.headers, auth !== undefined, read) : undefined;
  if (asked && flags.isOneOfMany && !auth && !tls?.cert && !tls?.pkcs12 && !headers) throw noOwnLogin(name);
  const proxy = asked && url !== undefined ? readProxy(env, url) : undefined;
  return {
    name,
    ...(config && listTargets(config.root).length > 1 && { isOneOfSeveral: true as const }),
    ...(url !== undefined && { url }),
    ...(otherUrls.length > 0 && { otherUrls }),
    ...(product !== undefined && { product }),
    ...(release !== undefined && { release }),
    ...(auth && { auth }),
    ...(tls && { tls }),
    ...(headers && { headers }),
    ...(proxy && { proxy }),
    ...(own.timeouts && { timeouts: inMilliseconds(own.timeouts) }),
    ...(own.max_body_size !== undefined && { maxBodySize: inBytes(own.max_body_size) }),
    state: listStatePaths(flags, own.state ?? [], cwd, directory),
    ...(config && listSecretFiles(config.root, directory)),
    vars,
    families: checkedPolicies(own.families ?? {}),
    ...(own.protect && own.protect.length > 0 && { protect: own.protect }),
    ...applyingIdentityOf(own),
    ...(own.api_keys && { apiKeys: own.api_keys }),
    ...(own.compare_hashes && { comparesHashes: true as const }),
    ...(config && waiversBeside(cwd, directory)),
    acceptFields: own.accept_fields ?? [],
    ...(own.lint && { lint: own.lint }),
    ...(failOn && { failOn }),
    ...(findShare && { findShare }),
  };
}

/**
 * The settings that a target ends up with, and its variables, which are replaced in all that is shown.
 *
 * @throws RunError `invalid` for a reference that cannot be replaced
 */
export function readSettings({ config, flags, env, cwd, secrets = "resolve" }: Omit<TargetInput, "name">) {
  const configPath = config?.root.file.path;
  const directory = configPath === undefined ? cwd : dirname(resolve(cwd, configPath));
  const within = findRepositoryAround(directory);
  const reader = (vars: Target["vars"]) =>
    createSettingReader({ vars, env, secrets, directory, files: createSettingFiles(within) }, config?.settings);
  const vars = resolveTargetVars(config?.settings, flags.vars, reader);
  const read = reader(vars);
  const settings = config && resolveTexts(config.settings, read);
  const own: TargetConfig = settings ? (toValue(settings) as TargetConfig) : {};
  return { own, settings, vars, read, directory, within, configPath };
}

function noOwnLogin(name: string): RunError {
  return new RunError("usage", {
    what: `The target ${JSON.stringify(name)} has no login of its own.`,
    why: "In a run about several targets the login of the environment is not used: it would reach all of them.",
    fix: "Give it `auth` with references, such as { username: ci, password: ${env:PROD_PASSWORD} }; a credential program gets GATE_SYNC_TARGET.",
  });
}

/** gate-sync.yaml counts in seconds. */
function inMilliseconds(seconds: Timeouts): Timeouts {
  return Object.fromEntries(Object.entries(seconds).map(([name, value]) => [name, Math.round(value * 1000)]));
}

/** As search engines and proxies count: each unit is 1024 of the one before. */
const bytesOfUnit: Readonly<Record<string, number>> = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** `10MB`, `512k`: the schema has seen to the form. */
function inBytes(size: string): number {
  const unit = size
    .replace(/^\d+\s*/, "")
    .charAt(0)
    .toLowerCase();
  return Number.parseInt(size, 10) * (bytesOfUnit[unit] ?? 1);
}

/** Paths in gate-sync.yaml are relative to it, and shown relative to the user's folder. */
export function listStatePaths(
  flags: Pick<TargetFlags, "statePaths">,
  written: readonly string[],
  cwd: string,
  directory: string,
): readonly string[] {
  if (flags.statePaths.length > 0) return flags.statePaths;
  return written.map((path) => {
    const shown = formatPath(cwd, resolve(directory, path), path);
    // A file of this name is not standard input.
    return shown === inputPath && path !== inputPath ? `./${shown}` : shown;
  });
}

function checkedPolicies(policies: Policies): Policies {
  for (const family of families) {
    const { include = [], exclude = [] } = policies[family] ?? {};
    for (const pattern of [...include, ...exclude]) refuseExpression(pattern, family);
  }
  return policies;
}

function applyingIdentityOf(own: TargetConfig): Pick<Target, "applyAs" | "adminCertificate" | "adminRoles"> {
  const { apply_as: applyAs, admin_certificate: adminCertificate, admin_roles: adminRoles } = own;
  return {
    ...(applyAs && { applyAs: { user: applyAs.user, backendRoles: applyAs.backend_roles ?? [] } }),
    ...(adminCertificate !== undefined && { adminCertificate }),
    ...(adminRoles && { adminRoles }),
  };
}

function listSecretFiles(config: Node, directory: string): Pick<Target, "secretFiles"> {
  const listed = findMapEntry(config, "secret_files")?.value;
  return listed ? { secretFiles: (toValue(listed) as readonly string[]).map((path) => resolve(directory, path)) } : {};
}

/** Beside gate-sync.yaml. */
export const waiverFiles = ["waivers.yaml", "waivers.yml"];

function waiversBeside(cwd: string, directory: string): Pick<Target, "waivers"> {
  const path = waiverFiles.map((name) => join(directory, name)).find((file) => existsSync(file));
  return path === undefined ? {} : { waivers: formatPath(cwd, path) };
}

/**
 * Servers write regular expressions in this form, and a user who writes one here would believe that it protects
 * something.
 */
function refuseExpression(pattern: string, family: Family): void {
  if (!/^\/.*\/$/s.test(pattern)) return;
  throw new RunError("invalid", {
    what: `The name pattern ${pattern} of families.${family} is a regular expression.`,
    why: "Patterns of include and exclude know only * and ?, so it would match no name and protect nothing.",
    fix: "Write the names with * and ?, one pattern each.",
  });
}
