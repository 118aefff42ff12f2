import { isFormer } from "../dialects/config-fields.ts";
import { withTypedPlaces } from "../dialects/config-texts.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { licenseChild } from "../families/config.ts";
import { withSortedKeys } from "../json/canonical.ts";
import { plainTextReference } from "../json/secret.ts";
import { type Fields, isObject, type Value } from "../json/value.ts";
import { hideSecrets } from "../secrets/config-fields.ts";

/** A config as written to `{ dynamic: … }` in the product's words; only what the file declares. */
export function canonicaliseConfig(dialect: Dialect, written: Value): Fields {
  const dynamic = isObject(written) && isObject(written.dynamic) ? written.dynamic : {};
  const children = Object.entries(dynamic)
    // Null declares nothing; the license inside a config is changed by its own endpoint alone.
    .filter(([name, child]) => child !== null && name !== licenseChild && !isFormer(dialect, name))
    .map(([name, child]): [string, Value] => [
      inWordsOf(dialect, name),
      name === "authc" || name === "authz" ? withoutForgotten(dialect, child) : withoutFormer(dialect, name, child),
    ]);
  const declared = { dynamic: withSortedKeys(Object.fromEntries(children)) };
  const typed: Fields = dialect.config.texts ? withTypedPlaces(declared) : declared;
  return { dynamic: hideSecrets(typed.dynamic ?? {}, "", plainTextReference) };
}

function withoutForgotten({ config: { forgets } }: Dialect, domains: Value): Value {
  if (!forgets || !isObject(domains)) return domains;
  const remembered = (domain: Value) =>
    isObject(domain)
      ? Object.fromEntries(Object.entries(domain).filter(([field]) => !forgets.includes(field)))
      : domain;
  return Object.fromEntries(Object.entries(domains).map(([name, domain]) => [name, remembered(domain)]));
}

function withoutFormer(dialect: Dialect, name: string, child: Value): Value {
  if ((name !== "kibana" && name !== "dashboard") || !isObject(child)) return child;
  return Object.fromEntries(Object.entries(child).filter(([field]) => !isFormer(dialect, field)));
}

function inWordsOf(dialect: Dialect, name: string): string {
  return name === "kibana" || name === "dashboard" ? dialect.config.dashboard : name;
}
