import type { UnnamedGain } from "../../access/unnamed/gains.ts";
import { getActionLevel } from "../../dialects/requests.ts";
import type { AccessDifference, Region, TenantDifference } from "../../model/access.ts";

/** `everything on every index`, `more of hr-*`, one for each thing that is gained. */
export function formatGained({ subject, differences, tenants, settings }: UnnamedGain): readonly string[] {
  const name = subject.user && "name" in subject.user ? subject.user.name : "";
  // An index by the user's own name: only this example of a user has that name.
  const others = (region: Region): Region => ({
    ...region,
    terms: region.terms.map((term) => ({ ...term, noneOf: term.noneOf.filter((one) => one !== name) })),
  });
  const isOfOthers = ({ indices }: AccessDifference): boolean =>
    indices === undefined || indices.terms.some(({ allOf }) => !allOf.includes(name));
  const shown = differences.some(isOfOthers) ? differences.filter(isOfOthers) : differences;
  return [
    ...shown.map((one) => differenceWords({ ...one, ...(one.indices && { indices: others(one.indices) }) })),
    ...tenants.map(tenantWords),
    ...settings.map((setting) => `unknown, what requests pass by ${setting} of the config`),
  ];
}

function differenceWords({ kind, level, actions, indices }: AccessDifference): string {
  const where = indices ? indexWords(indices) : "";
  const what = `${actionWords(actions, level)} on ${level === "cluster" ? "the cluster" : where}`;
  switch (kind) {
    case "widened":
      return `more of ${where}`;
    case "changed":
      return `other documents or fields of ${where}`;
    case "may-gain":
    case "may-change":
      return `unknown, perhaps ${what}`;
    default:
      return what;
  }
}

function tenantWords({ tenant, after }: TenantDifference): string {
  const name = JSON.stringify(tenant);
  return after === "unknown" ? `unknown, perhaps tenant ${name}` : `${after} tenant ${name}`;
}

function indexWords(region: Region): string {
  return isAll(region) ? `every index${exceptWords(region)}` : listed(region);
}

/** Without the actions of the other level: they are no exception to a reader. */
function actionWords({ terms, examples }: Region, level: AccessDifference["level"]): string {
  const own = terms.map(({ allOf, noneOf }) => ({
    allOf,
    noneOf: noneOf.filter((one) => getActionLevel(one) === level),
  }));
  const region = { terms: own, examples };
  return isAll(region) ? `everything${exceptWords(region)}` : listed(region);
}

function isAll({ terms }: Region): boolean {
  return terms.some(({ allOf }) => allOf.join() === "*");
}

const mostListed = 3;

function listed(region: Region): string {
  const all = region.terms.map(({ allOf }) => allOf.join(" with "));
  const more = all.length > mostListed ? ` and ${all.length - mostListed} more` : "";
  return `${all.slice(0, mostListed).join(", ")}${more}${exceptWords(region)}`;
}

function exceptWords({ terms }: Region): string {
  const except = [...new Set(terms.flatMap(({ noneOf }) => noneOf))];
  if (except.length === 0) return "";
  return ` except ${except.slice(0, mostListed).join(", ")}${except.length > mostListed ? " and more" : ""}`;
}
