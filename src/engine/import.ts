import type { NewFile } from "../artifacts/durable.ts";
import { renderStateFiles } from "../artifacts/exported/files.ts";
import { type Diagnostic, isError } from "../diagnostics/diagnostic.ts";
import { createSourceFile, type SourceFile } from "../diagnostics/source.ts";
import { isIdlePart } from "../imports/findings.ts";
import { isProgram, programAdvice, takeFiles } from "../imports/take.ts";
import { writeEntries } from "../imports/written.ts";
import { findStateFiles } from "../load/files.ts";
import { createHeader } from "../load/header.ts";
import { listOtherInputs } from "../load/other-inputs.ts";
import { readInput, readSource } from "../load/read.ts";
import type { ImportAccount, NeededVariable } from "../model/import-account.ts";
import { type Family, families } from "../model/names.ts";
import type { Product } from "../model/plan.ts";
import { stopAtErrors } from "./open.ts";
import type { RunRequest } from "./request.ts";

export interface ImportRequest extends Pick<RunRequest, "cwd" | "input"> {
  /** As the user wrote them; `-` is standard input. */
  readonly files: readonly string[];
  readonly folder: string;
  /** Of inputs that are payloads of requests. */
  readonly family?: Family;
  readonly name?: string;
  /** What the target states that it is. */
  readonly product?: Product;
}

export interface ImportResult {
  readonly account: ImportAccount;
  readonly files: readonly NewFile[];
  /** What the inputs are surely for; absent where that is unknown. */
  readonly product?: Product;
  /** Of that product, by files that no other release has. */
  readonly release?: string;
  /** Of the one server that the inputs are for. */
  readonly url?: string;
}

const nothingWritten = "Nothing was written.";

/** In the order in which files are written. */
const order: readonly Family[] = families;

/**
 * What other tools declare, as state files: each entry is in them, or in the account with the reason.
 *
 * @throws RunError `invalid` where an input cannot be read, or holds two entries of one name that differ
 */
export async function takeInputs(request: ImportRequest): Promise<ImportResult> {
  const { sources, diagnostics, unread } = await readInputs(request);
  stopAtErrors(diagnostics, nothingWritten);
  const findings = takeFiles(sources, request);
  for (const path of unread)
    findings.left.push({
      what: path,
      why: isProgram(path) ? programAdvice : otherInput,
      place: { file: createSourceFile(path, ""), start: 0, end: 0 },
    });
  const { documents, secrets, variables } = writeEntries(findings.entries, order, findings);
  stopAtErrors(findings.diagnostics, nothingWritten);
  const flx = sources.find(({ path }) => /(^|\/)sg_(authc|frontend_authc)\.ya?ml$/.test(path));
  if (flx) {
    findings.products.add("search-guard");
    findings.notes.add(
      `${flx.path} is a file of Search Guard FLX: write product: search-guard and release: FLX for the target in gate-sync.yaml.`,
    );
  }
  const [product, ...others] = findings.products;
  const [url, ...otherUrls] = findings.urls;
  const files = renderStateFiles(documents, false).map((file) =>
    file.name === "config.yml" ? withHeader(file, others.length === 0 ? product : undefined) : file,
  );
  const hasConfig = documents.some(({ family }) => family === "config");
  if (hasConfig) findings.notes.add(explainConfig(`${request.folder.replace(/\/+$/, "")}/config.yml`, secrets));
  return {
    account: {
      folder: request.folder,
      files: files.map(({ name }) => name),
      taken: documents.map(({ family, value }) => ({
        family,
        names: family === "config" ? ["config"] : [...value.keys()],
      })),
      left: findings.left.map((part) => (isIdlePart(part) ? { ...part, declaresNothing: true } : part)),
      secrets,
      variables,
      notes: [...findings.notes],
      letGo: findings.letGo,
    },
    files,
    ...(url !== undefined && otherUrls.length === 0 && { url }),
    ...(product && others.length === 0 && { product, ...(flx && { release: "FLX" }) }),
  };
}

/** As the server's own tools have it: such a config is compared only, until the target gives its resource type a mode. */
function withHeader({ name, text }: NewFile, product: Product | undefined): NewFile {
  const key = product === "search-guard" ? "_sg_meta" : product === "gate" ? "_gate_meta" : "_meta";
  return { name, text: `${createHeader("config", key)}\n${text}` };
}

/** CI asks for its secrets with each plan, whether gate-sync writes it or not. */
function explainConfig(path: string, secrets: readonly NeededVariable[]): string {
  const own = secrets.filter(({ uses }) => uses.some(({ address }) => address === "config")).map(({ name }) => name);
  const needed = own.length === 0 ? "" : ` For that, CI needs ${own.join(", ")}.`;
  return `${path} decides who can log in. gate-sync compares it only, until families gives config a mode.${needed} Delete the file to do without.`;
}

/** No file is state yet. */
function describeMissing(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.code !== "missing-state") return diagnostic;
  return {
    ...diagnostic,
    why: "There is nothing to import.",
    fix: "Correct the path, or name the files themselves: scripts, templates.",
  };
}

const otherInput = "of a folder only .yml, .yaml and .json files are read: name it itself";

async function readInputs({
  files,
  cwd,
  input,
}: ImportRequest): Promise<{ sources: SourceFile[]; diagnostics: Diagnostic[]; unread: readonly string[] }> {
  const found = await findStateFiles(files, cwd);
  const sources: SourceFile[] = [];
  const diagnostics: Diagnostic[] = found.diagnostics.filter(isError).map(describeMissing);
  for (const place of found.files) {
    const { file, problem } = place.isInput ? await readInput(place.path, input) : await readSource(place);
    if (file) sources.push(file);
    else if (problem) diagnostics.push(problem);
  }
  const named = new Set(sources.map(({ path }) => path));
  const unread = (await listOtherInputs(found.folders ?? [])).filter((path) => !named.has(path));
  return { sources, diagnostics, unread };
}
