import type { Product } from "../model/plan.ts";
import type { Policies } from "../model/policy.ts";
import type { FailOn, Lint, Timeouts } from "../model/target.ts";

/** The settings of a target as plain values, what it inherits included, once the schema has been held against them. */
export interface TargetConfig {
  readonly state?: readonly string[];
  readonly families?: Policies;
  /** Patterns of addresses. */
  readonly protect?: readonly string[];
  readonly accept_fields?: readonly string[];
  readonly lint?: Lint;
  readonly fail_on?: FailOn;
  readonly url?: string | readonly string[];
  readonly product?: Product;
  readonly release?: string;
  /** `aws`, as a word alone, takes all from the environment and the host name. */
  readonly auth?: "aws" | AuthConfig;
  readonly tls?: TlsConfig;
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds. */
  readonly timeouts?: Timeouts;
  /** `10MB`, `512k`: as search engines and proxies write it. */
  readonly max_body_size?: string;
  readonly apply_as?: { readonly user: string; readonly backend_roles?: readonly string[] };
  readonly admin_certificate?: boolean;
  readonly admin_roles?: readonly string[];
  readonly api_keys?: readonly string[];
  readonly compare_hashes?: boolean;
}

/** One kind of login; the schema refuses several. */
export interface AuthConfig {
  readonly username?: string;
  readonly password?: string;
  readonly token?: string;
  readonly aws?: AwsConfig;
  /** A program and its arguments. */
  readonly exec?: readonly string[];
}

export interface AwsConfig {
  readonly region?: string;
  readonly service?: "es" | "aoss";
  readonly exec?: readonly string[];
}

/** Paths relative to gate-sync.yaml. */
export interface TlsConfig {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly pkcs12?: string;
  readonly passphrase?: string;
  readonly server_name?: string;
}

export interface TargetFlags {
  /** Of several targets none has to be chosen: no server is asked, and the state is named. */
  readonly needsNoTarget?: boolean;
  readonly failOn?: FailOn;
  readonly target?: string;
  /** The run is about several targets: a login of the environment would reach them all, so that each needs its own. */
  readonly isOneOfMany?: true;
  /** Variables given by `--var`; they replace those of gate-sync.yaml. */
  readonly vars?: Readonly<Record<string, string>>;
  /** One URL of the cluster, or several. */
  readonly url?: string | readonly string[];
  readonly product?: Product;
  readonly release?: string;
  readonly username?: string;
  /** The environment variable, or the file, that holds the password: never the password itself. */
  readonly passwordEnv?: string;
  readonly passwordFile?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly insecure?: boolean;
  /** Relative to the user's folder; any of them replaces those of gate-sync.yaml. */
  readonly statePaths: readonly string[];
}
