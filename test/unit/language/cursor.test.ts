import { expect, test } from "vitest";
import { findCursor } from "../../../src/language/cursor.ts";

/** `│` is the cursor. What is above and below it must not matter. */
const rows: readonly [text: string, path: string | undefined, word: string][] = [
  ["│", "", ""],
  ["ro│", "", "ro"],
  ["roles:\n  │", "roles", ""],
  ["roles:\n  hr:\n    clu│", "roles hr", "clu"],
  ["roles:\n  a:\n    cluster_permissions: [x]\n  hr:\n    clu│\n    index_permissions: []", "roles hr", "clu"],
  ["roles:\n  hr:\n    cluster_permissions: re│", "roles hr cluster_permissions:", "re"],
  ["roles:\n  hr:\n    cluster_permissions: [a, re│", "roles hr cluster_permissions -", "re"],
  ['roles:\n  hr:\n    cluster_permissions: ["a, b", "re│"]', "roles hr cluster_permissions -", "re"],
  ["roles:\n  hr:\n    cluster_permissions:\n      - a\n      - re│", "roles hr cluster_permissions -", "re"],
  ["roles:\n  hr:\n    cluster_permissions:\n    - a\n    - re│", "roles hr cluster_permissions -", "re"],
  [
    "roles:\n  hr:\n    index_permissions:\n      - index_patterns: [x]\n        all│",
    "roles hr index_permissions -",
    "all",
  ],
  ["roles:\n  hr:\n    index_permissions:\n      - ind│", "roles hr index_permissions -", "ind"],
  [
    "roles:\n  hr:\n    index_permissions:\n    - index_patterns: [x]\n      allowed_actions:\n      - a│",
    "roles hr index_permissions - allowed_actions -",
    "a",
  ],
  [
    "roles:\n  hr: { index_permissions: [{ index_patterns: [x], allowed_actions: [re│] }] }",
    "roles hr index_permissions - allowed_actions -",
    "re",
  ],
  ["roles:\n  hr: { index_permissions: [{ index_patterns: [x], al│ }] }", "roles hr index_permissions -", "al"],
  ["roles:\n  hr: {\n    index_permissions: [\n      { dls: 'it''s, [x', al│", "roles hr index_permissions -", "al"],
  ["roles:\n  hr: { a: [x], b: {c: d}, clu│", "roles hr", "clu"],
  ["a:\n  b: 1\n\n# c:\n  # d:\nroles:\n  │", "roles", ""],
  ['roles:\n  "h: r":\n    │', "roles h: r", ""],
  ["roles:\n  hr:\n    dls: |\n      { x: [\n    clu│", "roles hr", "clu"],
  ["roles:\n  hr:\n    dls: |\n      { x│\n    cluster: []", undefined, ""],
  ["roles:\n  hr: {} # re│", undefined, ""],
  ["tenants: {}\r\nroles:\r\n  hr:\r\n    clu│", "roles hr", "clu"],
  ["- a:\n    b│", "- a", "b"],
  ["x: ${var:A│", "x:", "${var:A"],
  ['x: "${var:A│', "x:", "${var:A"],
  ["actions: [indices:data/re│", "actions -", "indices:data/re"],
];

test.each(rows)("%j", (text, path, word) => {
  const offset = text.indexOf("│");
  const found = findCursor(text.replace("│", ""), offset);
  expect(found && `${found.path.join(" ")}${found.isBehindKey ? ":" : ""}`).toBe(path);
  if (path !== undefined) expect(found?.word).toBe(word);
});
