// examples/access-review as its README describes it: a pull request, what it does, and the test that refuses it.
import { cpSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { onHarness } from "../cli/harness.ts";

const readme = fileURLToPath(new URL("../../README.md", import.meta.url));
const example = fileURLToPath(new URL("../../examples/access-review/", import.meta.url));

test("the pull request of examples/access-review", () =>
  onHarness({ files: {}, state: parse(readFileSync(`${example}live.yml`, "utf8")) }, async ({ run, folder }) => {
    cpSync(example, folder, { recursive: true });
    const planned = await run("plan --url URL access");
    expect(planned.code).toBe(0);
    expect(planned.stdout).toContain("backend role auditors: fewer documents and fields of payroll-* (role");
    expect(planned.stdout).toContain("backend role helpdesk: search and get documents of pay* (role helpdesk)");
    expect(planned.stdout).toContain("Access           1 gained, 1 lost\n");
    // README shows this very plan, its fingerprint too.
    const shown = (text: string) => text.replace(/http:\/\/127\.0\.0\.1:\d+/, "URL");
    const [, block = ""] = /\$ gate-sync plan\n(.*?)```/s.exec(readFileSync(readme, "utf8")) ?? [];
    expect(shown(block)).toBe(shown(planned.stdout));
    const tested = await run("test access tests");
    expect([tested.code, tested.stdout]).toEqual([4, expect.stringContaining("2 access tests: 2 fail.")]);
    expect(tested.stdout).toContain("backend role auditors may search payroll-*, but does not see all of it");
    const refused = await run("plan --url URL access tests");
    expect([refused.code, refused.stdout.replace(/\s+/g, " ")]).toEqual([
      4,
      expect.stringContaining(
        "documents and fields are kept back by mapping payroll_de (access/payroll.yml:17) > role payroll_de on payroll-* (access/payroll.yml:7)",
      ),
    ]);
  }));
