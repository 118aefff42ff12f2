import { Secret } from "../../json/secret.ts";
import { type Address, createAddress, type Family, isResourceFamily } from "../../model/names.ts";
import type { Node } from "../../model/node.ts";
import type { Repository } from "../../model/repository.ts";
import type { WrittenSince } from "../../model/since.ts";
import { applyOverrides } from "../../normalise/overrides.ts";

/** Entries that the files have now and had not then, those that they write otherwise, and those that they have no more. */
export function compareWritten(then: Repository, now: Repository, families: ReadonlySet<Family>): WrittenSince {
  const [before, after] = [applyOverrides(then).repository, now].map((one) => collectEntries(one, families)) as [
    ReadonlyMap<Address, string>,
    ReadonlyMap<Address, string>,
  ];
  return {
    added: [...after.keys()].filter((address) => !before.has(address)),
    changed: [...after].flatMap(([address, text]) => ((before.get(address) ?? text) === text ? [] : [address])),
    removed: [...before.keys()].filter((address) => !after.has(address)),
  };
}

function collectEntries({ documents }: Repository, families: ReadonlySet<Family>): ReadonlyMap<Address, string> {
  const sections = documents.flatMap((document) => document.sections);
  return new Map(
    sections
      .filter(({ family }) => isResourceFamily(family) && families.has(family))
      .flatMap(({ family, entries }) =>
        entries.map(({ key, value }) => [createAddress(family, key), formatNode(value)]),
      ),
  );
}

/** The same for what is written alike, in whatever order and layout; of a secret its reference. */
function formatNode(node: Node): string {
  switch (node.kind) {
    case "map":
      return `{${node.entries
        .map(({ key, value }) => `${JSON.stringify(key)}:${formatNode(value)}`)
        .toSorted()
        .join()}}`;
    case "list":
      return `[${node.items.map(formatNode).join()}]`;
    case "scalar":
      return JSON.stringify(node.value instanceof Secret ? { reference: node.value.reference } : node.value);
  }
}
