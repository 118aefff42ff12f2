import type { Product } from "../model/plan.ts";
import type { Policies } from "../model/policy.ts";

/** gate-sync.yaml as a plain value, once its schema has been held against it. */
export interface ConfigFile extends Defaults {
  readonly targets?: Readonly<Record<string, TargetConfig>>;
  readonly default_target?: string;
}

/** What every target inherits. */
export interface Defaults {
  readonly state?: readonly string[];
  readonly vars?: Readonly<Record<string, string>>;
  readonly families?: Policies;
  readonly accept_fields?: readonly string[];
}

export interface TargetConfig extends Defaults {
  readonly url?: string;
  readonly product?: Product;
  readonly release?: string;
  readonly auth?: { readonly username?: string; readonly password?: string; readonly token?: string };
  readonly tls?: TlsConfig;
}

/** Paths relative to gate-sync.yaml. */
export interface TlsConfig {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
  readonly server_name?: string;
}

export interface TargetFlags {
  readonly target?: string;
  readonly url?: string;
  readonly product?: Product;
  readonly release?: string;
  readonly username?: string;
  /** The environment variable, or the file, that holds the password: never the password itself. */
  readonly passwordEnv?: string;
  readonly passwordFile?: string;
  readonly ca?: string;
  readonly insecure?: boolean;
  /** Relative to where the user stands; any of them replaces those of gate-sync.yaml. */
  readonly statePaths: readonly string[];
}
