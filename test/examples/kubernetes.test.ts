// The manifests of examples/kubernetes: what the published schemas leave open (.ci/lint-workflows has these), and what the containers do.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exitCodes } from "../../src/diagnostics/failure.ts";
import { type Emulator, startEmulator } from "../../src/emulator/index.ts";
import { inFolder } from "../support/command.ts";
import { addVolume, type Image, startImage } from "../support/dockerfile.ts";
import { buildExampleImage } from "../support/example-image.ts";
import {
  listJobs,
  type Manifest,
  readManifests,
  resolveContainer,
  runIndexed,
  type Secrets,
} from "../support/kubernetes.ts";

const manifests = readManifests();
const jobs = listJobs(manifests);
const names = (kind: string) => manifests.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);

describe("the manifests", () => {
  test("are all in the one namespace", () => {
    const others = manifests.filter(({ kind, metadata }) => kind !== "Namespace" && metadata.namespace !== "gate-sync");
    expect([names("Namespace"), others]).toEqual([["gate-sync"], []]);
  });

  test("hold no secret, and give nobody the right to read one", () => {
    expect(names("Secret")).toEqual([]);
    const rules = manifests.flatMap(({ kind, rules }) => (/Role$/.test(kind) ? rules : []));
    expect(rules.length).toBeGreaterThan(2);
    for (const { apiGroups, resources, verbs } of rules) {
      expect(
        [...apiGroups, ...resources, ...verbs].filter((each) => /\*|secret|exec|impersonate|escalate|bind/.test(each)),
      ).toEqual([]);
    }
    for (const { roleRef } of manifests.filter(({ kind }) => kind === "RoleBinding"))
      expect([roleRef.kind, names("Role").includes(roleRef.name)]).toEqual(["Role", true]);
  });

  test.for(manifests.filter(({ kind }) => kind === "CronJob"))(
    "schedule at most one run at once: $metadata.name",
    ({ metadata, spec }, { expect }) => {
      // Of its jobs, eleven characters more are the time.
      expect(metadata.name.length).toBeLessThanOrEqual(52);
      expect(spec).toMatchObject({ concurrencyPolicy: "Forbid", startingDeadlineSeconds: expect.any(Number) });
      // Kubernetes has them from the time zones of Go, which are those of Node.
      expect(() => new Intl.DateTimeFormat("en", { timeZone: spec.timeZone })).not.toThrow();
    },
  );

  test.for(jobs)("run without privileges, and not for ever: %s", ([, spec], { expect }) => {
    expect(spec.activeDeadlineSeconds).toBeGreaterThan(0);
    const pod = spec.template.spec;
    expect(pod).toMatchObject({
      restartPolicy: "Never",
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: "RuntimeDefault" } },
    });
    expect(names("ServiceAccount")).toContain(pod.serviceAccountName);
    for (const { resources, securityContext } of pod.containers) {
      expect(resources).toMatchObject({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
  });

  test.for(jobs)("run again after a disruption and a failure, and not after an answer: %s", ([, spec], { expect }) => {
    const [disrupted, answered, ...others] = spec.podFailurePolicy.rules;
    expect(others).toEqual([]);
    expect(disrupted).toEqual({ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] });
    const { pending, invalid, refused, usage } = exitCodes;
    const isIndexed = spec.completionMode === "Indexed";
    expect(answered).toEqual({
      action: isIndexed ? "FailIndex" : "FailJob",
      onExitCodes: {
        containerName: spec.template.spec.containers[0].name,
        operator: "In",
        values: [pending, invalid, refused, usage],
      },
    });
    // FailIndex is only for jobs that count the failures of each index.
    expect(spec[isIndexed ? "backoffLimitPerIndex" : "backoffLimit"]).toBeGreaterThan(0);
  });
});

describe("their containers", () => {
  let folder: string;
  let image: Image;
  let emulators: Emulator[] = [];
  const secrets: Secrets = { "gate-sync-readers": { READER_PASSWORD: "of the reader" } };
  const specOf = (name: string): Manifest => jobs.find(([each]) => each === name)?.[1];
  const serve = (port?: number) =>
    startEmulator({
      product: "gate",
      users: [{ name: "reader", password: "of the reader", rights: "read" }],
      ...(port !== undefined && { port }),
    });

  /** On a port that no connection is given meanwhile, so that it is still free when it is needed again. */
  const serveAgain = (port: number): Promise<Emulator> => serve(port).catch(() => serveAgain(port + 1));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "gate-sync-"));
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, "images"));
    emulators = await Promise.all([serveAgain(20_000), ...Array.from({ length: 39 }, () => serve())]);
    const targets = emulators.map(({ url }, index) => `  prod-${index}: { url: "${url}" }\n`);
    const repository = {
      "package.json": "{}",
      "package-lock.json": "{}",
      "gate-sync.yaml": `defaults:
  product: gate
  state: [access]
  auth: { username: reader, password: "\${env:READER_PASSWORD}" }
targets:
${targets.join("")}`,
      "access/tenants.yml": "tenants: { hr: {} }\n",
    };
    image = await inFolder(repository, async (context) => buildExampleImage(context, join(folder, "images")));
    addVolume(image, "/reports");
  });

  afterAll(async () => {
    execFileSync("chmod", ["-R", "u+w", folder]);
    rmSync(folder, { recursive: true });
    await Promise.all(emulators.map((emulator) => emulator.close()));
  });

  const run = (name: string, more: Readonly<Record<string, string>> = {}, known = secrets) => {
    const { args, env } = resolveContainer(specOf(name), known, more);
    return startImage(image, args, env).ended;
  };

  test("look for drift as the reader, and fail where there is some", async () => {
    const { code, stdout } = await run("gate-sync-drift");
    expect({ code, stdout }).toEqual({ code: exitCodes.pending, stdout: expect.stringContaining("40 targets") });
    const wrong = { "gate-sync-readers": { READER_PASSWORD: "of another" } };
    expect((await run("gate-sync-drift", {}, wrong)).code).toBe(exitCodes.failed);
  });

  test("look for drift in parts, each of which fails where there is some", async () => {
    const spec = specOf("gate-sync-drift-parts");
    const outputs: string[] = [];
    const ended = await runIndexed(spec, async (index) => {
      const { code, stdout } = await run("gate-sync-drift-parts", { JOB_COMPLETION_INDEX: String(index) });
      outputs.push(stdout);
      return code;
    });
    expect(ended.map(({ code, pods }) => [code, pods])).toEqual(Array.from({ length: 16 }, () => [2, 1]));
    const parts = outputs.map((text) => new Set(text.match(/prod-\d+/g)));
    expect(parts.reduce((sum, { size }) => sum + size, 0)).toBe(40);
  });

  test("plan in parts, of which one runs again as its cluster comes back, and are reported as one", async () => {
    const [gone, ...others] = emulators;
    const port = Number(new URL(gone?.url ?? "").port);
    await gone?.close();
    emulators = others;
    const name = "gate-sync-plan-x7k2p";
    const ended = await runIndexed(specOf("gate-sync-plan-"), async (index) => {
      const podFields = { "metadata.labels['batch.kubernetes.io/job-name']": name };
      const { code } = await run("gate-sync-plan-", { JOB_COMPLETION_INDEX: String(index), ...podFields });
      if (code !== 0) emulators.push(await serve(port));
      return code;
    });
    expect(ended.map(({ code }) => code)).toEqual(Array.from({ length: 16 }, () => 0));
    expect(ended.filter(({ pods }) => pods > 1)).toEqual([{ code: 0, pods: 2 }]);

    const spec = specOf("gate-sync-report-");
    const report = () => {
      const { args, env } = resolveContainer(spec, {}, {});
      const words = args.map((word) => word.replace("gate-sync-plan-NAME", name));
      return startImage(image, words, env).ended;
    };
    expect(await report()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^40 targets: 40 with changes/) });
    const [part = ""] = readdirSync(join(image.root, "reports")).filter((file) => /-part-3\.json$/.test(file));
    rmSync(join(image.root, "reports", part));
    const { code, stdout } = await report();
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining("Part 3 of the parts 0 to 15 is missing"),
    });
  });
});
