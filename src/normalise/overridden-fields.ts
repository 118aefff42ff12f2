import { type Address, createAddress, isResourceFamily } from "../model/names.ts";
import { findMapEntry, isNullNode } from "../model/node.ts";
import type { RenderedOverride } from "../model/rendered-state.ts";
import type { Repository } from "../model/repository.ts";
import { listConfigLeaves } from "./config-overrides.ts";

/** Each field that some file lays over an entry, in the order of the files. */
export function listOverriddenFields({ documents }: Repository): ReadonlyMap<Address, readonly RenderedOverride[]> {
  const found = new Map<Address, RenderedOverride[]>();
  const add = (address: Address, override: RenderedOverride): void => {
    const known = found.get(address);
    if (known) known.push(override);
    else found.set(address, [override]);
  };
  for (const { overrides } of documents) {
    for (const { key: family, value: entries } of overrides?.kind === "map" ? overrides.entries : []) {
      if (!isResourceFamily(family) || entries.kind !== "map") continue;
      for (const { key: name, value: fields } of entries.entries) {
        if (fields.kind !== "map") continue;
        for (const { key, keyRange } of fields.entries)
          add(createAddress(family, name), { ...parseFieldName(key), place: keyRange });
      }
    }
    const config = findMapEntry(overrides, "config")?.value;
    if (config && !isNullNode(config))
      for (const [path, { keyRange }] of listConfigLeaves(config, []))
        add(createAddress("config", "config"), { path: path.split("\0"), does: "replace", place: keyRange });
  }
  return found;
}

function parseFieldName(key: string): Omit<RenderedOverride, "place"> {
  const [, sign, field = ""] = /^([+-]?)(.*)$/s.exec(key) ?? [];
  return { path: [field], does: sign === "+" ? "add" : sign === "-" ? "remove" : "replace" };
}
