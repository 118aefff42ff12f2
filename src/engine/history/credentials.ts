import { credentialFields } from "../../families/credentials.ts";
import { Secret } from "../../json/secret.ts";
import type { Node } from "../../model/node.ts";
import type { Repository } from "../../model/repository.ts";
import { applyOverrides } from "../../normalise/overrides.ts";

/**
 * Internal users of both states of the files whose hash or password is written otherwise; what is behind a reference may
 * have changed as well, and no file shows that.
 */
export function listChangedCredentials(then: Repository, now: Repository): readonly string[] {
  const [before, after] = [collectCredentials(applyOverrides(then).repository), collectCredentials(now)];
  return [...after].flatMap(([name, written]) => {
    const old = before.get(name);
    return old === undefined || old === written || written === "" ? [] : [name];
  });
}

function collectCredentials({ documents }: Repository): ReadonlyMap<string, string> {
  const sections = documents.flatMap((document) => document.sections);
  const users = sections.filter(({ family }) => family === "internal_users").flatMap(({ entries }) => entries);
  return new Map(users.map(({ key, value }) => [key, formatCredentials(value)]));
}

/** The same for users with the same hash, or the same reference to one. */
function formatCredentials(body: Node): string {
  if (body.kind !== "map") return "";
  const written = body.entries.flatMap(({ key, value }) => {
    if (!credentialFields.includes(key) || value.kind !== "scalar" || value.value === null) return [];
    return [[key, value.value instanceof Secret ? value.value.reference : value.value]];
  });
  return written.length === 0 ? "" : JSON.stringify(written);
}
