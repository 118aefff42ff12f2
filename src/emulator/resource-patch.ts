import { isObject, type Json, type JsonObject } from "../json/value.ts";
import type { ResourceFamily } from "../model/names.ts";
import { parseBody } from "./body.ts";
import { collectKnownFields, convertToStored, flags } from "./fields.ts";
import { patchDocument, type Rewrite } from "./patch.ts";
import type { Behaviour } from "./products/behaviour.ts";
import { bodyRequired, createReply, type Reply } from "./reply.ts";
import { createNotFoundReply, type FamilyOutcome, isReadOnly, readOnly } from "./resources.ts";
import { showEntry } from "./shape.ts";
import { type Entries, withEntry } from "./state.ts";
import { copyTree, fromTree, isSameTree, type Tree, toTree } from "./tree.ts";
import { explainStoreRefusal } from "./validation.ts";

/** Checks in the order of real servers: JSON, hidden, reserved, missing, the patch, what comes of it. */
export function patchGateResource(
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
  if (before?.hidden === true) return refused(createNotFoundReply(behaviour.kinds[family], name));
  if (isReadOnly(before)) return refused(readOnly(name));
  if (before === undefined) return refused(createNotFoundReply(behaviour.kinds[family], name));
  const base = toTree(showEntry(family, before, behaviour));
  const result = patchDocument(base, parsed.value);
  if ("problem" in result) return refused(createReply(400, result.problem));
  const known = collectKnownFields(family, entries, behaviour);
  const entry = withoutFalseFlags(fromTree(result.tree));
  const refusal = explainStoreRefusal(entry, known, behaviour);
  if (refusal !== undefined) return refused(refusal);
  return {
    reply: createReply(200, `'${name}' updated.`),
    entries: withEntry(entries, name, convertToStored(entry as JsonObject, known)),
  };
}

/**
 * Many resources in one write, all or nothing. Only entries that differ afterwards are checked: reserved and static
 * ones 403, hidden ones 400, and the rest must be what a PUT would accept.
 */
export function patchGateFamily(
  family: ResourceFamily,
  body: string,
  entries: Entries,
  behaviour: Behaviour,
): FamilyOutcome {
  const refused = (reply: Reply): FamilyOutcome => ({ reply, entries });
  const parsed = parseBody(body);
  if ("problem" in parsed) return refused(badPatch(parsed.problem));
  const base = new Map<string, Tree>(
    [...entries].map(([name, entry]) => [name, toTree(showEntry(family, entry, behaviour))]),
  );
  const habits = family === "action_groups" ? { rewrite: documentedGroupSteps(behaviour) } : {};
  const result = patchDocument(copyTree(base), parsed.value, habits);
  if ("problem" in result) return refused(createReply(400, result.problem));
  if (!(result.tree instanceof Map)) return refused(bodyRequired);
  const after = result.tree;
  for (const [name, entry] of entries) {
    if (isSameTree(base.get(name), after.get(name))) continue;
    if (isReadOnly(entry)) return refused(readOnly(name));
    if (entry.hidden === true) return refused(createReply(400, `Resource name '${name}' is reserved`));
  }
  const stored = storedAfter(family, base, after, entries, behaviour);
  return "refusal" in stored
    ? refused(stored.refusal)
    : { reply: createReply(200, "Resource updated."), entries: stored.entries };
}

/** An entry that the patch left alone stays as it was stored, defaults and all. */
function storedAfter(
  family: ResourceFamily,
  base: ReadonlyMap<string, Tree>,
  after: ReadonlyMap<string, Tree>,
  entries: Entries,
  behaviour: Behaviour,
): { readonly entries: Entries } | { readonly refusal: Reply } {
  const known = collectKnownFields(family, entries, behaviour);
  const stored = new Map<string, JsonObject>();
  for (const [name, tree] of after) {
    const before = entries.get(name);
    if (before !== undefined && isSameTree(base.get(name), tree)) {
      stored.set(name, before);
      continue;
    }
    const entry = withoutFalseFlags(fromTree(tree));
    const refusal = explainStoreRefusal(entry, known, behaviour);
    if (refusal !== undefined) return { refusal };
    stored.set(name, convertToStored(entry as JsonObject, known));
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
  return createReply(400, `Error in JSON patch: ${problem}`);
}
