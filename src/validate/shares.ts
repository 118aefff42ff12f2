// What the files of a team declare, generate or override has to lie within the team's share. What is unknown does not.
import { includes } from "../access/patterns/includes.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { factsOf, getNoun } from "../families/index.ts";
import { matchesName } from "../families/scope.ts";
import { Secret } from "../json/secret.ts";
import type { AccessTest } from "../model/access-test.ts";
import type { DesiredResource, DesiredState } from "../model/desired.ts";
import { isResourceFamily, type ResourceFamily, resourceFamilies } from "../model/names.ts";
import { findMapEntry, type MapEntry } from "../model/node.ts";
import { getMode, isOptIn, type Policies } from "../model/policy.ts";
import type { Repository, StateDocument } from "../model/repository.ts";
import type { FindShare, TeamShare } from "../model/share.ts";
import { createGroupShare, type GroupShare } from "./group-share.ts";
import { createBeginningMessage, createClusterMessage, createOutsideMessage } from "./share-messages.ts";
import {
  listGrantedPermissions,
  listIndexPermissions,
  listTenantPermissions,
  listTextsUnder,
  listWrittenTexts,
  type WrittenText,
} from "./written.ts";

interface Check {
  readonly find: FindShare;
  readonly groups: GroupShare;
}

export interface SharedState {
  readonly declared: DesiredState;
  readonly tests: readonly AccessTest[];
  readonly policies: Policies;
}

/** All files of teams, by what they come to. */
export function validateShares(
  repository: Repository,
  { declared, tests, policies }: SharedState,
  dialect: Dialect,
  find: FindShare,
): readonly Diagnostic[] {
  const check: Check = { find, groups: createGroupShare(declared, dialect, find) };
  return [
    ...repository.documents.flatMap((document) => findInDocument(document, find(document.file))),
    ...findOnlyInTeams(repository, policies, find),
    ...(repository.overridden ?? []).flatMap(({ base, by }) => {
      const [first, second] = [find(base.file), find(by.file)];
      if (!first || !second || first.team === second.team) return [];
      return [createOutsideMessage(by, second, `This overrides an entry of team ${first.team}`)];
    }),
    ...[...declared.resources.values()].flatMap((entries) =>
      [...entries.values()].flatMap((resource) => findInResource(resource, check)),
    ),
    ...tests.flatMap((test) => findInTest(test, find)),
  ];
}

/** A family is managed once a file declares it, and others' entries of it are deleted then: that is for no team to begin. */
function findOnlyInTeams({ documents }: Repository, policies: Policies, find: FindShare): readonly Diagnostic[] {
  const sections = documents.flatMap(({ file, sections: some }) => some.map((section) => ({ file, section })));
  return resourceFamilies.flatMap((family) => {
    const declaring = sections.filter(({ section }) => section.family === family);
    const [first] = declaring;
    const share = first && find(first.file);
    if (!share || getMode(family, policies) !== "manage") return [];
    if (declaring.some(({ file }) => find(file) === undefined)) return [];
    return [createBeginningMessage(first.section.range, share, family)];
  });
}

/** The teams that a place is of: of what is generated, also that of the item. */
function listShares({ file, generatedFor }: SourceRange, find: FindShare): readonly TeamShare[] {
  const shares = [find(file), generatedFor && find(generatedFor.file)];
  return [...new Set(shares.flatMap((share) => share ?? []))];
}

function hasName({ names }: TeamShare, name: string): boolean {
  return names.some((pattern) => matchesName(pattern, name));
}

function findInDocument(
  { sections, overrides, waivers }: StateDocument,
  share: TeamShare | undefined,
): readonly Diagnostic[] {
  if (!share) return [];
  const ofSections = sections.flatMap(({ family, range, entries }) => {
    if (!isResourceFamily(family)) return [createClusterMessage(range, share, `The ${family} is declared here`)];
    // They would decide which access tests pass, of everything.
    if (family === "internal_users") return [createClusterMessage(range, share, "This lists internal users")];
    if (entries.length > 0) return [];
    return [createClusterMessage(range, share, `This declares that there are no ${getNoun(family, 2)} at all`)];
  });
  const families = overrides?.kind === "map" ? overrides.entries : [];
  const ofOverrides = families.flatMap((family) => findInOverrides(family, share));
  const listed = waivers?.kind === "list" ? waivers.items : [];
  const addresses = listed.flatMap((waiver) => listWrittenTexts(findMapEntry(waiver, "addresses")?.value));
  const ofWaivers = addresses.flatMap((address) => {
    const [family = "", ...rest] = String(address.value).split("/");
    if (isResourceFamily(family) && !isOfCluster(family) && hasName(share, rest.join("/"))) return [];
    return [createOutsideMessage(address, share, `This waives a guard for ${address.value}`, "names")];
  });
  return [...ofSections, ...ofOverrides, ...ofWaivers];
}

/** Families that are of no team. */
function isOfCluster(family: ResourceFamily): boolean {
  return family === "blocks" || isOptIn(family);
}

function findInOverrides({ key, keyRange, value }: MapEntry, share: TeamShare): readonly Diagnostic[] {
  if (!isResourceFamily(key) || isOfCluster(key))
    return [
      createClusterMessage(keyRange, share, `This overrides ${isResourceFamily(key) ? getNoun(key, 2) : `the ${key}`}`),
    ];
  const entries = value.kind === "map" ? value.entries : [];
  return entries.flatMap((entry) =>
    hasName(share, entry.key)
      ? []
      : [createOutsideMessage(entry.keyRange, share, `This overrides ${describe(key, entry.key)}`, "names")],
  );
}

function describe(family: ResourceFamily, name: string): string {
  return `the ${getNoun(family)} ${JSON.stringify(name)}`;
}

function findInResource(resource: DesiredResource, check: Check): readonly Diagnostic[] {
  const { family, name, origin } = resource;
  if (family === "internal_users") return [];
  const ofName = listShares(origin, check.find).flatMap((share) => {
    const what = `This declares ${describe(family, name)}`;
    if (isOfCluster(family)) return [createClusterMessage(origin, share, what)];
    return hasName(share, name) ? [] : [createOutsideMessage(origin, share, what, "names")];
  });
  if (ofName.length > 0) return ofName;
  if (family === "roles") return findInRole(resource, check);
  if (family === "action_groups") return findInGroup(resource, check);
  return [];
}

function findInGroup({ node }: DesiredResource, check: Check): readonly Diagnostic[] {
  const texts = node.kind === "map" ? listTextsUnder(node, "allowed_actions", "permissions") : listWrittenTexts(node);
  return findGroups(texts, check);
}

function findInRole(resource: DesiredResource, check: Check): readonly Diagnostic[] {
  const { node } = resource;
  const tenants = listTenantPermissions(node);
  const indices = listIndexPermissions(node).flatMap(({ patterns }) => patterns);
  const cluster = listTextsUnder(node, "cluster_permissions", "cluster", "exclude_cluster_permissions");
  const refuse = (
    texts: readonly WrittenText[],
    isWithin: (share: TeamShare, text: string) => boolean,
    what: (text: string) => string,
    list: "names" | "index_patterns",
  ) =>
    texts.flatMap((text) =>
      listShares(text, check.find).flatMap((share) =>
        typeof text.value === "string" && isWithin(share, text.value)
          ? []
          : [createOutsideMessage(text, share, what(showText(text)), list)],
      ),
    );
  const isIndex = (share: TeamShare, text: string) => includes(share.indexPatterns, text) === "yes";
  const about = (text: string) => `This role is about ${text}`;
  return [
    ...findUnknownFields(resource, check.find),
    ...refuse(indices, isIndex, about, "index_patterns"),
    ...refuse(
      tenants.flatMap(({ patterns }) => patterns),
      (share, text) => includes(share.names, text) === "yes",
      (text) => `This role is about the tenants ${text}`,
      "names",
    ),
    ...findOnCluster(cluster, check),
    ...findGroups(
      [...listGrantedPermissions(node), ...tenants].flatMap(({ actions }) => actions),
      check,
    ),
  ];
}

function findOnCluster(texts: readonly WrittenText[], { find, groups }: Check): readonly Diagnostic[] {
  return texts.flatMap((text) =>
    listShares(text, find).flatMap((share) => {
      const { value } = text;
      const beyond = typeof value === "string" ? groups.listBeyondOnCluster(share, value) : [showText(text)];
      if (beyond.length === 0) return [];
      const what = `This role has ${showText(text)} on the cluster`;
      return [createOutsideMessage(text, share, what, "cluster_permissions", beyond)];
    }),
  );
}

function showText({ value }: WrittenText): string {
  return value instanceof Secret ? "a secret" : value;
}

function findGroups(texts: readonly WrittenText[], { find, groups }: Check): readonly Diagnostic[] {
  return texts.flatMap((text) =>
    listShares(text, find).flatMap((share) =>
      typeof text.value === "string" && groups.mayInclude(share, text.value)
        ? []
        : [createOutsideMessage(text, share, `This includes the action group ${showText(text)}`, "action_groups")],
    ),
  );
}

const knownFields: ReadonlySet<string> = new Set([
  ...Object.keys(factsOf.roles.fields),
  ...(factsOf.roles.sixWords ?? []),
  ...["reserved", "hidden", "static", "readonly"],
]);

/** What a field grants that gate-sync does not know is unknown. */
function findUnknownFields({ node }: DesiredResource, find: FindShare): readonly Diagnostic[] {
  const unknown = node.kind === "map" ? node.entries.filter(({ key }) => !knownFields.has(key)) : [];
  return unknown.flatMap(({ key, keyRange }) =>
    listShares(keyRange, find).map((share) =>
      createOutsideMessage(keyRange, share, `The field ${key} is unknown, and with it what it grants`),
    ),
  );
}

/** Tests of what is of others could hold up what others do. */
function findInTest({ origin, indices, tenant }: AccessTest, find: FindShare): readonly Diagnostic[] {
  return listShares(origin, find).flatMap((share) => {
    const outside = indices.find((pattern) => includes(share.indexPatterns, pattern) !== "yes");
    if (outside !== undefined)
      return [createOutsideMessage(origin, share, `This test is about ${outside}`, "index_patterns")];
    if (tenant !== undefined && !hasName(share, tenant))
      return [createOutsideMessage(origin, share, `This test is about the tenant ${tenant}`, "names")];
    if (indices.length > 0 || tenant !== undefined) return [];
    return [createClusterMessage(origin, share, "This test is about the cluster")];
  });
}
