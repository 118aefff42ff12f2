import { readSchema } from "./schemas.ts";

/** A key of gate-sync.yaml or of state files, as the JSON Schemas describe it. */
export interface SchemaKey {
  /** Dotted; `NAME` is in place of a name of the user's own: `targets.NAME.timeouts.read`. */
  readonly path: string;
  readonly description: string;
  /** As JSON. */
  readonly byDefault?: string;
  readonly values?: readonly string[];
  /** As JSON. */
  readonly example?: string;
}

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

/** Whose schema it is: a `$ref` without a file is within that file. */
interface Visit {
  readonly schema: Schema;
  readonly file: string;
  readonly path: readonly string[];
}

/**
 * Every key that a schema and those that it refers to describe, each once, by its shortest path. Keys of what several
 * neighbours refer to, such as a policy that any family may have, are at `NAME` too.
 */
export function listSchemaKeys(name: string): readonly SchemaKey[] {
  const files = new Map<string, Schema>();
  const read = (file: string): Schema => {
    const known = files.get(file) ?? (JSON.parse(readSchema(file)) as Schema);
    files.set(file, known);
    return known;
  };
  const resolve = ({ schema, file, path }: Visit): Visit => {
    if (schema.$ref === undefined) return { schema, file, path };
    const [document = "", pointer = ""] = schema.$ref.split("#");
    const there = document === "" ? file : document.replace(/\.schema\.json$/, "");
    const target = pointer.split("/").filter(Boolean).reduce<unknown>(member, read(there));
    return resolve({ schema: target as Schema, file: there, path });
  };
  const keys: SchemaKey[] = [];
  const visited = new Set<Schema>();
  // Breadth first, so that the shortest path is found first.
  const queue: Visit[] = [{ schema: read(name), file: name, path: [] }];
  for (const visit of queue) {
    const { schema, file, path } = resolve(visit);
    if (visited.has(schema)) continue;
    visited.add(schema);
    const within = (child: Schema, step?: string): Visit => ({
      schema: child,
      file,
      path: step === undefined ? path : [...path, step],
    });
    const properties = Object.entries(schema.properties ?? {});
    for (const [key, property] of properties) {
      const resolved = resolve(within(property)).schema;
      keys.push(describeKey([...path, key], { ...resolved, ...property }));
      queue.push(within(property, isShared(property, properties) ? "NAME" : key));
    }
    if (typeof schema.additionalProperties === "object") queue.push(within(schema.additionalProperties, "NAME"));
    if (schema.items) queue.push(within(schema.items));
    for (const choice of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) queue.push(within(choice));
  }
  return keys;
}

function member(parent: unknown, name: string): unknown {
  return (parent as Readonly<Record<string, unknown>>)[name];
}

function isShared({ $ref }: Schema, neighbours: readonly (readonly [string, Schema])[]): boolean {
  return $ref !== undefined && neighbours.filter(([, other]) => other.$ref === $ref).length > 1;
}

/** On one line, with spaces at which it may be wrapped. */
function formatExample(example: unknown): string {
  return JSON.stringify(example, null, 1).replace(/\n */g, " ");
}

function describeKey(path: readonly string[], schema: Schema): SchemaKey {
  const [example] = schema.examples ?? [];
  return {
    path: path.join("."),
    description: schema.description ?? "",
    ...(schema.default !== undefined && { byDefault: JSON.stringify(schema.default) }),
    ...(schema.enum && { values: schema.enum.map(String) }),
    ...(example !== undefined && { example: formatExample(example) }),
  };
}
