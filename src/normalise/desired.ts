import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { formatLocation } from "../diagnostics/source.ts";
import { isBuiltIn } from "../dialects/builtin/names.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { isObserved } from "../families/config.ts";
import { getNoun } from "../families/index.ts";
import { isInScope } from "../families/scope.ts";
import { ownMark } from "../families/unknown.ts";
import { plainTextReference, Secret } from "../json/secret.ts";
import { isObject } from "../json/value.ts";
import type { DesiredConfig, DesiredLicense, DesiredResource, DesiredState } from "../model/desired.ts";
import { isResourceFamily, type ResourceFamily } from "../model/names.ts";
import { type MapEntry, toValue } from "../model/node.ts";
import type { Policies } from "../model/policy.ts";
import type { Repository, Section, StateDocument } from "../model/repository.ts";
import { canonicaliseConfig } from "./config.ts";
import { canonicaliseEntry, isRespelt, listServerFlags } from "./resource.ts";

export interface NormalisedState {
  readonly desired: DesiredState;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Everything declared, in the one canonical form, in the words of the product it is for. A family is declared when
 * one document has its key or an entry of it.
 */
export function normalise(repository: Repository, dialect: Dialect, policies: Policies): NormalisedState {
  const resources = new Map<ResourceFamily, Map<string, DesiredResource>>();
  const diagnostics: Diagnostic[] = [];
  const configs: Section[] = [];
  let license: DesiredLicense | undefined;

  for (const section of repository.documents.flatMap((document) => document.sections)) {
    const { family, document } = section;
    if (isResourceFamily(family)) {
      const declared = resources.get(family) ?? new Map<string, DesiredResource>();
      resources.set(family, declared);
      for (const entry of section.entries) {
        const written = desiredResource(dialect, family, entry, document.form);
        const resource = policies[family]?.reserved === "write" ? withOwnMark(written, dialect) : written;
        diagnostics.push(...evaluateName(resource, declared.get(entry.key), policies));
        if (!declared.has(entry.key)) declared.set(entry.key, resource);
      }
    } else if (family === "config") {
      configs.push(section);
    } else {
      if (license) diagnostics.push(declaredTwice(section, license.origin, "The license"));
      license ??= desiredLicense(section);
    }
  }
  const [section, ...others] = configs.some((each) => !isObserved(each, policies)) ? configs : byName(configs);
  const config = section && desiredConfig(dialect, section);
  if (section) diagnostics.push(...others.map((other) => secondConfig(other, section, policies)));
  return { desired: { resources, ...(config && { config }), ...(license && { license }) }, diagnostics };
}

function desiredResource(
  dialect: Dialect,
  family: ResourceFamily,
  { key, keyRange, value }: MapEntry,
  form: StateDocument["form"],
): DesiredResource {
  const written = toValue(value);
  return {
    family,
    name: key,
    value: canonicaliseEntry(dialect, family, written),
    origin: keyRange,
    node: value,
    ...(isRespelt(dialect, family, written) && { respelt: true }),
    serverOwned: listServerFlags(written).length > 0,
    ...(form === "native" && { native: true }),
  };
}

/** Marked reserved and nothing else, and brought by no product: an entry of one's own, which keeps its mark. */
function withOwnMark(entry: DesiredResource, { writesMarked }: Dialect): DesiredResource {
  const { family, name, node, value } = entry;
  const [mark, ...others] = listServerFlags(toValue(node));
  const isOwn = mark === ownMark && others.length === 0 && !isBuiltIn(family, name);
  return isOwn && writesMarked?.has(family)
    ? { ...entry, value: { ...value, [ownMark]: true }, serverOwned: false }
    : entry;
}

function desiredConfig(dialect: Dialect, { node, range, document }: Section): DesiredConfig {
  return {
    value: canonicaliseConfig(dialect, toValue(node)),
    origin: range,
    node,
    native: document.form === "native",
  };
}

/** The products' tools read config.yml alone: what else is a config beside it may be an example. */
function byName(configs: readonly Section[]): readonly Section[] {
  const isProducts = ({ document }: Section) => /(^|\/)(sg_)?config\.ya?ml$/.test(document.file.path);
  return [...configs.filter(isProducts), ...configs.filter((each) => !isProducts(each))];
}

/** Of configs that are only compared, the second one harms nothing. */
function secondConfig(other: Section, first: Section, policies: Policies): Diagnostic {
  const found = declaredTwice(other, first.range, "The config");
  if (![first, other].every((each) => isObserved(each, policies))) return found;
  return {
    ...found,
    severity: "warning",
    why: `Only the one in ${first.document.file.path} is compared with the server.`,
  };
}

function desiredLicense({ node, range }: Section): DesiredLicense | undefined {
  const written = toValue(node);
  if (!isObject(written)) return undefined;
  const { text, write } = written;
  if (text instanceof Secret) return { text: text.whole(), writeAlways: write === "always", origin: range };
  if (typeof text !== "string") return undefined;
  return { text: new Secret(plainTextReference, text), writeAlways: write === "always", origin: range };
}

function evaluateName(
  resource: DesiredResource,
  first: DesiredResource | undefined,
  policies: Policies,
): readonly Diagnostic[] {
  const { name, family, origin } = resource;
  if (first) {
    return [
      declaredTwice({ range: origin }, first.origin, `The ${getNoun(family)} "${name}"`, overrideFor(family, name)),
    ];
  }
  if (isInScope(policies[family], name)) return [];
  return [
    createDiagnostic(origin, "out-of-scope", {
      what: `The ${getNoun(family)} "${name}" is outside the scope of this target.`,
      why: `\`include\` and \`exclude\` of ${family} leave it to another owner, so it would never be written.`,
      fix: "Widen the scope in gate-sync.yaml, or take the declaration out.",
    }),
  ];
}

/** On one line, to write in its place. */
function overrideFor(family: ResourceFamily, name: string): string {
  return `overrides: { ${family}: { ${JSON.stringify(name)}: { FIELD: … } } }.`;
}

function declaredTwice(
  { range }: Pick<Section, "range">,
  first: DesiredResource["origin"],
  subject: string,
  override?: string,
): Diagnostic {
  return createDiagnostic(range, "duplicate-name", {
    what: `${subject} is declared twice.`,
    why: "Which of the two counts would depend on the order of the files.",
    fix: `Keep one of them; the other is at ${formatLocation(first)}.${override === undefined ? "" : ` What differs for one target is an override: ${override}`}`,
    related: [{ range: first, what: "first declared here" }],
  });
}
