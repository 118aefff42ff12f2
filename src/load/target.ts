import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import { type Family, families } from "../model/names.ts";
import type { Node } from "../model/node.ts";
import type { FamilyPolicy, Policies } from "../model/policy.ts";
import type { Target, Timeouts } from "../model/target.ts";
import { findRepositoryAround } from "./boundary.ts";
import { chooseTarget } from "./chosen-target.ts";
import { readCredentials } from "./credentials.ts";
import { formatPath } from "./files.ts";
import { readProxy } from "./proxy.ts";
import { readHeaders } from "./request-headers.ts";
import { createSettingReader, type SettingPlace } from "./setting.ts";
import type { ConfigFile, Defaults, TargetConfig, TargetFlags } from "./target-words.ts";
import { readTls } from "./tls.ts";
import { readUrls } from "./url.ts";
import { resolveTargetVars } from "./vars.ts";

export type { ConfigFile, TargetFlags } from "./target-words.ts";

export interface TargetInput {
  readonly config?: { readonly file: SourceFile; readonly value: ConfigFile; readonly root?: Node } | undefined;
  readonly flags: TargetFlags;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  /** `leave`: no server will be asked, so that credentials, certificates and proxies are not looked for. */
  readonly secrets?: "resolve" | "leave";
}

/**
 * One target: flags before gate-sync.yaml, and of that the target before what all inherit. Login data of the
 * environment only fill what neither of them says, so that one cluster's password never goes to another.
 *
 * @throws RunError `usage` for flags that do not fit, `invalid` for what gate-sync.yaml mentions and is not there
 */
export function readTarget(input: TargetInput): Target {
  const { config, flags, env, cwd, secrets = "resolve" } = input;
  const { name, own } = chooseTarget(config?.value, flags);
  const defaults: Defaults = config?.value ?? {};
  const directory = config ? dirname(resolve(cwd, config.file.path)) : cwd;
  const within = findRepositoryAround(directory);
  const place: SettingPlace | undefined = config && { file: config.file, root: config.root, path: ["targets", name] };
  const written = { ...defaults.vars, ...own.vars };
  const reader = (vars: Target["vars"]) => createSettingReader({ vars, env, secrets, directory, within }, place);
  const vars = resolveTargetVars(written, flags.vars ?? {}, reader);
  const read = reader(vars);
  const [url, ...otherUrls] = readUrls({ flags, own: own.url, configPath: config?.file.path, read });
  const product = flags.product ?? own.product;
  const release = flags.release ?? own.release;
  const asked = secrets === "resolve";
  const auth = asked ? readCredentials({ flags, own: own.auth, url, env, cwd, directory, read }) : undefined;
  const tls = readTls({ flags, own: asked ? own.tls : undefined, env, cwd, directory, within, read });
  const headers = asked ? readHeaders(own.headers, auth !== undefined, read) : undefined;
  const proxy = asked && url !== undefined ? readProxy(env, url) : undefined;
  return {
    name,
    ...(Object.keys(config?.value.targets ?? {}).length > 1 && { isOneOfSeveral: true as const }),
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
    state: statePaths(flags, own.state ?? defaults.state ?? [], cwd, directory),
    vars,
    families: inherited(defaults.families ?? {}, own.families ?? {}),
    ...protectedBy(defaults, own),
    ...applyingIdentityOf(own),
    ...(config && waiversBeside(cwd, directory)),
    acceptFields: [...new Set([...(defaults.accept_fields ?? []), ...(own.accept_fields ?? [])])],
    ...((defaults.lint ?? own.lint) && { lint: { ...defaults.lint, ...own.lint } }),
  };
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
function statePaths(flags: TargetFlags, written: readonly string[], cwd: string, directory: string): readonly string[] {
  if (flags.statePaths.length > 0) return flags.statePaths;
  return written.map((path) => formatPath(cwd, resolve(directory, path), path));
}

/** Per family, what the target says goes before what all targets inherit. */
function inherited(defaults: Policies, own: Policies): Policies {
  const policies = families.flatMap((family): [Family, FamilyPolicy][] => {
    const [base, over] = [defaults[family], own[family]];
    const policy: FamilyPolicy = { ...base, ...over };
    for (const pattern of [...(policy.include ?? []), ...(policy.exclude ?? [])]) refuseExpression(pattern, family);
    return (base ?? over) ? [[family, policy]] : [];
  });
  return Object.fromEntries(policies);
}

function protectedBy(defaults: Defaults, own: Defaults): Pick<Target, "protect"> {
  const protect = [...new Set([...(defaults.protect ?? []), ...(own.protect ?? [])])];
  return protect.length > 0 ? { protect } : {};
}

function applyingIdentityOf(own: TargetConfig): Pick<Target, "applyAs" | "adminCertificate" | "adminRoles"> {
  const { apply_as: applyAs, admin_certificate: adminCertificate, admin_roles: adminRoles } = own;
  return {
    ...(applyAs && { applyAs: { user: applyAs.user, backendRoles: applyAs.backend_roles ?? [] } }),
    ...(adminCertificate !== undefined && { adminCertificate }),
    ...(adminRoles && { adminRoles }),
  };
}

function waiversBeside(cwd: string, directory: string): Pick<Target, "waivers"> {
  const path = ["waivers.yaml", "waivers.yml"].map((name) => join(directory, name)).find((file) => existsSync(file));
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
