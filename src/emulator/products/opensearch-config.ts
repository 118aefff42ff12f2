// The header and the config of OpenSearch, and how it fails to read what it is given.
import { answerUncaught } from "../real/bean-model.ts";
import { patchBase, showBean } from "../real/beans.ts";
import { BindingFault, bound, newMapper } from "../real/binding.ts";
import { explainContentRefusal, newHabits } from "../real/content.ts";
import { newVoice } from "../real/jackson.ts";
import type { ConfigModel, MetaModel, StoredEntry } from "../real/product.ts";
import { createEngineFailure, createReply, type Reply } from "../reply.ts";
import type { Tree } from "../tree.ts";
import { type ConfigDifferences, createConfigBean } from "./config-bean.ts";

/** The exception of the mapper inside the one that the server throws. */
export function wrapException(fault: BindingFault, place: string, prefix: readonly string[] = []): Reply {
  const inner = fault.text(place, prefix);
  const name = fault.type.replace(/(^|_)(\w)/g, (_, __, userMessage: string) => userMessage.toUpperCase());
  const cause = {
    type: "unchecked_i_o_exception",
    reason: `com.fasterxml.jackson.databind.exc.${name}: ${inner}`,
  };
  const error = { root_cause: [cause], ...cause, caused_by: { type: fault.type, reason: inner } };
  return { status: 500, json: { error, status: 500 } };
}

/** The header of a stored document. */
export const openSearchMeta: MetaModel = {
  name: "_meta",
  value: (family) =>
    new Map<string, Tree>([
      ["type", family],
      ["config_version", 2],
    ]),
  put: () => {
    const reason = `Duplicate field '_meta'\n at ${newVoice.where("", 1)}`;
    const cause = { type: "exception", reason: `com.fasterxml.jackson.core.JsonParseException: ${reason}` };
    const error = { root_cause: [cause], ...cause, caused_by: { type: "json_parse_exception", reason } };
    return { status: 500, json: { error, status: 500 } };
  },
  changed: (family) => {
    const reason = `A version of 2 must have a _meta key for ${family.toUpperCase()}`;
    const cause = { type: "unchecked_i_o_exception", reason: `java.io.IOException: ${reason}` };
    const error = { root_cause: [cause], ...cause, caused_by: { type: "i_o_exception", reason } };
    return { status: 500, json: { error, status: 500 } };
  },
};

/**
 * `home` is the package of the classes; `fixed` where a patch keeps the `false` of an option that starts as `true`.
 */
export function createOpenSearchConfigModel(
  home: string,
  differences: ConfigDifferences,
  keepsFixed: boolean,
): ConfigModel {
  const bean = createConfigBean(home, differences);
  const stored = (value: Tree, writeKind: "PUT" | "PATCH"): StoredEntry => {
    try {
      return { tree: bound(bean, value, newMapper) };
    } catch (problem) {
      if (!(problem instanceof BindingFault)) throw problem;
      const document = ['org.opensearch.security.securityconf.impl.SecurityDynamicConfiguration["config"]'];
      return {
        refusal:
          writeKind === "PUT"
            ? answerUncaught(problem.type, problem.text(newMapper.nowhere))
            : wrapException(problem, newVoice.where("", 1), document),
      };
    }
  };
  return {
    key: "config",
    voice: newVoice,
    check: (value) => explainContentRefusal(value, { keys: { dynamic: "Object" }, payload: true }, newHabits),
    stored,
    shown: (tree) => showBean(bean, tree),
    patchBase: (tree) => patchBase(bean, tree, keepsFixed),
    meta: openSearchMeta,
    denied: createReply(403, "Access denied"),
    misplaced: createEngineFailure(
      500,
      "i_o_exception",
      "A version of 2 must have a single toplevel key named 'config' for CONFIG",
    ),
  };
}
