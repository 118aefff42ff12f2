import { join, resolve } from "node:path";
import type { Places } from "../access/explain/grant-path.ts";
import { type AccessModel, createAccessModel } from "../access/model/access-model.ts";
import type { AccessState } from "../access/model/state.ts";
import { buildDeclaredAccess } from "../access/model/states.ts";
import type { NewFile } from "../artifacts/durable.ts";
import { exportDesired, exportOthers } from "../artifacts/exported/declared.ts";
import { createKeptReferences } from "../artifacts/exported/references.ts";
import { renderStateFile } from "../artifacts/exported/rendered.ts";
import { type ComparedProduct, listBehaviourDifferences } from "../convert/behaviour.ts";
import { openSide } from "../convert/equivalents.ts";
import { withAnonymousOf } from "../convert/mappings.ts";
import { convertState } from "../convert/state.ts";
import { joinRenamedTenants, withRenamedTenants } from "../convert/tenants.ts";
import { convertTest, type FindNewName } from "../convert/tests.ts";
import { withMappedUsers } from "../convert/users.ts";
import { getProductTitle } from "../convert/writing.ts";
import { RunError } from "../diagnostics/failure.ts";
import { createSourceFile } from "../diagnostics/source.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { assumedRelease, createDialect, products } from "../dialects/index.ts";
import { parseStatedRelease } from "../dialects/release.ts";
import { createUnreadableDiagnostic, type FileSource } from "../load/read.ts";
import type { Conversion } from "../model/conversion.ts";
import type { DesiredState } from "../model/desired.ts";
import { resourceFamilies } from "../model/names.ts";
import type { RenderedDocument } from "../model/rendered-state.ts";
import type { Repository } from "../model/repository.ts";
import { findAnswerPlaces } from "../questions/places.ts";
import { chooseOffline, refuseUnknownProduct } from "../validate/offline-product.ts";
import { formatMissing } from "./access/left-open.ts";
import { findMissingParts } from "./access/open.ts";
import { openRepository, openTarget, stopAtErrors } from "./open.ts";
import { findAccessChanges } from "./pipeline/access-diff.ts";
import { checkFiles, checkReferences } from "./pipeline/checked-files.ts";
import type { RunRequest } from "./request.ts";

export interface ConversionRequest extends RunRequest {
  /** `opensearch-2.19`, `search-guard-flx` */
  readonly to: string;
  /** The folder that the files are for, relative to the current one. */
  readonly folder: string;
  /** Built-in entries that grant more than those of the source are written out. */
  readonly isExact: boolean;
}

export interface ConvertedFiles {
  readonly conversion: Conversion;
  readonly files: readonly NewFile[];
  readonly dialect: Dialect;
  readonly places: Places;
}

/**
 * The declared state of a target as state files of another product or release, with what that does to access: the files are
 * read again as those of the other product, and the two states are compared, each as its own product evaluates it. No server is
 * asked, and nothing is written.
 *
 * @throws RunError `invalid` where the files, or what they become, have errors; `usage` where a product is not known
 */
export async function convertFiles(request: ConversionRequest): Promise<ConvertedFiles> {
  const to = parseProduct(request.to);
  const target = await openTarget(request, "leave");
  const opened = await openRepository(target, request, "leave");
  const { repository } = opened;
  const offline = chooseOffline(target, repository);
  refuseUnknownProduct(offline, target);
  const from = offline.dialect;
  const files = checkFiles(opened, from, target);
  stopAtErrors(
    [...opened.diagnostics, ...files.diagnostics],
    "Nothing was converted, as they may not mean what they seem to.",
  );
  const { desired, personas } = files;
  const converted = convertState(desired, from, to, request);
  const folder = resolve(request.cwd, request.folder);
  const references = createKeptReferences(folder);
  const others = request.families ? [] : convertOthers(exportOthers(repository), converted.findName);
  const documents = [...exportDesired(converted.desired, to, new Map(), references), ...others];
  const written = documents.map((document) =>
    renderStateFile(document, `Converted from ${formatDialect(from)} to ${formatDialect(to)}.`),
  );
  const readAgain = await readConverted(request, written, folder, to);
  const state = withMappedUsers(buildDeclaredAccess(readAgain, to));
  // What is called otherwise afterwards is compared under its new name.
  const old = withRenamedTenants(withMappedUsers(buildDeclaredAccess(desired, from)), converted.findTenant);
  const [before, after]: [ComparedProduct, ComparedProduct] = [
    {
      model: createComparedModel(withAnonymousOf(old, state.semantics.anonymous)),
      dialect: from,
      title: getProductTitle(openSide(from)),
    },
    { model: createComparedModel(state), dialect: to, title: getProductTitle(openSide(to)) },
  ];
  const found = findAccessChanges({ before: before.model, after: after.model }, personas, mostPrincipals);
  const access = joinRenamedTenants(found, before.model.state, after.model.state);
  return {
    conversion: {
      from: offline.title,
      to: formatDialect(to),
      entries: converted.entries,
      notes: converted.notes,
      access: {
        ...access,
        unknowns: [...access.unknowns, ...listUncompared(desired), ...listBehaviourDifferences(before, after)],
      },
      leftOut: [
        ...listWaivers(repository),
        ...references.variables.map((name) => `A secret that is written out in a file: set \${env:${name}} instead.`),
        ...repository.notices,
      ],
      basis: formatMissing(findMissingParts(desired, from)),
    },
    files: written,
    dialect: to,
    places: findPlaces(desired, converted.desired),
  };
}

/** A waiver is for what one product's plan does. */
function convertOthers(others: readonly RenderedDocument[], findName: FindNewName): readonly RenderedDocument[] {
  return others.flatMap((document) => {
    if (document.key === "waivers") return [];
    if (document.key !== "access_tests") return [document];
    const entries = document.entries.map((entry) => ({ ...entry, value: convertTest(entry.value, findName) }));
    return [{ ...document, entries }];
  });
}

/** All that a proof is about, and no server waits for it: a thousand take some three seconds. */
const mostPrincipals = 20_000;

/** With the default of the product where the config leaves open whether roles are united. */
function createComparedModel(state: AccessState): AccessModel {
  // What a server asks for on all indices is not in what is converted.
  const semantics = { ...state.semantics, askedOnAll: [] };
  const { roleSpan } = semantics;
  const spansRoles = roleSpan === "ignored" || (state.settings.spansRoles ?? roleSpan);
  return createAccessModel({ ...state, semantics, settings: { ...state.settings, spansRoles } });
}

/** Without these, there is nothing to compare. */
function listUncompared({ resources }: DesiredState): readonly string[] {
  return resources.has("role_mappings")
    ? []
    : [
        "who gains and who loses by what is converted: no role mappings are declared, and only those that the products come with are compared.",
      ];
}

/** The files as if they were there: what is compared is what will be read. */
async function readConverted(
  request: ConversionRequest,
  files: readonly NewFile[],
  folder: string,
  to: Dialect,
): Promise<DesiredState> {
  const texts = new Map(files.map(({ name, text }) => [join(folder, name), text]));
  const source: FileSource = {
    find: async () => ({
      files: files.map(({ name }) => ({ absolute: join(folder, name), path: join(request.folder, name) })),
      diagnostics: [],
    }),
    read: async ({ absolute, path }) => ({ file: createSourceFile(path, texts.get(absolute) ?? "") }),
    readItems: async (absolute) => ({
      problem: createUnreadableDiagnostic(absolute, "it is no part of the conversion"),
    }),
  };
  const { product, release } = to;
  const target = await openTarget(request, "leave");
  const { waivers: _, ...other } = { ...target, product, release, state: [request.folder] };
  const opened = await openRepository(other, request, "leave", source, [request.folder]);
  const read = checkFiles(opened, to, other);
  stopAtErrors(
    [...opened.diagnostics, ...read.diagnostics, ...checkReferences(read)],
    `These are places in what would be written to ${request.folder}: ${formatDialect(to)} does not take it. Nothing was written.`,
  );
  return read.desired;
}

/** With the places of what is called otherwise. */
function findPlaces(desired: DesiredState, converted: DesiredState): Places {
  const resources = resourceFamilies.map((family) => {
    const both = [converted, desired].flatMap((state) => [...(state.resources.get(family) ?? [])]);
    return [family, new Map(both)] as const;
  });
  return findAnswerPlaces({ resources: new Map(resources) });
}

function listWaivers({ documents }: Repository): readonly string[] {
  const count = documents.filter(({ waivers }) => waivers !== undefined).length;
  return count === 0 ? [] : ["Waivers are left out: what they waive is in the plans of one product."];
}

function formatDialect({ product, release }: Dialect): string {
  return `${product} ${release}`;
}

/** `opensearch`, `opensearch-2.19`, `search-guard-7`, `gate-7.x` */
function parseProduct(text: string): Dialect {
  const product = products.find((one) => text === one || text.startsWith(`${one}-`));
  const written = product && text.slice(product.length + 1);
  const release =
    product &&
    (written === "" || written === "7.x" ? assumedRelease[product] : parseStatedRelease(product, written ?? ""));
  const dialect = product && release !== undefined ? createDialect(product, release) : undefined;
  if (dialect && !release?.startsWith("6")) return dialect;
  throw new RunError("usage", {
    what: `--to ${JSON.stringify(text)} is no product and release to convert to.`,
    why: "By it, entries get the words and the built-in names of that product.",
    fix: "Write one of opensearch, opensearch-2.19, search-guard-7, search-guard-7.x-38, search-guard-flx, gate-7.x.",
  });
}
