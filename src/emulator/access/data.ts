// Requests for data, as a server answers them that holds none: what matters is whether they are permitted.
import type { AccessModel } from "../../access/model/access-model.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { findRequestKindAt } from "../../dialects/requests.ts";
import type { Json, JsonObject } from "../../json/value.ts";
import { challengeCaller } from "../caller.ts";
import type { ServedRequest } from "../handler.ts";
import { formatUser } from "../identity.ts";
import { createEngineFailure, type Reply } from "../reply.ts";
import { splitSegments } from "../request.ts";
import { type AnswerExplanation, explainAnswer } from "./explanation.ts";
import { createMeantRequest } from "./meant.ts";
import { createUserSubject } from "./users.ts";

/** Undefined for any other request, that for a document of the plugin too, and on a server without users. */
export function answerData(asked: ServedRequest, model: () => AccessModel, dialect: Dialect): Reply | undefined {
  const { caller, product, settings } = asked;
  if (product.routes.otherPaths.has(asked.path)) return undefined;
  const segments = settings.users && splitSegments(asked.path);
  const found = segments && findRequestKindAt(asked.method, segments);
  const empty = found && answers[found.kind.name];
  if (!empty) return undefined;
  const { kind, index } = found;
  if (caller === undefined) return challengeCaller(product);
  const place: Place = { index, id: segments[2] ?? "1", counts: segments[1] === "_count", dialect };
  if (typeof caller === "string") return { status: 200, json: empty(place) };
  const detail = explainAnswer(
    model(),
    createUserSubject(caller, model()),
    createMeantRequest(kind, index.split(","), dialect),
  );
  const { name, backendRoles = [] } = caller;
  if (detail.verdict !== "yes") return denied(detail, formatUser({ name, backendRoles }, product.identity));
  return { status: 200, json: { ...empty(place), _emulator: detail.about } };
}

/** The server's own words where it would refuse; in place of a guess, why the emulator does not know. */
function denied({ verdict, missing, named, why, about }: AnswerExplanation, user: string): Reply {
  const reason =
    verdict === "no"
      ? `no permissions for [${named.join(", ")}] and ${user}`
      : `Whether this is permitted is unknown to the emulator. ${why.join(" ")}`;
  const { status, json } = createEngineFailure(403, "security_exception", reason);
  return { status, json: { ...(json as JsonObject), _emulator: { ...about, missing, why } } };
}

interface Place {
  readonly index: string;
  readonly id: string;
  readonly counts: boolean;
  readonly dialect: Dialect;
}

const shards = { total: 1, successful: 1, skipped: 0, failed: 0 };

/** By the name of the kind of request: what is not here, the emulator does not answer. */
const answers: Readonly<Record<string, (place: Place) => Readonly<Record<string, Json>>>> = {
  search: ({ counts, dialect }) => {
    if (counts) return { count: 0, _shards: shards };
    const total = isSix(dialect) ? 0 : { value: 0, relation: "eq" };
    return { took: 0, timed_out: false, _shards: shards, hits: { total, max_score: null, hits: [] } };
  },
  get: (place) => ({ ...document(place), found: false }),
  index: (place) => ({ ...document(place), result: "noop", _shards: shards }),
  delete: (place) => ({ ...document(place), result: "not_found", _shards: shards }),
  "create-index": ({ index }) => ({ acknowledged: true, shards_acknowledged: true, index }),
  "delete-index": () => ({ acknowledged: true }),
  "get-mapping": ({ index }) => ({ [index]: { mappings: {} } }),
};

function document({ index, id, dialect }: Place): JsonObject {
  return { _index: index, ...(dialect.product !== "opensearch" && { _type: "_doc" }), _id: id };
}

function isSix({ product, release }: Dialect): boolean {
  return product !== "opensearch" && release.startsWith("6");
}
