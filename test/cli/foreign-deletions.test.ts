// The guard not-ours: what is deleted has to have been declared before, by what was applied last, HEAD or --base.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type EmulatorOptions, startEmulator } from "../../src/emulator/index.ts";
import { gateSyncWithin } from "../support/command.ts";
import { type Harness, onHarness } from "./harness.ts";
import { git, hasGit } from "./history.ts";

const body = { cluster_permissions: ["cluster:monitor/main"] };
const bodies = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, body]));
const settings = (url: string, roles = "{ mode: manage, deletions: { percent: 100 } }") =>
  `targets: { t: { url: "${url}", state: [access], families: { roles: ${roles} } } }\n`;

interface Folder extends Harness {
  declare(...names: readonly string[]): void;
  /** On the server, besides what is there. */
  hold(...names: readonly string[]): void;
  code(line: string): Promise<number | undefined>;
  words(line: string): Promise<string>;
  commit(tag?: string): void;
}

function onFolder(work: (folder: Folder) => Promise<void>, server: Partial<EmulatorOptions> = {}): Promise<void> {
  return onHarness(server, async (harness) => {
    const { folder, url, emulator } = harness;
    mkdirSync(join(folder, "access"));
    writeFileSync(join(folder, "gate-sync.yaml"), settings(url));
    const run = (line: string) =>
      gateSyncWithin(line.split(" "), { cwd: folder, env: { PATH: process.env.PATH ?? "" } });
    await work({
      ...harness,
      declare: (...names) =>
        writeFileSync(join(folder, "access/roles.yml"), `${JSON.stringify({ roles: bodies(...names) })}\n`),
      hold: (...names) => emulator.replaceState({ roles: bodies(...names) }),
      code: async (line) => (await run(line)).code,
      words: async (line) => {
        const { stdout, stderr } = await run(line);
        return `${stdout}${stderr}`.replaceAll(/\s+/g, " ");
      },
      commit(tag) {
        git(folder, "init", "-q", "-b", "main");
        git(folder, "add", "-A", "--", "access", "gate-sync.yaml");
        git(folder, "commit", "-q", "--allow-empty", "-m", "x");
        if (tag !== undefined) git(folder, "tag", "-f", tag);
      },
    });
  });
}

describe("not-ours, by the runs on record", () => {
  test("refuses to delete what was made by hand, until it is waived by address; not what a run declared", () =>
    onFolder(async ({ declare, hold, code, words, folder }) => {
      declare("a", "b");
      expect(await code("apply --yes")).toBe(0);
      declare("a");
      hold("a", "b", "x", "y");
      for (const command of ["plan", "apply --yes"]) {
        expect(await code(command)).toBe(4);
        const reported = await words(command);
        expect(reported).toContain("2 roles that are not ours would be deleted.");
        expect(reported).toContain("They are not declared in the runs on record");
        expect(reported).toContain("roles/x");
        expect(reported).not.toMatch(/not-ours.*roles\/b\b.*--allow/);
      }
      expect(await code("plan --allow not-ours=roles/x")).toBe(4);
      expect(await code("plan --allow not-ours=roles/x --allow not-ours=roles/y")).toBe(0);
      const waiver = "waivers: [{ rule: not-ours, addresses: [roles/x, roles/y], reason: old }]\n";
      writeFileSync(join(folder, "waivers.yaml"), waiver);
      expect(await code("apply --yes")).toBe(0);
      // What is gone needs no waiver any more.
      expect(await words("plan")).toContain("unused-waiver");
    }));

  test("knows what a run did in part, what one undid, and asks no rollback", () =>
    onFolder(async ({ declare, hold, code, emulator }) => {
      declare("a");
      expect(await code("apply --yes")).toBe(0);
      declare("a", "b");
      expect(await code("apply --yes --only roles/b")).toBe(0);
      emulator.fault = ({ method }) =>
        method === "GET" ? undefined : { at: "before", answer: { status: 403, body: "{}" } };
      declare("a", "b", "c");
      expect(await code("apply --yes")).toBe(1);
      emulator.fault = () => undefined;
      declare();
      // `c` was to be made, and was not: it was made since by hand.
      hold("a", "b", "c");
      expect(await code("plan --only roles/a --only roles/b --allow deletions")).toBe(0);
      expect(await code("plan --only roles/c --allow deletions")).toBe(4);
      declare("a", "b");
      hold("a", "b");
      expect(await code("rollback --yes --allow deletions")).toBe(0);
    }));

  test("a run without a baseline that stopped is taken up again", () =>
    onFolder(async ({ declare, hold, code, emulator, folder }) => {
      hold("x");
      declare("a");
      writeFileSync(join(folder, "access/tenants.yml"), "tenants: { t: {} }\n");
      emulator.fault = ({ method, path }) =>
        method === "GET" || path.includes("/tenants")
          ? undefined
          : { at: "before", answer: { status: 403, body: "{}" } };
      expect(await code("apply --yes --allow deletions")).toBe(6);
      emulator.fault = () => undefined;
      expect(await code("plan")).toBe(0);
      emulator.replaceState({ roles: { x: { cluster_permissions: ["cluster:monitor/health"] } }, tenants: { t: {} } });
      expect(await code("plan")).toBe(4);
    }));

  test("is asked again where a plan is made again because the server refuses PATCH", () =>
    onFolder(async ({ declare, hold, code, emulator }) => {
      // Without a baseline the first plan was to delete `x`, and so does the second.
      hold("x", "y", "z");
      declare("a");
      let meanwhile = () => {};
      emulator.fault = ({ method }) => {
        if (method === "PATCH") meanwhile();
        return method === "PATCH" ? { at: "before", answer: { status: 405, body: "{}" } } : undefined;
      };
      expect(await code("apply --yes")).toBe(0);
      declare("a", "b", "c");
      meanwhile = () => hold("a", "made-by-hand");
      expect(await code("apply --yes")).toBe(4);
      expect([...emulator.state().roles.keys()]).toEqual(["a", "made-by-hand"]);
    }));

  test("are no base where they applied nothing of this target", () =>
    onFolder(async ({ declare, hold, words, emulator }) => {
      emulator.fault = ({ method }) =>
        method === "GET" ? undefined : { at: "before", answer: { status: 403, body: "{}" } };
      declare("a");
      hold("x");
      await words("apply --yes");
      expect(await words("plan")).toContain(
        "(guard not-ours): no run on record here applied anything of this target, and no --applied-ref",
      );
    }));

  test("of another cluster count for nothing", () =>
    onFolder(async ({ declare, code, words }) => {
      declare("a");
      expect(await code("apply --yes")).toBe(0);
      const other = await startEmulator({ product: "gate", clusterUuid: "other", state: { roles: bodies("a", "x") } });
      try {
        expect(await code(`plan --url ${other.url}`)).toBe(0);
        expect(await words(`plan --url ${other.url}`)).toContain(
          "Unknown whether the entry that this plan deletes is ours (guard not-ours)",
        );
      } finally {
        await other.close();
      }
    }));
});

describe("not-ours without a baseline", () => {
  test("is not asked: one note, where something is deleted, names mode: adopt", () =>
    onFolder(async ({ declare, hold, code, words, folder }) => {
      declare("a");
      hold("a");
      expect(await words("plan")).not.toContain("not-ours");
      hold("a", "x");
      expect(await code("plan --detailed-exitcode")).toBe(2);
      const reported = await words("plan");
      expect(reported).toContain("no run on this cluster is on record here");
      expect(reported).toContain("families: {roles: {mode: adopt}}");
      // A waiver may be needed where there is one.
      writeFileSync(join(folder, "waivers.yaml"), "waivers: [{ rule: not-ours, addresses: [roles/x], reason: old }]\n");
      expect(await words("plan")).not.toContain("unused-waiver");
      rmSync(join(folder, "waivers.yaml"));
      expect(await words("drift")).not.toContain("not-ours");
    }));

  test("left alone are types that are not managed, and what servers bring", () =>
    onFolder(async ({ declare, code, words, folder, url, emulator }) => {
      declare("a");
      expect(await code("apply --yes")).toBe(0);
      emulator.replaceState({
        roles: { ...bodies("a", "x"), r: { ...body, reserved: true }, h: { ...body, hidden: true } },
      });
      for (const roles of ["{ mode: adopt }", "{ mode: observe }", "{ exclude: [x] }"]) {
        writeFileSync(join(folder, "gate-sync.yaml"), settings(url, roles));
        expect([roles, await code("plan")]).toEqual([roles, 0]);
      }
      writeFileSync(join(folder, "gate-sync.yaml"), settings(url));
      expect(await words("plan")).toContain("A role that is not ours would be deleted.");
    }));
});

describe.skipIf(!hasGit)("not-ours, by commits", () => {
  test("of --applied-ref, which wins over records, and of HEAD and --base", () =>
    onFolder(async ({ declare, hold, code, words, commit }) => {
      declare("a", "b");
      commit("applied/t");
      declare("a");
      commit();
      hold("a", "b", "x");
      expect(await code("plan")).toBe(0);
      expect(await code("plan --applied-ref applied/t")).toBe(4);
      expect(await words("plan --applied-ref applied/t")).toMatch(
        /A role that is not ours would be deleted\..* It is declared neither in applied\/t nor in HEAD/,
      );
      expect(await code("plan --applied-ref applied/t --allow not-ours=roles/x")).toBe(0);
      expect(await code("apply --yes --applied-ref applied/t")).toBe(4);
      // What HEAD declares, or --base, is ours: records of others lie elsewhere.
      declare("a", "x");
      commit("later");
      declare("a");
      expect(await code("plan --applied-ref applied/t")).toBe(0);
      commit();
      expect(await code("plan --applied-ref applied/t")).toBe(4);
      expect(await code("plan --applied-ref applied/t --base later")).toBe(0);
      expect(await code("plan --applied-ref HEAD")).toBe(4);
      // Records say that `b` and `x` were declared; the commit that is named, that they were not.
      declare("a", "b", "x");
      expect(await code("apply --yes")).toBe(0);
      declare("a", "z");
      expect(await code("apply --yes")).toBe(0);
      declare("a");
      expect(await code("plan")).toBe(0);
      expect(await code("plan --applied-ref HEAD")).toBe(4);
    }));

  test("the fingerprint does not depend on it, and a saved plan is applied as plan found it", () =>
    onFolder(async ({ declare, hold, code, words, commit, emulator }) => {
      declare("a");
      commit("applied/t");
      hold("a", "x");
      const fingerprint = async (line: string) => /fingerprint ([0-9a-f]+)/i.exec(await words(line))?.[1];
      expect(await fingerprint("plan --applied-ref applied/t --allow not-ours=roles/x")).toBe(
        await fingerprint("plan"),
      );
      expect(await code("plan --applied-ref applied/t --out refused.json")).toBe(4);
      expect(await code("apply refused.json")).toBe(4);
      expect(emulator.state().roles.has("x")).toBe(true);
      expect(await code("plan --applied-ref applied/t --allow not-ours=roles/x --out plan.json")).toBe(0);
      expect(await words("apply plan.json")).not.toContain("waived nothing");
      expect(emulator.state().roles.has("x")).toBe(false);
      hold("a", "x");
      expect(await code("plan --state-dir none --out asked.json")).toBe(0);
      expect(await code("apply asked.json")).toBe(0);
    }));

  test("a commit or plan that is not there is 64; one without files, or without the target, is no baseline, and said", () =>
    onFolder(async ({ declare, hold, code, words, commit, folder, url }) => {
      declare("a");
      hold("a", "x");
      writeFileSync(join(folder, "gate-sync.yaml"), settings(url).replace("t:", "other:"));
      commit("other");
      writeFileSync(join(folder, "gate-sync.yaml"), settings(url));
      writeFileSync(join(folder, "access/roles.yml"), "roles: [\n");
      commit("broken");
      rmSync(join(folder, "access/roles.yml"));
      commit("empty");
      declare("a");
      commit();
      expect(await code("plan --out p.json")).toBe(0);
      // A saved plan keeps what was found when it was made.
      expect(await words("apply p.json --applied-ref HEAD")).toContain("what it deletes was compared when it was made");
      for (const flags of ["--applied-ref nowhere", "--baseline nowhere.json", "--applied-ref HEAD --baseline p.json"])
        for (const command of ["plan", "apply --yes", "apply p.json"])
          expect([flags, await code(`${command} ${flags}`)]).toEqual([flags, 64]);
      for (const [ref, why] of [
        ["other", "other holds no state files of the target t that can be read"],
        ["broken", "The state files at broken have errors"],
        ["empty", "At empty the state paths hold no files"],
      ]) {
        expect([ref, await code(`plan --applied-ref ${ref}`)]).toEqual([ref, 0]);
        expect(await words(`plan --applied-ref ${ref}`)).toContain(why);
        expect(await words(`plan --applied-ref ${ref}`)).toContain(
          "Unknown whether the entry that this plan deletes is ours",
        );
      }
    }));

  test("a secret of then that has no value any more hides nothing", () =>
    onFolder(async ({ hold, code, words, commit, folder }) => {
      const write = (roles: object) =>
        writeFileSync(join(folder, "access/roles.yml"), `${JSON.stringify({ roles })}\n`);
      write(bodies("a", "b"));
      writeFileSync(join(folder, "access/users.yml"), "internal_users: { ann: { password: '${env:GONE}' } }\n");
      commit("applied/t");
      write(bodies("a"));
      rmSync(join(folder, "access/users.yml"));
      commit();
      hold("a", "b");
      expect(await code("plan --applied-ref applied/t --detailed-exitcode")).toBe(2);
      hold("a", "b", "x");
      expect(await words("plan --applied-ref applied/t")).toContain("A role that is not ours would be deleted.");
    }));

  test("--baseline takes the saved plan that was applied last", () =>
    onFolder(async ({ declare, hold, code }) => {
      declare("a", "b");
      expect(await code("plan --out p.json")).toBe(0);
      expect(await code("apply p.json")).toBe(0);
      declare("a");
      expect(await code("plan --state-dir none --baseline p.json")).toBe(0);
      hold("a", "b", "x");
      expect(await code("plan --state-dir none --baseline p.json")).toBe(4);
    }));
});
