import type { Json } from "../json/value.ts";
import type { ServerIdentity } from "./plan.ts";

/** What a server answered to every GET that a plan may need; secrets masked. Replaces a server that cannot be reached. */
export interface Snapshot {
  readonly format_version: 1;
  readonly url: string;
  readonly server: ServerIdentity;
  readonly identity?: string;
  /** By path from the server's root. */
  readonly answers: Readonly<Record<string, { readonly status: number; readonly body: Json }>>;
}
