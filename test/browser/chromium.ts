// Debian's Chromium, or the one that CHROMIUM names.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { inFolder } from "../support/command.ts";

export const executablePath = process.env.CHROMIUM ?? findChromium();
if (executablePath === undefined) process.stderr.write("No Chromium is installed: pages are not tried in a browser.\n");

function findChromium(): string | undefined {
  try {
    return execFileSync("sh", ["-c", "command -v chromium || command -v google-chrome"]).toString().trim();
  } catch {
    return undefined;
  }
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: executablePath ?? "", args: ["--no-sandbox"] });
}

/** Opens a page from a file, as from an artefact of CI; a dialog, an error or a request for anything else fails it. */
export async function openPage(
  browser: Browser,
  markup: string,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  await inFolder({ "page.html": markup }, async (folder) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("dialog", (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      return dialog.dismiss();
    });
    page.on("pageerror", ({ message }) => problems.push(message));
    page.on("console", (message) => problems.push(message.text()));
    page.on("request", (request) => {
      if (!request.url().endsWith("/page.html") && !/page\.html#/.test(request.url())) problems.push(request.url());
    });
    await page.goto(pathToFileURL(join(folder, "page.html")).href);
    if (options.javaScriptEnabled !== false) await page.waitForSelector("body[data-complete]");
    await work(page);
    expect(problems).toEqual([]);
    await context.close();
  });
}

/** What axe calls serious or critical for screen readers. */
export async function findGraveFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  return page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: the script above defines it
    const { violations } = await (globalThis as any).axe.run();
    return violations
      .filter(({ impact }: { impact: string }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => `${id}: ${nodes[0]?.html}`);
  });
}
