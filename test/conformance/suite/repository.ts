import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { Policies } from "../../../src/model/policy.ts";
import { gateSync, gateSyncWithin, inFolder, type Run } from "../../support/command.ts";
import type { Gateway } from "./gateway.ts";
import type { Facts, Stage, Who } from "./stage.ts";

/** A user's folder, and the built program in it, pointed at a server. */
export interface Repository {
  readonly folder: string;
  readonly gateway: Gateway;
  /** Replaces the files below access/; what is no text goes in as JSON. */
  declare(files: Files): void;
  run(...args: readonly string[]): Promise<Run>;
  /** Fails unless planning finds nothing to do, by GETs alone. */
  inSync(): Promise<void>;
  /** Applies, fails unless all was done, and returns which requests that took. */
  applied(...args: readonly string[]): Promise<readonly string[]>;
}

export type Files = Readonly<Record<string, unknown>>;

/** Fields of a role, by what they permit, in words of all products. */
export const role = (...permissions: readonly string[]) => ({ cluster_permissions: permissions });

const families = ["roles", "role_mappings", "tenants", "action_groups"];

export interface Circumstances {
  /** Whose login data the server gets; the program itself has none, the gateway adds them. */
  readonly who?: Who;
  /** The names that are ours; by default all that the server did not start with. */
  readonly include?: string | readonly string[];
  /** How families are managed that otherwise are only observed. */
  readonly optIn?: Policies;
  readonly env?: Readonly<Record<string, string>>;
  /** Seconds after which a write is given up. */
  readonly patience?: number;
}

export async function inRepository(
  stage: Stage,
  files: Files,
  work: (repository: Repository) => Promise<void>,
  { who = "certificate", include, optIn, env = {}, patience }: Circumstances = {},
): Promise<void> {
  const gateway = await stage.gateway(who);
  const policy = include === undefined ? { exclude: stage.builtin } : { include: [include].flat() };
  const settings = {
    targets: {
      it: { url: gateway.url, state: ["access/"], ...(patience !== undefined && { timeouts: { write: patience } }) },
    },
    defaults: {
      families: {
        ...Object.fromEntries(families.map((family) => [family, policy])),
        ...optIn,
      },
    },
  };
  await inFolder({ "gate-sync.yaml": JSON.stringify(settings) }, async (folder) => {
    // Real servers meet the built program; the emulator meets it too, in test/cli.
    const program = stage.facts.real ? gateSync : gateSyncWithin;
    const run = (...args: readonly string[]) => program(args, { cwd: folder, env });
    const repository: Repository = {
      folder,
      gateway,
      run,
      declare: (declared) => {
        rmSync(join(folder, "access"), { recursive: true, force: true });
        for (const [path, content] of Object.entries(declared)) {
          mkdirSync(dirname(join(folder, "access", path)), { recursive: true });
          const text = typeof content === "string" ? content : JSON.stringify(content);
          writeFileSync(join(folder, "access", path), text);
        }
      },
      inSync: async () => {
        gateway.forget();
        const { code, stdout, stderr } = await run("plan", "--detailed-exitcode");
        expect(code, `planning again:\n${stdout}${stderr}`).toBe(0);
        expect(gateway.writes()).toEqual([]);
      },
      applied: async (...args) => {
        gateway.forget();
        const { code, stdout, stderr } = await run("apply", "--yes", ...args);
        expect(code, `applying:\n${stdout}${stderr}`).toBe(0);
        return gateway.writes();
      },
    };
    repository.declare(files);
    await work(repository);
  });
}

const examples = new URL("../../../examples/quickstart/access/", import.meta.url);

/** The quickstart as users of a product write it: without what the product does not have. */
export function quickstart({ name }: Facts): Readonly<Record<string, string>> {
  const six = name === "search-guard-6";
  // The releases met here have no blocks; 6 has no tenants besides, and shows its config only.
  const absent = ["blocks.yml", ...(six ? ["tenants.yml", "config.yml"] : [])];
  const texts = readdirSync(examples)
    .filter((file) => !absent.includes(file))
    .map((file): [string, string] => [file, readFileSync(new URL(file, examples), "utf8")]);
  return Object.fromEntries(six ? texts.map(([file, text]) => [file, inWordsOf6(text)]) : texts);
}

/** A mapping has no description there, a tenant is granted whole, and a group MONITOR comes with the product. */
function inWordsOf6(text: string): string {
  return text
    .replace(/^ +description: Those who.*\n/m, "")
    .replace('"kibana:saved_objects/*/write"', "SGS_KIBANA_ALL_WRITE")
    .replaceAll(/\bMONITOR\b/g, "WATCH");
}
