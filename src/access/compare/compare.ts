import type { AccessModel } from "../model.ts";
import type { Subject } from "../subject.ts";
import { type Difference, differencesIn } from "./differences.ts";
import { type Entering, enteringOf } from "./entering.ts";
import { type Pair, pairsOf } from "./pairs.ts";
import { tableOf } from "./table.ts";
import { type TenantDifference, tenantDifferences } from "./tenants.ts";
import { type Principal, principalsOf, touchedRoles } from "./touched.ts";
import { unexplained } from "./unexplained.ts";

/** A persona of the repository: somebody whose every attribute is known. */
export interface Persona {
  readonly name: string;
  readonly subject: Subject;
}

/** What somebody may do in the second state and not in the first, or the other way round. */
export interface Statement {
  readonly who:
    | { readonly kind: "principal"; readonly principal: Principal }
    | { readonly kind: "pair"; readonly pair: Pair }
    | { readonly kind: "persona"; readonly persona: Persona };
  readonly subject: Subject;
  readonly differences: readonly Difference[];
  readonly tenants: readonly TenantDifference[];
}

export interface AccessDifferences {
  /** Who comes to be shut out by blocks, or to be let in again. */
  readonly entering: readonly Entering[];
  readonly statements: readonly Statement[];
  /** What could not be judged, in sentences. */
  readonly untold: readonly string[];
}

/** Who gains and who loses what between two states: principals, pairs where one alone does not tell, personas. */
export function compareAccess(
  before: AccessModel,
  after: AccessModel,
  personas: readonly Persona[] = [],
): AccessDifferences {
  const models = [before, after];
  const touched = touchedRoles(before.state, after.state);
  const alone = principalsOf(touched, models).map((principal) => ({
    who: { kind: "principal", principal } as const,
    subject: principal.subject,
  }));
  const known = personas
    .filter(({ subject }) => models.some((model) => model.holdings(subject).some(({ role }) => touched.has(role))))
    .map((persona) => ({ who: { kind: "persona", persona } as const, subject: persona.subject }));
  const { pairs, tooMany } = pairsOf(touched, models);

  const statements = [...alone, ...known].map((one): Statement => ({ ...one, ...differencesFor(models, one.subject) }));
  const ofPairs = pairs.map((pair): Statement => {
    const { subject } = pair;
    return { who: { kind: "pair", pair }, subject, differences: unexplained(models, pair), tenants: [] };
  });
  return {
    entering: enteringOf(before, after),
    statements: [...statements, ...ofPairs].filter(
      ({ differences, tenants }) => differences.length + tenants.length > 0,
    ),
    untold: tooMany ? [tooManyPairs] : [],
  };
}

const tooManyPairs =
  "Too many principals share indices with a role that restricts what others grant: not every pair of them was judged.";

function differencesFor(models: readonly AccessModel[], subject: Subject): Pick<Statement, "differences" | "tenants"> {
  const table = tableOf(models, subject);
  const [from, to] = table.columns;
  const [before, after] = models;
  if (!from || !to || !before || !after) return { differences: [], tenants: [] };
  return { differences: differencesIn(table, from, to), tenants: tenantDifferences(before, after, subject) };
}
