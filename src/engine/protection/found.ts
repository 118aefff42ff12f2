import { posix } from "node:path";
import { lintCodes } from "../../diagnostics/catalogue.ts";
import { countIndent, getLine, getLineStart, type SourceRange } from "../../diagnostics/source.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { Value } from "../../json/value.ts";
import { parseIgnores } from "../../lint/ignores.ts";
import { getUsualSeverity } from "../../lint/settings.ts";
import type { Expectations } from "../../model/access-test.ts";
import type { DesiredState } from "../../model/desired.ts";
import { type Address, createAddress, type Family, families } from "../../model/names.ts";
import { findMapEntry, type Node, toValue } from "../../model/node.ts";
import type { Mode } from "../../model/policy.ts";
import type { Repository } from "../../model/repository.ts";
import { parseWaivers } from "../../normalise/waivers.ts";
import type { ConfigSide } from "./side.ts";
import { describePersona } from "./tests.ts";

/** What one side of the comparison says. */
export interface ProtectionSide extends ConfigSide {
  /** With waivers. */
  readonly repository: Repository;
  readonly declared: DesiredState;
  readonly expected: Expectations;
  readonly modes: ReadonlyMap<Family, Mode>;
  readonly dialect: Dialect;
}

export interface Found {
  readonly value: Value;
  readonly place?: SourceRange | undefined;
}

/** By what a reader knows each by; the key of the row where there is only one. */
export type AllFound = ReadonlyMap<string, Found>;

export function findInRoot(key: string) {
  return ({ root }: ProtectionSide): AllFound => findAll(root, [[key]]);
}

export function findInTarget(...path: readonly string[]) {
  return ({ settings }: ProtectionSide): AllFound => findAll(settings, [path]);
}

export function findInFamilies(...path: readonly string[]) {
  return ({ settings }: ProtectionSide): AllFound =>
    findAll(
      settings,
      families.map((family) => ["families", family, ...path]),
    );
}

function findAll(root: Node | undefined, paths: readonly (readonly string[])[]): AllFound {
  const found = paths.map((path) => [path.join("."), findSetting(root, path)] as const);
  return new Map(found.flatMap(([id, place]) => (place ? [[id, { value: toValue(place), place }]] : [])));
}

function findSetting(root: Node | undefined, path: readonly string[]): Node | undefined {
  return path.reduce((at, key) => findMapEntry(at, key)?.value, root);
}

export function findTargets({ root, renamed }: ProtectionSide): AllFound {
  return new Map([...findEach(root, "targets", () => "declared")].filter(([name]) => !renamed?.has(name)));
}

/** By folder, however it is written: of several ways the first counts. */
export function findOwners({ root }: ProtectionSide): AllFound {
  const all = [...findEach(root, "owners", toValue)].toReversed();
  return new Map(all.map(([folder, share]) => [posix.normalize(folder).replace(/(?<=.)\/+$/, ""), share]));
}

function findEach(root: Node | undefined, key: string, convert: (node: Node) => Value): AllFound {
  const all = findMapEntry(root, key)?.value;
  if (all?.kind !== "map") return new Map();
  return new Map(all.entries.map(({ key: id, keyRange: place, value }) => [id, { value: convert(value), place }]));
}

/** Of what files declare: what is not declared is left as it is. */
export function findModes({ modes, settings }: ProtectionSide): AllFound {
  return new Map(
    [...modes].map(([family, value]) => {
      return [`families.${family}.mode`, { value, place: findSetting(settings, ["families", family, "mode"]) }];
    }),
  );
}

export function findSeverities({ settings, dialect }: ProtectionSide): AllFound {
  return new Map(
    lintCodes.map((code) => {
      const place = findSetting(settings, ["lint", code]);
      return [code, { value: place ? toValue(place) : getUsualSeverity(code, dialect), place }];
    }),
  );
}

export function findWaivers({ repository }: ProtectionSide): AllFound {
  const found = new Map<string, Found>();
  for (const { rule, addresses, until = "no end", origin } of parseWaivers(repository)) {
    for (const address of addresses) {
      const id = `${rule}=${address}`;
      if (isLaterDate(found.get(id)?.value, until)) found.set(id, { value: until, place: origin });
    }
  }
  return found;
}

/** Those that a test asks about. */
export function findPersonas({ expected: { tests, personas } }: ProtectionSide): AllFound {
  const asked = new Set(tests.flatMap(({ who }) => (who.kind === "persona" ? [who.name] : [])));
  const isAsked = (name: string) => asked.has(name) || tests.some(({ who }) => who.kind === "only");
  return new Map(
    [...personas.values()]
      .filter(({ name }) => isAsked(name))
      .map((persona) => [persona.name, { value: describePersona(persona), place: persona.origin }]),
  );
}

/** What is left as the server has it, whatever else the files say. */
export function findReserved({ declared }: ProtectionSide): AllFound {
  const all = [...declared.resources.values()].flatMap((entries) => [...entries.values()]);
  return new Map(
    all
      .filter(({ serverOwned }) => serverOwned)
      .map(({ family, name, origin }) => [createAddress(family, name), { value: true, place: origin }]),
  );
}

/** By code, entry and key: nothing else of the lines that they silence is shown, as it may be a secret. */
export function findIgnores({ repository, declared }: ProtectionSide): AllFound {
  const found = new Map<string, Found>();
  for (const { code, line, range } of parseIgnores(repository.documents).ignores) {
    const { file } = range;
    const text = getLine(file, line);
    const entry = findEntryAt({ file, start: getLineStart(file, line) + countIndent(text) }, declared);
    const [, key] = /^[\s-]*([\w.*-]+)\s*:(?:\s|$)/.exec(text) ?? [];
    const isItsName = entry !== undefined && key !== undefined && entry.endsWith(`/${key}`);
    const name = [code, entry, isItsName ? undefined : key].filter((one) => one !== undefined).join(" ");
    // Of several alike it does not matter which of them goes.
    let [unique, number] = [name, 1];
    while (found.has(unique)) unique = `${name} (${++number})`;
    found.set(unique, { value: code, place: range });
  }
  return found;
}

/** The entry in which a place is. */
export function findEntryAt(
  { file, start }: Pick<SourceRange, "file" | "start">,
  { resources }: DesiredState,
): Address | undefined {
  for (const [family, entries] of resources) {
    for (const { name, origin, node } of entries.values()) {
      const isInside = origin.file === file && origin.start <= start && start <= Math.max(origin.end, node.end);
      if (isInside && node.file === file) return createAddress(family, name);
    }
  }
  return undefined;
}

export function isLaterDate(before: Value | undefined, after: Value | undefined): boolean {
  if (after === undefined) return false;
  return before === undefined || (before !== "no end" && (after === "no end" || String(after) > String(before)));
}
