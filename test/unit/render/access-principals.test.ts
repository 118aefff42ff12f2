import { expect, test } from "vitest";
import { formatAffected } from "../../../src/render/views/access-principals.ts";

test("of several principals each is enough: one with several backend roles is not read as a part of another", () => {
  const members = [
    { field: "backend_roles", entries: ["a"] },
    { field: "and_backend_roles", entries: ["b", "c"] },
  ] as const;
  expect(formatAffected(members.map((member) => ({ kind: "principal", member })))).toBe(
    "backend role a, anybody with all of the backend roles b and c",
  );
});
