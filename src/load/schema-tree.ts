import { memoiseByKey } from "../json/memoise.ts";
import { readSchema } from "./schemas.ts";

/** As much of a JSON Schema as editors complete by. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly oneOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
}

/** A schema, and the file in which its references are. */
interface Placed {
  readonly schema: SchemaNode;
  readonly file: string;
}

const parseSchema = memoiseByKey((name: string): SchemaNode => JSON.parse(readSchema(name)));

/**
 * What is described of a value: all that may apply to it.
 *
 * @param path keys from the top down; `-` for an item of a list
 */
export function findSchemas(name: string, path: readonly string[]): readonly SchemaNode[] {
  let all = spread({ schema: parseSchema(name), file: name });
  for (const key of path) all = all.flatMap((one) => descend(one, key)).flatMap(spread);
  return all.map(({ schema }) => schema);
}

function descend({ schema, file }: Placed, key: string): readonly Placed[] {
  const { properties, additionalProperties, items } = schema;
  if (key === "-") return items ? [{ schema: items, file }] : [];
  const own = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (own) return [{ schema: own, file }];
  return typeof additionalProperties === "object" ? [{ schema: additionalProperties, file }] : [];
}

/** With what it refers to, and each of its alternatives. */
function spread({ schema, file }: Placed): readonly Placed[] {
  const { $ref, oneOf = [], anyOf = [], allOf = [] } = schema;
  const others = [...oneOf, ...anyOf, ...allOf].flatMap((one) => spread({ schema: one, file }));
  if ($ref === undefined) return [{ schema, file }, ...others];
  const [document = "", pointer = ""] = $ref.split("#");
  const there = document === "" ? file : document.replace(/\.schema\.json$/, "");
  const target = pointer.split("/").filter(Boolean).reduce<unknown>(member, parseSchema(there)) as SchemaNode;
  return [{ schema, file }, ...spread({ schema: target, file: there }), ...others];
}

function member(parent: unknown, name: string): unknown {
  return (parent as Readonly<Record<string, unknown>>)[name];
}
