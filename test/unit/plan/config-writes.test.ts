import { describe, expect, it } from "vitest";
import { hideSecrets } from "../../../src/dialects/codec.ts";
import { dialectFor } from "../../../src/dialects/index.ts";
import type { Value } from "../../../src/json/value.ts";
import { unfaithfulness } from "../../../src/live/faithful.ts";
import type { Change } from "../../../src/model/change.ts";
import { configFaithful, configWrites } from "../../../src/plan/guards/config-writes.ts";

const { config } = dialectFor("search-guard", "7");
const change: Change = { family: "config", name: "config", action: "update", reason: "declared", edits: [] };

function check(pending: readonly Change[], writable: boolean | undefined, refused: boolean) {
  expect(configWrites(pending, config, writable).length > 0).toBe(refused);
}

describe("the guard on the config", () => {
  it("refuses what the server is known to refuse", () => check([change], false, true));
  it("lets it be tried where nobody knows", () => check([change], undefined, false));
  it("has nothing to say where it is allowed, or not to be changed", () => {
    check([change], true, false);
    check([], false, false);
  });
  it("names the node setting", () => expect(configWrites([change], config, false)[0]?.why).toContain(config.setting));
});

describe("a config that cannot be written back as it was read", () => {
  const document = { dynamic: {} };
  it("is not written", () => expect(configFaithful([change], { document, unfaithful: "Asterisks." })).toHaveLength(1));
  it("may be left alone", () => expect(configFaithful([], { document, unfaithful: "Asterisks." })).toEqual([]));
  it("is one with asterisks for secrets, or with a number that nobody can carry", () => {
    const check = (value: Value, source: string, expected: boolean) =>
      expect(unfaithfulness(hideSecrets(value), source) !== undefined).toBe(expected);
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
