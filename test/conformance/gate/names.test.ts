import { expect, test } from "vitest";
import { gate } from "./ask.ts";

const names: [path: string, name: string][] = [
  ["..", ".."],
  [".", "."],
  ["a%2Fb", "a/b"],
  ["a%20b", "a b"],
  ["a+b", "a+b"],
  ["%C3%A9%F0%9F%98%80", "é😀"],
  ["%ff", "\ufffd"],
  ["__proto__", "__proto__"],
  ["constructor", "constructor"],
  ["10", "10"],
  ["%25", "%"],
  ["a%3Fb%23", "a?b#"],
  ["%5B0%5D", "[0]"],
];

test("every name that a path can carry, decoded segment by segment", async () => {
  for (const [path, name] of names) {
    const { ask, emulator } = await gate();
    expect(await ask("PUT", `/tenants/${path}`, { description: name })).toMatchObject({ status: 201 });
    expect([...emulator.state().tenants.keys()]).toEqual([name]);
    const { json } = await ask("GET", `/tenants/${path}`);
    expect(Object.entries(json as object)).toMatchObject([[name, { description: name }]]);
    expect(Object.keys((await ask("GET", "/tenants")).json as object)).toEqual([name]);
    expect(await ask("PATCH", `/tenants/${path}`, [{ op: "remove", path: "/description" }])).toMatchObject({
      status: 200,
    });
    expect(await ask("DELETE", `/tenants/${path}`)).toMatchObject({ status: 200 });
    expect(emulator.state().tenants.size).toBe(0);
  }
});

test("every name that a pointer can carry", async () => {
  for (const [, name] of names) {
    const { ask, emulator } = await gate();
    const path = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const patch = [
      { op: "add", path, value: { description: "d" } },
      { op: "test", path: `${path}/description`, value: "d" },
    ];
    expect(await ask("PATCH", "/tenants", patch)).toMatchObject({ status: 200 });
    expect([...emulator.state().tenants]).toStrictEqual([[name, { description: "d" }]]);
    expect(await ask("PATCH", "/tenants", [{ op: "remove", path }])).toMatchObject({ status: 200 });
    expect(emulator.state().tenants.size).toBe(0);
  }
});

test("what is no path at all", async () => {
  const { ask } = await gate();
  expect(await ask("GET", "/tenants/%zz")).toMatchObject({ status: 400 });
  expect(await ask("GET", "/tenants/a/b")).toMatchObject({ status: 400 });
  const long = await ask("GET", `/tenants/${"x".repeat(4096)}`);
  expect(long).toMatchObject({ status: 400, json: { error: { type: "too_long_frame_exception" } } });
});
