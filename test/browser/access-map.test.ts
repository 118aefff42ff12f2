// The map of access in a real browser.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onHarness } from "../cli/harness.ts";
import { executablePath, findGraveFaults, launchBrowser, openPage } from "./chromium.ts";

const hostile = ['<img src="x" onerror="alert(1)">', "</script><script>alert(1)</script>", "constructor __proto__"];

const state = JSON.stringify({
  roles: {
    restricted: {
      index_permissions: [
        { index_patterns: ["hr-*"], allowed_actions: ["indices:data/read/*"], dls: '{"term": {"dept": "hr"}}' },
      ],
    },
    all: { cluster_permissions: ["*"], index_permissions: [{ index_patterns: ["*"], allowed_actions: ["*"] }] },
    [hostile[1] ?? ""]: {
      index_permissions: [{ index_patterns: ["shop-*"], allowed_actions: ["indices:data/read/*"] }],
    },
  },
  role_mappings: {
    restricted: { backend_roles: ["hr", hostile[0]] },
    all: { users: ["root"] },
    [hostile[1] ?? ""]: { users: [hostile[2]] },
  },
});

describe.skipIf(executablePath === undefined)("the page of the access map", () => {
  let browser: Browser;
  let markup = "";

  beforeAll(async () => {
    browser = await launchBrowser();
    await onHarness({ files: { "access/state.json": state } }, async ({ run, folder }) => {
      const words = "--state access --product opensearch --link-base https://forge.example/blob/main";
      const { code, stderr } = await run(`access map ${words} --format html=map.html`);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      markup = readFileSync(join(folder, "map.html"), "utf8");
    });
  });
  afterAll(() => browser.close());

  test("has a row for equal principals, and hostile names are text", () =>
    openPage(browser, markup, {}, async (page) => {
      expect(await page.locator("img, [onerror]").count()).toBe(0);
      const row = page.locator("table.matrix tbody tr", { hasText: "backend role hr" });
      expect(await row.locator("th").innerText()).toContain(hostile[0]);
      expect(await row.locator(".mark.restricted").innerText()).toBe("◐ restricted read");
      expect(await page.locator("body").innerText()).toContain(hostile[2]);
    }));

  test("a mark leads to what grants it, with its line at the forge; kinds and words filter", () =>
    openPage(browser, markup, {}, async (page) => {
      const mark = page.locator("table.matrix .mark.restricted");
      await mark.click();
      const line = page.locator((await mark.getAttribute("href")) ?? "");
      expect(await line.locator("details[open]").innerText()).toContain("role restricted");
      expect(await line.locator("a").first().getAttribute("href")).toMatch(/blob\/main\/access\/state\.json#L\d+$/);
      await page.getByRole("button", { name: "restricted", exact: true }).click();
      expect(await page.locator("table.matrix tbody tr:visible").count()).toBe(1);
      await page.getByRole("button", { name: "all", exact: true }).click();
      await page.getByLabel("Principal, index or role").fill("user root");
      expect(await page.locator("table.matrix tbody tr:visible").count()).toBe(1);
    }));

  test.each([
    ["wide and light", { width: 1280, height: 900 }, "light"],
    ["narrow and dark", { width: 390, height: 800 }, "dark"],
  ] as const)("%s: fits the window, and nothing serious is wrong for screen readers", (_, viewport, colorScheme) =>
    openPage(browser, markup, { viewport, colorScheme }, async (page) => {
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(viewport.width);
      expect(await findGraveFaults(page)).toEqual([]);
    }),
  );

  test("without scripts the table is there", () =>
    openPage(browser, markup, { javaScriptEnabled: false }, async (page) => {
      expect(await page.locator("table.matrix tbody tr").count()).toBeGreaterThan(2);
    }));
});
