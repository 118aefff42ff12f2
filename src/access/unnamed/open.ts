import { roleMappings } from "../../families/role-mappings.ts";
import { getUnknownFields, getUnknownText } from "../../families/unknown.ts";
import { memoiseByKey } from "../../json/memoise.ts";
import { type Fields, isList, listTexts } from "../../json/value.ts";
import type { AccessState, HeldEntries } from "../model/state.ts";
import { matchesPattern } from "../patterns/matches.ts";
import { findRequiredRuns, mayContain } from "../patterns/required.ts";
import { matchUnwritten } from "../patterns/written-names.ts";
import { findWideTogether, isSpecific } from "./common-runs.ts";

/**
 * Whether a pattern may match names that are nowhere written. `team-*` is about the members of a team: their common
 * beginning is written there. One character is not enough for that, nor what all names of a kind have: `a*`, `*.*`,
 * `??*` and `ou=*` may match anybody.
 */
export function isOpen(entry: string): boolean {
  if (!/[*?]|^\/.*\/$/s.test(entry)) return false;
  if (findRequiredRuns(entry).every((runs) => runs.some(isSpecific))) return false;
  return matchUnwritten([entry]) !== "no";
}

/** A principal by its names, as the server makes them. */
export interface AnonymousRights {
  readonly user: string;
  readonly backendRole: string;
}

/**
 * The part of a state that decides about principals with names that are nowhere written: only their mappings and
 * blocks stay. With `anonymous`, what names the user without a login stays as well.
 */
export function extractOpenState(state: AccessState, anonymous?: AnonymousRights): AccessState {
  const names = anonymous ? [anonymous.user, anonymous.backendRole] : [];
  const isKept = (entry: string): boolean =>
    isOpen(entry) || names.some((name) => mayContain(entry, name) && matchesPattern(entry, name) !== "no");
  const known = anonymous ? ofAnonymous(anonymous.user) : ofUnnamed;
  return {
    ...state,
    mappings: extractMappings(state.mappings, isKept, known.mappings),
    blocks: extractBlocks(state.blocks, isKept, known.blocks),
  };
}

/** The same object for the same mapping or block, so that comparing by identity shows what is unchanged. */
interface Known {
  readonly mappings: WeakMap<Fields, Fields | undefined>;
  readonly blocks: WeakMap<Fields, Fields>;
}

function createKnown(): Known {
  return { mappings: new WeakMap(), blocks: new WeakMap() };
}

const ofUnnamed = createKnown();
const ofAnonymous = memoiseByKey((_: AnonymousRights["user"]): Known => createKnown());

function extractMappings(
  mappings: HeldEntries,
  isKept: (entry: string) => boolean,
  known: WeakMap<Fields, Fields | undefined>,
): HeldEntries {
  const found = new Map<string, Fields>();
  for (const [role, mapping] of mappings) {
    const open = known.has(mapping) ? known.get(mapping) : extractMapping(mapping, isKept);
    known.set(mapping, open);
    if (open) found.set(role, open);
  }
  return found;
}

function extractMapping(mapping: Fields, isKept: (entry: string) => boolean): Fields | undefined {
  const some = (field: string): readonly string[] => {
    const [kept, others] = partition(listTexts(mapping[field]), isKept);
    return [...kept, ...findWideTogether(others)];
  };
  const all = listTexts(mapping.and_backend_roles);
  const open = {
    users: some("users"),
    backend_roles: some("backend_roles"),
    hosts: some("hosts"),
    and_backend_roles: all.every(isKept) ? all : [],
  };
  // Whom a field admits that gate-sync does not know is unknown: it may be anybody.
  const unknown = getUnknownFields(mapping, roleMappings.fields);
  const isOfUnknown = getUnknownText(unknown, roleMappings.fields) !== undefined;
  return isOfUnknown || Object.values(open).some((entries) => entries.length > 0) ? { ...open, ...unknown } : undefined;
}

function partition(entries: readonly string[], isKept: (entry: string) => boolean) {
  return [entries.filter(isKept), entries.filter((entry) => !isKept(entry))] as const;
}

/**
 * An entry that names one principal matches no unwritten name: it is replaced by one that matches nothing. Not where it
 * lets that one in: then it is one of those whom a pattern of a mapping reaches.
 */
function extractBlocks(
  blocks: HeldEntries,
  isKept: (entry: string) => boolean,
  known: WeakMap<Fields, Fields>,
): HeldEntries {
  return new Map(
    [...blocks].map(([name, block]) => {
      const open = known.get(block) ?? extractBlock(block, isKept);
      known.set(block, open);
      return [name, open];
    }),
  );
}

function extractBlock(block: Fields, isKept: (entry: string) => boolean): Fields {
  const { type, value, verdict } = block;
  if (type !== "name" || verdict === "allow" || !isList(value)) return block;
  const open = value.map((entry) => (typeof entry === "string" && !isKept(entry) ? matchesNothing : entry));
  return { ...block, value: open };
}

/** No name has a line break. */
const matchesNothing = "\n";
