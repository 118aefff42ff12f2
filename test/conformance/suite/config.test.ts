// The config: how it is shown, and how it is written where that is allowed.
import { expect } from "vitest";
import { type Case, onServers, reported, where } from "./case.ts";
import { configOf, disabledIn } from "./documents.ts";
import type { Facts } from "./stage.ts";
import type { Words } from "./words.ts";

onServers("usual", "config", (words, facts) => [
  {
    title: "is shown under its key, as one child: dynamic",
    steps: [
      {
        ask: `GET ${words.config.path}`,
        status: 200,
        shows: ({ json }: { readonly json: object }) => {
          expect(Object.keys(json)).toEqual([words.config.key]);
          expect(Object.keys((json as Record<string, object>)[words.config.key] ?? {})).toEqual(["dynamic"]);
        },
      },
    ],
  },
  ...where(facts.configWritable, written(words, facts)),
  ...where(facts.name === "search-guard-6", [
    {
      title: "is only shown: there is no PUT and no PATCH",
      steps: [
        { ask: "PUT sgconfig", send: { dynamic: {} }, status: 405 },
        { ask: "PATCH sgconfig", send: [], status: 405 },
        { ask: "GET sgconfig/searchguard", status: 400, shows: /no handler found/ },
      ],
    },
  ]),
]);

function written({ config }: Words, { product, name }: Facts): readonly Case[] {
  const put = { method: "PUT", path: config.put } as const;
  const updated = reported(200, `'${config.key}' updated.`);
  return [
    {
      title: "PUT of what was shown changes nothing",
      steps: async (stage) => {
        const before = await configOf(stage);
        const answer = await stage.ask({ ...put, send: before });
        expect([answer.status, answer.json]).toEqual([200, updated]);
        expect(await configOf(stage)).toEqual(before);
      },
    },
    {
      title: "PUT replaces the whole: a changed child is shown, the others as before",
      steps: async (stage) => {
        const before = await configOf(stage);
        const wanted = { dynamic: { ...before.dynamic, do_not_fail_on_forbidden: true } };
        expect((await stage.ask({ ...put, who: "admin", send: wanted })).status).toBe(200);
        expect(await configOf(stage)).toEqual(wanted);
      },
    },
    {
      title: "PUT of what was shown with its key is refused",
      steps: async (stage) => {
        const before = await configOf(stage);
        const answer = await stage.ask({ ...put, send: { [config.key]: before } });
        expect([answer.status, answer.json]).toEqual([
          400,
          { status: "error", reason: "Invalid configuration", invalid_keys: { keys: config.key } },
        ]);
      },
    },
    {
      title: "PUT of a child that the server does not know is refused with 500, and nothing is written",
      steps: async (stage) => {
        const before = await configOf(stage);
        const answer = await stage.ask({ ...put, send: { dynamic: { ...before.dynamic, suite_x: 1 } } });
        expect(answer.status).toBe(500);
        expect(answer.text).toContain("suite_x");
        expect(await configOf(stage)).toEqual(before);
      },
    },
    {
      title: "PUT goes to one path only, and a GET of it shows that it may be written",
      steps: [
        { ask: `PUT ${config.path}`, send: { dynamic: {} }, status: 405 },
        { ask: `GET ${config.put}`, status: 405, shows: /allowed: \[.*PUT/ },
        ...(name === "search-guard-7"
          ? [{ ask: "PUT sg_config/other", send: { dynamic: {} }, status: 400 }]
          : [{ ask: "PUT securityconfig/other", send: { dynamic: {} }, status: 400, shows: /no handler found/ }]),
      ],
    },
    ...where(product === "opensearch", [
      {
        title: "PATCH edits what it names, and a stored false stays",
        steps: async (stage) => {
          const before = await configOf(stage);
          const path = `/${config.key}/dynamic/do_not_fail_on_forbidden`;
          const answer = await stage.ask({
            method: "PATCH",
            path: config.path,
            send: [{ op: "add", path, value: true }],
          });
          expect([answer.status, answer.json]).toEqual([200, reported(200, "Resource updated.")]);
          expect(await configOf(stage)).toEqual({ dynamic: { ...before.dynamic, do_not_fail_on_forbidden: true } });
          expect(disabledIn(before)).not.toEqual([]);
          expect(disabledIn(await configOf(stage))).toEqual(disabledIn(before));
        },
      },
    ]),
  ];
}
