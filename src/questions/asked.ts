import { type AskedRequest as AccessRequest, findRequestKind, requestWords } from "../access/evaluate/asked-request.ts";
import type { AccessState, HeldEntries } from "../access/model/state.ts";
import { matchesPattern } from "../access/patterns/matches.ts";
import { matchesSomeIndex } from "../access/patterns/partition.ts";
import { RunError } from "../diagnostics/failure.ts";
import { suggestNearest } from "../diagnostics/suggest.ts";
import { isLevelUnknown, knownActions, needsNoIndex } from "../dialects/requests.ts";
import { collectReached } from "../json/graph.ts";
import { listTexts } from "../json/value.ts";
import { isStateFile } from "../load/file-names.ts";

/** The words of a question: `search hr-*`, `read` in a tenant. */
export interface QuestionWords {
  readonly action: string;
  /** As in a path: names and patterns, separated by commas. */
  readonly index?: string;
  readonly tenant?: string;
}

/** What the words mean. */
export type AskedQuestion =
  | {
      readonly of: "request";
      readonly request: AccessRequest;
      readonly indices: readonly string[];
      readonly title: string;
      /** What was named although it has no say: an action that is about no index is done with none. */
      readonly aside?: string;
    }
  | { readonly of: "tenant"; readonly tenant: string; readonly writes: boolean; readonly title: string };

/** @param groups names that are no actions, and are reported as groups */
export function parseQuestion(
  { action, index, tenant }: QuestionWords,
  release: string,
  groups: HeldEntries = new Map(),
): AskedQuestion {
  if (tenant !== undefined) {
    if (index !== undefined)
      throw misused("A question is about an index or about a tenant, not about both.", "Leave one of them out.");
    if (action !== "read" && action !== "write")
      throw misused(`A tenant is read or written, not "${action}".`, "Write read or write.");
    return { of: "tenant", tenant, writes: action === "write", title: `${action} in tenant ${tenant}` };
  }
  if (isLevelUnknown(action, release)) throw levelUnknown(action);
  const request = findRequestKind(action, release);
  if (!request) {
    if (index !== undefined && findRequestKind(index, release)) throw swapped(action, index);
    throw groups.has(action) ? groupInstead(action, groups) : unknownAction(action);
  }
  const ofIndex = request.index.length > 0;
  if (index === undefined && !needsNoIndex(request.index)) {
    throw misused(`"${action}" is done with an index, and none is named.`, "Name one, or a pattern; * for all.");
  }
  const indices = ofIndex && index !== undefined ? indicesOf(index) : [];
  const title = [action, ...indices.slice(0, 1).map(() => index)].join(" ");
  return { of: "request", request, indices, title, ...(!ofIndex && index !== undefined && { aside: index }) };
}

/**
 * What an answer assumes about indices of which nothing is known. Tried on OpenSearch 2.19.1 and Search Guard
 * 7.5.1-38: a request for a pattern that matches no index is answered with an empty result, for every caller.
 */
export function listExistenceAssumptions(asked: AskedQuestion): readonly string[] {
  const patterns = asked.of === "request" ? asked.indices.filter((name) => name.includes("*") && name !== "*") : [];
  if (patterns.length === 0) return [];
  const names = patterns.join(", ");
  return [`Indices that match ${names} are assumed to exist; without any, a request gets an empty answer.`];
}

/** Which indices there are, no answer of the security API says. */
export function formatIndexAssumption({ aliases, semantics }: Pick<AccessState, "aliases" | "semantics">): string {
  const taken = "Indices are not known: a name is that of an existing index that is not hidden";
  if (semantics.aliases) return `${taken}.`;
  const unread = aliases?.kind === "unread" ? ` Aliases could not be read: ${aliases.why}.` : "";
  return `${taken} and that no alias leads to.${unread}`;
}

/** What a plan takes for granted where aliases could not be read, though they would count. */
export function explainUnreadAliases({ aliases, semantics }: AccessState): readonly string[] {
  if (aliases?.kind !== "unread" || !semantics.coversByAlias) return [];
  return [`Aliases could not be read (${aliases.why}): access is compared for names that no alias leads to.`];
}

/** What an answer about indices takes for granted. */
export function listIndexAssumptions(
  asked: AskedQuestion,
  state: Pick<AccessState, "aliases" | "semantics">,
): readonly string[] {
  return asked.of === "request" && asked.indices.length > 0 ? [formatIndexAssumption(state)] : [];
}

/** An alias with a filter hides no document from who asks for the index itself. */
export function listFilterNotes(asked: AskedQuestion, { semantics: { aliases } }: AccessState): readonly string[] {
  const filtered = asked.of === "request" ? asked.indices.filter((name) => aliases?.filtered.has(name)) : [];
  return filtered.map(
    (name) =>
      `The alias ${name} has a filter: a search by that name finds fewer documents, one by the name of an index all that are shown here.`,
  );
}

/** Notes about an index that the question ignores, and about one that was perhaps not meant. */
export function listIgnoredNotes(asked: AskedQuestion): readonly string[] {
  if (asked.of === "tenant") return [];
  const files = asked.indices.filter(isStateFile);
  const isOfAliases = asked.indices.length > 0 && asked.request.index.includes("indices:admin/aliases/get");
  return [
    ...(asked.aside === undefined
      ? []
      : [`"${asked.request.name}" is about no index: ${asked.aside} has no say in it.`]),
    ...(isOfAliases
      ? ["GET _alias/NAME and GET _cat/aliases name no index, and are about all: ask without an index."]
      : []),
    ...files.map((file) => `"${file}" is taken for the name of an index: files are named with --state.`),
  ];
}

function indicesOf(index: string): readonly string[] {
  const names = index.split(",").map((name) => (name === "_all" ? "*" : name));
  const odd = names.find((name) => name === "" || /^[-<+]|[\s"\\|#/:]/.test(name));
  const marked = names.find((name) => name.includes("?"));
  if (marked !== undefined) throw questionMark(marked);
  if (odd !== undefined)
    throw misused(
      `"${odd}" is no name or pattern of an index that can be evaluated here.`,
      "A request names indices, and patterns with * among them, separated by commas; no exclusions, dates or regular expressions, and no indices of other clusters.",
    );
  const unmatched = names.find((name) => name.includes("*") && !matchesSomeIndex(name));
  if (unmatched === undefined) return [...new Set(names)];
  throw misused(
    `"${unmatched}" is a pattern that no name of an index matches.`,
    "Names of indices are in lower case and do not begin with _, - or +. Correct the pattern.",
  );
}

function levelUnknown(action: string): RunError {
  return misused(
    `Whether "${action}" is permitted is unknown: builds of Search Guard evaluate it differently.`,
    "Some look for it among the permissions of the cluster, others among those on all indices. Grant it in both places, and ask about search.",
  );
}

/** Tried on OpenSearch 2.19.1 and Search Guard 7.5.1-38: evaluated as that very name, and then not found. */
function questionMark(name: string): RunError {
  return misused(
    `"${name}" is neither a name nor a pattern of an index in a request.`,
    `Servers expand * alone there, and no index has ? in its name. Write ${name.replace(/\?+/g, "*")}, or name the indices.`,
  );
}

function groupInstead(group: string, groups: HeldEntries): RunError {
  const example = actionIn(group, groups);
  return misused(
    `"${group}" is an action group, and no action: a principal may have some of it and not all.`,
    example === undefined
      ? "Ask about one action, such as search."
      : `Ask about one action that it holds, such as ${example}.`,
  );
}

/** One that a group holds, itself or by others. */
function actionIn(group: string, groups: HeldEntries): string | undefined {
  const held = collectReached([group], (name) => listTexts(groups.get(name)?.allowed_actions));
  for (const text of held) {
    const found = groups.has(text) ? undefined : actionLike(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

function actionLike(pattern: string): string | undefined {
  return knownActions.find((action) => matchesPattern(pattern, action) === "yes");
}

function unknownAction(action: string): RunError {
  if (/[*?]|^\/.+\/$/.test(action)) {
    const example = actionLike(action) ?? "indices:data/read/search";
    return misused(`"${action}" is a pattern, and no action.`, `Name one action, such as ${example}.`);
  }
  if (/[\s,]|^$/.test(action)) return notOne(action);
  return misused(
    `"${action}" is no action that is known here.${suggestNearest(action, requestWords)}`,
    `Write one of ${requestWords.join(", ")}; or an action by its own name, such as indices:data/read/search.`,
  );
}

function notOne(action: string): RunError {
  const [first = ""] = action.split(/[\s,]+/).filter((part) => part !== "");
  return misused(
    `"${action}" is no name of one action: none has spaces or commas.`,
    `Ask about one action at a time, such as ${first === "" ? "search" : first}.`,
  );
}

function swapped(index: string, action: string): RunError {
  return misused(
    `"${index}" is no action, and "${action}" is one: the action comes first.`,
    `Write ${action} ${index}.`,
  );
}

function misused(what: string, fix: string): RunError {
  return new RunError("usage", { what, fix });
}
