// The table of access in the page of a plan: each cell says what can-i says before and after.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { onHarness } from "./harness.ts";

const reads = '["indices:data/read/*"]';
const role = (name: string, pattern: string, more = "") =>
  `  ${name}: { index_permissions: [{ index_patterns: ["${pattern}"], allowed_actions: ${reads}${more} }] }\n`;
const dls = `, dls: '{"term": {"dept": "hr"}}'`;
const stateOf = (roles: readonly string[], mapped: readonly string[]) =>
  `roles:\n${roles.join("")}role_mappings:\n${mapped.map((name) => `  ${name}: { backend_roles: [of-${name}] }\n`).join("")}`;

const before = stateOf(
  [role("opened", "a-*", dls), role("closed", "b-*"), role("ended", "c-*"), role("kept", "d-*", dls)],
  ["opened", "closed", "ended", "kept"],
);
const after = stateOf(
  [role("opened", "a-*"), role("closed", "b-*", dls), role("begun", "e-*"), role("kept", "d-*", dls)],
  ["opened", "closed", "begun", "kept"],
);

/** As `who`, `column`, `before`, `after`. */
function listCells(page: string): readonly (readonly string[])[] {
  const table = /<table class="matrix">.*?<\/table>/s.exec(page)?.[0] ?? "";
  const textsOf = (markup: string, tag: string) =>
    [...markup.matchAll(new RegExp(`<${tag}[ >].*?</${tag}>`, "gs"))].map(([one]) => one.replaceAll(/<[^>]*>/g, ""));
  const [head = "", ...rows] = table.split("<tr").slice(1);
  const columns = textsOf(head, "th").slice(1);
  return rows.flatMap((row) => {
    const [who = ""] = textsOf(row, "th");
    return textsOf(row, "td").flatMap((cell, at) => {
      const [, was = "", is = ""] = /^\S+ (.*) → (.*?) (?:gained|lost|sees (?:more|less))$/.exec(cell) ?? [];
      return cell === "" ? [] : [[who, columns[at] ?? "", was, is]];
    });
  });
}

test("each cell says what can-i says before and after", () =>
  onHarness({ files: { "then/state.yml": before, "now/state.yml": after } }, async ({ run, folder }) => {
    await run("apply --yes --url URL then");
    await run("plan --url URL now --allow changes --allow deletions --allow order --format html=plan.html");
    const cells = listCells(readFileSync(join(folder, "plan.html"), "utf8"));
    expect(cells).toEqual([
      ["backend role of-begun", "e-*", "nothing", "read"],
      ["backend role of-closed", "b-*", "read", "restricted read"],
      ["backend role of-ended", "c-*", "read", "nothing"],
      ["backend role of-opened", "a-*", "restricted read", "read"],
    ]);
    const asked = [
      ["then", 2],
      ["now", 3],
    ] as const;
    for (const cell of cells)
      for (const [state, at] of asked) {
        const who = cell[0]?.replace("backend role ", "");
        const words = `access can-i --backend-role ${who} search ${cell[1]} --state ${state} --product gate`;
        const answer = JSON.parse((await run(`${words} --release 7.x-43.0.0 --format json`)).stdout);
        const level =
          answer.verdict === "no" ? "nothing" : "documents" in answer.shares[0].sees ? "restricted read" : "read";
        expect([...cell.slice(0, 2), state, level]).toEqual([...cell.slice(0, 2), state, cell[at]]);
      }
  }));

test("who gains the same and held something else before has a row of its own", () => {
  const write =
    '{ index_permissions: [{ index_patterns: ["a-*"], allowed_actions: ["indices:data/write/*"] }], cluster_permissions: ["indices:data/write/bulk"] }';
  const roles = `roles:\n${role("reader", "a-*")}  writer: ${write}\n`;
  const mappings = (writers: string) =>
    `role_mappings: { reader: { users: [ana] }, writer: { users: [${writers}] } }\n`;
  const files = { "then/state.yml": roles + mappings("eve"), "now/state.yml": roles + mappings("eve, ana, bob") };
  return onHarness({ files }, async ({ run, folder }) => {
    await run("apply --yes --url URL then");
    await run("plan --url URL now --allow changes --format html=plan.html");
    expect(listCells(readFileSync(join(folder, "plan.html"), "utf8"))).toEqual([
      ["user ana", "a-*", "read", "write"],
      ["user ana", "the cluster", "", ""],
      ["user bob", "a-*", "nothing", "write without read"],
      ["user bob", "the cluster", "", ""],
    ]);
  });
});
