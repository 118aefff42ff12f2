import type { Random } from "./random.ts";

const teams = [
  "payroll",
  "billing",
  "ops",
  "search",
  "fraud",
  "hr",
  "data-lake",
  "mobile",
  "sre",
  "audit",
  "web",
  "risk",
];
const jobs = [
  "reader",
  "writer",
  "admin",
  "analyst",
  "ingest",
  "dashboard",
  "oncall",
  "export",
  "support",
  "kibana_user",
];

/** Names that break tools: pointers, URLs, plain objects, wildcards, YAML, sorting. */
export const nastyNames: readonly string[] = [
  "a/b",
  "/",
  "a%2Fb",
  "100%",
  "dot.ted.name",
  ".",
  "..",
  "two words",
  " ",
  " leading and trailing ",
  'double"quote',
  "single'quote",
  "back\\slash",
  "~",
  "~1",
  "~0",
  "~01",
  "a~1b",
  "a[0]",
  "index_permissions[0]",
  "naïve",
  "nai\u0308ve",
  "ünïcödé",
  "日本語",
  "🔑 key",
  "👩‍👩‍👧",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  "557",
  "0",
  "1e3",
  "null",
  "true",
  "yes",
  "~null",
  "#not-a-comment",
  "key: value",
  "- item",
  "&anchor",
  "*alias",
  "!tag",
  "<<",
  "{}",
  "a,b",
  "a;b",
  "a?b",
  "a#b",
  "a+b",
  "a&b=c",
  "CN=Smith\\, John,OU=People,DC=example,DC=com",
  "UPPER",
  "upper",
  "permissions",
  "allowed_actions",
  "n".repeat(300),
];

/** A name that the family does not have yet; a `nasty` one at that rate. Adds it to `used`. */
export function freshName(random: Random, used: Set<string>, nasty: number, prefix = ""): string {
  const wanted = random.chance(nasty) ? random.pick(nastyNames) : `${random.pick(teams)}_${random.pick(jobs)}`;
  let name = prefix + wanted;
  for (let number = 2; used.has(name); number++) name = `${prefix}${wanted}_${used.size + number}`;
  used.add(name);
  return name;
}
