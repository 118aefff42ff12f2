import { expect, test } from "vitest";
import { isMapped } from "../../../../src/access/model/mapped.ts";
import { listMembers } from "../../../../src/access/model/subject.ts";

// The servers compare hosts as text (measured): the warning cidr-in-hosts and the access diff say the same.
test.each(["10.0.0.0/8", "2001:db8::/32", "10.1.2.3/32"])("a network among hosts is no member: %s", (network) => {
  expect(listMembers({ hosts: [network] })).toEqual([]);
  expect(isMapped({ hosts: [network] }, { user: "ana", backendRoles: [], address: "10.1.2.3" })).toBe("no");
});

test.each(["10.*", "10.1.2.3", "/10\\..*/", "web/1", "10.0.0.0/x"])("anything else is one: %s", (host) => {
  expect(listMembers({ hosts: [host] })).toEqual([{ field: "hosts", entries: [host] }]);
});

test("a network is a name like any other among users and backend roles", () => {
  expect(listMembers({ users: ["10.0.0.0/8"], backend_roles: ["10.0.0.0/8"] })).toHaveLength(2);
});
