import { isSearched, showField } from "../../../../src/access/evaluate/fields.ts";
import type { Limits } from "../../../../src/model/access.ts";
import { documents, fields, type User } from "./fixtures.ts";

/** What a search should show of one index: fields by document, a masked one by a mark. */
export type Seen = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const masked = "(masked)";

/** By the documents that were put there, and what is left of them to be seen. */
export function expectedOf({ documents: queries, fields: rules }: Limits, user: User): Seen {
  const seen = Object.entries(documents).filter(
    ([, document]) =>
      !queries || queries.some(({ shown }) => matchesQuery(shown, withoutUnseen(document, rules), user)),
  );
  return Object.fromEntries(
    seen.map(([id, document]) => [
      id,
      Object.fromEntries(
        fields.flatMap((field) => {
          const how = showField(rules, field);
          if (how === "hidden") return [];
          return [[field, how === "shown" ? document[field] : masked]];
        }),
      ),
    ]),
  );
}

/** A query finds nothing by a field that is hidden or masked, one of DLS neither. */
function withoutUnseen(document: Document, rules: Limits["fields"]): Document {
  return Object.fromEntries(Object.entries(document).filter(([field]) => isSearched(rules, field)));
}

type Document = Readonly<Record<string, string | number>>;

/** The hits of a search, by index. What differs from what was put there is masked. */
export function shownIn(json: unknown): ReadonlyMap<string, Seen> {
  const { hits } = json as {
    hits: { hits: readonly { _index: string; _id: string; _source?: Record<string, unknown> }[] };
  };
  const byIndex = new Map<string, Record<string, Record<string, unknown>>>();
  for (const { _index, _id, _source = {} } of hits.hits) {
    const stored = documents[_id];
    if (!stored) continue;
    const shown = Object.entries(flat(_source)).map(([field, value]) => [
      field,
      value === stored[field] ? value : masked,
    ]);
    const seen = byIndex.get(_index) ?? {};
    byIndex.set(_index, { ...seen, [_id]: Object.fromEntries(shown) });
  }
  return byIndex;
}

/** Fields by their whole paths. */
function flat(source: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) =>
      typeof value === "object" && value !== null
        ? Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one])
        : [[name, value]],
    ),
  );
}

interface Query {
  readonly term?: Readonly<Record<string, unknown>>;
  readonly prefix?: Readonly<Record<string, string>>;
  readonly terms?: Readonly<Record<string, readonly unknown[]>>;
  readonly range?: { readonly level: { readonly gte: number } };
}

function matchesQuery(query: string, document: Document, { attributes }: User): boolean {
  const text = query.replace(/\$\{attr\.internal\.(\w+)\}/g, (written, name: string) => attributes[name] ?? written);
  const { term, prefix, terms, range } = JSON.parse(text) as Query;
  if (term) return Object.entries(term).every(([field, value]) => document[field] === value);
  if (prefix) return Object.entries(prefix).every(([field, value]) => String(document[field]).startsWith(value));
  if (terms) return Object.entries(terms).every(([field, values]) => values.includes(document[field] ?? null));
  return range ? Number(document.level) >= range.level.gte : true;
}
