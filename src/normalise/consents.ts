import { isList, isObject } from "../json/value.ts";
import type { Consent } from "../model/consent.ts";
import { writtenValue } from "../model/node.ts";
import type { Repository } from "../model/repository.ts";

/** Those of all state files, in their order; what is no consent was told by its schema. */
export function consentsOf({ documents }: Repository): readonly Consent[] {
  return documents.flatMap(({ consents }) => {
    if (consents?.kind !== "list") return [];
    return consents.items.flatMap((node) => {
      const written = writtenValue(node);
      if (!isObject(written)) return [];
      const { rule, addresses, reason, until } = written;
      if (typeof rule !== "string" || typeof reason !== "string" || !isList(addresses)) return [];
      const named = addresses.filter((address) => typeof address === "string");
      const end = typeof until === "string" ? { until } : {};
      return [{ rule, addresses: named, reason, ...end, origin: node }];
    });
  });
}
