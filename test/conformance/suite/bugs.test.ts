// What the servers do wrong, most dangerous first: each is why gate-sync sends another form, or reads what it wrote.
import { expect } from "vitest";
import { type Case, onServers, reported, where } from "./case.ts";
import { type Config, configOf, disabledIn } from "./documents.ts";
import { type Facts, isOlderOpenSearch, type Stage } from "./stage.ts";
import type { FamilyWords, Words } from "./words.ts";

onServers("usual", "bugs", (words, facts) => [
  ...where(facts.name === "search-guard-7", [flips(facts), licenseLost]),
  ...where(facts.real, [parallel(words, facts), costs(words)]),
  ...where(facts.product === "opensearch", [stale, ...certificates(words, facts)]),
  ...where(facts.product === "search-guard", [reservedAlways(words)]),
]);

/** So config is only ever PUT there, whole. */
function flips({ real }: Facts): Case {
  return {
    title: "any PATCH of the config, even an empty one, switches on what was switched off",
    steps: async (stage) => {
      const before = await configOf(stage);
      expect(disabledIn(before)).not.toEqual([]);
      const answer = await stage.ask({ method: "PATCH", path: "sg_config", send: [] });
      expect([answer.status, answer.json]).toEqual([200, reported(200, "Resource updated.")]);
      expect(disabledIn(await configOf(stage))).toEqual([]);
      // The built-in config then logs in by tokens and client certificates first: all passwords are locked out.
      if (real) expect((await stage.ask({ who: "admin", method: "GET", path: "roles" })).status).toBe(401);
      expect((await stage.ask({ method: "PUT", path: "sg_config/sg_config", send: before })).status).toBe(200);
      expect(await configOf(stage)).toEqual(before);
      expect((await stage.ask({ who: "admin", method: "GET", path: "roles" })).status).toBe(200);
    },
  };
}

/** So a config that is PUT has the license in it that was there. */
const licenseLost: Case = {
  title: "the license lies in the config, and a PUT without it deletes it",
  steps: async (stage) => {
    const put = (send: Config) => stage.ask({ method: "PUT", path: "sg_config/sg_config", send });
    const before = await configOf(stage);
    const licensed = { dynamic: { ...before.dynamic, license: "-----BEGIN PGP MESSAGE-----" } };
    expect((await put(licensed)).status).toBe(200);
    expect(await configOf(stage)).toEqual(licensed);
    expect((await put(before)).status).toBe(200);
    expect((await configOf(stage)).dynamic).not.toHaveProperty("license");
  },
};

/** So writes go one after the other, and Search Guard 6 is read after each. */
function parallel({ families }: Words, { name }: Facts): Case {
  const [roles] = families as readonly [FamilyWords, ...FamilyWords[]];
  const round = async (stage: Stage, of: number) => {
    const entries = Array.from({ length: 8 }, (_, index) => `suite_${of}_${index}`);
    const answers = await Promise.all(
      entries.map((entry) => stage.ask({ method: "PUT", path: `roles/${entry}`, send: roles.second })),
    );
    const held = (await stage.ask({ method: "GET", path: "roles" })).json as object;
    const there = entries.filter((entry) => Object.hasOwn(held, entry));
    return { statuses: answers.map(({ status }) => status), there, entries };
  };
  if (name === "search-guard-6") {
    return {
      title: "of eight writes at once all are said to succeed, and some are lost",
      steps: async (stage) => {
        let lost = 0;
        for (let of = 0; of < 10 && lost === 0; of += 1) {
          const { statuses, there, entries } = await round(stage, of);
          expect(statuses).toEqual(entries.map(() => 201));
          lost = entries.length - there.length;
        }
        expect(lost).toBeGreaterThan(0);
      },
    };
  }
  return {
    title: "of eight writes at once some conflict; what was accepted is there, what was refused is not",
    steps: async (stage) => {
      const conflict = name === "search-guard-7" ? 500 : 409;
      const all: number[] = [];
      for (let of = 0; of < 3; of += 1) {
        const { statuses, there, entries } = await round(stage, of);
        expect(there).toEqual(entries.filter((_, index) => statuses[index] === 201));
        all.push(...statuses);
      }
      expect([...new Set(all)].sort()).toEqual([201, conflict]);
    },
  };
}

/** So a 401 is tried once more on a new connection. */
const stale: Case = {
  title: "after a refused request without login data, the next on that connection is refused too, for any user",
  steps: (stage) =>
    stage.onOneConnection(async (ask) => {
      const good = async () => (await ask({ who: "admin", method: "GET", path: "roles" })).status;
      expect(await good()).toBe(200);
      expect((await ask({ who: "stranger", method: "POST", path: "roles" })).status).toBe(405);
      expect(await good()).toBe(401);
      expect(await good()).toBe(200);
    }),
};

/** So reserved entries are left alone, with any identity of gate-sync. */
function certificates({ families }: Words, facts: Facts): readonly Case[] {
  const [roles] = families as readonly [FamilyWords, ...FamilyWords[]];
  const flag = (name: "reserved" | "hidden") => async (stage: Stage) => {
    const at = "roles/suite_a";
    const shown = async () => {
      const { json } = await stage.ask({ method: "GET", path: at });
      return (json as Record<string, Record<string, unknown>>).suite_a?.[name];
    };
    expect((await stage.ask({ method: "PUT", path: at, send: { ...roles.first, [name]: true } })).status).toBe(201);
    expect(await shown()).toBe(true);
    expect((await stage.ask({ method: "PUT", path: at, send: roles.first })).status).toBe(200);
    expect(await shown()).toBe(false);
  };
  return [
    {
      title: "an administrator's certificate may reserve an entry, and clears the flag by a PUT without it",
      steps: flag("reserved"),
    },
    ...where(!isOlderOpenSearch(facts), [
      {
        title: "an administrator's certificate may hide an entry, and clears the flag by a PUT without it",
        steps: flag("hidden"),
      },
    ]),
  ];
}

function reservedAlways({ families, reserved }: Words): Case {
  return {
    title: "an administrator's certificate may not write what is reserved either",
    steps: families.flatMap(({ path, first }) => [
      { ask: `PUT ${path}/suite_reserved`, send: first, status: 403, shows: reported(403, reserved("suite_reserved")) },
      { ask: `DELETE ${path}/suite_reserved`, status: 403, shows: reported(403, reserved("suite_reserved")) },
    ]),
  };
}

/** A measurement, printed and not evaluated: a write empties the login cache, so that a password is checked again each time. */
function costs({ families }: Words): Case {
  const [roles] = families as readonly [FamilyWords, ...FamilyWords[]];
  const median = async (stage: Stage, who: "admin" | "certificate") => {
    const times: number[] = [];
    for (let count = 0; count < 7; count += 1) {
      const began = performance.now();
      const send = count % 2 === 0 ? roles.second : roles.first;
      expect((await stage.ask({ who, method: "PUT", path: "roles/suite_a", send })).status).toBeLessThan(300);
      times.push(performance.now() - began);
    }
    return Math.round(times.sort((a, b) => a - b)[3] ?? 0);
  };
  return {
    title: "what a write costs by password and by certificate (measured, not evaluated)",
    steps: async (stage) => {
      const [password, certificate] = [await median(stage, "admin"), await median(stage, "certificate")];
      console.log(`${stage.facts.name}: a PUT takes ${password} ms by password, ${certificate} ms by certificate`);
    },
  };
}
