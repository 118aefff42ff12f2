import type { LoginDifference } from "../../model/access.ts";
import { formatMember } from "../model/subject.ts";

/** ` (all_access is mapped to backend role admin, hr to user ana, and 3 more roles)`; empty where none is. */
export function formatMapped({ mapped = [] }: Pick<LoginDifference, "mapped">): string {
  if (mapped.length === 0) return "";
  const shown = mapped.slice(0, mostRoles).map(({ role, members }, at) => {
    const named = members.slice(0, mostMembers).map(formatMember);
    const more = members.length > mostMembers ? [`${members.length - mostMembers} more`] : [];
    return `${role}${at === 0 ? " is mapped" : ""} to ${[...named, ...more].join(" and ")}`;
  });
  const left = mapped.length - shown.length;
  const rest = left === 0 ? [] : [`and ${left} more ${left === 1 ? "role" : "roles"}`];
  return ` (${[...shown, ...rest].join(", ")})`;
}

const mostRoles = 3;
const mostMembers = 2;
