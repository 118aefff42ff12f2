import type { AccessModel } from "../../model/access-model.ts";
import type { Subject } from "../../model/subject.ts";
import { createGrantsFinder, createObjectNumbers, type Grants } from "./grants.ts";
import { createParting } from "./parts.ts";
import { buildTable, type Column, type ColumnSource, createColumnMaker, type Table } from "./table.ts";

/** Builds tables of states of one plan: what states, and subjects, have in common is worked out once. */
export interface TableBuilder {
  readonly grantsOf: (model: AccessModel, subject: Subject) => Grants;
  /** @param grants of the models, in their order */
  readonly build: (models: readonly AccessModel[], subject: Subject, grants: readonly Grants[]) => Table;
}

/** One for two states: the order of the writes and the access diff ask for tables of the same principals. */
export function getTableBuilder(before: AccessModel, after: AccessModel): TableBuilder {
  const last = builders.get(before);
  if (last?.after === after) return last.builder;
  const builder = createTableBuilder();
  builders.set(before, { after, builder });
  return builder;
}

const builders = new WeakMap<AccessModel, { readonly after: AccessModel; readonly builder: TableBuilder }>();

export function createTableBuilder(): TableBuilder {
  const [part, numberOf, columnOf] = [createParting(), createObjectNumbers(), createColumnMaker()];
  const known = new Map<string, Column>();
  const keep = (key: string, source: ColumnSource): Column => {
    const column = known.get(key) ?? columnOf(source);
    if (known.size >= mostKept) known.clear();
    known.set(key, column);
    return column;
  };
  return {
    grantsOf: createGrantsFinder(),
    build: (models, subject, grants) =>
      buildTable(models, subject, part, (source, at) => {
        const { ofTable = "", isSameForAll = false } = grants[at] ?? {};
        const who = isSameForAll ? [] : [numberOf(subject)];
        return keep([numberOf(source.indices), numberOf(source.actions), ...who, ofTable].join(" "), source);
      }),
  };
}

/** Each may be of thousands of roles. */
const mostKept = 500;
