import type { NewFile } from "../artifacts/durable.ts";
import { renderStateFiles } from "../artifacts/exported/files.ts";
import { type Diagnostic, isError } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import { startEmulator } from "../emulator/index.ts";
import type { ImportFindings } from "../imports/findings.ts";
import { takeFiles } from "../imports/take.ts";
import { type WrittenDocument, writeEntries } from "../imports/written.ts";
import { connectToRead } from "../live/client/http.ts";
import { findStateFiles } from "../load/files.ts";
import { readInput, readSource } from "../load/read.ts";
import { writeYaml } from "../load/yaml.ts";
import type { ImportAccount, ImportedFamily } from "../model/import-account.ts";
import { families } from "../model/names.ts";
import type { Product } from "../model/plan.ts";
import type { DecidedPlan } from "../plan/decided-plan.ts";
import { chooseOffline } from "../validate/offline-product.ts";
import { openRepository, openTarget, stopAtErrors } from "./open.ts";
import type { PlanRequest } from "./pipeline/context.ts";
import { plan } from "./plan.ts";
import type { RunRequest } from "./request.ts";

export interface ImportRequest extends Pick<RunRequest, "cwd" | "input"> {
  /** As the user wrote them; `-` is standard input. */
  readonly files: readonly string[];
  readonly folder: string;
  /** Of inputs that are payloads of requests. */
  readonly family?: ImportedFamily;
  readonly name?: string;
}

export interface ImportResult {
  readonly account: ImportAccount;
  readonly files: readonly NewFile[];
  /** What the inputs are surely for; absent where that is unknown. */
  readonly product?: Product;
}

const nothingWritten = "Nothing was written.";

/** In the order in which files are written. */
const order: readonly ImportedFamily[] = families;

/**
 * What other tools declare, as state files: each entry is in them, or in the account with the reason.
 *
 * @throws RunError `invalid` where an input cannot be read, or holds two entries of one name that differ
 */
export async function takeInputs(request: ImportRequest): Promise<ImportResult> {
  const { sources, diagnostics } = await readInputs(request);
  stopAtErrors(diagnostics, nothingWritten);
  const findings = takeFiles(sources, request);
  const { documents, secrets, variables } = writeEntries(findings.entries, order, findings);
  stopAtErrors(findings.diagnostics, nothingWritten);
  const [product, ...others] = findings.products;
  const files = renderFiles(documents, product);
  return {
    account: {
      folder: request.folder,
      files: files.map(({ name }) => name),
      taken: documents.map(({ family, value }) => ({
        family,
        names: family === "config" ? ["config"] : [...value.keys()],
      })),
      left: findings.left,
      secrets,
      variables,
      notes: [...findings.notes, ...notesOf(findings)],
      letGo: findings.letGo,
    },
    files,
    ...(product && others.length === 0 && { product }),
  };
}

async function readInputs({
  files,
  cwd,
  input,
}: ImportRequest): Promise<{ sources: SourceFile[]; diagnostics: Diagnostic[] }> {
  const found = await findStateFiles(files, cwd);
  const sources: SourceFile[] = [];
  const diagnostics: Diagnostic[] = found.diagnostics.filter(isError);
  for (const place of found.files) {
    const { file, problem } = place.isInput ? await readInput(place.path, input) : await readSource(place);
    if (file) sources.push(file);
    else if (problem) diagnostics.push(problem);
  }
  return { sources, diagnostics };
}

function renderFiles(documents: readonly WrittenDocument[], product: Product | undefined): readonly NewFile[] {
  return documents.flatMap(({ family, value }) => {
    if (family !== "internal_users") return renderStateFiles([{ family, value }], false);
    const header = product === "search-guard" ? "_sg_meta" : "_meta";
    return [
      {
        name: "internal_users.yml",
        text: `${header}: {type: internalusers, config_version: 2}\n\n${writeYaml(value)}`,
      },
    ];
  });
}

function notesOf({ entries }: ImportFindings): readonly string[] {
  if (!entries.some(({ family }) => family === "internal_users")) return [];
  return ["Internal users are in internal_users.yml, in the format of the product's own tools."];
}

/**
 * A plan of state files against a server in memory that holds nothing, for where there is no target yet. What variables
 * and secrets are has no say: each that is not set is its own name.
 */
export async function planAgainstNothing(
  request: PlanRequest,
  { secrets, variables }: ImportAccount,
): Promise<DecidedPlan> {
  const named = (needed: ImportAccount["secrets"]) => Object.fromEntries(needed.map(({ name }) => [name, name]));
  const filled: PlanRequest = {
    ...request,
    env: { ...named(secrets), ...request.env },
    flags: { ...request.flags, vars: { ...named(variables), ...request.flags.vars } },
  };
  const target = await openTarget(filled, "leave");
  const { repository } = await openRepository(target, filled, "resolve");
  const { dialect } = chooseOffline(target, repository);
  const emulator = await startEmulator({ product: dialect.product, release: dialect.release });
  try {
    const asked = { ...filled, flags: { ...filled.flags, url: [emulator.url] } };
    const decided = await plan(asked, { connect: (server) => connectToRead(server) });
    const summary = { ...decided.plan.target, name: "new cluster", url: "an empty server in memory", snapshot: true };
    return { ...decided, plan: { ...decided.plan, target: summary } };
  } finally {
    await emulator.close();
  }
}
