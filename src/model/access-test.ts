import type { SourceRange } from "../diagnostics/source.ts";
import type { Persona } from "./persona.ts";

/** What a repository expects of who may do what; nothing of it goes to a server. */
export interface AccessTest {
  /** What the repository calls it; absent: it is called by what it says. */
  readonly name?: string;
  readonly who: TestedQuestion;
  /** Words that people use (`search`), or actions by their own names; each of them is meant. */
  readonly actions: readonly string[];
  /** Names and patterns, all of them meant; empty for what is about no index. */
  readonly indices: readonly string[];
  readonly tenant?: string;
  /** `allowed`: all of it. `denied`: none of it. */
  readonly expect: "allowed" | "denied";
  /** Of what may be read, nothing is kept back: no document, no field, nothing masked. Only where it is `allowed`. */
  readonly sees?: "everything";
  /** An unknown answer passes too. */
  readonly allowsUnknown: boolean;
  readonly origin: SourceRange;
}

/** Whom an access test is about. */
export type TestedQuestion =
  | { readonly kind: "persona"; readonly name: string; readonly place: SourceRange }
  | { readonly kind: "principal"; readonly is: Omit<Persona, "name" | "origin"> }
  /** Every member of a mapping by itself, and every persona, except principals that have one of these. */
  | { readonly kind: "only"; readonly but: ExceptedPrincipals };

/** Names and patterns; of personas, names. */
export interface ExceptedPrincipals {
  readonly personas: readonly string[];
  readonly users: readonly string[];
  readonly backendRoles: readonly string[];
  readonly hosts: readonly string[];
  /** Principals that hold such a role, by any grant path. */
  readonly roles: readonly string[];
  /** By name; whatever else is excepted, a key has nothing of it. */
  readonly apiKeys?: readonly string[];
}

/** The access tests and personas of a repository. */
export interface Expectations {
  readonly tests: readonly AccessTest[];
  readonly personas: ReadonlyMap<string, Persona>;
}
