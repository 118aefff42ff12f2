// A branch that grants access and takes away what forbids it is never green with --base; one that leaves protections as they are has no line.
import { describe, expect, test } from "vitest";
import { hasGit, onHistory } from "../cli/history.ts";
import { randomFrom } from "../fixtures/index.ts";
import type { Files } from "../support/command.ts";
import { seeds } from "./seed.ts";

type Fields = Readonly<Record<string, unknown>>;

const role = { index_permissions: [{ index_patterns: ["payroll-*"], allowed_actions: ["SGS_READ"] }] };
const held = { backend_roles: ["hr"] };
const gained = { backend_roles: ["contractors", "hr"] };
const toText = (value: unknown) => `${JSON.stringify(value)}\n`;

interface Fixture {
  readonly settings: Fields;
  readonly target: Fields;
  readonly tests: readonly Fields[];
  readonly members: Fields;
  readonly path: string;
  /** What else gate-sync.yaml has. */
  readonly top?: Fields;
  readonly name?: string;
}

function layOut({ settings, target, tests, members, path, top, name = "prod" }: Fixture): Files {
  const targets = { [name]: { url: "URL", state: ["access"], ...target } };
  return {
    "gate-sync.yaml": toText({ targets, defaults: settings, ...top }),
    "access/r.yml": toText({ roles: { payroll: role }, role_mappings: { payroll: members } }),
    ...(tests.length > 0 && { [path]: toText({ access_tests: tests }) }),
  };
}

const forbidding: readonly Partial<Fixture>[] = [
  { tests: [{ name: "only hr", only: held, action: ["search", "get"], index: "payroll-*" }] },
  { tests: [{ as: { backend_roles: ["contractors"] }, action: "search", index: "payroll-1", expect: "denied" }] },
  { settings: { protect: ["role_mappings/*"] } },
  { target: { protect: ["role_mappings/payroll"] } },
  { settings: { families: { role_mappings: { changes: { count: 0 } } } } },
];

/** In which ways what the files of the base say besides might be no longer read. */
const around: readonly ((fixture: Fixture) => Fixture)[] = [
  (fixture) => fixture,
  (fixture) => ({ ...fixture, top: { secret_files: ["/usr/share"], allowed_hosts: ["127.0.0.1", "localhost"] } }),
  (fixture) => ({ ...fixture, name: "old" }),
  (fixture) => ({ ...fixture, name: "old", target: { ...fixture.target, url: "URL/" } }),
  (fixture) => ({ ...fixture, name: "old", target: { ...fixture.target, url: "http://127.0.0.1:1" } }),
  (fixture) => ({
    ...fixture,
    settings: { ...fixture.settings, vars: { at: "URL" } },
    target: { ...fixture.target, url: "$" + "{var:at}" },
  }),
];

const loosenings: readonly ((fixture: Fixture) => Fixture)[] = [
  (fixture) => ({ ...fixture, tests: [], settings: {}, target: {} }),
  (fixture) => ({
    ...fixture,
    tests: fixture.tests.map((one) => (one.only ? { ...one, only: gained } : { ...one, index: "other-1" })),
    settings: { protect: ["roles/*"], families: { role_mappings: { changes: { count: 9 } } } },
    target: { protect: [] },
  }),
  (fixture) => ({ ...fixture, path: "elsewhere/t.yml", settings: {}, target: {} }),
  (fixture) => ({ ...fixture, tests: fixture.tests.slice(1), settings: { protect: [] }, target: {} }),
];

const secretOutside = {
  "access/u.yml": toText({ internal_users: { ann: { password: "$" + "{file:/usr/share/none}" } } }),
};

const neutral: readonly ((fixture: Fixture) => Fixture)[] = [
  (fixture) => ({ ...fixture, path: "access/deep/moved.yml" }),
  (fixture) => ({ ...fixture, tests: fixture.tests.map((one) => ({ ...one, name: "renamed" })) }),
  (fixture) => ({ ...fixture, settings: { ...fixture.settings, ...fixture.target }, target: {} }),
  (fixture) => ({ ...fixture, members: { backend_roles: ["hr"], users: ["ann"] } }),
  (fixture) => ({ ...fixture, target: { ...fixture.target, timeouts: { read: 9 } } }),
];

const state = { roles: { payroll: role }, role_mappings: { payroll: held } };

describe.skipIf(!hasGit)("protections of a base", () => {
  test.each(seeds(40, 6))("seed %i", async (each) => {
    const random = randomFrom(`protection ${each}`);
    const empty: Fixture = { settings: {}, target: {}, tests: [], members: held, path: "access/t.yml" };
    const was: Fixture = { ...empty, ...random.pick(forbidding) };
    const loosened = { ...random.pick(loosenings)(was), members: gained };
    const secret = random.pick([{}, secretOutside]);
    const then = { ...layOut(random.pick(around)(was)), ...secret };
    await onHistory({ was: then, now: layOut(loosened), state }, async (run) => {
      const { code, stdout } = await run("plan --base main --format json");
      expect({ code, about: [was, loosened] }, stdout).toEqual({ code: 4, about: [was, loosened] });
      expect(JSON.parse(stdout).since.protection).not.toEqual([]);
    });
    const kept = random.pick(neutral)(was);
    await onHistory({ was: layOut(was), now: layOut(kept), state }, async (run) => {
      const { stdout } = await run("plan --base main --format json");
      expect(JSON.parse(stdout).since, JSON.stringify([was, kept])).toMatchObject({ protection: [], would_refuse: [] });
    });
  });
});
