import type { Dialect } from "../dialects/dialect.ts";
import { getCredentials } from "../families/credentials.ts";
import { Secret } from "../json/secret.ts";
import { isEqual } from "../json/value.ts";
import { readStoredHashes } from "../live/stored-hashes.ts";
import type { DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import { createAddress } from "../model/names.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";

/** Names of internal users whose hash is known to be, or not to be, the one that the server stores. */
export interface ComparedHashes {
  readonly same: ReadonlySet<string>;
  readonly other: ReadonlySet<string>;
  /** Why others are unknown. */
  readonly notes: readonly string[];
}

const none: ReadonlySet<string> = new Set();

/**
 * Where the target asks for it. A password cannot be compared with a hash here.
 *
 * @param reader one that remembers no answers
 */
export async function compareHashes(
  { comparesHashes, tls, headers }: Target,
  { reader, dialect }: { readonly reader: ReadPort; readonly dialect: Dialect },
  desired: DesiredState,
  live: LiveState,
): Promise<ComparedHashes> {
  const all = comparesHashes ? listHashes(desired, live) : [];
  if (all.length === 0) return { same: none, other: none, notes: [] };
  const unknown = (why: string) => ({
    same: none,
    other: none,
    notes: [`Hashes are unknown (compare_hashes): ${why}.`],
  });
  const path = dialect.internalUsers?.document;
  if (path === undefined) {
    return unknown(`where ${dialect.product} ${dialect.release} keeps them is not known to gate-sync`);
  }
  // Asked without one, nodes log an attack on their security index. A proxy may add one for a header.
  if (!tls?.cert && !tls?.pkcs12 && !headers) {
    return unknown("they need the admin certificate of the cluster, which is tls.cert and tls.key of the target");
  }
  const stored = await readStoredHashes(reader, path);
  if (stored.kind === "unknown") return unknown(stored.why);
  const [same, other] = [new Set<string>(), new Set<string>()];
  for (const [name, hash] of all) {
    const found = stored.byName.get(name);
    if (found && hash.resolved) (isEqual(hash, found) ? same : other).add(name);
  }
  const unset = all.filter(([, hash]) => !hash.resolved);
  return { same, other, notes: unset.map(([name, hash]) => describeUnset(name, hash)) };
}

/** Of users that the server has; where there is a password too, the server takes that. */
function listHashes({ resources }: DesiredState, live: LiveState): readonly (readonly [string, Secret])[] {
  const found = live.resources.get("internal_users");
  return [...(resources.get("internal_users") ?? [])].flatMap(([name, { value }]) => {
    const { hash, password } = getCredentials(value);
    return hash instanceof Secret && password === undefined && found?.has(name) ? [[name, hash] as const] : [];
  });
}

function describeUnset(name: string, { reference }: Secret): string {
  return `The hash of ${createAddress("internal_users", name)} is not compared: ${reference} has no value here.`;
}
