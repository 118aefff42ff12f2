import { isObject, type Json, type JsonObject } from "../json/value.ts";
import type { ResourceFamily } from "../model/names.ts";
import { parseBody } from "./body.ts";
import { asStored, flags, knownFields } from "./fields.ts";
import { patched, type Rewrite } from "./patch.ts";
import type { Behaviour } from "./products/behaviour.ts";
import { bodyRequired, type Reply, said } from "./reply.ts";
import { type FamilyOutcome, isReadOnly, notFound, readOnly } from "./resources.ts";
import { shownEntry } from "./shape.ts";
import { type Entries, withEntry } from "./state.ts";
import { copyOf, fromTree, sameTree, type Tree, toTree } from "./tree.ts";
import { refusalOf } from "./validation.ts";

/** Checks in the order of real servers: JSON, hidden, reserved, missing, the patch, what comes of it. */
export function patchOne(
  family: ResourceFamily,
  name: string,
  body: string,
  entries: Entries,
  behaviour: Behaviour,
): FamilyOutcome {
  const refused = (reply: Reply): FamilyOutcome => ({ reply, entries });
  const parsed = parseBody(body);
  if ("problem" in parsed) return refused(badPatch(parsed.problem));
  const before = entries.get(name);
  if (before?.hidden === true) return refused(notFound(behaviour.kinds[family], name));
  if (isReadOnly(before)) return refused(readOnly(name));
  if (before === undefined) return refused(notFound(behaviour.kinds[family], name));
  const base = toTree(shownEntry(family, before, behaviour));
  const result = patched(base, parsed.value);
  if ("problem" in result) return refused(said(400, result.problem));
  const known = knownFields(family, entries, behaviour);
  const entry = withoutFalseFlags(fromTree(result.tree));
  const refusal = refusalOf(entry, known, behaviour);
  if (refusal !== undefined) return refused(refusal);
  return {
    reply: said(200, `'${name}' updated.`),
    entries: withEntry(entries, name, asStored(entry as JsonObject, known)),
  };
}

/**
 * Many resources in one write, all or nothing. Only entries that come out changed are judged: reserved and static ones
 * 403, hidden ones 400, and the rest must be what a PUT would accept.
 */
export function patchAll(family: ResourceFamily, body: string, entries: Entries, behaviour: Behaviour): FamilyOutcome {
  const refused = (reply: Reply): FamilyOutcome => ({ reply, entries });
  const parsed = parseBody(body);
  if ("problem" in parsed) return refused(badPatch(parsed.problem));
  const base = new Map<string, Tree>(
    [...entries].map(([name, entry]) => [name, toTree(shownEntry(family, entry, behaviour))]),
  );
  const habits = family === "action_groups" ? { rewrite: documentedGroupSteps(behaviour) } : {};
  const result = patched(copyOf(base), parsed.value, habits);
  if ("problem" in result) return refused(said(400, result.problem));
  if (!(result.tree instanceof Map)) return refused(bodyRequired);
  const after = result.tree;
  for (const [name, entry] of entries) {
    if (sameTree(base.get(name), after.get(name))) continue;
    if (isReadOnly(entry)) return refused(readOnly(name));
    if (entry.hidden === true) return refused(said(400, `Resource name '${name}' is reserved`));
  }
  const stored = storedAfter(family, base, after, entries, behaviour);
  return "refusal" in stored
    ? refused(stored.refusal)
    : { reply: said(200, "Resource updated."), entries: stored.entries };
}

/** An entry that the patch left alone stays as it was stored, defaults and all. */
function storedAfter(
  family: ResourceFamily,
  base: ReadonlyMap<string, Tree>,
  after: ReadonlyMap<string, Tree>,
  entries: Entries,
  behaviour: Behaviour,
): { readonly entries: Entries } | { readonly refusal: Reply } {
  const known = knownFields(family, entries, behaviour);
  const stored = new Map<string, JsonObject>();
  for (const [name, tree] of after) {
    const before = entries.get(name);
    if (before !== undefined && sameTree(base.get(name), tree)) {
      stored.set(name, before);
      continue;
    }
    const entry = withoutFalseFlags(fromTree(tree));
    const refusal = refusalOf(entry, known, behaviour);
    if (refusal !== undefined) return { refusal };
    stored.set(name, asStored(entry as JsonObject, known));
  }
  return { entries: stored };
}

/**
 * Two forms of section 4.3: in 6.x a group is a bare list; in 7.x adding `/<name>/allowed_actions` makes the group.
 * Real servers know neither, so both are understood everywhere and turned into theirs.
 */
function documentedGroupSteps({ dialect }: Behaviour): Rewrite {
  const list = dialect.actionGroup.list;
  return (step, root) => {
    const [name = "", field] = step.path;
    if (step.path.length === 1 && Array.isArray(step.value)) return { ...step, value: new Map([[list, step.value]]) };
    const creates = step.op === "add" && step.path.length === 2 && field === list;
    if (!creates || !(root instanceof Map) || root.has(name)) return step;
    return { ...step, path: [name], value: new Map([[list, step.value]]) };
  };
}

/** Reads show flags that are false, so a patch may carry them back; one that is true is an unknown key. */
function withoutFalseFlags(entry: Json): Json {
  if (!isObject(entry)) return entry;
  return Object.fromEntries(
    Object.entries(entry).filter(([name, value]) => !(flags.includes(name) && value === false)),
  );
}

function badPatch(problem: string): Reply {
  return said(400, `Error in JSON patch: ${problem}`);
}
