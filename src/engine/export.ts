import { RunError } from "../diagnostics/failure.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { nounOf } from "../families/index.ts";
import { inScope } from "../families/scope.ts";
import { equal, type Json } from "../json/value.ts";
import { hiddenIn, hidingLoginOf } from "../live/client/hiding.ts";
import { type Detected, detect } from "../live/detect/detect.ts";
import { memoised } from "../live/memo.ts";
import { readInternalUsers, readState } from "../live/read.ts";
import { recording } from "../live/snapshot.ts";
import { findConfigFile } from "../load/config-file.ts";
import type { TargetFlags } from "../load/target.ts";
import { writeYaml } from "../load/yaml.ts";
import type { LiveState } from "../model/live.ts";
import { type Family, isResourceFamily, resourceFamilies } from "../model/names.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { Target } from "../model/target.ts";
import type { NewFile } from "../store/folder.ts";
import { type Document, exportedConfig, exportedFamily } from "./exported.ts";
import { openTarget } from "./open.ts";
import type { Request } from "./request.ts";
import { summaryOf } from "./source.ts";
import { stateFiles } from "./state-files.ts";

export interface Exported {
  /** A gate-sync.yaml that says which server the files are of; absent where there is one already. */
  readonly configFile?: NewFile;
  readonly files: readonly NewFile[];
  /** Environment variables that stand for secrets of the config. */
  readonly secrets: readonly string[];
  /** One line for each family: what was taken and what was left out. */
  readonly summary: readonly string[];
  readonly target: Target;
  readonly detected: Detected;
}

/** The live state as files that declare just that: planning against them right after finds nothing to do. */
export async function exportState(
  request: Request & { readonly oneFile: boolean; readonly folder?: string },
  connect: (target: Target) => ReadPort,
): Promise<Exported> {
  const { target, detected, live } = await readEverything(request, connect);
  const documents = resourceFamilies.flatMap((family): readonly Document[] => {
    const found = live.resources.get(family);
    const ours = found && exportedFamily(family, found, target.families[family], detected.dialect);
    return ours && ours.value.size > 0 ? [ours] : [];
  });
  const config = live.config && exportedConfig(live.config.document);
  const hide = hidingLoginOf(target);
  const written = config ? [...documents, config] : documents;
  const shown = written.map((document) => withoutLogin(document, hide));
  const { found } = await findConfigFile(request.cwd, request.configPath);
  return {
    ...(!found &&
      request.folder !== undefined && { configFile: configFileOf(target, detected, request.flags, request.folder) }),
    files: stateFiles(
      shown.map(({ document }) => document),
      request.oneFile,
    ),
    secrets: config?.secrets ?? [],
    summary: [
      ...summaryOfExport(live, target),
      ...notReadable(live, request.families ?? resourceFamilies),
      ...repeatsOfLogin(shown.flatMap(({ repeating }) => repeating)),
    ],
    target,
    detected,
  };
}

/** The document as it may be written, and the entries of which it shows less than the server does. */
function withoutLogin({ family, value }: Document, hide: (text: string) => string) {
  const shown = new Map<string, Json>();
  const repeating: string[] = [];
  for (const [name, item] of value) {
    const [shownName, shownItem] = [hide(name), hiddenIn(item, hide)];
    if (shownName !== name || !equal(shownItem, item)) repeating.push(`${family}/${name}`);
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
function configFileOf(
  target: Target,
  { server: { product, release, how } }: Detected,
  flags: TargetFlags,
  folder: string,
): NewFile {
  // A release that nobody told may be another one.
  const known = /assumed/.test(how) ? [] : [["release", release] as const];
  const fields = new Map<string, Json>([
    ["url", summaryOf(target).url],
    ["product", product],
    ...known,
    ...tlsFiles(flags),
    ["state", [folder]],
  ]);
  return { name: "gate-sync.yaml", text: writeYaml(new Map([["targets", new Map([[target.name, fields]])]])) };
}

/** The files that flags name, so that the next run trusts the same authority and logs in with the same certificate. */
function tlsFiles({ ca, cert, key }: TargetFlags): readonly (readonly [string, Json])[] {
  const files = Object.entries({ ca, cert, key }).filter((file): file is [string, string] => file[1] !== undefined);
  return files.length === 0 ? [] : [["tls", Object.fromEntries(files)]];
}

/** The raw answers to every GET that a plan may need, whatever their status; secrets masked. */
export async function takeSnapshot(request: Request, connect: (target: Target) => ReadPort): Promise<Snapshot> {
  const target = await openTarget(request);
  const { url, identity } = summaryOf(target);
  const { reader, answers } = recording(memoised(connect(target)));
  try {
    const { server, dialect } = await detect(reader, target, resourceFamilies);
    const { resources } = await readState(reader, dialect, { needed: [], reference: resourceFamilies });
    if (resources.size === 0) await readFirst(reader, dialect);
    await reader.get(`${dialect.prefix}/${dialect.config.path}`);
    await readInternalUsers(reader, dialect);
    if (dialect.license) await reader.get(`${dialect.prefix}/${dialect.license.path}`);
    const kept = hiddenIn(answers() as unknown as Json, hidingLoginOf(target)) as unknown as Snapshot["answers"];
    return { format_version: 1, url, server, ...(identity !== undefined && { identity }), answers: kept };
  } finally {
    await reader.close();
  }
}

/** A family that was asked for must be readable; of all the others, what the server has. */
async function readEverything(
  { families = [], ...request }: Request,
  connect: (target: Target) => ReadPort,
): Promise<{ target: Target; detected: Detected; live: LiveState }> {
  if (families.includes("license")) throw unreadableLicense();
  const target = await openTarget(request);
  summaryOf(target);
  const reader = memoised(connect(target));
  try {
    const detected = await detect(reader, target, resourceFamilies);
    const reference = families.length === 0 ? resourceFamilies : [];
    const live = await readState(reader, detected.dialect, { needed: families, reference });
    // Not even one: then the letter of the first says why, and an empty folder would say that the server is empty.
    if (reference.length > 0 && live.resources.size === 0) await readFirst(reader, detected.dialect);
    return { target, detected, live };
  } finally {
    await reader.close();
  }
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
    const ours = open.filter(({ name }) => inScope(target.families[family], name));
    const left = [
      [entries.filter(({ ownership }) => ownership === "reserved").length, "reserved"],
      [entries.filter(({ ownership }) => ownership === "static").length, "static"],
      [open.length - ours.length, "outside the scope"],
    ] as const;
    const leftOut = left.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
    const taken = `${ours.length} ${nounOf(family, ours.length)}`;
    return leftOut.length === 0 ? taken : `${taken}; left out: ${leftOut.join(", ")}`;
  });
}

function notReadable({ resources }: LiveState, families: readonly Family[]): readonly string[] {
  const missing = families.filter(isResourceFamily).filter((family) => !resources.has(family));
  return missing.map((family) => `no ${nounOf(family, 2)}: this server has none that we may read`);
}
