import type { Fields, JsonObject, Value } from "../json/value.ts";
import type { ReadAliases } from "./aliases.ts";
import type { ApiKeys } from "./api-key.ts";
import type { InternalUsers } from "./internal-user.ts";
import type { ResourceFamily } from "./names.ts";

/** `open`: anyone with the right may write it. `reserved`, `static`, `service-account`: the server's own, never written. */
export type Ownership = "open" | "reserved" | "static" | "service-account";

/** One resource of the server in canonical form; fields that gate-sync does not know are kept as they came. */
export interface LiveResource {
  readonly family: ResourceFamily;
  readonly name: string;
  readonly value: Fields;
  readonly ownership: Ownership;
  /** What this server takes where the files leave a field out, where that is not what the facts of the family say. */
  readonly defaults?: Fields;
  /** The server holds null in its place, as an empty entry: nothing below it can be patched. */
  readonly isNull?: true;
  /** As the server showed it, flags and defaults and all: what a `test` in a PATCH is made of, and nothing else. */
  readonly wire?: Value;
}

export type LiveFamily = ReadonlyMap<string, LiveResource>;

/** The config as the server shows it, untouched: what is written back is this with the edits made. */
export interface LiveConfig {
  readonly document: Fields;
  /** The class of this server that looks up internal users: no other one, however it is called, is the same. */
  readonly internalBackend?: string;
  /** Why writing the whole document back would change something that is not declared; absent where it would not. */
  readonly unfaithful?: string;
}

/** What the server shows of its license; its text is never among it. */
export interface LiveLicense {
  readonly installed: boolean;
  readonly shown: JsonObject;
}

/** What the server has now. A family that was not read is absent. */
export interface LiveState {
  readonly resources: ReadonlyMap<ResourceFamily, LiveFamily>;
  /** The path each collection answered to. */
  readonly paths: ReadonlyMap<ResourceFamily, string>;
  readonly config?: LiveConfig;
  readonly license?: LiveLicense;
  /** Read for questions and for the access diff alone, never written. */
  readonly internalUsers?: InternalUsers;
  /** Read for questions and access tests alone, never written. */
  readonly apiKeys?: ApiKeys;
  /** Read for the same. */
  readonly aliases?: ReadAliases;
}
