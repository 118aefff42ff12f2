import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile, SourceRange } from "../diagnostics/source.ts";
import type { Value } from "../json/value.ts";
import type { LeftOutPart } from "../model/import-account.ts";
import { type Family, isResourceFamily } from "../model/names.ts";
import type { MapNode, Node } from "../model/node.ts";
import type { Product } from "../model/plan.ts";
import { describePlaceholders } from "./placeholders.ts";

/** One entry as its source has it: in any format of a release, secrets included. It is never shown, only written. */
export interface FoundEntry {
  readonly family: Family;
  /** Empty for the config, of which there is one. */
  readonly name: string;
  readonly body: Value;
  readonly place: SourceRange;
  /** What the input calls it, where a place says little: a file of Terraform is one line. */
  readonly origin?: string;
  /** Where its password is: `Secret ana-pw, key password`. */
  readonly passwordFrom?: string;
  /** One of several that make up an entry: their lists are joined. */
  readonly isPart?: true;
}

/** One request as its file has it. */
export interface FoundRequest {
  readonly method: string;
  /** Or a whole URL. */
  readonly path: string;
  readonly body?: Node;
  readonly place: SourceRange;
  /** It may be sent several times, each time with other values of its variables. */
  readonly isRepeated?: true;
  /** It has no path of its own: the product is what the user says, or other inputs show. */
  readonly isPayload?: true;
  /** Why it may not be sent, as the account has it. */
  readonly doubt?: string;
  /** The variable of Ansible whose entries it sends, one each time. */
  readonly eachOf?: string;
  /** The name of the file of its body, where that is not read. */
  readonly bodyFile?: string;
}

/** What a document says of a name that a template may fill in. */
export interface GivenValue {
  readonly name: string;
  /** Absent where it is no text that all tools read alike, may be a secret, or may differ from run to run. */
  readonly text?: string;
  /** What `name.key` is found in. */
  readonly below?: MapNode;
  /** The variables that it combines: `{{ a | combine(b) }}`. */
  readonly names?: readonly string[];
  readonly place: SourceRange;
}

export interface OperatorCluster {
  readonly name: string;
  readonly namespace?: string;
}

/** A password is the value of a key of a Secret. */
export interface PlacedPassword {
  readonly secret: string;
  readonly key: string;
}

/** What is found in all inputs; readers add to it. */
export interface ImportFindings {
  /** All files of the command, by absolute path. */
  readonly inputs: ReadonlyMap<string, SourceFile>;
  /** Absolute paths of files that requests send. */
  readonly bodies: Set<string>;
  entries: FoundEntry[];
  readonly left: LeftOutPart[];
  readonly given: GivenValue[];
  /** In the order in which they are sent. */
  readonly requests: FoundRequest[];
  /** What has to be done or known beside: one sentence each. */
  readonly notes: Set<string>;
  readonly diagnostics: Diagnostic[];
  /** Values of the inputs that no file may repeat, beside those of the entries. */
  readonly secrets: Set<string>;
  /** Texts that scripts give to their variables, by name: one whose value is not known here may have any of these. */
  readonly assigned: Map<string, Set<string>>;
  /** URLs of servers that the inputs are for, without logins. */
  readonly urls: Set<string>;
  /** Products that the inputs are surely for. */
  readonly products: Set<Product>;
  /** The OpenSearchCluster that custom resources of the operator are for. */
  operatorCluster?: OperatorCluster;
  /** Where users of the operator have theirs, taken or not. */
  readonly passwords: PlacedPassword[];
  /** Objects of Kubernetes of the kind Secret. */
  readonly secretObjects: MapNode[];
  /** The names of roles of the operator that were left, by their parts of the account. */
  readonly leftRoles: Map<LeftOutPart, string>;
  /** A source for a value that may differ from all others. */
  readonly createSource: () => string;
  /** Addresses in Terraform of what was taken, quoted for a shell. */
  readonly letGo: string[];
}

export function createFindings(inputs: ImportFindings["inputs"] = new Map()): ImportFindings {
  let sources = 0;
  return {
    inputs,
    bodies: new Set(),
    entries: [],
    left: [],
    given: [],
    requests: [],
    notes: new Set(),
    diagnostics: [],
    secrets: new Set(),
    assigned: new Map(),
    urls: new Set(),
    products: new Set(),
    passwords: [],
    secretObjects: [],
    leftRoles: new Map(),
    createSource: () => String(++sources),
    letGo: [],
  };
}

const mostAssigned = 10_000;
/** Characters: a private key in PEM has some 3 000. */
const longestAssigned = 10_000;

export function addAssigned(
  { assigned }: Pick<ImportFindings, "assigned">,
  name: string,
  texts: readonly string[],
): void {
  const known = assigned.get(name) ?? new Set();
  assigned.set(name, known);
  for (const text of texts) if (known.size < mostAssigned && text.length <= longestAssigned) known.add(text);
}

/** An address in Terraform, for a shell. */
export function quoteOrigin(address: string): string {
  return `'${address.replaceAll("'", "'\\''")}'`;
}

/** `roles/hr`, of the config `config`. */
export function createImportedAddress({ family, name }: Pick<FoundEntry, "family" | "name">): string {
  return isResourceFamily(family) ? `${family}/${name}` : family;
}

export function addLeftOut(findings: ImportFindings, what: string, why: string, place: SourceRange): void {
  findings.left.push({ what: describePlaceholders(what), why: describePlaceholders(why), place });
}

/** Why a read request is left. */
export const readWhy = "it changes nothing";
export const otherRequestWhy = "no request to the security plugin";
export const sameWhy = "the same as one before it";
export const replacedWhy = "replaced by a later request";

/** Why keys beside entries are left. */
export const noEntriesWhy = "no entries of the security plugin";

const declaringNothing = new Set([readWhy, otherRequestWhy, sameWhy, replacedWhy, noEntriesWhy]);

/** Whether nothing is lost by a part that is left for this reason. */
export function isIdlePart({ why }: Pick<LeftOutPart, "why">): boolean {
  return declaringNothing.has(why);
}

/** What a server has and no file declares is deleted in the usual mode. */
export const partialNote =
  "gate-sync deletes what no file declares: first, gate-sync init (or gate-sync export --update, where there is a gate-sync.yaml) takes what only the cluster has into files.";
