import { expect, test } from "vitest";
import { rememberedByObject, rememberedByText } from "../../support/remembered.ts";

test("two strings are asked about once, in their order", () => {
  const asked: string[] = [];
  const of = rememberedByText((a, b) => {
    asked.push(`${a} ${b}`);
    return a < b;
  });
  expect([of("a", "b"), of("b", "a"), of("a", "b"), of("b", "a")]).toEqual([true, false, true, false]);
  expect(asked).toEqual(["a b", "b a"]);
});

test("two objects are asked about once, and what equals them once more", () => {
  let asked = 0;
  const of = rememberedByObject((a: { n: number }, b: { n: number }) => {
    asked += 1;
    return a.n + b.n;
  });
  const [one, two] = [{ n: 1 }, { n: 2 }];
  expect([of(one, two), of(one, two), of(one, { n: 2 })]).toEqual([3, 3, 3]);
  expect(asked).toBe(2);
});

test("an object that was asked about can no longer change, and neither can what is in it", () => {
  const fixture = { roles: { reader: { permissions: ["read"] } } };
  rememberedByObject(() => true)(fixture, {});
  expect(() => fixture.roles.reader.permissions.push("write")).toThrow(TypeError);
  expect(() => Object.assign(fixture.roles, { writer: {} })).toThrow(TypeError);
});
