import type { JsonObject } from "../../src/json/value.ts";
import type { Random } from "./random.ts";
import { rekeyed } from "./spelling.ts";

export type ConfigFate = "absent" | "in-sync" | "drift";

export interface ConfigPair {
  readonly desired: JsonObject;
  readonly live: JsonObject;
  readonly expected: "update" | "in-sync";
}

/** A live config with children that nobody declares, and one that declares the rest. */
export function configPair(fate: ConfigFate, random: Random): ConfigPair | undefined {
  if (fate === "absent") return undefined;
  const declared = {
    dashboard: { multitenancy_enabled: random.chance(0.5) },
    http: { anonymous_auth_enabled: false },
    authc: { basic: domain(1, "intern"), proxy: domain(2, "noop") },
  };
  const edit = random.pick<Partial<typeof declared>>([
    { http: { anonymous_auth_enabled: true } },
    { dashboard: { multitenancy_enabled: !declared.dashboard.multitenancy_enabled } },
    { authc: { ...declared.authc, proxy: domain(3, "noop") } },
    { authc: { ...declared.authc, proxy: { ...domain(2, "noop"), description: "changed by hand" } } },
  ]);
  const undeclared = { do_not_fail_on_forbidden: true, x_vendor: { keep: [3, 1, 2], text: "as it is" } };
  return {
    desired: rekeyed(random, { dynamic: declared }),
    live: rekeyed(random, { dynamic: { ...declared, ...(fate === "drift" ? edit : {}), ...undeclared } }),
    expected: fate === "drift" ? "update" : "in-sync",
  };
}

function domain(order: number, backend: string): JsonObject {
  return {
    http_enabled: true,
    transport_enabled: true,
    order,
    http_authenticator: { challenge: order === 1, type: "basic", config: {} },
    authentication_backend: { type: backend, config: {} },
    description: `Domain ${order}`,
  };
}
