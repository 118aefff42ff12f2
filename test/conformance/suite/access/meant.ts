// What can-i says of a request as a user makes it, and what the server is to answer then.

import { findRequestKind } from "../../../../src/access/evaluate/asked-request.ts";
import {
  evaluateQuestion,
  type RequestEvaluation,
  type RequestVerdict,
} from "../../../../src/access/evaluate/question.ts";
import type { AccessModel } from "../../../../src/access/model/access-model.ts";
import type { Subject } from "../../../../src/access/model/subject.ts";
import type { User } from "./fixtures.ts";
import { indicesOf, type Put } from "./requests.ts";

export interface Meant extends Pick<RequestEvaluation, "verdict" | "reduced"> {
  /** Whether the server is to allow it; undefined where that depends on what is unknown here. */
  readonly means: boolean | undefined;
  /** Of each index that there is. */
  readonly single: readonly { readonly name: string; readonly verdict: RequestVerdict }[];
}

export function meantOf(model: AccessModel, release: string, user: User, put: Put): Meant {
  const request = findRequestKind(put.kind, release);
  if (!request) throw new Error(`bug: no request ${put.kind}`);
  const subject = subjectOf(user);
  const { verdict, reduced } = evaluateQuestion(model, subject, request, put.index?.split(",") ?? []);
  const names = indicesOf(put);
  const single = names.map((name) => ({ name, ...evaluateQuestion(model, subject, request, [name]) }));
  const together = names.length > 0 ? evaluateQuestion(model, subject, request, names).verdict : verdict;
  return { verdict, reduced, single, means: meant(verdict, reduced, put, single, together) };
}

function meant(
  verdict: RequestVerdict,
  reduced: boolean,
  { index }: Put,
  single: readonly { readonly verdict: RequestVerdict }[],
  together: RequestVerdict,
): boolean | undefined {
  if (verdict === "yes" || verdict === "no") return verdict === "yes";
  if (verdict === "unknown") return undefined;
  const has = (one: RequestVerdict) => single.some((each) => each.verdict === one);
  const isOfAll = index === undefined || index === "*";
  if (reduced) return has("yes") ? true : has("unknown") || isOfAll ? undefined : false;
  // One role may have to grant it on all of them.
  if (has("no") || together === "no") return false;
  return has("unknown") || isOfAll ? undefined : together === "yes";
}

export function subjectOf({ name, backendRoles, attributes, roles }: User): Subject {
  const own = Object.entries(attributes).map(([attribute, value]) => [`internal.${attribute}`, value]);
  return {
    user: { name },
    backendRoles: backendRoles.map((role) => ({ name: role })),
    host: { name: "127.0.0.1" },
    attributes: Object.fromEntries(own),
    roles,
  };
}
