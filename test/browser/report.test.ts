// The page of a plan in a real browser.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onHarness } from "../cli/harness.ts";
import { executablePath, findGraveFaults, launchBrowser, openPage } from "./chromium.ts";

/** Each would run, break out of where it is written, or replace text, if it were taken for anything but a name. */
const hostile = [
  '<img src="x" onerror="alert(1)">',
  "</script><script>alert(1)</script>",
  "\"'><svg onload=alert(1)>",
  "<!--<script>",
  "$& $` $1 `x`",
  "javascript:alert(1)",
  "&lt;b&gt; &amp;",
  "constructor __proto__",
];

const files = {
  "access/roles.yml": [
    "roles:",
    ...hostile.flatMap((name, at) => [
      `  ${JSON.stringify(name)}:`,
      "    index_permissions:",
      `      - index_patterns: [${JSON.stringify(`${name.toLowerCase().replaceAll(/[*?]/g, "")}-*`)}, plain-${at}]`,
      `        allowed_actions: ["indices:data/read/*"]`,
      ...(at === 0 ? [`        dls: ${JSON.stringify(JSON.stringify({ term: { note: hostile[1] } }))}`] : []),
    ]),
    "role_mappings:",
    ...hostile.map((name) => `  ${JSON.stringify(name)}: { backend_roles: [${JSON.stringify(`staff ${name}`)}] }`),
    "",
  ].join("\n"),
  // More than the page holds as markup.
  "access/tenants.yml": [
    "tenants:",
    ...Array.from({ length: 300 }, (_, at) => {
      const name = `${hostile[at % hostile.length]} ${at}`;
      return `  ${JSON.stringify(name)}: { description: ${JSON.stringify(name)} }`;
    }),
    "",
  ].join("\n"),
};

describe.skipIf(executablePath === undefined)("the page of a plan", () => {
  let browser: Browser;
  let markup = "";
  let jsonLength = 0;

  beforeAll(async () => {
    browser = await launchBrowser();
    await onHarness({ files }, async ({ run, folder }) => {
      const { code, stderr } = await run(
        "plan access/ --url URL --allow changes --format html=plan.html --format json=plan.json --link-base https://forge.example/blob/main",
      );
      expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
      markup = readFileSync(join(folder, "plan.html"), "utf8");
      jsonLength = readFileSync(join(folder, "plan.json"), "utf8").length;
    });
  });
  afterAll(() => browser.close());

  const onPage = (options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> =>
    openPage(browser, markup, options, work);

  test("shows hostile names as the text that they are: nothing of them becomes an element", async () => {
    await onPage({}, async (page) => {
      expect(await page.locator("img, svg, iframe, object, [onerror], [onload], [style]").count()).toBe(0);
      expect(await page.locator("script:not([type])").count()).toBe(1);
      const text = await page.locator("body").innerText();
      for (const name of hostile) expect(text).toContain(name);
      // Names with quotes are shown as JSON has them.
      const names = (await page.locator(".change .name").allTextContents()).map((name) => name.replaceAll("\\", ""));
      expect(names).toHaveLength(hostile.length * 2 + 300);
      const late = hostile.map((name, at) => `${name} ${at + 280}`);
      expect(late.filter((name) => !names.some((shown) => shown.includes(name)))).toEqual([]);
      const links = await page
        .locator("a[href]")
        .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
      expect(
        links.filter((href) => !/^(#access-\d+|https:\/\/forge\.example\/blob\/main\/access\/)/.test(href)),
      ).toEqual([]);
    });
  });

  test("is no longer than half more than the JSON of the same run", () => {
    expect(markup.length).toBeLessThan(1.5 * jsonLength);
  });

  test("filters access by kind and by what is typed, and changes by their names and values", async () => {
    await onPage({}, async (page) => {
      const rows = page.locator("table.matrix tbody tr:visible");
      const whole = await rows.count();
      expect(whole).toBeGreaterThan(3);
      await page.getByRole("button", { name: "lost", exact: true }).click();
      expect(await rows.count()).toBe(0);
      await page.getByRole("button", { name: "all", exact: true }).click();
      await page.getByLabel("Principal, index or role").fill("plain-2");
      expect(await rows.count()).toBe(0);
      expect(await page.locator(".who:visible").count()).toBeGreaterThan(0);
      await page.getByLabel("Search the changes").fill("constructor __proto__ 299");
      expect(await page.locator(".change:visible").count()).toBe(0);
      await page.getByLabel("Search the changes").fill("constructor __proto__ 295");
      expect(await page.locator(".change:visible").count()).toBe(1);
      expect(await page.locator("#found").innerText()).toMatch(/^1 of \d+ changes$/);
      await page.getByLabel("Search the changes").fill("");
      await page.getByRole("button", { name: "fold all", exact: true }).click();
      expect(await page.locator(".change[open]").count()).toBe(0);
    });
  });

  test("works by keyboard alone: a mark of the table opens the sentence behind it", async () => {
    await onPage({}, async (page) => {
      for (let at = 0; at < 30; at++) {
        await page.keyboard.press("Tab");
        if (await page.evaluate("document.activeElement.classList.contains('mark')")) break;
      }
      const target = await page.evaluate("document.activeElement.getAttribute('href')");
      await page.keyboard.press("Enter");
      expect(target).toMatch(/^#access-\d+$/);
      expect(await page.locator(`${target} details[open]`).count()).toBe(1);
      expect(await page.locator(`${target} details`).innerText()).toContain("for example");
    });
  });

  test("says the verdict, who gains what and what is missing without scripts too", async () => {
    await onPage({ javaScriptEnabled: false }, async (page) => {
      const text = await page.locator("body").innerText();
      expect(text).toContain("316 to create");
      expect(await page.locator(".change").count()).toBe(200);
      expect(text).toContain("116 of 316 changes are shown by the script of this page only.");
      expect(await page.locator("table.matrix .mark.gained").count()).toBeGreaterThan(3);
      expect(await page.locator("button:visible, input:visible").count()).toBe(0);
    });
  });

  test("prints without its tools, the first changes only", async () => {
    await onPage({}, async (page) => {
      await page.emulateMedia({ media: "print" });
      expect(await page.locator("button:visible, input:visible").count()).toBe(0);
      expect(await page.locator(".change:visible").count()).toBe(200);
      expect((await page.pdf()).length).toBeGreaterThan(10_000);
    });
  });

  test.each([
    ["wide and light", { width: 1280, height: 900 }, "light"],
    ["narrow and dark", { width: 390, height: 800 }, "dark"],
  ] as const)(
    "%s: nothing is wider than the window, and nothing serious is wrong for screen readers",
    async (_, viewport, colorScheme) => {
      await onPage({ viewport, colorScheme }, async (page) => {
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(viewport.width);
        expect(await findGraveFaults(page)).toEqual([]);
      });
    },
  );
});

describe.skipIf(executablePath === undefined)("the page of a plan that access tests refuse", () => {
  const folder = join(import.meta.dirname, "../../examples/access-review");
  const names = ["live.yml", "access/payroll.yml", "access/support.yml", "tests/payroll.access-test.yaml"];
  const target =
    "{ url: URL, product: gate, state: [access/, tests/], apply_as: { user: ci-apply, backend_roles: [admin] } }";
  const reviewed = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  let browser: Browser;
  let markup = "";

  beforeAll(async () => {
    browser = await launchBrowser();
    await onHarness({ files: reviewed }, async ({ run, folder: own, url }) => {
      writeFileSync(join(own, "gate-sync.yaml"), `targets: { dev: ${target.replace("URL", url)} }\n`);
      await run("apply --yes --url URL --allow changes live.yml");
      const { code } = await run("plan --format html=plan.html");
      expect(code).toBe(4);
      markup = readFileSync(join(own, "plan.html"), "utf8");
    });
  });
  afterAll(() => browser.close());

  test("marks where each of them is, though nothing may change there, and leads to its sentence", () =>
    openPage(browser, markup, {}, async (page) => {
      expect(await page.locator("table.matrix thead th").allInnerTexts()).toEqual(["who", "pay*", "payroll-*"]);
      const row = page.locator("table.matrix tbody tr", { hasText: "backend role helpdesk" });
      const mark = row.locator("td").nth(1).locator(".mark");
      expect(await mark.innerText()).toBe("✗ access test fails");
      expect(await mark.getAttribute("title")).toContain("backend role helpdesk may search payroll-*");
      await mark.click();
      expect(await page.locator(".guard:target").innerText()).toContain('The access test "nobody else does"');
      await page.getByRole("button", { name: "test", exact: true }).click();
      expect(await page.locator("table.matrix tbody tr:visible").count()).toBe(2);
      expect(await page.locator("dl.facts").innerText()).toMatch(/applied as\s+user ci-apply, backend role admin/);
    }));

  test("shows at a narrow window that the table goes on", () =>
    openPage(browser, markup, { viewport: { width: 390, height: 800 } }, async (page) => {
      const wide = page.locator(".wide");
      const table = "document.querySelector('.wide')";
      expect(await page.evaluate(`${table}.scrollWidth > ${table}.clientWidth`)).toBe(true);
      await wide.scrollIntoViewIfNeeded();
      // Dark at the edge, and covered by the background once the end is reached.
      const edge = async () => {
        const { x = 0, y = 0, width = 0 } = (await wide.boundingBox()) ?? {};
        // In a cell of the first row that has no mark.
        const clip = { x: x + width - 4, y: y + 75, width: 2, height: 2 };
        return (await page.screenshot({ clip })).toString("base64");
      };
      const atStart = await edge();
      await page.evaluate(`${table}.scrollLeft = ${table}.scrollWidth`);
      expect(await edge()).not.toBe(atStart);
    }));
});
