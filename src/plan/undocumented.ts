import type { Dialect } from "../dialects/dialect.ts";
import type { Field } from "../families/facts.ts";
import { factsOf, getNoun } from "../families/index.ts";
import { type Fields, isList, isObject } from "../json/value.ts";
import type { Change } from "../model/change.ts";
import { resourceFamilies } from "../model/names.ts";

/** One note per family that is sent fields which real servers know and the documentation of `gate` does not. */
export function listUndocumentedFields(pending: readonly Change[], dialect: Dialect): readonly string[] {
  if (dialect.product !== "gate") return [];
  return resourceFamilies.flatMap((family) => {
    const facts = factsOf[family].fields;
    const used = new Set(
      pending
        .filter((change) => change.family === family && change.after)
        .flatMap((change) => undocumentedIn(change.after ?? {}, facts)),
    );
    if (used.size === 0) return [];
    const list = [...used].sort().join(", ");
    return [`${list}: sent with ${getNoun(family, 2)}, though the API's documentation does not name it.`];
  });
}

function undocumentedIn(value: Fields, facts: Readonly<Record<string, Field>>): readonly string[] {
  return Object.entries(value).flatMap(([name, item]) => {
    const field = Object.hasOwn(facts, name) ? facts[name] : undefined;
    if (field && !field.documented) return [name];
    const elements = field?.element && isList(item) ? item.filter(isObject) : [];
    return elements.flatMap((element) => undocumentedIn(element, field?.element ?? {}));
  });
}
