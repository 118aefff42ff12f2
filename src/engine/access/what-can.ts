import { listChainSteps } from "../../access/explain/grant-path.ts";
import type { AccessModel } from "../../access/model/access-model.ts";
import { explainApiKeys } from "../../access/model/api-keys.ts";
import type { RoleRules } from "../../access/model/roles.ts";
import { formatMember, listMembers, type Member, nounOfMember } from "../../access/model/subject.ts";
import { explainInternalUser, explainUnreadUsers } from "../../access/model/users.ts";
import type { WhatCanAnswer } from "../../access/questions/answers.ts";
import { type EffectiveAccess, findEffectiveAccess } from "../../access/questions/what.ts";
import { listAllPrincipals, type Principal } from "../../access/questions/who.ts";
import type { Verdict } from "../../access/verdict.ts";
import { RunError } from "../../diagnostics/failure.ts";
import { suggestNearest } from "../../diagnostics/suggest.ts";
import type { Persona } from "../../model/persona.ts";
import { type Asker, createAsker, type Whom } from "../../questions/subject.ts";
import type { RunRequest } from "../request.ts";
import { type AskedSource, openAccess } from "./asked-state.ts";
import { listAnswerAssumptions, listMissingNotes, listPartNotes } from "./left-open.ts";

export interface WhatCan extends WhatCanAnswer {
  readonly notices: readonly string[];
}

/** @param whom by flags, or one word: a persona, or an entry of a mapping */
export async function answerWhatCan(request: RunRequest, whom: Whom | string, source?: AskedSource): Promise<WhatCan> {
  const { model, release, personas, places, basis, missing, partly, notes, notices } = await openAccess(
    request,
    source,
  );
  const asker = typeof whom === "string" ? named(whom, model, personas) : createAsker(whom, personas, model.state);
  const { title } = asker;
  // What a server does not show is reported once, not for each thing that is asked about.
  const { mayHaveMore, ...subject } = asker.subject;
  const effective = findEffectiveAccess(model, subject, release);
  const facts = { model, subjects: [subject] };
  return {
    who: title,
    roles: model.holdings(subject).map((holding) => ({
      role: holding.role,
      verdict: holding.verdict,
      isThere: isThere(model.rules(holding.role)),
      chain: listChainSteps({ holding }, places),
    })),
    ...effective,
    places,
    basis,
    assumptions: listAnswerAssumptions(facts),
    notes: [
      ...(mayHaveMore === undefined ? [] : explainUnreadUsers(model.state)),
      ...(subject.apiKey === undefined ? [] : explainApiKeys(model.state)),
      ...explainInternalUser(subject, model.state),
      ...listKeptNotes(effective, model),
      ...listMissingNotes(missing, facts),
      ...listPartNotes(partly),
      ...notes,
    ],
    notices,
  };
}

function isThere(rules: RoleRules | undefined): Verdict {
  if (!rules) return "no";
  return rules.isUnlisted ? "unknown" : "yes";
}

/** Everything on all indices is everything but this. */
function listKeptNotes({ indices }: EffectiveAccess, { state: { semantics } }: AccessModel): readonly string[] {
  const { securityIndex, securityIndexKeeps } = semantics;
  const isAll = indices.some(({ everything, by }) => everything !== "no" && by.length === 0);
  if (!isAll || securityIndexKeeps.length === 0) return [];
  return [`No role permits changes to ${securityIndex}, the index with the product's own configuration.`];
}

/** Of those that a role is mapped to; more is no help to choose by. */
const mostMembers = 3;

function roleInstead(role: string, { state: { roles, mappings } }: AccessModel): RunError {
  const members = listMembers(mappings.get(role) ?? {});
  const more = members.length > mostMembers ? ` and ${members.length - mostMembers} more` : "";
  const asked = members.flatMap(({ field, entries }) => flagsFor(field, entries)).slice(0, 1);
  return new RunError("usage", {
    what: roles.has(role)
      ? `"${role}" is a role, and what-can is asked about a principal who may have one.`
      : `"${role}" is the name of a mapping, and there is no such role: it gives no access.`,
    why:
      members.length === 0
        ? "It has no members: no mapping gives it."
        : `It is mapped to ${members.slice(0, mostMembers).map(formatMember).join(", ")}${more}.`,
    fix: `Ask about a principal: ${asked[0] ?? "--user NAME"}.`,
  });
}

function flagsFor(field: Member["field"], entries: readonly string[]): readonly string[] {
  // A pattern names no single principal.
  if (field === "itself" || field === "api_keys" || entries.some((entry) => /[*?]|^\/.*\/$/.test(entry))) return [];
  const flag = field === "and_backend_roles" ? flags.backend_roles : flags[field];
  return [entries.map((entry) => `${flag} ${entry}`).join(" ")];
}

const flags = { users: "--user", backend_roles: "--backend-role", hosts: "--host" } as const;

function named(word: string, model: AccessModel, personas: ReadonlyMap<string, Persona>): Asker {
  const entries = listAllPrincipals(model).flatMap((principal) => {
    if (principal.kind !== "entry") return [];
    const { field, entries: texts } = principal.member;
    if (texts.length !== 1 || field === "itself" || field === "and_backend_roles") return [];
    // A key has no flag: its noun distinguishes it from others of its name.
    const written = field === "api_keys" ? formatMember(principal.member) : `${flags[field]} ${word}`;
    return texts[0] === word || written === word ? [{ principal, field, written }] : [];
  });
  const [only, ...others] = entries;
  const persona = personas.has(word);
  if (others.length > 0 || (only && persona)) {
    const all = [...entries.map(({ written }) => written), ...(persona ? [`--persona ${word}`] : [])];
    throw new RunError("usage", {
      what: `"${word}" is the name of more than one: ${[...entries.map(({ field }) => `a ${nounOfMember[field]}`), ...(persona ? ["a persona"] : [])].join(", ")}.`,
      fix: `Say which is meant: ${all.map((one) => (one.startsWith("--") ? one : `"${one}"`)).join(", ")}.`,
    });
  }
  if (persona) return createAsker({ backendRoles: [], attributes: [], persona: word }, personas, model.state);
  if (only) return { subject: only.principal.subject, title: formatMember(only.principal.member) };
  if (model.state.roles.has(word) || model.state.mappings.has(word)) throw roleInstead(word, model);
  throw noneNamed(word, listAllPrincipals(model), personas);
}

function noneNamed(word: string, principals: readonly Principal[], personas: ReadonlyMap<string, Persona>): RunError {
  const names = principals.flatMap((one) => (one.kind === "entry" ? one.member.entries : []));
  return new RunError("usage", {
    what: `No mapping names "${word}", and no persona is called so.${suggestNearest(word, [...personas.keys(), ...names])}`,
    fix: `To ask about a principal of that name, write --user ${word} or --backend-role ${word}.`,
  });
}
