// What the client relies on when it reads and writes single entries: for each family of each product.
import { type Case, given, onServers, reported, type Step, where } from "./case.ts";
import { ofEachFamily, roleFor } from "./of-each-family.ts";
import { holding, lacking } from "./shows.ts";
import type { Facts } from "./stage.ts";
import type { FamilyWords, Words } from "./words.ts";

onServers("usual", "families", (words, facts) =>
  ofEachFamily(words, (family) => [...writes(family, words), ...bodies(family, facts)]),
);

function writes(family: FamilyWords, words: Words): readonly Case[] {
  const { path, kind, first, second, shown } = family;
  const at = `${path}/suite_a`;
  return [
    {
      title: "PUT creates with 201 and replaces with 200; GET shows it by name, defaults filled, order kept",
      steps: [
        ...roleFor(family, words, "suite_a"),
        { ask: `PUT ${at}`, send: second, status: 201, shows: reported(201, "'suite_a' created.") },
        { ask: `PUT ${at}`, send: first, status: 200, shows: reported(200, "'suite_a' updated.") },
        { ask: `GET ${at}`, status: 200, shows: { suite_a: shown } },
        { ask: `GET ${path}`, status: 200, shows: holding({ suite_a: shown }) },
        { ask: `GET ${path}/`, status: 200, shows: holding({ suite_a: shown }) },
      ],
    },
    {
      title: "PUT of what is there already is a write like any other",
      steps: [
        ...roleFor(family, words, "suite_a"),
        given(`PUT ${at}`, first),
        { ask: `PUT ${at}`, send: first, status: 200, shows: reported(200, "'suite_a' updated.") },
      ],
    },
    {
      title: "DELETE takes it away, once",
      steps: [
        ...roleFor(family, words, "suite_a"),
        given(`PUT ${at}`, first),
        { ask: `DELETE ${at}`, status: 200, shows: reported(200, "'suite_a' deleted.") },
        { ask: `DELETE ${at}`, status: 404, shows: reported(404, words.notFound(kind, "suite_a")) },
        { ask: `GET ${at}`, status: 404, shows: reported(404, words.notFoundByGet(kind, "suite_a")) },
        { ask: `GET ${path}`, status: 200, shows: lacking("suite_a") },
      ],
    },
    {
      title: "a method that has no route is refused with 405 and those that have one",
      steps: [{ ask: `POST ${path}`, send: first, status: 405, shows: /allowed: \[/ }],
    },
  ];
}

function bodies(family: FamilyWords, { name, product }: Facts): readonly Case[] {
  const { path, first, wrong, mandatory } = family;
  const at = `PUT ${path}/suite_a`;
  const required = { status: "error", reason: "Request body required for this action." };
  const unparsable = { status: "error", reason: "Could not parse content of request." };
  const unknown = { status: "error", reason: "Invalid configuration", invalid_keys: { keys: "suite_x,suite_y" } };
  const list = Object.keys(first).find((key) => Array.isArray(first[key]));
  const gone: Step = { ask: `GET ${path}/suite_a`, status: 404 };
  return [
    {
      title: "unknown keys, also the flags that GET shows, are refused by name",
      steps: [
        { ask: at, send: { ...first, suite_x: 1, suite_y: 1 }, status: 400, shows: unknown },
        {
          ask: at,
          send: { ...first, static: false },
          status: 400,
          shows: { ...unknown, invalid_keys: { keys: "static" } },
        },
        { ask: at, who: "admin", send: { ...first, reserved: false }, status: 400, shows: /"invalid_keys"/ },
        gone,
      ],
    },
    {
      title: "a wrong type is refused by the name of the key",
      steps: [
        {
          ask: at,
          send: wrong.send,
          status: 400,
          shows: { status: "error", reason: "Wrong datatype", [wrong.field]: wrong.explained },
        },
        gone,
      ],
    },
    {
      title: "a body that is no JSON, or none, is refused",
      steps: [
        { ask: at, send: "{", status: 400, shows: holding(unparsable) },
        { ask: at, send: "", status: 400, shows: name === "search-guard-7" && path === "tenants" ? /parse/ : required },
        gone,
      ],
    },
    ...where(mandatory !== undefined, [
      {
        title: "what is mandatory must be there",
        steps: [{ ask: at, send: mandatory?.send, status: 400, shows: mandatory?.answer }, gone],
      },
    ]),
    ...where(path !== "tenants" || product === "opensearch", [
      { title: "{} is no entry", steps: [{ ask: at, send: {}, status: 400, shows: required }, gone] },
    ]),
    ...where(product === "opensearch" && list !== undefined, [
      {
        title: "null is no element of a list",
        steps: [
          {
            ask: at,
            send: { [list ?? ""]: ["x", null] },
            status: 400,
            shows: /(is|are) not allowed as json array element/,
          },
        ],
      },
    ]),
    ...where(name === "search-guard-6" && list !== undefined, [
      {
        title: "null is no element of a list",
        steps: [{ ask: at, send: { [list ?? ""]: ["x", null] }, status: 400, shows: unparsable }],
      },
    ]),
    ...where(path === "rolesmapping" && product === "opensearch", [
      {
        title: "a mapping to a role that is not there is refused",
        steps: [{ ask: at, send: first, status: 404, shows: reported(404, "role 'suite_a' not found.") }],
      },
    ]),
    ...where(path === "rolesmapping" && product === "search-guard", [
      { title: "a mapping to a role that is not there is taken", steps: [given(at, first)] },
    ]),
  ];
}
