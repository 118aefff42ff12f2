import { getNoun } from "../../families/index.ts";
import { memoiseByObject } from "../../json/memoise.ts";
import { holdsSecret, reveal } from "../../json/value.ts";
import type { Operation } from "../../model/operation.ts";
import { escapeInvisible, formatName } from "../escape.ts";
import { formatBytes, formatDuration, pluralise } from "./words.ts";

/** A request as every format shows it, without its body: that may be large, and the changes show what is in it. */
export interface RequestView extends Omit<Operation, "body" | "intermediate"> {
  /** `roles`, `role hr_reader`. */
  readonly what: string;
  /** The reason for it or its position; empty where there is none. */
  readonly why: string;
  /** `3 changes`; empty for a request to one resource, which needs no count. */
  readonly changes: string;
  /** Of the body; absent where there is none, or where it holds a secret: the length of one is part of it. */
  readonly bytes?: number;
  /** `94 B`; empty where `bytes` is absent. */
  readonly size: string;
  /** `about 4 min on the server`; empty where that is not worth knowing. */
  readonly duration: string;
}

export function createRequestView(operation: Operation): RequestView {
  const { family, method, path, names, bulk, reason, estimate } = operation;
  const bytes = countBodyBytes(operation);
  return {
    family,
    method,
    path,
    names,
    bulk,
    ...(reason !== undefined && { reason }),
    ...(estimate !== undefined && { estimate }),
    what: formatRequestTarget(operation),
    why: escapeInvisible(reason ?? ""),
    changes: bulk ? pluralise(names.length, "change") : "",
    ...(bytes !== undefined && { bytes }),
    size: bytes === undefined ? "" : formatBytes(bytes),
    duration: estimate === undefined ? "" : `about ${formatDuration(estimate)} on the server`,
  };
}

/** `roles` for a request to a collection, `role hr_reader` for one to a resource; a split may name several. */
export function formatRequestTarget({ family, bulk, names }: Pick<Operation, "family" | "bulk" | "names">): string {
  if (family === "config" || family === "license") return getNoun(family);
  return bulk ? getNoun(family, 2) : `${getNoun(family)} ${names.map(formatName).join(", ")}`;
}

/** A plan shows it, and a report again. */
const countBodyBytes = memoiseByObject(({ body }: Operation): number | undefined =>
  body === undefined || holdsSecret(body) ? undefined : Buffer.byteLength(JSON.stringify(reveal(body))),
);
