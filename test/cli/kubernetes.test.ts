// The manifests of examples/kubernetes: what the published schemas leave open (.ci/lint-workflows has these), and what the containers do.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exitCodes } from "../../src/diagnostics/failure.ts";
import { inFolder, type Running, readUrl, startGateSync } from "../support/command.ts";
import { type Image, startImage } from "../support/dockerfile.ts";
import { buildExampleImage } from "../support/example-image.ts";
import { listJobs, type Manifest, readManifests, resolveContainer } from "../support/kubernetes.ts";

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
  const emulators: Running[] = [];
  const secrets = { "gate-sync-readers": { READER_PASSWORD: "of the reader" } };
  const specOf = (name: string): Manifest => jobs.find(([each]) => each === name)?.[1];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "gate-sync-"));
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, "images"));
    writeFileSync(join(folder, "live.yml"), "tenants: { it: {} }\n");
    const words = ["emulator", "live.yml", "--port", "0", "--format", "json", "--user", "reader:of the reader:read"];
    const emulator = startGateSync(words, { cwd: folder });
    emulators.push(emulator);
    const repository = {
      "package.json": "{}",
      "package-lock.json": "{}",
      "gate-sync.yaml": `defaults:
  product: gate
  state: [access]
  auth: { username: reader, password: "\${env:READER_PASSWORD}" }
targets: { prod: { url: "${await readUrl(emulator)}" } }
`,
      "access/tenants.yml": "tenants: {}\n",
    };
    image = await inFolder(repository, async (context) => buildExampleImage(context, join(folder, "images")));
  });

  afterAll(async () => {
    execFileSync("chmod", ["-R", "u+w", folder]);
    rmSync(folder, { recursive: true });
    for (const { child } of emulators) child.kill();
    await Promise.all(emulators.map(({ ended }) => ended));
  });

  test("look for drift as the reader, and fail where there is some", async () => {
    const { args, env } = resolveContainer(specOf("gate-sync-drift"), secrets);
    const { code, stdout } = await startImage(image, args, env).ended;
    expect({ code, stdout }).toEqual({ code: exitCodes.pending, stdout: expect.stringContaining("it") });
    const wrong = { "gate-sync-readers": { READER_PASSWORD: "of another" } };
    const refused = resolveContainer(specOf("gate-sync-drift"), wrong);
    expect((await startImage(image, refused.args, refused.env).ended).code).toBe(exitCodes.failed);
  });
});
