import type { AccessState } from "../access/model/state.ts";
import type { Subject } from "../access/model/subject.ts";
import { withInternalUser } from "../access/model/users.ts";
import { placeAnywhere } from "../access/questions/who.ts";
import { RunError } from "../diagnostics/failure.ts";
import { suggestNearest } from "../diagnostics/suggest.ts";
import type { Persona } from "../model/persona.ts";

/** Who is asked about, as flags say it. */
export interface Whom {
  readonly user?: string;
  readonly backendRoles: readonly string[];
  readonly host?: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  /** A name under `personas`; what else is stated replaces what is declared of it, except for another user. */
  readonly persona?: string;
}

/** A subject, and its name in messages. */
export interface Asker {
  readonly subject: Subject;
  readonly title: string;
}

/** @param state with its internal users, where they are known: of one of these, all that it has counts */
export function createAsker(
  whom: Whom,
  personas: ReadonlyMap<string, Persona>,
  state: Pick<AccessState, "users"> = {},
): Asker {
  const persona = whom.persona === undefined ? undefined : findPersona(whom.persona, personas);
  if (persona?.user !== undefined && whom.user !== undefined && persona.user !== whom.user)
    throw twoUsers(persona.name, persona.user, whom.user);
  const user = whom.user ?? persona?.user;
  const backendRoles = [...new Set([...(persona?.backendRoles ?? []), ...whom.backendRoles])];
  const host = whom.host ?? persona?.host;
  const named = whom.attributes.length > 0 || persona?.attributes;
  const attributes = { ...persona?.attributes, ...Object.fromEntries(whom.attributes) };
  if (user === undefined && backendRoles.length === 0 && host === undefined && !persona) throw missingAsker();
  // Mappings by host may give a named user more; a backend role alone is asked about without them.
  const from = host === undefined ? (user !== undefined || persona ? "unknown" : undefined) : { name: host };
  const stated: Subject = {
    ...(user !== undefined && { user: { name: user } }),
    backendRoles: backendRoles.map((name) => ({ name })),
    ...(from !== undefined && { host: from }),
    ...(named && { attributes }),
  };
  return {
    subject: placeAnywhere(withInternalUser(stated, state)),
    title: titleOf(persona?.name, user, backendRoles, host),
  };
}

function findPersona(name: string, personas: ReadonlyMap<string, Persona>): Persona {
  const persona = personas.get(name);
  if (persona) return persona;
  throw new RunError("usage", {
    what: `There is no persona "${name}".${suggestNearest(name, personas.keys())}`,
    fix:
      personas.size === 0
        ? "Declare it in a state file, under personas:, and name that with --state or in gate-sync.yaml."
        : `Declared are ${[...personas.keys()].sort().join(", ")}.`,
  });
}

function titleOf(
  persona: string | undefined,
  user: string | undefined,
  roles: readonly string[],
  host: string | undefined,
): string {
  const parts = [
    ...(user === undefined ? [] : [`user ${user}`]),
    ...(roles.length === 0 ? [] : [`backend role${roles.length > 1 ? "s" : ""} ${roles.join(", ")}`]),
    ...(host === undefined ? [] : [`from ${host}`]),
  ];
  if (persona === undefined) return parts.join(", ");
  return parts.length === 0 ? `persona ${persona}` : `persona ${persona} (${parts.join(", ")})`;
}

function twoUsers(persona: string, user: string, other: string): RunError {
  return new RunError("usage", {
    what: `The persona ${persona} is the user ${user}, and --user says ${other}.`,
    why: "The answer would be about a principal with the name of one and the backend roles of the other.",
    fix: "Leave one of them out; or say with --user and --backend-role who is meant.",
  });
}

function missingAsker(): RunError {
  return new RunError("usage", {
    what: "Nothing says who is asked about.",
    fix: "Name a principal with --user, --backend-role, --host or --persona.",
  });
}
