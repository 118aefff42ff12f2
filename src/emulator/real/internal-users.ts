import type { JsonObject } from "../../json/value.ts";
import { createReply, type Reply } from "../reply.ts";
import type { RealState } from "./kept.ts";
import type { RealProduct } from "./product.ts";

/** GET of one internal user, or of all: the hash is always shown as empty. */
export function answerInternalUsers(name: string | undefined, state: RealState, product: RealProduct): Reply {
  const users = [...(state.internalUsers ?? [])].filter(([other]) => name === undefined || other === name);
  if (name !== undefined && users.length === 0) {
    return createReply(404, product.texts.notFoundByGet(product.internalUsers.kind, name));
  }
  return { status: 200, json: Object.fromEntries(users.map(([user, fields]) => [user, shown(fields, product)])) };
}

/** Search Guard 6 shows what is stored; the others fill in what is not. */
function shown(fields: JsonObject, { internalUsers: { roles } }: RealProduct): JsonObject {
  const { password: _, ...stored } = fields;
  if (roles === undefined) return { ...stored, hash: "" };
  const defaults = { reserved: false, hidden: false, backend_roles: [], attributes: {}, [roles]: [], static: false };
  return { ...defaults, ...stored, hash: "" };
}
