import { memoiseByObject } from "../../json/memoise.ts";
import type { AccessDifference } from "../../model/access.ts";
import type { AccessModel } from "../model/access-model.ts";
import type { Subject } from "../model/subject.ts";
import { findColumnDifferences } from "./differences.ts";
import { createGrantsFinder } from "./grants.ts";
import { createParting } from "./parts.ts";
import { buildTable, type Table } from "./table.ts";

/** The tables of several states. */
export interface Tables {
  /** One for all who hold the same by the same rules. */
  readonly of: (subject: Subject) => Table;
  /** Between the first state and the second. */
  readonly differences: (subject: Subject) => readonly AccessDifference[];
  /** Whether one of them has more parts than can be distinguished. */
  readonly isManifold: () => boolean;
}

export function buildTables(models: readonly AccessModel[]): Tables {
  const part = createParting();
  const grantsOf = createGrantsFinder();
  const tables = new Map<string | Subject, Table>();
  const of = (subject: Subject): Table => {
    const grants = models.map((model) => grantsOf(model, subject));
    const key = grants.every(({ isSameForAll }) => isSameForAll) ? grants.map((one) => one.key).join("\n") : subject;
    const table = tables.get(key) ?? buildTable(models, subject, part);
    tables.set(key, table);
    return table;
  };
  const differencesIn = memoiseByObject((table: Table): readonly AccessDifference[] => {
    const [from, to] = table.columns;
    return from && to ? findColumnDifferences(table, from, to) : [];
  });
  return {
    of,
    differences: (subject) => differencesIn(of(subject)),
    isManifold: () => [...tables.values()].some(({ indices, actions }) => indices.tooMany || actions.tooMany),
  };
}
