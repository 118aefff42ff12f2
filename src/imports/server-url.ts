// The URL of the server that inputs are for.
import { findMapEntry, type MapNode, type Node } from "../model/node.ts";
import type { ImportFindings } from "./findings.ts";
import { readText } from "./node-text.ts";
import { expandPlaceholders } from "./placeholders.ts";

/** Of a text that is nothing else, without the login in it. A default is the value, as the script itself has it. */
export function addServerUrl(text: string, findings: ImportFindings): void {
  const known = expandPlaceholders(
    text,
    ({ name, source, fallback, written }) => fallback || (source === "" && findOnlyText(name, findings)) || written,
  );
  const [, scheme, host] = /^(https?:\/\/)(?:[^/@]*@)?((?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?)\/*$/i.exec(known) ?? [];
  if (scheme !== undefined && host !== undefined) findings.urls.add(`${scheme}${host}`.toLowerCase());
}

/** What all inputs give to a variable of Ansible. */
function findOnlyText(name: string, { given }: ImportFindings): string | undefined {
  const [text, ...others] = new Set(given.filter((one) => one.name === name).map((one) => one.text));
  return others.length === 0 ? text : undefined;
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
