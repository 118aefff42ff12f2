// What a server would hold after the requests so far.
import { createDiagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { Family } from "../model/names.ts";
import { findMapEntry, type Node, toValue } from "../model/node.ts";
import { addLeftOut, createImportedAddress, type FoundEntry, type ImportFindings, replacedWhy } from "./findings.ts";

/** By address. */
export type ImportedState = Map<string, FoundEntry>;

export function putEntry(
  family: Family,
  name: string,
  body: Node,
  held: ImportedState,
  findings: ImportFindings,
): void {
  const address = createImportedAddress({ family, name });
  if (body.kind !== "map") {
    findings.diagnostics.push(refuseBody(body, "The body of a PUT is a map of fields."));
    return;
  }
  if (name === "" && family !== "config") {
    addLeftOut(findings, `PUT ${family}`, "it names no entry", body);
    return;
  }
  const earlier = held.get(address);
  if (earlier) addLeftOut(findings, address, replacedWhy, earlier.place);
  held.set(address, { family, name, body: toValue(family === "config" ? unwrapConfig(body) : body), place: body });
}

/** `{config: {dynamic: …}}` and its like as what is below. */
function unwrapConfig(body: Node): Node {
  for (const key of ["config", "sg_config", "gate_config"]) {
    const below = findMapEntry(body, key)?.value;
    if (findMapEntry(below, "dynamic") && below) return below;
  }
  return body;
}

export function refuseBody(place: SourceRange, what: string) {
  return createDiagnostic(place, "wrong-type", {
    what,
    why: "What this request would do is unknown.",
    fix: "Correct the request, or take it out of the input.",
  });
}
