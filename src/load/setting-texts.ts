import type { Node } from "../model/node.ts";
import type { SettingReader } from "./setting.ts";
import type { TargetSettings } from "./target-settings.ts";

/** Where each is read, so are its references: a login or a certificate may be a secret. */
const readElsewhere: ReadonlySet<string> = new Set(["vars", "vars_files", "url", "auth", "tls", "headers"]);

/**
 * The settings with the references in texts replaced: a pattern under `exclude` that stayed as it was written would protect
 * nothing.
 *
 * @throws RunError `invalid` for a reference that cannot be replaced, and for a secret
 */
export function resolveTexts(settings: TargetSettings, read: SettingReader): TargetSettings {
  const entries = settings.entries.map((entry) =>
    readElsewhere.has(entry.key) ? entry : { ...entry, value: resolveTextsIn(entry.value, [entry.key], read) },
  );
  return { ...settings, entries };
}

function resolveTextsIn(node: Node, path: readonly string[], read: SettingReader): Node {
  switch (node.kind) {
    case "scalar":
      return typeof node.value === "string" ? { ...node, value: read.publicText(node.value, path) } : node;
    case "list":
      return { ...node, items: node.items.map((item, at) => resolveTextsIn(item, [...path, String(at)], read)) };
    case "map": {
      const entries = node.entries.map((entry) => ({
        ...entry,
        value: resolveTextsIn(entry.value, [...path, entry.key], read),
      }));
      return { ...node, entries };
    }
  }
}
