import { describe, expect, test } from "vitest";
import { planHtml } from "../../support/rendered.ts";
import { create, planOf } from "./plans.ts";

const names = ["<b>&\"'", "</script><script>alert(1)</script>", "plain"];

describe("the page of a plan", () => {
  test("has the verdict first, and names as text", () => {
    const page = planHtml(planOf({ changes: names.map((name) => create("tenants", name, { description: name })) }));
    const [head = "", body = ""] = page.split("<body>");
    expect(body).toMatch(
      /^\s*<main><h1>Plan for [^<]*<\/h1>\s*<div class="verdict good" role="status"><p><strong>Applies cleanly/,
    );
    expect(body).toContain("&lt;b&gt;&amp;");
    expect(body).not.toContain("<b>");
    expect(body.split("<script").length - 1).toBe(1);
    expect(head).toContain("default-src &#39;none&#39;");
  });

  test("has 200 changes as markup and the rest as data that no name can end", () => {
    const changes = Array.from({ length: 250 }, (_, at) => create("tenants", `${names[at % 3]} ${at}`, {}));
    const page = planHtml(planOf({ changes }));
    expect(page.split('<details class="change"').length - 1).toBe(200);
    const [, data = ""] = /<script type="application\/json" id="later">([^<]*)<\/script>/.exec(page) ?? [];
    const later = JSON.parse(data) as readonly { readonly title: string }[];
    expect(later).toHaveLength(50);
    expect(later.at(-1)?.title).toContain(`${names[249 % 3]} 249`);
    expect(page).toContain("50 of 250 changes are shown by the script of this page only.");
  });
});
