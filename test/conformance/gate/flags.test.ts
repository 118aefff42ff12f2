import { expect, test } from "vitest";
import { gate } from "./ask.ts";

const state = {
  roles: {
    own: { cluster_permissions: ["a"], reserved: true },
    builtin: { cluster_permissions: ["b"], static: true, reserved: true },
    ghost: { cluster_permissions: ["c"], hidden: true },
    open: { cluster_permissions: ["d"] },
  },
};

const body = { cluster_permissions: ["x"] };
const readOnly = (name: string) => ({ status: "FORBIDDEN", message: `Resource '${name}' is read-only.` });

async function check(method: string, path: string, sent: unknown, status: number, json: unknown) {
  const { ask, emulator } = await gate({ state });
  const before = emulator.state();
  expect(await ask(method, path, sent)).toMatchObject({ status, json });
  expect(emulator.state()).toBe(before);
}

test("reserved and static ones are shown with their flags, hidden ones are not shown", async () => {
  const { ask } = await gate({ state });
  const { json } = await ask("GET", "/roles");
  expect(Object.keys(json as object).sort()).toEqual(["builtin", "open", "own"]);
  expect(json).toMatchObject({
    own: { reserved: true, hidden: false, static: false },
    builtin: { reserved: true, static: true },
  });
  await check("GET", "/roles/ghost", undefined, 404, { message: "Resource 'ghost' not found." });
});

test("every write to a reserved or static one is 403", async () => {
  for (const name of ["own", "builtin"]) {
    await check("PUT", `/roles/${name}`, body, 403, readOnly(name));
    await check("DELETE", `/roles/${name}`, undefined, 403, readOnly(name));
    await check("PATCH", `/roles/${name}`, [{ op: "frob" }], 403, readOnly(name));
    const other = { op: "add", path: "/other", value: body };
    await check("PATCH", "/roles", [other, { op: "remove", path: `/${name}` }], 403, readOnly(name));
    await check(
      "PATCH",
      "/roles",
      [other, { op: "add", path: `/${name}/description`, value: "d" }],
      403,
      readOnly(name),
    );
  }
});

test("a hidden one: 403, 404, and 400 in bulk", async () => {
  await check("PUT", "/roles/ghost", body, 403, { message: "Resource 'ghost' is not available." });
  await check("DELETE", "/roles/ghost", undefined, 404, { message: "role ghost not found." });
  await check("PATCH", "/roles/ghost", [], 404, { message: "role ghost not found." });
  const message = "Resource name 'ghost' is reserved";
  await check("PATCH", "/roles", [{ op: "remove", path: "/ghost" }], 400, { status: "BAD_REQUEST", message });
});

test("a broken body is said before the flag, as the server reads it first", async () => {
  await check("PUT", "/roles/own", { nope: 1 }, 400, { invalid_keys: { keys: "nope" } });
});

test("a bulk patch that leaves them alone goes through, and they stay as they were", async () => {
  const { ask, emulator } = await gate({ state });
  const patch = [
    { op: "test", path: "/own/reserved", value: true },
    { op: "remove", path: "/own/nope" },
    { op: "remove", path: "/open" },
  ];
  expect(await ask("PATCH", "/roles", patch)).toMatchObject({ status: 200 });
  const { open, ...others } = state.roles;
  expect(open).toBeDefined();
  expect(Object.fromEntries(emulator.state().roles)).toStrictEqual(others);
});
