// Verdicts behind lint rules that no recording has: requests for documents, which the emulator does not evaluate.
import { type Case, given } from "./case.ts";
import type { Facts } from "./stage.ts";

const index = "suite-new-fields";

/** All writing of documents, without the permission that new fields take. */
export function newFields({ name }: Facts): Case {
  const writing = ["indices:data/write/*"];
  const bulk = ["indices:data/write/bulk"];
  const role =
    name === "search-guard-6"
      ? { cluster: bulk, indices: { [index]: { "*": writing } } }
      : { cluster_permissions: bulk, index_permissions: [{ index_patterns: [index], allowed_actions: writing }] };
  return {
    title: "who may write in every way may not write a document with a new field",
    steps: [
      given("PUT roles/suite_writer", role),
      given("PUT rolesmapping/suite_writer", { users: ["logstash"] }),
      { ask: `PUT /${index}/_doc/1`, send: { known: 1 }, status: 201 },
      { ask: `PUT /${index}/_doc/2`, who: "unmapped", send: { known: 2 }, status: 201 },
      {
        ask: `PUT /${index}/_doc/3`,
        who: "unmapped",
        send: { fresh: 3 },
        status: 403,
        shows: /no permissions for \[indices:admin\/mapping\/put\]/,
      },
      { ask: `DELETE /${index}`, status: 200 },
    ],
  };
}
