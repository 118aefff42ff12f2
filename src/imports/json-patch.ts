// JSON Patches (RFC 6902), as the products take them.
import { getPosition } from "../diagnostics/source.ts";
import { listDistinct } from "../json/collections.ts";
import { fromPointer } from "../json/pointer.ts";
import { isEqual, isObject, type Value } from "../json/value.ts";
import type { Family } from "../model/names.ts";
import { findMapEntry, type Node, toValue } from "../model/node.ts";
import type { Product } from "../model/plan.ts";
import { addLeftOut, createImportedAddress, type ImportFindings } from "./findings.ts";
import { type ImportedState, putEntry, refuseBody } from "./imported-state.ts";
import { getPatchedValue, patchValue } from "./patched-value.ts";
import { describePlaceholders } from "./placeholders.ts";

/** All operations, or none: a server takes nothing of a patch of which one fails. Why it is left; undefined where it is not. */
export function applyJsonPatch(state: Omit<Patched, "isOnly">, body: Node): string | undefined {
  const { held, findings } = state;
  if (body.kind !== "list") {
    findings.diagnostics.push(refuseBody(body, "The body of a PATCH is a list of operations."));
    return undefined;
  }
  const isOnly = body.items.length === 1;
  const patched: Patched = { ...state, isOnly, held: new Map(held), findings: { ...findings, left: [] } };
  for (const operation of body.items) {
    const failure = applyOperation(operation, patched);
    if (failure === undefined) continue;
    const { line } = getPosition(operation.file, operation.start);
    const unchanged = listDistinct(body.items.map((item) => describeAddress(item, patched)));
    return `a server takes all operations of a patch or none; in line ${line}, ${failure}. So it changes nothing here: ${unchanged.join(", ")}`;
  }
  held.clear();
  for (const [address, entry] of patched.held) held.set(address, entry);
  for (const part of patched.findings.left) findings.left.push(part);
  return undefined;
}

const operations = ["add", "replace", "remove", "move", "copy", "test"];

const ofOpenSearch = operations.slice(0, 3);

/** OpenSearch knows fewer operations than RFC 6902. */
function refuseOperation(op: string, product: Product | undefined): string | undefined {
  const known = product === "opensearch" ? ofOpenSearch : operations;
  if (!known.includes(op)) return `${op} is none of ${known.join(", ")}`;
  if (product !== undefined || ofOpenSearch.includes(op)) return undefined;
  return `${op} is unknown to OpenSearch, and nothing says which product this is for: state it with --product`;
}

/** What a patch is of, and the state after its operations so far. */
interface Patched {
  readonly family: Family;
  /** The name of the entry that the paths are in; empty where they begin with it. */
  readonly above: string;
  /** Undefined where nothing says it. */
  readonly product: Product | undefined;
  /** It has one operation, which is left by its own path then. */
  readonly isOnly: boolean;
  readonly held: ImportedState;
  readonly findings: ImportFindings;
}

/** A place in an entry. */
interface PatchedPlace {
  readonly address: string;
  readonly name: string;
  /** Empty: the whole entry. */
  readonly inner: readonly string[];
}

function findPlace(path: string, { family, above }: Patched): PatchedPlace {
  const tokens = fromPointer(path.startsWith("/") || path === "" ? path : `/${path}`);
  const [name = "", ...rest] = above === "" && family !== "config" ? tokens : [above, ...tokens];
  // Of the config, the first token is the key that it is below.
  const inner = family === "config" && /^(sg_|gate_)?config$/.test(rest[0] ?? "") ? rest.slice(1) : rest;
  return { address: createImportedAddress({ family, name }), name, inner };
}

/** Why it fails on a server, or may; undefined where it is done, or left. */
function applyOperation(operation: Node, patched: Patched): string | undefined {
  const { held, findings } = patched;
  const [op, path, from] = ["op", "path", "from"].map((key) => toText(findMapEntry(operation, key)?.value));
  if (op === undefined || path === undefined) {
    findings.diagnostics.push(refuseBody(operation, "An operation of a JSON Patch has an op and a path."));
    return undefined;
  }
  const refusal = refuseOperation(op, patched.product);
  if (refusal !== undefined) return refusal;
  const place = findPlace(path, patched);
  const node = findMapEntry(operation, "value")?.value;
  if (op === "remove") return removeAt(place, operation, patched);
  if (op === "add" || op === "replace") {
    if (!node) return "it has no value";
    if (place.inner.length > 0) return setAt(place, toValue(node), op, operation, patched);
    putEntry(patched.family, place.name, node, held, findings);
    return undefined;
  }
  if (op === "test") return testAt(place, node, patched);
  if (from === undefined) return "it has no from";
  const source = findPlace(from, patched);
  const value = findValueAt(source, held);
  if (value === undefined) return explainMissing(source, op, operation, patched);
  const failure = op === "move" ? removeAt(source, operation, patched) : undefined;
  return failure ?? setAt(place, value, op, operation, patched);
}

function describeAddress(operation: Node, patched: Patched): string {
  const path = toText(findMapEntry(operation, "path")?.value);
  return path === undefined ? "an operation without a path" : describePlaceholders(findPlace(path, patched).address);
}

const notHeld = "it changes a part of an entry that the input does not hold; gate-sync export writes the whole of it";

const notDeleted = "a deletion of what the input does not hold";

function findValueAt({ address, inner }: PatchedPlace, held: ImportedState): Value | undefined {
  const entry = held.get(address);
  return entry && getPatchedValue(entry.body, inner);
}

/**
 * An entry that the input does not hold may be on the server, or not: as of an empty server, the operation fails. One that
 * is alone is left by its path.
 */
function explainMissing(
  place: PatchedPlace,
  op: string,
  operation: Node,
  { held, findings, isOnly }: Patched,
): string | undefined {
  if (held.has(place.address)) return explainNowhere(place, op);
  const shown = describeOperation(place, op);
  if (!isOnly) return `${shown} is for an entry that the input does not hold`;
  addLeftOut(findings, shown, notHeld, operation);
  return undefined;
}

function explainNowhere(place: PatchedPlace, op: string): string {
  return `${describeOperation(place, op)} leads nowhere in the entry`;
}

function describeOperation({ address, inner }: PatchedPlace, op: string): string {
  return describePlaceholders(`${op} ${[address, ...inner].join("/")}`);
}

function removeAt(place: PatchedPlace, operation: Node, patched: Patched): string | undefined {
  const { address, inner } = place;
  const { held, findings } = patched;
  if (inner.length > 0) return setAt(place, undefined, "remove", operation, patched);
  if (!held.delete(address)) {
    // Of a whole entry that is not there, servers say that nothing is to be done.
    addLeftOut(findings, describeOperation(place, "remove"), notDeleted, operation);
    return undefined;
  }
  addLeftOut(findings, address, "deleted by a later request", operation);
  return undefined;
}

function setAt(
  place: PatchedPlace,
  value: Value | undefined,
  op: string,
  operation: Node,
  patched: Patched,
): string | undefined {
  const { address, name, inner } = place;
  const entry = patched.held.get(address);
  if (inner.length === 0 && value !== undefined) {
    patched.held.set(address, { family: patched.family, name, body: value, place: operation });
    return undefined;
  }
  if (!entry || !isObject(entry.body)) return explainMissing(place, op, operation, patched);
  const body = patchValue(entry.body, inner, value);
  if (body === undefined) return explainNowhere(place, op);
  patched.held.set(address, { ...entry, body });
  return undefined;
}

/** Fields that only the server has may be tested, too. */
function testAt(place: PatchedPlace, node: Node | undefined, patched: Patched): string | undefined {
  const value = findValueAt(place, patched.held);
  if (value === undefined) return "whether the test passes is unknown";
  return node && isEqual(value, toValue(node)) ? undefined : "the test fails";
}

function toText(node: Node | undefined): string | undefined {
  const value: Value | undefined = node?.kind === "scalar" ? node.value : undefined;
  return typeof value === "string" ? value : undefined;
}
