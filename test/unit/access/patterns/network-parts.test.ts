import { BlockList, isIP } from "node:net";
import { describe, expect, test } from "vitest";
import { parseNetwork } from "../../../../src/access/patterns/network.ts";
import { compareRanges, findAddressOutside, toRange } from "../../../../src/access/patterns/network-parts.ts";

function findOutside(network: string, others: readonly string[]): string | undefined {
  const [whole, ...rest] = [network, ...others].map((text) => parseNetwork(text)).map((one) => one && toRange(one));
  const within = rest.flatMap((one) => (one && whole && one.first >= whole.first ? [one] : []));
  return whole && findAddressOutside(whole, within.sort(compareRanges));
}

function isWithin(address: string, network: string): boolean {
  const [base = "", bits] = network.split("/");
  const family = isIP(base) === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(base, Number(bits), family);
  return list.check(address, family);
}

describe("an address of a network that is outside of others", () => {
  test.each<[string, readonly string[]]>([
    ["10.0.0.0/8", []],
    ["10.0.0.0/8", ["10.0.0.0/16"]],
    ["10.0.0.0/8", ["10.0.0.0/9", "10.128.0.0/10"]],
    ["10.0.0.0/30", ["10.0.0.0/32", "10.0.0.1/32", "10.0.0.2/32"]],
    ["10.5.7.9/8", ["10.0.0.0/9"]],
    ["0.0.0.0/0", ["0.0.0.0/1"]],
    ["2001:db8::/32", ["2001:db8::/33"]],
    ["::/0", ["::/1", "8000::/2"]],
    ["::ffff:10.0.0.0/104", ["::ffff:10.0.0.0/112"]],
  ])("%s outside of %j", (network, others) => {
    const found = findOutside(network, others);
    expect(found).toBeDefined();
    expect(isWithin(found ?? "", network)).toBe(true);
    expect(others.filter((other) => isWithin(found ?? "", other))).toEqual([]);
  });

  test.each<[string, readonly string[]]>([
    ["10.0.0.0/8", ["10.0.0.0/8"]],
    ["10.0.0.0/8", ["10.0.0.0/9", "10.128.0.0/9"]],
    ["::/0", ["::/1", "8000::/1"]],
  ])("%s has none outside of %j", (network, others) => {
    expect(findOutside(network, others)).toBeUndefined();
  });

  test("is found or not for every choice of parts of a small network", () => {
    const parts = [..."0123"].flatMap((at) => [`10.0.0.${at}/32`]).concat("10.0.0.0/31", "10.0.0.2/31");
    for (let chosen = 0; chosen < 2 ** parts.length; chosen++) {
      const others = parts.filter((_, at) => (chosen >> at) & 1);
      const free = ["10.0.0.0", "10.0.0.1", "10.0.0.2", "10.0.0.3"].filter(
        (address) => !others.some((other) => isWithin(address, other)),
      );
      const found = findOutside("10.0.0.0/30", others);
      expect(found === undefined ? free : [found]).toEqual(
        found === undefined ? [] : [expect.toSatisfy((one) => free.includes(one as string))],
      );
    }
  });
});
