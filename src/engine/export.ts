import type { NewFile } from "../artifacts/durable.ts";
import { type Document, exportConfig, exportFamily } from "../artifacts/exported/entries.ts";
import { renderStateFiles } from "../artifacts/exported/files.ts";
import { exportAsOperator, type OperatorExport } from "../artifacts/exported/operator.ts";
import { RunError } from "../diagnostics/failure.ts";
import type { DetectedServer } from "../dialects/detected.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { findQueryFaults } from "../dialects/dls-query.ts";
import { getNoun } from "../families/index.ts";
import { isInScope } from "../families/scope.ts";
import { isEqual, isObject, type Json, listValues } from "../json/value.ts";
import { createTargetLoginHider, hideInValue } from "../live/client/hiding.ts";
import { detect } from "../live/detect/detect.ts";
import { memoiseReads } from "../live/memo.ts";
import { readApiKeys, readInternalUsers, readState } from "../live/read.ts";
import { recordReads } from "../live/snapshot.ts";
import { findConfigFile } from "../load/config-file.ts";
import type { TargetFlags } from "../load/target.ts";
import { writeYaml } from "../load/yaml.ts";
import type { Artifact } from "../model/artifact.ts";
import type { LiveState } from "../model/live.ts";
import {
  type Address,
  createAddress,
  type Family,
  isResourceFamily,
  type ResourceFamily,
  resourceFamilies,
} from "../model/names.ts";
import { isStated } from "../model/policy.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { Target } from "../model/target.ts";
import { openTarget } from "./open.ts";
import type { RunRequest } from "./request.ts";
import { summariseSource } from "./source.ts";

export interface ExportResult {
  /** A gate-sync.yaml that says which server the files are of; absent where there is one already. */
  readonly configFile?: NewFile;
  readonly files: readonly NewFile[];
  /** Environment variables that replace the secrets of the config. */
  readonly secrets: readonly string[];
  /** One line for each family: what was taken and what was left out. */
  readonly summary: readonly string[];
  /** Internal users that neither these files nor those of `declared` have; known only where that is given. */
  readonly otherUsers: readonly string[];
  readonly target: Target;
  readonly detected: DetectedServer;
  readonly live: LiveState;
}

/**
 * The live state as files that declare just that: planning against them right after finds nothing to do.
 *
 * @param request `declared`: entries that other files declare already, which are left out
 */
export async function exportState(
  request: RunRequest & {
    readonly oneFile: boolean;
    readonly folder?: string;
    readonly declared?: ReadonlySet<Address>;
    /** How the user starts gate-sync, for a command to copy. */
    readonly program?: string;
  },
  connect: (target: Target) => ReadPort,
): Promise<ExportResult> {
  const { target, detected, live } = await readEverything(request, connect);
  const { declared } = request;
  const all = resourceFamilies.flatMap((family): readonly Document[] => {
    const found = live.resources.get(family);
    if (!found) return [];
    const others = [...found].filter(([name]) => !declared?.has(createAddress(family, name)));
    return [exportFamily(family, new Map(others), target.families[family], detected.dialect)];
  });
  const config = live.config && exportConfig(live.config.document);
  const isTaken = ({ family }: Document) =>
    !declared || family !== "internal_users" || isStated(family, target.families);
  const filled = all.filter((document) => document.value.size > 0 && isTaken(document));
  const others = all.filter((document) => !isTaken(document)).flatMap(({ value }) => [...value.keys()]);
  // Files that declare nothing are no state: a plan of them is refused.
  const isEmpty = filled.length === 0 && !config && !declared;
  const documents = isEmpty ? all : filled;
  const hide = createTargetLoginHider(target);
  const written = config ? [...documents, config] : documents;
  const shown = written.map((document) => withoutLogin(document, hide));
  const { found } = await findConfigFile(request.cwd, request.configPath);
  return {
    ...(!found &&
      request.folder !== undefined && { configFile: configFileOf(target, detected, request.flags, request.folder) }),
    files: renderStateFiles(
      shown.map(({ document }) => document),
      request.oneFile,
    ),
    secrets: config?.secrets ?? [],
    summary: [
      ...(declared ? summaryOfRest(filled) : summaryOfExport(live, target)),
      ...(isEmpty ? ["nothing to take: the files declare none, and a plan removes what is added on the server"] : []),
      ...(declared ? [] : notReadable(live, request.families ?? listExported(target))),
      ...(request.families || declared ? [] : describeLeftOut(target, detected.dialect, request.program)),
      ...listQueryFaults(written, live, detected.dialect).map(hide),
      ...repeatsOfLogin(shown.flatMap(({ repeating }) => repeating)),
    ],
    otherUsers: others.map(hide),
    target,
    detected,
    live,
  };
}

/** They are written as the server holds them: files that are applied elsewhere would be refused. */
function listQueryFaults(written: readonly Document[], live: LiveState, dialect: Dialect): readonly string[] {
  const taken = written.flatMap(({ family, value }) => (family === "roles" ? [...value.keys()] : []));
  return taken.flatMap((name) =>
    listValues(live.resources.get("roles")?.get(name)?.value.index_permissions).flatMap((permission) => {
      const dls = isObject(permission) ? permission.dls : undefined;
      const faults = typeof dls === "string" ? findQueryFaults(dls, dialect) : [];
      return faults.map(({ what }) => `roles/${name}: ${what}`);
    }),
  );
}

/** The live state as custom resources of the OpenSearch operator, and what these cannot hold. */
export async function exportForOperator(
  request: RunRequest,
  cluster: string,
  connect: (target: Target) => ReadPort,
): Promise<OperatorExport> {
  const { target, detected, live } = await readEverything(request, connect);
  if (detected.dialect.product !== "opensearch") {
    throw new RunError("usage", {
      what: `The operator is for OpenSearch, and this server is ${detected.dialect.product}.`,
      fix: "Leave --as out.",
    });
  }
  const hide = createTargetLoginHider(target);
  const { files, cannotHold } = exportAsOperator(live, target.families, detected.dialect, cluster);
  return { files: files.map(({ name, text }) => ({ name, text: hide(text) })), cannotHold: cannotHold.map(hide) };
}

/** The document as it may be written, and the entries of which it shows less than the server does. */
function withoutLogin({ family, value }: Document, hide: (text: string) => string) {
  const shown = new Map<string, Json>();
  const repeating: string[] = [];
  for (const [name, item] of value) {
    const [shownName, shownItem] = [hide(name), hideInValue(item, hide)];
    if (shownName !== name || !isEqual(shownItem, item)) repeating.push(`${family}/${name}`);
    // Two names may be the login in two forms: neither entry may take the other's place.
    shown.set(shown.has(shownName) ? `${shownName} ${shown.size}` : shownName, shownItem);
  }
  return { document: { family, value: shown }, repeating };
}

function repeatsOfLogin(repeating: readonly string[]): readonly string[] {
  if (repeating.length === 0) return [];
  const where = repeating.join(", ");
  return [
    `Your login (password, token or header) is part of ${where} on the server; the files have "(our login)" there. Change the login, and remove it from the server.`,
  ];
}

/** Where the files lie and what they are of: without the product, questions of the files have no answer. */
function configFileOf(target: Target, detected: DetectedServer, flags: TargetFlags, folder: string): NewFile {
  const fields = new Map<string, Json>([...describeTarget(target, detected, flags), ["state", [folder]]]);
  return { name: "gate-sync.yaml", text: writeYaml(new Map([["targets", new Map([[target.name, fields]])]])) };
}

/** What gate-sync.yaml is to say of the server, and of how to trust it. */
export function describeTarget(
  target: Target,
  { server: { product, release, how } }: DetectedServer,
  flags: TargetFlags,
): readonly (readonly [string, Json])[] {
  // An assumed release may be another one.
  const known = /assumed/.test(how) ? [] : [["release", release] as const];
  return [["url", summariseSource(target).url], ["product", product], ...known, ...tlsFiles(flags)];
}

/** The files that flags name, so that the next run trusts the same authority and logs in with the same certificate. */
function tlsFiles({ ca, cert, key }: TargetFlags): readonly (readonly [string, Json])[] {
  const files = Object.entries({ ca, cert, key }).filter((file): file is [string, string] => file[1] !== undefined);
  return files.length === 0 ? [] : [["tls", Object.fromEntries(files)]];
}

/** The raw answers to every GET that a plan may need, whatever their status; secrets masked. */
export async function takeSnapshot(
  request: RunRequest,
  connect: (target: Target) => ReadPort,
): Promise<Artifact<Snapshot>> {
  const target = await openTarget(request);
  const summary = summariseSource(target, request);
  const { reader, answers } = recordReads(memoiseReads(connect(target)));
  try {
    const { server, dialect } = await detect(reader, target, resourceFamilies);
    const { resources } = await readState(reader, dialect, { needed: [], reference: resourceFamilies });
    if (resources.size === 0) await readFirst(reader, dialect);
    await reader.get(`${dialect.prefix}/${dialect.config.path}`);
    await readInternalUsers(reader, dialect);
    await readApiKeys(reader, dialect);
    if (dialect.license) await reader.get(`${dialect.prefix}/${dialect.license.path}`);
    const kept = hideInValue(
      answers() as unknown as Json,
      createTargetLoginHider(target),
    ) as unknown as Snapshot["answers"];
    return { target: { ...summary, server }, body: { how: server.how, answers: kept } };
  } finally {
    await reader.close();
  }
}

/** A family that was asked for must be readable; of all the others, what the server has. */
async function readEverything(
  { families = [], declared, ...request }: RunRequest & { readonly declared?: ReadonlySet<Address> },
  connect: (target: Target) => ReadPort,
): Promise<{ target: Target; detected: DetectedServer; live: LiveState }> {
  if (families.includes("license")) throw unreadableLicense();
  const target = await openTarget(request);
  summariseSource(target, request);
  const reader = memoiseReads(connect(target));
  try {
    const detected = await detect(reader, target, resourceFamilies);
    const reference = families.length === 0 ? listExported(target, declared !== undefined) : [];
    const live = await readState(reader, detected.dialect, { needed: families, reference });
    // Where no family could be read, the message of the first says why; an empty folder would look like an empty
    // server.
    if (reference.length > 0 && live.resources.size === 0) await readFirst(reader, detected.dialect);
    return { target, detected, live };
  } finally {
    await reader.close();
  }
}

function listExported({ families }: Target, withUsers = false): readonly ResourceFamily[] {
  return resourceFamilies.filter((family) => isStated(family, families) || (withUsers && family === "internal_users"));
}

/** Which families no mode is stated for, and how one is written all the same. */
function describeLeftOut(
  { name, isOneOfSeveral, families }: Target,
  { collections, certificateOnly }: Dialect,
  program = "gate-sync",
): readonly string[] {
  const left = resourceFamilies.filter((family) => collections[family] !== undefined && !isStated(family, families));
  const closed = left.filter((family) => certificateOnly?.has(family));
  const open = left.filter((family) => !closed.includes(family));
  const [example = "config"] = open;
  const named = open.map((family) => (family === "internal_users" ? `${family} (without passwords)` : family));
  return [
    `not asked for, so left out: ${["config", ...named].join(", ")}`,
    ...(closed.length === 0 ? [] : [`only an admin certificate may read: ${closed.join(", ")}`]),
    "to write one of them:",
    `  ${program} export${isOneOfSeveral ? ` --target ${name}` : ""} --family ${example} --out ${example}`,
  ];
}

function unreadableLicense(): RunError {
  return new RunError("usage", {
    what: "A license cannot be exported.",
    why: "Servers show whom it is for and how long it lasts, and never its text.",
    fix: "Leave --family license out, and declare the license with the text that you were given.",
  });
}

async function readFirst(reader: ReadPort, dialect: Dialect): Promise<void> {
  await readState(reader, dialect, { needed: ["roles"], reference: [] });
}

function summaryOfExport({ resources }: LiveState, target: Target): readonly string[] {
  return [...resources].map(([family, found]) => {
    const entries = [...found.values()];
    const open = entries.filter(({ ownership }) => ownership === "open");
    const relevant = open.filter(({ name }) => isInScope(target.families[family], name));
    const fixed = entries.filter(({ ownership }) => ownership === "static").length;
    const reserved = entries.filter(({ ownership }) => ownership === "reserved").length + fixed;
    // A plan counts both as reserved.
    const ofThem = fixed === 0 ? "" : fixed === reserved ? ", all static" : `, ${fixed} of them static`;
    const left = [
      [reserved, `reserved${ofThem}`],
      [entries.filter(({ ownership }) => ownership === "service-account").length, "service accounts"],
      [open.length - relevant.length, "outside the scope"],
    ] as const;
    const leftOut = left.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
    const taken = `${relevant.length} ${getNoun(family, relevant.length)}`;
    return leftOut.length === 0 ? taken : `${taken}; left out: ${leftOut.join(", ")}`;
  });
}

function summaryOfRest(documents: readonly Document[]): readonly string[] {
  const counts = documents.map(({ family, value }) => `${value.size} ${getNoun(family, value.size)}`);
  return counts.length === 0 ? [] : [`which your files do not have: ${counts.join(", ")}`];
}

function notReadable({ resources }: LiveState, families: readonly Family[]): readonly string[] {
  const missing = families.filter(isResourceFamily).filter((family) => !resources.has(family));
  return missing.map((family) => `no ${getNoun(family, 2)}: not on this server, or not for this login to read`);
}
