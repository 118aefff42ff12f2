// Internal users from end to end: what is written, what is kept, and, on real servers, who can log in then.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Case, onServers } from "./case.ts";
import { type Circumstances, inRepository, type Repository } from "./repository.ts";
import type { Stage } from "./stage.ts";

/** Of `ofHash`, whose hash two tools would write differently. */
const hash = "$2y$12$abcdefghijklmnopqrstuuG3jUIDAXw3hw7XaHqV1HZeyY0.zYr2q";
const sameInAnotherForm = "$2b$04$abcdefghijklmnopqrstuu6mSXAVA3B20uAXHRs9M/meGwXLeoNd2";
const ofHash = "Hash-Passw0rd!77";
const [one, two] = ["Xk9!mvQ-77aZ-one", "Xk9!mvQ-77aZ-two"];
const secrets = new RegExp(`Xk9!|${ofHash}|\\$2[yb]\\$`);

const odd = `suite_o'd/"q`;

onServers("each-product", "internal users", (_, facts) => [
  {
    title: "are created with a hash or a password, log in, and are in sync; other users stay",
    steps: withUsers(async ({ declared, repository, login }) => {
      declared({
        suite_hash: { hash, backend_roles: ["suite_b"] },
        suite_pw: { password: "${env:ONE}" },
        [odd]: { hash },
      });
      await repository.applied();
      await repository.inSync();
      await login("suite_hash", ofHash, 200);
      await login("suite_pw", one, 200);
      await login(odd, ofHash, 200);
      await login("readall", "readall", 200);
    }),
  },
  {
    title: "keep their passwords when fields of them change, also a hash or reference in git",
    steps: withUsers(async ({ declared, repository, login, shown }) => {
      declared({ suite_hash: { hash, backend_roles: ["suite_b"] }, suite_pw: { password: "${env:ONE}" } });
      await repository.applied();
      const fields = { backend_roles: ["suite_b", "suite_c"], attributes: { dept: "it" } };
      declared({ suite_hash: { hash: sameInAnotherForm, ...fields }, suite_pw: { password: "${env:TWO}", ...fields } });
      expect(await repository.applied()).toEqual([expect.stringMatching(/^PATCH .*internalusers/)]);
      await repository.inSync();
      const { backend_roles: roles, attributes } = fields;
      const six = facts.name === "search-guard-6";
      expect(await shown("suite_hash")).toMatchObject(six ? { roles, attributes } : fields);
      await login("suite_hash", ofHash, 200);
      await login("suite_pw", one, 200);
      await login("suite_pw", two, 401);
    }),
  },
  {
    title: "get a new password with --rotate alone, and a rollback says that the old one is gone",
    steps: withUsers(async ({ declared, repository, login }) => {
      declared({ suite_hash: { hash }, suite_pw: { password: "${env:ONE}" } });
      await repository.applied();
      declared({ suite_hash: { hash }, suite_pw: { password: "${env:TWO}" } });
      expect(await repository.applied()).toEqual([]);
      repository.gateway.forget();
      const rotated = await repository.run("apply", "--yes", "--rotate", "internal_users/suite_pw");
      // 6 loses writes, and answers 200 all the same: whether a password is in force, a login alone would show.
      expect(rotated.code, rotated.stdout).toBe(facts.name === "search-guard-6" ? 6 : 0);
      expect(repository.gateway.writes()).toHaveLength(1);
      await login("suite_pw", one, 401);
      await login("suite_pw", two, 200);
      await login("suite_hash", ofHash, 200);
      const { code, stdout } = await repository.run("rollback", "--yes");
      expect(code, stdout).toBe(0);
      expect(stdout.replaceAll(/\s+/g, " ")).toContain("the password of internal_users/suite_pw");
      await login("suite_pw", two, 200);
    }),
  },
  {
    title: "are deleted with a waiver alone, and a rollback names whom it cannot bring back",
    steps: withUsers(async ({ declared, repository, login, shown }) => {
      declared({ suite_hash: { hash }, suite_pw: { password: "${env:ONE}" } });
      await repository.applied();
      declared({ suite_pw: { password: "${env:ONE}" } });
      const refused = await repository.run("apply", "--yes", "--allow", "deletions");
      expect(refused.code, refused.stdout).toBe(4);
      expect(refused.stdout).toContain("user-deletions");
      await login("suite_hash", ofHash, 200);
      await repository.applied("--allow", "deletions", "--allow", "user-deletions");
      expect(await shown("suite_hash")).toBeUndefined();
      await login("suite_hash", ofHash, 401);
      const { stdout, stderr } = await repository.run("rollback", "--yes");
      expect(stdout + stderr).toContain("suite_hash");
      expect(await shown("suite_hash")).toBeUndefined();
      await login("suite_pw", one, 200);
    }),
  },
]);

interface Scene {
  readonly repository: Repository;
  /** Declares these users, beside nothing else. */
  readonly declared: (users: object) => void;
  /** Fails unless a real server answers a login so; the emulator knows no logins of users that it is sent. */
  readonly login: (name: string, password: string, status: number) => Promise<void>;
  readonly shown: (name: string) => Promise<unknown>;
}

/** In a repository that manages the users of the suite; none of their secrets is in what the program printed or kept. */
function withUsers(work: (scene: Scene) => Promise<void>): Case["steps"] {
  return async (stage) => {
    const printed: string[] = [];
    const circumstances: Circumstances = {
      // Other suites leave users of theirs behind.
      optIn: { internal_users: { mode: "manage", include: ["suite_hash", "suite_pw", odd] } },
      env: { ONE: one, TWO: two },
    };
    const shown = async (name: string) => (await usersOf(stage))[name];
    try {
      await inRepository(
        stage,
        {},
        async (repository) => {
          const login: Scene["login"] = async (name, password, status) => {
            if (!stage.facts.real) return;
            const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
            const path = stage.words.api.replace(/api$/, "authinfo");
            const answer = await stage.ask({ who: "stranger", method: "GET", path, headers: { authorization } });
            expect(answer.status, `${name} logs in`).toBe(status);
          };
          const run: Repository["run"] = async (...args) => {
            const ran = await repository.run(...args);
            printed.push(ran.stdout, ran.stderr);
            return ran;
          };
          const declared = (users: object) => repository.declare({ "users.yml": { internal_users: users } });
          await work({ repository: { ...repository, run }, declared, login, shown });
          printed.push(...kept(join(repository.folder, ".gate-sync")));
        },
        circumstances,
      );
    } finally {
      for (const name of Object.keys(await usersOf(stage)).filter((user) => user.startsWith("suite_"))) {
        await stage.ask({ method: "DELETE", path: `internalusers/${encodeURIComponent(name)}` });
      }
    }
    expect(printed.join("\n")).not.toMatch(secrets);
  };
}

async function usersOf(stage: Stage): Promise<Readonly<Record<string, unknown>>> {
  const { json } = await stage.ask({ method: "GET", path: "internalusers" });
  return json as Readonly<Record<string, unknown>>;
}

/** All that the program wrote below a folder. */
function kept(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}
