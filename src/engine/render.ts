import { exportDesired, exportOthers } from "../artifacts/exported/declared.ts";
import { createKeptReferences } from "../artifacts/exported/references.ts";
import { getPosition } from "../diagnostics/source.ts";
import { Secret } from "../json/secret.ts";
import { parseIgnores } from "../lint/ignores.ts";
import type { Node } from "../model/node.ts";
import type { RenderedState } from "../model/rendered-state.ts";
import type { Repository } from "../model/repository.ts";
import { listOverriddenFields } from "../normalise/overridden-fields.ts";
import { chooseOffline } from "../validate/offline-product.ts";
import { openRepository, openTarget, stopAtErrors } from "./open.ts";
import { checkFiles } from "./pipeline/checked-files.ts";
import type { RunRequest } from "./request.ts";

/**
 * The state that the target ends up with, as state files that mean the same. No server is asked, no program is run, and no
 * secret is looked up.
 *
 * @throws RunError `invalid` where the files have errors
 */
export async function renderState(request: RunRequest): Promise<RenderedState> {
  const target = await openTarget(request, "leave");
  const opened = await openRepository(target, request, "leave");
  const { repository } = opened;
  const { dialect, by, title } = chooseOffline(target, repository);
  const files = checkFiles(opened, dialect, target);
  stopAtErrors([...opened.diagnostics, ...files.diagnostics], "Nothing is shown, as it may not be what is meant.");
  const references = createKeptReferences(request.cwd);
  const documents = exportDesired(files.desired, dialect, listOverriddenFields(repository), references);
  return {
    target: target.name,
    evaluatedFor: title,
    // A run about some families shows just these.
    documents: request.families ? documents : [...documents, ...exportOthers(repository)],
    leftOut: [
      ...(by === "target"
        ? []
        : [`what shows the product: the target that reads this needs product: ${dialect.product}`]),
      ...references.variables.map((name) => `a secret that is written out in a file, for \${env:${name}}`),
      ...listDefaults(repository),
      ...(request.families ? ["personas, access tests and waivers, as single resource types were asked for"] : []),
      ...describeIgnores(repository),
    ],
    notices: repository.notices,
  };
}

/** A default is a secret like the value that it replaces. */
function listDefaults({ documents }: Repository): readonly string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (node.kind === "list") node.items.forEach(visit);
    else if (node.kind === "map") for (const { value } of node.entries) visit(value);
    else if (node.value instanceof Secret && node.value.source !== undefined) {
      const { file, start, end, value } = node;
      if (/\$\{env:[^}]*:-/.test(file.text.slice(start, end)))
        found.push(`the default of ${value.reference} (${file.path}:${getPosition(file, start).line})`);
    }
  };
  for (const { sections } of documents)
    for (const { family, node } of sections) if (family === "config" || family === "license") visit(node);
  return found;
}

function describeIgnores({ documents }: Repository): readonly string[] {
  const { length } = parseIgnores(documents).ignores;
  if (length === 0) return [];
  const comments =
    length === 1
      ? "1 gate-sync-ignore comment: what it silences"
      : `${length} gate-sync-ignore comments: what they silence`;
  return [`${comments} is reported again`];
}
