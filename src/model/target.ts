import type { LintCode } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Secret } from "../json/secret.ts";
import type { Identity } from "./identity.ts";
import type { Node } from "./node.ts";
import type { Product, ServerIdentity } from "./plan.ts";
import type { Policies } from "./policy.ts";
import type { FindShare } from "./share.ts";

/** One cluster that the repository is applied to, as configured and with flags taken in; secrets resolved. */
export interface Target {
  readonly name: string;
  /** gate-sync.yaml has several: a command line that is printed for later names this one. */
  readonly isOneOfSeveral?: true;
  /** Absent for commands that need no server. */
  readonly url?: string;
  /** Further URLs of the same cluster, tried one after the other where the first does not connect. */
  readonly otherUrls?: readonly string[];
  /** Which cluster the plan was made for: each of several URLs has to show it before it is sent anything. */
  readonly cluster?: Pick<ServerIdentity, "clusterName" | "clusterUuid">;
  readonly product?: Product;
  readonly release?: string;
  readonly auth?: Credentials;
  readonly tls?: TlsOptions;
  /** Sent with every request: for proxies that log in. */
  readonly headers?: Readonly<Record<string, Secret>>;
  readonly proxy?: ProxyOptions;
  readonly timeouts?: Timeouts;
  /** Bytes that the body of a request may have, where that is not what search engines take by default. */
  readonly maxBodySize?: number;
  /** Paths of state files and folders, relative to the current folder. */
  readonly state: readonly string[];
  /** Files and folders outside of the repository that state files may name as secrets, as absolute paths. */
  readonly secretFiles?: readonly string[];
  readonly vars: Variables;
  readonly families: Policies;
  /** Patterns (`*`, `?`) of addresses that only a waiver lets change. */
  readonly protect?: readonly string[];
  /** Who applies, where that is not who plans. */
  readonly applyAs?: Pick<Identity, "user" | "backendRoles">;
  /** The applying identity has a client certificate that the nodes accept as an administrator's. */
  readonly adminCertificate?: boolean;
  /** The roles that may administer, where they are not those that the product ships. */
  readonly adminRoles?: readonly string[];
  /** Names of the API keys that are meant to be there; absent: none is named. */
  readonly apiKeys?: readonly string[];
  /** Hashes of internal users are compared with those in the security index of the server. */
  readonly comparesHashes?: true;
  /** The file of waivers beside gate-sync.yaml, where there is one; relative to the current folder. */
  readonly waivers?: string;
  /** Field names admitted though gate-sync does not know them. */
  readonly acceptFields: readonly string[];
  readonly lint?: Lint;
  /** `warning`: a warning about the files ends a run as an error does. */
  readonly failOn?: FailOn;
  /** Whose a file is; absent where gate-sync.yaml names no owners. */
  readonly findShare?: FindShare;
  /** About its login. */
  readonly warnings?: readonly Diagnostic[];
}

/** Values for `${var:NAME}`, with the places where they are defined; nothing in them is a secret or a reference any more. */
export type Variables = ReadonlyMap<string, Node>;

export type FailOn = "error" | "warning";

/** The severity of lint rules that are not warnings. */
export type Lint = { readonly [Code in LintCode]?: "off" | "warning" | "error" };

export type Credentials =
  | { readonly kind: "basic"; readonly username: string; readonly password: Secret }
  | { readonly kind: "bearer"; readonly token: Secret }
  | { readonly kind: "aws"; readonly region: string; readonly service: "es" | "aoss"; readonly keys: AwsKeys | Command }
  /** Whatever the command prints: a password, a token or AWS keys. */
  | { readonly kind: "exec"; readonly command: Command };

export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: Secret;
  readonly sessionToken?: Secret;
}

/** A program that prints credentials; started without a shell. */
export interface Command {
  readonly argv: readonly string[];
  /** Where it is started: the folder of gate-sync.yaml. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** As HTTPS_PROXY, HTTP_PROXY and NO_PROXY have them; a URL of a proxy may hold its login. */
export interface ProxyOptions {
  readonly https?: Secret;
  readonly http?: Secret;
  readonly none?: string;
}

/** Milliseconds. */
export interface Timeouts {
  readonly connect?: number;
  readonly read?: number;
  readonly write?: number;
}

export interface TlsOptions {
  /** PEM text of an authority to trust. */
  readonly ca?: string;
  /** PEM text of the client certificate, and of its key. */
  readonly cert?: string;
  readonly key?: Secret;
  /** Both of them as PKCS #12, in base64; instead of `cert` and `key`. */
  readonly pkcs12?: Secret;
  /** Of the key, or of the PKCS #12 file. */
  readonly passphrase?: Secret;
  readonly serverName?: string;
  /** The certificate is not checked, and what says so; every output shows it. */
  readonly insecure?: "--insecure" | "NODE_TLS_REJECT_UNAUTHORIZED=0";
}

/** What says that a server's certificate is not checked: our flag, or the variable that Node goes by. */
export function findUnverified(
  { insecure }: { readonly insecure?: boolean },
  { NODE_TLS_REJECT_UNAUTHORIZED: checks }: Readonly<Record<string, string | undefined>>,
): Pick<TlsOptions, "insecure"> {
  if (insecure) return { insecure: "--insecure" };
  return checks === "0" ? { insecure: "NODE_TLS_REJECT_UNAUTHORIZED=0" } : {};
}
