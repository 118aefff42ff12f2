import type { Json, JsonObject } from "../json/value.ts";
import type { AccessTest, ExceptedPrincipals } from "./access-test.ts";
import type { Action } from "./change.ts";
import type { Address, Family } from "./names.ts";
import type { Operation } from "./operation.ts";
import type { Violation } from "./plan.ts";
import type { Waiver } from "./waiver.ts";

/**
 * The body of a plan file, as `schemas/plan-file.schema.json` describes it: all that applying needs but credentials and
 * secrets. In every value `{"$secret": REFERENCE}` replaces a secret (json/slots.ts); one that is written in a state file is beside it, encrypted. It is the same whenever it is made.
 */
export interface SavedPlan {
  readonly fingerprint: string;
  /** What --made-for said; of several targets, of their file. */
  readonly made_for?: MadeFor;
  /** What of the target's product and release was stated rather than found out; the release never without the product. */
  readonly stated: readonly ("product" | "release")[];
  /** What of the files was given on the command line, or by standard input: apply cannot ask for it again. */
  readonly given?: readonly ("state" | "vars")[];
  /** What it changes, and nothing else. */
  readonly changes: readonly SavedChange[];
  /** In canonical form: what the changes refer to, and of what is changed what its edits do not make of its basis. */
  readonly desired: readonly SavedDesired[];
  /** Without the `test`s of a PATCH: planning again makes them from what the server then has. */
  readonly operations: readonly SavedOperation[];
  readonly violations: readonly SavedViolation[];
  /** What spoke against it and was agreed to. */
  readonly waived: readonly SavedViolation[];
  /** The access diff, as plan.schema.json describes it; absent where it was not computed. */
  readonly access?: JsonObject;
  /** What --allow waived. */
  readonly allowed: readonly string[];
  /** Those of the repository that are about what is changed. */
  readonly waivers: readonly SavedWaiver[];
  /** Those of the repository; absent where it has none. */
  readonly access_tests?: readonly SavedAccessTest[];
  /** Whom these may be about. */
  readonly personas?: readonly SavedPersona[];
  /** The families that the files declared. */
  readonly declared?: readonly Family[];
  /** The families that were read to make it. */
  readonly read: readonly Family[];
  /** What else the server then had in the families that are changed. */
  readonly seen: readonly Address[];
  /** What `--only` named: what else differs is left out. */
  readonly only?: readonly Address[];
  /** What the changed entries refer to and the server then had, with one of them. */
  readonly refers_to: readonly SavedReference[];
  /** How the secrets of the config were declared before, by pointers; absent where this was unknown, or it is not changed. */
  readonly config_references?: Readonly<Record<string, string>>;
  /** Entries of the server that hold a secret of the repository as plain text, and must not be shown. */
  readonly secret?: readonly Address[];
}

/** For which change a plan was made, as in `pull_request: "7"`. */
export type MadeFor = Readonly<Record<string, string>>;

/** The body of a plan file of several targets: `schemas/fleet-plan.schema.json`. */
export interface SavedFleet {
  /** Of all plans together. */
  readonly fingerprint: string;
  readonly made_for?: MadeFor;
  /** One for each target of the file, in its order. */
  readonly plans: readonly SavedPlan[];
}

export interface SavedReference {
  readonly address: Address;
  readonly by: Address;
}

export interface SavedChange {
  readonly family: Family;
  readonly name: string;
  readonly action: Action;
  readonly edits: readonly SavedEdit[];
  /** The live value that it was made from, canonical; absent for what did not exist. */
  readonly basis?: Json;
  /** Where it was declared. */
  readonly origin?: SavedOrigin;
}

/** What was there before is in the basis. */
export interface SavedEdit {
  readonly path: readonly string[];
  readonly after?: Json;
}

export interface SavedOrigin {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** The item that it is generated for. */
  readonly generated_for?: SavedOrigin;
  /** Where something is laid over it. */
  readonly overridden_in?: readonly SavedOrigin[];
}

export interface SavedDesired {
  readonly family: Family;
  readonly name: string;
  readonly value: JsonObject;
  /** Of a license: whether it is written even where it is unknown whether the server has it. */
  readonly write_always?: boolean;
}

export type SavedOperation = Omit<Operation, "body" | "intermediate"> & { readonly body?: Json };

export type SavedViolation = Pick<Violation, "rule" | "family" | "what" | "addresses">;

export type SavedWaiver = Omit<Waiver, "origin"> & { readonly origin: SavedOrigin };

/** Exactly one of `persona`, `principal` and `only` is present. */
export interface SavedAccessTest {
  readonly name?: string;
  readonly persona?: string;
  readonly principal?: Omit<SavedPersona, "name" | "origin">;
  readonly only?: Omit<ExceptedPrincipals, "backendRoles" | "apiKeys"> & {
    readonly backend_roles: readonly string[];
    readonly api_keys?: readonly string[];
  };
  readonly action: readonly string[];
  readonly index: readonly string[];
  readonly tenant?: string;
  readonly expect: AccessTest["expect"];
  readonly sees?: "everything";
  readonly allow_unknown: boolean;
  readonly origin: SavedOrigin;
}

export interface SavedPersona {
  readonly name: string;
  readonly user?: string;
  readonly backend_roles: readonly string[];
  readonly host?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly origin: SavedOrigin;
}
