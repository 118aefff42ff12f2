import type { Json, JsonObject } from "../json/value.ts";
import type { AccessTest, Excepted } from "./access-test.ts";
import type { Action } from "./change.ts";
import type { Consent } from "./consent.ts";
import type { Address, Family } from "./names.ts";
import type { Product } from "./plan.ts";

/**
 * A reviewed plan as `schemas/plan-file.schema.json` describes it: all that applying needs but credentials and secrets.
 * In every value `{"$secret": REFERENCE}` stands for a secret (json/slots.ts).
 */
export interface PlanFile {
  readonly format_version: 1;
  readonly kind: "plan-file";
  /** Who made it and when: no part of what is digested. */
  readonly made: { readonly at: string; readonly by: string };
  readonly plan: FiledPlan;
  /** SHA-256 of `plan`: tells accidental edits. */
  readonly digest: string;
  /** HMAC-SHA-256 of the whole text before it: tells any edit. Absent where it was made without a key. */
  readonly seal?: string;
}

export interface FiledPlan {
  readonly fingerprint: string;
  readonly target: FiledTarget;
  /** What it changes, and nothing else. */
  readonly changes: readonly FiledChange[];
  /** In canonical form: what is changed, and what that refers to. */
  readonly desired: readonly FiledDesired[];
  readonly operations: readonly FiledOperation[];
  readonly violations: readonly FiledViolation[];
  /** What spoke against it and was agreed to. */
  readonly lifted: readonly FiledViolation[];
  /** Who gains and who loses by it, as plan.schema.json describes it; absent where that was not worked out. */
  readonly access?: JsonObject;
  /** What --allow lifted. */
  readonly allowed: readonly string[];
  /** Those of the repository that are about what is changed. */
  readonly consents: readonly FiledConsent[];
  /** Those of the repository; absent where it has none. */
  readonly access_tests?: readonly FiledAccessTest[];
  /** Whom these may be about. */
  readonly personas?: readonly FiledPersona[];
  /** The families that the files declared. */
  readonly declared?: readonly Family[];
  /** The families that were read to make it. */
  readonly read: readonly Family[];
  /** Everything that the server then had in the families that are changed. */
  readonly seen: readonly Address[];
  /** What the changed entries refer to and the server then had, with one of them. */
  readonly refers_to: readonly FiledReference[];
  /** What holds a secret of the repository as plain text and is not changed, or is and says it no more: nobody may be shown it. */
  readonly secret?: readonly Address[];
}

export interface FiledReference {
  readonly address: Address;
  readonly by: Address;
}

export interface FiledTarget {
  readonly name: string;
  readonly url: string;
  readonly product: Product;
  readonly release: string;
  /** What of these was stated rather than found out; the release never without the product. */
  readonly stated: readonly ("product" | "release")[];
  readonly cluster_name?: string;
  readonly cluster_uuid?: string;
}

export interface FiledChange {
  readonly family: Family;
  readonly name: string;
  readonly action: Action;
  readonly edits: readonly FiledEdit[];
  /** The live value that it was made from, canonical; absent for what did not exist. */
  readonly basis?: Json;
  /** Where it was declared. */
  readonly origin?: FiledOrigin;
}

export interface FiledEdit {
  readonly path: readonly string[];
  readonly before?: Json;
  readonly after?: Json;
}

export interface FiledOrigin {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

export interface FiledDesired {
  readonly family: Family;
  readonly name: string;
  readonly value: JsonObject;
  /** Of a license: whether it is written even where nobody can tell whether it is there. */
  readonly write_always?: boolean;
}

export interface FiledOperation {
  readonly family: Family;
  readonly method: "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly names: readonly string[];
  readonly bulk: boolean;
  readonly body?: Json;
  readonly reason?: string;
  readonly estimate?: number;
}

export interface FiledViolation {
  readonly rule: string;
  readonly family?: Family;
  readonly what: string;
  readonly addresses: readonly string[];
}

export type FiledConsent = Omit<Consent, "origin"> & { readonly origin: FiledOrigin };

/** Somebody is named by one of `persona`, `somebody` and `nobody_but`. */
export interface FiledAccessTest {
  readonly name?: string;
  readonly persona?: string;
  readonly somebody?: Omit<FiledPersona, "name" | "origin">;
  readonly nobody_but?: Omit<Excepted, "backendRoles"> & { readonly backend_roles: readonly string[] };
  readonly action: readonly string[];
  readonly index: readonly string[];
  readonly tenant?: string;
  readonly expect: AccessTest["expect"];
  readonly sees?: "everything";
  readonly allow_unknown: boolean;
  readonly origin: FiledOrigin;
}

export interface FiledPersona {
  readonly name: string;
  readonly user?: string;
  readonly backend_roles: readonly string[];
  readonly host?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly origin: FiledOrigin;
}
