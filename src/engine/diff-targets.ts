import type { Places } from "../access/explain/grant-path.ts";
import { createKeptReferences } from "../artifacts/exported/references.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { compareDesired } from "../diff/declared.ts";
import { getNoun } from "../families/index.ts";
import { Secret } from "../json/secret.ts";
import { type Fields, holdsSecret, isList, isObject, type Value } from "../json/value.ts";
import type { DesiredState } from "../model/desired.ts";
import { isResourceFamily, resourceFamilies } from "../model/names.ts";
import type { Target } from "../model/target.ts";
import type { ComparedEntry, TargetDifference } from "../model/target-difference.ts";
import { buildDeclaredModel } from "../questions/declared-model.ts";
import { findAnswerPlaces } from "../questions/places.ts";
import { chooseOffline, type OfflineProduct } from "../validate/offline-product.ts";
import { formatMissing } from "./access/left-open.ts";
import { findMissingParts } from "./access/open.ts";
import { withSharedEntries } from "./access/since.ts";
import { openRepository, openTarget, stopAtErrors } from "./open.ts";
import { findAccessChanges } from "./pipeline/access-diff.ts";
import { checkFiles } from "./pipeline/checked-files.ts";
import type { RunRequest } from "./request.ts";

export interface TargetComparison extends TargetDifference {
  readonly places: Places;
  readonly notices: readonly string[];
}

/**
 * What two targets declare that is not the same: entries, and who may do what by them. Each is taken in the words of its own
 * product. No server is asked.
 *
 * @throws RunError `usage` where there is no such target, `invalid` where the files of one have errors
 */
export async function diffTargets(request: RunRequest, names: readonly [string, string]): Promise<TargetComparison> {
  // One after the other: of two names that are none, the first is reported.
  const stated = [await openNamed(request, names[0]), await openNamed(request, names[1])] as const;
  const [from, to] = [
    await openDeclared(request, names[0], stated[1]),
    await openDeclared(request, names[1], stated[0]),
  ];
  const [before, after] = [from, to].map((one) => toComparable(one, request.cwd)) as [DesiredState, DesiredState];
  const changes = compareDesired(before, after);
  const missing = request.families ? missingOfFamilies : explainIncomparable(from, to);
  return {
    from: { name: from.name, evaluatedFor: from.product.title },
    to: { name: to.name, evaluatedFor: to.product.title },
    changes,
    emptied: [...listEmptied(from, to, "from"), ...listEmptied(to, from, "to")],
    ...(missing === undefined && { access: compareModels(from, to) }),
    notes: [
      ...[from, to].flatMap(({ note }) => note ?? []),
      ...listImpossible(changes, from, to),
      ...(missing === undefined ? listMissing(from, to) : [missing]),
      "Based on the files alone; no server was asked. Personas, access tests and waivers are not compared.",
    ],
    places: findAnswerPlaces(to.desired),
    notices: [...new Set([...from.notices, ...to.notices])],
  };
}

function listEmptied({ desired }: Opened, other: Opened, side: "from" | "to"): TargetDifference["emptied"] {
  return [...desired.resources].flatMap(([family, entries]) =>
    entries.size === 0 && !other.desired.resources.has(family) ? [{ family, in: side }] : [],
  );
}

type Opened = Awaited<ReturnType<typeof openDeclared>>;

function openNamed(request: RunRequest, name: string): Promise<Target> {
  return openTarget({ ...request, flags: { ...request.flags, target: name } }, "leave");
}

/** @param other of two targets of one product, one that states no release is compared as of the release of the other */
async function openDeclared(request: RunRequest, name: string, other: Target | undefined) {
  const own = { ...request, flags: { ...request.flags, target: name } };
  const target = await openNamed(request, name);
  const opened = await openRepository(target, own, "leave");
  const assumed = chooseOffline(target, opened.repository);
  const isAsOther =
    target.release === undefined && other?.release !== undefined && other.product === assumed.dialect.product;
  const product = isAsOther
    ? chooseOffline({ ...target, product: other.product, release: other.release }, opened.repository)
    : assumed;
  const { desired, personas, diagnostics } = checkFiles(opened, product.dialect, target);
  const found = [...opened.diagnostics, ...diagnostics];
  stopAtErrors(found, `These are places in the files of the target ${name}: nothing was compared.`);
  const { repository } = opened;
  const note = isAsOther
    ? `${name} states no release: it is compared as of ${product.dialect.product} ${product.dialect.release}, which ${other.name} states. Add release: to it.`
    : undefined;
  return { name, product, desired, personas, repository, notices: repository.notices, note };
}

/** With what two products call otherwise under one name, and each secret as what it is read from. */
function toComparable({ desired, product }: Opened, cwd: string): DesiredState {
  const { refer } = createKeptReferences(cwd);
  const resolve = (secret: Secret) => (secret.source === undefined ? secret : new Secret(refer([], secret)));
  const { config, license } = desired;
  return {
    ...desired,
    ...(config && { config: { ...config, value: withSecrets(inOneWord(config.value, product), resolve) as Fields } }),
    ...(license && { license: { ...license, text: resolve(license.text) } }),
  };
}

function inOneWord({ dynamic, ...rest }: Fields, { dialect }: OfflineProduct): Fields {
  if (!isObject(dynamic)) return { dynamic: dynamic ?? {}, ...rest };
  const children = Object.entries(dynamic);
  const renamed = children.map(([name, child]) => [name === dialect.config.dashboard ? "dashboard" : name, child]);
  return { ...rest, dynamic: Object.fromEntries(renamed) };
}

function withSecrets(value: Value, resolve: (secret: Secret) => Secret): Value {
  if (!holdsSecret(value)) return value;
  if (value instanceof Secret) return resolve(value);
  if (isList(value)) return value.map((item) => withSecrets(item, resolve));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withSecrets(item, resolve)]));
}

function compareModels(from: Opened, to: Opened) {
  const [before, after] = [from, to].map(({ desired, product }) => buildDeclaredModel(desired, product.dialect)) as [
    ReturnType<typeof buildDeclaredModel>,
    ReturnType<typeof buildDeclaredModel>,
  ];
  return findAccessChanges(
    { before: withSharedEntries(before, after.state), after },
    new Map([...from.personas, ...to.personas]),
  );
}

const missingOfFamilies = "Access is not compared: it depends on all resource types.";

/** Why the access of two targets says nothing about each other's. */
function explainIncomparable(from: Opened, to: Opened): string | undefined {
  const unknown = [from, to].find(({ product }) => product.by === "nothing");
  if (unknown)
    return `Access is not compared: nothing says the product of ${unknown.name}. Add product: opensearch (or search-guard) to it.`;
  const [one, other] = [from.product.dialect.product, to.product.dialect.product];
  return one === other ? undefined : `Access is not compared: ${one} and ${other} evaluate requests differently.`;
}

function listMissing(from: Opened, to: Opened): readonly string[] {
  const [ofFrom, ofTo] = [from, to].map(({ desired, product }) =>
    formatMissing(findMissingParts(desired, product.dialect)),
  ) as [readonly string[], readonly string[]];
  const isOfBoth = (sentence: string) => ofFrom.includes(sentence) && ofTo.includes(sentence);
  return [
    ...ofFrom.filter(isOfBoth),
    ...ofFrom.filter((sentence) => !isOfBoth(sentence)).map((sentence) => `${from.name}: ${sentence}`),
    ...ofTo.filter((sentence) => !isOfBoth(sentence)).map((sentence) => `${to.name}: ${sentence}`),
  ];
}

/** What one of the two declares and the product of the other has no place for. */
function listImpossible(changes: readonly ComparedEntry[], from: Opened, to: Opened): readonly string[] {
  const found = new Set<string>();
  for (const { change } of changes) {
    const { family, before = {}, after = {} } = change;
    if (!isResourceFamily(family)) continue;
    const sides = [
      { other: to, own: before, lacks: after },
      { other: from, own: after, lacks: before },
    ];
    for (const { other, own, lacks } of sides) {
      for (const field of Object.keys(own)) {
        if (lacks[field] === undefined && !takesField(other.product.dialect, family, field))
          found.add(`${formatProduct(other)} has no ${field} of ${getNoun(family, 2)}.`);
      }
    }
  }
  for (const family of resourceFamilies) {
    const isDeclared = [from, to].some(({ desired }) => desired.resources.has(family));
    for (const one of isDeclared ? [from, to] : [])
      if (one.product.dialect.collections[family] === undefined)
        found.add(`${formatProduct(one)} has no ${getNoun(family, 2)}.`);
  }
  if (from.product.dialect.documentTypes !== to.product.dialect.documentTypes)
    found.add(
      "Of Search Guard 6 each index pattern of a role is a permission of its own, so that equal roles may differ here.",
    );
  return [...found];
}

function takesField(
  { fields, collections }: Dialect,
  family: (typeof resourceFamilies)[number],
  field: string,
): boolean {
  return collections[family] === undefined || field === "reserved" || fields[family].includes(field);
}

function formatProduct({ name, product: { dialect } }: Opened): string {
  return `${name} (${dialect.product} ${dialect.release})`;
}
