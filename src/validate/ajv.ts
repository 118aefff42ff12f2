// The adapter of ajv: its errors, from validators compiled at build time, in gate-sync's own wording.

import type { ErrorObject } from "ajv";
import * as compiled from "#validators";
import { fromPointer } from "../json/pointer.ts";
import { Secret } from "../json/secret.ts";
import { type Node, toObject } from "../model/node.ts";

const validators = { ...compiled };

/** A schema of `schemas/`, by the name of its function. */
export type SchemaName = keyof typeof validators;

/** One thing that is wrong with the shape of a value, and where. */
export interface ShapeError {
  /** Map keys and list positions from the root. */
  readonly path: readonly string[];
  readonly problem: ShapeProblem;
  readonly schema: SchemaFacts;
}

export type ShapeProblem =
  | { readonly kind: "unknown-field"; readonly field: string }
  | { readonly kind: "bad-name"; readonly name: string }
  | { readonly kind: "missing-field"; readonly field: string }
  | { readonly kind: "exclusive-fields"; readonly fields: readonly string[] }
  | { readonly kind: "type"; readonly expected: readonly string[] }
  | { readonly kind: "enum"; readonly allowed: readonly string[] }
  | { readonly kind: "form" }
  | { readonly kind: "limit"; readonly limit: string };

/** What a message may need of the schema that was not met. */
export interface SchemaFacts {
  /** What the value is, in words: `Index permission`. */
  readonly title?: string;
  readonly description?: string;
  readonly example?: string;
  /** The fields it describes. */
  readonly fields: readonly string[];
}

/** Everything that a schema finds wrong, in the order of the schema; empty where the shape is right. */
export function findShapeErrors(schema: SchemaName, root: Node): readonly ShapeError[] {
  const validate = validators[schema];
  if (validate(plainValue(root))) return [];
  // `if` only says that one of its branches failed, which has an error of its own; a bad name has one for the whole map.
  return (validate.errors ?? [])
    .filter(({ keyword, propertyName }) => keyword !== "if" && propertyName === undefined)
    .map(shapeError);
}

function shapeError(error: ErrorObject): ShapeError {
  return {
    path: fromPointer(error.instancePath),
    problem: problemOf(error),
    schema: factsOf(error.parentSchema ?? {}),
  };
}

function problemOf({ keyword, params, schema }: ErrorObject): ShapeProblem {
  switch (keyword) {
    case "additionalProperties":
      return { kind: "unknown-field", field: String(params.additionalProperty) };
    case "propertyNames":
      return { kind: "bad-name", name: String(params.propertyName) };
    case "required":
    case "dependentRequired":
      return { kind: "missing-field", field: String(params.missingProperty) };
    case "not":
      return { kind: "exclusive-fields", fields: textsIn((schema as { required?: unknown }).required) };
    case "type":
      return { kind: "type", expected: textsIn(params.type) };
    case "enum":
      return { kind: "enum", allowed: textsIn(params.allowedValues) };
    case "minimum":
    case "maximum":
      return { kind: "limit", limit: `${keyword === "minimum" ? "at least" : "at most"} ${params.limit}` };
    default:
      // `pattern`: the schema's description says what the string should look like, not the expression.
      return { kind: "form" };
  }
}

function factsOf(schema: Readonly<Record<string, unknown>>): SchemaFacts {
  const { title, description, examples, properties } = schema;
  const [example] = textsIn(examples);
  return {
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { description }),
    ...(example !== undefined && { example }),
    fields: typeof properties === "object" && properties !== null ? Object.keys(properties) : [],
  };
}

/** One text or several; what is not text, such as the `null` among allowed values, is of no use to a reader. */
function textsIn(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === "string");
}

/** As plain JSON, in which a secret is the text of its reference: a schema only asks whether it is text. */
function plainValue(node: Node): unknown {
  switch (node.kind) {
    case "scalar":
      return node.value instanceof Secret ? node.value.reference : node.value;
    case "list":
      return node.items.map(plainValue);
    case "map":
      return toObject(node, plainValue);
  }
}
