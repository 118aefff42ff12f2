import { isList, isObject } from "../json/value.ts";
import { toValue } from "../model/node.ts";
import type { Repository } from "../model/repository.ts";
import type { Waiver } from "../model/waiver.ts";

/** The waivers of all state files, in their order; invalid ones were reported by the schema. */
export function parseWaivers({ documents }: Repository): readonly Waiver[] {
  return documents.flatMap(({ waivers }) => {
    if (waivers?.kind !== "list") return [];
    return waivers.items.flatMap((node) => {
      const written = toValue(node);
      if (!isObject(written)) return [];
      const { rule, addresses, reason, until } = written;
      if (typeof rule !== "string" || typeof reason !== "string" || !isList(addresses)) return [];
      const named = addresses.filter((address) => typeof address === "string");
      const end = typeof until === "string" ? { until } : {};
      return [{ rule, addresses: named, reason, ...end, origin: node }];
    });
  });
}
