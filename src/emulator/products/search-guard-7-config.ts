// The header and the config of Search Guard 7, and how it fails to read what it is given.
import { uncaught } from "../real/bean-model.ts";
import { patchBase, shownBean } from "../real/beans.ts";
import { BindingFault, bound, oldMapper } from "../real/binding.ts";
import { contentRefusal, oldHabits } from "../real/content.ts";
import { oldVoice } from "../real/jackson.ts";
import type { ConfigModel, MetaModel, Stored, StoredBy } from "../real/product.ts";
import { inputOutput } from "../real/resource-patch.ts";
import { type Reply, said } from "../reply.ts";
import type { Tree } from "../tree.ts";
import { configBean, kibanaSlots } from "./config-bean.ts";

const classes = "com.floragunn.searchguard.sgconf.impl";
/** The package of the classes that the configuration is read into. */
export const home = `${classes}.v7`;

/** A value that came by a patch is read out of the whole document, whose text the complaint quotes. */
export function failed(fault: BindingFault, by: StoredBy): Reply {
  const place = by.way === "PUT" ? oldMapper.nowhere : quoted;
  const prefix = by.way === "PUT" ? [] : [`${classes}.SgDynamicConfiguration["${by.name}"]`];
  return uncaught(fault.type, fault.text(place, prefix));
}

const quoted = "[Source: (the whole document); line: 1, column: 1]";

export function metaModel(): MetaModel {
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
      uncaught("exception", `com.fasterxml.jackson.core.JsonParseException: Duplicate field '_sg_meta'\n at ${quoted}`),
    changed: (family, value) => {
      const lost = inputOutput(`A version of 2 must have a _sg_meta key for ${family.toUpperCase()}`);
      if (value === undefined) return lost;
      try {
        bound(meta, value, oldMapper);
      } catch (problem) {
        if (problem instanceof BindingFault) return failed(problem, { way: "bulk", name: "_sg_meta" });
        throw problem;
      }
      return lost;
    },
  };
}

export function configModel(): ConfigModel {
  const bean = configBean(home, {
    transport: true,
    kibana: kibanaSlots,
    dynamic: {},
    backend: "com.floragunn.searchguard.auth.internal.InternalAuthenticationBackend",
  });
  const storedConfig = (value: Tree, way: "PUT" | "PATCH"): Stored => {
    try {
      return { tree: bound(bean, value, oldMapper) };
    } catch (problem) {
      if (problem instanceof BindingFault) return { refusal: failed(problem, { way, name: "sg_config" }) };
      throw problem;
    }
  };
  return {
    key: "sg_config",
    voice: oldVoice,
    check: (value) => contentRefusal(value, { keys: { dynamic: "Object" }, payload: true }, oldHabits),
    stored: storedConfig,
    shown: (tree) => shownBean(bean, tree),
    patchBase: (tree) => patchBase(bean, tree, false),
    meta: metaModel(),
    otherName: said(400, "name must be sg_config"),
    misplaced: inputOutput("A version of 2 must have a single toplevel key named 'sg_config' for CONFIG"),
  };
}
