// The header and the config of OpenSearch, and how it fails to read what it is given.
import { isOpenSearchBefore } from "../../dialects/release.ts";
import type { ConfigModel, MetaModel } from "../product.ts";
import { createEngineFailure, createReply, type Reply } from "../reply.ts";
import { type BindingFault, openSearchMapper } from "../values/binding.ts";
import { openSearchChecks } from "../values/body-rules.ts";
import type { ClassProperty } from "../values/classes.ts";
import { openSearchParser } from "../values/json-parser.ts";
import { getMember, type Tree } from "../values/tree.ts";
import { type ConfigDifferences, createConfigClass, createOnBehalfOf, kibanaProperties } from "./config-class.ts";
import { createDocumentHeader, createInstanceConfig } from "./instance-config.ts";
import {
  createClass,
  createTextProperty,
  flagProperty,
  textProperty,
  textsProperty,
  trueFlagProperty,
} from "./properties.ts";

export const openSearchHome = "org.opensearch.security.securityconf.impl.v7";

/** The exception of the mapper inside the one that the server throws. */
export function wrapException(fault: BindingFault, place: string, prefix: readonly string[] = []): Reply {
  const inner = fault.text(place, prefix);
  const name = fault.type.replace(/(^|_)(\w)/g, (_, __, userMessage: string) => userMessage.toUpperCase());
  const reason = `com.fasterxml.jackson.databind.exc.${name}: ${inner}`;
  return failCausedBy({ type: "unchecked_i_o_exception", reason }, { type: fault.type, reason: inner });
}

function failCausedBy(cause: { readonly type: string; readonly reason: string }, inner: typeof cause): Reply {
  return { status: 500, json: { error: { root_cause: [cause], ...cause, caused_by: inner }, status: 500 } };
}

/** The header of a stored document. */
export const openSearchMeta: MetaModel = {
  name: "_meta",
  value: createDocumentHeader,
  put: () => {
    const reason = `Duplicate field '_meta'\n at ${openSearchParser.where("", 1)}`;
    const cause = { type: "exception", reason: `com.fasterxml.jackson.core.JsonParseException: ${reason}` };
    return failCausedBy(cause, { type: "json_parse_exception", reason });
  },
  changed: (family) => {
    const reason = `A version of 2 must have a _meta key for ${family.toUpperCase()}`;
    const cause = { type: "unchecked_i_o_exception", reason: `java.io.IOException: ${reason}` };
    return failCausedBy(cause, { type: "i_o_exception", reason });
  },
};

/** By its source: of transport clients it has the field to 2.11, and asks it of logins to 1.3. */
export const createConfigDifferences = (release: string): ConfigDifferences => ({
  transport: isOpenSearchBefore(release, "2.12"),
  kibana: createDashboardsProperties(release),
  dynamic: {
    ...(!isOpenSearchBefore(release, "2.12") && { on_behalf_of: createOnBehalfOf(openSearchHome) }),
    ...(!isOpenSearchBefore(release, "3.7") && evaluationProperties),
  },
  backend: "org.opensearch.security.auth.internal.InternalAuthenticationBackend",
  ...(!isOpenSearchBefore(release, "2.17") && { ignoresHosts: true }),
});

/** By their source: what is empty of the ways to sign in is shown to 3.7. */
function createDashboardsProperties(release: string): Readonly<Record<string, ClassProperty>> {
  const signIn: ClassProperty = isOpenSearchBefore(release, "3.8")
    ? { kind: "texts", initial: ["BASIC"] }
    : { kind: "texts", hidesEmpty: true };
  return {
    multitenancy_enabled: trueFlagProperty,
    ...(!isOpenSearchBefore(release, "2.7") && {
      private_tenant_enabled: trueFlagProperty,
      default_tenant: createTextProperty(""),
    }),
    ...(!isOpenSearchBefore(release, "3.7") && { preferred_tenants: textsProperty }),
    opendistro_role: textProperty,
    ...kibanaProperties,
    ...(!isOpenSearchBefore(release, "2.14") && { sign_in_options: signIn }),
  };
}

/** What came with API keys and with another evaluation. */
const evaluationProperties: Readonly<Record<string, ClassProperty>> = {
  api_tokens: {
    kind: "object",
    of: createClass(`${openSearchHome}.ConfigV7$ApiTokenSettings`, {
      enabled: flagProperty,
      max_tokens: { kind: "number", initial: 100, most: 1000 },
      max_duration_seconds: { kind: "number", initial: 7_776_000 },
    }),
  },
  privileges_evaluation_type: textProperty,
  privileges_evaluation_ignore_unauthorized_indices: trueFlagProperty,
};

const document = ['org.opensearch.security.securityconf.impl.SecurityDynamicConfiguration["config"]'];

/** `home` is the package of the classes; `fixed` as in `ConfigFacts`. */
export function createOpenSearchConfig(home: string, differences: ConfigDifferences, keepsFalse: boolean): ConfigModel {
  return createInstanceConfig({
    key: "config",
    configClass: createConfigClass(home, differences),
    checks: openSearchChecks,
    mapper: openSearchMapper,
    keepsFalse,
    failed: (fault, by) =>
      by === "PUT"
        ? createEngineFailure(500, fault.type, fault.text(openSearchMapper.nowhere))
        : wrapException(fault, openSearchParser.where("", 1), document),
    meta: openSearchMeta,
    denied: createReply(403, "Access denied"),
    misplaced: createEngineFailure(
      500,
      "i_o_exception",
      "A version of 2 must have a single toplevel key named 'config' for CONFIG",
    ),
  });
}

const mostSeconds = Math.floor((2 ** 31 - 1) / 1000);

/** Limits on wrong passwords of a type that is there, with numbers that it can count by (measured: 2.19.4). */
export function canLoadLimits(config: Tree): boolean {
  const found = ["dynamic", "auth_failure_listeners"].reduce<Tree>(
    (tree, name) => getMember(tree, name) ?? null,
    config,
  );
  return [...(found instanceof Map ? found.values() : [])].every((limit) => {
    const isFrom = (name: string, least: number, most = Infinity): boolean => {
      const count = getMember(limit, name);
      return typeof count !== "number" || (count >= least && count <= most);
    };
    return (
      /^(?:ip|username|org\.opensearch\..*\.(?:AddressBased|UserNameBased)RateLimiter)$/.test(
        String(getMember(limit, "type")),
      ) &&
      isFrom("allowed_tries", 1) &&
      ["time_window_seconds", "block_expiry_seconds"].every((name) => isFrom(name, 0, mostSeconds)) &&
      ["max_blocked_clients", "max_tracked_clients"].every((name) => isFrom(name, 0))
    );
  });
}
