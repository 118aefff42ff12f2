import { listHeldRules } from "../../access/evaluate/permission.ts";
import type { RequestVerdict } from "../../access/evaluate/question.ts";
import { getDashboardsIndex } from "../../access/evaluate/request.ts";
import { type AccessModel, narrowModel } from "../../access/model/access-model.ts";
import { meansAll } from "../../access/model/mapped.ts";
import { isRestricting, listPermissionNames } from "../../access/model/roles.ts";
import type { Subject } from "../../access/model/subject.ts";
import { mayHold } from "../../access/model/users.ts";
import { overlaps } from "../../access/patterns/includes.ts";
import { matchesPattern } from "../../access/patterns/matches.ts";
import { getNoun } from "../../families/index.ts";
import type { ResourceFamily } from "../../model/names.ts";
import { type AskedQuestion, listIndexAssumptions } from "../../questions/asked.ts";
import { formatPartlyDeclared, type PartlyDeclared } from "../../questions/partly-declared.ts";

/** What was not looked at, and may be otherwise than it is taken to be. */
export interface MissingParts {
  readonly names: readonly MissingPart[];
  /** Files do not declare it; a server does not show it. */
  readonly because: "undeclared" | "unread";
  /** Mappings that count though the files, which declare others, do not declare them: by name. */
  readonly builtinMappings?: ReadonlySet<string>;
}

export type MissingPart = ResourceFamily | "config";

/** What an answer is about. */
export interface AnswerFacts {
  readonly model: AccessModel;
  /** Absent: everything that the subject may do. */
  readonly asked?: AskedQuestion;
  readonly subjects: readonly Subject[];
  /** Of a question about one subject. */
  readonly verdict?: RequestVerdict;
}

/** A user of the question may be an internal user as well, with more than it says. */
const usersNotKnown = "Internal users are not known: a user has what the question states, and nothing else.";

/** What is taken for granted, as far as it could change the answer. */
export function listAnswerAssumptions({ model, asked, subjects }: AnswerFacts): readonly string[] {
  const isAboutUsers = subjects.some(({ user }) => user !== undefined);
  return [
    ...(isAboutUsers ? listUserAssumptions(model) : []),
    ...(asked && dependsOnIndices(model, asked, subjects) ? listIndexAssumptions(asked, model.state) : []),
  ];
}

export function listUserAssumptions({ state }: AccessModel): readonly string[] {
  return state.users ? [] : [usersNotKnown];
}

/** Not where all that the subjects hold is about every index alike: an alias or a hidden index changes nothing then. */
function dependsOnIndices(model: AccessModel, asked: AskedQuestion, subjects: readonly Subject[]): boolean {
  if (asked.of === "tenant") return false;
  const grants = (pattern: string) => asked.request.index.some((action) => matchesPattern(pattern, action) !== "no");
  return subjects.some((subject) => {
    const rules = listHeldRules(model, subject).map((held) => held.rules);
    const isOfSome = rules.some(
      ({ index, notIndex }) =>
        notIndex.length > 0 ||
        index.some(
          ({ patterns, actions, restricts, hinges }) =>
            (hinges !== undefined || patterns.some((pattern) => meansAll(pattern) !== "yes")) &&
            (isRestricting(restricts) || actions.some(({ pattern }) => grants(pattern))),
        ),
    );
    return isOfSome || mayHold(subject) !== "no";
  });
}

/** What was not looked at and could change the answer, in a sentence. */
export function listMissingNotes(missing: MissingParts, facts: AnswerFacts): readonly string[] {
  const { names, because, builtinMappings } = missing;
  return [
    ...formatMissing({ names: names.filter((name) => decidesAbout(name, facts)), because }),
    ...(builtinMappings ? listMappingNotes(builtinMappings, facts) : []),
  ];
}

/** A server keeps mappings that it came with where nobody takes them out: undeclared ones are left alone. */
export function listMappingNotes(
  builtin: ReadonlySet<string>,
  { model, subjects, verdict }: AnswerFacts,
): readonly string[] {
  if (verdict === "no") return [];
  const { holdings } = narrowModel(model, builtin);
  const held = subjects.flatMap((subject) =>
    holdings(subject).flatMap(({ role, member }) => (member.field === "itself" ? [] : [role])),
  );
  const resting = [...new Set(held)].filter((role) => builtin.has(role)).sort();
  if (resting.length === 0) return [];
  return [
    `Not declared, and counted as servers may come with it: ${getNoun("role_mappings", resting.length)} ${resting.join(", ")}.`,
  ];
}

export function formatMissing({ names, because }: MissingParts): readonly string[] {
  if (names.length === 0) return [];
  const nouns = names.map((name) => (name === "config" ? name : getNoun(name, 2))).join(", ");
  if (because === "unread") return [`Could not be read, and has no say in this: ${nouns}.`];
  const mappings = names.includes("role_mappings") ? " Without role mappings, hardly anybody has a role." : "";
  return [`Not declared, and taken as the product ships it: ${nouns}.${mappings}`];
}

/** @param asked absent, as is `verdict`: of an answer about more than one request */
export function listPartNotes(
  partly: PartlyDeclared | undefined,
  asked?: AskedQuestion,
  verdict?: RequestVerdict,
): readonly string[] {
  if (!partly || verdict === "no") return [];
  const parts = formatPartlyDeclared(partly, asked?.of !== "request");
  if (parts === "") return [];
  const others =
    verdict === "yes"
      ? "what the server has besides may restrict what is seen"
      : "what the server has besides is not counted; --server asks it";
  return [`Only a part of ${parts} is declared: ${others}.`];
}

function decidesAbout(part: MissingPart, { model, asked, subjects, verdict }: AnswerFacts): boolean {
  switch (part) {
    case "blocks":
      // A block gives nothing.
      return verdict !== "no";
    case "tenants":
      return asked === undefined || asked.of === "tenant" || namesDashboards(model, asked.indices);
    case "config":
      return asked === undefined || isAboutIndices(asked) || subjects.some(({ host }) => typeof host === "object");
    case "action_groups":
      return subjects.some((subject) =>
        listHeldRules(model, subject).some(({ rules }) => namesGroups(model, rules.name)),
      );
    default:
      return true;
  }
}

function namesDashboards(model: AccessModel, indices: readonly string[]): boolean {
  const dashboards = getDashboardsIndex(model);
  return dashboards !== undefined && indices.some((index) => overlaps(index, dashboards) !== "no");
}

/** Some permissions of the cluster are asked for on indices as well, as settings of the config say. */
function isAboutIndices(asked: AskedQuestion): boolean {
  if (asked.of === "tenant") return false;
  return asked.indices.length > 0 || asked.request.cluster.some((action) => action.startsWith("indices:"));
}

/** An action has a colon in its name, or is a pattern. */
function namesGroups({ state }: AccessModel, role: string): boolean {
  const fields = state.roles.get(role) ?? state.unlisted?.get(role) ?? {};
  return listPermissionNames(fields).some((name) => !/[:*?/]/.test(name));
}
