import { expect, test } from "vitest";
import { findRequestKindAt } from "../../../src/dialects/requests.ts";

test.for([
  ["GET /hr-1/_search", "search", "hr-1"],
  ["POST /a,b/_count", "search", "a,b"],
  ["GET /_all/_search", "search", "_all"],
  ["PUT /hr-1/_doc/7", "index", "hr-1"],
  ["POST /hr-1/_doc", "index", "hr-1"],
  ["GET /hr-1", "get-index", "hr-1"],
  ["GET /hr-1/_field_caps", "field-caps", "hr-1"],
  ["PUT /hr-1/_alias/now", "put-alias", "hr-1"],
] as const)("%s is of the kind %s, on %s", ([request, kind, index]) => {
  expect(asked(request)).toMatchObject({ kind: { name: kind }, index });
});

test.for(["GET /", "PATCH /hr-1", "GET /_cluster/health", "GET /_search", "GET /hr-1/_search/more", "PUT /-x"])(
  "%s is of none",
  (request) => {
    expect(asked(request)).toBeUndefined();
  },
);

function asked(request: string) {
  const [method = "", path = ""] = request.split(" ");
  return findRequestKindAt(method, path.slice(1).split("/"));
}
