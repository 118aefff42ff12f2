import type { SourceRange } from "../diagnostics/source.ts";
import type { Secret } from "../json/secret.ts";
import type { Fields } from "../json/value.ts";
import type { ResourceFamily } from "./names.ts";
import type { Node } from "./node.ts";

/** One declared resource in canonical form: a field at its default is absent, sets are sorted and unique. */
export interface DesiredResource {
  readonly family: ResourceFamily;
  readonly name: string;
  readonly value: Fields;
  /** The name where it was declared. */
  readonly origin: SourceRange;
  /** The body as written, to find the place of a field. */
  readonly node: Node;
  /** In words or forms that no server of the target shows: its value follows from more than its node. */
  readonly respelt?: true;
  /** Its own file marks it reserved, hidden, static or readonly: never written. */
  readonly serverOwned: boolean;
  /** Found in a file as the server's own tools keep it. */
  readonly native?: boolean;
  /** Its password or hash is written, though the server has the user: asked for by name. */
  readonly rotates?: true;
}

export interface DesiredConfig {
  /** `{ dynamic: … }`: the children of `dynamic` that are declared, each of them whole. */
  readonly value: Fields;
  readonly origin: SourceRange;
  readonly node: Node;
  /** Found in a file as the server's own tools keep it; such a config is observed until its mode is stated. */
  readonly native: boolean;
}

export interface DesiredLicense {
  readonly text: Secret;
  /** Write it even where it is unknown whether the server has it already. */
  readonly writeAlways: boolean;
  readonly origin: SourceRange;
}

/** What the repository asks for. A family that is absent is not declared, and nothing of it is touched. */
export interface DesiredState {
  readonly resources: ReadonlyMap<ResourceFamily, DesiredFamily>;
  readonly config?: DesiredConfig;
  readonly license?: DesiredLicense;
}

export type DesiredFamily = ReadonlyMap<string, DesiredResource>;
