import { expect, test } from "vitest";
import type { Diagnosis, FamilyFinding } from "../../../src/model/doctor.ts";
import type { Family } from "../../../src/model/names.ts";
import { measureWidth } from "../../../src/render/layout.ts";
import { doctorText } from "../../support/rendered.ts";
import { plain } from "./plans.ts";

const finding = (family: Family, count?: number): FamilyFinding => ({
  family,
  state: "readable",
  read: "yes",
  write: "yes",
  ...(count !== undefined && { count }),
});

const good: Diagnosis = {
  target: {
    name: "staging",
    url: "https://search.staging.example:9200",
    snapshot: false,
    server: {
      product: "search-guard",
      release: "7.x-38",
      engine: "7.5.1",
      how: "GET /_cat/plugins",
      clusterName: "staging",
      clusterUuid: "Zk3vYw",
    },
  },
  caller: { name: "ci-apply", how: "password", roles: ["SGS_ALL_ACCESS", "ci"], adminCertificate: "no" },
  families: [
    finding("tenants", 1),
    finding("roles", 12),
    { family: "blocks", state: "absent", read: "no", write: "no" },
    finding("config"),
    finding("license"),
  ],
  writableBesides: [],
  patch: { families: ["tenants", "roles"], test: true },
  configWrites: { on: "yes", why: "The node setting x.y is on." },
  license: { installed: true, type: "TRIAL", daysLeft: 41, valid: true },
  unloadable: [],
  usable: { plan: true, apply: true },
  problems: [],
  notes: [],
};

/** The lines that begin with the label, and what hangs below them. */
function linesOf(label: string, diagnosis: Diagnosis): readonly string[] {
  const lines = doctorText(diagnosis, plain).split("\n");
  const first = lines.findIndex((line) => line.startsWith(label));
  const next = lines.findIndex((line, index) => index > first && !line.startsWith(" "));
  return lines.slice(first, next);
}

test("a server that is as it should be", () =>
  expect(doctorText(good, plain).split("\n")).toEqual([
    "staging  https://search.staging.example:9200",
    "",
    "server     search-guard 7.x-38, engine 7.5.1 (GET /_cat/plugins)",
    "cluster    staging (Zk3vYw)",
    "login      ci-apply, by password; roles SGS_ALL_ACCESS, ci",
    "rights     read and write everything except reserved entries",
    "resources  1 tenant, 12 roles",
    "           no blocks: not on this server",
    "patch      supported, with test operations",
    "config     The API may change it. The node setting x.y is on.",
    "license    trial, 41 days left",
    "",
    "Usable for plan and apply.",
  ]));

test("rights that differ by family, in a line for each kind", () => {
  const families = good.families.map((one) => ({ ...one, ...(one.family === "roles" && { write: "no" as const }) }));
  const closed = { family: "config", state: "unreadable", why: "403", read: "no", write: "no" } as const;
  const mixed = { ...good, families: [...families.filter(({ family }) => family !== "config"), closed] };
  expect(linesOf("rights", mixed)).toEqual([
    "rights     read and write: tenants, license",
    "           read only: roles",
    "           neither read nor write: config",
  ]);
  // That it is closed to us has been said.
  expect(linesOf("resources", mixed).join()).not.toContain("403");
});

test("what could not be read for another reason than our rights is reported where it belongs", () => {
  const failing = { family: "roles", state: "unreadable", why: "500 to GET /x.", read: "yes", write: "yes" } as const;
  expect(linesOf("resources", { ...good, families: [failing] })).toEqual(["resources  roles: 500 to GET /x."]);
});

test.each([
  [{ installed: true, type: "FULL", daysLeft: 29 }, "full, 29 days left", "note: The license ends soon."],
  [{ installed: true, type: "FULL", daysLeft: 30 }, "full, 30 days left", ""],
  [{ installed: true, type: "FULL", daysLeft: -3, valid: false }, "full, expired, not valid", "has expired"],
  [{ installed: false }, "none installed", ""],
])("a license: %o", (license, words, note) => {
  expect(linesOf("license", { ...good, license })[0]).toBe(`license    ${words}`);
  expect(doctorText({ ...good, license }, plain).match(/note:.*/)?.[0] ?? "").toContain(note);
});

test.each([
  [{ families: ["roles", "tenants"] as const, test: false }, "supported, without test operations"],
  [{ families: ["roles"] as const, test: true }, "supported, but not of tenants, with test operations"],
  [{ families: [], test: true }, "not supported: entries are written one by one"],
])("PATCH: %o", (patch, words) => expect(linesOf("patch", { ...good, patch })).toEqual([`patch      ${words}`]));

test("nothing is wider than the terminal, and nothing of others reaches it unescaped", () => {
  const roles = Array.from({ length: 30 }, (_, index) => `a_role_called_${index}`);
  const caller = { ...good.caller, name: "x\u001b[31m", roles, unanswered: "500 to GET /a" };
  const text = doctorText({ ...good, caller, notes: ["long ".repeat(40)] }, plain);
  expect(text.split("\n").filter((line) => measureWidth(line) > 80)).toEqual([]);
  expect(text).not.toContain("\u001b");
});
