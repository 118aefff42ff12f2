// The header and the config of Search Guard 7, and how it fails to read what it is given.
import { answerUncaught } from "../real/bean-model.ts";
import { patchBase, showBean } from "../real/beans.ts";
import { BindingFault, bound, oldMapper } from "../real/binding.ts";
import { explainContentRefusal, oldHabits } from "../real/content.ts";
import { oldVoice } from "../real/jackson.ts";
import type { ConfigModel, MetaModel, StoredEntry, WriteSource } from "../real/product.ts";
import { failInputOutput } from "../real/resource-patch.ts";
import { createReply, type Reply } from "../reply.ts";
import type { Tree } from "../tree.ts";
import { createConfigBean, kibanaSlots } from "./config-bean.ts";

const classes = "com.floragunn.searchguard.sgconf.impl";
/** The package of the classes that the configuration is read into. */
export const home = `${classes}.v7`;

/** A value that came by a patch is read out of the whole document, whose text the complaint quotes. */
export function failConfigRead(fault: BindingFault, by: WriteSource): Reply {
  const place = by.writeKind === "PUT" ? oldMapper.nowhere : quoted;
  const prefix = by.writeKind === "PUT" ? [] : [`${classes}.SgDynamicConfiguration["${by.name}"]`];
  return answerUncaught(fault.type, fault.text(place, prefix));
}

const quoted = "[Source: (the whole document); line: 1, column: 1]";

export function createMetaModel(): MetaModel {
  const known = ["type", "config_version"];
  const meta = {
    name: `${classes}.Meta`,
    known,
    slots: { type: { kind: "text" }, config_version: { kind: "number" } },
  } as const;
  return {
    name: "_sg_meta",
    value: (family) =>
      new Map<string, Tree>([
        ["type", family],
        ["config_version", 2],
      ]),
    put: () =>
      answerUncaught(
        "exception",
        `com.fasterxml.jackson.core.JsonParseException: Duplicate field '_sg_meta'\n at ${quoted}`,
      ),
    changed: (family, value) => {
      const lost = failInputOutput(`A version of 2 must have a _sg_meta key for ${family.toUpperCase()}`);
      if (value === undefined) return lost;
      try {
        bound(meta, value, oldMapper);
      } catch (problem) {
        if (problem instanceof BindingFault) return failConfigRead(problem, { writeKind: "bulk", name: "_sg_meta" });
        throw problem;
      }
      return lost;
    },
  };
}

export function createSearchGuardConfigModel(): ConfigModel {
  const bean = createConfigBean(home, {
    transport: true,
    kibana: kibanaSlots,
    dynamic: {},
    backend: "com.floragunn.searchguard.auth.internal.InternalAuthenticationBackend",
  });
  const storedConfig = (value: Tree, writeKind: "PUT" | "PATCH"): StoredEntry => {
    try {
      return { tree: bound(bean, value, oldMapper) };
    } catch (problem) {
      if (problem instanceof BindingFault)
        return { refusal: failConfigRead(problem, { writeKind, name: "sg_config" }) };
      throw problem;
    }
  };
  return {
    key: "sg_config",
    voice: oldVoice,
    check: (value) => explainContentRefusal(value, { keys: { dynamic: "Object" }, payload: true }, oldHabits),
    stored: storedConfig,
    shown: (tree) => showBean(bean, tree),
    patchBase: (tree) => patchBase(bean, tree, false),
    meta: createMetaModel(),
    otherName: createReply(400, "name must be sg_config"),
    misplaced: failInputOutput("A version of 2 must have a single toplevel key named 'sg_config' for CONFIG"),
  };
}
