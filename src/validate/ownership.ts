import { type Diagnostic, diagnosticAt } from "../diagnostics/diagnostic.ts";
import { factsOf, nounOf } from "../families/index.ts";
import { equal } from "../json/value.ts";
import type { DesiredResource } from "../model/desired.ts";
import type { LiveResource, LiveState } from "../model/live.ts";
import { entryOf } from "../model/node.ts";

/** Declared entries that are the server's own, or say so, and are not as the server has them. */
export function differencesFromServer(
  resources: readonly DesiredResource[],
  live: LiveState | undefined,
): readonly Diagnostic[] {
  return resources.flatMap((resource) => {
    const family = live?.resources.get(resource.family);
    if (!family) return [];
    const held = family.get(resource.name);
    if (resource.serverOwned) return serverOwned(resource, held);
    return held && held.ownership !== "open" ? reserved(resource, held) : [];
  });
}

function reserved(resource: DesiredResource, held: LiveResource): readonly Diagnostic[] {
  const fields = differingFields(resource, held);
  if (fields.length === 0) return [];
  return [
    diagnosticAt(resource.origin, "reserved-differs", {
      what: `${subjectOf(resource)} is ${held.ownership} on the server, and declared with other ${fields.join(", ")}.`,
      why: `The server lets nobody write what is ${held.ownership}.`,
      fix: "Declare it under another name, or take it out; `reserved: true` says that it is the server's.",
    }),
  ];
}

function serverOwned(resource: DesiredResource, held: LiveResource | undefined): readonly Diagnostic[] {
  // Nobody can see a hidden entry, so that its absence says nothing.
  if (!held && isHidden(resource)) return [];
  const fields = held ? differingFields(resource, held) : [];
  if (held && fields.length === 0) return [];
  const difference = held ? `differs on the server in ${fields.join(", ")}` : "is not on the server";
  return [
    diagnosticAt(resource.origin, "server-owned", {
      what: `${subjectOf(resource)} is marked as the server's own, and ${difference}.`,
      why: "gate-sync never writes such an entry.",
      fix: held
        ? "Take it out, or copy it under another name without its flags to have it written."
        : "Take its flags out to have it written, or take it out.",
    }),
  ];
}

/** Known fields, and unknown ones that are declared; of the rest an update would keep what the server has. */
function differingFields({ family, value }: DesiredResource, held: LiveResource): readonly string[] {
  const fields = new Set([...Object.keys(factsOf[family].fields), ...Object.keys(value)]);
  return [...fields].filter((field) => !equal(value[field], held.value[field]));
}

export function isHidden({ node }: Pick<DesiredResource, "node">): boolean {
  const flag = entryOf(node, "hidden")?.value;
  return flag?.kind === "scalar" && flag.value === true;
}

function subjectOf({ family, name }: DesiredResource): string {
  return `The ${nounOf(family)} ${JSON.stringify(name)}`;
}
