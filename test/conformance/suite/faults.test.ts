// What goes wrong between the program and a server, by a proxy that corrupts one request: a sample of what properties/every-request
// plays in memory, here over the wire and before real servers.
import { expect } from "vitest";
import { isFull } from "../../support/extent.ts";
import { type Case, onServers, where } from "./case.ts";
import type { InjectedFault } from "./gateway.ts";
import { type Files, inRepository, type Repository, role } from "./repository.ts";
import type { Facts, Stage } from "./stage.ts";

onServers("each-product", "faults on the way", (_, facts) => [
  ...faults.map(withFault(facts)).filter((_each, index) => isPlayed(facts) || index % 5 === 0),
  lie(facts),
  ...where(isPlayed(facts), [cutOff(facts)]),
]);

/** All of it: the emulator meets most of it in memory already. */
function isPlayed({ real }: Facts): boolean {
  return real || isFull;
}

const own = '{"status":"INTERNAL_SERVER_ERROR","message":"Error null"}';
const conflict = '{"status":"CONFLICT","message":"[roles]: version conflict, required seqNo [36], primary term [1]"}';

const faults: readonly (readonly [title: string, injectedFault: InjectedFault])[] = [
  ["the connection is reset", { at: "before", answer: "reset" }],
  ["the connection is reset", { at: "after", answer: "reset" }],
  ["500 in the API's words", { at: "before", answer: { status: 500, body: own } }],
  ["500 in the API's words", { at: "after", answer: { status: 500, body: own } }],
  ["503", { at: "before", answer: { status: 503, body: "busy" } }],
  ["503", { at: "after", answer: { status: 503, body: "busy" } }],
  ["429", { at: "before", answer: { status: 429, headers: { "retry-after": "1" } } }],
  ["409", { at: "before", answer: { status: 409, body: conflict } }],
  [
    "500 version conflict",
    { at: "before", answer: { status: 500, body: conflict.replace("CONFLICT", "INTERNAL_SERVER_ERROR") } },
  ],
  ["half an answer", { at: "after", answer: "truncate" }],
  ["an empty answer", { at: "after", answer: "empty" }],
  ["a page in place of an answer", { at: "after", answer: "not-json" }],
  ["no answer in time", { at: "before", answer: "hang" }],
  ["no answer in time", { at: "after", answer: "hang" }],
];

/** What is there, what is wished, and how that is written. */
const forms: Readonly<Record<string, readonly [was: Files, wished: Files]>> = {
  PUT: [roles({ suite_kept: "a" }), roles({ suite_kept: "a", suite_a: "a" })],
  PATCH: [roles({ suite_kept: "a", suite_a: "a" }), roles({ suite_kept: "a", suite_a: "b" })],
  DELETE: [roles({ suite_kept: "a", suite_a: "a" }), roles({ suite_kept: "a" })],
  "PATCH of several": [
    roles({ suite_kept: "a", suite_a: "a", suite_b: "a", suite_c: "a" }),
    roles({ suite_kept: "a", suite_a: "b", suite_c: "a", suite_d: "a" }),
  ],
};

function roles(permissions: Readonly<Record<string, string>>): Files {
  return {
    "a.json": { roles: Object.fromEntries(Object.entries(permissions).map(([name, each]) => [name, role(each)])) },
  };
}

/** Each fault hits one form, in turn; all of them where it costs no waiting. */
function formsFor({ real }: Facts, index: number): readonly (readonly [Files, Files])[] {
  const all = Object.values(forms);
  return isFull && !real ? all : all.filter((_, each) => each === index % all.length);
}

/** Sent once where it took effect and once more where a look showed that it did not; done either way. */
function withFault(facts: Facts) {
  return ([title, injectedFault]: (typeof faults)[number], index: number): Case => ({
    title: `${title} ${injectedFault.at === "before" ? "before the write takes effect" : "after the write took effect"}`,
    steps: (stage) =>
      inForms(stage, formsFor(facts, index), async (repository) => {
        repository.gateway.inject(injectedFault);
        expect(await repository.applied("--allow", "deletions")).toHaveLength(injectedFault.at === "before" ? 2 : 1);
        await repository.inSync();
      }),
  });
}

/** A success without a word that the server did not send: Search Guard 6 is asked after each success, the others when all is done. */
function lie(facts: Facts): Case {
  return {
    title: "an empty success of a write that never arrived is found out",
    steps: (stage) =>
      inForms(stage, formsFor(facts, 1), async (repository) => {
        repository.gateway.inject({ at: "before", answer: "empty" });
        repository.gateway.forget();
        const { code, stdout } = await repository.run("apply", "--yes", "--allow", "deletions");
        const isAsked = facts.name === "search-guard-6";
        expect([code, repository.gateway.writes().length], stdout).toEqual(isAsked ? [0, 2] : [1, 1]);
        if (!isAsked) expect(stdout).toContain("suite_a");
        expect(await repository.applied()).toHaveLength(isAsked ? 0 : 1);
        await repository.inSync();
      }),
  };
}

function cutOff(facts: Facts): Case {
  return {
    title: "cut off from the server after a write: unknown, exit 6, and the next run finds it done",
    steps: (stage) =>
      inForms(stage, formsFor(facts, 3), async (repository) => {
        repository.gateway.inject({ at: "after", answer: "reset" }, { at: "before", answer: "reset" });
        repository.gateway.forget();
        const { code, stdout } = await repository.run("apply", "--yes", "--allow", "deletions");
        expect([code, repository.gateway.writes().length], stdout).toEqual([6, 1]);
        expect(stdout).toContain("unknown");
        repository.gateway.recover();
        expect(await repository.applied()).toHaveLength(0);
        await repository.inSync();
      }),
  };
}

/** Every form from what is there to what is wished, each with a repository of its own. */
async function inForms(
  stage: Stage,
  all: readonly (readonly [Files, Files])[],
  work: (repository: Repository) => Promise<void>,
): Promise<void> {
  for (const [was, wished] of all) {
    await inRepository(
      stage,
      was,
      async (repository) => {
        await repository.applied("--allow", "deletions");
        repository.declare(wished);
        await work(repository);
      },
      { include: "suite_*", patience: stage.facts.real ? 3 : 1 },
    );
  }
}
