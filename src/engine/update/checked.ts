// What attempts make of the files, and whether these then declare what was wanted.
import { createSourceFile, type SourceFile } from "../../diagnostics/source.ts";
import { diff } from "../../diff/diff.ts";
import { editYaml, type YamlEdit } from "../../edit/edit.ts";
import { pruneRemovals } from "../../edit/fixes.ts";
import { findLineBreak } from "../../edit/text-edits.ts";
import { groupItems } from "../../json/collections.ts";
import { type Fields, isEqual, type Json, type Value } from "../../json/value.ts";
import { locateRealFile } from "../../load/read.ts";
import { parseDocuments, writeYaml } from "../../load/yaml.ts";
import { isPending } from "../../model/change.ts";
import type { DesiredState } from "../../model/desired.ts";
import type { FileEdit } from "../../model/file-edit.ts";
import type { LiveState } from "../../model/live.ts";
import { type Address, createAddress, isResourceFamily } from "../../model/names.ts";
import type { Policies } from "../../model/policy.ts";
import { recordParsedFile } from "../../secrets/masked-line.ts";
import type { Made } from "../keep-possible.ts";
import type { Attempt } from "./attempts.ts";

/** The files with all edits of the attempts; none is written. */
export async function editFiles(attempts: readonly Attempt[], files: ReadonlyMap<string, SourceFile>): Promise<Made> {
  const all = attempts.flatMap(({ edits }) => edits);
  const made: FileEdit[] = [];
  for (const some of groupItems(all, ({ file }) => file.shown)) {
    const { shown, absolute } = some[0].file;
    const before = files.get(shown);
    const { text, problem } = before ? editFile(before, some) : { text: createText(some), problem: undefined };
    if (text === undefined) return { problem: problem ?? "it cannot be edited" };
    const after = createSourceFile(shown, text);
    recordParsedFile(after, parseDocuments(after).documents);
    if (before?.text === text) continue;
    made.push({
      path: shown,
      absolute: before ? await locateRealFile(absolute) : absolute,
      ...(before && { before }),
      after,
    });
  }
  return { edits: made };
}

function editFile(file: SourceFile, edits: readonly YamlEdit[]): ReturnType<typeof editYaml> {
  if (/\.json$/i.test(file.path)) return { problem: "it is in a file of JSON" };
  const { documents } = parseDocuments(file);
  if (documents.length === 0) return { text: appendText(file.text, createText(edits)) };
  const pruned = groupItems(edits, ({ document = 0 }) => String(document)).flatMap((some) => {
    const isOverride = ({ path }: YamlEdit) => path[0] === "overrides";
    const [laid, others] = [some.filter(isOverride), some.filter((one) => !isOverride(one))];
    // An override without fields is one of nothing.
    return [...others, ...(laid.length > 0 ? pruneRemovals(documents[some[0].document ?? 0], laid, 1) : [])];
  });
  return editYaml(file.text, pruned);
}

/** To a file that holds nothing but comments. */
function appendText(text: string, added: string): string {
  const lineBreak = findLineBreak(text);
  const end = text === "" || text.endsWith("\n") ? "" : lineBreak;
  return `${text}${end}${added.replaceAll("\n", lineBreak)}`;
}

/** A new file with these values. */
function createText(edits: readonly YamlEdit[]): string {
  const root: Nested = new Map();
  for (const { path, value } of edits) {
    let at = root;
    for (const key of path.slice(0, -1)) {
      const next = at.get(key);
      const below: Nested = next instanceof Map ? next : new Map();
      at.set(key, below);
      at = below;
    }
    if (value !== undefined) at.set(path.at(-1) ?? "", value);
  }
  return writeYaml(root);
}

type Nested = Map<string, Json | Nested>;

interface States {
  readonly before: DesiredState;
  readonly after: DesiredState;
  readonly live: LiveState;
  readonly policies: Policies;
}

/** What was attempted is as it was to be, and everything else is declared as it was. */
export function isAsAttempted(attempts: readonly Attempt[], { before, after, live, policies }: States): boolean {
  const attempted = new Set(attempts.map(({ address }) => address));
  const differs = diff(after, expectLive(attempts, live), policies).some(
    (change) =>
      attempted.has(createAddress(change.family, change.name)) && (isPending(change) || change.edits.length > 0),
  );
  if (differs) return false;
  const [old, now] = [listDeclared(before), listDeclared(after)];
  const others = [...new Set([...old.keys(), ...now.keys()])].filter((address) => !attempted.has(address));
  const isSameFamilies = [...before.resources.keys()].every((family) => after.resources.has(family));
  return isSameFamilies && others.every((address) => isEqual(old.get(address), now.get(address)));
}

/** The server as it would be with what the files alone have changed: with that the attempted entries are in sync. */
function expectLive(attempts: readonly Attempt[], live: LiveState): LiveState {
  const resources = new Map([...live.resources].map(([family, entries]) => [family, new Map(entries)] as const));
  let { config } = live;
  for (const { change, kind } of attempts) {
    const { family, name, before, live: found } = change;
    if (kind !== "changed" || !before) continue;
    if (family === "config" && config) config = { ...config, document: before };
    else if (isResourceFamily(family) && found) resources.get(family)?.set(name, { ...found, value: before });
  }
  return { ...live, resources, ...(config && { config }) };
}

function listDeclared({ resources, config, license }: DesiredState): ReadonlyMap<Address, DeclaredValue> {
  return new Map<Address, DeclaredValue>([
    ...[...resources].flatMap(([family, entries]) =>
      [...entries.values()].map(
        ({ name, value, serverOwned }) => [createAddress(family, name), { value, serverOwned }] as const,
      ),
    ),
    ...(config ? [["config", { value: config.value, serverOwned: false }] as const] : []),
    ...(license ? [["license", { value: { text: license.text }, serverOwned: false }] as const] : []),
  ]);
}

interface DeclaredValue {
  readonly [key: string]: Value;
  readonly value: Fields;
  readonly serverOwned: boolean;
}
