import type { MapColumn } from "../../access/questions/access-map.ts";
import type { AccessLevel, HeldLevel } from "../../model/access.ts";
import { joinNames } from "../escape.ts";

export function formatColumn({ kind, name }: MapColumn): string {
  if (kind === "cluster") return "the cluster";
  if (kind === "tenant") return `tenant ${joinNames([name])}`;
  return name === "*" ? "every index" : joinNames([name]);
}

/** `write`, `restricted read, part: write`, `unknown: read, write`. */
export function formatLevels(levels: readonly HeldLevel[]): string {
  const those = (verdict: HeldLevel["verdict"]) => levels.filter((one) => one.verdict === verdict);
  const sure = those("yes");
  const top = sure.at(-1);
  const read = sure.find(({ level }) => level === "read");
  const restriction = { yes: "restricted read", unknown: "read, perhaps restricted", no: "read" };
  const reads = read && restriction[read.restricted];
  const isReadAlone = top?.level === "read";
  const parts = [
    ...(top && !isReadAlone ? [formatTop(top.level, sure)] : []),
    ...(reads !== undefined && (isReadAlone || reads !== "read") ? [reads] : []),
  ];
  const more = (title: string, some: readonly HeldLevel[]) =>
    some.length > 0 ? [`${title}: ${some.map(({ level }) => level).join("/")}`] : [];
  return [...parts, ...more("part", those("partly")), ...more("unknown", those("unknown"))].join(", ");
}

/** What is commonly held with a level; of the cluster nothing is written. */
const below: Readonly<Record<AccessLevel, readonly AccessLevel[]>> = {
  read: [],
  write: ["read"],
  manage: ["read", "write"],
  administer: ["read"],
};

function formatTop(top: AccessLevel, sure: readonly HeldLevel[]): string {
  const missing = below[top].filter((level) => !sure.some((one) => one.level === level));
  return missing.length === 0 ? top : `${top} without ${missing.join(" or ")}`;
}
