import { loginChildren } from "../../families/config.ts";
import { listMentions } from "../../families/mentions.ts";
import type { Fields } from "../../json/value.ts";
import type { Action, Change } from "../../model/change.ts";
import { type Family, isResourceFamily, resourceFamilies } from "../../model/names.ts";

interface Stage {
  readonly family: Family;
  readonly reason?: string;
}

const resourcesInOrder: readonly Stage[] = resourceFamilies.map((family) => ({ family }));

/**
 * The usual order of the families' writes. Whether a server lets the config be changed is known only when it is tried:
 * so it goes first, and a refusal leaves nothing half-done. Where it decides who may log in, it goes last, so that a
 * mistake in it cannot stop the rest. The license follows the config: the config document that is written holds the old
 * one.
 */
export function listStages(changes: readonly Change[]): readonly Stage[] {
  const config = changes.find(({ family, action }) => family === "config" && action !== "leave");
  const license: Stage = { family: "license" };
  if (!config) return [license, ...resourcesInOrder];
  const afterConfig: Stage = { family: "license", reason: "after the config, which carries the old license" };
  if (decidesWhoLogsIn(config)) {
    const last: Stage = { family: "config", reason: "last, because it decides who may log in" };
    return [...resourcesInOrder, last, afterConfig];
  }
  const first: Stage = { family: "config", reason: "first, so that a refusal leaves nothing half-done" };
  return [first, afterConfig, ...resourcesInOrder];
}

/**
 * The changes of one family where one request cannot make them all: first what a changed entry will refer to, last
 * what it no longer refers to. A renamed entry so exists twice for a while, and is never missing.
 */
export function orderCut(changes: readonly Change[]): readonly Change[] {
  const of = (wanted: Action) => changes.filter(({ action }) => action === wanted);
  return [
    ...mentionedFirst(of("create"), ({ after }) => after),
    ...of("update"),
    ...mentionedFirst(of("delete"), ({ before }) => before).reverse(),
  ];
}

/** Each after those of its own family that its value mentions; in a cycle, after all but one. */
function mentionedFirst(changes: readonly Change[], given: (change: Change) => Fields | undefined): Change[] {
  const waiting = new Map(changes.map((change) => [change.name, change]));
  const mentioned = (change: Change): readonly string[] => {
    const { family, name } = change;
    const value = given(change);
    if (value === undefined || !isResourceFamily(family)) return [];
    return listMentions({ family, name, value }).flatMap((mention) => (mention.to === family ? [mention.name] : []));
  };
  const done = new Set<Change>();
  for (const change of changes) {
    // Its own stack: a chain of groups may be longer than that of the machine.
    const stack = [change];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const isNew = waiting.delete(top.name);
      const before = isNew ? mentioned(top).flatMap((name) => waiting.get(name) ?? []) : [];
      stack.push(...before);
      if (before.length === 0) {
        stack.pop();
        done.add(top);
      }
    }
  }
  return [...done];
}

function decidesWhoLogsIn(config: Change): boolean {
  return config.edits.some(({ path }) => path[0] !== "dynamic" || path[1] === undefined || loginChildren.has(path[1]));
}
