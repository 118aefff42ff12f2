// POST /_emulator/authorize: what the current state permits a principal.
import type { AccessModel } from "../../access/model/access-model.ts";
import type { Subject } from "../../access/model/subject.ts";
import { withInternalUser } from "../../access/model/users.ts";
import { suggestNearest } from "../../diagnostics/suggest.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { isObject, type Json, type JsonObject } from "../../json/value.ts";
import { createWrongMethodReply, type Reply } from "../reply.ts";
import type { RawRequest } from "../request.ts";
import { readJson, searchGuardParser } from "../values/json-parser.ts";
import { fromTree } from "../values/tree.ts";
import { type AnswerExplanation, encodeExplanation, explainAnswer } from "./explanation.ts";
import { parseMeantRequest } from "./meant.ts";

/**
 * Answers `{"verdict": "yes" | "no" | "unknown", "roles", "documents"?, "fields"?, "missing", "why"?}`, or 400 with a
 * message. `user`, `backend_roles`, `host` and `attributes` say who asks, `action` for what, `index` or `tenant`
 * where.
 */
export function answerAuthorize({ method, path, body }: RawRequest, model: AccessModel, dialect: Dialect): Reply {
  if (method !== "POST") return createWrongMethodReply(method, path, ["POST"]);
  const read = readJson(body, searchGuardParser);
  if ("fault" in read) return errorReply(`The body is no JSON: ${read.fault.message}`);
  const asked = fromTree(read.tree) as JsonObject;
  if (!isObject(asked)) {
    return errorReply('The body is one object, such as {"user": "ana", "action": "search", "index": "hr-1"}.');
  }
  const wrong = wrongIn(asked);
  if (wrong !== undefined) return errorReply(wrong);
  const subject = withInternalUser(subjectIn(asked), model.state);
  if (typeof asked.tenant === "string")
    return { status: 200, json: encodeExplanation(explainedOfTenant(asked.tenant)) };
  const meant = parseMeantRequest(
    String(asked.action),
    typeof asked.index === "string" ? asked.index.split(",") : [],
    dialect,
  );
  return "wrong" in meant
    ? errorReply(meant.wrong)
    : { status: 200, json: encodeExplanation(explainAnswer(model, subject, meant)) };
}

/** Not evaluated, and never guessed. */
function explainedOfTenant(tenant: string): AnswerExplanation {
  return {
    verdict: "unknown",
    missing: [],
    named: [],
    why: [`Tenants, such as ${tenant}, are not evaluated here.`],
    about: {},
  };
}

const members: Readonly<Record<string, { readonly is: (value: Json) => boolean; readonly takes: string }>> = {
  user: { is: isText, takes: "a text" },
  backend_roles: { is: (value) => Array.isArray(value) && value.every(isText), takes: "a list of texts" },
  host: { is: isText, takes: "an address, as a text" },
  attributes: {
    is: (value) => isObject(value) && Object.values(value).every((one) => typeof one === "string"),
    takes: 'texts by their names, such as {"internal.dept": "hr"}',
  },
  action: { is: isText, takes: "a text, such as search or indices:data/read/search" },
  index: { is: isText, takes: "the name of an index, or several with commas" },
  tenant: { is: isText, takes: "the name of a tenant" },
};

function isText(value: Json | undefined): boolean {
  return typeof value === "string" && value !== "";
}

function wrongIn(asked: JsonObject): string | undefined {
  for (const [name, value] of Object.entries(asked)) {
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (!member) {
      const names = Object.keys(members);
      return `${name} means nothing here.${suggestNearest(name, names) || ` What does: ${names.join(", ")}.`}`;
    }
    if (!member.is(value)) return `${name} takes ${member.takes}.`;
  }
  if (asked.tenant !== undefined && asked.index !== undefined) return "Say index or tenant, not both.";
  if (asked.tenant === undefined && asked.action === undefined) return "action is missing: search, for example.";
  const isNoPerson = ["user", "backend_roles", "host"].every((name) => asked[name] === undefined);
  return isNoPerson ? "Say who asks: user, backend_roles or host." : undefined;
}

/** A principal has nothing that is not stated; only attributes that are not mentioned may be anything. */
function subjectIn({ user, backend_roles: roles, host, attributes }: JsonObject): Subject {
  return {
    ...(typeof user === "string" && { user: { name: user } }),
    backendRoles: Array.isArray(roles) ? roles.map((name) => ({ name: String(name) })) : [],
    ...(typeof host === "string" && { host: { name: host } }),
    ...(isObject(attributes) && { attributes: textsIn(attributes as JsonObject) }),
  };
}

function textsIn(attributes: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)]));
}

function errorReply(error: string): Reply {
  return { status: 400, json: { error, status: 400 } };
}
