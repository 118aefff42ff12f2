import type { Node, ScalarNode } from "../model/node.ts";

/**
 * gate-sync.yaml as letters may repeat it: what stands there in place of a reference to a secret is stars, and so is a
 * login in an address. Places and types stay as they are.
 */
export function repeatable(node: Node, path: readonly string[] = []): Node {
  switch (node.kind) {
    case "map":
      return {
        ...node,
        entries: node.entries.map((entry) => ({ ...entry, value: repeatable(entry.value, [...path, entry.key]) })),
      };
    case "list":
      return { ...node, items: node.items.map((item) => repeatable(item, path)) };
    case "scalar":
      return repeatableScalar(node, path);
  }
}

function repeatableScalar(node: ScalarNode, [section, , setting, ...rest]: readonly string[]): ScalarNode {
  if (section !== "targets" || setting === undefined || node.source.includes("${")) return node;
  if (setting === "url") return withText(node, withoutLogin);
  const isSecret =
    setting === "headers" || /^(auth\.(password|token)|tls\.passphrase)$/.test([setting, ...rest].join("."));
  return isSecret ? withText(node, (text) => "*".repeat(text.length)) : node;
}

function withText(node: ScalarNode, change: (text: string) => string): ScalarNode {
  const value = typeof node.value === "string" ? change(node.value) : node.value;
  return { ...node, value, source: change(node.source) };
}

function withoutLogin(text: string): string {
  return text.replace(/[^\s/"']*@/, (login) => `${"*".repeat(login.length - 1)}@`);
}
