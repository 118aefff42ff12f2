import type { EmulatorOptions, EmulatorState, EmulatorUser, InitialState } from "../../../src/emulator/index.ts";
import type { Recorded } from "./recording.ts";

/** One request to be made; `body` is sent as it is. */
export interface Sent {
  readonly who: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

/** What a recording does not say by itself: which server it came from, how that started, what was left unrecorded. */
export interface Probe {
  readonly file: string;
  readonly options: EmulatorOptions;
  /** The recording that shows the first configuration; by default the file itself. */
  readonly seed?: string;
  readonly initial: (seed: readonly Recorded[]) => InitialState;
  /** Paths of the families we have, the config, the license, and what says who is who. */
  readonly scope: RegExp;
  /** Sections that were recorded on a server of their own, and what was different about it. */
  readonly fresh: ReadonlyMap<string, Partial<EmulatorOptions>>;
  /** Requests that the script made before this line without recording them. */
  readonly before: (line: Recorded, previous: Recorded | undefined, state: EmulatorState) => readonly Sent[];
  /** The body as it was sent, where the recording only describes it. */
  readonly whole: (line: Recorded, seed: readonly Recorded[]) => string | Buffer | undefined;
}

export const adminHeader = "x-admin-certificate";
/** The name on the scripts' certificate. */
export const adminName = "CN=admin,OU=real,O=gate-sync";
export const clusterName = "gate-sync-real";

export const ourFamilies = "(roles|rolesmapping|tenants|actiongroups?|blocks|sg_?config|securityconfig|license)";

/** The users of the scripts, whose passwords and backend roles are their names. */
export function user(name: string, rights: EmulatorUser["rights"], roles: readonly string[]): EmulatorUser {
  return { name, password: name, rights, roles, backendRoles: [name] };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
