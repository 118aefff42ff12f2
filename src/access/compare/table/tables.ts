import { memoiseByObject } from "../../../json/memoise.ts";
import type { AccessDifference } from "../../../model/access.ts";
import type { AccessModel } from "../../model/access-model.ts";
import type { Subject } from "../../model/subject.ts";
import { findColumnDifferences } from "./differences.ts";
import { createContentFinder } from "./grants.ts";
import type { Table } from "./table.ts";
import { getTableBuilder } from "./table-builder.ts";

/** The tables of two states. */
export interface Tables {
  /** One for all who hold the same by the same rules. */
  readonly of: (subject: Subject) => Table;
  /** The same of a subject that is asked about once: hundreds of pairs have hundreds of roles each. */
  readonly ofOnce: (subject: Subject) => Table;
  /** Whether all states permit a subject the same, as the same rules do: then there is no difference. */
  readonly areAlike: (subject: Subject) => boolean;
  /** Between the first state and the second. */
  readonly differences: (subject: Subject) => readonly AccessDifference[];
  /** Whether one of them has more parts than can be distinguished. */
  readonly isManifold: () => boolean;
  /** What all of them cost, whichever were known before: the same for the same states. */
  readonly getEffort: () => number;
}

export function buildTables(models: readonly [before: AccessModel, after: AccessModel]): Tables {
  const { grantsOf, build } = getTableBuilder(...models);
  const contentOf = createContentFinder();
  const tables = new Map<string | Subject, Table>();
  let isManifold = false;
  const counted = new WeakSet<Table>();
  let effort = 0;
  const find = (subject: Subject, isKept: boolean): Table => {
    const grants = models.map((model) => grantsOf(model, subject));
    const isShared = grants.every(({ isSameForAll }) => isSameForAll);
    const key = isShared ? grants.map((one) => one.key).join("\n") : subject;
    const table = tables.get(key) ?? build(models, subject, grants);
    if (isShared || isKept) tables.set(key, table);
    if (!counted.has(table)) effort += table.indices.effort + table.actions.effort;
    counted.add(table);
    isManifold ||= table.indices.tooMany || table.actions.tooMany;
    return table;
  };
  const of = (subject: Subject): Table => find(subject, true);
  const differencesIn = memoiseByObject((table: Table): readonly AccessDifference[] => {
    const [from, to] = table.columns;
    return from && to ? findColumnDifferences(table, from, to) : [];
  });
  return {
    of,
    ofOnce: (subject) => find(subject, false),
    areAlike: (subject) => new Set(models.map((model) => contentOf(model, subject))).size <= 1,
    differences: (subject) => differencesIn(of(subject)),
    isManifold: () => isManifold,
    getEffort: () => effort,
  };
}
