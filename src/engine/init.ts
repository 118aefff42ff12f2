import type { NewFile } from "../artifacts/durable.ts";
import { type Diagnostic, isError } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { listUsualAdminRoles } from "../dialects/caller.ts";
import { listDistinct } from "../json/collections.ts";
import { Secret } from "../json/secret.ts";
import { type Fields, isList, isObject, type Json, listValues, type Value } from "../json/value.ts";
import { createConfigReader } from "../load/configured-file.ts";
import { readPackageFile } from "../load/package-files.ts";
import type { TargetConfig } from "../load/target-words.ts";
import { writeYaml } from "../load/yaml.ts";
import type { Caller, Diagnosis } from "../model/doctor.ts";
import { type Address, createAddress, isResourceFamily } from "../model/names.ts";
import { toValue } from "../model/node.ts";
import { getMode, isOptIn } from "../model/policy.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import { diagnose } from "./doctor.ts";
import { describeTarget, type ExportResult, exportState } from "./export.ts";
import { findConfig, openRepository, openSettings, openTarget } from "./open.ts";
import type { RunRequest } from "./request.ts";

export interface InitRequest extends RunRequest {
  /** What gate-sync.yaml calls the target. */
  readonly name: string;
  /** Of the state files, relative to `cwd`. */
  readonly folder: string;
  /** Jobs there log in by the environment, each as another user: gate-sync.yaml names none. */
  readonly forge?: Forge;
  /** What state files there declare already. */
  readonly declared?: ReadonlySet<Address>;
}

/** What a server is, and the first files of a repository about it: nothing is written yet. */
export interface FirstFiles {
  readonly diagnosis: Diagnosis;
  readonly exported: ExportResult;
  readonly configFile: NewFile;
  /** By which the caller administers, where no usual role lets it: gate-sync.yaml names it in admin_roles. */
  readonly adminRole?: string;
}

/**
 * Looks at the server and takes what it holds.
 *
 * @throws RunError as `diagnose` and `exportState` do
 */
export async function createFirstFiles(
  request: InitRequest,
  connect: (target: Target) => ReadPort,
): Promise<FirstFiles> {
  const diagnosis = await diagnose(request, connect);
  const { declared } = request;
  const exported = await exportState(
    { ...request, oneFile: declared !== undefined, program: "npx --no -- gate-sync" },
    connect,
  );
  const adminRole = diagnosis.usable.apply ? findAdminRole(diagnosis.caller, exported) : undefined;
  const configFile = createConfigFile(request, diagnosis, exported, adminRole);
  return { diagnosis, exported, configFile, ...(adminRole !== undefined && { adminRole }) };
}

/** What state files that are there declare, such as those of an import. */
export interface FoundState {
  readonly declared: ReadonlySet<Address>;
  /** Whether these are all, with their names: of files with errors it may be less. */
  readonly isWhole: boolean;
}

/** In the paths of the request; nothing where there are no state files. */
export async function findState(request: RunRequest): Promise<FoundState | undefined> {
  const target = await openTarget(request, "leave");
  const { repository, diagnostics } = await openRepository(target, request, "leave");
  const sections = repository.documents.flatMap((document) => document.sections);
  if (sections.length === 0) return undefined;
  const declared = sections.flatMap(({ family, entries }) =>
    isResourceFamily(family) ? entries.map(({ key }) => createAddress(family, key)) : [],
  );
  const entries = sections.flatMap((section) => section.entries);
  const errors = diagnostics.filter(isError);
  // What is wrong in an entry, or unset there, leaves it declared; a variable in a name does not.
  const isInEntry = ({ code, range }: Diagnostic) =>
    code !== "syntax" && range !== undefined && entries.some(({ value }) => holdsRange(value, range));
  const isNamed = errors.length === 0 || !declared.some((address) => address.includes("${"));
  return {
    declared: new Set(declared),
    isWhole: isNamed && errors.every((one) => one.code === "unknown-variable" || isInEntry(one)),
  };
}

function holdsRange(outer: SourceRange, inner: SourceRange): boolean {
  return outer.file === inner.file && outer.start <= inner.start && inner.end <= outer.end;
}

/** The one role by which it can be: no usual one lets it, and what everybody holds does not. */
function findAdminRole({ roles }: Caller, { live, detected }: ExportResult): string | undefined {
  const mappings = live.resources.get("role_mappings");
  const usual = listUsualAdminRoles(detected.dialect);
  if (!mappings || usual.length === 0 || roles.some((role) => usual.includes(role))) return undefined;
  const [own, ...others] = roles.filter((role) => !isOfEverybody(mappings.get(role)?.value));
  return others.length === 0 ? own : undefined;
}

function isOfEverybody(mapping: Fields = {}): boolean {
  return ["users", "backend_roles", "hosts"].some((field) => listValues(mapping[field]).includes("*"));
}

function createConfigFile(
  { name, folder, flags, forge }: InitRequest,
  { caller, usable }: Diagnosis,
  { target, detected }: ExportResult,
  adminRole: string | undefined,
): NewFile {
  const { identity, adminCertificate } = caller;
  const isAdmin = adminCertificate === "yes";
  const fields = new Map<string, Json>([
    ...describeTarget(target, detected, flags),
    ...(forge ? [] : describeLogin(flags)),
    ...(isAdmin ? [["admin_certificate", true] as const] : []),
    // By which plan finds out who would be locked out: of an identity that cannot apply, it would say nothing.
    ...(!isAdmin && identity && usable.apply ? [["apply_as", describeIdentity(identity)] as const] : []),
    ...(adminRole === undefined
      ? []
      : [["admin_roles", [...listUsualAdminRoles(detected.dialect), adminRole]] as const]),
    ["state", [folder]],
  ]);
  return { name: "gate-sync.yaml", text: writeYaml(new Map([["targets", new Map([[name, fields]])]])) };
}

function describeIdentity({ user, backendRoles }: NonNullable<Diagnosis["caller"]["identity"]>): Json {
  return backendRoles.length === 0 ? { user } : { user, backend_roles: backendRoles };
}

/** The login of the environment needs no word: what is written replaces it, for every job of CI as well. */
function describeLogin({
  username,
  passwordEnv,
  passwordFile,
}: InitRequest["flags"]): readonly (readonly [string, Json])[] {
  if (username === undefined) return [];
  const password =
    passwordFile !== undefined
      ? `\${file:${passwordFile}}`
      : passwordEnv === undefined || passwordEnv === "GATE_SYNC_PASSWORD"
        ? undefined
        : `\${env:${passwordEnv}}`;
  return password === undefined ? [] : [["auth", { username, password }]];
}

export type Forge = "github" | "gitlab";

/** From the package to the repository. */
const copiedJobs = {
  github: [
    ["examples/ci/github-plan-and-apply.yml", ".github/workflows/access.yml"],
    ["examples/ci/github-drift.yml", ".github/workflows/drift.yml"],
  ],
  gitlab: [
    ["examples/ci/gitlab-ci.yml", ".gitlab-ci.yml"],
    ["templates/gate-sync/template.yml", ".gitlab/gate-sync.yml"],
  ],
} as const;

export function listCiPaths(forge: Forge): readonly string[] {
  return copiedJobs[forge].map(([, path]) => path);
}

/**
 * The jobs of `examples/ci` for this target.
 *
 * @param target its name in gate-sync.yaml: ASCII, without blanks and quotes
 * @param branch the one that others are merged into, as `describeWorkTree` gives it
 * @param variables secrets that the jobs need for the state files; GitLab gives jobs all that a project has
 */
export function createCiFiles(
  forge: Forge,
  target: string,
  branch: string,
  variables: readonly string[],
): readonly NewFile[] {
  return copiedJobs[forge].map(([from, name]) => {
    const text = withoutHowToCopy(readPackageFile(from) ?? "");
    // The template is about any target and branch.
    const named = from.startsWith("templates/") ? text : nameInJobs(text, target, branch);
    return { name, text: forge === "github" ? passSecrets(named, variables) : named };
  });
}

/** It is copied. */
function withoutHowToCopy(text: string): string {
  return text.replace(/^# Copy to [^\n]*\n(# {3}cp [^\n]*\n)?/m, "").replace(/ Copy to \S+\.$/m, "");
}

/** To the steps that run gate-sync: `npm ci` runs programs of others. */
function passSecrets(workflow: string, variables: readonly string[]): string {
  if (variables.length === 0) return workflow;
  const lines = variables.map((name) => `          ${name}: \${{ secrets.${name} }}\n`);
  const env = `        env:\n          # What the state files refer to.\n${lines.join("")}`;
  return workflow
    .replace(/^ {6}- uses: \.\/node_modules\/gate-sync\/.*\n/gm, (step) => step + env)
    .replace(/^ {8}env:\n(?= {10}#.*\n {10}GATE_SYNC_USERNAME:)/gm, () => env);
}

/** In one pass, as a target may be called like a branch. */
function nameInJobs(text: string, target: string, branch: string): string {
  const isUsual = branch === "main" || branch === "master";
  // YAML would take `1.10` for a number.
  const asText = /^(?:true|false|null|\d.*)$/i.test(target) ? `"${target}"` : target;
  return text.replace(/((?<=: )prod(?=$| \}))|\bprod\b|\[main\]|\bmain\b/gm, (word, isValue?: string) =>
    isValue ? asText : word === "prod" ? target : word === "main" ? branch : isUsual ? `[${branch}]` : `["${branch}"]`,
  );
}

/** What gate-sync.yaml says of a target, as far as others who have the repository need it: texts as they are written. */
export interface WrittenSettings {
  readonly ca?: string;
  /** Of the client certificate, and its key. */
  readonly certificate: readonly string[];
  readonly state: readonly string[];
  /** The user of `apply_as`. */
  readonly applyAs?: string;
  readonly hasLogin: boolean;
  /** Those that the login refers to. */
  readonly variables: readonly string[];
}

/** @throws RunError `invalid` as `openSettings` does */
export async function readWrittenSettings(cwd: string, name: string): Promise<WrittenSettings | undefined> {
  const { found } = await findConfig({ cwd });
  if (!found) return undefined;
  const { settings } = await openSettings(found.root, name, createConfigReader(found.root, cwd));
  const { tls, state, auth, apply_as: applyAs } = toValue(settings) as TargetConfig;
  const references = JSON.stringify(auth ?? "").matchAll(/\$\{env:([^}]+)\}/g);
  return {
    ...(tls?.ca !== undefined && { ca: tls.ca }),
    certificate: [tls?.cert, tls?.key, tls?.pkcs12].filter((path) => path !== undefined),
    state: state ?? [],
    ...(applyAs?.user !== undefined && { applyAs: applyAs.user }),
    hasLogin: auth !== undefined,
    variables: [...references].map(([, variable = ""]) => variable),
  };
}

/** Environment variables without which the target cannot be planned, as its state files refer to them. */
export async function listStateVariables(request: RunRequest): Promise<readonly string[]> {
  const target = await openTarget(request, "leave");
  const { repository } = await openRepository(target, request, "leave");
  const sections = repository.documents.flatMap((document) => document.sections);
  const needed = sections.filter(({ family }) => !isOptIn(family) || getMode(family, target.families) !== "observe");
  const references = needed.flatMap(({ node }) => listReferences(toValue(node)));
  return listDistinct(references.flatMap((one) => [...one.matchAll(/\$\{env:([^}:]+)/g)].map(([, name = ""]) => name)));
}

function listReferences(value: Value): readonly string[] {
  if (value instanceof Secret) return [value.reference];
  if (isList(value)) return value.flatMap(listReferences);
  return isObject(value) ? Object.values(value).flatMap(listReferences) : [];
}

/**
 * Settings by which the YAML extension of an editor checks and completes the files.
 *
 * @param folder of the state files
 */
export function createEditorFile(folder: string): NewFile {
  const schemas = "./node_modules/gate-sync/schemas";
  const settings = {
    "yaml.schemas": {
      [`${schemas}/gate-sync.schema.json`]: ["gate-sync.yaml"],
      [`${schemas}/state.schema.json`]: [`${folder}/**/*.yml`, `${folder}/**/*.yaml`],
    },
  };
  return { name: ".vscode/settings.json", text: `${JSON.stringify(settings, null, 2)}\n` };
}
