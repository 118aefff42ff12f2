import { describe, expect, it } from "vitest";
import type { Dialect } from "../../../src/dialects/dialect.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import { Secret } from "../../../src/json/secret.ts";
import type { Value } from "../../../src/json/value.ts";
import { explainUnfaithful } from "../../../src/live/faithful.ts";
import type { Change } from "../../../src/model/change.ts";
import { configFaithful } from "../../../src/plan/guards/config-faithful.ts";
import { configWrites } from "../../../src/plan/guards/config-writes.ts";
import { hideSecrets } from "../../../src/secrets/config-fields.ts";
import { evaluated } from "./evaluated.ts";

const searchGuard = createDialect("search-guard", "7");
const { config } = searchGuard;
const change: Change = { family: "config", name: "config", action: "update", reason: "declared", edits: [] };

function refusals(pending: readonly Change[], configWritable: boolean | undefined, dialect: Dialect = searchGuard) {
  return configWrites.evaluate(evaluated(pending, { dialect, configWritable }));
}

function check(pending: readonly Change[], writable: boolean | undefined, refused: boolean) {
  expect(refusals(pending, writable).length > 0).toBe(refused);
}

describe("the guard on the config", () => {
  it("refuses what the server is known to refuse", () => check([change], false, true));
  it("lets it be tried where it is unknown", () => check([change], undefined, false));
  it("has nothing to say where it is allowed, or not to be changed", () => {
    check([change], true, false);
    check([], false, false);
  });
  for (const [release, tool] of [
    ["6", "sgadmin"],
    ["FLX", "sgctl"],
  ] as const) {
    it(`refuses it whatever was found on ${release}, and says what changes it`, () => {
      const own = createDialect("search-guard", release);
      for (const writable of [undefined, true]) expect(refusals([change], writable, own)[0]?.why).toContain(tool);
      expect(refusals([], undefined, own)).toEqual([]);
    });
  }
  it("names the node setting", () => expect(refusals([change], false)[0]?.why).toContain(config.setting));
});

describe("a config that cannot be written back as it was read", () => {
  const document = { dynamic: {} };
  const nothing = { resources: new Map(), paths: new Map() };
  const faults = (pending: readonly Change[], dialect: Dialect) =>
    configFaithful.evaluate(
      evaluated(pending, { dialect, live: { ...nothing, config: { document, unfaithful: "Asterisks." } } }),
    ).length;
  const masked = { ...change, before: { dynamic: { password: new Secret("live", "***") } }, after: { dynamic: {} } };
  it("is not written", () => expect(faults([change], searchGuard)).toBe(1));
  it("may be left alone", () => expect(faults([], searchGuard)).toBe(0));
  it("is patched where it is only masked, and a PATCH changes no more than it says", () => {
    expect(faults([masked], createDialect("opensearch", "2.19"))).toBe(0);
    expect(faults([masked], createDialect("opensearch", "1.2"))).toBe(1);
    expect(faults([masked], searchGuard)).toBe(1);
    expect(faults([change], createDialect("opensearch", "2.19"))).toBe(1);
  });
  it("is one with asterisks for secrets, or with a number that no client can carry", () => {
    const check = (value: Value, source: string, expected: boolean) =>
      expect(explainUnfaithful(hideSecrets(value), source) !== undefined).toBe(expected);
    check({ password: "******" }, '{"password":"******"}', true);
    check({ password: "secret" }, '{"password":"secret"}', false);
    check({ n: 1 }, '{"n":12345678901234567890}', true);
    check({ n: 1 }, '{"n":9007199254740993}', true);
    check(
      { n: 1 },
      '{"n":1.0,"m":1500,"o":100000000000000000000,"s":"12345678901234567890 \\" 12345678901234567890"}',
      false,
    );
  });
});
