// What holds of every kind of gate-sync's own files: written and read again, and refused where it is not as it was written.
import { describe, expect, test } from "vitest";
import { type ArtifactBodies, decodeArtifact, encodeArtifact } from "../../../src/artifacts/artifact.ts";
import { RunError } from "../../../src/diagnostics/failure.ts";
import type { ArtifactKind, RecordedTarget } from "../../../src/model/artifact.ts";
import { createAddress } from "../../../src/model/names.ts";
import { forge } from "../../support/forge.ts";

const target: RecordedTarget = {
  name: "prod",
  url: "https://search.example:9200",
  identity: "ana",
  server: { product: "gate", release: "7.x-43.0.0", engine: "7.5.1", clusterName: "c", clusterUuid: "u" },
};
const time = "2026-03-02T08:15:00.000Z";
const plan: ArtifactBodies["plan-file"] = {
  fingerprint: "0".repeat(32),
  stated: [],
  changes: [],
  desired: [],
  operations: [],
  violations: [],
  waived: [],
  allowed: [],
  waivers: [],
  read: ["roles"],
  seen: [],
  refers_to: [],
};
const bodies: ArtifactBodies = {
  "plan-file": plan,
  "fleet-plan": { fingerprint: "0".repeat(32), plans: [plan] },
  backup: { time, families: [], files: {}, changes: [], config_children: [], secrets_replaced: [] },
  snapshot: { how: "GET /", answers: { "/": { status: 200, body: { ["__proto__"]: 1, "557": [null, "é"] } } } },
  journal: { time, run: "abcd1234", command: "apply" },
};
const all = Object.keys(bodies) as ArtifactKind[];

function write(kind: ArtifactKind, key?: string): string {
  return encodeArtifact(kind, { target, body: bodies[kind], at: time }, key);
}

/** What is wrong with a text, by the first words of the message; nothing where it is read. */
function refusal(kind: ArtifactKind, text: string, key?: string): string | undefined {
  try {
    decodeArtifact(kind, "FILE", text, key);
    return undefined;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    expect(error.kind).toBe("usage");
    return `${error.userMessage.what} ${error.userMessage.why}`;
  }
}

const having = (text: string, change: (file: { targets: { name: string }[]; body: object }) => object) =>
  forge(text, (each) => JSON.stringify({ ...JSON.parse(each), ...change(JSON.parse(each)) }));
const edited = "FILE was changed since gate-sync wrote it.";

describe.each(all)("a %s", (kind) => {
  const text = write(kind);
  const version: number = JSON.parse(text).format_version;

  test("is read as it was written, and written the same again", () => {
    expect(decodeArtifact(kind, "FILE", text)).toEqual({ target, body: bodies[kind], at: time });
    expect(write(kind)).toBe(text);
  });

  test("cut at any byte is refused", () => {
    const cuts = Array.from({ length: text.trimEnd().length }, (_, at) => at);
    expect(cuts.filter((cut) => refusal(kind, text.slice(0, cut)) === undefined)).toEqual([]);
  });

  test.each<[string, string, reported: string]>([
    ["what is no JSON", "<html>", "that this version can read. It is no JSON."],
    ["null", "null", "gate-sync did not write it, or another version did."],
    ["half of it", text.slice(0, text.length / 2), `${edited} It is no JSON.`],
    [
      "a file of another kind",
      write(kind === "backup" ? "snapshot" : "backup"),
      "that this version can read. It is a ",
    ],
    [
      "a version that no person reads",
      having(text, () => ({ format_version: "x".repeat(100_000), made: { by: "x".repeat(100_000) } })),
      `FILE has format version "${"x".repeat(58)}…, and this gate-sync reads version ${version}. It was made by ${"x".repeat(59)}….`,
    ],
    [
      "a newer version",
      having(text, () => ({ format_version: version + 1 })),
      `FILE has format version ${version + 1}, and this gate-sync`,
    ],
    [
      "two targets",
      having(text, ({ targets }) => ({ targets: [...targets, { ...targets[0], name: "dev" }] })),
      "FILE is for 2 targets (prod, dev), and this gate-sync handles one.",
    ],
    ["no target", having(text, () => ({ targets: [] })), `${edited} It does not fit its schema`],
    ["a body that is none", having(text, () => ({ body: {} })), `${edited} It does not fit its schema`],
    ["a field more", text.replace('"targets"', '"more": 1, "targets"'), `${edited} It does not fit its schema`],
    ["another target", text.replace('"prod"', '"dev"'), `${edited} Its digest is not that of what it holds.`],
    [
      "what is too deep",
      text.replace('"u"', `${"[".repeat(5000)}${"]".repeat(5000)}`),
      `${edited} It is nested deeper`,
    ],
  ])("is not taken for one: %s", (_, other, reported) => {
    expect(refusal(kind, other)).toContain(reported);
  });

  test("counts with the key that sealed it, and with no other; with a key only if it is sealed", () => {
    const sealed = write(kind, "the key");
    expect(refusal(kind, sealed, "the key")).toBeUndefined();
    expect(refusal(kind, sealed, "another key")).toContain("Its seal is not that of GATE_SYNC_PLAN_KEY");
    expect(refusal(kind, sealed)).toContain("FILE is sealed, and GATE_SYNC_PLAN_KEY is not set.");
    expect(refusal(kind, text, "the key")).toContain("FILE is not sealed.");
    const later = sealed.replace(/"at":( ?)"2026/, '"at":$1"2027');
    expect(refusal(kind, later, "the key")).toContain("Its seal is not that of GATE_SYNC_PLAN_KEY");
    expect(
      refusal(
        kind,
        forge(sealed, (each) => each.replace("prod", "dev")),
        "the key",
      ),
    ).toContain("is not sealed");
  });
});

test("a plan file that reads otherwise than it counts is refused; others may be laid out again", () => {
  const twice = (text: string) => text.replace(/"name":/, '"name": "shown", $&');
  const wide = (text: string) => text.replaceAll('": ', '":  ');
  for (const change of [twice, wide]) {
    expect(refusal("plan-file", change(write("plan-file")))).toContain("It is not laid out as gate-sync writes it.");
    expect(refusal("plan-file", change(write("plan-file", "the key")), "the key")).toContain("It is not laid out");
    expect(refusal("snapshot", change(write("snapshot")))).toBeUndefined();
  }
});

test("a plan that is too large to be read is one line, sealed and checked like any other", () => {
  const seen = Array.from({ length: 50_000 }, (_, at) => createAddress("roles", `a_role_like_any_other_${at}`));
  const plan = { target, at: time, body: { ...bodies["plan-file"], seen } } as const;
  const text = encodeArtifact("plan-file", plan, "key");
  expect(text.trimEnd()).not.toContain("\n");
  expect(write("plan-file")).toContain("\n  ");
  expect(decodeArtifact("plan-file", "FILE", text, "key")).toEqual(plan);
  expect(refusal("plan-file", text.replace("other_7", "other_x"), "key")).toContain("was changed since");
});
