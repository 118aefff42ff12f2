import { describe, expect, test } from "vitest";
import { isBlocked, isShutOut } from "../../../src/access/evaluate/blocked.ts";
import { isMapped } from "../../../src/access/model/mapped.ts";
import type { Subject } from "../../../src/access/model/subject.ts";
import { matchesPattern } from "../../../src/access/patterns/matches.ts";
import type { Verdict } from "../../../src/access/verdict.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { Identity } from "../../../src/model/identity.ts";

describe("a pattern", () => {
  test.for<[pattern: string, text: string, verdict: Verdict]>([
    ["ana", "ana", "yes"],
    ["ana", "Ana", "no"],
    ["a*", "ana", "yes"],
    ["a?a", "ana", "yes"],
    ["a?", "ana", "no"],
    ["*", "", "yes"],
    ["/ana/", "ana", "yes"],
    ["/an/", "ana", "no"],
    ["/a.*|b.*/", "ana", "yes"],
    // Whole names are held against it: these change nothing.
    ["/^ana$/", "ana", "yes"],
    ["/^an/", "ana", "no"],
    ["/^an.*|^b$|c$/", "ana", "yes"],
    ["/^a$|^an$/", "ana", "no"],
    ["/^/", "", "yes"],
    [String.raw`/ana\$/`, "ana", "no"],
    [String.raw`/ana\$/`, "ana$", "yes"],
    ["/a^na/", "ana", "no"],
    ["/[^a|^b]na/", "ana", "no"],
    ["/ci-[a-z]+/", "ci-apply", "yes"],
    ["/ci-[^a-z]+/", "ci-apply", "no"],
    [String.raw`/cn=\w+,dc=x/`, "cn=ana,dc=x", "yes"],
    // Servers differ in these, or they are not read here.
    ["/^*ana/", "ana", "unknown"],
    ["/[a-z&&[^n]]+/", "ana", "unknown"],
    [String.raw`/(a)n\1/`, "ana", "unknown"],
    ["/(a+)+b/", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "no"],
    ["/a.++a/", "ana", "unknown"],
    ["/ana/", "ana\n", "unknown"],
    // To go back for each of these takes longer than anybody waits.
    [`/${".*".repeat(40)}x/`, "a".repeat(200), "no"],
    ["/an./", "anä", "yes"],
    ["/[/", "ana", "unknown"],
    ["/", "/", "unknown"],
    // `*?` is `?` to Search Guard 6 and 7.
    ["a*?", "an", "yes"],
    ["a*?", "ana", "unknown"],
    ["a*?", "a", "no"],
    // Servers count UTF-16 code units.
    ["?", "🔑", "no"],
    ["??", "🔑", "yes"],
    ["?*", "🔑", "yes"],
    ["/./", "🔑", "yes"],
  ])("%s on %s: %s", ([pattern, text, verdict]) => expect(matchesPattern(pattern, text)).toBe(verdict));
});

/** A back reference. */
const opaque = String.raw`/(a)n\1/`;

const ana: Identity = { user: "ana", backendRoles: ["ops", "emea"], address: "10.1.2.3" };

describe("a mapping", () => {
  test.for<[mapping: Fields, verdict: Verdict]>([
    [{}, "no"],
    [{ users: ["bob", "ana"] }, "yes"],
    [{ backend_roles: ["hr", "o*"] }, "yes"],
    [{ backend_roles: ["ana"] }, "no"],
    [{ and_backend_roles: ["ops", "emea"] }, "yes"],
    [{ and_backend_roles: ["ops", "hr"] }, "no"],
    [{ and_backend_roles: [] }, "no"],
    [{ users: ["bob"], and_backend_roles: ["ops", "e*"] }, "yes"],
    [{ hosts: ["10.1.*"] }, "yes"],
    [{ hosts: ["10.2.*"] }, "no"],
    [{ hosts: ["gateway.example"] }, "unknown"],
    [{ users: ["/(?i)ANA/"] }, "yes"],
    [{ users: [opaque] }, "unknown"],
    [{ users: [opaque], backend_roles: ["ops"] }, "yes"],
  ])("%j: %s", ([mapping, verdict]) => expect(isMapped(mapping, ana)).toBe(verdict));

  test("hosts of a user of unknown address", () => {
    const { address: _, ...nowhere } = ana;
    expect(isMapped({ hosts: ["10.*"] }, nowhere)).toBe("unknown");
    expect(isMapped({ hosts: ["*"] }, nowhere)).toBe("yes");
  });
});

describe("blocks", () => {
  const block = (type: string, verdict: string, ...value: readonly string[]): Fields => ({ type, verdict, value });
  test.for<[blocks: readonly Fields[], verdict: Verdict]>([
    [[], "no"],
    [[block("name", "disallow", "bob")], "no"],
    [[block("name", "disallow", "bob", "a*")], "yes"],
    [[block("name", "allow", "bob")], "yes"],
    [[block("name", "allow", "bob"), block("name", "allow", "ana")], "no"],
    [[block("name", "allow", "ana"), block("name", "disallow", "ana")], "yes"],
    // Each type represents itself.
    [[block("name", "allow", "ana"), block("ip", "allow", "10.9.9.9")], "yes"],
    [[block("ip", "disallow", "10.1.2.3")], "yes"],
    [[block("ip", "disallow", "::1")], "no"],
    [[block("net_mask", "disallow", "10.1.0.0/16")], "yes"],
    [[block("net_mask", "disallow", "10.2.0.0/16")], "no"],
    [[block("net_mask", "allow", "10.0.0.0/8")], "no"],
    [[block("net_mask", "disallow", "10.1.0.0")], "unknown"],
    [[block("name", "disallow", "/(?i)ANA/")], "yes"],
    [[block("name", "disallow", opaque)], "unknown"],
  ])("%j: %s", ([blocks, verdict]) => expect(isBlocked(blocks, ana)).toBe(verdict));

  test("by address, of a user of unknown address", () => {
    const { address: _, ...nowhere } = ana;
    expect(isBlocked([block("ip", "disallow", "10.1.2.3")], nowhere)).toBe("unknown");
  });
});

describe("blocks of a principal of which not all is known", () => {
  const block = (type: string, verdict: string, value: string): Fields => ({ type, verdict, value: [value] });
  const unnamed: Subject = { backendRoles: [] };
  const users = (pattern: string): Subject => ({ ...unnamed, user: { pattern } });
  const hosts = (pattern: string): Subject => ({ ...unnamed, host: { pattern } });
  test.for<[subject: Subject, type: string, value: string, disallowed: Verdict, allowed: Verdict]>([
    // Some of them are meant, and others are not.
    [users("u*"), "name", "u1", "unknown", "unknown"],
    [users("u*"), "name", "*1", "unknown", "unknown"],
    [users("u*"), "name", "u*", "yes", "no"],
    [users("u1*"), "name", "u*", "yes", "no"],
    [users("u*"), "name", "ana", "no", "yes"],
    [users("u*"), "name", "a*", "no", "yes"],
    [users("u*"), "name", opaque, "unknown", "unknown"],
    // Others than those whom blocks name are these no more.
    [{ ...users("u*"), otherThan: new Set(["u1"]) }, "name", "u1", "no", "yes"],
    [{ ...users("u*"), otherThan: new Set(["u1"]) }, "name", "u2", "unknown", "unknown"],
    // Without a name it may be whichever is let in.
    [unnamed, "name", "u1", "no", "unknown"],
    [unnamed, "name", "*", "yes", "no"],
    [hosts("10.0.*"), "ip", "10.0.0.1", "unknown", "unknown"],
    [hosts("10.0.*"), "ip", "10.1.0.1", "no", "yes"],
    [hosts("10.0.*"), "ip", "::1", "no", "yes"],
    [hosts("10.0.*"), "net_mask", "10.0.7.0/24", "unknown", "unknown"],
    [hosts("10.0.*"), "net_mask", "10.0.0.0/8", "yes", "no"],
    [hosts("10.0.*"), "net_mask", "10.1.0.0/16", "no", "yes"],
    [{ ...hosts("10.0.*"), otherThan: new Set(["10.0.7.0/24"]) }, "net_mask", "10.0.7.0/24", "no", "yes"],
    [hosts("*.example.org"), "ip", "10.0.0.1", "unknown", "unknown"],
    [unnamed, "ip", "10.0.0.1", "no", "no"],
    [{ ...unnamed, mayBeAnywhere: true }, "ip", "10.0.0.1", "unknown", "unknown"],
    [{ ...unnamed, mayBeAnywhere: true }, "net_mask", "10.0.0.0/8", "unknown", "unknown"],
  ])("%j, %s %s", ([subject, type, value, disallowed, allowed]) => {
    expect(isShutOut([block(type, "disallow", value)], subject)).toBe(disallowed);
    expect(isShutOut([block(type, "allow", value)], subject)).toBe(allowed);
  });
});
