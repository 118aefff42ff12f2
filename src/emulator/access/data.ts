// Requests for data, as a server answers them that holds none: what matters is whether they are permitted.
import type { AccessModel } from "../../access/model.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { requestKindAt } from "../../dialects/requests.ts";
import type { Json, JsonObject } from "../../json/value.ts";
import { callerOf, challenge } from "../auth.ts";
import { userText } from "../real/identity.ts";
import { engineFailure, type Reply } from "../reply.ts";
import { type RawRequest, segmentsOf } from "../request.ts";
import type { NodeSettings } from "../settings.ts";
import { requestOf } from "./meant.ts";
import { type Told, toldOf } from "./told.ts";
import { subjectFor } from "./users.ts";

/** How a product talks to those who ask for data. */
export interface DataWords {
  readonly dialect: Dialect;
  /** In challenges. */
  readonly title: string;
  /** What backend roles are called in the text of a user. */
  readonly backendWord: "roles" | "backend_roles";
}

/** Undefined for any other request, and where nobody is asked who they are. */
export function dataReply(
  request: RawRequest,
  settings: NodeSettings,
  model: () => AccessModel,
  words: DataWords,
): Reply | undefined {
  const segments = settings.users && segmentsOf(request.path);
  const found = segments && requestKindAt(request.method, segments);
  const empty = found && answers[found.kind.name];
  if (!empty) return undefined;
  const { kind, index } = found;
  const { dialect } = words;
  const caller = callerOf(request, settings);
  if (caller === undefined) return challenge(words);
  const place: Place = { index, id: segments[2] ?? "1", counts: segments[1] === "_count", dialect };
  if (typeof caller === "string") return { status: 200, json: empty(place) };
  const told = toldOf(model(), subjectFor(caller, model()), requestOf(kind, index.split(","), dialect));
  const { name, backendRoles = [] } = caller;
  if (told.verdict !== "yes") return denied(told, userText({ name, backendRoles }, words));
  return { status: 200, json: { ...empty(place), _emulator: told.about } };
}

/** The server's own words where it would refuse; in place of a guess, why the emulator does not know. */
function denied({ verdict, missing, named, why, about }: Told, user: string): Reply {
  const reason =
    verdict === "no"
      ? `no permissions for [${named.join(", ")}] and ${user}`
      : `The emulator cannot tell whether this is permitted. ${why.join(" ")}`;
  const { status, json } = engineFailure(403, "security_exception", reason);
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
