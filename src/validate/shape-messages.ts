import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { findMeantField, findSynonym, formatSuggestion } from "../diagnostics/suggest.ts";
import { ignoredFields } from "../families/ignored.ts";
import { isResourceFamily } from "../model/names.ts";
import { findMapEntry, findNodeAt, getScalarSource, type Node } from "../model/node.ts";
import type { SchemaFacts, ShapeError } from "./ajv.ts";
import { explainRetirement, explainUnmanagedField, findOwner } from "./owners.ts";
import { describeSubjectAt, findKeyRange, findRangeAt, type ShapePlace } from "./shape-place.ts";
import { createWrongTypeDiagnostic, createWrongWordDiagnostic, describeRefusedIn } from "./type-messages.ts";
import { describeNode, formatSchemaTitle, joinAllWithAnd } from "./wording.ts";

/** The message for one wrong shape, underlined at its exact place. */
export function createShapeDiagnostic(error: ShapeError, place: ShapePlace): Diagnostic {
  const { path, problem, schema } = error;
  switch (problem.kind) {
    case "unknown-field":
      return unknownField(error, problem.field, place);
    case "bad-name":
      return createDiagnostic(findKeyRange([...path, problem.name], place), "bad-name", {
        what: `A name in ${describeSubjectAt(path, place)} is ${problem.name === "" ? "empty" : "made of spaces"}.`,
        why: "What is meant by it is unknown.",
        fix: "Give it a name.",
      });
    case "missing-field":
      return createDiagnostic(findKeyRange(path, place), "missing-field", {
        what: `${formatSchemaTitle(schema.title ?? "Map")} needs ${JSON.stringify(problem.field)}.`,
        fix: `Add ${JSON.stringify(problem.field)}.`,
      });
    case "exclusive-fields":
      return createDiagnostic(findKeyRange(path, place), "exclusive-fields", {
        what: `${joinAllWithAnd(problem.fields.map((field) => JSON.stringify(field)))} exclude each other.`,
        why: "Which of them counts would be a guess.",
        fix: "Keep one of them.",
      });
    case "type":
      return createWrongTypeDiagnostic(path, problem.expected, place);
    case "enum":
      return createWrongWordDiagnostic(path, problem.allowed, place);
    case "limit":
      return createDiagnostic(findRangeAt(path, place), "wrong-type", {
        what: `${describeSubjectAt(path, place)} must be ${problem.limit}, not ${describeNode(findNodeAt(place.root, path))}.`,
      });
    case "form":
      return createDiagnostic(findRangeAt(path, place), "wrong-type", {
        what: `${describeSubjectAt(path, place)} cannot be ${describeNode(findNodeAt(place.root, path))}.`,
        why: describeRefusedIn(place),
        ...exampleFix(schema),
      });
  }
}

function unknownField({ path, schema }: ShapeError, field: string, place: ShapePlace): Diagnostic {
  const { family } = place;
  const map = findNodeAt(place.root, path);
  const range = findMapEntry(map, field)?.keyRange ?? map;
  const inFamily = family !== undefined && isResourceFamily(family);
  const isRest = followsText(map, field);
  // The rest of a password is none to repeat.
  const named = isRest && !inFamily ? "such field" : `field ${JSON.stringify(field)}`;
  const what = `${formatSchemaTitle(schema.title ?? "Map")} has no ${named}.`;

  const retired = inFamily && path.length === place.entryDepth ? explainRetirement(field, family) : undefined;
  if (retired) {
    const severity = ignoredFields.has(field) ? "warning" : "error";
    return createDiagnostic(range, "retired-field", { what, why: retired, fix: "Take it out." }, severity);
  }

  const unmanaged = inFamily && path.length === place.entryDepth ? explainUnmanagedField(field, family) : undefined;
  if (unmanaged) return createDiagnostic(range, "unknown-field", unmanaged);

  const synonym = findSynonym(field, schema.fields);
  const owner = inFamily ? findOwner(field, family) : undefined;
  if (owner && !owner.sameFamily) {
    return createDiagnostic(range, "foreign-field", {
      what: `${what} It belongs to ${owner.where}.${formatSuggestion(synonym)}`,
      why: "A server refuses an entry that has fields of another resource type.",
      fix: synonym ? `Write ${JSON.stringify(synonym)}.` : "Move it to where it belongs, or take it out.",
    });
  }
  if (family === undefined && path.length === 0 && ofTargets.has(field)) {
    return createDiagnostic(range, "unknown-field", {
      what: `${what} It is a setting of a target.`,
      why: "At the top of the file nothing reads it.",
      fix: `Write it below the target it is for, targets: { NAME: { ${field}: … } }, or for all of them under defaults.`,
    });
  }
  const meant = isRest ? undefined : owner ? synonym : findMeantField(field, schema.fields);
  return createDiagnostic(range, "unknown-field", {
    what: what + formatSuggestion(meant),
    why:
      family === undefined
        ? "An unknown setting changes nothing."
        : "A server refuses fields it does not know, so what the line asks for would not hold.",
    fix: field.startsWith("-")
      ? `Put a space after the dash: "- ${field.slice(1)}: …".`
      : isRest
        ? "A comma ends a text between braces: if this belongs to the text before it, put the whole text in quotes."
        : owner && !synonym
          ? `It belongs to ${owner.where}: look at the indentation.`
          : fixOf(meant, schema.fields, family !== undefined),
  });
}

/** Settings of one cluster, which people write at the top of gate-sync.yaml. */
const ofTargets: ReadonlySet<string> = new Set(
  (
    "url product release auth username password tls timeouts headers proxy max_body_size apply_as admin_certificate admin_roles api_keys compare_hashes " +
    "state vars families protect lint fail_on accept_fields"
  ).split(" "),
);

/** `{ description: Payments, refunds }`: words without a colon, after a text without quotes. */
function followsText(map: Node, field: string): boolean {
  if (map.kind !== "map" || map.file.text[map.start] !== "{") return false;
  const at = map.entries.findIndex(({ key }) => key === field);
  const [before, entry] = [map.entries[at - 1]?.value, map.entries[at]];
  if (entry?.value.kind !== "scalar" || entry.value.value !== null || getScalarSource(entry.value) !== "") return false;
  const { file, end } = entry.keyRange;
  const isBare = /[,}\s]/.test(file.text.charAt(end));
  return (
    isBare && before?.kind === "scalar" && typeof before.value === "string" && !/^["']/.test(getScalarSource(before))
  );
}

function fixOf(meant: string | undefined, known: readonly string[], isState: boolean): string {
  if (meant) return `Write ${JSON.stringify(meant)}.`;
  const choice = known.length > 0 ? `Known here: ${known.join(", ")}. ` : "";
  if (!isState) return choice === "" ? "Take it out." : choice.trim();
  return `${choice}What only a newer server knows is admitted by accept_fields of the target.`;
}

function exampleFix({ description, example }: SchemaFacts): { readonly fix?: string } {
  if (!description) return {};
  return { fix: example ? `${description} For example: ${example}` : description };
}
