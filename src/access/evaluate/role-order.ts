// Which requests a server fails over as it writes the restrictions of a user in two ways. `${user.roles}` in them is the
// list of the user's backend roles, in the order of a Java set, which may change where the user is sent to another node.
// That node evaluates the request again, and answers 500 where the restrictions are not the same text as before. Tried on
// Search Guard 7.5.1-38 and 6.5.4-24 and on OpenSearch 2.19.1, each with one node; 7.5.1-38 and 2.19.1 with two.
import type { Semantics } from "../../dialects/semantics.ts";
import type { AccessModel } from "../model/access-model.ts";
import { type IndexRule, isRestricting } from "../model/roles.ts";
import type { Subject } from "../model/subject.ts";
import { matchesPattern } from "../patterns/matches.ts";
import { combineAll, combineAny, type Verdict } from "../verdict.ts";
import { removesLimits } from "./limits.ts";
import { listHeldRules, listPerhapsHeld } from "./permission.ts";

/** Whether a server fails over a request of the subject that takes these actions, though they are granted. */
export type RoleOrderFaults = (actions: readonly string[]) => Verdict;

export function findRoleOrderFaults(model: AccessModel, subject: Subject): RoleOrderFaults {
  const changes = changeRestrictions(model, subject);
  return (actions) =>
    changes === "no" ? "no" : combineAll([changes, isEvaluatedAgain(actions, model.state.semantics)]);
}

/** `unknown`: only if another node does a part of the request. */
function isEvaluatedAgain(actions: readonly string[], { evaluatedAgain, evaluatesOwnAgain }: Semantics): Verdict {
  // Of both, the node that has the shard makes a second request.
  const asksMore = ["indices:data/write/update", "indices:admin/mapping/put"].some((one) => actions.includes(one));
  if (evaluatesOwnAgain && asksMore && actions.includes("indices:data/write/bulk[s]")) return "yes";
  const isAgain = (action: string) => evaluatedAgain.some((pattern) => matchesPattern(pattern, action) === "yes");
  return actions.some(isAgain) ? "unknown" : "no";
}

/** Whether the restrictions of the subject are another text on another node: all of them count, whatever the index. */
function changeRestrictions(model: AccessModel, subject: Subject): Verdict {
  const { heldRoleVariables } = model.state.semantics;
  const [ofRoles, ofHeld] = [changeOrder(subject), model.holdings(subject).length > 1 ? "unknown" : "no"] as const;
  if (ofRoles === "no" && heldRoleVariables.length === 0) return "no";
  const found = [...listHeldRules(model, subject), ...listPerhapsHeld(model, subject)].flatMap(({ holding, rules }) =>
    rules.index.map((rule) => {
      const { query, texts } = findTexts(rule, model.state.semantics);
      const changes = combineAny([
        namesAny(texts, backendRoleVariables) ? ofRoles : "no",
        namesAny(query, heldRoleVariables) ? ofHeld : "no",
      ]);
      return combineAll([changes, holding.verdict]);
    }),
  );
  return removesLimits(model) ? combineAll([combineAny(found), "unknown"]) : combineAny(found);
}

/** What of a restriction the server fills in. */
function findTexts({ patterns, restricts }: IndexRule, { dotsMatchNothing }: Semantics) {
  const read = patterns.filter((pattern) => !(dotsMatchNothing && pattern.includes(".")));
  const query = restricts.dls?.key ?? "";
  return read.length > 0 && isRestricting(restricts)
    ? { query, texts: [...read, query].join() }
    : { query: "", texts: "" };
}

const backendRoleVariables = ["user.roles", "user_roles"];

function namesAny(text: string, variables: readonly string[]): boolean {
  return variables.some((variable) => text.includes(`\${${variable}}`));
}

/** Whether the backend roles are in another order on another node. */
function changeOrder({ backendRoles, mayHaveMore }: Subject): Verdict {
  if (mayHaveMore !== undefined) return "unknown";
  const names = new Set(backendRoles.flatMap((who) => ("name" in who ? [who.name] : [])));
  const isKnown = backendRoles.length < 2 || backendRoles.every((who) => "name" in who);
  return isKnown ? (isReorderedByJava([...names]) ? "yes" : "no") : "unknown";
}

/** Java lists a set by the last bits of hashes: four of them, or fewer in a set of up to six that was sent to a node. */
function isReorderedByJava(names: readonly string[]): boolean {
  if (names.length > 6) return false;
  const slots = names.length > 3 ? 8 : 4;
  const hashes = names.map(hashByJava).toSorted((a, b) => (a & 15) - (b & 15));
  return hashes.some((hash, at) => (hash & (slots - 1)) < ((hashes[at - 1] ?? 0) & (slots - 1)));
}

function hashByJava(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(31, hash) + text.charCodeAt(at)) | 0;
  return hash ^ (hash >>> 16);
}
