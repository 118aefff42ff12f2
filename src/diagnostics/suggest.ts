import { distance } from "fastest-levenshtein";

/** What is longer is no name that anybody misspells. */
const longest = 256;

/** The candidate that a misspelt word most probably meant, the first of several, or undefined where none is near. */
export function findNearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > longest) return undefined;
  const wanted = word.toLowerCase();
  let best: string | undefined;
  // The count from which on a candidate is no better than what is known.
  let tooFar = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= tooFar) continue;
    const edits = countEdits(wanted, candidate.toLowerCase());
    if (edits >= tooFar) continue;
    best = candidate;
    tooFar = edits;
  }
  return best;
}

/** Words of other tools for what has another name here; what looks most like them is something else. */
const synonyms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cacert: "ca",
    ca_cert: "ca",
    cafile: "ca",
    ca_file: "ca",
    client_cert: "cert",
    client_key: "key",
    user: "username",
    pass: "password",
    indices: "index_patterns",
    names: "index_patterns",
    patterns: "index_patterns",
    actions: "allowed_actions",
    permissions: "allowed_actions",
    privileges: "allowed_actions",
    query: "dls",
    groups: "backend_roles",
    roles: "backend_roles",
  }),
);

/** What another tool's word for a field is called here, if it is a field here. */
export function findSynonym(field: string, known: readonly string[]): string | undefined {
  const synonym = synonyms.get(field.toLowerCase());
  return synonym !== undefined && known.includes(synonym) ? synonym : undefined;
}

/** What a field that is not known most probably meant, of those that are. */
export function findMeantField(field: string, known: readonly string[]): string | undefined {
  return findSynonym(field, known) ?? findNearest(field, known);
}

/** Characters to insert, delete or replace; two neighbours that are swapped, and nothing else, are one slip. */
export function countEdits(word: string, other: string): number {
  return isSwapped(word, other) ? 1 : distance(word, other);
}

function isSwapped(word: string, other: string): boolean {
  if (word.length !== other.length || word === other) return false;
  let at = 0;
  while (word[at] === other[at]) at++;
  return word[at] === other[at + 1] && word[at + 1] === other[at] && word.slice(at + 2) === other.slice(at + 2);
}

/** ` Did you mean "roles"?`, to follow a sentence that names a wrong word; empty where no candidate is near. */
export function suggestNearest(word: string, candidates: Iterable<string>): string {
  return formatSuggestion(findNearest(word, candidates));
}

export function formatSuggestion(meant: string | undefined): string {
  return meant === undefined ? "" : ` Did you mean ${JSON.stringify(meant)}?`;
}

/**
 * Whether names differ in one part between separators only, and there by one or two characters: long names resemble
 * each other by what they share.
 */
export function differsInOnePart(name: string, known: string, separator: RegExp): boolean {
  const [ownNameParts, theirs] = [name.split(separator), known.split(separator)];
  const odd = ownNameParts.flatMap((part, at) => (part === theirs[at] ? [] : [[part, theirs[at] ?? ""] as const]));
  const [[part, other] = ["", ""]] = odd;
  return ownNameParts.length === theirs.length && odd.length === 1 && findNearest(part, [other]) !== undefined;
}

/** `team-1` and `team-2` are two, and no misspelling. */
export function areNumbered(one: string, other: string): boolean {
  return one.replace(/\d+/g, "") === other.replace(/\d+/g, "");
}
