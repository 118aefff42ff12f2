/** What several kinds of requests are to a person who hears of all of them. */
const wholes: readonly (readonly [word: string, kinds: readonly string[]])[] = [
  ["read", ["search", "get", "mget", "msearch", "field-caps", "explain", "termvectors"]],
  ["write", ["index", "index-new-field", "delete", "update"]],
  [
    "look up its settings",
    ["get-index", "get-mapping", "get-settings", "get-aliases", "stats", "segments", "recovery"],
  ],
  [
    "manage",
    [
      "create-index",
      "delete-index",
      "close-index",
      "refresh",
      "flush",
      "put-mapping",
      "put-settings",
      "put-alias",
      "validate-query",
      "analyze",
    ],
  ],
  ["cat-indices", ["cat-indices"]],
];

/** `read, write, create-index`: kinds of requests in the fewest words. */
export function foldedKinds(kinds: readonly string[]): readonly string[] {
  const has = new Set(kinds);
  const whole = wholes.filter(([, all]) => all.every((kind) => has.has(kind)));
  const told = new Set(whole.flatMap(([, all]) => all));
  if (whole.length === wholes.length && kinds.every((kind) => told.has(kind))) return ["everything"];
  return [...whole.map(([word]) => word), ...kinds.filter((kind) => !told.has(kind))];
}
