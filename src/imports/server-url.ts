// The URL of the server that inputs are for.
import { findMapEntry, type MapNode, type Node } from "../model/node.ts";
import type { ImportFindings } from "./findings.ts";
import { readText } from "./node-text.ts";
import { expandPlaceholders } from "./placeholders.ts";

/** Of a text that is nothing else, without the login in it. A default is the value, as the script itself has it. */
export function addServerUrl(text: string, { urls }: ImportFindings): void {
  const known = expandPlaceholders(text, ({ fallback, written }) => fallback || written);
  const [, scheme, host] = /^(https?:\/\/)(?:[^/@]*@)?((?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?)\/*$/i.exec(known) ?? [];
  if (scheme !== undefined && host !== undefined) urls.add(`${scheme}${host}`.toLowerCase());
}

/** What the configuration in a plan of Terraform says of the providers. */
export function addProviderUrls(output: MapNode, findings: ImportFindings): void {
  const providers = findIn(output, "configuration", "provider_config");
  if (providers?.kind !== "map") return;
  for (const { value } of providers.entries) {
    const url = findIn(value, "expressions", "url");
    if (url && /^(?:opensearch|elasticsearch)$/.test(readText(value, "name") ?? ""))
      addServerUrl(readExpression(url, output) ?? "", findings);
  }
}

/** A constant, or a variable of which the plan has the value. */
function readExpression(expression: Node, output: MapNode): string | undefined {
  const references = findIn(expression, "references");
  const [first] = references?.kind === "list" ? references.items : [];
  const [, name] = /^var\.([\w-]+)$/.exec(first?.kind === "scalar" ? String(first.value) : "") ?? [];
  const variable = name === undefined ? undefined : findIn(output, "variables", name);
  return readText(expression, "constant_value") ?? (variable && readText(variable, "value"));
}

function findIn(node: Node, ...keys: readonly string[]): Node | undefined {
  return keys.reduce<Node | undefined>((below, key) => findMapEntry(below, key)?.value, node);
}
