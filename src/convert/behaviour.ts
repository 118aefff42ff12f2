// What two products do otherwise with the same permissions. The access diff compares permissions one by one: which requests
// are answered besides, reduced or refused by how a product evaluates them is said here, where the state is about it.
import { widenPattern } from "../access/evaluate/coverage.ts";
import type { AccessModel } from "../access/model/access-model.ts";
import { isRestricting, type RoleRules } from "../access/model/roles.ts";
import { readDashboardsSettings } from "../access/model/settings.ts";
import type { HeldEntries } from "../access/model/state.ts";
import { isDateMath } from "../access/patterns/date-math.ts";
import { includes } from "../access/patterns/includes.ts";
import { matchesPattern } from "../access/patterns/matches.ts";
import { listLikelyAdminRoles } from "../dialects/caller.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { listTexts } from "../json/value.ts";
import { openSide } from "./equivalents.ts";

export interface ComparedProduct {
  readonly model: AccessModel;
  readonly dialect: Dialect;
  /** `OpenSearch` */
  readonly title: string;
}

/** In sentences, as parts of what is unknown. */
export function listBehaviourDifferences(from: ComparedProduct, to: ComparedProduct): readonly string[] {
  const held = [from, to].map(listHeldRoles) as [readonly RoleRules[], readonly RoleRules[]];
  const both: Compared = {
    from,
    to,
    held,
    patterns: held.flat().flatMap((rules) => rules.index.flatMap((one) => one.patterns)),
  };
  return [...new Set(checks.flatMap((check) => check(both) ?? []))];
}

interface Compared {
  readonly from: ComparedProduct;
  readonly to: ComparedProduct;
  /** The roles that a mapping gives, before and after. */
  readonly held: readonly [readonly RoleRules[], readonly RoleRules[]];
  readonly patterns: readonly string[];
}

type Check = (both: Compared) => string | undefined;

function listHeldRoles({ model }: ComparedProduct): readonly RoleRules[] {
  return [...model.state.mappings.keys()].flatMap((name) => model.rules(name) ?? []);
}

const getSemantics = ({ from, to }: Compared) => [from.model.state.semantics, to.model.state.semantics] as const;

const checks: readonly Check[] = [
  (both) => {
    const { from, to, held } = both;
    const [was, is] = getSemantics(both);
    const isOfAll = held[0].some(({ index }) => index.some(({ patterns }) => patterns.includes("_all")));
    if (!was.allMatchesEverything || is.allMatchesEverything || !isOfAll) return undefined;
    return `requests that name indices which do not exist yet, as to create them: ${from.title} grants none of these by _all, ${to.title} does by *.`;
  },
  (both) => {
    const { from, to } = both;
    const [was, is] = getSemantics(both);
    const isOn = [from, to].some(({ model }) => model.state.settings.reducesRequests === true);
    if (!isOn || (was.reduced === is.reduced && was.reducesComposites === is.reducesComposites)) return undefined;
    return `what do_not_fail_on_forbidden reduces to the permitted indices: ${from.title} and ${to.title} reduce other requests.`;
  },
  (both) => {
    const { from, to, patterns } = both;
    const [was, is] = getSemantics(both);
    if (was.everythingTakesOnePattern === is.everythingTakesOnePattern) return undefined;
    const [one, each] = was.everythingTakesOnePattern ? [from, to] : [to, from];
    const { securityIndex } = each.model.state.semantics;
    const isClose = (pattern: string) =>
      includes([pattern], "*") !== "yes" &&
      matchesPattern(pattern.includes("${") ? (widenPattern(pattern) ?? "*") : pattern, securityIndex) !== "no";
    if (!patterns.some(isClose)) return undefined;
    return `requests over all indices at once: ${one.title} wants one pattern that matches everything, ${each.title} patterns that match each index there is, ${securityIndex} too.`;
  },
  (both) => {
    const { from, to, patterns } = both;
    const [was, is] = getSemantics(both);
    if (JSON.stringify(was.dashboardsIndexReads) === JSON.stringify(is.dashboardsIndexReads)) return undefined;
    const indices = [from, to].flatMap(({ model }) => {
      const { dashboards = readDashboardsSettings({}) } = model.state.settings;
      return dashboards === false ? [] : [dashboards.index];
    });
    const index = indices.find((one) => patterns.some((pattern) => matchesPattern(pattern, one) !== "no"));
    if (index === undefined) return undefined;
    return `requests about ${index} alone, which may need the global tenant besides: ${from.title} and ${to.title} want it for other requests.`;
  },
  (both) => {
    const { from, to, held } = both;
    const [was, is] = getSemantics(both);
    if (was.showsHiddenIndices === is.showsHiddenIndices) return undefined;
    const isAbout = (pattern: string) => /^[^./?][^?]*$/.test(pattern) && pattern.includes("*");
    const role = findRestricting(held, isAbout);
    if (role === undefined) return undefined;
    const shows = was.showsHiddenIndices ? from : to;
    return `what of hidden indices is seen: ${shows.title} shows them without the restrictions that are on a pattern with *, such as those of role ${role}.`;
  },
  (both) => {
    const { from, to, held } = both;
    const [was, is] = getSemantics(both);
    const isLimited = ({ index }: RoleRules) => index.some(({ restricts }) => restricts.fls.length > 0);
    if (was.fieldPatterns === is.fieldPatterns || !held.some((roles) => roles.some(isLimited))) return undefined;
    const takes = was.fieldPatterns ? from : to;
    return `which fields FLS shows: only ${takes.title} takes ? and /…/ in it, and shows nothing of an object whose name alone is listed.`;
  },
  (both) => {
    const { from, to, patterns } = both;
    const [was, is] = getSemantics(both);
    if (was.resolvesDatesToIndices === is.resolvesDatesToIndices) return undefined;
    const dated = patterns.find(isDateMath);
    const looksUp = was.resolvesDatesToIndices ? from : to;
    return dated && `what ${dated} grants: ${looksUp.title} looks it up among the indices that there are.`;
  },
  (both) => {
    const { from, to, held, patterns } = both;
    const [was, is] = getSemantics(both);
    if (was.excludesWin === is.excludesWin && was.minusExcludes === is.minusExcludes) return undefined;
    const isMixed = ({ index }: RoleRules) =>
      index.some(({ restricts: { fls } }) => fls.some((field) => /^[~!]/.test(field)));
    const isAbout = held.some((roles) => roles.some(isMixed)) || patterns.some((pattern) => pattern.startsWith("-"));
    const flx = was.minusExcludes ? from : to;
    return isAbout
      ? `what ${flx.title} makes of excluded fields and of index patterns that begin with a minus: it takes them in their order.`
      : undefined;
  },
  (both) => {
    const { from, to, held } = both;
    const [was, is] = getSemantics(both);
    if (was.hasDataStreams === is.hasDataStreams || findRestricting(held, () => true) === undefined) return undefined;
    const knows = was.hasDataStreams ? from : to;
    return `which restrictions apply to data streams: only ${knows.title} is known to apply those on the name of a stream to its indices.`;
  },
  ({ from, to }) => {
    const [had, has] = [
      listAdministrators(from.model.state.mappings, from),
      listAdministrators(to.model.state.mappings, to),
    ];
    // What products come with is in the list of who gains and loses.
    const usual = [from, to].flatMap((one) => listAdministrators(openSide(one.dialect).builtin.role_mappings, one));
    const lost = had.filter((one) => ![...has, ...usual].includes(one));
    const gained = has.filter((one) => ![...had, ...usual].includes(one));
    if (lost.length + gained.length === 0) return undefined;
    const effects = [
      ...(lost.length > 0 ? [`${formatSome(lost)} would lose that`] : []),
      ...(gained.length > 0 ? [`${formatSome(gained)} would gain it`] : []),
    ];
    const roles = [from, to].map(({ title, dialect }) => `in ${title} ${listLikelyAdminRoles(dialect).join(", ")}`);
    return `who may use the API of access control: by default that is for who has a role ${roles.join("; ")}. By it, ${effects.join(", and ")}.`;
  },
  (both) => {
    const found = requestNeeds.flatMap(({ request, list }) => {
      const [was, is] = [list(both.from.dialect), list(both.to.dialect)];
      const more = is.filter((one) => !was.includes(one));
      const isHeld = both.held[0].some(
        (rules) => was.every((action) => grants(rules, action)) && !more.every((action) => grants(rules, action)),
      );
      return isHeld ? [`${request} may take ${more.join(", ")}`] : [];
    });
    return found.length === 0
      ? undefined
      : `requests that take another permission: in ${both.to.title} ${found.join(", ")}, which not all have who could make them.`;
  },
];

/** Tried on OpenSearch 2.19.1, Search Guard 7.5.1-38 and 6.5.4-24. */
const requestNeeds: readonly { readonly request: string; readonly list: (dialect: Dialect) => readonly string[] }[] = [
  {
    request: "_cat/shards",
    list: ({ product }) => [product === "opensearch" ? "cluster:monitor/shards" : "cluster:monitor/state"],
  },
  {
    request: "_cat/indices",
    list: ({ documentTypes }) => [
      "cluster:monitor/state",
      "indices:monitor/stats",
      ...(documentTypes ? [] : ["indices:monitor/settings/get"]),
    ],
  },
];

function grants({ cluster, index }: RoleRules, action: string): boolean {
  if (action.startsWith("cluster:")) return includesAction(cluster, action);
  return index.some(({ actions }) => includesAction(actions, action));
}

function includesAction(granted: RoleRules["cluster"], action: string): boolean {
  return granted.some(({ pattern }) => matchesPattern(pattern, action) === "yes");
}

/** Who has a role that may use the API, where nodes have the settings that they come with. */
function listAdministrators(mappings: HeldEntries, { dialect }: ComparedProduct): readonly string[] {
  const found = listLikelyAdminRoles(dialect).flatMap((role) => {
    const { users, backend_roles, hosts, and_backend_roles } = mappings.get(role) ?? {};
    const together = listTexts(and_backend_roles);
    return [
      ...listTexts(users).map((one) => `user ${one}`),
      ...listTexts(backend_roles).map((one) => `backend role ${one}`),
      ...listTexts(hosts).map((one) => `host ${one}`),
      ...(together.length > 0 ? [`who has the backend roles ${together.join(", ")}`] : []),
    ];
  });
  return [...new Set(found)].sort();
}

function formatSome(texts: readonly string[]): string {
  const more = texts.length - mostNamed;
  return more > 0 ? `${texts.slice(0, mostNamed).join(", ")} and ${more} more` : texts.join(", ");
}

const mostNamed = 5;

function findRestricting(held: Compared["held"], isAbout: (pattern: string) => boolean): string | undefined {
  const restricts = ({ index }: RoleRules) =>
    index.some((one) => isRestricting(one.restricts) && one.patterns.some(isAbout));
  return held.flat().find(restricts)?.name;
}
