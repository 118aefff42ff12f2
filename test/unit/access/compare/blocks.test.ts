// Behind blocks that let in some, a pattern of a mapping is about these: each of them is a principal of its own.
import { describe, expect, test } from "vitest";
import { compareAccess } from "../../../../src/access/compare/compare.ts";
import { evaluatePermission } from "../../../../src/access/evaluate/permission.ts";
import { listAllPrincipals } from "../../../../src/access/questions/who.ts";
import { createBlockedLine } from "../../../../src/render/views/access-lines.ts";
import type { Block, Fixture, Mapping } from "../../../support/evaluated.ts";
import { modelOfFixture } from "../../../support/modelled.ts";
import { inOrder } from "../../../support/ordered.ts";

const search = "indices:data/read/search";

function fixtureOf(blocks: readonly Block[], mapping: Mapping, dls?: string): Fixture {
  const element = { index_patterns: ["a"], allowed_actions: [search], ...(dls !== undefined && { dls }) };
  return {
    product: "search-guard-7",
    groups: {},
    roles: { r: { index_permissions: [element] } },
    mappings: { r: mapping },
    blocks,
  };
}

/** `gained users u1`. */
function accessDiff(blocks: readonly Block[], mapping: Mapping): readonly string[] {
  const { statements } = compareAccess(
    modelOfFixture(fixtureOf(blocks, {})),
    modelOfFixture(fixtureOf(blocks, mapping)),
  );
  return statements.flatMap(({ who, differences }) =>
    who.flatMap((one) =>
      one.kind === "principal"
        ? differences.map(({ kind }) => `${kind} ${one.member.field} ${one.member.entries.join()}`)
        : [],
    ),
  );
}

function whoCan(blocks: readonly Block[], mapping: Mapping): readonly string[] {
  const model = modelOfFixture(fixtureOf(blocks, mapping));
  return listAllPrincipals(model).flatMap((principal) => {
    const permission = { level: "index", action: search, index: { name: "a" } } as const;
    const { verdict } = evaluatePermission(model, principal.subject, permission);
    if (principal.kind !== "entry" || verdict === "no") return [];
    return [`${verdict} ${principal.member.field} ${principal.member.entries.join()}`];
  });
}

const block = (type: Block["type"], verdict: Block["verdict"], ...value: readonly string[]): Block => ({
  type,
  verdict,
  value,
});

describe("an unchanged block, and a mapping that gives a role", () => {
  test.for<[blocks: readonly Block[], mapping: Mapping, gaining: readonly string[]]>([
    [[block("name", "allow", "u1")], { users: ["u*"] }, ["users u1"]],
    [[block("name", "allow", "u1", "ana")], { users: ["*"] }, ["users ana", "users u1"]],
    [[block("name", "allow", "u1*")], { users: ["u*"] }, ["users u1*"]],
    [[block("name", "allow", "u1", "u2"), block("name", "disallow", "u2")], { users: ["u*"] }, ["users u1"]],
    [[block("name", "allow", "ana")], { users: ["u*"] }, []],
    [[block("name", "allow", "u*")], { users: ["u*"] }, ["users u*"]],
    [[block("name", "disallow", "u1")], { users: ["u*"] }, ["users u*"]],
    [[block("name", "disallow", "u*")], { users: ["u*"] }, []],
    [[block("ip", "allow", "10.0.0.1")], { hosts: ["10.0.*"] }, ["hosts 10.0.0.1"]],
    [[block("ip", "allow", "10.0.0.1")], { hosts: ["10.1.*"] }, []],
    [[block("net_mask", "allow", "10.0.7.0/24")], { hosts: ["10.0.*"] }, ["hosts 10.0.7.0/24"]],
    [[block("net_mask", "allow", "10.0.0.0/8")], { hosts: ["10.0.*"] }, ["hosts 10.0.*"]],
    [[block("net_mask", "disallow", "10.0.7.0/24")], { hosts: ["10.0.*"] }, ["hosts 10.0.*"]],
  ])("%j %j", ([blocks, mapping, gaining]) => {
    expect(accessDiff(blocks, mapping).toSorted()).toEqual(gaining.map((one) => `gained ${one}`));
    expect(whoCan(blocks, mapping)).toEqual(gaining.map((one) => `yes ${one}`));
  });

  test.for<[blocks: readonly Block[], mapping: Mapping, unknown: string]>([
    // Neither is a part of the other.
    [[block("name", "allow", "*1")], { users: ["u*"] }, "users u*"],
    [[block("name", "disallow", "*1")], { users: ["u*"] }, "users u*"],
    // Its names may be those that are let in.
    [[block("name", "allow", "u1")], { backend_roles: ["b1"] }, "backend_roles b1"],
    [[block("name", "allow", "u1")], { hosts: ["10.0.0.1"] }, "hosts 10.0.0.1"],
  ])("unknown: %j %j", ([blocks, mapping, unknown]) => {
    expect(accessDiff(blocks, mapping)).toEqual([`may-gain ${unknown}`]);
    expect(whoCan(blocks, mapping)).toEqual([`unknown ${unknown}`]);
  });
});

describe("the order of requests", () => {
  const onlyU1 = [block("name", "allow", "u1")];
  const one = '{"term":{"k":1}}';
  test.for<[from: Mapping, to: Mapping]>([
    [{ users: ["u*"] }, { users: ["u2"] }],
    [{ users: ["??"] }, { users: ["u2"] }],
    [{ backend_roles: ["b1"] }, { users: ["u2"] }],
  ])("those who are let in see no more before %j is %j", ([from, to]) => {
    const { families, faults } = inOrder(fixtureOf(onlyU1, from, one), fixtureOf(onlyU1, to));
    expect(faults).toEqual([]);
    expect(families).toEqual(["role_mappings", "roles"]);
  });
});

describe("who is blocked, or no longer", () => {
  function blockedLines(...states: readonly [before: readonly Block[], after: readonly Block[]]): readonly string[] {
    const [before, after] = states.map((blocks) => modelOfFixture(fixtureOf(blocks, {})));
    if (!before || !after) throw new Error("two of them");
    return compareAccess(before, after)
      .blockedDiff.map(createBlockedLine)
      .map((one) => `${one.sign} ${one.sentence}`);
  }

  test("blocks by name in place of blocks by address: who is let in is named", () => {
    expect(blockedLines([block("ip", "allow", "10.0.0.1")], [block("name", "allow", "u1")])).toEqual([
      "? requests from 10.0.0.1: might be blocked (the user decides)",
      "+ user u1: no longer blocked",
    ]);
  });

  test("by name, where a block by address keeps all out but some", () => {
    const [u1, u2, ip] = [block("name", "allow", "u1"), block("name", "allow", "u2"), block("ip", "allow", "10.0.0.1")];
    expect(blockedLines([u1], [u2, ip])).toEqual([
      "- user u1: blocked",
      "? user u2: might no longer be blocked (the address decides)",
    ]);
    expect(blockedLines([u2, ip], [u1])).toEqual(["- user u2: blocked", "+ user u1: no longer blocked"]);
    expect(blockedLines([u1], [u1, ip])).toEqual(["? user u1: might be blocked (the address decides)"]);
    expect(blockedLines([u1, ip], [u1])).toEqual(["+ user u1: no longer blocked"]);
  });

  test.for<[about: string, blocks: readonly Block[], blocked: readonly string[], unblocked: readonly string[]]>([
    [
      "a user",
      [block("name", "allow", "u3"), block("name", "disallow", "u1")],
      ["- all except those that blocks let in: blocked", "- user u1: blocked"],
      ["+ all except those that blocks let in: no longer blocked", "+ user u1: no longer blocked"],
    ],
    [
      "an address",
      [block("net_mask", "allow", "10.0.0.0/8"), block("ip", "disallow", "10.0.0.1")],
      ["- all except those that blocks let in: blocked", "- requests from 10.0.0.1: blocked"],
      ["+ all except those that blocks let in: no longer blocked", "+ requests from 10.0.0.1: no longer blocked"],
    ],
    [
      "nobody but who is let in",
      [block("name", "allow", "u3")],
      ["- all except those that blocks let in: blocked"],
      ["+ all except those that blocks let in: no longer blocked"],
    ],
  ])("%s that a block names, like everybody whom none names", ([, blocks, blocked, unblocked]) => {
    expect(blockedLines([], blocks)).toEqual(blocked);
    expect(blockedLines(blocks, [])).toEqual(unblocked);
  });
});

describe("networks that blocks come to name, or no longer do", () => {
  const shut = (...value: readonly string[]) => block("net_mask", "disallow", ...value);
  const let_ = (...value: readonly string[]) => block("net_mask", "allow", ...value);
  const linesOf = (before: readonly Block[], after: readonly Block[]) => {
    const mapping = { users: ["u1"] };
    const { blockedDiff } = compareAccess(
      modelOfFixture(fixtureOf(before, mapping)),
      modelOfFixture(fixtureOf(after, mapping)),
    );
    return blockedDiff.map(createBlockedLine).map(({ sign, sentence }) => `${sign} ${sentence}`);
  };

  test.for<[before: readonly Block[], after: readonly Block[], lines: readonly string[]]>([
    [
      [shut("10.0.0.0/8")],
      [shut("10.0.0.0/16")],
      ["+ requests from 10.0.0.0/8 outside of 10.0.0.0/16: no longer blocked"],
    ],
    [
      [shut("10.0.0.0/8")],
      [shut("10.5.0.0/16")],
      ["+ requests from 10.0.0.0/8 outside of 10.5.0.0/16: no longer blocked"],
    ],
    [[shut("10.0.0.0/16")], [shut("10.0.0.0/8")], ["- requests from 10.0.0.0/8 outside of 10.0.0.0/16: blocked"]],
    [
      [shut("10.0.0.0/8"), shut("10.0.0.0/16")],
      [shut("10.0.0.0/16")],
      ["+ requests from 10.0.0.0/8 outside of 10.0.0.0/16: no longer blocked"],
    ],
    [
      [shut("10.0.0.0/24")],
      [shut("10.0.0.0/8", "10.0.0.0/24")],
      ["- requests from 10.0.0.0/8 outside of 10.0.0.0/24: blocked"],
    ],
    [
      [shut("2001:db8:1::/48")],
      [shut("2001:db8:1::/64")],
      ["+ requests from 2001:db8:1::/48 outside of 2001:db8:1::/64: no longer blocked"],
    ],
    // What both name is all of it.
    [[shut("10.0.0.0/8")], [shut("10.0.0.0/9", "10.128.0.0/9")], []],
    [
      [shut("10.0.0.0/8")],
      [shut("10.0.0.0/9", "10.128.0.0/10")],
      ["+ requests from 10.0.0.0/8 outside of 10.0.0.0/9, 10.128.0.0/10: no longer blocked"],
    ],
    [
      [shut("127.0.0.0/8")],
      [block("ip", "disallow", "127.0.0.1")],
      ["+ requests from 127.0.0.0/8 outside of 127.0.0.1: no longer blocked"],
    ],
    [[let_("10.0.0.0/8")], [let_("10.0.0.0/16")], ["- requests from 10.0.0.0/8 outside of 10.0.0.0/16: blocked"]],
    [[shut("10.0.0.0/16")], [shut("10.0.7.9/16")], []],
  ])("%j, then %j", ([before, after, lines]) => {
    expect(linesOf(before, after)).toEqual(lines);
  });
});
