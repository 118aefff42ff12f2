import { memoiseByKey, memoiseByObject } from "../../../json/memoise.ts";
import { resolveVariables } from "../../evaluate/coverage.ts";
import { listHeldRules } from "../../evaluate/permission.ts";
import { findQueryFault } from "../../evaluate/query-faults.ts";
import type { AccessModel } from "../../model/access-model.ts";
import type { RoleRules } from "../../model/roles.ts";
import type { Subject } from "../../model/subject.ts";
import { createGrantsFinder, createObjectNumbers, type Grants } from "./grants.ts";
import { createParting } from "./parts.ts";
import {
  buildTable,
  type Column,
  type ColumnSource,
  createColumnMaker,
  partitionByRules,
  type RulePartsFinder,
  type Table,
} from "./table.ts";

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
  const knownParts = new Map<string, ReturnType<RulePartsFinder>>();
  return {
    grantsOf: createGrantsFinder(),
    build(models, subject, grants) {
      const meantIn = memoiseByKey((model: AccessModel) => describeVariables(model, subject));
      const partsOf: RulePartsFinder = (rules) => {
        const numbers = [...rules].map(([one, semantics]) => `${numberOf(one)} ${numberOf(semantics)}`).sort();
        const key = `${numbers} ${models.map(meantIn)}`;
        const parts = knownParts.get(key) ?? partitionByRules(rules, subject, part);
        knownParts.set(key, parts);
        return parts;
      };
      const columnAt = (source: ColumnSource, at: number): Column => {
        const { ofTable = "", isSameForAll = false } = grants[at] ?? {};
        const who = isSameForAll ? "" : meantIn(source.model);
        return keep([numberOf(source.indices), numberOf(source.actions), who, ofTable].join(" "), source);
      };
      return buildTable(models, subject, part, columnAt, partsOf);
    },
  };
}

/** What the variables in what a subject holds come to: of a subject, a table depends on nothing else. */
function describeVariables(model: AccessModel, subject: Subject): string {
  const { semantics } = model.state;
  const texts = listHeldRules(model, subject).map(({ rules }) => listTextsWithVariables(rules));
  const [patterns, queries] = [
    new Set(texts.flatMap((one) => one.patterns)),
    new Set(texts.flatMap((one) => one.queries)),
  ];
  return JSON.stringify([
    [...patterns].map((pattern) => [pattern, resolveVariables(pattern, semantics, subject)]).sort(),
    [...queries].map((query) => [query, findQueryFault(query, semantics, subject)]).sort(),
  ]);
}

const listTextsWithVariables = memoiseByObject(({ index, notIndex }: RoleRules) => ({
  patterns: [...index, ...notIndex].flatMap(({ patterns }) => patterns).filter(hasVariable),
  queries: index.flatMap(({ restricts: { dls } }) => dls?.key ?? []).filter(hasVariable),
}));

function hasVariable(text: string): boolean {
  return text.includes("${");
}

/** Each may be of thousands of roles. */
const mostKept = 500;
