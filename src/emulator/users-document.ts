// The document of the security index in which a server keeps its internal users, hashes included.
import type { ServedRequest } from "./handler.ts";
import type { Reply } from "./reply.ts";
import { splitSegments } from "./request.ts";
import { fromTree, type Tree } from "./values/tree.ts";

/** To all but an administrator's certificate the index looks empty. Nothing counts its versions here. */
export function answerUsersDocument({ caller, path, state, product }: ServedRequest): Reply {
  const [index = "", type = "", id = ""] = splitSegments(path) ?? [];
  const { distribution, number } = product.engine;
  const about = { _index: index, ...(distribution === undefined && { _type: type }), _id: id };
  if (typeof caller !== "string") return { status: 404, json: { ...about, found: false } };
  const { meta } = product.entries;
  const header: readonly [string, Tree][] = meta ? [[meta.name, meta.value(id)]] : [];
  const users = [...state.families.internal_users].map(([name, user]): [string, Tree] => [name, withoutAbsent(user)]);
  const text = JSON.stringify(fromTree(new Map([...header, ...users])));
  const source = { [id]: Buffer.from(text, "utf8").toString("base64") };
  const version = { _version: 1, ...(!number.startsWith("6.") && { _seq_no: 0, _primary_term: 1 }) };
  return { status: 200, json: { ...about, ...version, found: true, _source: source } };
}

/** A user without a hash, or a description, has no such member there. */
function withoutAbsent(user: Tree): Tree {
  if (!(user instanceof Map)) return user;
  return new Map([...user].filter(([name, value]) => value !== null && !(name === "hash" && value === "")));
}
