import type { SourceRange } from "../diagnostics/source.ts";

/** Somebody as a server meets them, declared to be asked about; nothing of it goes to a server. */
export interface Persona {
  /** What the repository calls them. */
  readonly name: string;
  readonly user?: string;
  readonly backendRoles: readonly string[];
  /** An IP address or name; absent where nobody says. */
  readonly host?: string;
  /** What variables such as `${attr.internal.dept}` stand for, without `attr.`; absent where nobody says. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly origin: SourceRange;
}
