import { listServing } from "../access/compare/login-domains.ts";
import { readPart } from "../access/compare/login-source.ts";
import { reservedDemoUsers } from "../dialects/builtin/demo-users.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { getSemantics } from "../dialects/find-semantics.ts";
import { type Fields, isObject } from "../json/value.ts";
import type { DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import { getMode, type Policies } from "../model/policy.ts";

/**
 * The names of all who can log in. Undefined where others may: internal users that the files do not manage, or users whom
 * a login domain knows from elsewhere.
 */
export function listKnownUsers(
  declared: DesiredState,
  live: LiveState | undefined,
  dialect: Dialect,
  policies: Policies,
): ReadonlySet<string> | undefined {
  const users = declared.resources.get("internal_users");
  const { include, exclude } = policies.internal_users ?? {};
  if (!users || getMode("internal_users", policies) !== "manage" || include || exclude) return undefined;
  const dynamic = getDynamic(declared, live, policies);
  const domains = [...listServing("authc", dynamic, { dialect }).values()];
  const looksAmongUsers = (domain: Fields): boolean => {
    const { type, kind } = readPart(domain.authentication_backend, dialect);
    return kind === "internal" || type === "";
  };
  if (domains.length === 0 || !domains.every(looksAmongUsers)) return undefined;
  return new Set([
    ...users.keys(),
    ...(live?.resources.get("internal_users")?.keys() ?? []),
    ...reservedDemoUsers,
    getSemantics(dialect).anonymous.user,
  ]);
}

function getDynamic({ config }: DesiredState, live: LiveState | undefined, policies: Policies): Fields {
  const held = live?.config?.document.dynamic;
  const isWritten = !isObject(held) || getMode("config", policies) !== "observe";
  const written = isWritten ? config?.value.dynamic : undefined;
  return { ...(isObject(held) && held), ...(isObject(written) && written) };
}
