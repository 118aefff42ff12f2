// The header and the config of Search Guard 7, and how it fails to read what it is given.
import type { ConfigModel, MetaModel, WriteSource } from "../product.ts";
import { createEngineFailure, createReply, type Reply } from "../reply.ts";
import { type BindingFault, bindValue, searchGuardMapper } from "../values/binding.ts";
import { searchGuardChecks } from "../values/body-rules.ts";
import { createConfigClass, kibanaProperties } from "./config-class.ts";
import { createDocumentHeader, createInstanceConfig } from "./instance-config.ts";
import { flagProperty, freeProperty, textProperty, textsProperty, trueFlagProperty } from "./properties.ts";

const classes = "com.floragunn.searchguard.sgconf.impl";
/** The package of the classes that the configuration is read into. */
export const home = `${classes}.v7`;

/** A value that came by a patch is read out of the whole document, whose text the complaint quotes. */
export function failConfigRead(fault: BindingFault, by: Pick<WriteSource, "writeKind" | "name">): Reply {
  const place = by.writeKind === "PUT" ? searchGuardMapper.nowhere : quoted;
  const prefix = by.writeKind === "PUT" ? [] : [`${classes}.SgDynamicConfiguration["${by.name}"]`];
  return createEngineFailure(500, fault.type, fault.text(place, prefix));
}

const quoted = "[Source: (the whole document); line: 1, column: 1]";

/** For headers and documents that the server does not find again. */
function failInputOutput(reason: string): Reply {
  return createEngineFailure(500, "i_o_exception", reason);
}

export function createMetaModel(): MetaModel {
  const known = ["type", "config_version"];
  const meta = {
    name: `${classes}.Meta`,
    known,
    properties: { type: { kind: "text" }, config_version: { kind: "number" } },
  } as const;
  const duplicate = "com.fasterxml.jackson.core.JsonParseException: Duplicate field '_sg_meta'";
  return {
    name: "_sg_meta",
    value: createDocumentHeader,
    put: () => createEngineFailure(500, "exception", `${duplicate}\n at ${quoted}`),
    changed: (family, value) => {
      const read = value === undefined ? undefined : bindValue(meta, value, searchGuardMapper);
      if (read !== undefined && "fault" in read) {
        return failConfigRead(read.fault, { writeKind: "bulk", name: "_sg_meta" });
      }
      return failInputOutput(`A version of 2 must have a _sg_meta key for ${family.toUpperCase()}`);
    },
  };
}

/** As the sources of later builds have it. */
export function createSearchGuardConfig(build: number): ConfigModel {
  const isLater = build > 38;
  return createInstanceConfig({
    key: "sg_config",
    configClass: createConfigClass(home, {
      transport: true,
      kibana: { ...kibanaProperties, ...(isLater && { rbac_enabled: flagProperty }) },
      dynamic: isLater
        ? {
            field_anonymization_salt2: textProperty,
            auth_token_provider: freeProperty,
            support_aliases_in_index_privileges: trueFlagProperty,
          }
        : {},
      ...(isLater && {
        authc: {
          skip_users: textsProperty,
          ...(build >= 47 && { enabled_only_for_ips: { kind: "texts", initial: null } as const }),
        },
        authz: { skipped_users: textsProperty },
      }),
      backend: "com.floragunn.searchguard.auth.internal.InternalAuthenticationBackend",
    }),
    checks: searchGuardChecks,
    mapper: searchGuardMapper,
    keepsFalse: false,
    failed: (fault, writeKind) => failConfigRead(fault, { writeKind, name: "sg_config" }),
    meta: createMetaModel(),
    otherName: createReply(400, "name must be sg_config"),
    misplaced: failInputOutput("A version of 2 must have a single toplevel key named 'sg_config' for CONFIG"),
  });
}
