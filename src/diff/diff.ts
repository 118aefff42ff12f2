import { getCredentials, holdsServiceFlag, takeUnset, withoutCredentials } from "../families/credentials.ts";
import type { Field } from "../families/facts.ts";
import { fillSettings, omitDefaults } from "../families/fill.ts";
import { factsOf } from "../families/index.ts";
import { isInScope } from "../families/scope.ts";
import { findUnknownFields, getUnknownFields, ownMark } from "../families/unknown.ts";
import { pairMostAlike } from "../json/likeness.ts";
import { type Edit, findEdits } from "../json/patch.ts";
import { type Fields, isEqual, isList, isObject, type Value } from "../json/value.ts";
import type { Change, Reason } from "../model/change.ts";
import type { DesiredFamily, DesiredResource, DesiredState } from "../model/desired.ts";
import type { LiveFamily, LiveResource, LiveState } from "../model/live.ts";
import { isSingleEntryFamily, type ResourceFamily, resourceFamilies } from "../model/names.ts";
import { type FamilyPolicy, getMode, isStated, type Mode, type Policies } from "../model/policy.ts";
import { diffConfig } from "./config.ts";
import { diffLicense } from "./license.ts";

/**
 * The one decider: what becomes of every declared and every live resource of the declared families. Text, JSON and
 * request bodies all derive from its edits.
 */
export function diff(desired: DesiredState, live: LiveState, policies: Policies): readonly Change[] {
  const resources = resourceFamilies.flatMap((family) => {
    const [declared, found] = [desired.resources.get(family), live.resources.get(family)];
    return declared && found ? diffResources(family, declared, found, policies[family]) : [];
  });
  const config = desired.config && live.config ? [diffConfig(desired.config, live.config, policies.config)] : [];
  const license =
    desired.license && live.license ? [diffLicense(desired.license, live.license, live.config, policies.license)] : [];
  return [...resources, ...config, ...license];
}

/** What becomes of every resource of one declared family, by name. */
export function diffResources(
  family: ResourceFamily,
  desired: DesiredFamily,
  live: LiveFamily,
  policy: FamilyPolicy | undefined,
): readonly Change[] {
  const names = [...new Set([...desired.keys(), ...live.keys()])].sort();
  const mode = getMode(family, { [family]: policy ?? {} });
  return names.map((name) => {
    const wanted = desired.get(name);
    const found = openMarked(live.get(name), wanted);
    if (wanted && found) return compared(family, wanted, found, mode);
    if (wanted) return appearing(family, wanted, mode);
    return undeclared(family, found as LiveResource, policy, mode);
  });
}

/** What is reserved by a mark that its own declaration has, too, is written like any other entry. */
export function openMarked(
  live: LiveResource | undefined,
  wanted: DesiredResource | undefined,
): LiveResource | undefined {
  if (wanted?.value[ownMark] !== true || live?.ownership !== "reserved" || isHidden(live)) return live;
  return { ...live, ownership: "open", value: { ...live.value, [ownMark]: true } };
}

function isHidden({ wire }: LiveResource): boolean {
  return isObject(wire) && wire.hidden === true;
}

function appearing(family: ResourceFamily, wanted: DesiredResource, mode: Mode): Change {
  const change = { family, name: wanted.name, after: wanted.value, origin: wanted.origin };
  const edits = findEdits({}, wanted.value);
  if (wanted.serverOwned) return { ...change, action: "leave", reason: "server-owned", edits };
  if (isServiceAccount(wanted)) return { ...change, action: "leave", reason: "service-account", edits };
  if (mode === "observe") return { ...change, action: "leave", reason: "observed", edits };
  return { ...change, action: "create", reason: "declared", edits };
}

function compared(family: ResourceFamily, wanted: DesiredResource, live: LiveResource, mode: Mode): Change {
  const { fields } = factsOf[family];
  const known = withoutCredentials(family, wanted.value);
  const shown = family === "internal_users" ? takeUnset(known, live.value) : known;
  const isShown = isEqual(live.value, shown);
  const value = isShown ? shown : completed(shown, live, fields);
  const isSame = isShown || isEqual(live.value, value);
  const after = isSame ? value : keepUnknown(value, live.value, fields);
  const unknown = isSame ? none : findUnknownFields(live.value, value, fields);
  const credentials = wanted.rotates ? getCredentials(wanted.value) : undefined;
  const shownEdits = isSame || isEqual(live.value, after) ? none : findEdits(live.value, after);
  const edits = credentials ? [...shownEdits, ...findEdits({}, credentials)] : shownEdits;
  const reason = explainLeaving(wanted, live, edits, mode);
  const written = credentials && reason === undefined ? { ...after, ...credentials } : after;
  const { name, origin } = wanted;
  const change: Change = {
    family,
    name,
    action: reason === undefined ? "update" : "leave",
    reason: reason ?? "declared",
    edits,
    before: live.value,
    after: written,
    live,
    origin,
  };
  const isManaged = unknown.length > 0 && live.ownership === "open" && !wanted.serverOwned && mode !== "observe";
  return isManaged ? { ...change, unknown } : change;
}

function completed(desired: Fields, { value, defaults }: LiveResource, facts: Readonly<Record<string, Field>>): Fields {
  return omitDefaults(fillSettings(desired, value, facts, defaults), value, facts, defaults);
}

/** Why an entry that is declared and there is not written; undefined where it is. */
function explainLeaving(
  wanted: DesiredResource,
  live: LiveResource,
  edits: readonly Edit[],
  mode: Mode,
): Reason | undefined {
  if (live.ownership !== "open") return live.ownership;
  if (isServiceAccount(wanted)) return "service-account";
  if (wanted.serverOwned) return "server-owned";
  if (edits.length === 0) return "in-sync";
  return mode === "observe" ? "observed" : undefined;
}

function undeclared(family: ResourceFamily, live: LiveResource, policy: FamilyPolicy | undefined, mode: Mode): Change {
  const change = { family, name: live.name, before: live.value, live };
  const leave = (reason: Reason): Change => ({ ...change, action: "leave", reason, edits: [] });
  if (live.ownership !== "open") return leave(live.ownership);
  // No server deletes its own document.
  if (isSingleEntryFamily(family)) return leave("unmanaged");
  if (!isInScope(policy, live.name)) return leave("out-of-scope");
  // There may be thousands, of which the files of the product list a few.
  if (!isStated(family, { [family]: policy ?? {} })) return leave("unmanaged");
  const edits = findEdits(live.value, {});
  switch (mode) {
    case "manage":
      return { ...change, action: "delete", reason: "not-declared", edits };
    case "observe":
      return { ...change, action: "leave", reason: "observed", edits };
    case "adopt":
      return leave("unmanaged");
  }
}

/** Of OpenSearch: their password is made by a request of its own, and no file has it. */
function isServiceAccount({ family, value }: Pick<DesiredResource, "family" | "value">): boolean {
  return family === "internal_users" && holdsServiceFlag(value);
}

const none: readonly never[] = [];

/**
 * The desired value with everything of the live one that gate-sync does not know: unknown fields of the resource, and
 * unknown fields of the permissions inside it, which follow the permission they were on.
 */
function keepUnknown(desired: Fields, live: Fields, facts: Readonly<Record<string, Field>>): Fields {
  const unknown = Object.entries(live).filter(([name]) => !Object.hasOwn(facts, name) && !Object.hasOwn(desired, name));
  const kept = Object.entries(desired).map(([name, value]): [string, Value] => {
    const element = facts[name]?.element;
    const before = live[name];
    return [name, element && isList(value) && isList(before) ? keepInElements(value, before, element) : value];
  });
  return Object.fromEntries([...kept, ...unknown]);
}

function keepInElements(
  desired: readonly Value[],
  live: readonly Value[],
  facts: Readonly<Record<string, Field>>,
): readonly Value[] {
  const before = live.filter(isObject);
  if (!before.some((element) => Object.keys(getUnknownFields(element, facts)).length > 0)) return desired;
  // What is not known must not move to a permission that is merely alike: the most alike are paired first, and
  // permissions without anything in common are different things.
  const known = before.map((element) => knownOf(element, facts));
  const elements = desired.filter(isObject);
  const partners = new Map(
    [...pairMostAlike(elements, known, Number.EPSILON)].map(([at, other]) => [elements[at], before[other]]),
  );
  return desired.map((element) => {
    const partner = isObject(element) ? partners.get(element) : undefined;
    return partner && isObject(element) ? { ...element, ...getUnknownFields(partner, facts) } : element;
  });
}

function knownOf(element: Fields, facts: Readonly<Record<string, Field>>): Fields {
  return Object.fromEntries(Object.entries(element).filter(([name]) => Object.hasOwn(facts, name)));
}

/** What the server will still hold of what it holds now: what a plan deletes can no longer be referred to. */
export function applyDeletions(live: LiveState, changes: readonly Change[]): LiveState {
  const doomed = new Set(
    changes.filter(({ action }) => action === "delete").map(({ family, name }) => `${family}/${name}`),
  );
  const resources = [...live.resources].map(([family, found]) => {
    const left = [...found].filter(([name]) => !doomed.has(`${family}/${name}`));
    return [family, new Map(left)] as const;
  });
  return { ...live, resources: new Map(resources) };
}
