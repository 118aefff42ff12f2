import type { Secret } from "../json/secret.ts";
import type { Product } from "./plan.ts";
import type { Policies } from "./policy.ts";

/** One cluster that the repository is applied to, as configured and with flags taken in; secrets resolved. */
export interface Target {
  readonly name: string;
  /** Absent for commands that need no server. */
  readonly url?: string;
  readonly product?: Product;
  readonly release?: string;
  readonly auth?: Credentials;
  readonly tls?: TlsOptions;
  /** Paths of state files and folders, relative to where the user stands. */
  readonly state: readonly string[];
  readonly vars: Readonly<Record<string, string>>;
  readonly families: Policies;
  /** Field names admitted though gate-sync does not know them. */
  readonly acceptFields: readonly string[];
}

export type Credentials =
  | { readonly kind: "basic"; readonly username: string; readonly password: Secret }
  | { readonly kind: "bearer"; readonly token: Secret };

export interface TlsOptions {
  /** PEM text of an authority to trust. */
  readonly ca?: string;
  /** PEM text of the client certificate, and of its key. */
  readonly cert?: string;
  readonly key?: Secret;
  readonly passphrase?: Secret;
  readonly serverName?: string;
  /** Only ever by flag; said in every output. */
  readonly insecure?: boolean;
}
