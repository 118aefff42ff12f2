import type { Json } from "../json/value.ts";

/** What a server answered to every GET that a plan may need; secrets masked. Replaces a server that cannot be reached. */
export interface Snapshot {
  /** How the server's product and release are known, for people. */
  readonly how: string;
  /** By path from the server's root. */
  readonly answers: Readonly<Record<string, { readonly status: number; readonly body: Json }>>;
}
