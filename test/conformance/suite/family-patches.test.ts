// What the client relies on when it patches entries, alone and in bulk: for each family of each product.
import { expect } from "vitest";
import { type Case, given, onServers, reported, type Step, where } from "./case.ts";
import { ofEachFamily, roleFor } from "./of-each-family.ts";
import { holding } from "./shows.ts";
import { type Facts, isOlderOpenSearch } from "./stage.ts";
import type { FamilyWords, Words } from "./words.ts";

onServers("usual", "patches of families", (words, facts) =>
  ofEachFamily(words, (family) => patches(family, words, facts)),
);

function patches(family: FamilyWords, words: Words, facts: Facts): readonly Case[] {
  const { product, name } = facts;
  const { path, kind, first, second, shown, patched, empty } = family;
  const at = `${path}/suite_a`;
  const { field, value } = patched;
  const start = [...roleFor(family, words, "suite_a"), given(`PUT ${at}`, first)];
  const changed: Step = { ask: `GET ${at}`, status: 200, shows: { suite_a: { ...shown, [field]: value } } };
  const same: Step = { ask: `GET ${at}`, status: 200, shows: { suite_a: shown } };
  const idle = product === "opensearch" && !isOlderOpenSearch(facts) ? "No updates required" : undefined;
  const missing = product === "opensearch" ? /Missing field/ : /noSuchPath in source/;
  return [
    {
      title: "PATCH of one replaces a field",
      steps: [
        ...start,
        {
          ask: `PATCH ${at}`,
          send: [{ op: "replace", path: `/${field}`, value }],
          status: 200,
          shows: reported(200, "'suite_a' updated."),
        },
        changed,
      ],
    },
    {
      title: "add on a field that is there replaces it",
      steps: [...start, { ask: `PATCH ${at}`, send: [{ op: "add", path: `/${field}`, value }], status: 200 }, changed],
    },
    {
      title: "remove of a field that is not there does nothing and is no error",
      steps: [
        ...start,
        {
          ask: `PATCH ${at}`,
          send: [{ op: "remove", path: "/suite_x" }],
          status: 200,
          shows: reported(200, idle ?? "'suite_a' updated."),
        },
        same,
      ],
    },
    ...where(empty !== undefined && name !== "search-guard-6", [
      {
        title: "a field that GET shows empty is not there for a patch, so that replace of it fails and add does not",
        steps: [
          ...start,
          {
            ask: `PATCH ${at}`,
            send: [{ op: "replace", path: `/${empty}`, value: empty === "description" ? "d" : [] }],
            status: 400,
            shows: missing,
          },
          same,
          {
            ask: `PATCH ${at}`,
            send: [{ op: "add", path: `/${empty}`, value: empty === "description" ? "d" : [] }],
            status: 200,
          },
        ],
      },
    ]),
    {
      title: "an index in brackets, as documented, is a name that is not there",
      steps: [
        ...start,
        {
          ask: `PATCH ${at}`,
          send: [{ op: "replace", path: `/${field}[0]`, value: "x" }],
          status: 400,
          shows: missing,
        },
        same,
      ],
    },
    {
      title: "PATCH of what is not there",
      steps: [
        {
          ask: `PATCH ${at}`,
          send: [{ op: "add", path: `/${field}`, value }],
          status: 404,
          shows: reported(404, words.notFound(kind, "suite_a")),
        },
      ],
    },
    {
      title: "one bulk PATCH creates, replaces, edits and deletes",
      steps: [
        ...roleFor(family, words, "suite_a", "suite_b", "suite_c", "suite_d"),
        ...["suite_b", "suite_c", "suite_d"].map((other) => given(`PUT ${path}/${other}`, first)),
        {
          ask: `PATCH ${path}`,
          send: [
            { op: "add", path: "/suite_a", value: first },
            { op: "add", path: "/suite_b", value: second },
            { op: "add", path: `/suite_c/${field}`, value },
            { op: "remove", path: "/suite_d" },
          ],
          status: 200,
          shows: reported(200, "Resource updated."),
        },
        { ask: `GET ${path}`, status: 200, shows: holding({ suite_a: shown, suite_c: { ...shown, [field]: value } }) },
        {
          ask: `GET ${path}/suite_b`,
          status: 200,
          shows: ({ json }: { json: unknown }) => expect(json).not.toEqual({ suite_b: shown }),
        },
        { ask: `GET ${path}/suite_d`, status: 404 },
      ],
    },
    {
      title: "a bulk PATCH of which one part is wrong changes nothing",
      steps: [
        ...roleFor(family, words, "suite_a", "suite_b"),
        given(`PUT ${at}`, first),
        {
          ask: `PATCH ${path}`,
          send: [
            { op: "remove", path: "/suite_a" },
            { op: "add", path: "/suite_b", value: { ...first, suite_x: 1 } },
          ],
          status: 400,
          shows: /invalid_keys/,
        },
        {
          ask: `PATCH ${path}`,
          send: [
            { op: "remove", path: "/suite_a" },
            { op: "replace", path: "/suite_b", value: first },
          ],
          status: 400,
        },
        same,
        { ask: `GET ${path}/suite_b`, status: 404 },
      ],
    },
    {
      title: "test is honoured by Search Guard and refused by OpenSearch",
      steps: [
        ...start,
        {
          ask: `PATCH ${path}`,
          send: [
            { op: "test", path: `/suite_a/${field}`, value: "other" },
            { op: "remove", path: "/suite_a" },
          ],
          status: 400,
          shows:
            product === "opensearch"
              ? reported(400, "Unsupported patch operation: test. Supported are: add,remove,replace")
              : reported(400, "[TEST Operation] value mismatch"),
        },
        same,
        ...where(product === "search-guard", [
          {
            ask: `PATCH ${path}`,
            send: [
              { op: "test", path: `/suite_a/${field}`, value: first[field] },
              { op: "remove", path: "/suite_a" },
            ],
            status: 200,
          },
        ]),
      ],
    },
    {
      title: "an empty PATCH is a write on Search Guard and refused by OpenSearch",
      steps: [
        {
          ask: `PATCH ${path}`,
          send: [],
          status: product === "opensearch" ? 400 : 200,
          shows:
            product === "opensearch" ? /Wrong request body|Request body required/ : reported(200, "Resource updated."),
        },
      ],
    },
    {
      title: "PATCH wants an array of operations, and says what is wrong with them",
      steps: [
        { ask: `PATCH ${path}`, send: { op: "remove", path: "/x" }, status: 400 },
        { ask: `PATCH ${path}`, send: "[", status: 400 },
        { ask: `PATCH ${path}`, send: [{ op: "frob", path: "/x" }], status: 400, shows: /frob/ },
        { ask: `PATCH ${path}`, send: [{ op: "add", path: "/x" }], status: 400, shows: /value/ },
        { ask: `PATCH ${path}`, send: "[]", headers: { "content-type": "application/json-patch+json" }, status: 406 },
      ],
    },
  ];
}
