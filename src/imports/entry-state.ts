// `state: absent` and `state: present`, as roles and modules of Ansible have them beside the fields of an entry.
import { isObject } from "../json/value.ts";
import { addLeftOut, createImportedAddress, type FoundEntry, type ImportFindings } from "./findings.ts";
import { holdsPlaceholder } from "./placeholders.ts";

/** Leaves out entries that are not to exist; what is to exist has no state. */
export function takeStates(findings: ImportFindings): void {
  findings.entries = findings.entries.flatMap((entry) => takeState(entry, findings));
}

const absent =
  "state: absent is not copied: what no file declares is deleted once its resource type is managed without mode: adopt";
const unknown = "whether it is to exist depends on a variable: declare it where it is to, and leave it out elsewhere";

function takeState(entry: FoundEntry, findings: ImportFindings): readonly FoundEntry[] {
  if (!isObject(entry.body) || typeof entry.body.state !== "string") return [entry];
  const { state, ...body } = entry.body;
  if (state === "present") return [{ ...entry, body }];
  if (state !== "absent" && !holdsPlaceholder(state)) return [entry];
  addLeftOut(findings, createImportedAddress(entry), state === "absent" ? absent : unknown, entry.place);
  return [];
}
