// Texts that some releases refuse in what is sent: an error where the entry would be written, else a warning.
import { expect, test } from "vitest";
import { onHarness } from "./harness.ts";

const role = (description: string) => ({ cluster_permissions: ["cluster:monitor/main"], description });

test.each([
  ["3.8", 257, true],
  ["3.8", 256, false],
  ["3.9", 4096, false],
  ["3.9", 4097, true],
  ["3.7", 5000, false],
])("of OpenSearch %s, %d characters", (release, length, isLong) => {
  const files = { "state.json": JSON.stringify({ roles: { hr: role("x".repeat(length)) } }) };
  return onHarness({ product: "opensearch", release, files, spawned: false }, async ({ run, emulator }) => {
    const product = `--product opensearch --release ${release}`;
    const validated = await run(`validate state.json ${product}`);
    expect(validated.code, validated.stdout).toBe(0);
    expect(validated.stdout.includes(`warning  unsupported-here`)).toBe(isLong);

    const planned = await run(`plan --url URL state.json ${product}`);
    expect(planned.code, planned.stdout).toBe(isLong ? 3 : 0);
    expect((planned.stdout + planned.stderr).split("A text of").length - 1).toBe(isLong ? 1 : 0);

    // What is there already stays.
    emulator.replaceState({ roles: { hr: role("x".repeat(length)) } });
    const same = await run(`plan --url URL state.json ${product} --detailed-exitcode`);
    expect(same.code, same.stdout).toBe(0);
  });
});

test.each(["3.8", "3.9"])("a name of 257 characters, in OpenSearch %s", (release) => {
  const files = { "state.json": JSON.stringify({ roles: { ["n".repeat(257)]: role("") } }) };
  return onHarness({ product: "opensearch", release, files, spawned: false }, async ({ run }) => {
    const { code, stderr } = await run(`plan --url URL state.json --product opensearch --release ${release}`);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("A name of 257 characters") });
  });
});

test.each([
  ["3.7", 257, 201],
  ["3.8", 256, 201],
  ["3.8", 257, 400],
  ["3.9", 257, 400],
])(
  "the emulator of OpenSearch %s answers to a name of %d characters with %d, as the server does",
  (release, length, status) =>
    onHarness({ product: "opensearch", release }, async ({ url }) => {
      const init = { method: "PUT", headers: { "content-type": "application/json" }, body: '{"description":"x"}' };
      const path = `${url}/_plugins/_security/api/tenants/${"n".repeat(length)}`;
      const answer = await fetch(path, init);
      expect(answer.status).toBe(status);
      const text = await answer.text();
      if (status === 400) expect(JSON.parse(text).message).toBe("tenant name exceeds maximum length of 256.");
    }),
);
