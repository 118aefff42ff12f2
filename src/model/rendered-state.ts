import type { SourceRange } from "../diagnostics/source.ts";
import type { Json } from "../json/value.ts";
import type { Family } from "./names.ts";

/** What a target ends up with, after variables, generators and overrides, as state files have it; and where each of it comes from. */
export interface RenderedState {
  readonly target: string;
  /** `opensearch 2.19 (assumed)` */
  readonly evaluatedFor: string;
  readonly documents: readonly RenderedDocument[];
  /** What has no place in these documents, or may not be shown. */
  readonly leftOut: readonly string[];
  readonly notices: readonly string[];
}

/** One document of a state file. */
export interface RenderedDocument {
  readonly key: Family | "personas" | "access_tests" | "waivers";
  /** In the form of the server's own tools, with this key of a header: what that means is not said by any field. */
  readonly header?: string;
  readonly entries: readonly RenderedEntry[];
}

export interface RenderedEntry {
  /** Absent where the value has none: the config, the license, a waiver, an access test. */
  readonly name?: string;
  /** As a state file has it: references are escaped, or stay. */
  readonly value: Json;
  readonly origin: SourceRange;
  readonly overrides: readonly RenderedOverride[];
}

/** One field of an entry, or one path of the config, that a file lays over it. */
export interface RenderedOverride {
  readonly path: readonly string[];
  readonly does: "replace" | "add" | "remove";
  readonly place: SourceRange;
}
