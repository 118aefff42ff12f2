import type { SourceRange } from "../diagnostics/source.ts";

/** A declared person with all that a server knows of a user, for questions and tests. Never sent to a server. */
export interface Persona {
  /** What the repository calls them. */
  readonly name: string;
  readonly user?: string;
  readonly backendRoles: readonly string[];
  /** An IP address or name; absent: unknown. */
  readonly host?: string;
  /** Values of variables such as `${attr.internal.dept}`, by name without `attr.`; absent: unknown. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly origin: SourceRange;
}
