import { Secret } from "../json/secret.ts";
import { type KnownSecrets, secretsIn } from "../json/slots.ts";
import { type Fields, isList, isObject, isText, text, type Value } from "../json/value.ts";
import type { Change } from "../model/change.ts";
import type { DesiredState } from "../model/desired.ts";
import { type Address, addressOf, isResourceFamily } from "../model/names.ts";

/**
 * Entries of the server that have as plain text what the repository keeps secret of another entry: one that is deleted
 * as a rule, for it had that secret under its old name.
 *
 * @param declared all that the files declare, of whichever families the plan is
 */
export function secretsElsewhere(changes: readonly Change[], { resources }: DesiredState): readonly Address[] {
  const known = secretsIn([...resources.values()].flatMap((family) => [...family.values()].map(({ value }) => value)));
  if (known.size === 0) return [];
  return changes
    .filter((change) => isResourceFamily(change.family) && holdsUnsaid(change, known))
    .map(({ family, name }) => addressOf(family, name));
}

/**
 * The changes with such entries as they may be shown. All that a reviewed plan knows is the address, so that of these
 * every text is hidden but for what the new value says itself.
 */
export function withoutSecretsElsewhere(changes: readonly Change[], secret: ReadonlySet<Address>): readonly Change[] {
  if (secret.size === 0) return changes;
  return changes.map((change) => {
    const isNamed = isResourceFamily(change.family) && secret.has(addressOf(change.family, change.name));
    return isNamed ? withOldTextsHidden(change) : change;
  });
}

/** What stood there, but for what the new value says itself. */
export function withOldTextsHidden(change: Change): Change {
  const { before, after, edits } = change;
  if (before === undefined) return change;
  const said = new Set(after ? textsIn(after) : []);
  return {
    ...change,
    before: hidden(before, said) as Fields,
    edits: edits.map((edit) => (edit.before === undefined ? edit : { ...edit, before: hidden(edit.before, said) })),
  };
}

function holdsUnsaid({ before, after }: Change, known: KnownSecrets): boolean {
  const found = before ? textsIn(before).filter((each) => known.has(each)) : [];
  if (found.length === 0) return false;
  const said = new Set(after ? textsIn(after) : []);
  return found.some((each) => !said.has(each));
}

/** Members of lists are names and patterns, in which no secret may stand. */
function textsIn(value: Value): readonly string[] {
  if (isList(value)) return value.flatMap((item) => (isText(item) ? [] : textsIn(item)));
  if (isObject(value)) return Object.values(value).flatMap(textsIn);
  return isText(value) && text(value) !== "" ? [text(value)] : [];
}

function hidden(value: Value, said: ReadonlySet<string>): Value {
  if (isList(value)) return value.map((item) => (isText(item) ? item : hidden(item, said)));
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hidden(item, said)]));
  }
  return typeof value === "string" && value !== "" && !said.has(value) ? new Secret("live", value) : value;
}
