import { expect, test } from "vitest";
import { isBlocked, isShutOut } from "../../../../src/access/evaluate/blocked.ts";

test.each([
  // The server sees an address of version 4, whatever form the question has.
  ["net_mask", "192.168.66.0/24", "::ffff:192.168.66.5", "yes"],
  ["ip", "9.9.9.9", "::ffff:9.9.9.9", "yes"],
  ["ip", "9.9.9.9", "::ffff:9.9.9.8", "no"],
  // How the server reads such a value is not documented.
  ["ip", "::ffff:9.9.9.9", "9.9.9.9", "unknown"],
  ["ip", "::ffff:9.9.9.9", "9.9.9.8", "no"],
  ["net_mask", "::ffff:10.0.0.0/104", "10.1.2.3", "unknown"],
  ["net_mask", "::ffff:10.0.0.0/104", "11.1.2.3", "no"],
  ["net_mask", "::/0", "10.1.2.3", "no"],
] as const)("a block of %s %s, and a request from %s: %s", (type, value, address, verdict) => {
  const blocks = [{ type, value: [value], verdict: "disallow" }];
  expect(isBlocked(blocks, { user: "ana", backendRoles: [], address })).toBe(verdict);
});

test.for([
  ["10.*", "10.0.0.0/8", "yes"],
  ["10.1.*", "10.0.0.0/8", "yes"],
  ["10.*", "10.1.0.0/16", "no"],
  ["10.*", "::ffff:10.0.0.0/104", "no"],
] as const)("hosts %s other than those of a block of %s that is about them: %s", ([pattern, value, verdict]) => {
  const blocks = [{ type: "net_mask", value: [value], verdict: "disallow" }];
  const subject = { backendRoles: [], host: { pattern }, otherThan: new Set([value]) };
  expect(isShutOut(blocks, subject)).toBe(verdict);
});
