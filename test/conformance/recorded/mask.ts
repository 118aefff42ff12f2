/**
 * A value without what differs from server to server and day to day: dates, names and ids of nodes and clusters, ports,
 * sequence numbers, the modules that are installed; and lists that a server prints out of a set, in any order.
 */
export function masked(value: unknown, key = ""): unknown {
  if (typeof value === "string") return maskedText(value, key);
  if (Array.isArray(value)) return value.map((item) => masked(item));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, item]) => [name, name === "modules" ? "*" : masked(item, name)]);
  return Object.fromEntries(members);
}

function maskedText(text: string, key: string): string {
  if (key === "keys") return sorted(text);
  if (key === "cluster_uuid" || text === "real-1" || text === "emulator") return "*";
  return text
    .replace(/\b\d{4}-\d{2}-\d{2}\b/g, "DATE")
    .replace(/Failed node \[[^\]]*\]/g, "Failed node [NODE]")
    .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT")
    .replace(/(seqNo|primary term) \[\d+\]/g, "$1 [N]")
    .replace(/(?<=Supported are: )[a-z,]+/, sorted)
    .replace(/(?<=allowed: \[)[A-Z, ]+/, (methods) => sorted(methods.replaceAll(" ", "")));
}

function sorted(list: string): string {
  return list.split(",").sort().join(",");
}
