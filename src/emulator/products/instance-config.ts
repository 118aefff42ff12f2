import type { ConfigModel, ConfigWrites } from "../product.ts";
import type { Reply } from "../reply.ts";
import { type BindingFault, bindValue, type ClassMapper } from "../values/binding.ts";
import { type BodyChecks, explainBodyRefusal } from "../values/body-rules.ts";
import { patchBase, type ServerClass, showInstance } from "../values/classes.ts";
import type { Tree } from "../values/tree.ts";

/** A config that is read into a class, as Search Guard 7 and OpenSearch do. */
export interface ConfigFacts extends Pick<ConfigWrites, "meta" | "otherName" | "denied"> {
  readonly key: string;
  readonly configClass: ServerClass;
  readonly checks: BodyChecks;
  readonly mapper: ClassMapper;
  /** A patch keeps the `false` of an option that starts as `true`. */
  readonly keepsFalse: boolean;
  /** How a fault of the mapper is answered. */
  readonly failed: (fault: BindingFault, by: "PUT" | "PATCH") => Reply;
  /** The answer where a patch took the document away or put another beside it. */
  readonly misplaced: Reply;
}

export function createInstanceConfig({
  key,
  configClass,
  checks,
  mapper,
  keepsFalse,
  failed,
  misplaced,
  ...writes
}: ConfigFacts): ConfigModel {
  return {
    key,
    load: (value) => {
      const read = bindValue(configClass, value, mapper);
      return "tree" in read ? read.tree : value;
    },
    show: (tree) => showInstance(configClass, tree),
    writes: {
      ...writes,
      check: (value) => explainBodyRefusal(value, { keys: { dynamic: "Object" }, payload: true }, checks),
      store: (value, by) => {
        const read = bindValue(configClass, value, mapper);
        return "tree" in read ? read : { refusal: failed(read.fault, by) };
      },
      patchBase: (tree) => patchBase(configClass, tree, keepsFalse),
      misplaced: () => misplaced,
    },
  };
}

/** A config that this API only shows. */
export function createReadOnlyConfig(key: string): ConfigModel {
  return { key, load: (value) => value, show: (tree) => tree };
}

/** The header of a stored document. */
export function createDocumentHeader(family: string): Tree {
  return new Map<string, Tree>([
    ["type", family],
    ["config_version", 2],
  ]);
}
