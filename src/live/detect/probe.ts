import { RunError } from "../../diagnostics/failure.ts";
import { decodeConfig } from "../../dialects/codec.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { assumedRelease, createDialect } from "../../dialects/index.ts";
import { exampleReleases } from "../../dialects/release.ts";
import { isList, isObject, type JsonObject, type Value } from "../../json/value.ts";
import type { ResourceFamily } from "../../model/names.ts";
import type { Product } from "../../model/plan.ts";
import type { HttpAnswer, ReadPort } from "../../model/ports.ts";
import { formatServerMessage } from "../server-message.ts";
import { createForbiddenMessage, createUnauthorisedMessage } from "../unreadable.ts";
import { isNoRoute, isRefusal, mayWantSlash } from "./routes.ts";

/** A request that was made to find out who answers. */
export interface ProbeAttempt {
  readonly path: string;
  readonly answer: HttpAnswer;
}

/** The path that answered as the API does. */
export interface ProbeResult {
  readonly dialect: Dialect;
  readonly path: string;
}

/**
 * Looks for the API of a product where a plan will read anyway: with a release that has it all first, then with the
 * oldest, which may have fewer families, another path of the config, or another prefix.
 *
 * @param tried collects each request, for the message in case nothing is found
 */
export async function probe(
  reader: ReadPort,
  product: Product,
  families: readonly ResourceFamily[],
  tried: ProbeAttempt[],
): Promise<ProbeResult | undefined> {
  const releases = [assumedRelease[product], exampleReleases[product][0] ?? assumedRelease[product]];
  const dialects = releases.map((release) => createDialect(product, release));
  const asked = new Set<string>();
  for (const dialect of dialects) {
    const plain = `${dialect.prefix}/${probedSegment(dialect, families)}`;
    if (asked.has(plain)) continue;
    asked.add(plain);
    for (const path of [plain, `${plain}/`]) {
      const answer = await reader.get(path);
      tried.push({ path, answer });
      if (speaksTheApi(answer, dialect, families)) return { dialect, path };
      if (answer.status === 401) throw createUnauthorisedMessage(path, answer);
      if (answer.status === 403 && !isNoRoute(answer)) throw createForbiddenMessage(path, answer, dialect);
      if (!mayWantSlash(answer)) break;
    }
  }
  return undefined;
}

/** What is read anyway: the first family, else the config, which a plan of config or license alone needs. */
function probedSegment({ collections, config }: Dialect, [family]: readonly ResourceFamily[]): string {
  return family === undefined ? config.path : (collections[family] ?? `${collections.roles}`);
}

/** The config under its key, a map from names to objects (or to lists: old action groups), or its own refusal; no error in disguise. */
function speaksTheApi(answer: HttpAnswer, dialect: Dialect, families: readonly ResourceFamily[]): boolean {
  if (isRefusal(answer)) return true;
  const { status, body } = answer;
  if (status !== 200 || !isObject(body as Value)) return false;
  if (families.length === 0) return decodeConfig(dialect, body) !== undefined;
  return Object.values(body as JsonObject).every((entry) => isObject(entry) || isList(entry));
}

/** `404`, or `302: redirects to https://login.example/`. */
function answered(answer: HttpAnswer): string {
  const isRedirect = answer.status >= 300 && answer.status < 400 && answer.location !== undefined;
  return isRedirect ? `${answer.status}: ${formatServerMessage(answer)}` : String(answer.status);
}

/** What answers, where it is none of the servers that gate-sync knows. */
export function explainNothingFound(tried: readonly ProbeAttempt[], whatItIs: string | undefined): RunError {
  const degraded = tried.find(({ answer }) => isDegraded(answer));
  if (degraded) return cannotReport(degraded, tried);
  return new RunError("failed", {
    what: "No administration API that gate-sync knows answers here.",
    why: `${whatItIs === undefined ? "" : `${whatItIs} `}${listAttempts(tried)}`,
    fix: "Check the URL; if it is right, say what the server is with --product and --release.",
  });
}

/** It may well be a server that we know: an answer like this is none to the question. */
function isDegraded(answer: HttpAnswer): boolean {
  return (answer.status >= 500 || answer.status === 429) && !isNoRoute(answer);
}

function cannotReport({ path, answer }: ProbeAttempt, tried: readonly ProbeAttempt[]): RunError {
  return new RunError("failed", {
    what: `What answers here is unknown: it fails (${answer.status} to GET ${path}).`,
    why: `${degradation(answer)} ${listAttempts(tried)}`,
    fix: "Nothing was changed. Look at the server and its log, and at what lies between; then try again.",
  });
}

function degradation(answer: HttpAnswer): string {
  if (answer.status === 429) return "It has too much to do.";
  if (answer.status === 502 || answer.status === 504) return "A proxy answers, and its server does not.";
  const words = formatServerMessage(answer);
  return words === "" ? "It gives no reason." : `It says: ${words.replace(/[.]?$/, ".")}`;
}

export function listAttempts(tried: readonly ProbeAttempt[]): string {
  return `Tried: ${tried.map(({ path, answer }) => `GET ${path} (${answered(answer)})`).join(", ")}.`;
}
