// After an answer that leaves open whether a write was taken: how long is looked, and what follows from what is seen.
import { describe, expect, it, test } from "vitest";
import type { FaultAnswer } from "../../../src/emulator/index.ts";
import { outcomesOf, type Played, play, type Scene } from "./harness.ts";

const put = "PUT /_searchguard/api/tenants/t";
const tenMinutes = 600_000;
const envelope = '{"status":"INTERNAL_SERVER_ERROR","message":"Error null"}';
const server = { product: "search-guard", release: "7" } as const;
const files = { "t.yml": "tenants:\n  t: {description: d}\n" };

function playTenant(scene: Partial<Scene>): Promise<Played> {
  return play({ server, files, ...scene });
}

/** Milliseconds that pass before a first write without effect is sent again. */
async function patienceWith(answer: FaultAnswer): Promise<number> {
  let first = 0;
  const { requests } = await playTenant({
    write: (count) => (count === 1 ? { at: "before", answer } : undefined),
    waits: (elapsed, { requests }) => {
      if (requests.filter(({ method }) => method === "PUT").length === 1) first = elapsed;
    },
  });
  expect(requests.filter((request) => request === put)).toHaveLength(2);
  return first;
}

describe("how long is waited before a write that had no effect is sent again", () => {
  test.for<[string, FaultAnswer]>([
    ["a broken connection", "reset"],
    ["502", { status: 502, body: "Bad Gateway" }],
    ["503 in JSON", { status: 503, body: '{"error":{"reason":"x"},"status":503}' }],
    ["504", { status: 504, body: "" }],
    ["500 in HTML", { status: 500, body: "<html></html>" }],
    ["500 and nothing", { status: 500 }],
  ])("as long as a write may take after %s", async ([, answer]) => {
    expect(await patienceWith(answer)).toBeGreaterThanOrEqual(tenMinutes);
  });

  test.for<[string, string]>([
    ["the API's own envelope", envelope],
    ["the engine's own envelope", '{"error":{"type":"x","reason":"y"},"status":500}'],
  ])("a few seconds after 500 in %s", async ([, body]) => {
    const waited = await patienceWith({ status: 500, body });
    expect(waited).toBeGreaterThanOrEqual(3_000);
    expect(waited).toBeLessThan(5_000);
  });
});

describe("a deletion that a proxy sends twice", () => {
  const tenant = { description: "d" };
  const gone: Partial<Scene> = {
    server: { ...server, state: { tenants: { t: tenant, kept: tenant } } },
    files: { "t.yml": "tenants:\n  kept: {description: d}\n" },
  };
  const answer = { status: 404, body: '{"status":"NOT_FOUND","message":"tenants t not found."}' };
  const deletes = ({ requests }: Played) => requests.filter((request) => request.startsWith("DELETE")).length;

  it("is done though the answer is 404", async () => {
    const played = await playTenant({ ...gone, write: () => ({ at: "after", answer }) });
    expect(outcomesOf(played)).toEqual(["done"]);
    expect(deletes(played)).toBe(1);
  });

  it("is refused where the server still has it", async () => {
    const played = await playTenant({ ...gone, write: () => ({ at: "before", answer }) });
    expect(outcomesOf(played)).toEqual(["failed"]);
    expect(deletes(played)).toBe(1);
  });
});

describe("a success that is another writer's page", () => {
  const answer = { status: 200, body: "<html><title>Log in</title></html>" };

  it("is not believed, and the write is sent again", async () => {
    const played = await playTenant({ write: (count) => (count === 1 ? { at: "before", answer } : undefined) });
    expect(outcomesOf(played)).toEqual(["done"]);
    expect(played.report.outcomes[0]?.detail).toBe("sent 2 times: at first answered 200: a web page, “Log in”");
  });

  it("is no success where it stays", async () => {
    const played = await playTenant({ write: () => ({ at: "before", answer }) });
    expect(outcomesOf(played)).toEqual(["failed"]);
    expect(played.report.outcomes[0]?.detail).toContain("a web page, “Log in”; sent 3 times without effect");
  });

  it("and took effect all the same is done, sent once", async () => {
    const played = await playTenant({ write: () => ({ at: "after", answer }) });
    expect(outcomesOf(played)).toEqual(["done"]);
    expect(played.requests.filter((request) => request === put)).toHaveLength(1);
  });
});

describe("a proxy that gives up while the server works on", () => {
  const slow = (minutes: number): Partial<Scene> => ({
    write: () => ({ at: "before", answer: { status: 504, body: "<html></html>" } }),
    waits: (elapsed, emulator) => {
      if (elapsed >= minutes * 60_000) emulator.replaceState({ tenants: { t: { description: "d" } } });
    },
  });

  it("is done when the server has finished, sent once", async () => {
    const played = await playTenant(slow(7));
    expect(outcomesOf(played)).toEqual(["done"]);
    expect(played.requests.filter((request) => request !== "look")).toEqual([put]);
    expect(played.report.verified).toBe(true);
  });

  it("is looked at ever more rarely, every half minute at most", async () => {
    const { explained } = await playTenant(slow(3));
    const intermediateStates = explained.map((line) => Number(line.split(" ")[0]));
    expect(intermediateStates.slice(0, 4)).toEqual([0, 500, 1_500, 3_500]);
    expect(
      intermediateStates
        .slice(1)
        .every((intermediateState, index) => intermediateState - (intermediateStates[index] ?? 0) <= 30_000),
    ).toBe(true);
    expect(explained[0]).toBe(`0 of ${tenMinutes}`);
  });

  it("is unknown when the user does not want to wait", async () => {
    const played = await playTenant({ ...slow(7), stopped: (elapsed) => elapsed > 60_000 });
    expect(outcomesOf(played)).toEqual(["unknown"]);
    expect(played.waited).toBeLessThan(62_000);
    expect(played.report.outcomes[0]?.detail).toContain("stopped before it could be seen");
  });
});

describe("a server that ends in the middle of a write", () => {
  /** Every connection breaks from then on, for so many milliseconds. */
  const away = (milliseconds: number, at: "before" | "after"): Partial<Scene> => {
    let now = 0;
    return {
      write: (count) => (count === 1 ? { at, answer: "reset" } : undefined),
      read: () => (now < milliseconds ? { at: "before", answer: "reset" } : undefined),
      waits: (elapsed) => {
        now = elapsed;
      },
    };
  };
  const sends = ({ requests }: Played) => requests.filter((request) => request === put).length;

  it.each(["before", "after"] as const)(
    "is waited for for half a minute, and the write is unknown (%s)",
    async (at) => {
      const played = await playTenant(away(Number.POSITIVE_INFINITY, at));
      expect(outcomesOf(played)).toEqual(["unknown"]);
      expect(sends(played)).toBe(1);
      expect(played.waited).toBeGreaterThanOrEqual(30_000);
      expect(played.waited).toBeLessThan(31_000);
      expect(played.report.outcomes[0]?.detail).toMatch(
        /^the connection broke \(.*\); the server cannot be reached any more: it may or may not have taken it$/,
      );
      expect(played.explained.at(-1)).toMatch(/ of 30\d{3}$/);
    },
  );

  it("is done where it comes back soon and holds it, sent once", async () => {
    const played = await playTenant(away(20_000, "after"));
    expect(outcomesOf(played)).toEqual(["done"]);
    expect(sends(played)).toBe(1);
    expect(played.waited).toBeLessThan(40_000);
  });

  it("is given the whole time where it comes back soon and does not hold it", async () => {
    const played = await playTenant(away(20_000, "before"));
    expect(outcomesOf(played)).toEqual(["done"]);
    expect(sends(played)).toBe(2);
    expect(played.waited).toBeGreaterThanOrEqual(tenMinutes);
  });
});

describe("a write that is never taken", () => {
  it("fails, having been sent twice", async () => {
    const played = await playTenant({ write: () => ({ at: "before", answer: "reset" }) });
    expect(outcomesOf(played)).toEqual(["failed"]);
    expect(played.requests.filter((request) => request === put)).toHaveLength(2);
    expect(played.report.outcomes[0]?.detail).toContain("sent 2 times without effect");
  });

  it("is unknown where nothing can be read", async () => {
    const played = await playTenant({
      write: () => ({ at: "before", answer: { status: 500, body: envelope } }),
      read: () => ({ at: "before", answer: { status: 403 } }),
    });
    expect(outcomesOf(played)).toEqual(["unknown"]);
  });

  it("is unknown where something else appears", async () => {
    const played = await playTenant({
      write: (_, __, emulator) => {
        emulator.replaceState({ tenants: { t: { description: "of another writer" } } });
        return { at: "before", answer: "reset" };
      },
    });
    expect(outcomesOf(played)).toEqual(["unknown"]);
    expect(played.report.outcomes[0]?.detail).toContain("tenants/t holds something else now");
  });

  test.for([
    [501, "nothing"],
    [403, '{"status":"FORBIDDEN","message":"no"}'],
    [503, "Search Guard not initialized (SG11). See https://docs.search-guard.com/latest/sgadmin"],
  ] as const)("fails at once after %i, which says that nothing was written", async ([status, body]) => {
    const played = await playTenant({ write: () => ({ at: "before", answer: { status, body } }) });
    expect(outcomesOf(played)).toEqual(["failed"]);
    expect(played.requests).toEqual([put]);
  });
});

test("a body that the server cannot understand is not sent again", async () => {
  const body =
    '{"error":{"type":"unrecognized_property_exception","reason":"Unrecognized field \\"x\\""},"status":500}';
  const played = await playTenant({ write: () => ({ at: "before", answer: { status: 500, body } }) });
  expect(outcomesOf(played)).toEqual(["failed"]);
  expect(played.requests.filter((request) => request === put)).toHaveLength(1);
});
