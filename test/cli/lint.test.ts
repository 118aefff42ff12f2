// What is declared and does not do what it seems to: reported by validate and plan, as severe as the repository says.
import { describe, expect, test } from "vitest";
import { onHarness } from "./harness.ts";

const state = (comment = "") => `
roles: { log_reader: { cluster_permissions: ["cluster:monitor/main"] } }
role_mappings:
  log_reader:
    hosts: [10.0.0.0/8]${comment}
`;
const config = (lint: string) =>
  `defaults:\n  state: [access.yml]\n${lint}targets: { a: {}, b: { lint: { cidr-in-hosts: error } } }\n`;

describe.concurrent("lint rules", () => {
  test("validate and plan report them at their place", () =>
    onHarness({ files: { "access.yml": state() } }, async ({ run }) => {
      for (const line of ["validate access.yml", "plan --url URL access.yml"]) {
        const { code, stdout, stderr } = await run(line);
        expect([line, code]).toEqual([line, 0]);
        expect(stdout + stderr).toContain("access.yml:5:13  warning  cidr-in-hosts");
      }
    }));

  test("a target's word goes before what all inherit", () =>
    onHarness(
      { files: { "access.yml": state(), "gate-sync.yaml": config("  lint: { cidr-in-hosts: off }\n") } },
      async ({ run, writes }) => {
        expect((await run("validate --target a")).stdout).toContain("No problems in 1 file.");
        expect((await run("validate --target b")).code).toBe(3);
        expect((await run("apply --yes --url URL --target b")).code).toBe(3);
        expect(writes()).toEqual([]);
      },
    ));

  test("a comment with its reason silences one, as an error too", () =>
    onHarness(
      {
        files: {
          "access.yml": state(" # gate-sync-ignore cidr-in-hosts the proxy reads it"),
          "gate-sync.yaml": config(""),
        },
      },
      async ({ run }) => {
        expect((await run("validate --target b")).stdout).toContain("No problems in 1 file.");
      },
    ));

  test("a code that does not exist is an error of gate-sync.yaml, with the one that is meant", () =>
    onHarness(
      { files: { "access.yml": state(), "gate-sync.yaml": config("  lint: { cidr-in-host: off }\n") } },
      async ({ run }) => {
        const { code, stdout, stderr } = await run("validate --target a");
        expect(code).toBe(3);
        expect(stdout + stderr).toContain('Did you mean "cidr-in-hosts"?');
      },
    ));
});
