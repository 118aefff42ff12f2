import { isObject, type Value } from "../json/value.ts";
import type { Aliases } from "../model/aliases.ts";
import { getDataStream, type Semantics } from "./semantics.ts";

/** Left out where an alias is granted by its own name, whichever indices it leads to. */
export function addAliases(semantics: Semantics, aliases: Aliases | undefined): Semantics {
  if (!aliases || !semantics.coversByAlias) return semantics;
  return { ...semantics, aliases: semantics.hasDataStreams ? addStreams(aliases) : aliases };
}

/** What covers a stream covers its indices; what covers these alone does not cover the stream: tried on 2.19.1. */
function addStreams(aliases: Aliases): Aliases {
  const ofIndex = new Map(aliases.ofIndex);
  for (const [stream, indices] of aliases.streams)
    for (const index of indices) ofIndex.set(index, [...(ofIndex.get(index) ?? []), stream]);
  return { ...aliases, ofIndex };
}

/** By the answer to `GET /_alias`, which lists hidden indices too; undefined: it is no such answer. */
export function decodeAliases(body: unknown): Aliases | undefined {
  if (!isObject(body as Value)) return undefined;
  const members = new Map<string, string[]>();
  const ofIndex = new Map<string, readonly string[]>();
  const filtered = new Set<string>();
  const streams = new Map<string, string[]>();
  for (const [index, shown] of Object.entries(body as object)) {
    const aliases = isObject(shown as Value) ? (shown as { readonly aliases?: Value }).aliases : undefined;
    if (!isObject(aliases)) return undefined;
    for (const [alias, settings] of Object.entries(aliases)) {
      members.set(alias, [...(members.get(alias) ?? []), index]);
      if (isObject(settings) && settings.filter !== undefined) filtered.add(alias);
    }
    if (Object.keys(aliases).length > 0) ofIndex.set(index, Object.keys(aliases));
    const stream = getDataStream(index);
    if (stream !== undefined) streams.set(stream, [...(streams.get(stream) ?? []), index]);
  }
  return { members, ofIndex, filtered, streams };
}
